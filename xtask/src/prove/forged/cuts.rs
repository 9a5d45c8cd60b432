//! Content that looks like records, in a log of which some blocks never reached the disk: what stands behind the last
//! whole record is no record, whatever it looks like, and is in nobody's way.

use super::ground::{Ground, Where};
use super::judge::{May, Seen, judge};
use super::openers::{Effect, Trash};
use super::past::log_of;
use super::plant::Planted;
use super::records::telling;
use super::trial::{packed, used};
use super::{fail, ground};
use crate::failure::Failure;
use crate::prove::findings::{Findings, Violation};
use patchwright_testkit::dice::Dice;
use patchwright_testkit::forge::{Seal, frames};
use serde_json::{Value, json};
use std::fs;
use std::ops::Range;

/// So many at a time.
pub(super) const COUNT: usize = 12;
const BLOCK: usize = 512;
/// The content takes at least so many bytes.
const LONG: usize = 6_000;

/// Where this one is tried.
pub(super) fn place(at: usize) -> Where {
    [Where::Plain, Where::Git, Where::Linked, Where::Given].get(at % 4).copied().unwrap_or(Where::Plain)
}

/// Writes content that looks like records, loses some blocks of the log, and opens the workspace.
pub(super) fn tried(ground: &Ground, at: usize, mut dice: Dice) -> Result<Findings, Failure> {
    ground.again()?;
    let mark = ground.ring().join("mark");
    let noted = fs::read(&mark).map_err(fail(&mark))?;
    let (path, old) = log_of(&ground.record())?;
    let begin = frames(&old).last().map_or(0, |last| last.end);
    let content = content(ground, &old, &mut dice);
    let made = ground.call("create_file", &big("big.bin", &content));
    let mut findings = Findings::default();
    if !made.as_ref().is_ok_and(|ran| ran.code == Some(0)) {
        findings.note(Err(Violation::new(format!("content that looks like records is refused: {made:?}"))));
        return Ok(findings);
    }
    let (_, new) = log_of(&ground.record())?;
    let end = frames(&new).last().map_or(0, |last| last.end);
    let (torn, how) = torn(&new, begin..end, at, &mut dice);
    fs::write(&path, &torn).map_err(fail(&path))?;
    fs::write(&mark, noted).map_err(fail(&mark))?;
    let before = Seen::now(ground);
    let result = opened(ground, &before).and_then(|()| used(ground, Planted { own: true, ..Planted::default() }));
    findings.note(match result.and_then(|()| verified(ground)) {
        Ok(()) => Ok(()),
        Err(what) => {
            let more = vec![("torn.log".to_owned(), torn), ("found.tar".to_owned(), packed(ground)?)];
            let what = format!("{:?}, records in content, {how}: {what}", ground.at);
            Err(Violation { what, more, ..Violation::default() })
        }
    });
    Ok(findings)
}

/// The call that was cut short is whole or taken back; nothing else happens.
fn opened(ground: &Ground, before: &Seen) -> Result<(), String> {
    let ran = ground.call("list_batches", &json!({}))?;
    if ran.code != Some(0) {
        return Err(format!("looking is refused: {}", ran.told()));
    }
    let whole = judged(ground, before, &ran, &Effect::Nothing);
    whole.or_else(|_| judged(ground, before, &ran, &Effect::Exactly(vec![("big.bin", None)])))
}

fn judged(ground: &Ground, before: &Seen, ran: &ground::Ran, effect: &Effect) -> Result<(), String> {
    let planted = Planted { own: true, ..Planted::default() };
    let may = May { effect, trash: Trash::Kept, only_looks: false, planted };
    judge(ground, before, &Seen::now(ground), ran, &may)
}

pub(super) fn verified(ground: &Ground) -> Result<(), String> {
    let ran = ground.run(&["audit", "verify"])?;
    if ran.code == Some(0) { Ok(()) } else { Err(format!("the log does not verify: {}", ran.told())) }
}

/// Genuine records of this very log and forged ones, over and over, beginning anywhere in a block.
pub(super) fn content(ground: &Ground, log: &[u8], dice: &mut Dice) -> String {
    let all = frames(log);
    let genuine = all.first().zip(all.last()).and_then(|(first, last)| log.get(first.at..last.end));
    let wrong = Seal::wrong(&ground.past.id);
    let next = telling().iter().map(|payload| wrong.with(log, all.len(), payload)).collect::<Vec<_>>();
    let from = all.last().map_or(0, |last| last.end);
    let forged = next.iter().filter_map(|log| log.get(from..frames(log).last()?.end));
    let mut bytes = vec![b'x'; dice.below(BLOCK)];
    let parts: Vec<&[u8]> = genuine.into_iter().chain(forged).collect();
    while bytes.len() < LONG && !parts.is_empty() {
        bytes.extend_from_slice(dice.pick(&parts).copied().unwrap_or_default());
    }
    as_text(&bytes)
}

/// The call that makes such a file.
pub(super) fn big(path: &str, content: &str) -> Value {
    json!({ "path": path, "content": content, "encoding": "windows-1252" })
}

/// Bytes as text that is those bytes in windows-1252.
fn as_text(bytes: &[u8]) -> String {
    const HIGH: [char; 32] = [
        '\u{20ac}', '\u{81}', '\u{201a}', '\u{192}', '\u{201e}', '\u{2026}', '\u{2020}', '\u{2021}', '\u{2c6}',
        '\u{2030}', '\u{160}', '\u{2039}', '\u{152}', '\u{8d}', '\u{17d}', '\u{8f}', '\u{90}', '\u{2018}', '\u{2019}',
        '\u{201c}', '\u{201d}', '\u{2022}', '\u{2013}', '\u{2014}', '\u{2dc}', '\u{2122}', '\u{161}', '\u{203a}',
        '\u{153}', '\u{9d}', '\u{17e}', '\u{178}',
    ];
    let letter = |byte: &u8| match byte {
        0x80..=0x9f => HIGH.get(usize::from(byte - 0x80)).copied().unwrap_or(' '),
        byte => char::from(*byte),
    };
    bytes.iter().map(letter).collect()
}

/// The log after a power cut: a part of the blocks that were written last is missing.
fn torn(log: &[u8], written: Range<usize>, at: usize, dice: &mut Dice) -> (Vec<u8>, String) {
    let mut torn = log.to_vec();
    let blocks = written.len().div_ceil(BLOCK).saturating_add(1);
    let first = written.start / BLOCK;
    let cut = dice.below(blocks).saturating_add(first);
    // Every other time any of the blocks may be missing, not only the last.
    let holes = at % 2 == 1;
    let missing: Vec<usize> =
        (first..first.saturating_add(blocks)).filter(|block| if holes { dice.coin() } else { *block >= cut }).collect();
    for block in &missing {
        let from = block.saturating_mul(BLOCK).max(written.start);
        let to = block.saturating_add(1).saturating_mul(BLOCK).min(torn.len());
        if let Some(bytes) = torn.get_mut(from..to) {
            bytes.fill(0);
        }
    }
    (torn, format!("blocks {missing:?} of {first} to {} missing", written.end / BLOCK))
}
