//! How each rule of line patches is broken: in words, and as facts.

use super::super::amounts::{many, range};
use super::super::details::argument;
use super::super::fields::Fields;
use super::super::message::Words;
use super::super::ready::compact;
use super::super::telling::Telling;
use super::super::terminal::shortened;
use super::details;
use patchwright_core::outcome::Trouble;
use patchwright_core::refusal::{
    Differing, DifferingLine, Intruder, LineFault, LinePlace, LineProblem, RepeatedLines, Side, Wider,
};
use serde_json::{Value, json};

/// So many letters of a line are shown.
const LETTERS: usize = 160;

/// What is so, and what to do. The place is put before it.
pub(super) fn words(fault: &LineFault, tell: &Telling<'_>) -> Words {
    match &fault.problem {
        LineProblem::Argument(fault) => super::super::arguments::one(fault, tell),
        LineProblem::FieldMissing { field, operation } => {
            Words::new(format!("{operation} needs {field}, which is missing."), missing(field))
        }
        LineProblem::FieldForeign { field, operation, own } => Words::new(
            format!("{field} does not belong to {operation}, whose fields are {own}."),
            format!("Leave out {field}, or use the operation that you mean."),
        ),
        LineProblem::UpperCase { lower } => Words::new(
            "a docPath is in lower case, whatever the file's real spelling is.",
            format!("Set {} to {}.", at_file(fault, "docPath"), compact(&lower.as_str().into())),
        ),
        LineProblem::SameFile { earlier, path } => same_file(*earlier, path.as_deref()),
        LineProblem::SameKey { field, key, earlier } => {
            let list = if *field == "fileKey" { "files" } else { "changes" };
            Words::new(
                format!("the {field} {key:?} is taken by {list}[{earlier}]."),
                format!("Give each its own {field}, or leave it out."),
            )
        }
        LineProblem::NotOneLine { field, index, what } => not_one_line(field, *index, *what),
        LineProblem::Order { earlier, place: before } => Words::new(
            format!("it stands above changes[{earlier}] ({}), which comes before it.", place(*before)),
            "List the changes of a file from top to bottom: inserts by afterLine, the others by startLine.",
        ),
        LineProblem::Overlap { other, place: with } => Words::new(
            format!("it overlaps changes[{other}] ({}).", place(*with)),
            format!("Join changes[{other}] and this one into a single replace of all their lines."),
        ),
        problem => of_lines(fault, problem, tell),
    }
}

/// A field of the change that a fault is about, as the caller finds it; of the file, where no change is.
fn at(fault: &LineFault, field: &str) -> String {
    match (fault.file, fault.change) {
        (Some(file), Some(change)) => format!("files[{file}].changes[{change}].{field}"),
        _ => at_file(fault, field),
    }
}

/// A field of the file that a fault is about, as the caller finds it.
pub(super) fn at_file(fault: &LineFault, field: &str) -> String {
    fault.file.map_or_else(|| field.to_owned(), |file| format!("files[{file}].{field}"))
}

/// What the lines of the file have against a change.
fn of_lines(fault: &LineFault, problem: &LineProblem, tell: &Telling<'_>) -> Words {
    match problem {
        LineProblem::Reversed => Words::new("the range ends before it begins.", reversed(fault)),
        LineProblem::BeyondEnd { count } => beyond_end(fault, *count),
        LineProblem::ExpectedCount { wanted, given } => Words::new(
            format!(
                "the range has {}, and expectedOriginalLines has {}.",
                many(*wanted, "line", "lines"),
                many(*given, "line", "lines")
            ),
            "Quote every line from startLine to endLine, one string each, or correct the range.",
        ),
        LineProblem::Differs(differing) => differs(differing, fault, tell),
        LineProblem::Neighbour { side, expected, actual, instead } => {
            neighbour(*side, expected.as_deref(), actual.as_deref(), *instead, fault.about)
        }
        LineProblem::Repeated(found) => repeated(found, fault.about),
        _ => Words::new("it cannot be applied.", "Read the file again and make the change anew."),
    }
}

