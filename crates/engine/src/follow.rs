//! Following the record: what is done in the workspace, as it is done, by whichever process.
//!
//! The log is read on from the last entry that was told; that read alone decides. The kernel's events only wake the
//! reader, who looks every so often without them, too. Nothing is made or written, and no writer is waited for: an entry
//! that is still being written is told once it is whole. Each event comes once and in order, until the record itself is
//! another one: then that is told first ([`News::Restarted`]).

mod breaks;
mod cursor;
mod event;
mod news;

pub use cursor::Cursor;
pub use event::{Event, EventKind, Ruling};
pub use news::{News, Presence, Since};

use crate::options::SessionOptions;
use crate::session::Session;
use crate::trouble::{Task, broken};
use crate::watch::Watch;
use crate::workspace::Workspace;
use breaks::after_break;
use event::event_of;
use patchwright_core::outcome::Trouble;
use patchwright_core::refusal::{Refusal, Why};
use patchwright_store::log::{Damage, Entry, Log, Met, START, Standing, Walk};
use patchwright_store::real::{Alarm, RealDisk, Woken};
use patchwright_store::records::Point;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// So many events are read ahead.
const AHEAD: usize = 256;
/// Whoever follows is asked so often whether to go on.
const ASKED: Duration = Duration::from_millis(250);

/// Follows the record of a workspace.
pub struct Follow {
    /// One of its own, to look by.
    session: Session,
    alarm: Alarm,
    /// The last entry that was read.
    at: Point,
    presence: Presence,
    /// What was read and not yet told.
    ahead: VecDeque<News>,
    /// The last damaged entry that was told.
    damaged: u64,
    hold: Hold,
    open: Open,
}

/// The log as it was opened last.
#[allow(clippy::large_enum_variant, reason = "there is one of it, and it is not moved about")]
enum Open {
    /// Nothing is known of it.
    Not,
    /// It was read to its end, or holds nothing to read.
    Read(Log<RealDisk>),
    /// There is more to read in it.
    Partly(Log<RealDisk>),
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
        let session = self.session(SessionOptions::default());
        let at = match since.into() {
            Since::Start => START,
            // What is on record by now was before.
            Since::Now => followable(&session)?.map_or(START, |log| log.last_point()),
            Since::Cursor(cursor) => cursor.point(),
        };
        Ok(Follow {
            session,
            alarm: Alarm::default(),
            at,
            presence: Presence::None,
            ahead: VecDeque::new(),
            damaged: 0,
            hold: Hold::Holds,
            open: Open::Not,
        })
    }

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
        Cursor::new(self.at)
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

    /// Reads on. What cannot be read may have been written or put back at this very moment: it is looked at twice.
    fn look(&mut self) -> Result<(), Trouble> {
        self.alarm.arm(&self.session.workspace.disk);
        if self.read(Doubt::Open)? == Reached::Damage {
            self.read(Doubt::Settled)?;
        }
        Ok(())
    }

    fn read(&mut self, doubt: Doubt) -> Result<Reached, Trouble> {
        let Some(log) = self.log_with_news()? else { return Ok(Reached::End) };
        let Some(at) = self.place_in(&log)? else {
            self.open = Open::Read(log);
            return Ok(Reached::End);
        };
        (self.at, self.hold) = (at, Hold::Holds);
        let reached = self.read_from(&log, at, doubt)?;
        match reached {
            Reached::End => self.open = Open::Read(log),
            Reached::Enough => self.open = Open::Partly(log),
            Reached::Damage => {}
        }
        Ok(reached)
    }

    fn read_from(&mut self, log: &Log<RealDisk>, at: Point, doubt: Doubt) -> Result<Reached, Trouble> {
        let mut reached = Reached::End;
        let workspace = Arc::clone(self.session.workspace());
        let disk = &workspace.disk;
        let walked = log.entries_after(disk, at, &mut |met| {
            match met {
                Met::Entry(entry) => self.take(&entry),
                Met::Damage(damage) if damage.sequence <= self.damaged => self.pass(damage, log),
                Met::Damage(_) if doubt == Doubt::Open => {
                    reached = Reached::Damage;
                    return Walk::Stop;
                }
                Met::Damage(damage) => {
                    self.damaged = damage.sequence;
                    self.ahead.push_back(News::Damaged { sequence: damage.sequence });
                    self.pass(damage, log);
                }
            }
            if self.ahead.len() < AHEAD {
                return Walk::On;
            }
            reached = Reached::Enough;
            Walk::Stop
        });
        walked.map_err(|halt| broken(Task::Log, halt))?;
        Ok(reached)
    }

    fn take(&mut self, entry: &Entry) {
        self.at = entry.point();
        self.ahead.extend(event_of(&self.session, entry).map(|event| News::Event(Box::new(event))));
    }

    /// Goes on behind damage. Where nothing says where that is, at the end.
    fn pass(&mut self, damage: Damage, log: &Log<RealDisk>) {
        if damage.is_all_behind() {
            self.at = log.last_point();
        }
    }

    /// The log, if there is one of ours and there may be something to read in it. A log that was put back is read from its
    /// start whenever it is opened: as long as nothing happens to it, it is not.
    fn log_with_news(&mut self) -> Result<Option<Log<RealDisk>>, Trouble> {
        let workspace = Arc::clone(self.session.workspace());
        let disk = &workspace.disk;
        match std::mem::replace(&mut self.open, Open::Not) {
            Open::Partly(log) => return Ok(Some(log)),
            Open::Read(log) if disk.key_stands().unwrap_or(false) && log.is_as_opened(disk).unwrap_or(false) => {
                self.open = Open::Read(log);
                return Ok(None);
            }
            Open::Read(_) | Open::Not => {}
        }
        let log = followable(&self.session)?;
        self.presence = if log.is_some() { Presence::Here } else { Presence::None };
        Ok(log)
    }

    /// The last entry that was read, if the log holds it; else where to go on. Nothing as long as the log is one that was
    /// put back and that nobody has gone on with: it may be put back only by and by, and holds nothing new.
    fn place_in(&mut self, log: &Log<RealDisk>) -> Result<Option<Point>, Trouble> {
        let failed = |halt| broken(Task::Log, halt);
        let at = self.at;
        if log.has(&self.session.workspace.disk, at).map_err(failed)? {
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
            Standing::Current => after_break(&self.session.workspace.disk, log, at).map(Some).map_err(failed),
        }
    }
}

/// The log as it stands, if there is one of ours.
fn followable(session: &Session) -> Result<Option<Log<RealDisk>>, Trouble> {
    match session.log_to_read() {
        // The record was put aside, and its key with it.
        Err(Trouble::Refused(Refusal { why: Why::KeyGone, .. })) => Ok(None),
        found => found,
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
    /// So much was read as may be read ahead.
    Enough,
    Damage,
}
