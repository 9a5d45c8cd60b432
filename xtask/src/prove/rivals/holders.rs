//! A program that holds a file open while we replace it, and writes as soon as the names have changed.
//!
//! Up to the commit record we must notice and take our call back; after it, what was written must be kept. When the
//! record came is seen in the log: it quotes the new line. Between our second look and the record lies an instant
//! in which nobody can notice: so not every write can be asked for, but most of them.

use super::foreign::{Kept, Shelves};
use super::lines::{self, Tried, Way};
use super::tally::Tally;
use crate::failure::Failure;
use crate::prove::caller::Caller;
use crate::prove::findings::{Findings, Violation};
use crate::prove::setting::Setting;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// How often a write was noticed, for the report; it must happen.
pub(super) const NOTICED: &str = "holders: writes between swap and commit that were noticed";

/// When a write came.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Came {
    /// After the swap and before the commit record.
    InTime,
    /// Later, or the call had been refused before any swap.
    Late,
}

pub(super) fn round(setting: &Setting, round: usize, seen: &mut Tally) -> Result<Findings, Failure> {
    let root = super::workspace(setting, "holders")?;
    let mut caller = Caller::mcp(setting, &root, &["--durability", "full"])?;
    let mut findings = Findings::default();
    let (mut noticed, mut missed) = (0_usize, 0_usize);
    for at in 0..setting.sized(40, 100) {
        match hold(&root, at, &mut caller).map_err(super::io(&root))? {
            Ok((Came::InTime, true)) => missed = missed.saturating_add(1),
            Ok((Came::InTime, false)) => noticed = noticed.saturating_add(1),
            Ok((Came::Late, _)) => {}
            Err(what) => findings.violations.push(Violation::new(format!("holders {round}/{at}: {what}"))),
        }
        findings.trials = findings.trials.saturating_add(1);
    }
    seen.add(NOTICED, noticed);
    seen.add("holders: such writes in the last instant, kept on the shelf", missed);
    if missed > noticed {
        let what = format!(
            "holders {round}: of {} writes before the commit, {missed} were not noticed",
            noticed.saturating_add(missed)
        );
        findings.note(Err(Violation::new(what)));
    }
    Ok(findings)
}

/// What somebody looks at who holds a file.
struct Watched<'a> {
    root: &'a Path,
    path: &'a Path,
    /// What our edit adds.
    line: &'a str,
    /// Our call has ended.
    over: &'a AtomicBool,
}

/// One edit under the hands of somebody who holds the file; when that one wrote, and whether we were answered "done".
fn hold(root: &Path, at: usize, caller: &mut Caller) -> io::Result<Result<(Came, bool), String>> {
    let (name, line, held) = (format!("h{at}.txt"), format!("ours-{at}-line"), format!("held-{at}-line\n"));
    let path = root.join(&name);
    fs::write(&path, format!("begin\nfirst {at}\nend\n"))?;
    let mut handle = OpenOptions::new().append(true).open(&path)?;
    let over = AtomicBool::new(false);
    let (tried, came) = std::thread::scope(|scope| {
        let ours = scope.spawn(|| {
            let tried = lines::add(caller, Way::Exact, &name, &line);
            over.store(true, Ordering::Relaxed);
            tried
        });
        let came = write_after_swap(&Watched { root, path: &path, line: &line, over: &over }, &mut handle, &held);
        (ours.join().unwrap_or_else(|_| Err("a caller gave up".to_owned())), came)
    });
    let came = came?;
    Ok(tried.and_then(|tried: Tried| {
        let now = fs::read_to_string(&path).unwrap_or_default();
        let is_there = now.contains(held.trim_end()) || Shelves::of(root).says(held.trim_end());
        let done = tried.answer.is_ok();
        match is_there && (done == now.contains(&line)) {
            true => Ok((came, done)),
            false => Err(format!("the held write is there: {is_there}; {name} says {now:?} after {}", tried.answer.0)),
        }
    }))
}

/// Waits until another file has the name, then writes at once.
fn write_after_swap(watched: &Watched<'_>, handle: &mut File, text: &str) -> io::Result<Came> {
    let Watched { root, path, line, over } = *watched;
    let number = handle.metadata()?.ino();
    while !over.load(Ordering::Relaxed) && fs::metadata(path).is_ok_and(|meta| meta.ino() == number) {
        std::hint::spin_loop();
    }
    let swapped = fs::metadata(path).is_ok_and(|meta| meta.ino() != number);
    handle.write_all(text.as_bytes())?;
    let log = crate::home::log(root);
    let recorded = log.windows(line.len()).any(|part| part == line.as_bytes());
    Ok(if swapped && !recorded && !over.load(Ordering::Relaxed) { Came::InTime } else { Came::Late })
}
