//! Hunks of whole lines, by table: a text and hunks in a small notation become a text or a refusal.
//!
//! A hunk is lines joined by `|`: ` context`, `-removed`, `+added`, `@header`, `\` for the marker that the
//! line above has no newline, `$` for "ends the file", `>` for "without old lines: append".

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use patchwright_core::digest::Digest;
use patchwright_core::intent::{BareHunk, Hunk, HunkEnd, HunkLine, HunkPlace, Intent, OldEnd, OldOf};
use patchwright_core::locate::Reason;
use patchwright_core::path::RelPath;
use patchwright_core::plan::{Act, Change, Plan, Seen, Snapshot, SnapshotFile, plan};
use patchwright_core::refusal::{Misfit, Refusal, Sought, Why};
use patchwright_core::text::FinalNewline;

fn hunk(notation: &str, at: usize) -> Hunk {
    let (mut lines, mut headers) = (Vec::new(), Vec::new());
    let (mut end, mut bare) = (HunkEnd::Silent, BareHunk::EmptyFileOnly);
    let (mut old_bare, mut new_bare) = (false, false);
    for part in notation.split('|') {
        let text = part.get(1..).unwrap_or_default().to_owned();
        match part.as_bytes().first() {
            Some(b' ') => lines.push(HunkLine::Context(text)),
            Some(b'-') => lines.push(HunkLine::Remove(text)),
            Some(b'+') => lines.push(HunkLine::Add(text)),
            Some(b'@') => headers.push(text),
            Some(b'$') => end = HunkEnd::Last,
            Some(b'>') => bare = BareHunk::Append,
            Some(b'\\') => {
                old_bare |= !matches!(lines.last(), Some(HunkLine::Add(_)));
                new_bare |= !matches!(lines.last(), Some(HunkLine::Remove(_)));
            }
            _ => panic!("{notation:?}"),
        }
    }
    if old_bare || new_bare {
        let old = if old_bare { OldEnd::Unterminated } else { OldEnd::Unsaid };
        let new = if new_bare { FinalNewline::Without } else { FinalNewline::With };
        end = HunkEnd::Marked { old, new };
    }
    let place = if headers.is_empty() { HunkPlace::Anywhere } else { HunkPlace::Within(headers) };
    Hunk { lines, place, end, bare, ends: Vec::new(), old_of: OldOf::Left, at, section: 0 }
}

fn patch(before: &[u8], hunks: &[&str]) -> Result<Plan, Refusal> {
    let path = RelPath::parse("f", &[]).unwrap();
    let (digest, size) = (Digest::of(before), before.len() as u64);
    let file =
        SnapshotFile { real: path.clone(), bytes: Some(before.to_vec().into()), digest, size, mode: 0o644, id: (1, 1) };
    let mut snapshot = Snapshot::default();
    snapshot.add(path.clone(), Seen::File(file));
    let hunks = hunks.iter().enumerate().map(|(at, notation)| hunk(notation, 10 * at + 3)).collect();
    plan(&snapshot, &[Intent::Patch { path, hunks, charset: None }])
}

fn after(plan: &Plan, before: &[u8]) -> Vec<u8> {
    match plan.steps.as_slice() {
        [] => before.to_vec(),
        [step] => match &step.act {
            Act::Replace { after, .. } => after.to_vec(),
            other => panic!("{other:?}"),
        },
        steps => panic!("{steps:?}"),
    }
}

fn bytes(before: &[u8], hunks: &[&str], want: &[u8]) {
    let plan = patch(before, hunks).unwrap_or_else(|refusal| panic!("{before:?} {hunks:?} {refusal:?}"));
    let got = after(&plan, before);
    assert_eq!(got, want, "{:?} {hunks:?}: {:?}", String::from_utf8_lossy(before), String::from_utf8_lossy(&got));
}

fn check(before: &str, hunks: &[&str], want: &str) {
    bytes(before.as_bytes(), hunks, want.as_bytes());
}