fn reversed(fault: &LineFault) -> String {
    match fault.about {
        Some(LinePlace::Replace { first, last } | LinePlace::Delete { first, last }) => format!(
            "If the two are swapped, set {} to {last}, set {} to {first}; both lines are included.",
            at(fault, "startLine"),
            at(fault, "endLine")
        ),
        _ => "Set endLine to startLine or more; both are included.".to_owned(),
    }
}

fn missing(field: &str) -> String {
    match field {
        "newLines" => "Add newLines: at least one line, one string each; to remove lines use delete.".to_owned(),
        "expectedOriginalLines" => {
            "Add expectedOriginalLines: every line from startLine to endLine, copied from your last reading.".to_owned()
        }
        field => format!("Add {field}."),
    }
}

fn same_file(earlier: usize, path: Option<&str>) -> Words {
    let message = match path {
        Some(path) => format!("files[{earlier}] leads to the same file, {path}."),
        None => format!("files[{earlier}] has the same docPath."),
    };
    Words::new(
        message,
        format!("Name each file once: put these changes into files[{earlier}], in the order of their lines."),
    )
}

fn not_one_line(field: &str, index: Option<usize>, what: Intruder) -> Words {
    let place = index.map_or_else(|| field.to_owned(), |index| format!("{field}[{index}]"));
    let (what, next) = match what {
        Intruder::Newline if index.is_none() => ("a line break", "Quote that one line alone, without a line break."),
        Intruder::Newline => ("a line break", "Give each line as a string of its own, without line breaks."),
        Intruder::CarriageReturn => (
            "a carriage return at its end",
            "Leave it out: new lines end as the lines around them do, with \\r\\n where the file has that.",
        ),
        Intruder::Nul => ("a NUL character", "Leave the NUL character out."),
    };
    Words::new(format!("{place} holds {what}, so it is not one line."), next)
}

fn beyond_end(fault: &LineFault, count: usize) -> Words {
    let lines = many(count, "line", "lines");
    match fault.about {
        Some(LinePlace::Insert { .. }) => Words::new(
            format!("the file has {lines}, so nothing can be inserted after that line."),
            format!("Set {} to a number from 0 to {count}; {count} is the end of the file.", at(fault, "afterLine")),
        ),
        _ if count == 0 => Words::new("the file is empty.", "Use insert with afterLine 0."),
        _ => Words::new(
            format!("the file has {lines}."),
            format!(
                "Set startLine and endLine to lines from 1 to {count}; read the file with numbered: true to see the numbers."
            ),
        ),
    }
}

fn differs(differing: &Differing, fault: &LineFault, tell: &Telling<'_>) -> Words {
    let Some(first) = differing.pairs.first() else {
        return Words::new("the lines are not those expected.", "Read the file again.");
    };
    let more = match differing.count {
        1 => String::new(),
        count => format!(" ({count} lines of the range differ)"),
    };
    let message = format!(
        "line {} is {}, and expectedOriginalLines has {}{more}.",
        first.line,
        quoted(&first.actual),
        quoted(&first.expected)
    );
    let place_of = |field: &str| self::at(fault, field);
    let next = match (differing.instead, fault.about) {
        (Some(at), Some(LinePlace::Replace { first, last } | LinePlace::Delete { first, last })) => {
            let end = last.saturating_sub(first).saturating_add(at);
            format!(
                "The expected lines stand at {}: set {} to {at}, set {} to {end} if those are meant; else copy {} exactly.",
                range(at, end.saturating_sub(at).saturating_add(1)),
                place_of("startLine"),
                place_of("endLine"),
                range(first, last.saturating_sub(first).saturating_add(1)),
            )
        }
        _ if !first.quotable => format!(
            "This line is not valid text in UTF-8, and cannot be quoted: set {} to \"windows-1252\", or the charset that it is really in; or leave it as it is.",
            at_file(fault, "encoding")
        ),
        _ => exactly(differing, fault, tell),
    };
    Words::new(message, next)
}

