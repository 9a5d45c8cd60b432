//! Weighs what grammar, brackets, tags and repeated lines say of an edit.
//!
//! A text that the grammar reads without a fault is well, whatever else is in it. Where it finds one, that
//! counts if the old text had none; a text that it never understood is judged by its brackets.

use super::block::{Block, Part, blocks, syntax_doubt};
use super::brackets::{self, Brackets};
use super::grammar::{self, Reading};
use super::language::Language;
use super::template::is_template;
use super::{Doubt, Means, TOLD, Touched, Verdict, indent, repeats, tags};
use std::ops::Range;

/// Texts above this size are not searched for brackets or tags.
const MOST_BYTES: usize = 16 << 20;

pub(super) fn judge(path: &str, before: &[u8], after: &[u8], touched: &[Touched]) -> Verdict {
    let language = Language::of(path, after);
    let edit = Edit { before, after, blocks: &blocks(before, after, touched) };
    let (mut doubts, means) = match language {
        Some(language) if before.len().max(after.len()) <= MOST_BYTES => edit.layout(language),
        _ => (Vec::new(), Means::LinesOnly),
    };
    doubts.extend(repeats::find(before, edit.blocks).into_iter().take(TOLD));
    Verdict { doubts, language: language.map(Language::name), means }
}

struct Edit<'a> {
    before: &'a [u8],
    after: &'a [u8],
    blocks: &'a [Block<'a>],
}

impl Edit<'_> {
    /// The structure; and where that is well, the indentation that a grammar forgives.
    fn layout(&self, language: Language) -> (Vec<Doubt>, Means) {
        match self.structure(language) {
            (doubts, means) if language == Language::Python && doubts.is_empty() => {
                (indent::compare(self.before, self.after, self.blocks).into_iter().take(TOLD).collect(), means)
            }
            found => found,
        }
    }

    /// Syntax, brackets and tags.
    fn structure(&self, language: Language) -> (Vec<Doubt>, Means) {
        if matches!(language, Language::Html | Language::Xml) {
            return self.markup(language);
        }
        if language == Language::Vue {
            return self.component();
        }
        let change = self.change(language);
        if change == Change::Sound {
            return (Vec::new(), Means::Grammar);
        }
        match (brackets::compare(language, self.before, self.after, self.blocks), change) {
            (Brackets::Alone(doubts), Change::Unknown) => (doubts, Means::Brackets),
            (Brackets::Unknown, Change::Unknown) => (Vec::new(), Means::LinesOnly),
            (Brackets::Alone(doubts), _) if !doubts.is_empty() => (doubts, Means::Grammar),
            (_, Change::Broken(at)) if !is_partial(language) => (vec![self.fault(at)], Means::Grammar),
            _ => (Vec::new(), Means::Grammar),
        }
    }

    /// Tags first, for the grammar of HTML forgives what is missing, but for the very end.
    fn markup(&self, language: Language) -> (Vec<Doubt>, Means) {
        let alone = tags::compare(language, self.before, self.after, self.blocks);
        let end = self.after.trim_ascii_end().len();
        match self.change(language) {
            Change::Unknown => (alone, Means::Brackets),
            Change::Broken(at) if alone.is_empty() && at < end => (vec![self.fault(at)], Means::Grammar),
            _ => (alone, Means::Grammar),
        }
    }

    /// The scripts and style sheets of a component, then its tags.
    fn component(&self) -> (Vec<Doubt>, Means) {
        let found = match brackets::compare(Language::Vue, self.before, self.after, self.blocks) {
            Brackets::Alone(doubts) if !doubts.is_empty() => doubts,
            _ => tags::compare(Language::Vue, self.before, self.after, self.blocks),
        };
        (found, Means::Brackets)
    }

    fn change(&self, language: Language) -> Change {
        if is_template(language, self.after) {
            return Change::StillFaulty;
        }
        let new = grammar::read(language, self.after, self.focus(|block| &block.new));
        let Reading::Fault(at) = new else {
            return if new == Reading::Sound { Change::Sound } else { Change::Unknown };
        };
        match grammar::read(language, self.before, self.focus(|block| &block.old)) {
            Reading::Unknown => Change::Unknown,
            Reading::Fault(_) => Change::StillFaulty,
            // C++ in a header that could pass for C so far.
            Reading::Sound if language == Language::Header => self.change(Language::Cpp),
            Reading::Sound => Change::Broken(at),
        }
    }

    /// From the first touched line to the last.
    fn focus<'b>(&'b self, part: impl Fn(&'b Block<'b>) -> &'b Part<'b>) -> Range<usize> {
        let start = self.blocks.iter().map(|block| part(block).start()).min().unwrap_or(0);
        let end = self.blocks.iter().map(|block| part(block).end()).max().unwrap_or(0);
        start..end
    }

    /// A fault that shows only below the touched lines is shown at the last of them above it.
    fn fault(&self, at: usize) -> Doubt {
        let above = self.blocks.iter().rev().find(|block| block.new.start() <= at);
        syntax_doubt(self.after, above.map_or(at, |block| block.new.within(at)))
    }
}

/// What the grammar says of both texts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    /// The new text makes sense.
    Sound,
    /// The new text makes none from here on, and the old one did.
    Broken(usize),
    /// The grammar understands neither.
    StillFaulty,
    /// There is no grammar, or the work would be too much.
    Unknown,
}

/// Whether a grammar does not know all of its language: macros, or what came after it was written.
/// There a fault without a lone bracket is more often the grammar's than the author's.
fn is_partial(language: Language) -> bool {
    use Language as L;
    matches!(language, L::C | L::Cpp | L::Header | L::TypeScript | L::Tsx | L::Css)
}
