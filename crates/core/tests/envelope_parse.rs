//! Envelopes read: what each sentence of the grammar accepts, what it refuses and on which line, and
//! what is noted on the way.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use patchwright_core::conventions::Conventions;
use patchwright_core::conventions::Conventions::{Codex, Strict};
use patchwright_core::dialect::envelope::Reading::{
    BlankAroundMarker, CrLf, EmptyContext, EndOfFile, Heredoc, MoveTo, NoAt, PaddedMarker, SeveralAt, SkippedBlank,
};
use patchwright_core::dialect::envelope::{Parsed, Reading, Section, parse, print};
use patchwright_core::refusal::{Grammar, Syntax, Why};

const MARKER: &str = "\\ No newline at end of file";

fn fault(text: &str, conventions: Conventions) -> Syntax {
    match parse(text, conventions).unwrap_err().why {
        Why::Syntax(syntax) => *syntax,
        other => panic!("{other:?}"),
    }
}

/// Between the markers; the first line of `body` is line 2. `plain` is the same without kindness.
fn check(conventions: Conventions, body: &str, plain: &str, readings: &[(Reading, usize, usize)]) {
    let text = format!("*** Begin Patch\n{body}*** End Patch\n");
    check_whole(conventions, &text, plain, readings);
}

fn check_whole(conventions: Conventions, text: &str, plain: &str, readings: &[(Reading, usize, usize)]) {
    let parsed = parse(text, conventions).unwrap_or_else(|refusal| panic!("{text}: {refusal:?}"));
    assert_eq!(print(&parsed.patch), format!("*** Begin Patch\n{plain}*** End Patch\n"), "{text}");
    let noted: Vec<_> = parsed.readings.iter().map(|noted| (noted.reading, noted.line, noted.count)).collect();
    assert_eq!(noted, readings, "{text}");
    check_places(text, &parsed);
}

/// Every place points at a line that holds what it says.
fn check_places(text: &str, parsed: &Parsed) {
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(parsed.places.len(), parsed.patch.sections.len());
    for (section, place) in parsed.patch.sections.iter().zip(&parsed.places) {
        assert!(lines[place.span.first - 1].trim().starts_with("*** "), "{text}");
        if let Section::Add { lines: added, .. } = section {
            for (at, line) in added.iter().enumerate() {
                assert_eq!(lines[place.span.first + at], format!("+{line}"), "{text}");
            }
        }
        assert_eq!(place.hunks.len(), section.hunks().len());
        for (hunk, at) in section.hunks().iter().zip(&place.hunks) {
            assert!(place.span.first < at.span.first && at.span.last <= place.span.last, "{text}");
            assert_eq!(at.lines.len(), hunk.lines.len());
            for (line, number) in hunk.lines.iter().zip(&at.lines) {
                let shown = lines[number - 1];
                assert!(shown.is_empty() || shown == format!("{}{}", line.sign.symbol(), line.text), "{text}");
                assert!((at.span.first..=at.span.last).contains(number), "{text}");
            }
        }
    }
}

/// Between the markers; the first line of `body` is line 2.
fn refuse(body: &str, line: usize, expected: Grammar) {
    refuse_whole(Strict, &format!("*** Begin Patch\n{body}*** End Patch\n"), line, expected);
}

fn refuse_whole(conventions: Conventions, text: &str, line: usize, expected: Grammar) {
    let found = fault(text, conventions);
    assert_eq!((found.line, found.expected), (line, expected), "{text}");
    assert_eq!(found.found.as_deref(), text.lines().nth(line - 1), "{text}");
    assert!(found.excerpt.iter().all(|(number, shown)| text.lines().nth(number - 1) == Some(shown)), "{text}");
    assert!(found.excerpt.iter().all(|(number, _)| number.abs_diff(line) <= 2), "{text}");
}

