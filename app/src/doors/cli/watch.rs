//! CLI door: `watch`, what is done in the workspace as it is done, until somebody ends it. Nothing is made or changed, not
//! even where there is no record yet: then the first one is waited for.

mod line;

use super::args::{Reader, WatchArgs};
use super::output::Ports;
use super::stop::{Ending, Stop};
use super::{open_as, tell_damage};
use crate::doors::exit_code::Status;
use crate::doors::open::Opening;
use crate::report::people::{self, Happened, What};
use line::{Course, line};
use patchwright_engine::{
    Cursor, Event, EventKind, Follow, Mode, News, Presence, Quiet, Repair, Session, Since, Watch,
};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// After so long without news it is looked whether there is a record at all.
const PAUSE: Duration = Duration::from_millis(500);

pub(super) fn run(args: &WatchArgs, opening: &Opening, ports: &mut Ports<'_>) -> Ending {
    let mut since = since(args)?;
    let opening = Opening { mode: Mode::ReadOnly, ..opening.clone() };
    let end = Interrupted(ports.manner.interrupts.map(|listen| listen()));
    let mut session = open_as(&opening, Repair::WhenCalled)?;
    tell_damage(&session, ports)?;
    let mut show = Show::new(args, ports, opening.surroundings.now_ns);
    show.begin()?;
    loop {
        match show.round(&session, since, &end)? {
            Round::Over => return Ok(Status::Done),
            Round::NoRecord(cursor) => since = cursor.into(),
        }
        // A record may come to stand in another place than was looked at, or with another key.
        session = open_as(&opening, Repair::WhenCalled)?;
    }
}

/// Where to begin.
fn since(args: &WatchArgs) -> Result<Since, Stop> {
    let malformed = || Stop::usage("--since takes a cursor, which each line of `patchwright watch --json` has");
    let nothing = || Stop::usage("--once needs to know from where: --from-start, -n N or --since CURSOR");
    match &args.since {
        Some(given) => Cursor::parse(given).map(Since::Cursor).ok_or_else(malformed),
        None if args.from_start || args.limit.is_some() => Ok(Since::Start),
        None if args.once => Err(nothing()),
        None => Ok(Since::Now),
    }
}

/// Has somebody pressed Ctrl-C?
struct Interrupted(Option<Arc<AtomicBool>>);

impl Watch for Interrupted {
    fn cancelled(&self) -> bool {
        self.0.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

/// Why following one opening of the workspace ended.
enum Round {
    /// Somebody wants it to end, or everything was shown that is to be.
    Over,
    /// There is no record here, at least not where it was looked for.
    NoRecord(Cursor),
}

/// Shows events as they come.
struct Show<'a, 'p> {
    ports: &'a mut Ports<'p>,
    /// The last so many are shown first; nothing once they were.
    limit: Option<usize>,
    wait: Duration,
    course: Course,
    /// Was it said that there is no record?
    said: bool,
    /// The time to tell dates from, where it is not the present.
    now_ns: Option<i64>,
}

impl<'a, 'p> Show<'a, 'p> {
    fn new(args: &WatchArgs, ports: &'a mut Ports<'p>, now_ns: Option<i64>) -> Show<'a, 'p> {
        let limit = args.limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX));
        let wait = if args.once { Duration::ZERO } else { PAUSE };
        Show { ports, limit, wait, course: Course::Steady, said: false, now_ns }
    }

    /// Tells a person at a terminal how it ends: nothing else may show for long.
    fn begin(&mut self) -> Result<(), Stop> {
        if !self.wait.is_zero() && self.ports.reader() == Reader::Person {
            self.ports.hint("Watching; Ctrl-C ends")?;
        }
        Ok(self.ports.output.flush()?)
    }

    fn round(&mut self, session: &Session, since: Since, end: &Interrupted) -> Result<Round, Stop> {
        let mut follow = session.workspace().follow(since)?;
        if let Some(limit) = self.limit.take() {
            self.last(&mut follow, limit)?;
        }
        loop {
            let news = follow.next(self.wait, end)?;
            let nothing = matches!(news, News::Nothing(_));
            self.tell(&news, session)?;
            if end.cancelled() || (nothing && self.wait.is_zero()) {
                return Ok(Round::Over);
            }
            if news == News::Nothing(Presence::None) {
                return Ok(Round::NoRecord(follow.cursor()));
            }
        }
    }

    /// Shows the last so many that are on record.
    fn last(&mut self, follow: &mut Follow, limit: usize) -> Result<(), Stop> {
        let mut last: VecDeque<Box<Event>> = VecDeque::new();
        loop {
            match follow.next(Duration::ZERO, &Quiet)? {
                News::Event(event) => last.push_back(event),
                News::Nothing(_) => return last.iter().try_for_each(|event| self.event(event)),
                // Told by the command already.
                News::Damaged { .. } | News::Restarted => {}
            }
            if last.len() > limit {
                last.pop_front();
            }
        }
    }

    fn tell(&mut self, news: &News, session: &Session) -> Result<(), Stop> {
        match news {
            News::Event(event) => self.event(event)?,
            News::Restarted => {
                self.course = Course::Restarted;
                self.ports
                    .complain("patchwright: the record was made anew or put back; this goes on with what came since");
            }
            News::Damaged { sequence } => {
                let said = format!("patchwright: record {sequence} is damaged and passed over");
                self.ports.complain(&format!("{said}; `patchwright doctor` tells more"));
            }
            News::Nothing(Presence::None) if !self.said => self.no_record(session)?,
            News::Nothing(_) => {}
        }
        Ok(())
    }

    fn no_record(&mut self, session: &Session) -> Result<(), Stop> {
        self.said = true;
        let next = if self.wait.is_zero() { "" } else { "; waiting for the first change" };
        self.ports.complain(&format!("patchwright: nothing is on record here{next}"));
        if session.workspace().other_records()? > 0 {
            self.ports.complain(
                "patchwright: a record that is not known to be yours is not read; `patchwright adopt` shows it",
            );
        }
        Ok(())
    }

    /// One line, at once.
    fn event(&mut self, event: &Event) -> Result<(), Stop> {
        self.said = false;
        match self.ports.reader() {
            Reader::Program => {
                let course = std::mem::replace(&mut self.course, Course::Steady);
                self.ports.json(&line(event, course))?;
            }
            Reader::Person => {
                self.ports.manner.view.now_ns = self.now_ns.unwrap_or_else(patchwright_engine::now_ns);
                let text = people::event(&happened(event), self.ports.view());
                self.ports.put(&format!("{text}\n"))?;
            }
        }
        Ok(self.ports.output.flush()?)
    }
}

fn happened(event: &Event) -> Happened<'_> {
    let what = match (&event.kind, &event.batch) {
        (EventKind::Refusal { kind }, _) => What::Refused { kind, paths: &event.paths },
        (_, Some(batch)) => What::Batch(batch),
        (kind, None) => What::Refused { kind: kind.name(), paths: &event.paths },
    };
    Happened { by: &event.by, what, hidden: event.hidden }
}
