//! Line patches that break rules: which change of which file, and what is so there.

use super::said::Said;
use super::shown::{beside, cut, line};
use super::{Draft, arguments, refused};
use crate::report::amounts::many;
use crate::report::line_range::LineRange;
use crate::report::matching::lines as at_lines;
use patchwright_core::refusal::{Differing, Intruder, LineFault, LinePlace, LineProblem, RepeatedLines, Side};

/// Words for all rules that are broken.
pub(super) fn told(faults: &[LineFault], said: &Said<'_>) -> Draft {
    let draft = match faults {
        [one] => one_fault(one, said),
        several => {
            let row = |fault: &LineFault| cut(&one_fault(fault, said).what);
            Draft::because(format!("the patch breaks {} rules", several.len())).show(several.iter().map(row))
        }
    };
    // What stands against a file as such, a look at its lines does not tell.
    let first = faults.first().filter(|fault| !matches!(fault.problem, LineProblem::File(_)));
    let path = first.and_then(|fault| fault.path.as_deref().or(fault.doc_path.as_deref()));
    draft.hint(path.and_then(|path| said.reading(path, None)))
}

fn one_fault(fault: &LineFault, said: &Said<'_>) -> Draft {
    let (fact, shown) = match &fault.problem {
        LineProblem::File(refusal) => {
            let inner = refused(refusal, said);
            return Draft { what: inner.what, ..Draft::because("").show(inner.evidence).hint(inner.hint) };
        }
        problem => (problem_named(problem), evidence(problem)),
    };
    Draft::because(format!("{}{fact}", place(fault, said))).show(shown)
}

/// Which file and change.
fn place(fault: &LineFault, said: &Said<'_>) -> String {
    let name = fault.path.as_deref().or(fault.doc_path.as_deref()).map(|path| said.path(path));
    let file = match (name, fault.file) {
        (Some(name), _) => name,
        (None, Some(at)) => format!("file {}", at.saturating_add(1)),
        (None, None) => return String::new(),
    };
    let change = fault.change.map(|at| format!(", change {}", at.saturating_add(1))).unwrap_or_default();
    let about = fault.about.map(|about| format!(" ({})", about_named(about))).unwrap_or_default();
    format!("{file}{change}{about}: ")
}

fn about_named(about: LinePlace) -> String {
    match about {
        LinePlace::Insert { after } => format!("insert after line {after}"),
        LinePlace::Replace { first, last } | LinePlace::Delete { first, last } => {
            format!("{} {}", about.operation(), LineRange { first, last }.spelt())
        }
    }
}

fn problem_named(problem: &LineProblem) -> String {
    match problem {
        LineProblem::Argument(fault) => arguments::fact(fault),
        LineProblem::FieldMissing { field, operation } => {
            format!("to {operation}, {} has to be given", arguments::meant_by(field))
        }
        LineProblem::FieldForeign { field, operation, .. } => {
            format!("to {operation}, {} is not given", arguments::meant_by(field))
        }
        LineProblem::UpperCase { lower } => format!("its name is given in lower case, {}", line(lower)),
        LineProblem::SameFile { earlier, .. } => format!("it is the same file as file {}", earlier.saturating_add(1)),
        LineProblem::SameKey { key, earlier, .. } => {
            format!("the key {} is that of number {} already", line(key), earlier.saturating_add(1))
        }
        LineProblem::Reversed => "it ends before it begins".to_owned(),
        LineProblem::BeyondEnd { count } => format!("the file has {}", many(*count, "line", "lines")),
        LineProblem::ExpectedCount { wanted, given } => {
            format!("it has {}, and {given} were quoted", many(*wanted, "line", "lines"))
        }
        LineProblem::NotOneLine { what, .. } => format!("a line of it holds {}", intruder(*what)),
        LineProblem::Order { earlier, .. } => {
            format!("it stands above change {}, which comes before it", earlier.saturating_add(1))
        }
        LineProblem::Overlap { other, .. } => format!("it touches lines of change {}", other.saturating_add(1)),
        LineProblem::Differs(differing) => differs(differing),
        LineProblem::Neighbour { side: Side::Before, .. } => "the line above it is not the one quoted".to_owned(),
        LineProblem::Neighbour { side: Side::After, .. } => "the line below it is not the one quoted".to_owned(),
        LineProblem::Repeated(found) => repeated(found),
        LineProblem::File(_) => "the file stands against it".to_owned(),
    }
}

fn intruder(what: Intruder) -> &'static str {
    match what {
        Intruder::Newline => "a line break",
        Intruder::CarriageReturn => "a carriage return at its end",
        Intruder::Nul => "a NUL character",
    }
}

fn differs(differing: &Differing) -> String {
    let first = differing.pairs.first().map_or(differing.first, |pair| pair.line);
    match differing.count {
        0 | 1 => format!("line {first} is not what was expected"),
        count => format!("line {first} and {} are not what was expected", many(count - 1, "other line", "other lines")),
    }
}

fn repeated(found: &RepeatedLines) -> String {
    let more = if found.more { " and elsewhere" } else { "" };
    format!("the same lines stand at {}{more}, too", at_lines(&found.lines))
}

fn evidence(problem: &LineProblem) -> Vec<String> {
    let side = |text: Option<&str>| vec![text.map_or_else(|| "(no line)".to_owned(), line)];
    let sides = |expected: Option<&str>, actual: Option<&str>| {
        beside(&[("expected".to_owned(), side(expected)), ("file".to_owned(), side(actual))])
    };
    match problem {
        LineProblem::Differs(differing) => {
            let pairs = differing.pairs.iter().take(2);
            let mut rows: Vec<String> =
                pairs.flat_map(|pair| sides(Some(&pair.expected), Some(&pair.actual))).collect();
            rows.extend(differing.instead.map(|at| format!("what was expected stands at line {at}")));
            rows
        }
        LineProblem::Neighbour { expected, actual, instead, .. } => {
            let mut rows = sides(expected.as_deref(), actual.as_deref());
            rows.extend(instead.map(|at| format!("what was quoted stands at line {at}")));
            rows
        }
        _ => Vec::new(),
    }
}
