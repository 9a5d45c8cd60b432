//! Results that look like a slip.

use super::said::Said;
use super::shown::{cut, seen};
use super::{Draft, named};
use patchwright_core::sanity::{BracketFault, Doubt};

/// Words for a result that looks like a slip.
pub(super) fn told(path: Option<&str>, doubts: &[Doubt], said: &Said<'_>) -> Draft {
    let rows = doubts.iter().map(doubt);
    Draft::because(format!("the result in {} would look like a slip", named(path, said))).show(rows).hint_flag(
        said,
        "--safety warn",
        "does it all the same",
    )
}

/// A doubt about a result that was applied all the same.
pub fn doubt(doubt: &Doubt) -> String {
    cut(&format!("line {}: {}", line(doubt), detail(doubt)))
}

fn line(doubt: &Doubt) -> usize {
    match doubt {
        Doubt::Bracket { line, .. } | Doubt::Syntax { line, .. } | Doubt::Repeated { line, .. } => *line,
        Doubt::Standing { line, .. } | Doubt::Indented { line, .. } | Doubt::Prefixed { line, .. } => *line,
    }
}

fn detail(doubt: &Doubt) -> String {
    match doubt {
        Doubt::Bracket { bracket, fault: BracketFault::Unclosed, .. } => {
            format!("{bracket} opens and nothing closes it")
        }
        Doubt::Bracket { bracket, fault: BracketFault::Unopened, .. } => {
            format!("{bracket} closes and nothing opened it")
        }
        Doubt::Syntax { column, excerpt, .. } => {
            format!("a syntax error at column {column}:  {}", seen(excerpt.trim()))
        }
        Doubt::Prefixed { excerpt, .. } => format!("the new line begins with an anchor:  {}", seen(excerpt)),
        Doubt::Standing { other, excerpt, .. } => {
            format!("what is to be inserted stands at line {other} already:  {}", seen(excerpt.trim()))
        }
        Doubt::Repeated { other, excerpt, .. } => {
            format!("it says again what line {other} says:  {}", seen(excerpt.trim()))
        }
        Doubt::Indented { excerpt, wanted, .. } => {
            format!("another indentation than its place has:  {} in place of {}", indent(excerpt), indent(wanted))
        }
    }
}

/// The white space that a text begins with, made visible.
fn indent(text: &str) -> String {
    let white: String = text.chars().take_while(|ch| matches!(ch, ' ' | '\t')).collect();
    if white.is_empty() { "none".to_owned() } else { seen(&white) }
}
