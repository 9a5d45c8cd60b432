//! Words for patches that cannot be read or do not fit: which line of the patch, what is so in the file,
//! and how to mend it.

use super::bare::{bare, named_twice};
use super::content;
use super::diffs;
use super::matching::{first_difference, lines, reason, shown};
use super::message::Words;
use super::ready::{Mend, named as path_value, ready};
use super::telling::Telling;
use patchwright_core::conventions::Conventions;
use patchwright_core::dialect::unified::is_diff;
use patchwright_core::locate::nearest::Nearest;
use patchwright_core::locate::visible;
use patchwright_core::refusal::{Absolute, Grammar, HunkRef, Misfit, Sort, Sought, Syntax, Why};
use serde_json::json;
use std::borrow::Cow;

/// Words for what only a patch can be refused for; nothing for anything else.
pub(super) fn words(path: &str, why: &Why, tell: &Telling<'_>) -> Option<Words> {
    Some(match why {
        Why::Syntax(syntax) => unreadable(syntax, tell),
        Why::HunkMisfit { hunk, misfit } => misfits(path, *hunk, misfit, tell),
        Why::HunkMany { hunk, sought, count, disk, .. } => {
            several(path, *hunk, &Several { sought, count: *count, at: disk }, tell)
        }
        Why::HunkOverlap { hunk, earlier, line } => overlap(path, *hunk, *earlier, *line, tell),
        Why::HunkBare { hunk } => Words::new(
            format!(
                "{} has `+` lines alone: nothing says where in {path} they belong, and the file is not empty.",
                named(*hunk)
            ),
            format!(
                "Call {}, then call again: set patch to one with at least one line of the file as context (a space before it), above or below the new lines.",
                ready("read_file", &json!({ "path": path_value(path) }))
            ),
        ),
        Why::DuplicatePath { other } => Words::new(
            match path == other {
                true => format!("Two sections of the patch are about {path}."),
                false => format!("Two sections of the patch are about one file: {path} and {other}."),
            },
            diffs::one_section(tell),
        ),
        Why::CommitFailed { doing, said } => Words::new(
            format!(
                "The disk did not take the patch at {path} ({doing}): {said}. Everything was taken back; nothing was changed."
            ),
            "Tell the user what the system said; the same patch may work once that is put right.",
        ),
        Why::AbsolutePath(None) => Words::new(
            format!(
                "{path} is an absolute path and lies outside the workspace; a patch takes only paths relative to the workspace."
            ),
            "Use a path relative to the workspace root, such as src/main.rs.",
        ),
        Why::AbsolutePath(Some(absolute)) => Words::new(
            format!("{path} is an absolute path, and a patch takes only paths relative to the workspace."),
            relative(absolute, tell),
        ),
        Why::HunksForLink if deletes(path, tell) => Words::new(
            format!("{path} is a symbolic link: a diff that deletes a file takes its lines, and a link has none."),
            format!(
                "To delete the link itself, set patch to \"*** Begin Patch\\n*** Delete File: {path}\\n*** End Patch\\n\"; to delete the file it points to, name that file in the diff."
            ),
        ),
        Why::HunksForLink => Words::new(
            format!("{path} is a symbolic link: a move takes the link itself, and a link has no lines to change."),
            "Leave the hunks out to move the link, or update the file it points to in a section of its own.",
        ),
        _ => return None,
    })
}

/// Two hunks that touch each other.
fn overlap(path: &str, hunk: HunkRef, earlier: HunkRef, line: usize, tell: &Telling<'_>) -> Words {
    let sees = match is_diff(tell.given_text("patch").unwrap_or_default()) {
        true => "Every hunk of a diff shows the file as it was before all of them.",
        false => "Each hunk sees the file as the earlier ones left it.",
    };
    Words::new(
        format!("{} and {} of {path} change the same lines, around line {line}. {sees}", named(hunk), lower(earlier)),
        format!(
            "Join the two into one hunk that makes both changes at once, and leave out the one at line {}.",
            hunk.at
        ),
    )
}

