//! Readers that look all the time, while files are edited and written: none sees a half file, and none finds it
//! missing. Each version says in its first line how long the rest is and what its hash is.

use super::tally::Tally;
use crate::failure::Failure;
use crate::prove::caller::Caller;
use crate::prove::findings::{Findings, Violation};
use crate::prove::setting::Setting;
use patchwright_engine::core::digest::Digest;
use patchwright_testkit::dice::Dice;
use serde_json::json;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

const FILE: &str = "watched.txt";
const READERS: usize = 2;

pub(super) fn round(setting: &Setting, round: usize, seen: &mut Tally) -> Result<Findings, Failure> {
    let root = super::workspace(setting, "readers")?;
    std::fs::write(root.join(FILE), version("first")).map_err(super::io(&root))?;
    let mut caller = Caller::mcp(setting, &root, &["--durability", "process"])?;
    let mut looking = Caller::mcp(setting, &root, &[])?;
    let mut dice = setting.dice(&format!("readers {round}"));
    let (over, edits) = (AtomicBool::new(false), setting.sized(150, 1_000));
    let (made, looks) = std::thread::scope(|scope| {
        let path = root.join(FILE);
        let mut readers: Vec<_> = (0..READERS)
            .map(|at| {
                let path = path.clone();
                let over = &over;
                scope.spawn(move || look(&path, at, over))
            })
            .collect();
        readers.push(scope.spawn(|| ask(&mut looking, &over)));
        let made = (0..edits).try_for_each(|at| change(&mut caller, &mut dice, at));
        over.store(true, Ordering::Relaxed);
        let gave_up = |_| Err("a reader gave up".to_owned());
        (made, readers.into_iter().map(|thread| thread.join().unwrap_or_else(gave_up)).collect::<Vec<_>>())
    });
    let mut findings = Findings::default();
    let told = |what: String| Violation::new(format!("readers, round {round}: {what}"));
    findings.note(made.map_err(told));
    for looked in looks {
        seen.add("readers: looks", *looked.as_ref().unwrap_or(&0));
        findings.violations.extend(looked.err().map(told));
    }
    Ok(findings)
}

/// A text that proves itself whole.
fn version(body: &str) -> String {
    format!("{} {}\n{body}\n", body.len(), Digest::of(body.as_bytes()))
}

/// Is a text whole? If not, what is wrong with it.
fn whole(text: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(text);
    let (head, body) = text.split_once('\n').ok_or_else(|| format!("{} bytes without a first line", text.len()))?;
    let body = body.strip_suffix('\n').ok_or_else(|| format!("{} bytes, cut off", text.len()))?;
    match head == format!("{} {}", body.len(), Digest::of(body.as_bytes())) {
        true => Ok(()),
        false => Err(format!("{} bytes do not fit their first line, {head:?}", body.len())),
    }
}

/// Reads until it is over; how often.
fn look(path: &Path, reader: usize, over: &AtomicBool) -> Result<usize, String> {
    let mut looks = 0_usize;
    while !over.load(Ordering::Relaxed) {
        let mut bytes = Vec::new();
        let mut file = File::open(path).map_err(|error| format!("{FILE} could not be opened: {error}"))?;
        if reader == 1 {
            // In two pieces, with a swap between them if it comes so.
            let mut start = vec![0; 1_000];
            let read = file.read(&mut start).map_err(|error| error.to_string())?;
            start.truncate(read);
            bytes = start;
            std::thread::yield_now();
        }
        file.read_to_end(&mut bytes).map_err(|error| error.to_string())?;
        whole(&bytes).map_err(|what| format!("a reader saw a half file: {what}"))?;
        looks = looks.saturating_add(1);
    }
    Ok(looks)
}

/// Reads through the tool until it is over; how often.
fn ask(caller: &mut Caller, over: &AtomicBool) -> Result<usize, String> {
    let mut looks = 0_usize;
    while !over.load(Ordering::Relaxed) {
        let answer = caller.ask("read_file", &json!({"path": FILE, "maxBytes": 8_000_000}))?;
        let text = answer.text("/content").ok_or_else(|| format!("read_file answered {}", answer.0))?;
        whole(text.as_bytes()).map_err(|what| format!("read_file gave a half file: {what}"))?;
        let hash = Digest::of(text.as_bytes()).to_string();
        if answer.text("/sha256") != Some(&hash) {
            return Err("read_file gave a hash that is not its text's".to_owned());
        }
        looks = looks.saturating_add(1);
    }
    Ok(looks)
}

/// Puts another version there, in one way or another. Nobody else writes, so it must be answered.
fn change(caller: &mut Caller, dice: &mut Dice, at: usize) -> Result<(), String> {
    let sizes = [10, 100, 5_000, 100_000, 400_000];
    let body = format!("{at} ").repeat(sizes.get(dice.below(5)).copied().unwrap_or(1) / 4);
    let new = version(body.trim_end());
    let read = caller.ask("read_file", &json!({"path": FILE, "maxBytes": 8_000_000}))?;
    let old = read.text("/content").unwrap_or_default();
    let (old_head, new_head) = (old.lines().next().unwrap_or_default(), new.lines().next().unwrap_or_default());
    let (old_body, new_body) = (old.lines().nth(1).unwrap_or_default(), new.lines().nth(1).unwrap_or_default());
    let edits = json!([{"oldText": old_head, "newText": new_head}, {"oldText": format!("\n{old_body}\n"), "newText": format!("\n{new_body}\n")}]);
    let patch = format!(
        "*** Begin Patch\n*** Update File: {FILE}\n@@\n-{old_head}\n-{old_body}\n+{new_head}\n+{new_body}\n*** End Patch\n"
    );
    let answer = match dice.below(3) {
        0 => caller.ask("write_file", &json!({"path": FILE, "content": new}))?,
        1 => caller.ask("edit_file", &json!({"path": FILE, "edits": edits}))?,
        _ => caller.ask("apply_patch", &json!({"patch": patch}))?,
    };
    if answer.is_ok() { Ok(()) } else { Err(format!("change {at} was answered {}", answer.0)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, is_whole: bool) {
        assert_eq!(whole(text.as_bytes()).is_ok(), is_whole, "{text:?}");
    }

    #[test]
    fn halves_are_seen() {
        let full = version("some text");
        check(&full, true);
        (0..full.len()).for_each(|end| check(&full[..end], false));
        check(&full.replace("some", "same"), false);
        check(&format!("{full}x"), false);
    }
}
