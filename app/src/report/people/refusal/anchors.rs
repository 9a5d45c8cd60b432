//! Anchors that name no line, several lines, or lines that are not what they were.

use super::said::Said;
use super::shown::{beside, cut, line, seen};
use super::{Draft, content, named};
use crate::report::amounts::many;
use crate::report::line_range::LineRange;
use patchwright_core::refusal::{AnchorFault, Candidate, OperationFault, OperationField, Unknown};

/// So many lines that may be meant are shown.
const CANDIDATES: usize = 4;

/// Words for operations that cannot be carried out.
pub(super) fn told(path: Option<&str>, faults: &[OperationFault], said: &Said<'_>) -> Draft {
    let name = named(path, said);
    let draft = match faults {
        [one] => {
            let (fact, shown) = (fact(&name, one, said), evidence(one, said));
            next(Draft::because(placed(one, &fact)).show(shown), path, &one.fault, one.field, said)
        }
        several => {
            let each = |fault: &OperationFault| {
                cut(&format!("{}: {}", operation(fault.index), self::fact(&name, fault, said)))
            };
            Draft::because(format!("{} operations on {name} cannot be carried out", several.len()))
                .show(several.iter().map(each))
        }
    };
    draft.hint(path.and_then(|path| said.about("read --hashes", path)))
}

/// A single operation, as flags give it, needs no number.
fn placed(fault: &OperationFault, fact: &str) -> String {
    if fault.index == 0 { fact.to_owned() } else { format!("{}: {fact}", operation(fault.index)) }
}

fn operation(index: usize) -> String {
    format!("operation {}", index.saturating_add(1))
}

/// What is wrong with one operation.
fn fact(name: &str, fault: &OperationFault, said: &Said<'_>) -> String {
    let (anchor, was) = (line(&fault.anchor), flag("was", said));
    match &fault.fault {
        AnchorFault::Unknown(unknown) => nowhere(name, &anchor, *unknown),
        AnchorFault::RangeChanged { first, last } => {
            format!(
                "{} of {name} {} changed since",
                LineRange { first: *first, last: *last }.spelt(),
                have(*first, *last)
            )
        }
        AnchorFault::Ambiguous { count, .. } | AnchorFault::ContextAmbiguous { count, .. } => {
            format!("the anchor {anchor} names {count} lines of {name}")
        }
        AnchorFault::NoSuchOccurrence { asked, count, .. } => {
            let lines = many(*count, "line", "lines");
            format!("{name} has {lines} with the anchor {anchor}, and number {asked} was asked for")
        }
        AnchorFault::LineDisagrees { said, found, .. } => {
            format!("the anchor {anchor} is that of line {} of {name}, not of line {said}", found.shown.line)
        }
        AnchorFault::WasDiffers { found: Some(found), .. } => {
            format!("line {} of {name} is not what {was} says", found.shown.line)
        }
        AnchorFault::WasDiffers { .. } => format!("the line of {name} is not what {was} says"),
        AnchorFault::WasLength { quoted, lines } => {
            format!(
                "{was} quotes {}, and {} of {name} would change",
                many(*quoted, "line", "lines"),
                LineRange::from(*lines).spelt()
            )
        }
        AnchorFault::LowEntropy { line, .. } => {
            format!("line {line} of {name} has no letter and no digit, and is too weak an anchor")
        }
        AnchorFault::EqualsMoved { count, .. } => {
            format!("{name} was changed by somebody else, and which of {count} equal lines was meant is open")
        }
        AnchorFault::OneLineRange { line, .. } => format!("the range begins and ends on line {line} of {name}"),
        AnchorFault::Overlap { other, lines, other_lines } => {
            format!(
                "it wants {} of {name}, and {} wants {}",
                LineRange::from(*lines).spelt(),
                operation(*other),
                LineRange::from(*other_lines).spelt()
            )
        }
    }
}

fn nowhere(name: &str, anchor: &str, unknown: Unknown) -> String {
    match unknown {
        Unknown::Hash => format!("no line of {name} has the anchor {anchor}: the file has changed, or it was mistyped"),
        Unknown::Places(count) => {
            format!("{count} lines of {name} share the anchor {anchor} now: the file has changed")
        }
        Unknown::Charset => format!("no line of {name} has the anchor {anchor}, and the file is not valid UTF-8"),
        Unknown::EmptyFile => format!("{name} is empty, so that no line has an anchor"),
    }
}

/// Was the operation given by flags, and not as JSON?
fn is_by_flags(said: &Said<'_>) -> bool {
    const FLAGS: [&str; 4] = ["--replace", "--after", "--before", "--delete"];
    said.typed.iter().any(|word| FLAGS.iter().any(|flag| word.starts_with(flag)))
}

/// A part of an operation, as it was given.
fn flag(name: &str, said: &Said<'_>) -> String {
    if is_by_flags(said) { format!("--{name}") } else { name.to_owned() }
}

fn have(first: usize, last: usize) -> &'static str {
    if last <= first { "has" } else { "have" }
}

/// The lines that a fault points at.
fn evidence(fault: &OperationFault, said: &Said<'_>) -> Vec<String> {
    match &fault.fault {
        AnchorFault::Ambiguous { candidates, count }
        | AnchorFault::ContextAmbiguous { candidates, count }
        | AnchorFault::NoSuchOccurrence { candidates, count, .. } => rows(candidates, *count),
        AnchorFault::LineDisagrees { found, there, .. } => std::iter::once(found).chain(there).map(row).collect(),
        AnchorFault::WasDiffers { said: quoted, found, candidates, count, .. } => {
            let is = found.as_ref().map(|found| (format!("line {}", found.shown.line), vec![seen(&found.preview)]));
            let mut shown =
                beside(&std::iter::once((flag("was", said), vec![seen(quoted)])).chain(is).collect::<Vec<_>>());
            if *count > 0 {
                shown.push(format!("{} so:", if *count == 1 { "one line says" } else { "these lines say" }));
                shown.extend(rows(candidates, *count));
            }
            shown
        }
        AnchorFault::LowEntropy { neighbours, .. } => rows(neighbours, neighbours.len()),
        AnchorFault::OneLineRange { .. } => vec!["one line is named by one anchor alone, without ..".to_owned()],
        AnchorFault::Overlap { .. } => vec!["one operation could make both changes".to_owned()],
        _ => Vec::new(),
    }
}

/// Lines with their anchors, which can be typed.
fn rows(candidates: &[Candidate], count: usize) -> Vec<String> {
    let mut rows: Vec<String> = candidates.iter().take(CANDIDATES).map(row).collect();
    let more = count.saturating_sub(rows.len());
    rows.extend((more > 0).then(|| format!("and {}", many(more, "more line", "more lines"))));
    rows
}

fn row(candidate: &Candidate) -> String {
    format!("{}  {}", candidate.shown, line(&candidate.preview))
}

fn next(draft: Draft, path: Option<&str>, fault: &AnchorFault, field: OperationField, said: &Said<'_>) -> Draft {
    match fault {
        AnchorFault::Unknown(Unknown::Charset) => content::other_charset(draft, path, said),
        AnchorFault::Ambiguous { count, .. } | AnchorFault::ContextAmbiguous { count, .. }
            if field == OperationField::Hash =>
        {
            let occurrence = flag("occurrence", said);
            draft.show([format!("{occurrence} N picks one of the {count}, counted from the top")])
        }
        // It is the only line with that anchor, else more would have been said.
        AnchorFault::LowEntropy { .. } if is_by_flags(said) => {
            draft.hint_flag(said, "--occurrence 1", "takes it all the same")
        }
        _ => draft,
    }
}