#[test]
fn plain_sections_need_no_note() {
    for body in [
        "*** Delete File: a b\n",
        "*** Add File: a\n",
        "*** Add File: a\n+\n+ x\n++\n+*** End Patch\n",
        &format!("*** Add File: a\n+x\n{MARKER}\n"),
        &format!("*** Add File: a\n+\n{MARKER}\n*** Delete File: b\n"),
        "*** Update File: a\n@@\n-x\n",
        "*** Update File: a\n@@ fn x()\n  x\n-\n+\ty\n \n@@\n+z\n*** Delete File: b\n",
        "*** Update File: a\n@@ -1,2 +1,2 @@\n *** End Patch\n-*** End of File\n",
        "*** Move File: a -> b\n",
        "*** Move File: a->b -> c -d>\n@@\n-x\n",
        &format!("*** Update File: a\n@@\n x\n{MARKER}\n"),
        &format!("*** Update File: a\n@@\n-x\n{MARKER}\n+x\n{MARKER}\n"),
        &format!("*** Update File: a\n@@\n+x\n{MARKER}\n-x\n{MARKER}\n"),
        &format!("*** Update File: a\n@@\n-x\n{MARKER}\n+y\n+z\n@@\n-q\n"),
    ] {
        check(Strict, body, body, &[]);
        check(Codex, body, body, &[]);
    }
}

#[test]
fn headers_lose_one_space() {
    check(Strict, "*** Update File: a\n@@x\n-x\n", "*** Update File: a\n@@ x\n-x\n", &[]);
    check(Strict, "*** Update File: a\n@@ \n-x\n", "*** Update File: a\n@@\n-x\n", &[]);
    check(Strict, "*** Update File: a\n@@  x \n-x\n", "*** Update File: a\n@@  x \n-x\n", &[]);
}

#[test]
fn kind_readings_are_noted() {
    let moved = "*** Update File: a\n*** Move to: b -> c\n@@\n-x\n";
    check(Strict, moved, moved, &[(MoveTo, 3, 1)]);
    let only_moved = "*** Update File: a\n*** Move to: b\n";
    check(Strict, only_moved, only_moved, &[(MoveTo, 3, 1)]);
    check(Strict, &format!("{only_moved}\n"), only_moved, &[(MoveTo, 3, 1), (BlankAroundMarker, 4, 1)]);
    let closed = "*** Update File: a\n@@\n-x\n*** End of File\n@@\n-y\n*** End of File\n*** Delete File: b\n";
    check(Strict, closed, closed, &[(EndOfFile, 5, 2)]);
    let headless = "*** Update File: a\n-x\n@@\n-y\n";
    check(Strict, headless, headless, &[(NoAt, 3, 1)]);
    check(Strict, "*** Move File: a -> b\n+x\n", "*** Move File: a -> b\n+x\n", &[(NoAt, 3, 1)]);
    let several = "*** Update File: a\n@@ class\n@@\n@@ def\n-x\n";
    check(Strict, several, several, &[(SeveralAt, 4, 1)]);
    check(Codex, several, several, &[]); // there they nest
}

#[test]
fn empty_lines_in_hunks() {
    let update = |body: &str| format!("*** Update File: a\n@@\n{body}");
    let row = |given: &str, plain: &str, readings: &[(Reading, usize, usize)]| {
        check(Strict, &update(given), &update(plain), readings);
    };
    row("-x\n\n\n-y\n", "-x\n \n \n-y\n", &[(EmptyContext, 5, 2)]);
    row("-x\n\n\n", "-x\n", &[(SkippedBlank, 5, 2)]);
    row("-x\n\n@@\n-y\n\n*** Delete File: b\n", "-x\n@@\n-y\n*** Delete File: b\n", &[(SkippedBlank, 5, 2)]);
    row("\n", " \n", &[(EmptyContext, 4, 1)]);
    row("\n\n", " \n", &[(EmptyContext, 4, 1), (SkippedBlank, 5, 1)]);
    row("\n\n-x\n", " \n \n-x\n", &[(EmptyContext, 4, 2)]);
    row("-x\n \n", "-x\n \n", &[]); // with its space it is context wherever it stands
    row("-x\n\n*** End of File\n", "-x\n*** End of File\n", &[(SkippedBlank, 5, 1), (EndOfFile, 6, 1)]);
    row("\n*** End of File\n", " \n*** End of File\n", &[(EmptyContext, 4, 1), (EndOfFile, 5, 1)]);
    row("-x\n*** End of File\n\n@@\n-y\n", "-x\n*** End of File\n@@\n-y\n", &[(EndOfFile, 5, 1), (SkippedBlank, 6, 1)]);
    row("-x\n*** End of File\n\n", "-x\n*** End of File\n", &[(EndOfFile, 5, 1), (BlankAroundMarker, 6, 1)]);
    row(&format!("-x\n{MARKER}\n\n"), &format!("-x\n{MARKER}\n"), &[(SkippedBlank, 6, 1)]);
}

