//! Taking over a record that is not known to be ours, by a person's word. No tool leads here.
//!
//! What is taken over serves looking, the trash and undo. Its idempotency keys do not replay, its proposals are closed,
//! and what it left unfinished is carried out only when that is asked for, through the guard.

use crate::clock::now_ns;
use crate::proof::Proven as Sight;
use crate::session::Session;
use crate::trouble::{Task, broken};
use crate::turn::Turn;
use crate::watch::{Doing, Quiet};
use crate::workspace::Workspace;
use patchwright_core::outcome::Trouble;
use patchwright_core::path::RelPath;
use patchwright_core::policy::Access;
use patchwright_core::refusal::Refusal;
use patchwright_store::adopt::{self, Foreign};
use patchwright_store::disk::Halt;
use patchwright_store::log::{HEADER, Log, Standing, Walk};
use patchwright_store::real::{Beside, RealDisk};
use patchwright_store::records::{Abort, Adopted, Caller, Commit, Intent, Proven, Record, TakenBack};
use patchwright_store::recover;
use patchwright_store::seal::{Id, Key, Seal};
use patchwright_store::stage::MOST_WORKS;
use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

/// The name of a record of version 0.1, which had no id.
const OLD: &str = "0.1";

/// What can be taken over, or accepted.
#[derive(Clone, Debug, Default)]
pub struct Adoptable {
    /// The id of our own record.
    pub id: Option<String>,
    /// What stands against our own record, in fixed words: `put_back`, `unmarked`, `gone`, `resumed`.
    pub own: Option<&'static str>,
    /// The calls that our own record left unfinished and that nobody has taken back: their batches and paths.
    pub unfinished: Vec<(String, Vec<String>)>,
    /// The records beside it.
    pub others: Vec<OtherRecord>,
}

/// A record that is not known to be ours.
#[derive(Clone, Debug)]
pub struct OtherRecord {
    /// Its id, or `0.1`.
    pub name: String,
    /// Where it stands.
    pub path: PathBuf,
    /// Is it a copy of one of this user's records, as its tags show?
    pub is_copy: bool,
    /// How many entries it has.
    pub records: u64,
    /// The times of the first and of the last, nanoseconds since 1970 UTC.
    pub times: Option<(i64, i64)>,
    /// The clients that it names.
    pub clients: Vec<String>,
    /// How many paths it names, and some of them.
    pub paths: (usize, Vec<String>),
    /// How many proposals are open in it.
    pub proposals: usize,
    /// The call that it left unfinished: its batch and its paths.
    pub unfinished: Option<(String, Vec<String>)>,
    beside: Beside,
}

/// What adopting came to.
#[derive(Clone, Debug, Default)]
pub struct Adopting {
    /// The record that was taken over.
    pub taken: Option<String>,
    /// How many entries it had.
    pub records: u64,
    /// The unfinished call, and whether it was taken back.
    pub unfinished: Option<(String, TakenBack)>,
    /// Paths that taking back left alone.
    pub left_alone: Vec<String>,
    /// Where what stood in the way is now.
    pub aside: Option<PathBuf>,
    /// Was it noted that somebody has looked at the record?
    pub noted: bool,
}

/// Why a record was not taken over.
#[derive(Debug)]
pub enum NotAdopted {
    /// As any call may fail.
    Trouble(Box<Trouble>),
    /// There is no such record, or it is no longer there.
    Gone,
    /// Nothing in it can be read.
    Unreadable,
    /// The key does not fit it.
    KeyDoesNotFit,
    /// What it left unfinished names more files than any call has.
    TooMuch,
}

/// How a record is taken over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfinished {
    /// What it left unfinished stays as it is.
    Left,
    /// It is taken back.
    TakenBack,
}

/// Whose call is taken back. What this session may not write stays closed to a call that is not our own.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    Ours,
    Theirs,
}

impl Session {
    /// What can be taken over or accepted here. Changes nothing.
    pub fn adoptable(&self) -> Result<Adoptable, Trouble> {
        let mut others = Vec::new();
        for beside in self.workspace.disk.beside().map_err(failed)? {
            others.extend(self.other(beside)?);
        }
        let id = self.workspace.disk.id().map(|id| id.to_string());
        let unfinished = match self.log_to_read()? {
            Some(log) => self.unfinished(&log)?.iter().map(named).collect(),
            None => Vec::new(),
        };
        Ok(Adoptable { id, own: self.own_doubt()?, unfinished, others })
    }

