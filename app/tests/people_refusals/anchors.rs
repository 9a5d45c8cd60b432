//! Anchors that name no line or several, and results that look like a slip.

use super::{Row, at, row};
use patchwright_core::anchor::{Form, Quality, Shown};
use patchwright_core::refusal::{AnchorFault, Candidate, OperationFault, OperationField, Refusal, Unknown, Why};
use patchwright_core::sanity::{BracketFault, Doubt};

fn file(why: Why) -> Refusal {
    at("src/a.rs", why)
}

pub(crate) fn rows() -> Vec<Row> {
    anchors().into_iter().chain(several_anchors()).chain(doubts()).collect()
}

fn line(line: usize, preview: &str) -> Candidate {
    Candidate { shown: Shown { line, form: Form::Long(0xa1b2_c3d4), quality: Quality::High }, preview: preview.into() }
}

fn operation(index: usize, field: OperationField, fault: AnchorFault) -> OperationFault {
    OperationFault { index, field, anchor: "a1b2c3".into(), fault }
}

fn anchors() -> Vec<Row> {
    let one = |fault| file(Why::Operations(vec![operation(0, OperationField::Hash, fault)]));
    let lines = || (0..6).map(|at| line(at + 1, "}")).collect::<Vec<_>>();
    let was = |found: Option<Candidate>, candidates: Vec<Candidate>| {
        let count = candidates.len();
        one(AnchorFault::WasDiffers { said: "  let x;".into(), found, quotable: true, candidates, count, range: None })
    };
    let typed = "edit src/a.rs --delete a1b2c3";
    vec![
        row(
            typed,
            one(AnchorFault::Unknown(Unknown::Hash)),
            r#"
patchwright: no line of src/a.rs has the anchor a1b2c3: the file has changed, or it was mistyped
Nothing was changed.
hint: patchwright read --hashes src/a.rs
"#,
        ),
        row(
            typed,
            one(AnchorFault::Unknown(Unknown::Places(3))),
            r#"
patchwright: 3 lines of src/a.rs share the anchor a1b2c3 now: the file has changed
Nothing was changed.
hint: patchwright read --hashes src/a.rs
"#,
        ),
        row(
            typed,
            one(AnchorFault::Unknown(Unknown::Charset)),
            r#"
patchwright: no line of src/a.rs has the anchor a1b2c3, and the file is not valid UTF-8
  --encoding NAME names its charset, which may be windows-1252
Nothing was changed.
hint: patchwright read --encoding windows-1252 src/a.rs
"#,
        ),
        row(
            typed,
            one(AnchorFault::Unknown(Unknown::EmptyFile)),
            r#"
patchwright: src/a.rs is empty, so that no line has an anchor
Nothing was changed.
hint: patchwright read --hashes src/a.rs
"#,
        ),
        row(
            typed,
            one(AnchorFault::RangeChanged { first: 3, last: 5 }),
            r#"
patchwright: lines 3-5 of src/a.rs have changed since
Nothing was changed.
hint: patchwright read --hashes src/a.rs
"#,
        ),
        row(
            typed,
            one(AnchorFault::Ambiguous { candidates: lines(), count: 6 }),
            r#"
patchwright: the anchor a1b2c3 names 6 lines of src/a.rs
  1#a1b2c3d4  }
  2#a1b2c3d4  }
  3#a1b2c3d4  }
  4#a1b2c3d4  }
  and 2 more lines
  --occurrence N picks one of the 6, counted from the top
Nothing was changed.
hint: patchwright read --hashes src/a.rs
"#,
        ),
        row(
            typed,
            one(AnchorFault::ContextAmbiguous { candidates: lines(), count: 40 }),
            r#"
patchwright: the anchor a1b2c3 names 40 lines of src/a.rs
  1#a1b2c3d4  }
  2#a1b2c3d4  }
  3#a1b2c3d4  }
  4#a1b2c3d4  }
  and 36 more lines
  --occurrence N picks one of the 40, counted from the top
Nothing was changed.
hint: patchwright read --hashes src/a.rs
"#,
        ),
        row(
            typed,
            one(AnchorFault::NoSuchOccurrence { asked: 3, candidates: vec![line(4, "}")], count: 1 }),
            r#"
patchwright: src/a.rs has 1 line with the anchor a1b2c3, and number 3 was asked for
  4#a1b2c3d4  }
Nothing was changed.
hint: patchwright read --hashes src/a.rs
"#,
        ),
        row(
            typed,
            one(AnchorFault::LineDisagrees { said: 9, found: line(4, "a"), there: Some(line(9, "b")) }),
            r#"
patchwright: the anchor a1b2c3 is that of line 4 of src/a.rs, not of line 9
  4#a1b2c3d4  a
  9#a1b2c3d4  b
Nothing was changed.
hint: patchwright read --hashes src/a.rs
"#,
        ),
        row(
            typed,
            was(Some(line(4, "\tlet x;")), vec![line(7, "  let x;")]),
            r#"
patchwright: line 4 of src/a.rs is not what --was says
  --was   ··let x;
  line 4  →let x;
  one line says so:
  7#a1b2c3d4    let x;
Nothing was changed.
hint: patchwright read --hashes src/a.rs
"#,
        ),
        row(
            typed,
            was(None, Vec::new()),
            r#"
patchwright: the line of src/a.rs is not what --was says
  --was  ··let x;
Nothing was changed.
hint: patchwright read --hashes src/a.rs
"#,
        ),
        row(
            typed,
            one(AnchorFault::WasLength { quoted: 2, lines: (3, 5) }),
            r#"
patchwright: --was quotes 2 lines, and lines 3-5 of src/a.rs would change
Nothing was changed.
hint: patchwright read --hashes src/a.rs
"#,
        ),
        row(
            typed,
            one(AnchorFault::LowEntropy { line: 2, content: "}".into(), neighbours: vec![line(1, "a")] }),
            r#"
patchwright: line 2 of src/a.rs has no letter and no digit, and is too weak an anchor
  1#a1b2c3d4  a
Nothing was changed.
hint: patchwright edit src/a.rs --delete a1b2c3 --occurrence 1
"#,
        ),
        row(
            typed,
            one(AnchorFault::EqualsMoved { line: 3, count: 4 }),
            r#"
patchwright: src/a.rs was changed by somebody else, and which of 4 equal lines was meant is open
Nothing was changed.
hint: patchwright read --hashes src/a.rs
"#,
        ),
        row(
            typed,
            one(AnchorFault::OneLineRange { line: 3, quality: Quality::High }),
            r#"
patchwright: the range begins and ends on line 3 of src/a.rs
  one line is named by one anchor alone, without ..
Nothing was changed.
hint: patchwright read --hashes src/a.rs
"#,
        ),
    ]
}