#[test]
fn blank_lines_between_and_around() {
    let delete = "*** Delete File: a\n";
    let add = "*** Add File: b\n+x\n";
    check(Strict, &format!("\n \t\n{delete}"), delete, &[(BlankAroundMarker, 2, 2)]);
    check(
        Strict,
        &format!("{delete}\n{add} \n\n"),
        &format!("{delete}{add}"),
        &[(SkippedBlank, 3, 1), (BlankAroundMarker, 6, 2)],
    );
    let whole = format!("\n\n*** Begin Patch\n{delete}*** End Patch\n \n");
    check_whole(Strict, &whole, delete, &[(BlankAroundMarker, 1, 3)]);
    check_whole(Strict, &format!("*** Begin Patch\n{delete}*** End Patch"), delete, &[]);
}

#[test]
fn carriage_returns_are_ends_or_content() {
    let text = "*** Begin Patch\r\n*** Add File: a\r\n+x\r\n+y\r\r\n+z\rz\n*** End Patch\r\n";
    check_whole(Strict, text, "*** Add File: a\n+x\n+y\r\r\n+z\rz\n", &[(CrLf, 1, 1)]);
    let update = "*** Begin Patch\r\n*** Update File: a\r\n@@\r\n x\r\n\r\n-y\r\n\r\n*** End Patch\r\n";
    let readings = [(CrLf, 1, 1), (EmptyContext, 5, 1), (SkippedBlank, 7, 1)];
    check_whole(Strict, update, "*** Update File: a\n@@\n x\n \n-y\n", &readings);
    refuse("*** Delete File: a\r\r\n", 2, Grammar::Path); // one ends the line, the other would end the path
}

#[test]
fn text_around_is_refused() {
    let patch = "*** Begin Patch\n*** Delete File: a\n*** End Patch\n";
    for (text, line, expected) in [
        ("", 1, Grammar::Begin),
        ("\n\n", 3, Grammar::Begin),
        (&format!("Here you are:\n{patch}"), 1, Grammar::Begin),
        (&format!("{patch}\nDone.\n"), 5, Grammar::Nothing),
        (&format!("{patch}{patch}"), 4, Grammar::Nothing),
        (&format!("\u{FEFF}{patch}"), 1, Grammar::Begin),
        ("*** begin patch\n", 1, Grammar::Begin),
        (" *** Begin Patch\n", 1, Grammar::Begin),
        ("*** Begin Patch \n", 1, Grammar::Begin),
        ("<<EOF\n*** Begin Patch\n", 1, Grammar::Begin),
        ("*** Begin Patch", 2, Grammar::Section),
        ("*** Begin Patch\n\n*** End Patch\n", 3, Grammar::Section),
        ("*** Begin Patch\n*** Begin Patch\n", 2, Grammar::Section),
        ("*** Begin Patch\n@@\n", 2, Grammar::Section),
        ("*** Begin Patch\n*** Move to: a\n", 2, Grammar::Section),
    ] {
        refuse_whole(Strict, text, line, expected);
    }
}