/// A refusal in short: hunk, and what is wrong with it.
fn refused(before: &str, hunks: &[&str], want: &str) {
    let refusal = patch(before.as_bytes(), hunks).unwrap_err();
    let got = match &refusal.why {
        Why::HunkMisfit { hunk, misfit } => {
            assert_eq!(hunk.at, 10 * hunk.index + 3);
            let what = match misfit {
                Misfit::Nowhere { already_at, .. } if already_at.is_empty() => "nowhere".to_owned(),
                Misfit::Nowhere { already_at, .. } => format!("already at {already_at:?}"),
                Misfit::NotAtEnd(lines) => format!("not at end but {lines:?}"),
                Misfit::EndsInNewline => "ends in newline".to_owned(),
                Misfit::NoHeader { header, .. } => format!("no {header}"),
                Misfit::OutOfScope { scope, lines, .. } => format!("in {scope:?} but at {lines:?}"),
                Misfit::LinesLeft(count) => format!("leaves {count}"),
                Misfit::LineEnds { at, .. } => format!("ends of {at}"),
            };
            format!("{}: {what}", hunk.index)
        }
        Why::HunkMany { hunk, sought: Sought::OldLines { .. }, count, lines, .. } => {
            format!("{}: {count} at {lines:?}", hunk.index)
        }
        Why::HunkMany { hunk, sought: Sought::Header(header), count, lines, .. } => {
            format!("{}: {header} {count} at {lines:?}", hunk.index)
        }
        Why::HunkOverlap { hunk, earlier, line } => format!("{}: overlaps {} at {line}", hunk.index, earlier.index),
        Why::HunkBare { hunk } => format!("{}: bare", hunk.index),
        other => format!("{other:?}"),
    };
    assert_eq!(got, want, "{before:?} {hunks:?}");
}

#[test]
fn whole_lines_are_replaced() {
    check("a\nb\nc\n", &[" a|-b|+x| c"], "a\nx\nc\n");
    check("a\nb\nc\n", &["-b"], "a\nc\n");
    check("a\nb\nc\n", &["-a|-b|-c"], ""); // all of it
    check("a\nb", &["-a|-b"], "");
    check("a\nb\n", &["+x| a"], "x\na\nb\n"); // at the top
    check("a\nb\n", &[" b|+x"], "a\nb\nx\n"); // at the bottom
    check("a\nb\nc\n", &["+1| a|+2| b|-c|+3|+4"], "1\na\n2\nb\n3\n4\n");
    check("a\nb\n", &["+x|-a|+y| b"], "x\ny\nb\n"); // additions on both sides of a removal
    check("a\nb\n", &["-a|+a"], "a\nb\n"); // nothing new
    check("a\nb\n", &[" a| b"], "a\nb\n");
    check("ab\nb\nbc\n", &["-b"], "ab\nbc\n"); // never a part of a line
    check("a\n\nb\n", &[" a| |+x"], "a\n\nx\nb\n"); // an empty line is a line
    check("a\n b\n", &["-a|+\tx|  b"], "\tx\n b\n");
    check("x\rb\nc\n", &["-x\rb"], "c\n"); // a lone \r is content
}

#[test]
fn hunks_see_what_earlier_ones_left() {
    check("a\nb\nc\nd\n", &["-d|+D", "-a|+A"], "A\nb\nc\nD\n"); // any order
    check("a\nb\nc\nd\n", &["-a", "-b", "-c"], "d\n"); // neighbours
    check("a\nb\n", &["-a|+x", " x|+y"], "x\ny\nb\n"); // an added line as context
    check("a\nb\nc\n", &["-b", " a|+x| c"], "a\nx\nc\n"); // lines that an earlier hunk brought together
    check("a\nb\n", &[" a|+x", " x|+y", " x|+z| y"], "a\nx\nz\ny\nb\n");
    check("k\nk\n", &["-k| k|+m", " k|+n| m"], "k\nn\nm\n"); // unique since the first hunk
    check("a\n", &["-a", "+x"], "x\n"); // an empty file by then
    check("a\r\n", &["-a", "+x"], "x\r\n");
    check("a\nb\nc\n", &[" b|+x", "+y| x", "-b"], "a\ny\nx\nc\n");
    let hunks: Vec<String> = (0..20).rev().map(|at| format!("-l{at}|+L{at}")).collect();
    let hunks: Vec<&str> = hunks.iter().map(String::as_str).collect();
    let text: String = (0..20).map(|at| format!("l{at}\n")).collect();
    check(&text, &hunks, &text.to_uppercase()); // more than a few
}