/// Does the patch that is answered delete this path, and not move it? Only a diff deletes with hunks.
fn deletes(path: &str, tell: &Telling<'_>) -> bool {
    let patch = tell.given_text("patch").unwrap_or_default();
    is_diff(patch) && !patch.lines().any(|line| line.strip_prefix("rename from ") == Some(path))
}

/// What to do about a patch that puts something where something is.
pub(super) fn occupied(path: &str, sort: Sort, tell: &Telling<'_>) -> String {
    let patch = tell.given_text("patch").unwrap_or_default();
    let comes = |line: &&str| {
        let names = |word: &str| line.strip_prefix(word) == Some(path);
        names("rename to ") || names("*** Move to: ") || line.starts_with("*** Move File: ") && line.ends_with(path)
    };
    let moved = patch.lines().find(comes);
    let header = match moved {
        Some(line) => format!("`{}`", visible(line)),
        None if is_diff(patch) => format!("`+++ b/{path}`"),
        None => format!("`*** Add File: {path}`"),
    };
    let read = || ready("read_file", &json!({ "path": path_value(path) }));
    match sort {
        Sort::File if moved.is_some() => format!(
            "Write another path than {path} in {header}, then call again. If what is there may go (to the trash), delete it in a patch of its own first."
        ),
        Sort::File if is_diff(patch) => format!(
            "To change that file: call {}, then call again: set patch to one that names it behind `---` too (`--- a/{path}`), with the lines to change. To keep it, use another path.",
            read()
        ),
        Sort::File => format!(
            "To change that file: call {}, then call again: set patch to one with *** Update File in place of *** Add File, and the lines to change. To keep it, use another path.",
            read()
        ),
        Sort::Folder => {
            format!("Write another path in {header}, perhaps a file name inside that folder, then call again.")
        }
        Sort::Link => format!(
            "Write another path in {header}, then call again; or delete the link first (`*** Delete File: {path}` in a patch of its own)."
        ),
        Sort::Special => format!("Write another path in {header}, then call again."),
    }
}

/// What stands in several places.
struct Several<'a> {
    sought: &'a Sought,
    count: usize,
    /// Those places of it that are told.
    at: &'a [usize],
}

/// A hunk, or the line that it names, that stands in several places.
fn several(path: &str, hunk: HunkRef, found: &Several<'_>, tell: &Telling<'_>) -> Words {
    let Several { sought, count, at } = *found;
    match sought {
        Sought::OldLines { settled } => Words::new(
            format!(
                "{} fits {path} in {count} places, at {}; which one is meant cannot be told.{}",
                named(hunk),
                lines(at),
                on_disk(hunk)
            ),
            more_context(&spanning(path, at), *settled, tell),
        ),
        Sought::Header(header) => Words::new(
            format!(
                "{}: the line `{}` that its @@ names stands in {path} {count} times, at {}.",
                named(hunk),
                visible(header),
                lines(at)
            ),
            "Put another @@ line above it that names the block in which it stands, or copy the line with its indentation; or leave the @@ text out and add context lines.",
        ),
    }
}

/// The reading that shows these lines and their neighbours; all of the file where they are far apart.
fn spanning(path: &str, at: &[usize]) -> String {
    const NEIGHBOURS: usize = 3;
    const FAR: usize = 200;
    let (first, last) = (at.iter().min().copied().unwrap_or(1), at.iter().max().copied().unwrap_or(1));
    let (from, to) = (first.saturating_sub(NEIGHBOURS).max(1), last + NEIGHBOURS);
    match last - first > FAR {
        true => ready("read_file", &json!({ "path": path_value(path) })),
        false => ready("read_file", &json!({ "path": path_value(path), "startLine": from, "endLine": to })),
    }
}

/// Line numbers are those that a reader of the file sees, also where earlier hunks shift what comes below.
fn on_disk(hunk: HunkRef) -> &'static str {
    match hunk.index {
        0 => "",
        _ => {
            " (Lines are those of the file on disk; a place that an earlier hunk brings is shown by the line above it.)"
        }
    }
}