    /// The intents in our own record that were never ended; but for the last record of a log that is current, which
    /// recovery sees to.
    fn unfinished(&self, log: &Log<RealDisk>) -> Result<Vec<Intent>, Trouble> {
        let (mut open, mut last): (Vec<Intent>, u64) = (Vec::new(), 0);
        let activity = self.workspace.activity();
        log.entries(&self.workspace.disk, HEADER, &mut |entry| {
            activity.tell(|| Doing::CheckingRecord, entry.sequence, log.sequence());
            match entry.record {
                Record::Intent(intent) => {
                    open.retain(|known| known.batch != intent.batch);
                    open.push(intent);
                    last = entry.sequence;
                }
                Record::Commit(Commit { batch, .. }) | Record::Abort(Abort { batch, .. }) => {
                    open.retain(|known| known.batch != batch);
                }
                _ => {}
            }
            Walk::On
        })
        .map_err(failed)?;
        if last == log.sequence() && log.standing() == Standing::Current {
            open.pop();
        }
        Ok(open)
    }

    fn own_doubt(&self) -> Result<Option<&'static str>, Trouble> {
        let Some(log) = self.log_to_read()? else {
            return Ok(self.is_log_lost()?.then_some("gone"));
        };
        let check = self.verify_all(&log, None).map_err(failed)?;
        Ok(match check.standing {
            Standing::PutBack { known: Some(_) } => Some("put_back"),
            Standing::PutBack { known: None } => Some("unmarked"),
            Standing::Current | Standing::TailLost { .. } => (!check.resumed.is_empty()).then_some("resumed"),
        })
    }

    /// The record with this id beside ours, however many stand there.
    pub fn adoptable_named(&self, id: &str) -> Result<Option<OtherRecord>, Trouble> {
        let Some(id) = Id::parse(id) else { return Ok(None) };
        match self.workspace.disk.beside_named(&id).map_err(failed)? {
            Some(beside) => self.other(beside),
            None => Ok(None),
        }
    }

    fn other(&self, beside: Beside) -> Result<Option<OtherRecord>, Trouble> {
        // What is a link cannot be opened, and is nothing to take over.
        let Ok(folder) = self.workspace.disk.open_beside(&beside) else { return Ok(None) };
        let foreign = Foreign::read(&self.workspace.disk, &folder).ok().flatten().unwrap_or_default();
        let seal = beside.id.as_ref().and_then(|id| self.workspace.disk.seal_at_home(id));
        let is_copy = seal.is_some_and(|seal| foreign.is_sealed_by(&seal));
        Ok(Some(described(&foreign, beside, is_copy)))
    }

    /// Takes a record over.
    pub fn adopt(&self, other: &OtherRecord, unfinished: Unfinished) -> Result<Adopting, NotAdopted> {
        let mut held = self.take_turn(&Quiet)?;
        let folder = self.workspace.disk.open_beside(&other.beside).map_err(failed)?;
        let foreign = Foreign::read(&self.workspace.disk, &folder).map_err(failed)?;
        let mut foreign = foreign.ok_or(NotAdopted::Gone)?;
        foreign.number_all();
        if foreign.records.is_empty() {
            return Err(NotAdopted::Unreadable);
        }
        if adopt::has_taken(&self.workspace.disk, held.log()?, &foreign).map_err(failed)? {
            // Adopting was cut short after all was written.
            let aside = Some(self.workspace.disk.set_beside_aside(&other.beside).map_err(failed)?);
            return Ok(Adopting {
                taken: Some(other.name.clone()),
                records: other.records,
                aside,
                ..Adopting::default()
            });
        }
        foreign.leave_out(&self.workspace.disk, held.log()?).map_err(failed)?;
        let activity = self.workspace.activity();
        let step = |done, total| activity.tell(|| Doing::Adopting, done, total);
        adopt::take_shelves(&self.workspace.disk, &folder, self.workspace.firm, &step).map_err(failed)?;
        let mut done = Adopting { taken: Some(other.name.clone()), ..Adopting::default() };
        done.records = other.records;
        let mut notes = Vec::new();
        if let Some(Record::Intent(intent)) = foreign.records.last() {
            let back = match unfinished {
                Unfinished::Left => TakenBack::No,
                Unfinished::TakenBack => {
                    notes.push(Record::Abort(self.take_unfinished_back(intent, Whose::Theirs, &mut done)?));
                    TakenBack::Yes
                }
            };
            done.unfinished = Some((intent.batch.clone(), back));
        }
        let proven = if other.is_copy { Proven::Key } else { Proven::Nothing };
        notes.push(Record::Adopted(Adopted {
            from: Some(other.name.clone()),
            records: done.records,
            head: foreign.head,
            proven,
            unfinished: done.unfinished.as_ref().map(|(batch, _)| batch.clone()),
            taken_back: done.unfinished.as_ref().map_or(TakenBack::No, |(_, back)| *back),
            ..self.looked()
        }));
        adopt::rewrite(&self.workspace.disk, held.log()?, &foreign, &notes, &step).map_err(failed)?;
        self.reopen(&mut held)?;
        done.aside = Some(self.workspace.disk.set_beside_aside(&other.beside).map_err(failed)?);
        Ok(done)
    }

    /// Takes an unfinished call of another record back, as recovery would.
    fn take_unfinished_back(&self, intent: &Intent, whose: Whose, done: &mut Adopting) -> Result<Abort, NotAdopted> {
        if intent.works.len() > MOST_WORKS {
            return Err(NotAdopted::TooMuch);
        }
        let may = |path: &RelPath| match whose {
            Whose::Ours => !self.workspace.policy.is_protected(path),
            Whose::Theirs => self.workspace.policy.check(path, Access::Write).is_ok(),
        };
        let Workspace { disk, firm, .. } = &*self.workspace;
        let abort = recover::take_back(disk, intent, now_ns(), *firm, &may).map_err(failed)?;
        done.left_alone = abort.left_alone.iter().map(|left| left.path.to_string()).collect();
        Ok(abort)
    }

    /// Opens the log again that was just written anew.
    fn reopen(&self, held: &mut Turn<'_>) -> Result<(), Trouble> {
        *held.log = None;
        let mut log = Log::open(&self.workspace.disk).map_err(failed)?;
        log.accept(&self.workspace.disk);
        *held.log = Some(log);
        Ok(())
    }

    /// Notes that a person has looked at their own record and takes it as it is; with what it left unfinished taken back,
    /// if that is asked for.
    pub fn accept_record(&self, unfinished: Unfinished) -> Result<Adopting, NotAdopted> {
        let mut held = self.take_turn(&Quiet)?;
        let mut done = Adopting { noted: true, ..Adopting::default() };
        if unfinished == Unfinished::TakenBack {
            for intent in self.unfinished(held.log()?)?.iter().rev() {
                let abort = self.take_unfinished_back(intent, Whose::Ours, &mut done)?;
                self.append(&mut held, &Record::Abort(abort))?;
                done.unfinished = Some((intent.batch.clone(), TakenBack::Yes));
            }
        }
        self.append(&mut held, &Record::Adopted(self.looked()))?;
        Ok(done)
    }

    /// Moves a record aside: `other`, or else our own, after which a new one begins whose numbers go on above.
    pub fn adopt_fresh(&self, other: Option<&OtherRecord>) -> Result<Adopting, Trouble> {
        let mut done = Adopting::default();
        let above = match other {
            Some(other) => {
                self.may_change()?;
                let folder = self.workspace.disk.open_beside(&other.beside).map_err(failed)?;
                let mut foreign = Foreign::read(&self.workspace.disk, &folder).ok().flatten().unwrap_or_default();
                foreign.number_all();
                done.aside = Some(self.workspace.disk.set_beside_aside(&other.beside).map_err(failed)?);
                if self.workspace.disk.has_record() {
                    return Ok(done);
                }
                foreign.batches
            }
            None => {
                let mut held = self.take_turn(&Quiet)?;
                let above = held.log()?.batches();
                done.aside = self.workspace.disk.set_own_aside().map_err(failed)?;
                *held.log = None;
                above
            }
        };
        let mut held = self.take_turn(&Quiet)?;
        held.log()?.number_above(above);
        self.append(&mut held, &Record::Adopted(self.looked()))?;
        done.noted = true;
        Ok(done)
    }

    /// Takes the key of a record that another home made: from then on it is ours too. A record of our own is moved aside.
    pub fn adopt_key(&self, id: &str, key: [u8; 32]) -> Result<Adopting, NotAdopted> {
        self.may_change()?;
        let id = Id::parse(id).ok_or(NotAdopted::Gone)?;
        let key = Key(key);
        let beside = self.workspace.disk.beside_named(&id).map_err(failed)?;
        let beside = beside.ok_or(NotAdopted::Gone)?;
        let folder = self.workspace.disk.open_beside(&beside).map_err(failed)?;
        let foreign = Foreign::read(&self.workspace.disk, &folder).map_err(failed)?;
        let sealed = foreign.as_ref().is_some_and(|foreign| foreign.is_sealed_by(&Seal::new(id.clone(), &key)));
        if !sealed {
            return Err(NotAdopted::KeyDoesNotFit);
        }
        let held = self.take_lock(&self.waiting(&Quiet)).map_err(failed)?;
        if held.is_none() {
            return Err(self.busy().into());
        }
        self.workspace.disk.take_key(&id, &key).map_err(failed)?;
        let aside = self.workspace.disk.set_own_aside().map_err(failed)?;
        self.workspace.disk.look_for_record().map_err(failed)?;
        let records = foreign.map_or(0, |foreign| foreign.records.len() as u64);
        Ok(Adopting { taken: Some(id.to_string()), records, aside, ..Adopting::default() })
    }

    /// Does a path lie in the workspace?
    pub fn is_inside(&self, path: &Path) -> bool {
        self.workspace.disk.is_below_root(path)
    }

    /// The id and the key of this workspace's record, to be taken to another home; nothing if there is none yet.
    pub fn export_key(&self) -> Result<Option<(String, [u8; 32])>, Trouble> {
        let key = self.workspace.disk.export_key().map_err(failed)?;
        Ok(key.map(|(id, key)| (id.to_string(), key.0)))
    }

    fn looked(&self) -> Adopted {
        Adopted {
            time_ns: now_ns(),
            caller: self.caller("adopt", Sight::Seen),
            from: None,
            records: 0,
            head: None,
            proven: Proven::Nothing,
            unfinished: None,
            taken_back: TakenBack::No,
        }
    }
}

