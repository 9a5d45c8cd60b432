//! Weighs what grammar, brackets, tags and repeated lines say of an edit.
//!
//! A text that the grammar reads without a fault is well, whatever else is in it. Where it finds faults,
//! they count if the old text had none; a text that it never understood is judged by its brackets.

use super::block::{Block, Part, blocks, syntax_doubt};
use super::brackets::{self, Brackets};
use super::grammar::{self, Fault};
use super::language::Language;
use super::{Doubt, Means, TOLD, Touched, Verdict, repeats, tags};
use std::ops::Range;

/// Texts above this size are not searched for brackets or tags.
const MOST_BYTES: usize = 16 << 20;

pub(super) fn judge(path: &str, before: &[u8], after: &[u8], touched: &[Touched]) -> Verdict {
    let language = Language::of(path, after);
    let name = language.map(Language::name);
    let blocks = blocks(before, after, touched);
    let (mut doubts, means) = match language {
        Some(language) if before.len().max(after.len()) <= MOST_BYTES => structure(language, (before, after), &blocks),
        _ => (Vec::new(), Means::LinesOnly),
    };
    doubts.truncate(TOLD);
    doubts.extend(repeats::find(before, &blocks).into_iter().take(TOLD));
    Verdict { doubts, language: name, means }
}

/// Syntax, brackets and tags.
fn structure(language: Language, (before, after): (&[u8], &[u8]), blocks: &[Block<'_>]) -> (Vec<Doubt>, Means) {
    if matches!(language, Language::Html | Language::Xml) {
        return markup(language, (before, after), blocks);
    }
    let brackets = || brackets::compare(language, before, after, blocks);
    match faults(language, (before, after), blocks) {
        Faults::None => (Vec::new(), Means::Grammar),
        Faults::Brought(faults) => match brackets() {
            Brackets::Alone(doubts) if !doubts.is_empty() => (doubts, Means::Grammar),
            _ if is_partial(language) => (Vec::new(), Means::Grammar),
            _ => (at_faults(after, &faults, blocks), Means::Grammar),
        },
        Faults::Old => match brackets() {
            Brackets::Alone(doubts) => (doubts, Means::Grammar),
            Brackets::Unknown => (Vec::new(), Means::Grammar),
        },
        Faults::Unknown => match brackets() {
            Brackets::Alone(doubts) => (doubts, Means::Brackets),
            Brackets::Unknown => (Vec::new(), Means::LinesOnly),
        },
    }
}

/// Tags first, for the grammar of HTML forgives all that is missing.
fn markup(language: Language, (before, after): (&[u8], &[u8]), blocks: &[Block<'_>]) -> (Vec<Doubt>, Means) {
    let alone = tags::compare(language, before, after, blocks);
    match faults(language, (before, after), blocks) {
        Faults::Unknown => (alone, Means::Brackets),
        Faults::Brought(faults) if alone.is_empty() => (at_faults(after, &faults, blocks), Means::Grammar),
        _ => (alone, Means::Grammar),
    }
}

fn at_faults(text: &[u8], faults: &[Fault], blocks: &[Block<'_>]) -> Vec<Doubt> {
    faults.iter().take(TOLD).map(|fault| syntax_doubt(text, touched(fault, blocks))).collect()
}

/// Where a fault begins that may begin far above: from the touched lines on, if it has some.
fn touched(fault: &Fault, blocks: &[Block<'_>]) -> usize {
    let overlaps = |block: &&Block<'_>| fault.range.start < block.new.end() && block.new.start() < fault.range.end;
    let block = blocks.iter().find(overlaps);
    block.map_or(fault.range.start, |block| fault.range.start.max(block.new.start()))
}

/// Whether a grammar does not know all of its language: macros, or what came after it was written.
/// There a fault without a lone bracket is more often the grammar's than the author's.
fn is_partial(language: Language) -> bool {
    use Language as L;
    matches!(language, L::C | L::Cpp | L::Header | L::TypeScript | L::Tsx | L::Css)
}

/// What the grammar finds in the new text.
enum Faults {
    /// All of it makes sense.
    None,
    /// These, and none in the old text.
    Brought(Vec<Fault>),
    /// Some, but it did not understand the old text either.
    Old,
    /// There is no grammar, or the work would be too much.
    Unknown,
}

fn faults(language: Language, (before, after): (&[u8], &[u8]), blocks: &[Block<'_>]) -> Faults {
    let Some(new) = grammar::faults(language, after, focus(blocks, |block| &block.new)) else {
        return Faults::Unknown;
    };
    if new.is_empty() {
        return Faults::None;
    }
    match grammar::faults(language, before, focus(blocks, |block| &block.old)) {
        None => Faults::Unknown,
        Some(old) if !old.is_empty() => Faults::Old,
        // C++ in a header that could pass for C so far.
        Some(_) if language == Language::Header => faults(Language::Cpp, (before, after), blocks),
        Some(_) => Faults::Brought(new),
    }
}

/// From the first touched line to the last.
fn focus<'b, 't: 'b>(blocks: &'b [Block<'t>], part: impl Fn(&'b Block<'t>) -> &'b Part<'t>) -> Range<usize> {
    let start = blocks.iter().map(|block| part(block).start()).min().unwrap_or(0);
    let end = blocks.iter().map(|block| part(block).end()).max().unwrap_or(0);
    start..end
}