fn named(hunk: HunkRef) -> String {
    format!("Hunk {} (line {} of the patch)", hunk.index, hunk.at)
}

fn lower(hunk: HunkRef) -> String {
    format!("hunk {} (line {})", hunk.index, hunk.at)
}

fn misfits(path: &str, hunk: HunkRef, misfit: &Misfit, tell: &Telling<'_>) -> Words {
    match misfit {
        Misfit::Nowhere { other_charset: true, .. } => {
            let message = format!("{}: its context and `-` lines are not in {path} as they stand.", named(hunk));
            content::other_charset(path, &message, tell)
        }
        Misfit::Nowhere { nearest, already_at, .. } => {
            twice(path, hunk, tell).unwrap_or_else(|| nowhere(path, hunk, nearest.as_deref(), already_at))
        }
        Misfit::NotAtEnd(at) => Words::new(
            format!(
                "{} says that its lines end the file, but in {path} they stand at {}, not at the end.",
                named(hunk),
                lines(at)
            ),
            "Leave out `*** End of File` or the marker `\\ No newline at end of file`, or show the lines that really end the file.",
        ),
        Misfit::EndsInNewline => Words::new(
            format!("{} says that {path} ends without a newline, but it ends with one.", named(hunk)),
            "Leave out the marker `\\ No newline at end of file` under the context or `-` line.",
        ),
        Misfit::NoHeader { header, near } => no_header(path, hunk, header, near),
        Misfit::OutOfScope { header, scope: (first, last), lines: at } => Words::new(
            format!(
                "{}: its context and `-` lines stand in {path} at {}, but not in the block that `@@ {}` names (lines {first} to {last}).",
                named(hunk),
                lines(at),
                visible(header)
            ),
            format!(
                "Put the line that begins the block around the place you mean behind @@. Leave the @@ text out only if the place at {} is meant whatever block it is in.",
                lines(at)
            ),
        ),
        Misfit::LineEnds { at, returns } => line_ends(path, hunk, *at, *returns),
        Misfit::LinesLeft(count) => Words::new(
            format!(
                "Line {} of the patch deletes {path}, but {count} of its lines are not among the `-` lines: the file is not what the diff was made for.",
                hunk.at
            ),
            format!(
                "Read {path} again; if it shall go as it is, send `*** Delete File: {path}` in an envelope (`*** Begin Patch`), else the diff with all its lines."
            ),
        ),
    }
}

/// The names of a diff below the header of an envelope.
fn twice(path: &str, hunk: HunkRef, tell: &Telling<'_>) -> Option<Words> {
    let (at, patch) = named_twice(tell.given_text("patch")?, hunk.at)?;
    let message = format!(
        "Lines {at} and {} of the patch, `---` and `+++`, were read as lines of {path}, which it does not hold: in an envelope the header alone names the file.",
        at + 1
    );
    let next = match tell.whole(&[Mend::set("patch", patch)]) {
        Some(call) => format!("Call {call}."),
        None => format!("Leave out lines {at} and {}, and their like in other sections, then call again.", at + 1),
    };
    Some(Words::new(message, next))
}

/// A new line of a diff that would end otherwise than it is shown.
fn line_ends(path: &str, hunk: HunkRef, at: usize, returns: bool) -> Words {
    let (shown, gets) = if returns { ("\\n", "\\r\\n") } else { ("\\r\\n", "\\n") };
    Words::new(
        format!(
            "{}: line {at} of the patch ends in {shown}, but beside lines of {path} that end in {gets} it would end in {gets}: a patch leaves line ends as they are.",
            named(hunk)
        ),
        format!(
            "If the new lines may end as those beside them do, send the change as an envelope (`*** Begin Patch`, `*** Update File: {path}`), which shows no line ends; else write the file anew with all its lines."
        ),
    )
}

