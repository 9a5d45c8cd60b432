//! Words for content that is not as a call needs it: binary files, charsets, patterns that do not compile.

use super::message::Words;
use super::ready::{Mend, compact, named, ready};
use super::telling::Telling;
use patchwright_core::policy::glob;
use patchwright_core::refusal::Why;
use serde_json::json;

/// The charset that a text which is no UTF-8 is most often in.
const LIKELY: &str = "windows-1252";

/// Words for these refusals; nothing for any other.
pub(super) fn words(path: &str, why: &Why, tell: &Telling<'_>) -> Option<Words> {
    Some(match why {
        Why::Binary => Words::new(format!("{path} is a binary file, and this needs text."), binary(path, tell)),
        Why::CharsetUnnamed => Words::new(
            format!(
                "{path} is not valid UTF-8: its letters are in a charset of its own, and the new content has characters beyond ASCII, which have no bytes until that is named."
            ),
            format!(
                "{} To have the file in UTF-8 from now on, set {} to \"utf-8\".",
                name_charset(path, tell),
                place(path, tell)
            ),
        ),
        Why::Encoding { charset, line, unencodable } => encoding(path, charset, *line, *unencodable, tell),
        Why::Glob(said) => Words::new(format!("The pattern does not compile: {said}"), glob_next(tell)),
        Why::Pattern(said) => Words::new(format!("The pattern does not compile: {said}"), pattern_next(tell)),
        _ => return None,
    })
}

fn binary(path: &str, tell: &Telling<'_>) -> String {
    let charset = "If it is text in a charset of its own, name that, such as encoding: \"utf-16le\".";
    match tell.called() {
        Some("read_file") => {
            format!("Call {} to get its bytes as base64. {charset}", tell.again(&[Mend::set("allowBinary", true)]))
        }
        Some("apply_patch" | "edit_file" | "edit" | "write_file" | "workspace_write_patch") => format!(
            "No tool edits the bytes of a binary file: leave it as it is, or ask the user. It can be moved or deleted, and {} gives its bytes as base64. {charset}",
            ready("read_file", &json!({ "path": named(path), "allowBinary": true }))
        ),
        _ => format!("read_file with allowBinary: true gives its bytes as base64. {charset}"),
    }
}

fn encoding(path: &str, charset: &str, line: Option<usize>, unencodable: Option<char>, tell: &Telling<'_>) -> Words {
    match (unencodable, line) {
        (Some(ch), line) => {
            let at = line.map(|line| format!(", needed in line {line}")).unwrap_or_default();
            let message = format!("{path} is in {charset}, which has no {ch:?} (U+{:04X}){at}.", u32::from(ch));
            let next = match text_argument(ch, tell) {
                Some(place) => format!("Set {place} to a text without that character, then call again."),
                None => "Write the new text without that character, then call again.".to_owned(),
            };
            Words::new(message, next)
        }
        (None, line) => {
            let at = line.map(|line| format!("line {line} of ")).unwrap_or_default();
            let message = format!(
                "In {charset}, {at}{path} cannot be decoded and written back without loss, so it is not touched."
            );
            Words::new(message, format!("{} Or edit other lines only.", name_charset(path, tell)))
        }
    }
}

/// The argument that brings this character.
fn text_argument(ch: char, tell: &Telling<'_>) -> Option<String> {
    let holds = |at: &String| tell.given_text(at).is_some_and(|text| text.contains(ch));
    let edits = tell.given("edits").and_then(|edits| edits.as_array()).map_or(0, Vec::len);
    let names = (0..edits).map(|at| format!("edits[{at}].newText"));
    names.chain(["content".to_owned(), "patch".to_owned()]).find(holds)
}

/// A text that may not be found because the file was taken for UTF-8.
pub(super) fn other_charset(path: &str, message: &str, tell: &Telling<'_>) -> Words {
    Words::new(
        format!("{message} {path} is not valid UTF-8: its letters are in a charset that has to be named."),
        name_charset(path, tell),
    )
}