fn failed(halt: Halt) -> Trouble {
    broken(Task::Adopt, halt)
}

impl From<Trouble> for NotAdopted {
    fn from(trouble: Trouble) -> NotAdopted {
        NotAdopted::Trouble(Box::new(trouble))
    }
}

impl From<Refusal> for NotAdopted {
    fn from(refusal: Refusal) -> NotAdopted {
        Trouble::from(refusal).into()
    }
}

/// A call for people: its batch, and some of its paths.
fn named(intent: &Intent) -> (String, Vec<String>) {
    (intent.batch.clone(), intent.works.iter().take(SOME).map(|work| work.path.to_string()).collect())
}

fn described(foreign: &Foreign, beside: Beside, is_copy: bool) -> OtherRecord {
    let callers = || foreign.records.iter().filter_map(caller);
    let times: Vec<i64> = callers().map(|caller| caller.time_ns).collect();
    let clients: BTreeSet<String> = callers().map(|caller| caller.client.clone()).collect();
    let paths: BTreeSet<String> = foreign.records.iter().filter_map(commit).flat_map(paths_of).collect();
    let unfinished = match foreign.records.last() {
        Some(Record::Intent(intent)) => Some(named(intent)),
        _ => None,
    };
    OtherRecord {
        name: beside.id.as_ref().map_or_else(|| OLD.to_owned(), Id::to_string),
        path: beside.path.clone(),
        is_copy,
        records: foreign.records.len() as u64,
        times: times.first().copied().zip(times.last().copied()),
        clients: clients.into_iter().take(SOME).collect(),
        paths: (paths.len(), paths.into_iter().take(SOME).collect()),
        proposals: open_proposals(foreign),
        unfinished,
        beside,
    }
}