/// How to make one place of several.
fn more_context(look: &str, settled: Option<usize>, tell: &Telling<'_>) -> String {
    let more = format!(
        "{look}, then call again: put neighbouring lines of the place you mean into the hunk as context, above or below, until only that one fits."
    );
    match settled {
        None => format!("Call {more}"),
        Some(line) if !only_updates(tell) => format!(
            "If the place at line {line} is meant, send the hunks of this file in a patch of their own with conventions: \"codex\", which finds it by the text after @@; the rest of this patch may mean something else there. Else call {more}"
        ),
        Some(line) => format!(
            "If the place at line {line} is meant, call {}: there the text after @@ names a block, and in that block only this place fits. Else call {more}",
            tell.again(&[Mend::set("conventions", "codex")])
        ),
    }
}

/// Does the patch only update files, each once? Then the conventions change no more than where its hunks are looked for.
fn only_updates(tell: &Telling<'_>) -> bool {
    let headers: Vec<&str> =
        tell.given_text("patch").unwrap_or_default().lines().filter(|line| line.starts_with("*** ")).collect();
    let updated = |line: &&str| line.starts_with("*** Update File: ");
    let mut paths: Vec<&str> = headers.iter().copied().filter(updated).collect();
    let sections = paths.len();
    paths.sort_unstable();
    paths.dedup();
    let framing = |line: &&str| ["*** Begin Patch", "*** End Patch", "*** End of File"].contains(line);
    paths.len() == sections && sections > 0 && headers.iter().all(|line| updated(line) || framing(line))
}

/// How to write an absolute path: the whole call, or the line.
fn relative(absolute: &Absolute, tell: &Telling<'_>) -> String {
    let call = absolute.patch.as_ref().and_then(|patch| tell.whole(&[Mend::set("patch", patch.as_str())]));
    match call {
        Some(call) => format!("Call {call}."),
        None => format!(
            "Write line {} of the patch as `{}`, and the others that name the file likewise, and send the call again.",
            absolute.line,
            visible(&absolute.header)
        ),
    }
}

/// Without the text after `@@` a hunk may stand anywhere.
const ONLY_IF_ONE: &str =
    "Leave the text behind @@ out only if the hunk is right wherever in the file its lines stand.";

fn no_header(path: &str, hunk: HunkRef, header: &str, near: &[(usize, String)]) -> Words {
    let mut message = format!(
        "{}: the line `{}` that its @@ names is not in {path}, or not in the block of the @@ line before it.",
        named(hunk),
        visible(header)
    );
    for (line, text) in near {
        message.push_str(&format!(" Line {line} is `{}`.", visible(text)));
    }
    let next = match near {
        [(_, text)] => format!("Write `@@ {}` if that line is meant. {ONLY_IF_ONE}", visible(text)),
        _ => format!("Copy the whole line behind @@ from the file. {ONLY_IF_ONE}"),
    };
    Words::new(message, next)
}

fn nowhere(path: &str, hunk: HunkRef, nearest: Option<&Nearest>, already_at: &[usize]) -> Words {
    let mut message = format!("{}: its context and `-` lines are not in {path} as they stand.", named(hunk));
    if let Some(nearest) = nearest {
        message.push_str(&format!(
            " The closest place begins at line {}: {}.",
            nearest.start_line,
            reason(nearest.looks_like)
        ));
        message.push_str(&first_difference(nearest, "the hunk"));
    }
    if let Some(first) = already_at.first() {
        message.push_str(&format!(
            " Its new lines already stand at {}, so this hunk may have been applied before.",
            lines(already_at)
        ));
        let next = format!(
            "Read {path} around line {first}: if the change is there already, leave the hunk out; else copy its lines from what you read."
        );
        return Words::new(message, next);
    }
    let look = match nearest {
        Some(nearest) => shown(path, nearest),
        None => ready("read_file", &json!({ "path": path_value(path) })),
    };
    Words::new(
        message,
        format!(
            "Call {look}, copy the context and `-` lines from there character by character, and send the patch again."
        ),
    )
}

