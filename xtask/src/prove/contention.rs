//! Eight processes in one workspace, each in a file of its own, while some of them are stopped, resumed and killed.
//!
//! Two stages. In the first only processes that wait for their turn are stopped, and any may be killed: the others go
//! on as if nothing had happened. In the second the process that holds the writer's lock is stopped: the others are
//! told so when the lock's limit is over, and go on as soon as it does, or is killed. In both no answered edit is lost
//! or done twice. Who holds the lock, the kernel says; it is asked while the process stands still.

mod board;
mod judge;
mod process;
mod stage;
mod tally;
mod writer;

use super::caller;
use super::findings::{Findings, Violation};
use super::setting::Setting;
use super::workload;
use crate::failure::Failure;
use board::Board;
use judge::{Busy, Rules};
use stage::{Disturbed, Stage};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tally::Tally;
use writer::{BEGIN, END, Work, Writer};

const WRITERS: usize = 8;

/// Which processes are stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Waiters,
    Holder,
}

const PARTS: [Part; 2] = [Part::Waiters, Part::Holder];

pub(crate) fn run(setting: &Setting, findings: &mut Findings) -> Result<(), Failure> {
    let mut tallies = PARTS.map(|_| Tally::default());
    let ended = rounds(setting, findings, &mut tallies);
    findings.figures.extend(PARTS.iter().zip(&tallies).flat_map(|(part, tally)| tally.lines(&format!("{part:?}"))));
    ended
}

fn rounds(setting: &Setting, findings: &mut Findings, tallies: &mut [Tally]) -> Result<(), Failure> {
    for round in 0_usize.. {
        for (part, tally) in PARTS.into_iter().zip(&mut *tallies) {
            if setting.goes_on(findings) {
                findings.add(play(setting, round, part, tally)?);
            }
        }
        if round.saturating_add(1) >= setting.sized(1, usize::MAX) || !setting.goes_on(findings) {
            break;
        }
    }
    Ok(())
}

/// One part of a round, from a fresh workspace to the account.
fn play(setting: &Setting, round: usize, part: Part, tally: &mut Tally) -> Result<Findings, Failure> {
    let root = lay_out(setting, part)?;
    let board = Board::new(WRITERS);
    let (works, disturbed) = std::thread::scope(|scope| {
        let writer = |number| Writer { setting, root: &root, board: &board, number };
        let writers: Vec<_> = (0..WRITERS).map(|number| scope.spawn(move || writer(number).work())).collect();
        let dice = setting.dice(&format!("contention {round} {part:?}"));
        let disturbed = Stage { board: &board, root: &root, dice }.play(part, setting);
        board.close();
        let gave_up = |_| Work { wrong: Some("a writer gave up".to_owned()), ..Work::default() };
        let works: Vec<Work> = writers.into_iter().map(|thread| thread.join().unwrap_or_else(gave_up)).collect();
        (works, disturbed)
    });
    tally.add(&works, &disturbed);
    let mut broken: Vec<String> = disturbed.wrong.iter().cloned().collect();
    broken.extend(works.iter().filter_map(|work| work.wrong.clone()));
    broken.extend(account(&root, &works, &part.rules(&disturbed))?);
    broken.extend(caller::verified(setting, &root).err());
    let violation = |what: String| Violation {
        found: workload::read(&root).ok(),
        more: vec![("log".to_owned(), crate::home::log(&root))],
        ..Violation::new(format!("{part:?}, round {round}: {what}"))
    };
    Ok(Findings {
        trials: u64::try_from(works.iter().map(|work| work.calls.len()).sum::<usize>()).unwrap_or(u64::MAX),
        violations: broken.into_iter().map(violation).collect(),
        ..Findings::default()
    })
}

fn lay_out(setting: &Setting, part: Part) -> Result<PathBuf, Failure> {
    let root = setting.scratch().join("contention");
    workload::remove(&root)?;
    let failed = |error: std::io::Error| Failure::io(root.display(), &error);
    std::fs::create_dir_all(&root).map_err(failed)?;
    for writer in 0..WRITERS {
        std::fs::write(root.join(writer::file(writer)), format!("{BEGIN}\n{END}\n")).map_err(failed)?;
    }
    if part == Part::Holder {
        let settings = format!("[limits]\nlock_wait_ms = {}\n", part.limit().as_millis());
        std::fs::write(root.join("patchwright.toml"), settings).map_err(failed)?;
    }
    Ok(root)
}

/// All that is wrong with the calls and the files.
fn account(root: &Path, works: &[Work], rules: &Rules<'_>) -> Result<Vec<String>, Failure> {
    let found = workload::read(root)?;
    let mut broken: Vec<String> = found.litter().iter().map(|name| format!("litter: {name}")).collect();
    for (writer, work) in works.iter().enumerate() {
        broken.extend(rules.broken(writer, &work.calls));
        let file = writer::file(writer);
        let text = String::from_utf8_lossy(found.bytes(&file).unwrap_or_default()).into_owned();
        broken.extend(judge::misplaced(&work.lines, &text).map(|what| format!("{file}: {what}")));
    }
    Ok(broken)
}

impl Part {
    /// The lock's limit. Short where a holder is stopped: somebody waits for all of it each time.
    fn limit(self) -> Duration {
        match self {
            Part::Waiters => Duration::from_secs(10),
            Part::Holder => Duration::from_secs(1),
        }
    }

    fn rules(self, disturbed: &Disturbed) -> Rules<'_> {
        let busy = match self {
            Part::Waiters => Busy::Never,
            Part::Holder => Busy::Allowed,
        };
        Rules { stops: &disturbed.stops, limit: self.limit(), busy }
    }
}
