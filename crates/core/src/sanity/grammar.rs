//! Places where a grammar finds no sense.
//!
//! Promises work that is bounded by the size of the text, counted and not timed, so that the same text
//! always has the same answer.

mod safe;

use super::language::Language;
use std::ops::{ControlFlow, Range};
use tree_sitter::{ParseOptions, Parser, Tree, TreeCursor};

/// Texts above this size are not parsed.
const MOST_BYTES: usize = 1 << 20;
/// Stack that the parser may need: it frees ambiguous readings by recursion, a level for each byte at worst.
const STACK: usize = 1 << 20;
const STACK_PER_BYTE: usize = 256;

/// A place where a grammar finds no sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// Where it is; empty where something is missing.
    pub(super) range: Range<usize>,
}

/// The faults of a text, or of as much around the focus as can be parsed; nothing where there is no
/// grammar, or the work would be too much.
pub(super) fn faults(language: Language, text: &[u8], focus: Range<usize>) -> Option<Vec<Fault>> {
    let grammar = grammar(language)?;
    let part = safe::part(language, text, focus)?;
    let start = part.start;
    let text = text.get(part).filter(|text| text.len() <= MOST_BYTES)?;
    let stack = text.len().saturating_mul(STACK_PER_BYTE).saturating_add(STACK);
    let found = stacker::maybe_grow(stack, stack, || Some(collect(&parse(&grammar, text)?)))?;
    let shift = |at: usize| at.saturating_add(start);
    let moved = |fault: Fault| Fault { range: shift(fault.range.start)..shift(fault.range.end) };
    Some(found.into_iter().map(moved).collect())
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

fn parse(grammar: &tree_sitter::Language, text: &[u8]) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(grammar).ok()?;
    let mut left = allowance(text.len());
    let mut progress = |_: &tree_sitter::ParseState| {
        left = left.saturating_sub(1);
        if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let mut read = |at: usize, _| text.get(at..).unwrap_or_default();
    parser.parse_with_options(&mut read, None, Some(options))
}

/// So many times the parser may report that it is still at work; it does so every hundred steps. No file of
/// 26,000 real ones needed more than a report for every thirty bytes.
fn allowance(bytes: usize) -> usize {
    bytes.saturating_div(16).saturating_add(1_000)
}

fn collect(tree: &Tree) -> Vec<Fault> {
    let mut found = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            found.push(Fault { range: node.byte_range() });
        }
        let deeper = node.has_error() && !node.is_error() && cursor.goto_first_child();
        if !deeper && !onwards(&mut cursor) {
            return found;
        }
    }
}

/// Goes to the next node that is not below this one.
fn onwards(cursor: &mut TreeCursor<'_>) -> bool {
    loop {
        if cursor.goto_next_sibling() {
            return true;
        }
        if !cursor.goto_parent() {
            return false;
        }
    }
}