/// How the call wants its patch read.
fn conventions(tell: &Telling<'_>) -> Conventions {
    if tell.given_text("conventions") == Some("codex") { Conventions::Codex } else { Conventions::Strict }
}

fn unreadable(syntax: &Syntax, tell: &Telling<'_>) -> Words {
    let found = match &syntax.found {
        Some(text) if text.is_empty() => "is empty".to_owned(),
        Some(text) if text.contains('`') => format!("is {:?}", visible(text)),
        Some(text) => format!("is `{}`", visible(text)),
        None => "is missing: the patch ends before it".to_owned(),
    };
    let message = format!("Line {} of the patch {found}; expected was {}.", syntax.line, expected(syntax.expected));
    let bare = tell.given_text("patch").and_then(|patch| bare(patch, conventions(tell)));
    let mended = bare.map(|patch| tell.whole(&[Mend::set("patch", patch)]));
    let next = match mended.flatten() {
        Some(call) => format!("Call {call}."),
        None => remedy(syntax, tell),
    };
    Words::new(message, next)
}

/// What should stand there, as a noun.
pub(super) fn expected(grammar: Grammar) -> Cow<'static, str> {
    diffs::expected(grammar).unwrap_or_else(|| Cow::Borrowed(in_envelope(grammar)))
}

fn in_envelope(grammar: Grammar) -> &'static str {
    match grammar {
        Grammar::Begin => "`*** Begin Patch` and nothing before it, or a unified diff from its first line on",
        Grammar::SectionOrEnd => {
            "a section (`*** Add File: …`, `*** Update File: …`, `*** Delete File: …`, `*** Move File: … -> …`), `*** End Patch`, or after a hunk another `@@`"
        }
        Grammar::Section => {
            "a section: `*** Add File: PATH`, `*** Update File: PATH`, `*** Delete File: PATH` or `*** Move File: OLD -> NEW`"
        }
        Grammar::Nothing => "nothing after `*** End Patch`",
        Grammar::Path => "one space and a path after the colon, without blanks around it",
        Grammar::FromTo => "`*** Move File: OLD -> NEW` with one ` -> ` between the two paths",
        Grammar::AddLine => "a line of the new file with `+` before it, another section, or `*** End Patch`",
        Grammar::Hunk => "a hunk: `@@`, and lines below it (a move may do without)",
        Grammar::FirstHunkLine => "a line of the hunk: with a space, `-` or `+` before it",
        Grammar::HunkLine => "a line with a space, `-` or `+` before it, `@@`, another section, or `*** End Patch`",
        Grammar::NoBody => "another section or `*** End Patch`: a delete has no body",
        Grammar::LineAboveMarker => {
            "the marker `\\ No newline at end of file` only once, under a line that is not empty"
        }
        Grammar::MarkerAtEnd => "the marker `\\ No newline at end of file` only under the last line of the file",
        Grammar::HeredocEnd => "the word that closes the heredoc",
        _ => "a line of the patch",
    }
}

