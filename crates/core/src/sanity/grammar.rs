//! The first place of a text where a grammar finds no sense.
//!
//! Promises an end, and no harm, whatever the text: `safe` says what may be parsed at all, `parse` counts
//! the work.

mod parse;
mod safe;

use super::language::Language;
use parse::{Run, run};
use std::ops::Range;

/// Texts above this size are not parsed.
const MOST_BYTES: usize = 1 << 20;
/// Stack that the parser may need: it frees ambiguous readings by recursion, a level for each byte at worst.
const STACK: usize = 1 << 20;
const STACK_PER_BYTE: usize = 256;

/// What a grammar says of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// It makes sense.
    Sound,
    /// It does not, from this offset on.
    Fault(usize),
    /// There is no grammar, or the work would be too much.
    Unknown,
}

/// Reads a text, or as much around the focus as may be parsed.
pub(super) fn read(language: Language, text: &[u8], focus: Range<usize>) -> Reading {
    let Some(grammar) = grammar(language) else { return Reading::Unknown };
    let Some(part) = safe::part(language, text, focus) else { return Reading::Unknown };
    let start = part.start;
    let Some(text) = text.get(part).filter(|text| text.len() <= MOST_BYTES) else { return Reading::Unknown };
    let stack = text.len().saturating_mul(STACK_PER_BYTE).saturating_add(STACK);
    match stacker::maybe_grow(stack, stack, || run(&grammar, text)) {
        Run::Sound => Reading::Sound,
        Run::Lost { row, column } => Reading::Fault(start.saturating_add(offset(text, row, column))),
        Run::Spent => Reading::Unknown,
    }
}

fn offset(text: &[u8], row: usize, column: usize) -> usize {
    let ends = memchr::memchr_iter(b'\n', text);
    let line = row.checked_sub(1).and_then(|row| { ends }.nth(row)).map_or(0, |end| end.saturating_add(1));
    line.saturating_add(column).min(text.len())
}

fn grammar(language: Language) -> Option<tree_sitter::Language> {
    use Language as L;
    Some(match language {
        L::Rust => tree_sitter_rust::LANGUAGE.into(),
        L::Python => tree_sitter_python::LANGUAGE.into(),
        L::JavaScript => tree_sitter_javascript::LANGUAGE.into(),
        L::TypeScript => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        L::Tsx => tree_sitter_typescript::LANGUAGE_TSX.into(),
        L::Go => tree_sitter_go::LANGUAGE.into(),
        L::Java => tree_sitter_java::LANGUAGE.into(),
        L::C | L::Header => tree_sitter_c::LANGUAGE.into(),
        L::Cpp => tree_sitter_cpp::LANGUAGE.into(),
        L::Json => tree_sitter_json::LANGUAGE.into(),
        L::Yaml => tree_sitter_yaml::LANGUAGE.into(),
        L::Toml => tree_sitter_toml_ng::LANGUAGE.into(),
        L::Html => tree_sitter_html::LANGUAGE.into(),
        L::Css => tree_sitter_css::LANGUAGE.into(),
        L::Shell => tree_sitter_bash::LANGUAGE.into(),
        _ => return None,
    })
}
