//! Following the record: what is done in a workspace, as it is done, by whichever process.

use crate::cancel::CancelToken;
use crate::error::{Error, ErrorKind};
use crate::history::Batch;
use crate::ids::Author;
use crate::workspace::Workspace;
use patchwright_engine as engine;
use patchwright_engine::Watch;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

impl Workspace {
    /// Follows the record from a place on: what every session of every process changes, proposes or is refused. Makes
    /// nothing, and waits for no writer.
    ///
    /// ```
    /// # let (folder, home) = (tempfile::tempdir()?, tempfile::tempdir()?);
    /// # let workspace = patchwright_lib::Workspace::options().home(home.path()).open(folder.path())?;
    /// use patchwright_lib::{EventKind, News, Since};
    /// use std::time::Duration;
    ///
    /// let mut follow = workspace.follow(Since::Now)?;
    /// workspace.session("docs").create("a.txt", "one\n").plan()?.commit()?;
    /// let Some(News::Event(event)) = follow.next(Duration::from_secs(60))? else { panic!("nothing came") };
    /// assert_eq!((event.kind, event.paths), (EventKind::Changed, vec!["a.txt".to_owned()]));
    ///
    /// // A cursor is a text that can be kept, by which another process goes on later.
    /// let kept = follow.cursor().to_string();
    /// let mut later = workspace.follow(Since::Cursor(kept.parse()?))?;
    /// assert_eq!(later.next(Duration::ZERO)?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn follow(&self, since: impl Into<Since>) -> Result<Follow, Error> {
        let since = match since.into() {
            Since::Start => engine::Since::Start,
            Since::Now => engine::Since::Now,
            Since::Cursor(cursor) => engine::Since::Cursor(cursor.place),
        };
        let engine = self.engine.follow(since).map_err(Error::of_trouble)?;
        let told = Cursor { place: engine.cursor() };
        Ok(Follow { engine, told, cancel: None })
    }
}

/// Follows the record of a workspace; see [`Workspace::follow`]. Each event comes once and in order.
#[must_use = "nothing is read until `next` is called"]
pub struct Follow {
    engine: engine::Follow,
    /// Behind the last event that was handed out.
    told: Cursor,
    cancel: Option<CancelToken>,
}

impl Follow {
    /// The same, whose waiting the token ends.
    pub fn cancel_with(self, token: &CancelToken) -> Follow {
        Follow { cancel: Some(token.clone()), ..self }
    }

    /// The next thing that happens, waiting for it so long at most; with [`Duration::ZERO`], what is on record already.
    /// `None` if nothing came in time, or the waiting was called off.
    pub fn next(&mut self, wait: Duration) -> Result<Option<News>, Error> {
        let waiting = Waiting(self.cancel.as_ref());
        Ok(match self.engine.next(wait, &waiting).map_err(Error::of_trouble)? {
            engine::News::Event(event) => {
                let event = Event::of(*event);
                self.told = event.cursor;
                Some(News::Event(Box::new(event)))
            }
            engine::News::Restarted => Some(News::Restarted),
            engine::News::Damaged { sequence } => Some(News::Damaged { entry: sequence }),
            engine::News::Nothing(_) => None,
        })
    }

    /// The place behind the last event that was handed out, or where following began: from there on another
    /// [`Workspace::follow`] misses nothing.
    pub fn cursor(&self) -> Cursor {
        self.told
    }
}

impl fmt::Debug for Follow {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Follow").field("cursor", &self.told).finish_non_exhaustive()
    }
}

struct Waiting<'a>(Option<&'a CancelToken>);

impl Watch for Waiting<'_> {
    fn cancelled(&self) -> bool {
        self.0.is_some_and(CancelToken::is_cancelled)
    }
}

/// Where following begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
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

/// A place in the record, behind one of its entries. It prints as a text, and parses from it; what the text says is no
/// concern of whoever keeps it. Any other text is [`ErrorKind::InvalidArguments`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    place: engine::Cursor,
}

impl fmt::Display for Cursor {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.place.fmt(out)
    }
}

impl FromStr for Cursor {
    type Err = Error;

    fn from_str(text: &str) -> Result<Cursor, Error> {
        let place = engine::Cursor::parse(text).ok_or_else(|| Error::invalid("the text is not a cursor"))?;
        Ok(Cursor { place })
    }
}

/// What following brings.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum News {
    /// Something happened.
    Event(Box<Event>),
    /// The record does not hold the place up to which it was followed: it was made anew, put back to an earlier state, or
    /// taken over from elsewhere. The events since then follow; where the record does not tell when that was, all that it
    /// holds.
    Restarted,
    /// An entry of the record is damaged, and passed over; where nothing says where the next one stands, so is everything
    /// up to now.
    Damaged {
        /// The entry's number.
        entry: u64,
    },
}

/// Something that happened in a workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Event {
    /// The place behind it: [`Since::Cursor`] brings what came later.
    pub cursor: Cursor,
    /// What happened.
    pub kind: EventKind,
    /// The name of the tool that was called, such as `edit_file`.
    pub tool: String,
    /// Who called it, and when. Of a proposal that is carried out, whoever accepted it.
    pub author: Author,
    /// The batch that was made, proposed or decided about, as it stood then; `None` for a refusal.
    pub batch: Option<Batch>,
    /// The files that it is about, under all their names. What a refused call named stands as its caller spelt it.
    pub paths: Vec<String>,
    /// How many more files it is about that may not be read.
    pub hidden: usize,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EventKind {
    /// Files were changed, or trash was purged. An undo is one, and so is a proposal that is carried out. A patch that
    /// is applied section by section is an event for each section, all of one batch.
    Changed,
    /// A call changed nothing: it was refused, or failed and was taken back.
    Refused {
        /// Why; `None` for a kind that this version does not know.
        kind: Option<ErrorKind>,
    },
    /// A change was stored for review.
    Proposed,
    /// A proposal was dropped.
    Rejected,
    /// A proposal was found not to fit its files any more.
    Conflicted,
    /// Something that this version has no name for.
    Other,
}

impl Event {
    fn of(event: engine::Event) -> Event {
        Event {
            cursor: Cursor { place: event.cursor },
            kind: EventKind::of(&event.kind),
            tool: event.tool,
            author: Author::of(event.by),
            batch: event.batch.map(|batch| Batch::of(*batch)),
            paths: event.paths,
            hidden: event.hidden,
        }
    }
}

impl EventKind {
    fn of(kind: &engine::EventKind) -> EventKind {
        match kind {
            engine::EventKind::Batch => EventKind::Changed,
            engine::EventKind::Proposal => EventKind::Proposed,
            engine::EventKind::Verdict(engine::Ruling::Rejected) => EventKind::Rejected,
            engine::EventKind::Verdict(engine::Ruling::Conflicted) => EventKind::Conflicted,
            engine::EventKind::Refusal { kind } => EventKind::Refused { kind: ErrorKind::named(kind) },
            _ => EventKind::Other,
        }
    }
}
