//! The mistake benchmark: real edits, written down in every dialect as a model would, with one typical slip each.
//!
//! Promises that whatever our tools do with such a call is right, or refused and nothing changed. Wrong without a
//! word is a violation wherever the slip can be told: wherever the call, taken word for word, does not say just
//! what was done. The rest is counted apart. Our own tools run through the library, a sample of the calls through
//! the binary, and a sample through other people's tools, for comparison.

mod anchored;
mod ask;
pub(super) mod beside;
mod binary;
mod case;
mod draft;
mod garble;
mod judge;
mod literal;
mod odd;
mod ours;
mod peers;
mod sample;
mod scopes;
mod slip;
mod source;
mod tally;
mod text;
mod write;

use super::findings::{Findings, Violation};
use super::setting::{Length, Setting};
use crate::failure::Failure;
use ask::Dialect;
use binary::Binary;
use case::{Case, Clean, Door};
use judge::{Told, Tried, Verdict, judge};
use ours::Ours;
use patchwright_testkit::dice::Dice;
use patchwright_testkit::tree::{Item, Tree};
use peers::{Known, Peers};
use sample::Sample;
use slip::SLIPS;
use source::Source;
use std::sync::atomic::{AtomicUsize, Ordering};
use tally::{Detail, Tally, Tool};

/// So many units a short run tries.
const SHORT_UNITS: usize = 10;
/// So many edits are cut out of a step.
const SAMPLES: usize = 2;
/// One edit of so many is written in odd shapes, too; in a short run one of fewer.
const ODD: usize = 20;
const ODD_SHORT: usize = 10;
/// A session ends after so many edits, for its record grows.
const SESSION: usize = 12;

pub(crate) fn run(setting: &Setting, findings: &mut Findings) -> Result<(), Failure> {
    let source = Source::of(setting)?;
    let known = Known::of(setting)?;
    let next = AtomicUsize::new(0);
    let hands = std::thread::available_parallelism().map_or(1, usize::from);
    let results: Vec<Result<(Findings, Tally), Failure>> = std::thread::scope(|scope| {
        let work = || Worker::new(setting, &source, &known)?.work(&next);
        let hands: Vec<_> = (0..hands).map(|_| scope.spawn(work)).collect();
        let died = || Failure::new("a worker panicked", "see its message above");
        hands.into_iter().map(|hand| hand.join().unwrap_or_else(|_| Err(died()))).collect()
    });
    let (mut tally, mut ended) = (Tally::default(), Ok(()));
    for result in results {
        match result {
            Ok((found, counted)) => {
                findings.add(found);
                tally.add(counted);
            }
            Err(failure) => ended = Err(failure),
        }
    }
    findings.figures.push(format!("{} calls of ours with a slip; {}", tally.faulted(), source.told));
    findings.figures.extend(known.absent.iter().map(|absent| format!("not compared: {absent}")));
    findings.figures.extend(tally.lines(setting.sized(Detail::Tools, Detail::Slips)));
    if setting.length != Length::Short {
        findings.figures.extend(tally.markdown(&known.versions));
    }
    ended
}

/// One of those who work through the units.
struct Worker<'a> {
    setting: &'a Setting,
    source: &'a Source,
    ours: Ours,
    binary: Binary,
    peers: Peers,
    /// Edits tried in this session.
    tried: usize,
    findings: Findings,
    tally: Tally,
}