#[test]
fn terminators_are_those_of_the_place() {
    check("a\r\nb\r\n", &["-a|+x|+y"], "x\r\ny\r\nb\r\n");
    check("a\r\nb\nc\n", &["-a|-b|+x|+y|+z"], "x\r\ny\nz\nc\n"); // one by one, then the last
    check("a\r\nb\n", &["+x|+y|-a|-b"], "x\r\ny\n");
    check("a\r\nb\nc\n", &["-a|+x| b|-c|+y"], "x\r\nb\ny\n"); // by block
    check("a\r\nb\n", &[" a|+x| b"], "a\r\nx\r\nb\n"); // an insert: the line above
    check("a\r\nb\n", &["+x| a"], "x\r\na\r\nb\n"); // else below
    check("a\nb\r\nc\n", &[" a|-b|+x"], "a\nx\r\nc\n");
    check("a\nb\r\nc\n", &[" b| c|+x"], "a\nb\r\nc\nx\n");
    check("a\r\nb\n", &[" a| b"], "a\r\nb\n"); // context keeps its own
    check("a\n", &["-a|+x\r"], "x\r\r\n"); // content before terminators
    check("a\r\nb", &["-b|+x|+y"], "a\r\nx\r\ny"); // no terminator: the line above
    check("a\r\nb", &[" b|+x"], "a\r\nb\r\nx"); // stops being the last
    check("b", &["+x| b"], "x\nb");
}

#[test]
fn the_file_goes_on_ending_as_it_did() {
    check("a\nb", &["-b|+x"], "a\nx");
    check("a\nb", &["-b"], "a"); // the new last line
    check("a\n\nb", &["-b"], "a\n\n"); // but an empty one needs its newline
    check("a\nb", &["-b|+"], "a\n\n");
    check("a\nb", &["-a"], "b");
    check("a", &[" a|+x"], "a\nx");
    check("a", &["+x| a"], "x\na");
    check("a\r", &[" a\r|+x"], "a\r\r\nx");
    check("a\nb", &["-b", " a|+c"], "a\nc"); // over several hunks
    check("a", &["-a", "+x"], "x\n"); // an empty file counts as ending in a newline
    check("", &["+x|+y"], "x\ny\n");
}

#[test]
fn markers_tell_how_it_ends() {
    check("a\nb", &["-b|\\|+x"], "a\nx\n"); // on the old side only
    check("a\nb", &["-b|\\|+x|\\"], "a\nx");
    check("a\nb\n", &["-b|+x|\\"], "a\nx");
    check("a\nb", &["-a|+x| b|\\"], "x\nb");
    check("a\nb\n", &[" b|+x|\\"], "a\nb\nx");
    check("a\r\nb", &["-b|\\|+b"], "a\r\nb\r\n");
    check("a\r\nb\r\n", &["-b|+b|\\"], "a\r\nb");
    check("", &["+x|\\"], "x");
    check("a\nb\n", &["-a|+x", "-b|+y|\\"], "x\ny");
    check("a\nb\n", &["-b|+y|\\", " y|\\|+z"], "a\ny\nz"); // a marker that an earlier hunk made true
    check("a\nb\n", &["-b|+|\\"], "a\n\n"); // an empty line cannot be without
    check("b\na\nb\n", &["-b|+x|\\"], "b\na\nx"); // only the end counts
    check("b\na\nb\n", &["-b|+x|$"], "b\na\nx\n");
    check("a\nb", &["-b|\\"], "a\n"); // the old side only: the rest ends in a newline
    check("a\nb", &["-a|-b|\\"], "");
    refused("a\nb\n", &["-b|\\|+x"], "0: ends in newline");
    refused("a\nb\n", &[" b|\\"], "0: ends in newline");
    refused("b\na", &["-b|\\|+x"], "0: not at end but [1]");
    refused("b\na\n", &["-b|+x|\\"], "0: not at end but [1]");
    refused("a\nb\na\nc\n", &["-a|$"], "0: not at end but [1, 3]");
    refused("a\nb", &["-c|\\|+x"], "0: nowhere");
    refused("a\nb\n", &["-a|$"], "0: not at end but [1]");
}

#[test]
fn two_places_are_none() {
    refused("a\nb\na\n", &["-a|+x"], "0: 2 at [1, 3]");
    refused("a\na\na\n", &[" a| a"], "0: 2 at [1, 2]"); // overlapping ones count
    refused("a\r\na\n", &["-a"], "0: 2 at [1, 2]"); // terminators do not tell lines apart
    refused("\n\n\n", &[" "], "0: 3 at [1, 2, 3]");
    refused("a\nb\n", &["-a|+b", " b"], "1: 2 at [1, 2]");
    refused("a\nx\n", &[" a|+k|+k", " k|+z"], "1: 2 at [2, 3]");
    let text = "a\n".repeat(20_000);
    let Why::HunkMany { count, lines, .. } = patch(text.as_bytes(), &["-a"]).unwrap_err().why else { panic!() };
    assert_eq!((count, lines.len(), lines.last()), (20_000, 20_000, Some(&20_000)));
}