/// The lines as the file has them, where only blanks differ; others have to be read first.
fn exactly(differing: &Differing, fault: &LineFault, tell: &Telling<'_>) -> String {
    let place = at(fault, "expectedOriginalLines");
    let first = match fault.about {
        Some(LinePlace::Replace { first, .. } | LinePlace::Delete { first, .. }) => first,
        _ => 1,
    };
    let mut lines: Vec<Value> = tell.given(&place).and_then(|lines| lines.as_array()).cloned().unwrap_or_default();
    let bare = |line: &str| line.split_whitespace().collect::<String>();
    let only_blanks = differing.count == differing.pairs.len()
        && differing.pairs.iter().all(|pair| bare(&pair.expected) == bare(&pair.actual));
    for pair in &differing.pairs {
        if let Some(line) = pair.line.checked_sub(first).and_then(|at| lines.get_mut(at)) {
            *line = pair.actual.as_str().into();
        }
    }
    let said = compact(&Value::Array(lines));
    match only_blanks && said.len() <= 600 && said.len() > 2 {
        true => format!("Only blanks differ: set {place} to {said}."),
        false => format!(
            "Copy the lines exactly as the file has them, white space too: set {place} to the lines that a reading shows, and check the line numbers with numbered: true."
        ),
    }
}

fn neighbour(
    side: Side,
    expected: Option<&str>,
    actual: Option<&str>,
    instead: Option<usize>,
    about: Option<LinePlace>,
) -> Words {
    let (above, edge) = match side {
        Side::Before => ("above", "the top of the file"),
        Side::After => ("below", "the end of the file"),
    };
    let said = |line: Option<&str>| line.map_or_else(|| edge.to_owned(), quoted);
    let operation = about.map_or("change", LinePlace::operation);
    let message =
        format!("{above} the {operation} stands {}, and {} has {}.", said(actual), field(side), said_json(expected));
    let next = match (instead, about) {
        (Some(first), Some(LinePlace::Replace { first: asked, last } | LinePlace::Delete { first: asked, last })) => {
            let last = last.saturating_sub(asked).saturating_add(first);
            format!("The lines that you quote stand at startLine {first} and endLine {last}: use those if they are meant; else correct what you quote.")
        }
        (Some(after), _) => format!("The lines that you quote stand around afterLine {after}: use that if it is meant; else correct what you quote."),
        (None, _) if expected == actual || actual.is_some_and(|line| line.contains('\u{fffd}')) => {
            "That line is not valid text and cannot be quoted: leave this field out, or name the file's charset, such as encoding: \"windows-1252\" beside its docPath.".to_owned()
        }
        (None, about) => {
            let numbers = if matches!(about, Some(LinePlace::Insert { .. })) { "afterLine" } else { "startLine and endLine" };
            format!("Correct {numbers}, or quote the lines that are there; read the file with numbered: true to see the numbers.")
        }
    };
    Words::new(message, next)
}

fn repeated(found: &RepeatedLines, about: Option<LinePlace>) -> Words {
    let listed = found.lines.iter().map(usize::to_string).collect::<Vec<String>>().join(", ");
    let at = if found.lines.len() == 1 { "line" } else { "lines" };
    let more = if found.more { " and further ones" } else { "" };
    let message = format!(
        "the quoted lines stand elsewhere in the file too, from {at} {listed}{more}, and nothing quoted beside them tells which are meant; a number alone does not pick."
    );
    let operation = about.map_or("change", LinePlace::operation);
    let next = match found.wider {
        None => format!(
            "If these lines are meant, add to the {operation} \"expectedLineBefore\": {}, \"expectedLineAfter\": {}; else correct startLine and endLine.",
            said_json(found.above.as_deref()),
            said_json(found.below.as_deref())
        ),
        Some(Wider::Lines(first, last)) => format!(
            "The lines beside them are the same there too. Take in more: use replace with startLine {first} and endLine {last}, which are in one place only, quote each of these lines in expectedOriginalLines, and repeat in newLines those that stay."
        ),
        Some(Wider::Far) => "The lines beside them are the same there too. Take in more lines above and below, up to one that the other places do not have, quote each of them in expectedOriginalLines, and repeat in newLines those that stay.".to_owned(),
    };
    Words::new(message, next)
}

