//! The tools that change files: what each wants, once it has looked.

use crate::beside::is_behind;
use crate::continuity::{LeftAs, Standing};
use crate::gather::{Depth, Gather, Links};
use crate::newline::{Ends, new_bytes};
use crate::prepare::{Kind, Prepared, Wish};
use crate::proof::{Claim, Present, Proven, same};
use crate::session::Session;
use crate::transaction::Prepare;
use crate::tree::{Expectations, no_hash};
use crate::turn::Turn;
use crate::watch::Watch;
use patchwright_core::digest::{Digest, DigestPrefix};
use patchwright_core::intent::{Content, Intent, Knows, Newline, Onto, Parents};
use patchwright_core::outcome::{Failed, Operation, Reply, Trouble};
use patchwright_core::path::RelPath;
use patchwright_core::plan::{Seen, SnapshotFile};
use patchwright_core::refusal::{Refusal, Why};
use patchwright_core::text::{Charset, is_binary};
use patchwright_core::tool::{Call, CreateFile, DeleteFile, Edit, EditFile, MoveFile, WriteFile};
use patchwright_core::warning::Warning;

impl Session {
    /// Makes a new file.
    pub fn create_file(&self, ask: &CreateFile, watch: &dyn Watch) -> Result<Reply, Failed> {
        let prepare: Prepare<'_> = &|gather, _| {
            let path = gather.see(&ask.path, Links::Keep, Depth::Hash)?;
            let (content, told) = match &ask.link_target {
                Some(target) => (Content::Link(target.clone()), self.check_link(gather, &path, target)?),
                None => {
                    let ends = Ends::default().give(self, &gather.real(&path), &ask.content, ask.newline);
                    (Content::Bytes(new_bytes(&path, &ends.text, ask.charset)?), ends.told)
                }
            };
            let intent = Intent::Create { path: path.clone(), content, onto: Onto::Nothing, parents: ask.parents };
            let (charset, executable, warnings) = (ask.charset, ask.executable, told.into_iter().collect());
            Ok(Prepared { charset, executable, warnings, ..Prepared::new(Operation::Create, path, intent) })
        };
        self.change(&Call::CreateFile(ask.clone()), watch, prepare)
    }

    /// Gives a file new content.
    pub fn write_file(&self, ask: &WriteFile, watch: &dyn Watch) -> Result<Reply, Failed> {
        let prepare: Prepare<'_> = &|gather, _| {
            let path = gather.see(&ask.path, Links::Follow, Depth::Bytes)?;
            if ask.newline == Newline::Preserve {
                is_text(gather, &path, ask.charset)?;
            }
            let proven = self.proven(gather, &path, Claim::expected(ask.expected))?;
            if ask.expected.is_none() && proven == Proven::Seen {
                self.all_shown(gather, &path, ask.charset)?;
            }
            let (text, newline, charset) = (ask.content.clone(), ask.newline, ask.charset);
            let intent = Intent::Write { path: path.clone(), text, newline, charset };
            let executable = ask.executable;
            Ok(Prepared { proven, charset, executable, ..Prepared::new(Operation::Update, path, intent) })
        };
        self.change(&Call::WriteFile(ask.clone()), watch, prepare)
    }

    /// Replaces exact texts in a file.
    pub fn edit_file(&self, ask: &EditFile, watch: &dyn Watch) -> Result<Reply, Failed> {
        let prepare: Prepare<'_> = &|gather, held| {
            let path = gather.see(&ask.path, Links::Follow, Depth::Bytes)?;
            is_text(gather, &path, ask.charset)?;
            let (proven, beside) = match self.proven(gather, &path, Claim::expected(ask.expected)) {
                Ok(proven) => (proven, None),
                Err(refused) if is_behind(&refused) => {
                    let beside = self.beside(held, gather, &path, ask).ok_or(refused)?;
                    (Proven::Seen, Some(beside))
                }
                Err(refused) => return Err(refused),
            };
            let intent = Intent::Edit { path: path.clone(), edits: ask.edits.clone(), charset: ask.charset };
            let (charset, executable) = (ask.charset, ask.executable);
            let warnings = beside.iter().map(|beside| beside.told.clone()).collect();
            Ok(Prepared {
                proven,
                charset,
                executable,
                warnings,
                beside,
                ..Prepared::new(Operation::Update, path, intent)
            })
        };
        self.change(&Call::EditFile(ask.clone()), watch, prepare)
    }

    /// Changes lines that anchors name.
    pub fn edit(&self, ask: &Edit, watch: &dyn Watch) -> Result<Reply, Failed> {
        let prepare: Prepare<'_> = &|gather, held| {
            let path = gather.see(&ask.path, Links::Follow, Depth::Bytes)?;
            let (knows, standing) = self.known(gather, held, &path, ask.expected)?;
            let (operations, safety, charset, last) =
                (ask.operations.clone(), ask.safety, ask.charset, ask.final_newline);
            let intent = Intent::Anchored { path: path.clone(), operations, safety, knows, charset, last };
            let mut warnings = Vec::new();
            if standing.left == LeftAs::Changed && ask.expected.is_none() {
                warnings.push(Warning::ChangedSinceSeen { path: path.to_string() });
            }
            let (kind, executable) = (Kind::Anchored { continuity: standing.continuity }, ask.executable);
            Ok(Prepared { charset, kind, executable, warnings, ..Prepared::new(Operation::Update, path, intent) })
        };
        self.change(&Call::Edit(ask.clone()), watch, prepare)
    }

    /// Moves a file or link into the trash.
    pub fn delete_file(&self, ask: &DeleteFile, watch: &dyn Watch) -> Result<Reply, Failed> {
        let prepare: Prepare<'_> = &|gather, _| {
            let mut expected = self.expected_map(&ask.expected_by_path)?;
            if let Some(path) = self.meets_folder(gather, &ask.path, ask.recursive)? {
                no_hash(ask.expected)?;
                return self.delete_tree(gather, &path, expected);
            }
            let path = gather.see(&ask.path, Links::Keep, Depth::Hash)?;
            let proven = self.proven_by_look(gather, &path, Claim::expected(ask.expected), &mut expected)?;
            self.check_neighbours(gather, &expected)?;
            let intent = Intent::Delete { path: path.clone() };
            Ok(Prepared { proven, ..Prepared::new(Operation::Delete, path, intent) })
        };
        self.change(&Call::DeleteFile(ask.clone()), watch, prepare)
    }

    /// Gives a file or link another name.
    pub fn move_file(&self, ask: &MoveFile, watch: &dyn Watch) -> Result<Reply, Failed> {
        let prepare: Prepare<'_> = &|gather, _| {
            let mut expected = self.expected_map(&ask.expected_by_path)?;
            if let Some(path) = self.meets_folder(gather, &ask.from, ask.recursive)? {
                no_hash(ask.expected)?;
                return self.move_tree(gather, &path, &ask.to, expected);
            }
            let from = gather.see(&ask.from, Links::Keep, Depth::Hash)?;
            let to = gather.see(&ask.to, Links::Keep, Depth::Hash)?;
            if from == to {
                return Err(Refusal::at(&from, Why::MoveOntoItself).into());
            }
            let mut proven = self.proven_by_look(gather, &from, Claim::expected(ask.expected), &mut expected)?;
            let replaced = matches!(gather.snapshot.seen(&to), Seen::File(_) | Seen::Link { .. });
            if replaced && ask.onto == Onto::Replace {
                let claim = Claim { given: ask.expected_target, argument: "expectedTargetSha256" };
                proven = proven.weaker(self.proven_by_look(gather, &to, claim, &mut expected)?);
            }
            self.check_neighbours(gather, &expected)?;
            let intent = Intent::Move {
                from: from.clone(),
                to: to.clone(),
                onto: ask.onto,
                parents: Parents::MustExist,
                hunks: Vec::new(),
                charset: None,
            };
            let wish = Wish { to: Some(to), ..Wish::new(Operation::Move, from.clone()) };
            Ok(Prepared { proven, wishes: vec![wish], ..Prepared::new(Operation::Move, from, intent) })
        };
        self.change(&Call::MoveFile(ask.clone()), watch, prepare)
    }

    /// What this session knows of a file whose anchors are the proof. A hash that was given must fit all the
    /// same.
    fn known(
        &self,
        gather: &Gather<'_>,
        held: &mut Turn<'_>,
        path: &RelPath,
        given: Option<DigestPrefix>,
    ) -> Result<(Knows, Standing), Trouble> {
        let seen = gather.snapshot.seen(path);
        if given.is_some() || seen.digest().is_none() {
            self.proven(gather, path, Claim::expected(given))?;
        }
        let (real, now) = (gather.real(path), seen.digest().unwrap_or(Digest::of(b"")));
        let knows = self.ledger().knows(&real, now);
        Ok((knows, self.standing(held, &real, now)))
    }

    /// The same for a call that needs no lines: a listing with hashes counts as a look, and so does what was said of
    /// the file by its path.
    fn proven_by_look(
        &self,
        gather: &Gather<'_>,
        path: &RelPath,
        claim: Claim,
        expected: &mut Expectations,
    ) -> Result<Proven, Trouble> {
        let seen = gather.snapshot.seen(path);
        let Some(there) = Present::of(&seen) else {
            return self.proven(gather, path, claim);
        };
        let said = expected.take(path);
        if let Some(value) = &said {
            same(path, value, &seen)?;
        }
        let given = claim.given.or_else(|| said.map(|_| there.digest.into()));
        let known = self.ledger().looked_at(&gather.real(path));
        Ok(Claim { given, ..claim }.prove(path, there, self.proof, known)?)
    }

    /// Checks the proof of sight for a file that is there; one that is not there is another refusal.
    fn proven(&self, gather: &Gather<'_>, path: &RelPath, claim: Claim) -> Result<Proven, Trouble> {
        let seen = gather.snapshot.seen(path);
        let Some(there) = Present::of(&seen) else {
            return match seen {
                Seen::Absent { .. } => Err(self.absent(path)),
                other => Err(other.not_a_file(path).into()),
            };
        };
        let real = gather.real(path);
        // An empty file has no lines to be shown: any look will do.
        let listed = (there.digest == Digest::of(b"")).then(|| self.ledger().looked_at(&real)).flatten();
        let known = listed.or_else(|| self.ledger().last_seen(&real));
        Ok(claim.prove(path, there, self.proof, known)?)
    }
}

/// Refuses a binary file before proof of sight is asked for: reading it would be refused as well.
fn is_text(gather: &Gather<'_>, path: &RelPath, charset: Option<Charset>) -> Result<(), Refusal> {
    let Seen::File(SnapshotFile { bytes: Some(bytes), .. }) = gather.snapshot.seen(path) else { return Ok(()) };
    if is_binary(&bytes, charset) { Err(Refusal::at(path, Why::Binary)) } else { Ok(()) }
}