/// The argument that names the charset of a file.
fn place(path: &str, tell: &Telling<'_>) -> String {
    match tell.called() {
        Some("apply_patch") => format!("encodingByPath[{}]", compact(&named(path))),
        _ => "encoding".to_owned(),
    }
}

/// The reading that shows whether a charset is the right one, and the same call with it.
pub(super) fn name_charset(path: &str, tell: &Telling<'_>) -> String {
    let read = ready("read_file", &json!({ "path": named(path), "encoding": LIKELY }));
    let at = place(path, tell);
    // A letter that was shown as U+FFFD is in no charset.
    let next = match tell.call.is_some_and(|call| call.arguments.to_string().contains('\u{fffd}')) {
        true => format!(
            "then call again: set {at} to {LIKELY:?}, and copy from there the letters that stand as U+FFFD in your text"
        ),
        false => format!("then call {}", tell.again(&[Mend::set(at, LIKELY)])),
    };
    format!("Call {read}, or with the charset that it is really in; if the text reads right there, {next}.")
}

/// The pattern with what is not closed closed or taken as it is, where that compiles.
fn glob_next(tell: &Telling<'_>) -> String {
    const WORDS: &str = "Correct the pattern, a glob: close every { and [, and put a character that is meant as itself into brackets, such as [{] or [*].";
    let lists =
        ["includeGlobs", "excludeGlobs"].into_iter().flat_map(|list| (0..16).map(move |at| format!("{list}[{at}]")));
    let places = ["pattern".to_owned(), "query".to_owned()].into_iter().chain(lists);
    let bad = places.filter_map(|at| tell.given_text(&at).map(|text| (at, text.to_owned())));
    let mends: Option<Vec<Mend>> = bad
        .filter(|(_, text)| glob(text).is_err())
        .map(|(at, text)| Some(Mend::set(at, mended_glob(&text)?)))
        .collect();
    match mends {
        Some(mends) if !mends.is_empty() => {
            format!(
                "Call {}. A character that is meant as itself stands in brackets, such as [{{] or [*].",
                tell.again(&mends)
            )
        }
        _ => WORDS.to_owned(),
    }
}

/// A list that is not closed is closed; any other bracket is taken as it is.
fn mended_glob(text: &str) -> Option<String> {
    let closed = format!("{text}}}");
    let literal: String = text
        .chars()
        .map(|ch| match ch {
            '{' | '[' | ']' | '}' => format!("[{ch}]"),
            ch => ch.to_string(),
        })
        .collect();
    let listed = text.rsplit_once('{').is_some_and(|(_, rest)| rest.contains(','));
    let ways = if listed { [closed, literal] } else { [literal, closed] };
    ways.into_iter().find(|way| glob(way).is_ok())
}

/// What does not compile as a regex is most often meant as it stands.
fn pattern_next(tell: &Telling<'_>) -> String {
    let query = tell.given_text("query").unwrap_or_default();
    if let Some(line) = query.lines().find(|line| !line.trim().is_empty()).filter(|_| query.contains('\n')) {
        let mends = [Mend::set("query", line), Mend::set("contextLines", query.lines().count().min(20))];
        return format!("A search goes line by line: call {}, which shows the lines around it.", tell.again(&mends));
    }
    if tell.given_text("mode") == Some("regex")
        && ["(?=", "(?!", "(?<=", "(?<!"].iter().any(|look| query.contains(look))
    {
        return "Write the pattern without look-around ((?=…), (?!…), (?<=…), (?<!…)), which these regexes do not have: match the text around too, and pick from the lines that are found.".to_owned();
    }
    if tell.given_text("mode") == Some("regex") {
        return format!(
            "To find the query as it stands: call {}. As a regex, escape special characters with a backslash.",
            tell.again(&[Mend::set("mode", "text")])
        );
    }
    "Correct the pattern. A search goes line by line, so a query holds no line break; mode \"text\" takes every other character as it is, mode \"regex\" wants special characters escaped with a backslash.".to_owned()
}