#[test]
fn a_patch_cut_off_misses_its_end() {
    for (text, line, expected) in [
        ("*** Delete File: a\n", 3, Grammar::SectionOrEnd),
        ("*** Delete File: a\n\n", 4, Grammar::SectionOrEnd),
        ("*** Add File: a\n+x\n+y", 5, Grammar::SectionOrEnd),
        ("*** Add File: a\n+x\n\n", 5, Grammar::SectionOrEnd),
        ("*** Update File: a\n@@\n-x\n+y\n", 6, Grammar::SectionOrEnd),
        ("*** Update File: a\n@@\n-x\n\n\n", 7, Grammar::SectionOrEnd),
        ("*** Update File: a\n@@\n-x\n*** End of File\n", 6, Grammar::SectionOrEnd),
        ("*** Update File: a\n@@\n-x\n@@", 6, Grammar::FirstHunkLine),
        ("*** Update File: a\n", 3, Grammar::Hunk),
        ("*** Move File: a -> b\n", 3, Grammar::SectionOrEnd),
    ] {
        refuse_whole(Strict, &format!("*** Begin Patch\n{text}"), line, expected);
    }
}

#[test]
fn paths() {
    for (body, expected) in [
        ("*** Add File:\n", Grammar::Path),
        ("*** Add File: \n", Grammar::Path),
        ("*** Add File:a\n", Grammar::Path),
        ("*** Update File:  a\n", Grammar::Path),
        ("*** Delete File: a \n", Grammar::Path),
        ("*** Delete File: a\u{A0}\n", Grammar::Path),
        ("*** Move File:\n", Grammar::Path),
        ("*** Move File: \n", Grammar::Path),
        ("*** Move File: a  -> b\n", Grammar::Path),
        ("*** Move File: a -> b \n", Grammar::Path),
        ("*** Move File: a\n", Grammar::FromTo),
        ("*** Move File: a ->\n", Grammar::FromTo),
        ("*** Move File: a -> \n", Grammar::FromTo),
        ("*** Move File:  -> a\n", Grammar::FromTo),
        ("*** Move File: a -> b -> c\n", Grammar::FromTo),
        ("*** Move File: a -> -> b\n", Grammar::FromTo),
        ("*** Move File: a->b\n", Grammar::FromTo),
        ("*** Rename File: a\n", Grammar::Section),
        (" *** Delete File: a\n", Grammar::Section),
    ] {
        refuse(body, 2, expected);
    }
    refuse("*** Update File: a\n*** Move to: \n@@\n-x\n", 3, Grammar::Path);
    refuse("*** Update File: a\n@@\n-x\n*** Add File:\n", 5, Grammar::Path);
}

#[test]
fn bodies_of_whole_files() {
    for (body, line, expected) in [
        ("*** Add File: a\n+x\ny\n", 4, Grammar::AddLine),
        ("*** Add File: a\n+x\n y\n", 4, Grammar::AddLine),
        ("*** Add File: a\n+x\n\n+y\n", 4, Grammar::AddLine),
        ("*** Add File: a\n\n+y\n", 3, Grammar::AddLine),
        ("*** Add File: a\n@@\n+y\n", 3, Grammar::AddLine),
        ("*** Add File: a\n+y\n*** End of File\n", 4, Grammar::AddLine),
        ("*** Add File: a\n+y\n\\ No newline\n", 4, Grammar::AddLine),
        (&format!("*** Add File: a\n+y\n\n{MARKER}\n"), 4, Grammar::AddLine),
        (&format!("*** Add File: a\n{MARKER}\n"), 3, Grammar::LineAboveMarker),
        (&format!("*** Add File: a\n+x\n{MARKER}\n{MARKER}\n"), 5, Grammar::SectionOrEnd),
        (&format!("*** Add File: a\n+x\n{MARKER}\n+y\n"), 5, Grammar::SectionOrEnd),
        ("*** Delete File: a\n-x\n", 3, Grammar::NoBody),
        ("*** Delete File: a\n\n@@\n", 4, Grammar::NoBody),
        ("*** Delete File: a\n*** Move to: b\n", 3, Grammar::NoBody),
    ] {
        refuse(body, line, expected);
    }
}