impl<'a> Worker<'a> {
    fn new(setting: &'a Setting, source: &'a Source, known: &Known) -> Result<Worker<'a>, Failure> {
        Ok(Worker {
            setting,
            source,
            ours: Ours::open()?,
            binary: Binary::of(setting.binary.clone())?,
            peers: known.open()?,
            tried: 0,
            findings: Findings::default(),
            tally: Tally::default(),
        })
    }

    fn work(mut self, next: &AtomicUsize) -> Result<(Findings, Tally), Failure> {
        while self.setting.goes_on(&self.findings) {
            let turn = next.fetch_add(1, Ordering::Relaxed);
            if turn >= self.setting.sized(SHORT_UNITS, usize::MAX) || self.source.units() == 0 {
                break;
            }
            let mut dice = self.setting.dice(&format!("turn {turn}"));
            for step in self.source.unit(turn % self.source.units(), &mut dice)? {
                for sample in step.samples(SAMPLES, &mut dice) {
                    if self.setting.goes_on(&self.findings) {
                        self.sample(&sample, &mut dice)?;
                    }
                }
            }
        }
        Ok((self.findings, self.tally))
    }

    /// Tries an edit in every dialect with every slip.
    fn sample(&mut self, sample: &Sample, dice: &mut Dice) -> Result<(), Failure> {
        self.tried += 1;
        if self.tried.is_multiple_of(SESSION) {
            self.ours = Ours::open()?;
        }
        // What others are shown, and the binary, follows from the throw alone.
        let (others, whole) = (dice.below(self.setting.sized(12, 5)) == 0, dice.below(40) == 0);
        let oddly = self.tried.is_multiple_of(self.setting.sized(ODD_SHORT, ODD));
        for dialect in Dialect::OURS.into_iter().chain(others.then_some(Dialect::Unified)) {
            let mut dice = Dice::new(dice.throw());
            let path = format!("c{}/{}", self.findings.trials, sample.file);
            let Some(clean) = Clean::of(sample, dialect, &path, &mut dice) else { continue };
            for slip in SLIPS.iter().filter(|slip| slip.speaks(dialect)) {
                let Some(case) = clean.with(*slip, &mut dice) else { continue };
                self.own(&case)?;
                if whole && dialect != Dialect::Unified {
                    self.by_binary(case.clone().proving())?;
                }
                if oddly && dialect != Dialect::Unified {
                    self.oddly(&case.clone().proving(), &mut dice)?;
                }
                if others {
                    self.compare(&case)?;
                }
            }
        }
        Ok(())
    }

    fn own(&mut self, case: &Case) -> Result<(), Failure> {
        if case.dialect != Dialect::Unified
            && let Some(tried) = self.ours.attempt(case)?
        {
            let verdict = judge(case, &tried, Door::Session);
            self.tally.note(Tool::Ours(case.dialect.name()), case.slip, verdict);
            self.findings.note(held(case, &tried, verdict, "library").map_or(Ok(()), Err));
        }
        Ok(())
    }

    fn by_binary(&mut self, case: Case) -> Result<(), Failure> {
        let Some(tried) = self.binary.attempt(&case)? else { return Ok(()) };
        let verdict = match &tried.told {
            Told::Refused(_) if binary::is_cut(&case) && tried.found == case.disk.bytes() => Verdict::Refused,
            _ if binary::is_cut(&case) => Verdict::Wrong,
            _ => judge(&case, &tried, Door::Alone),
        };
        self.tally.note(Tool::Binary, case.slip, verdict);
        self.findings.note(held(&case, &tried, verdict, "command line").map_or(Ok(()), Err));
        Ok(())
    }

    fn compare(&mut self, case: &Case) -> Result<(), Failure> {
        for at in 0..self.peers.all.len() {
            if let Some(tried) = self.peers.attempt(at, case)?
                && let Some(peer) = self.peers.all.get(at)
            {
                self.tally.note(Tool::Other(peer.name()), case.slip, judge(case, &tried, Door::Trusting));
            }
        }
        Ok(())
    }
}

/// What is wrong about it, if anything.
fn held(case: &Case, tried: &Tried, verdict: Verdict, door: &str) -> Option<Violation> {
    let fault = verdict.fault()?;
    let (tool, arguments) = case.ask.call(&case.path, case.hash);
    let tree = |bytes: Vec<u8>| {
        let mut tree = Tree::default();
        tree.items.insert(case.path.clone(), Item::File { bytes, mode: 0o644 });
        Some(tree)
    };
    let (dialect, slip) = (case.dialect.name(), case.slip.name());
    let said = match &tried.told {
        Told::Done => "done".to_owned(),
        Told::Refused(kind) => format!("refused as {kind}"),
    };
    let stray = tried.stray.as_ref().map(|stray| format!("; {stray}")).unwrap_or_default();
    let mut more = vec![("seen".to_owned(), case.seen.bytes())];
    more.extend(case.right.clone().map(|right| ("right".to_owned(), right)));
    Some(Violation {
        what: format!("{fault}{stray}: {dialect}, {slip}, {said}, through the {door}; {}", case.name),
        before: tree(case.disk.bytes()),
        call: Some(serde_json::json!({"tool": tool, "arguments": arguments})),
        found: tree(tried.found.clone()),
        more,
    })
}