fn unique_range(wider: Wider) -> Option<Value> {
    match wider {
        Wider::Lines(first, last) => Some(json!([first, last])),
        Wider::Far => None,
    }
}

fn said_json(line: Option<&str>) -> String {
    line.map_or_else(|| "null".to_owned(), quoted)
}

fn field(side: Side) -> &'static str {
    match side {
        Side::Before => "expectedLineBefore",
        Side::After => "expectedLineAfter",
    }
}

/// A change in a few words.
pub(super) fn place(place: LinePlace) -> String {
    match place {
        LinePlace::Insert { after } => format!("insert after line {after}"),
        LinePlace::Replace { first, last } | LinePlace::Delete { first, last } if first == last => {
            format!("{} line {first}", place.operation())
        }
        LinePlace::Replace { first, last } | LinePlace::Delete { first, last } => {
            format!("{} lines {first}-{last}", place.operation())
        }
    }
}

/// A line in quotes, with blanks that show, and not too long.
fn quoted(line: &str) -> String {
    match line.char_indices().nth(LETTERS) {
        Some((end, _)) => format!("{:?}…", line.get(..end).unwrap_or_default()),
        None => format!("{line:?}"),
    }
}

/// The facts of a problem, as fields.
pub(super) fn facts(fault: &LineFault) -> Option<Value> {
    Some(match &fault.problem {
        LineProblem::Argument(fault) => argument(fault),
        LineProblem::FieldMissing { field, .. } => json!({ "field": field }),
        LineProblem::FieldForeign { field, own, .. } => json!({ "field": field, "fields": own }),
        LineProblem::UpperCase { lower } => json!({ "lowerCase": lower }),
        LineProblem::SameFile { earlier, .. } => json!({ "otherFileIndex": earlier }),
        LineProblem::SameKey { field, key, earlier } => json!({ "field": field, "key": key, "otherIndex": earlier }),
        LineProblem::Reversed => return None,
        LineProblem::BeyondEnd { count } => json!({ "lineCount": count }),
        LineProblem::ExpectedCount { wanted, given } => json!({ "rangeLines": wanted, "expectedLines": given }),
        LineProblem::NotOneLine { field, index, .. } => {
            Fields::new().put("field", *field).maybe("index", *index).done()
        }
        LineProblem::Order { earlier, .. } => json!({ "otherChange": earlier }),
        LineProblem::Overlap { other, .. } => json!({ "otherChange": other }),
        LineProblem::Differs(differing) => Fields::new()
            .put("differingLines", differing.count)
            .put("lines", differing.pairs.iter().map(pair).collect::<Vec<Value>>())
            .maybe("foundAtLine", differing.instead)
            .done(),
        LineProblem::Neighbour { side, expected, actual, instead } => {
            let insert = matches!(fault.about, Some(LinePlace::Insert { .. }));
            let found = if insert { "foundAfterLine" } else { "foundAtLine" };
            Fields::new()
                .put("field", field(*side))
                .put("expected", expected.as_deref().map(shortened))
                .put("actual", actual.as_deref().map(shortened))
                .maybe(found, *instead)
                .done()
        }
        LineProblem::Repeated(found) => Fields::new()
            .put("alsoAtLines", found.lines.clone())
            .maybe("truncated", found.more.then_some(true))
            .put("lineBefore", found.above.as_deref().map(shortened))
            .put("lineAfter", found.below.as_deref().map(shortened))
            .maybe("uniqueRange", found.wider.and_then(unique_range))
            .done(),
        LineProblem::File(refusal) => return details(&Trouble::Refused((**refusal).clone())),
    })
}

fn pair(pair: &DifferingLine) -> Value {
    json!({ "line": pair.line, "expected": shortened(&pair.expected), "actual": shortened(&pair.actual) })
}
