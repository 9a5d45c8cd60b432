//! Parts of a change, and changes on moved ground: what comes out is what both sides wrote, or a refusal.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use patchwright_core::history::{Lost, Piece, Span, check_spans, rebase, with_only};
use proptest::prelude::*;

fn span(first: usize, count: usize) -> Span {
    Span { first, count }
}

/// A piece as `id first count first count`.
fn piece(id: &str, before: (usize, usize), after: (usize, usize)) -> Piece {
    Piece { id: id.into(), before: span(before.0, before.1), after: span(after.0, after.1), restores: Vec::new() }
}

fn part(before: &str, after: &str, pieces: &[Piece], wanted: &[&str], want: &str) {
    let wanted: Vec<String> = wanted.iter().map(|id| (*id).to_owned()).collect();
    let found = with_only(before.as_bytes(), after.as_bytes(), pieces, &wanted).unwrap();
    assert_eq!(String::from_utf8(found.bytes.clone()).unwrap(), want, "{before:?} {after:?} {wanted:?}");
    assert!(check_spans(before.as_bytes(), &found.bytes, &found.pieces), "{found:?}");
    let ids: Vec<&str> = found.pieces.iter().map(|piece| piece.id.as_str()).collect();
    assert_eq!(ids.len(), wanted.len());
}

#[test]
fn some_pieces_only() {
    let two = [piece("a", (0, 1), (0, 2)), piece("b", (2, 1), (3, 0))];
    part("1\n2\n3\n4\n", "x\ny\n2\n4\n", &two, &["a"], "x\ny\n2\n3\n4\n");
    part("1\n2\n3\n4\n", "x\ny\n2\n4\n", &two, &["b"], "1\n2\n4\n");
    part("1\n2\n3\n4\n", "x\ny\n2\n4\n", &two, &["b", "a"], "x\ny\n2\n4\n");
    part("1\n2\n3\n4\n", "x\ny\n2\n4\n", &two, &[], "1\n2\n3\n4\n");
    // Who has the last line says how the file ends.
    let ends = [piece("a", (0, 1), (0, 1)), piece("b", (1, 1), (1, 1))];
    part("1\n2", "x\ny\n", &ends, &["a"], "x\n2");
    part("1\n2", "x\ny\n", &ends, &["b"], "1\ny\n");
    part("1\r\n2\r\n", "x\ny", &ends, &["b"], "1\r\ny");
    // Terminators of lines that nobody wanted changed stay.
    part(
        "1\r\n2\r\n3\r\n",
        "1\n2\nx\n",
        &[piece("a", (2, 1), (2, 1)), piece("b", (0, 0), (0, 0))],
        &["a"],
        "1\r\n2\r\nx\n",
    );
    // The last line is not the last any more.
    let append = [piece("a", (0, 1), (0, 1)), piece("b", (1, 0), (1, 1))];
    part("1", "x\ny", &append, &["b"], "1\ny");
    part("1", "x\ny", &append, &["a"], "x");
}

#[test]
fn parts_that_are_none() {
    let lost = |before: &str, after: &str, pieces: &[Piece], wanted: &str, want: Lost| {
        let found = with_only(before.as_bytes(), after.as_bytes(), pieces, &[wanted.to_owned()]);
        assert_eq!(found, Err(vec![want]), "{before:?} {after:?} {wanted:?}");
    };
    let unknown = |id: &str| Lost::Unknown { change: id.into() };
    let shared = [piece("a", (0, 1), (0, 1)), piece("b", (0, 1), (0, 1))];
    lost("1\n", "x\n", &shared, "a", Lost::Shared { change: "a".into(), others: vec!["b".into()] });
    lost("1\n", "x\n", &shared, "c", unknown("c"));
    let two = [piece("a", (0, 1), (0, 1)), piece("b", (1, 1), (1, 1))];
    lost("1\n2\n3\n", "x\ny\nz\n", &two, "a", unknown("a")); // not all of the difference
    lost("1\n2\n", "\u{feff}x\ny\n", &two, "a", unknown("a")); // nor this
    let across = [piece("a", (0, 2), (0, 2)), piece("b", (1, 1), (1, 1))];
    lost("1\n2\n", "x\ny\n", &across, "a", unknown("a")); // they overlap
}

