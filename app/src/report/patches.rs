//! Words for patches that cannot be read or do not fit: which line of the patch, what is so in the file,
//! and how to mend it.

use super::matching::{first_difference, lines, reason};
use super::words::{self, Words};
use patchwright_core::locate::nearest::Nearest;
use patchwright_core::locate::visible;
use patchwright_core::refusal::{Grammar, HunkRef, Misfit, Sought, Syntax, Why};

/// Words for what only a patch can be refused for; nothing for anything else.
pub(super) fn words(path: &str, why: &Why) -> Option<Words> {
    Some(match why {
        Why::Syntax(syntax) => unreadable(syntax),
        Why::HunkMisfit { hunk, misfit } => misfits(path, *hunk, misfit),
        Why::HunkMany { hunk, sought: Sought::OldLines, count, disk: at, .. } => Words::new(
            format!(
                "{} fits {path} in {count} places, at {}; which one is meant cannot be told.{}",
                named(*hunk),
                lines(at),
                on_disk(*hunk)
            ),
            "Add neighbouring lines of the place you mean as context, above or below, until only that one fits.",
        ),
        Why::HunkMany { hunk, sought: Sought::Header(header), count, disk: at, .. } => Words::new(
            format!(
                "{}: the line `{}` that its @@ names stands in {path} {count} times, at {}.",
                named(*hunk),
                visible(header),
                lines(at)
            ),
            "Name a line that is there only once, put another @@ line above it to narrow further, or leave the @@ text out and add context lines.",
        ),
        Why::HunkOverlap { hunk, earlier, line } => Words::new(
            format!(
                "{} and {} of {path} change the same lines, around line {line}. Each hunk sees the file as the earlier ones left it.",
                named(*hunk),
                lower(*earlier)
            ),
            format!("Join the two into one hunk that makes both changes at once, and leave out hunk {}.", hunk.index),
        ),
        Why::HunkBare { hunk } => Words::new(
            format!(
                "{} has `+` lines alone: nothing says where in {path} they belong, and the file is not empty.",
                named(*hunk)
            ),
            "Add at least one line of the file as context (a space before it), above or below the new lines.",
        ),
        Why::DuplicatePath { other } => Words::new(
            match path == other {
                true => format!("Two sections of the patch are about {path}."),
                false => format!("Two sections of the patch are about one file: {path} and {other}."),
            },
            "Put everything about one file into one section: several hunks below one *** Update File, or hunks below *** Move File. What cannot be one section takes two patches, one after the other.",
        ),
        Why::CommitFailed { doing, said } => Words::new(
            format!(
                "The disk did not take the patch at {path} ({doing}): {said}. Everything was taken back; nothing was changed."
            ),
            "Tell the user what the system said; the same patch may work once that is put right.",
        ),
        Why::AbsolutePath => Words::new(
            format!("{path} is an absolute path, and a patch takes only paths relative to the workspace."),
            "Write the path relative to the workspace root, without a slash at its beginning.",
        ),
        Why::HunksForLink => Words::new(
            format!("{path} is a symbolic link: a move takes the link itself, and a link has no lines to change."),
            "Leave the hunks out to move the link, or update the file it points to in a section of its own.",
        ),
        _ => return None,
    })
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

fn misfits(path: &str, hunk: HunkRef, misfit: &Misfit) -> Words {
    match misfit {
        Misfit::Nowhere { other_charset: true, .. } => {
            let message = format!("{}: its context and `-` lines are not in {path} as they stand.", named(hunk));
            words::other_charset(path, &message, &words::named_charset_by_path(path))
        }
        Misfit::Nowhere { nearest, already_at, .. } => nowhere(path, hunk, nearest.as_deref(), already_at),
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
        Misfit::NoHeader(header) => Words::new(
            format!(
                "{}: the line `{}` that its @@ names is not in {path}, or not below the @@ line before it.",
                named(hunk),
                visible(header)
            ),
            "Copy the line after @@ from the file with its indentation, or leave it out.",
        ),
    }
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
    let next = match nearest {
        Some(nearest) => {
            let end = nearest.lines.iter().map(|pair| pair.line_no).max().unwrap_or(nearest.start_line);
            format!(
                "Read {path} with startLine {} and endLine {end}, copy the context and `-` lines from there character by character, and send the patch again.",
                nearest.start_line
            )
        }
        None => format!(
            "Read {path} again (or find the place with search_files), copy the context and `-` lines from there character by character, and send the patch again."
        ),
    };
    Words::new(message, next)
}

fn unreadable(syntax: &Syntax) -> Words {
    let found = match &syntax.found {
        Some(text) if text.is_empty() => "is empty".to_owned(),
        Some(text) if text.contains('`') => format!("is {:?}", visible(text)),
        Some(text) => format!("is `{}`", visible(text)),
        None => "is missing: the patch ends before it".to_owned(),
    };
    let message = format!("Line {} of the patch {found}; expected was {}.", syntax.line, expected(syntax.expected));
    Words::new(message, remedy(syntax))
}

/// What should stand there, as a noun.
pub(super) fn expected(grammar: Grammar) -> &'static str {
    match grammar {
        Grammar::Begin => "`*** Begin Patch` and nothing before it",
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
    }
}

fn remedy(syntax: &Syntax) -> String {
    if let Some(step) = syntax.found.as_deref().and_then(|found| by_line(found, syntax.expected)) {
        return step.to_owned();
    }
    let fenced = syntax.found.as_deref().is_some_and(|found| found.trim_start().starts_with("```"));
    let step = match syntax.expected {
        _ if fenced => {
            "Leave the ``` fence out; the patch is the plain text from `*** Begin Patch` to `*** End Patch`."
        }
        Grammar::HeredocEnd => "Close the heredoc with its word on a line of its own, or send the patch without it.",
        _ if syntax.found.is_none() => {
            "The patch was probably cut off: send it again whole, ending with `*** End Patch`; split a long one into several calls."
        }
        Grammar::Begin => {
            "Let `*** Begin Patch` be the very first line. If the patch comes in a heredoc or with padded markers, conventions: \"codex\" reads it."
        }
        Grammar::HunkLine | Grammar::FirstHunkLine => {
            "Give every line of the hunk its sign: a space before a line that stays (also before its indentation), `-` before one that goes, `+` before one that comes."
        }
        Grammar::AddLine => "Put `+` before every line of the new file, also before empty ones.",
        Grammar::Hunk => "Put a line `@@` below the header, and below that the lines of the hunk with their signs.",
        Grammar::Path => "Write the path after the colon and one space, such as `*** Update File: src/main.rs`.",
        Grammar::FromTo => "Write `*** Move File: old/path -> new/path`.",
        Grammar::LineAboveMarker | Grammar::MarkerAtEnd => {
            "Put the marker under the last line of the file, or leave it out."
        }
        Grammar::Nothing => "Put everything between `*** Begin Patch` and one `*** End Patch`.",
        Grammar::Section | Grammar::SectionOrEnd | Grammar::NoBody => {
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
