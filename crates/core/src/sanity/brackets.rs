//! Brackets that an edit left without a partner.

use super::balance::{self, Mark, Side};
use super::block::{Block, line_of, syntax_doubt};
use super::language::Language;
use super::lex::{self, Bracket, Sort};
use super::{BracketFault, Doubt, TOLD};

/// What became of the brackets.
pub(super) enum Brackets {
    /// The language is not one whose brackets are known.
    Unknown,
    /// These lost their partner, or came without; empty if none did.
    Alone(Vec<Doubt>),
}

/// Compares the brackets of two texts.
pub(super) fn compare(language: Language, before: &[u8], after: &[u8], blocks: &[Block<'_>]) -> Brackets {
    let (Some(old), Some(new)) = (lex::brackets(language, before), lex::brackets(language, after)) else {
        return Brackets::Unknown;
    };
    // A branch may open what the code after it closes: conditionals are a matter of their own.
    let alone = |wanted: fn(Sort) -> bool| balance::left_alone(&marks(&old, wanted), &marks(&new, wanted), blocks);
    let mut found = alone(|sort| sort != Sort::Conditional);
    found.extend(alone(|sort| sort == Sort::Conditional));
    Brackets::Alone(found.iter().take(TOLD).filter_map(|mark| doubt(after, *mark)).collect())
}

fn marks(brackets: &[Bracket], wanted: fn(Sort) -> bool) -> Vec<Mark> {
    let mark = |bracket: &Bracket| {
        let sort = match bracket.sort {
            Sort::Round | Sort::Conditional => 0,
            Sort::Square => 1,
            Sort::Curly => 2,
        };
        Mark { at: bracket.at, sort, side: bracket.side }
    };
    brackets.iter().filter(|bracket| wanted(bracket.sort)).map(mark).collect()
}

fn doubt(text: &[u8], mark: Mark) -> Option<Doubt> {
    let bracket = char::from(*text.get(mark.at)?);
    if bracket == '#' {
        return Some(syntax_doubt(text, mark.at));
    }
    let fault = if mark.side == Side::Open { BracketFault::Unclosed } else { BracketFault::Unopened };
    Some(Doubt::Bracket { line: line_of(text, mark.at), bracket, fault })
}