fn remedy(syntax: &Syntax, tell: &Telling<'_>) -> String {
    if syntax.found.is_none() && syntax.expected == Grammar::DiffHunk {
        return "The diff says that there is text to change and brings none: it was probably cut off. Set patch to the whole of it; split a long one into several calls.".to_owned();
    }
    if let Some(step) = diffs::remedy(syntax.expected, tell) {
        return step.into_owned();
    }
    if let Some(step) = syntax.found.as_deref().and_then(|found| by_line(found, syntax.expected)) {
        return step.to_owned();
    }
    let fenced = syntax.found.as_deref().is_some_and(|found| found.trim_start().starts_with("```"));
    let step = match syntax.expected {
        _ if fenced => {
            "Leave the ``` fence out; the patch is the plain text from `*** Begin Patch` to `*** End Patch`, or a unified diff."
        }
        Grammar::HeredocEnd => "Close the heredoc with its word on a line of its own, or send the patch without it.",
        _ if syntax.found.is_none() => {
            "The patch was probably cut off: set patch to the whole of it, ending with `*** End Patch`; split a long one into several calls."
        }
        Grammar::Begin if tell.given_text("patch").is_some_and(diffs::is_wrapped) => {
            "A unified diff must begin with the first line of patch, `diff --git …` or `--- …`: send it alone, without the lines above and below it, such as those of a heredoc."
        }
        Grammar::Begin => {
            "Let `*** Begin Patch` be the very first line, or that of a unified diff, `diff --git …` or `--- …`. If the patch comes in a heredoc or with padded markers, conventions: \"codex\" reads it."
        }
        Grammar::HunkLine | Grammar::FirstHunkLine => {
            "Give every line of the hunk its sign: a space before a line that stays (also before its indentation), `-` before one that goes, `+` before one that comes."
        }
        Grammar::AddLine => "Set patch to one with `+` before every line of the new file, also before empty ones.",
        Grammar::Hunk => "Put a line `@@` below the header, and below that the lines of the hunk with their signs.",
        Grammar::Path => "Write the path after the colon and one space, such as `*** Update File: src/main.rs`.",
        Grammar::FromTo => "Write `*** Move File: old/path -> new/path`.",
        Grammar::LineAboveMarker | Grammar::MarkerAtEnd => {
            "Put the marker under the last line of the file, or leave it out."
        }
        Grammar::Nothing => "Put everything between `*** Begin Patch` and one `*** End Patch`.",
        _ => {
            "Begin each file with its header line, such as `*** Update File: src/main.rs`, and end the patch with `*** End Patch`."
        }
    };
    step.to_owned()
}

/// What to do about a line that is nearly a marker, whatever else could stand there.
fn by_line(found: &str, expected: Grammar) -> Option<&'static str> {
    let bare = found.trim();
    let marker = matches!(expected, Grammar::LineAboveMarker | Grammar::MarkerAtEnd);
    Some(match bare {
        _ if bare.starts_with('\\') && !marker => {
            "Only the marker `\\ No newline at end of file`, in these very words and once, may begin with a backslash: write it so under the last line, or leave it out. A line of the file that begins with a backslash takes its sign (space, `-` or `+`) before it."
        }
        "*** Begin Patch" | "*** End Patch" if found != bare => {
            "Write that marker without blanks before or after it; conventions: \"codex\" reads padded ones."
        }
        _ if ["*** Create File:", "*** New File:"].iter().any(|word| bare.starts_with(word)) => {
            "A new file begins with `*** Add File: PATH`, and has `+` before each of its lines."
        }
        _ if bare.starts_with("*** Rename File:") => "Write `*** Move File: OLD -> NEW`.",
        _ if expected == Grammar::NoBody => {
            "Leave out the lines below `*** Delete File: PATH`: the file goes as a whole. To take lines out of a file, use `*** Update File: PATH`."
        }
        "*** Begin Patch" => "Send one patch a call, with one `*** Begin Patch` at its beginning.",
        "*** End of File" => "Leave `*** End of File` out: it may only stand right below the lines of a hunk.",
        _ if bare.starts_with("*** Move to:") => {
            "Put `*** Move to:` directly under `*** Update File:`, above the hunks, or use `*** Move File: OLD -> NEW`."
        }
        _ if expected == Grammar::FromTo => {
            "Write `*** Move File: old/path -> new/path`. For a name that itself holds ` -> `, write `*** Update File: old/path` and below it `*** Move to: new/path`."
        }
        _ => return None,
    })
}

/// The lines around a place that cannot be read, the place itself marked.
pub(super) fn excerpt(syntax: &Syntax) -> String {
    let row = |(number, text): &(usize, String)| {
        let mark = if *number == syntax.line { '>' } else { ' ' };
        format!("{mark}{number:>6} | {}\n", visible(text))
    };
    syntax.excerpt.iter().map(row).collect()
}
