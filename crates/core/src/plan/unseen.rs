//! What a reader of the diff does not see and should be told: characters that show nothing or reorder text, when a
//! change brings new ones (files keep them byte for byte), and bytes that are not text.

use super::snapshot::SnapshotFile;
use crate::intent::ExactEdit;
use crate::locate::visible::is_hidden;
use crate::path::RelPath;
use crate::warning::Warning;
use std::collections::BTreeSet;

pub(super) fn brought(path: &RelPath, text: &str, file: &SnapshotFile) -> Option<Warning> {
    let old = file.bytes.clone().unwrap_or_default();
    warn(path, suspicious(text), &old)
}

pub(super) fn in_new_file(path: &RelPath, text: &str) -> Option<Warning> {
    warn(path, suspicious(text), &[])
}

pub(super) fn in_edits(path: &RelPath, edits: &[ExactEdit], old: &[u8]) -> Option<Warning> {
    warn(path, edits.iter().flat_map(|edit| suspicious(&edit.new)).collect(), old)
}

/// A warning that a file is not valid text.
pub(super) fn lossy(path: &RelPath) -> Warning {
    Warning::LossyText { path: path.to_string() }
}

/// Only characters that the old text does not have at all are worth a word.
fn warn(path: &RelPath, found: BTreeSet<char>, old: &[u8]) -> Option<Warning> {
    let new = |c: &char| memchr::memmem::find(old, c.encode_utf8(&mut [0; 4]).as_bytes()).is_none();
    let characters: Vec<String> = found.into_iter().filter(new).map(|c| format!("U+{:04X}", u32::from(c))).collect();
    (!characters.is_empty()).then(|| Warning::HiddenCharacters { path: path.to_string(), characters })
}

fn suspicious(text: &str) -> BTreeSet<char> {
    if text.bytes().all(|byte| (0x20..0x7f).contains(&byte) || matches!(byte, b'\n' | b'\t' | b'\r')) {
        return BTreeSet::new();
    }
    // Joiners, variation selectors and no-break spaces are everyday text in many languages.
    let everyday = |c: char| {
        matches!(c, '\n' | '\t' | '\r' | '\u{a0}' | '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}')
            || (c.is_whitespace() && !c.is_control())
    };
    text.chars().filter(|c| is_hidden(*c) && !everyday(*c)).collect()
}