/// The change of one line carried over, or the lines now that it clashes with.
fn carry(base: &str, ours: &str, theirs: &str, piece: &Piece, want: Result<&str, Span>) {
    let found = rebase(base.as_bytes(), ours.as_bytes(), theirs.as_bytes(), std::slice::from_ref(piece));
    if let Ok(carried) = &found {
        assert!(check_spans(ours.as_bytes(), &carried.bytes, &carried.pieces), "{carried:?}");
    }
    let found = found.map(|carried| String::from_utf8(carried.bytes).unwrap()).map_err(|clashes| clashes[0].now);
    assert_eq!(found, want.map(str::to_owned), "{base:?} {ours:?} {theirs:?}");
}

#[test]
fn changes_on_moved_ground() {
    let third = piece("p", (2, 1), (2, 1));
    carry("1\n2\n3\n4\n", "1\n2\n3\n4\n", "1\n2\nx\n4\n", &third, Ok("1\n2\nx\n4\n"));
    carry("1\n2\n3\n4\n", "0\n1\n2\n3\n4\n", "1\n2\nx\n4\n", &third, Ok("0\n1\n2\nx\n4\n"));
    carry("1\n2\n3\n4\n5\n", "1\n2\n3\n4\nlast", "1\n2\nx\n4\n5\n", &third, Ok("1\n2\nx\n4\nlast"));
    carry("1\n2\n3\n4\n", "1\n2\ny\n4\n", "1\n2\nx\n4\n", &third, Err(span(2, 1)));
    carry("1\n2\n3\n4\n", "1\n2\n4\n", "1\n2\nx\n4\n", &third, Err(span(2, 0)));
    carry("1\n2\n3\n4\n", "1\n2\nx\n4\n", "1\n2\nx\n4\n", &third, Err(span(2, 1))); // made already
    // An insertion needs its two neighbours, and nothing between.
    let insert = piece("p", (2, 0), (2, 1));
    carry("1\n2\n3\n4\n", "0\n1\n2\n3\n4\n", "1\n2\nx\n3\n4\n", &insert, Ok("0\n1\n2\nx\n3\n4\n"));
    carry("1\n2\n3\n4\n", "1\n2\ny\n3\n4\n", "1\n2\nx\n3\n4\n", &insert, Err(span(2, 1)));
    carry("1\n2\n3\n4\n", "1\ny\n3\n4\n", "1\n2\nx\n3\n4\n", &insert, Err(span(1, 1)));
    // A file that was converted has changed everywhere.
    carry("1\n2\n3\n4\n", "1\r\n2\r\n3\r\n4\r\n", "1\n2\nx\n4\n", &third, Err(span(0, 4)));
    // No text: only on the very same ground.
    carry("1\n2\n3\n4\n", "\u{0}\n1\n2\n3\n4\n", "1\n2\nx\n4\n", &third, Err(span(0, 5)));
    // Pieces that do not tell all.
    carry("1\n2\n3\n4\n", "1\n2\n3\n4\n5\n", "y\n2\nx\n4\n", &third, Err(span(0, 5)));
    // The last line is not the last any more.
    carry("1\n2\n3", "0\n1\n2\n3", "1\n2\n3\nx", &piece("p", (2, 1), (2, 2)), Ok("0\n1\n2\n3\nx"));
}

/// Replacements of the lines of a file: lines passed, lines that go, lines that come.
type Wishes = Vec<(usize, usize, usize)>;

/// What they make of it, and their pieces.
fn edited(base: &[String], name: &str, wishes: &Wishes) -> (Vec<String>, Vec<Piece>) {
    let (mut new, mut pieces, mut at) = (Vec::new(), Vec::new(), 0);
    for (number, &(skip, del, ins)) in wishes.iter().enumerate() {
        let first = (at + skip).min(base.len());
        let count = del.min(base.len() - first);
        new.extend_from_slice(&base[at..first]);
        pieces.push(piece(&format!("{name}{number}"), (first, count), (new.len(), ins)));
        new.extend((0..ins).map(|line| format!("{name}{number}.{line}")));
        at = first + count;
    }
    new.extend_from_slice(&base[at..]);
    (new, pieces)
}