/// At most this many names of a kind are shown.
const SOME: usize = 10;

fn open_proposals(foreign: &Foreign) -> usize {
    let mut open = HashSet::new();
    for record in &foreign.records {
        match record {
            Record::Proposal(proposal) => drop(open.insert(proposal.commit.batch.as_str())),
            Record::Commit(commit) => drop(open.remove(commit.batch.as_str())),
            Record::Verdict(verdict) => drop(open.remove(verdict.batch.as_str())),
            _ => {}
        }
    }
    open.len()
}

fn caller(record: &Record) -> Option<&Caller> {
    match record {
        Record::Intent(intent) => Some(&intent.caller),
        Record::Commit(commit) => Some(&commit.caller),
        Record::Abort(abort) => Some(&abort.caller),
        Record::Note(note) => Some(&note.caller),
        Record::Purge(purge) => Some(&purge.caller),
        Record::Proposal(proposal) => Some(&proposal.commit.caller),
        Record::Verdict(verdict) => Some(&verdict.caller),
        _ => None,
    }
}

fn commit(record: &Record) -> Option<&Commit> {
    match record {
        Record::Commit(commit) => Some(commit),
        Record::Proposal(proposal) => Some(&proposal.commit),
        _ => None,
    }
}

fn paths_of(commit: &Commit) -> impl Iterator<Item = String> + '_ {
    commit.files.iter().map(|file| file.path.to_string())
}