#[test]
fn hunks_out_of_shape() {
    for (body, line, expected) in [
        ("", 3, Grammar::Hunk),
        ("\n", 4, Grammar::Hunk),
        ("\n@@\n-x\n", 3, Grammar::Hunk),
        ("x\n", 3, Grammar::Hunk),
        ("*** Move to: b\n\n@@\n-x\n", 4, Grammar::Hunk),
        ("*** Move to: b\n*** Move to: c\n", 4, Grammar::Hunk),
        ("*** End of File\n", 3, Grammar::Hunk),
        (&format!("{MARKER}\n"), 3, Grammar::Hunk),
        ("@@\n", 4, Grammar::FirstHunkLine),
        ("@@\n@@\n", 5, Grammar::FirstHunkLine),
        ("@@\nx\n", 4, Grammar::FirstHunkLine),
        ("@@\n*** End of File\n", 4, Grammar::FirstHunkLine),
        ("@@\n-x\n\ty\n", 5, Grammar::HunkLine),
        ("@@\n-x\nlost its space\n", 5, Grammar::HunkLine),
        ("@@\n-x\n*** Something\n", 5, Grammar::HunkLine),
        ("@@\n-x\n\n*** Something\n", 6, Grammar::HunkLine),
        ("@@\n-x\n*** Move to: b\n", 5, Grammar::HunkLine),
        ("@@\n-x\n*** End Patch \n", 5, Grammar::HunkLine),
        ("@@\n-x\n@\n", 5, Grammar::HunkLine),
        ("@@\n-x\n\\ no newline at end of file\n", 5, Grammar::HunkLine),
        ("@@\n-x\n*** End of File\n-y\n", 6, Grammar::SectionOrEnd),
        ("@@\n-x\n*** End of File\n\n\n-y\n", 8, Grammar::SectionOrEnd),
        ("@@\n-x\n*** End of File\n*** End of File\n", 6, Grammar::SectionOrEnd),
    ] {
        refuse(&format!("*** Update File: a\n{body}"), line, expected);
    }
}

#[test]
fn markers_stand_under_the_last_line_of_a_side() {
    // In these bodies `\` stands for the marker.
    for (body, line, expected) in [
        ("\\\n-x\n", 4, Grammar::LineAboveMarker),
        ("-x\n\\\n\\\n", 6, Grammar::LineAboveMarker),
        ("-\n\\\n", 5, Grammar::LineAboveMarker),
        ("+\n\\\n", 5, Grammar::LineAboveMarker),
        (" \n\\\n", 5, Grammar::LineAboveMarker),
        ("-x\n\n\\\n", 6, Grammar::LineAboveMarker),
        ("-x\n\\\n-y\n", 5, Grammar::MarkerAtEnd),
        ("-x\n\\\n y\n", 5, Grammar::MarkerAtEnd),
        ("-x\n\\\n\n+y\n", 5, Grammar::MarkerAtEnd),
        ("+x\n\\\n+y\n", 5, Grammar::MarkerAtEnd),
        ("+x\n\\\n-z\n y\n", 5, Grammar::MarkerAtEnd),
        (" x\n\\\n+y\n", 5, Grammar::MarkerAtEnd),
        (" x\n\\\n-y\n", 5, Grammar::MarkerAtEnd),
        ("-x\n\\\n+y\n\\\n+z\n", 7, Grammar::MarkerAtEnd),
    ] {
        let body = body.replace("\\\n", &format!("{MARKER}\n"));
        refuse(&format!("*** Update File: a\n@@\n{body}"), line, expected);
    }
}

