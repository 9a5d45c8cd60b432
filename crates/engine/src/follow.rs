//! Following the record: what is done in the workspace, as it is done, by whichever process.
//!
//! The log is read on from the last entry that was told; that read alone decides. The kernel's events only wake the
//! reader, who looks every so often without them, too. Nothing is made or written, and no writer is waited for: an entry
//! that is still being written is told once it is whole. Each event comes once and in order, until the record itself is
//! another one: then that is told first ([`News::Restarted`]).

mod cursor;
mod event;

pub use cursor::Cursor;
pub use event::{Event, EventKind, Ruling};

use crate::options::SessionOptions;
use crate::session::Session;
use crate::trouble::{Task, broken};
use crate::watch::Watch;
use crate::workspace::Workspace;
use event::event_of;
use patchwright_core::outcome::Trouble;
use patchwright_core::refusal::{Refusal, Why};
use patchwright_store::log::{Damage, Entry, Log, Met, START, Standing, Walk};
use patchwright_store::real::{Alarm, RealDisk, Woken};
use patchwright_store::records::{Point, Record};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// So many events are read ahead.
const AHEAD: usize = 256;
/// Whoever follows is asked so often whether to go on.
const ASKED: Duration = Duration::from_millis(250);

/// Where following begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Since {
    /// With the first entry of the record.
    Start,
    /// With what comes from now on.
    Now,
    /// Behind this place.
    Cursor(Cursor),
}

impl From<Cursor> for Since {
    fn from(cursor: Cursor) -> Since {
        Since::Cursor(cursor)
    }
}

/// What following brings.
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    /// Something happened.
    Event(Box<Event>),
    /// The record does not hold the place up to which it was followed: it was made anew, put back to an earlier state, or
    /// taken over from elsewhere. What follows are the events since then; where the record does not tell when that was,
    /// all that it holds.
    Restarted,
    /// An entry is damaged; it, and where nothing says where the next one stands, all up to now, is passed over.
    Damaged {
        /// The entry's number.
        sequence: u64,
    },
    /// Nothing came in time, or the caller has withdrawn.
    Nothing(Presence),
}

/// Is there a record to follow?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// Yes.
    Here,
    /// None of ours can be seen. One that is made in the same place will be; for one that came to stand elsewhere, or
    /// whose key is another one, the workspace has to be opened anew.
    None,
}

/// Follows the record of a workspace.
pub struct Follow {
    /// One of its own, to look by.
    session: Session,
    alarm: Alarm,
    /// The last entry that was read; nothing as long as that is yet to be found out.
    at: Option<Point>,
    presence: Presence,
    /// What was read and not yet told.
    ahead: VecDeque<News>,
    /// The last damaged entry that was told.
    damaged: u64,
    hold: Hold,
}

/// Does the record hold the last entry that was read?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hold {
    Holds,
    /// Not when it was last looked at, and that was told.
    Lost,
}

impl Workspace {
    /// Follows the record from a place on, across all processes that write it. Makes nothing, and waits for nobody.
    ///
    /// ```
    /// use patchwright_engine::core::tool::CreateFile;
    /// use patchwright_engine::{HomeAt, News, Options, Quiet, SessionOptions, Since, Workspace};
    /// use std::time::Duration;
    ///
    /// let (folder, home) = (tempfile::tempdir()?, tempfile::tempdir()?);
    /// let options = Options { home: HomeAt::Folder(home.path().to_owned()), ..Options::default() };
    /// let workspace = Workspace::open(folder.path(), options).unwrap();
    /// let mut follow = workspace.follow(Since::Now).unwrap();
    /// let session = workspace.session(SessionOptions::default());
    /// session.create_file(&CreateFile::new("hello.txt", "Hello\n"), &Quiet).unwrap();
    /// let News::Event(event) = follow.next(Duration::from_secs(60), &Quiet).unwrap() else { panic!() };
    /// assert_eq!((event.kind.name(), event.paths), ("batch", vec!["hello.txt".to_owned()]));
    /// # std::io::Result::Ok(())
    /// ```
    pub fn follow(self: &Arc<Self>, since: impl Into<Since>) -> Result<Follow, Trouble> {
        let since = since.into();
        let at = match since {
            Since::Start => Some(START),
            Since::Now => None,
            Since::Cursor(cursor) => Some(cursor.point()),
        };
        let mut follow = Follow {
            session: self.session(SessionOptions::default()),
            alarm: Alarm::default(),
            at,
            presence: Presence::None,
            ahead: VecDeque::new(),
            damaged: 0,
            hold: Hold::Holds,
        };
        if since == Since::Now {
            follow.begin_here()?;
        }
        Ok(follow)
    }
}

impl Workspace {
    /// How many records stand here that are not known to be ours. They are neither followed nor opened.
    pub fn other_records(&self) -> Result<usize, Trouble> {
        Ok(self.disk.beside().map_err(|halt| broken(Task::State, halt))?.len())
    }
}

impl Follow {
    /// The same without the kernel's events: looks every so often, and tells the same.
    pub fn by_polling(self) -> Self {
        Follow { alarm: Alarm::polling(), ..self }
    }

    /// The place up to which everything was read; what [`Follow::next`] has not handed out yet is before it.
    pub fn cursor(&self) -> Cursor {
        Cursor::new(self.at.unwrap_or(START))
    }

    /// The next thing that happens, waiting for it so long at most; with no time at all, what is on record already.
    /// `watch` is asked several times a second whether to go on.
    pub fn next(&mut self, wait: Duration, watch: &dyn Watch) -> Result<News, Trouble> {
        let end = Instant::now().checked_add(wait);
        loop {
            if let Some(news) = self.ahead.pop_front() {
                return Ok(news);
            }
            self.look()?;
            if self.ahead.is_empty() && self.rest(end, watch) == Rest::Over {
                return Ok(News::Nothing(self.presence));
            }
        }
    }

