//! Any patch that was printed is read back as the same value; and no text at all makes reading panic.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use patchwright_core::conventions::Conventions;
use patchwright_core::dialect::envelope::{
    AddEnd, Closes, Hunk, Line, Marker, Patch, Reading, Section, Sign, parse, print,
};
use proptest::prelude::*;

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ -~\r\t]{0,12}",
        "[^\n]{0,6}",
        prop::sample::select(vec!["", "\r", "*** End Patch", "@@", "\\ No newline at end of file", "*** End of File"])
            .prop_map(str::to_owned),
    ]
}

fn path() -> impl Strategy<Value = String> {
    let odd = prop::sample::select(vec!["a", "->", "a->b", "*** End Patch", "@@ x", "é/ü", "a\rb"]);
    prop_oneof!["[a-z.+@*-]{1,3}(/[a-z ]{0,3}[a-z])?", odd.prop_map(str::to_owned)]
}

fn sign() -> impl Strategy<Value = Sign> {
    prop::sample::select(vec![Sign::Context, Sign::Remove, Sign::Add])
}

/// Lines with up to one marker for each side, where it may stand.
fn body() -> impl Strategy<Value = Vec<Line>> {
    (prop::collection::vec((sign(), text()), 1..6), any::<(bool, bool)>()).prop_map(|(lines, marks)| {
        let mut lines: Vec<Line> =
            lines.into_iter().map(|(sign, text)| Line { sign, text, marker: Marker::Unmarked }).collect();
        for (wanted, other) in [(marks.0, Sign::Add), (marks.1, Sign::Remove)] {
            let last = lines.iter().rposition(|line| line.sign != other);
            // A context line is the last of both sides only if it is the last of all.
            let fit = last.filter(|at| wanted && (lines[*at].sign != Sign::Context || at + 1 == lines.len()));
            if let Some(line) = fit.and_then(|at| lines.get_mut(at)).filter(|line| !line.text.is_empty()) {
                line.marker = Marker::NoNewline;
            }
        }
        lines
    })
}

fn hunk() -> impl Strategy<Value = Hunk> {
    let closes = prop::sample::select(vec![Closes::Open, Closes::EndOfFile]);
    let headers = prop::collection::vec(text(), 1..3);
    (headers, body(), closes).prop_map(|(headers, lines, closes)| Hunk { headers, lines, closes })
}

fn hunks(least: usize) -> impl Strategy<Value = Vec<Hunk>> {
    (prop::collection::vec(hunk(), least..4), any::<bool>()).prop_map(|(mut hunks, bare)| {
        if let Some(first) = hunks.first_mut().filter(|_| bare) {
            first.headers.clear();
        }
        hunks
    })
}

fn section() -> impl Strategy<Value = Section> {
    prop_oneof![
        (path(), prop::collection::vec(text(), 0..4), any::<bool>()).prop_map(|(path, lines, bare)| {
            let end = if bare && !lines.is_empty() { AddEnd::Bare } else { AddEnd::Ruled };
            Section::Add { path, lines, end }
        }),
        (path(), hunks(1)).prop_map(|(path, hunks)| Section::Update { path, move_to: None, hunks }),
        (path(), path(), hunks(0)).prop_map(|(path, to, hunks)| Section::Update { path, move_to: Some(to), hunks }),
        path().prop_map(|path| Section::Delete { path }),
        (path(), path(), hunks(0)).prop_map(|(from, to, hunks)| Section::Move { from, to, hunks }),
    ]
}

fn patch() -> impl Strategy<Value = Patch> {
    prop::collection::vec(section(), 1..4).prop_map(|sections| Patch { sections })
}

/// Lines that a model might put into the wrong place.
fn stray() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "",
        " ",
        "*** Begin Patch",
        "*** End Patch",
        "*** Add File: a",
        "*** Update File: a",
        "*** Move to: b",
        "*** Move File: a -> b",
        "*** End of File",
        "@@",
        "+x",
        "-x",
        " x",
        "x\r",
        "\\ No newline at end of file",
        "<<EOF",
        "EOF",
    ]);
    prop_oneof![4 => known.prop_map(str::to_owned), 1 => "\\PC{0,8}"]
}

/// Reads in both ways. What can be read can be printed, and is then read as the same.
fn check(text: &str) {
    for conventions in [Conventions::Strict, Conventions::Codex] {
        if let Ok(parsed) = parse(text, conventions) {
            let again = parse(&print(&parsed.patch), Conventions::Strict).unwrap();
            assert_eq!(again.patch, parsed.patch, "{text}");
        }
    }
}

proptest! {
    #[test]
    fn printed_patches_are_read_back(patch in patch()) {
        let text = print(&patch);
        for conventions in [Conventions::Strict, Conventions::Codex] {
            let parsed = parse(&text, conventions).unwrap();
            prop_assert_eq!(&parsed.patch, &patch);
            for noted in parsed.readings {
                let plain = matches!(
                    noted.reading,
                    Reading::CrLf | Reading::MoveTo | Reading::EndOfFile | Reading::NoAt | Reading::SeveralAt
                );
                prop_assert!(plain, "{:?}", noted);
            }
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,60}|([*@+ \\\\<\r\n-]|EOF|End Patch|Add File: ){0,40}") {
        check(&text);
        check(&format!("*** Begin Patch\n{text}\n*** End Patch\n"));
    }

    #[test]
    fn strays_are_read_or_refused(lines in prop::collection::vec(stray(), 0..12)) {
        check(&lines.join("\n"));
        check(&format!("*** Begin Patch\n*** Update File: a\n{}\n*** End Patch\n", lines.join("\n")));
    }

    #[test]
    fn damaged_patches_are_read_or_refused(
        patch in patch(), at in any::<prop::sample::Index>(), cut in 0..20_usize, stray in stray(),
    ) {
        let text = print(&patch);
        let chars: Vec<char> = text.chars().collect();
        let at = at.index(chars.len());
        let (head, rest) = chars.split_at(at);
        let tail = rest.iter().skip(cut);
        check(&head.iter().collect::<String>());
        check(&head.iter().chain(tail.clone()).collect::<String>());
        check(&head.iter().copied().chain(stray.chars()).chain(tail.copied()).collect::<String>());
        let mut lines: Vec<&str> = text.lines().collect();
        lines.insert(at % (lines.len() + 1), &stray);
        check(&lines.join("\n"));
    }
}