fn text(lines: &[String]) -> Vec<u8> {
    lines.iter().flat_map(|line| format!("{line}\n").into_bytes()).collect()
}

fn some() -> impl Strategy<Value = Wishes> {
    prop::collection::vec((0..5_usize, 0..3_usize, 0..3_usize), 1..4)
}

proptest! {
    #[test]
    fn parts_are_what_they_would_be_alone(lines in 0..9_usize, wishes in some(), mask in 0..8_u32) {
        let base: Vec<String> = (0..lines).map(|line| line.to_string()).collect();
        let (after, pieces) = edited(&base, "t", &wishes);
        let ids: Vec<String> = pieces.iter().enumerate().filter(|(at, _)| mask >> at & 1 == 1).map(|(_, piece)| piece.id.clone()).collect();
        prop_assert!(check_spans(&text(&base), &text(&after), &pieces));
        let found = with_only(&text(&base), &text(&after), &pieces, &ids).unwrap();
        let (mut want, mut done) = (Vec::new(), 0);
        for piece in pieces.iter().filter(|piece| ids.contains(&piece.id)) {
            want.extend_from_slice(&base[done..piece.before.first]);
            want.extend_from_slice(&after[piece.after.first..piece.after.end()]);
            done = piece.before.end();
        }
        want.extend_from_slice(&base[done..]);
        prop_assert_eq!(&found.bytes, &text(&want));
        prop_assert!(check_spans(&text(&base), &found.bytes, &found.pieces));
    }

    #[test]
    fn both_sides_or_neither(lines in 0..16_usize, ours in some(), theirs in some()) {
        let base: Vec<String> = (0..lines).map(|line| line.to_string()).collect();
        let (left, mine) = edited(&base, "o", &ours);
        let (right, pieces) = edited(&base, "t", &theirs);
        let found = rebase(&text(&base), &text(&left), &text(&right), &pieces);
        let changes = |all: &[Piece]| all.iter().filter(|one| one.before.count + one.after.count > 0).cloned().collect::<Vec<_>>();
        let (mine, yours) = (changes(&mine), changes(&pieces));
        let apart = mine.iter().all(|one| yours.iter().all(|two| one.before.end() < two.before.first || two.before.end() < one.before.first));
        match found {
            Ok(carried) => {
                prop_assert!(check_spans(&text(&left), &carried.bytes, &carried.pieces));
                let overlap = mine.iter().any(|one| yours.iter().any(|two| one.before.first < two.before.end() && two.before.first < one.before.end()));
                prop_assert!(!overlap || left == base);
                let mut all: Vec<(&Piece, &Vec<String>)> = mine.iter().map(|one| (one, &left)).chain(yours.iter().map(|one| (one, &right))).collect();
                all.sort_by_key(|(one, _)| (one.before.first, one.before.end(), one.after.first));
                let (mut want, mut done) = (Vec::new(), 0);
                for (one, from) in all {
                    want.extend_from_slice(&base[done..one.before.first]);
                    want.extend_from_slice(&from[one.after.first..one.after.end()]);
                    done = one.before.end();
                }
                want.extend_from_slice(&base[done..]);
                prop_assert_eq!(String::from_utf8(carried.bytes).unwrap(), String::from_utf8(text(&want)).unwrap());
            }
            Err(clashes) => {
                prop_assert!(!clashes.is_empty());
                prop_assert!(!apart, "{clashes:?}");
            }
        }
    }

    #[test]
    fn nonsense_does_not_panic(base in "[ab\r\n]{0,6}", ours in "[ab\r\n]{0,6}", theirs in "[ab\r\n]{0,6}", spans in prop::collection::vec((0..4_usize, 0..4_usize, 0..4_usize, prop_oneof![0..4_usize, Just(usize::MAX)]), 0..4)) {
        let pieces: Vec<Piece> = spans.iter().enumerate().map(|(at, &(a, b, c, d))| piece(&at.to_string(), (a, b), (c, d))).collect();
        let _ = rebase(base.as_bytes(), ours.as_bytes(), theirs.as_bytes(), &pieces);
        let _ = with_only(base.as_bytes(), theirs.as_bytes(), &pieces, &["0".to_owned()]);
    }
}