#[test]
fn no_place_is_explained() {
    refused("a\nb\n", &["-c"], "0: nowhere");
    refused("", &["-c"], "0: nowhere");
    refused("ab\n", &["-a|+x"], "0: nowhere");
    refused("a\nx\nx\n", &["-b|+x"], "0: already at [2, 3]");
    refused("a\nx\nc\n", &[" a|-b|+x| c"], "0: already at [1]");
    refused("a\nc\n", &[" c| a"], "0: nowhere"); // it changes nothing: nothing to be there already
    refused("a\nb\nc\n", &["-a", "-q|+c"], "1: already at [3]"); // a line of the file on disk
    let near = |before: &str, hunks: &[&str]| match patch(before.as_bytes(), hunks).unwrap_err().why {
        Why::HunkMisfit { misfit: Misfit::Nowhere { nearest, .. }, .. } => {
            nearest.map(|near| (near.start_line, near.looks_like))
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(near("x\r\nfn a() {\r\n\tone();\r\n", &[" fn a() {|-    one();"]), Some((2, Reason::TabsForSpaces)));
    assert_eq!(near("one\ntwo\nthree\n", &["-one", "-Three"]), Some((3, Reason::CaseOnly)));
    assert_eq!(near("thre\none\nthree \n", &["@one|-three"]), Some((3, Reason::TrailingBlanks)));
}

#[test]
fn overlaps_name_the_earlier_hunk() {
    refused("a\nb\nc\n", &["-a|+x", "-a|+y"], "1: overlaps 0 at 1");
    refused("a\nb\nc\n", &["-c|+z", " a|+x", "-a|-b"], "2: overlaps 1 at 2"); // a line came between
    refused("a\nb\nc\n", &["-c|+z", " a|+x", "-x|+y"], "2: overlaps 1 at 1"); // a line that was added
    refused("a\nb\nc\n", &["-b|+x", "-x|+y"], "1: overlaps 0 at 2");
    refused("a\nb\n", &["-a|-b", "-b"], "1: overlaps 0 at 1");
    refused("a\nb\nc\n", &[" a|+x", "-b", " x| b"], "2: overlaps 1 at 2"); // an intermediate state
    refused("a\nb\nc\n", &["-c", "-b| c|$"], "1: overlaps 0 at 3");
}

#[test]
fn headers_narrow_where_they_are_asked_to() {
    let text = "f\n k\ng\n k\nh\n k\n";
    refused(text, &["- k"], "0: 3 at [2, 4, 6]");
    check(text, &["@f|- k|+x"], "f\nx\ng\n k\nh\n k\n");
    check(text, &["@h|- k|+x"], "f\n k\ng\n k\nh\nx\n");
    check(text, &["@g|-g|- k"], "f\n k\nh\n k\n"); // the line itself is in its block
    refused(text, &["@f|@g|- k"], "0: no g"); // not in the block of f
    refused(text, &["@k|-f"], "0: k 3 at [2, 4, 6]");
    check(text, &["@g|@k|- k"], "f\n k\ng\nh\n k\n"); // indentation may be left out
    refused(text, &["@g|-h"], "0: in (3, 4) but at [5]");
    refused(text, &["@g|-x"], "0: nowhere");
    refused("f\n  k\n k\ng\n k\n", &["@f|- k|$"], "0: not at end but [3]");
    check("f\n a\n b\ng\n b\n", &["@g| g|- b|+c"], "f\n a\n b\ng\n c\n".replace(" c", "c").as_str());
    check("a\n k\nx\n", &["@x|>|+y"], "a\n k\nx\ny\n");
    refused("k\n a\n  k\n a\n", &["@k|- a"], "0: k 2 at [1, 3]"); // with or without indentation
    check("k\n a\n  k\n   b\n", &["@  k|-   b"], "k\n a\n  k\n"); // just this one
    check("a\nb\nb\n", &[" a|+h", "@h|-b| b"], "a\nh\nb\n"); // a header that an earlier hunk added, without a block of its own
    refused("a\nb\nb\n", &[" a|+h", "@h|-b"], "1: 2 at [3, 4]");
}

#[test]
fn additions_alone_need_an_empty_file() {
    refused("a\n", &["+x"], "0: bare");
    refused("\n", &["+x"], "0: bare");
    check("a\n", &["+x|>"], "a\nx\n");
    check("a", &["+x|+y|>"], "a\nx\ny");
    check("a\r\nb\r\n", &["+x|>", "+y|>"], "a\r\nb\r\nx\r\ny\r\n");
    check("", &["+x|>"], "x\n");
    check("a\n", &["+x|\\|>"], "a\nx");
    refused("a\n", &["@b|+x|>"], "0: no b");
}

#[test]
fn other_bytes_stay() {
    bytes(b"\xEF\xBB\xBFa\r\nb", &["-a|+x"], b"\xEF\xBB\xBFx\r\nb"); // a mark
    bytes(b"\xEF\xBB\xBFa\n", &["-a"], b"\xEF\xBB\xBF");
    bytes(b"\xFF\xFEa\0\n\0b\0\n\0", &["-b|+\u{fc}"], b"\xFF\xFEa\0\n\0\xFC\0\n\0"); // UTF-16
    bytes(b"\xFF\xFEa\0\r\0\n\0b\0", &[" b|+c"], b"\xFF\xFEa\0\r\0\n\0b\0\r\0\n\0c\0");
    bytes(b"\xFE\xFF\0a\0\n", &["+x| a"], b"\xFE\xFF\0x\0\n\0a\0\n");
    bytes(b"\xFF\xFEa\0\n\0\x00\xD8\n\0", &["-a|+x"], b"\xFF\xFEx\0\n\0\x00\xD8\n\0"); // half a character elsewhere
    bytes(b"\xFFq\na\nq\xFE", &["-a|+x"], b"\xFFq\nx\nq\xFE"); // invalid UTF-8
    assert_eq!(patch(b"\xFFq\na\n", &["-a"]).unwrap().warnings.len(), 1);
    assert!(matches!(patch(b"\xFFq\na\n", &["-\u{fffd}q"]).unwrap_err().why, Why::Encoding { .. }));
    assert!(matches!(patch(b"\xFFq\na\n", &["@\u{fffd}q|-a"]).unwrap_err().why, Why::Encoding { .. }));
    assert!(matches!(patch(b"\xFFq\na\n", &["-b"]).unwrap_err().why, Why::HunkMisfit { .. }));
    assert_eq!(patch(b"a\0b\n", &["-b"]).unwrap_err().why, Why::Binary);
    assert_eq!(patch(b"a\n", &["-a|+\u{202e}"]).unwrap().warnings.len(), 1); // hidden characters
    assert_eq!(patch("a\n\u{202e}\n".as_bytes(), &["-a|+\u{202e}"]).unwrap().warnings.len(), 0);
}

#[test]
fn changes_are_told_by_hunk() {
    let told = |before: &str, hunks: &[&str], want: &[(usize, usize, usize, usize)]| {
        let plan = patch(before.as_bytes(), hunks).unwrap();
        let line = |change: &Change| (change.before_line, change.before_lines, change.after_line, change.after_lines);
        let got: Vec<_> = plan.steps[0].changes.iter().map(line).collect();
        assert_eq!(got, want, "{before:?} {hunks:?}");
    };
    told("a\nb\nc\nd\n", &[" a|-b|+x|+y"], &[(2, 1, 2, 2)]);
    told("a\nb\nc\nd\n", &["-a| b|-c|+x"], &[(1, 3, 1, 2)]); // the outer span
    told("a\nb\nc\nd\n", &["-d|+D", "+1|+2|-a", " c|+x"], &[(4, 1, 6, 1), (1, 1, 1, 2), (4, 0, 5, 1)]);
    told("a\nb\n", &["-b", "+x| a"], &[(2, 1, 3, 0), (1, 0, 1, 1)]);
    told("a\nb", &[" b|+x", "-a"], &[(3, 0, 2, 1), (1, 1, 1, 0)]);
    told("a\nb", &["-a", " b|$"], &[(1, 1, 1, 0), (2, 0, 1, 0)]); // a hunk that changes nothing
    told("", &["+x|+y"], &[(1, 0, 1, 2)]);
}