#[test]
fn codex_conventions_read_padding_and_a_heredoc() {
    let delete = "*** Delete File: a\n";
    check(Codex, " *** Delete File:  a \n", delete, &[(PaddedMarker, 2, 2)]);
    check(
        Codex,
        "*** Add File: a\n+x\n  *** Delete File: a\n",
        &format!("*** Add File: a\n+x\n{delete}"),
        &[(PaddedMarker, 4, 1)],
    );
    check(Codex, "*** Move File: a  ->  b\n", "*** Move File: a -> b\n", &[(PaddedMarker, 2, 2)]);
    let hunk = "*** Update File: a\n@@\n *** Delete File: a\n";
    check(Codex, hunk, hunk, &[]); // a context line
    check(
        Codex,
        "*** Update File: a\n@@\n-x\n*** End of File \n",
        "*** Update File: a\n@@\n-x\n*** End of File\n",
        &[(EndOfFile, 5, 1), (PaddedMarker, 5, 1)],
    );
    let last = "*** Begin Patch\n*** Update File: a\n@@\n *** End Patch\n-x\n  *** End Patch\n\n";
    let plain = "*** Update File: a\n@@\n *** End Patch\n-x\n";
    check_whole(Codex, last, plain, &[(PaddedMarker, 6, 1), (BlankAroundMarker, 7, 1)]);
    let padded = "\t*** Begin Patch \n*** Delete File: a\n  *** End Patch\n";
    check_whole(Codex, padded, delete, &[(PaddedMarker, 1, 2)]);
    for open in ["<<EOF", "<<'EOF'", "apply_patch <<\"EOF\""] {
        let text = format!("{open}\n*** Begin Patch\n{delete}*** End Patch\nEOF\n\n");
        check_whole(Codex, &text, delete, &[(Heredoc, 1, 1)]);
    }
    refuse_whole(Codex, "<<EOF\n*** Begin Patch\n*** Delete File: a\n*** End Patch\n", 5, Grammar::HeredocEnd);
    refuse_whole(Codex, "<<EOF\n", 2, Grammar::HeredocEnd);
    refuse_whole(Codex, "<<EOF\n*** Begin Patch\n*** Delete File: a\nEOF\n", 4, Grammar::SectionOrEnd);
    refuse_whole(Codex, "*** Begin Patch\n*** Add File: \n*** End Patch\n", 2, Grammar::Path);
}

#[test]
fn long_lines_are_cut_in_faults() {
    let long = "é".repeat(1000);
    let found = fault(&format!("*** Begin Patch\n{long}\n{long}\n"), Strict);
    assert_eq!(found.found.map(|text| text.chars().count()), Some(200));
    let numbers: Vec<usize> = found.excerpt.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, [1, 2, 3]);
    assert!(found.excerpt.iter().all(|(_, text)| text.chars().count() <= 200));
}

#[test]
fn a_million_of_anything_is_read() {
    let million = 1_000_000;
    let read = |body: String| parse(&format!("*** Begin Patch\n{body}*** End Patch\n"), Strict).unwrap();
    let hunks = read(format!("*** Update File: a\n{}", "@@\n-x\n".repeat(million)));
    assert_eq!(hunks.patch.sections[0].hunks().len(), million);
    let blank = read(format!("*** Delete File: a\n{}", "\n".repeat(million)));
    assert_eq!(blank.readings.iter().map(|noted| noted.count).collect::<Vec<_>>(), [million]);
    let context = read(format!("*** Update File: a\n@@\n-x\n{}-y\n{}", "\n".repeat(million), "\n".repeat(million)));
    assert_eq!(
        context.readings.iter().map(|noted| (noted.line, noted.count)).collect::<Vec<_>>(),
        [(5, million), (million + 6, million)]
    );
    let headers = read(format!("*** Update File: a\n{}-x\n", "@@ x\n".repeat(million)));
    assert_eq!(headers.patch.sections[0].hunks()[0].headers.len(), million);
    assert_eq!(read("*** Delete File: a\n".repeat(million)).places.len(), million);
    let runs = read(format!("*** Update File: a\n@@\n{}", "-x\n\n".repeat(million)));
    assert_eq!(runs.patch.sections[0].hunks()[0].lines.len(), 2 * million - 1);
}