fn several_anchors() -> Vec<Row> {
    let overlap =
        || operation(1, OperationField::Op, AnchorFault::Overlap { other: 0, lines: (3, 5), other_lines: (4, 4) });
    let end =
        operation(0, OperationField::EndHash, AnchorFault::Ambiguous { candidates: vec![line(3, "a")], count: 2 });
    let unknown = operation(0, OperationField::Hash, AnchorFault::Unknown(Unknown::Hash));
    let length = operation(0, OperationField::Was, AnchorFault::WasLength { quoted: 1, lines: (3, 5) });
    let weak = AnchorFault::LowEntropy { line: 2, content: "}".into(), neighbours: Vec::new() };
    let weak = operation(0, OperationField::Hash, weak);
    vec![
        row(
            "edit src/a.rs -",
            file(Why::Operations(vec![length])),
            r#"
patchwright: was quotes 1 line, and lines 3-5 of src/a.rs would change
Nothing was changed.
hint: patchwright read --hashes src/a.rs
"#,
        ),
        row(
            "edit src/a.rs -",
            file(Why::Operations(vec![weak])),
            r#"
patchwright: line 2 of src/a.rs has no letter and no digit, and is too weak an anchor
Nothing was changed.
hint: patchwright read --hashes src/a.rs
"#,
        ),
        row(
            "edit src/a.rs -",
            file(Why::Operations(vec![overlap()])),
            r#"
patchwright: operation 2: it wants lines 3-5 of src/a.rs, and operation 1 wants line 4
  one operation could make both changes
Nothing was changed.
hint: patchwright read --hashes src/a.rs
"#,
        ),
        row(
            "edit src/a.rs -",
            file(Why::Operations(vec![end])),
            r#"
patchwright: the anchor a1b2c3 names 2 lines of src/a.rs
  3#a1b2c3d4  a
  and 1 more line
Nothing was changed.
hint: patchwright read --hashes src/a.rs
"#,
        ),
        row(
            "edit src/a.rs -",
            file(Why::Operations(vec![unknown, overlap()])),
            r#"
patchwright: 2 operations on src/a.rs cannot be carried out
  operation 1: no line of src/a.rs has the anchor a1b2c3: the file has changed, or it was mistyped
  operation 2: it wants lines 3-5 of src/a.rs, and operation 1 wants line 4
Nothing was changed.
hint: patchwright read --hashes src/a.rs
"#,
        ),
    ]
}

fn doubts() -> Vec<Row> {
    let excerpt = || "  x = 1".to_owned();
    let all = vec![
        Doubt::Bracket { line: 2, bracket: '{', fault: BracketFault::Unclosed },
        Doubt::Bracket { line: 9, bracket: '}', fault: BracketFault::Unopened },
        Doubt::Syntax { line: 3, column: 7, excerpt: excerpt() },
        Doubt::Prefixed { line: 4, excerpt: "12#a1b2c3 [high]|x".into() },
        Doubt::Standing { line: 5, other: 6, lines: 2, excerpt: excerpt() },
        Doubt::Repeated { line: 7, other: 8, lines: 1, excerpt: excerpt() },
        Doubt::Indented { line: 8, found: "  ".into(), wanted: "\t".into(), excerpt: excerpt() },
    ];
    let long = format!("edit src/a.rs --replace a1b2c3 --with {}", "x".repeat(300)).leak();
    let slip = vec![Doubt::Bracket { line: 2, bracket: '}', fault: BracketFault::Unopened }];
    vec![
        row(
            "edit src/a.rs --delete a1b2c3",
            file(Why::Unsafe(all)),
            r#"
patchwright: the result in src/a.rs would look like a slip
  line 2: { opens and nothing closes it
  line 9: } closes and nothing opened it
  line 3: a syntax error at column 7:  x = 1
  line 4: the new line begins with an anchor:  12#a1b2c3 [high]|x
  line 5: what is to be inserted stands at line 6 already:  x = 1
  line 7: it says again what line 8 says:  x = 1
  line 8: another indentation than its place has:  ·· in place of →
Nothing was changed.
hint: patchwright edit src/a.rs --delete a1b2c3 --safety warn
"#,
        ),
        row(
            long,
            file(Why::Unsafe(slip)),
            r#"
patchwright: the result in src/a.rs would look like a slip
  line 2: } closes and nothing opened it
  --safety warn does it all the same
Nothing was changed.
"#,
        ),
    ]
}