    /// Waits until it is time to look again.
    fn rest(&self, end: Option<Instant>, watch: &dyn Watch) -> Rest {
        let begun = Instant::now();
        loop {
            let passed = begun.elapsed();
            let left = end.map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()));
            if left.is_zero() || watch.cancelled() {
                return Rest::Over;
            }
            let Some(pause) = self.alarm.period().checked_sub(passed).filter(|pause| !pause.is_zero()) else {
                return Rest::LookAgain;
            };
            if self.alarm.wait(pause.min(left).min(ASKED)) == Woken::ByEvent {
                return Rest::LookAgain;
            }
        }
    }

    /// What is on record by now was before.
    fn begin_here(&mut self) -> Result<(), Trouble> {
        let last = self.log()?.map_or(START, |log| log.last_point());
        self.at = Some(last);
        Ok(())
    }

    /// Reads on. What cannot be read may have been written or put back at this very moment: it is looked at twice.
    fn look(&mut self) -> Result<(), Trouble> {
        self.alarm.arm(&self.session.workspace.disk);
        if self.read(Doubt::Open)? == Reached::Damage {
            self.read(Doubt::Settled)?;
        }
        Ok(())
    }

    fn read(&mut self, doubt: Doubt) -> Result<Reached, Trouble> {
        let Some(log) = self.log()? else { return Ok(Reached::End) };
        let Some(at) = self.place_in(&log)? else { return Ok(Reached::End) };
        (self.at, self.hold) = (Some(at), Hold::Holds);
        let mut reached = Reached::End;
        let workspace = Arc::clone(self.session.workspace());
        let walked = log.entries_after(&workspace.disk, at, &mut |met| {
            match met {
                Met::Entry(entry) => self.take(&entry),
                Met::Damage(damage) if damage.sequence <= self.damaged => self.pass(damage, &log),
                Met::Damage(_) if doubt == Doubt::Open => {
                    reached = Reached::Damage;
                    return Walk::Stop;
                }
                Met::Damage(damage) => {
                    self.damaged = damage.sequence;
                    self.ahead.push_back(News::Damaged { sequence: damage.sequence });
                    self.pass(damage, &log);
                }
            }
            if self.ahead.len() < AHEAD { Walk::On } else { Walk::Stop }
        });
        walked.map_err(|halt| broken(Task::Log, halt))?;
        Ok(reached)
    }

    fn take(&mut self, entry: &Entry) {
        self.at = Some(entry.point());
        self.ahead.extend(event_of(&self.session, entry).map(|event| News::Event(Box::new(event))));
    }

    /// Goes on behind damage. Where nothing says where that is, at the end.
    fn pass(&mut self, damage: Damage, log: &Log<RealDisk>) {
        if damage.is_all_behind() {
            self.at = Some(log.last_point());
        }
    }

    /// The log as it stands, if there is one of ours.
    fn log(&mut self) -> Result<Option<Log<RealDisk>>, Trouble> {
        let log = match self.session.log_to_read() {
            // The record was put aside, and its key with it.
            Err(Trouble::Refused(Refusal { why: Why::KeyGone, .. })) => None,
            found => found?,
        };
        self.presence = if log.is_some() { Presence::Here } else { Presence::None };
        Ok(log)
    }

    /// The last entry that was read, if the log holds it; else where to go on. Nothing as long as the log is one that was
    /// put back and that nobody has gone on with: it may be put back only by and by, and holds nothing new.
    fn place_in(&mut self, log: &Log<RealDisk>) -> Result<Option<Point>, Trouble> {
        let at = self.at.unwrap_or(START);
        if log.has(&self.session.workspace.disk, at).map_err(|halt| broken(Task::Log, halt))? {
            return Ok(Some(at));
        }
        if self.hold == Hold::Holds {
            (self.hold, self.damaged) = (Hold::Lost, 0);
            self.ahead.push_back(News::Restarted);
        }
        match log.standing() {
            Standing::PutBack { .. } => Ok(None),
            // The machine was started anew, and nobody has written since.
            Standing::TailLost { .. } => Ok(Some(log.last_point())),
            Standing::Current => self.place_after_break(log, at).map(Some),
        }
    }

    /// Where a log goes on that broke with what was known of it: what stands before is no news to whoever had come further.
    /// A log that does not say so is another one altogether, and all of it is news.
    fn place_after_break(&self, log: &Log<RealDisk>, lost: Point) -> Result<Point, Trouble> {
        let (mut sure, mut likely, mut last) = (None, None, START);
        let walked = log.entries_after(&self.session.workspace.disk, START, &mut |met| {
            let Met::Entry(entry) = met else { return Walk::On };
            match &entry.record {
                Record::Resumed(resumed) if resumed.found.sequence < lost.sequence => {
                    // What was known may lag behind what could be read already.
                    likely = Some(last);
                    if resumed.known.is_none_or(|known| known.sequence >= lost.sequence) {
                        sure = Some(last);
                    }
                }
                Record::Adopted(adopted) if adopted.from.is_some() => sure = Some(entry.point()),
                _ => {}
            }
            last = entry.point();
            Walk::On
        });
        walked.map_err(|halt| broken(Task::Log, halt))?;
        Ok(sure.or(likely).unwrap_or(START))
    }
}

/// How a rest ended.
#[derive(PartialEq, Eq)]
enum Rest {
    LookAgain,
    Over,
}

/// May what cannot be read be in the midst of being written?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Doubt {
    Open,
    Settled,
}

/// How far reading came.
#[derive(PartialEq, Eq)]
enum Reached {
    End,
    Damage,
}
