//! Stories of one file as a session sees it, and what the ledger knows at their end.

use super::*;

fn lines(text: &str) -> Arc<[u64]> {
    text.bytes().map(u64::from).collect()
}

fn digest(text: &str) -> Digest {
    Digest::of(text.as_bytes())
}

/// A story of one file, told in steps: `r` a whole reading, `n` one with anchors, `p` of the first two lines,
/// `e` an edit of the second line, `w` new content by another tool, `u` earlier content by undo, each with the text that is there then.
fn story(steps: &[(char, &str)]) -> Ledger {
    let path = || RelPath::parse("f", &[]).unwrap();
    let mut ledger = Ledger::default();
    let mut there = String::new();
    for (step, text) in steps {
        let all = Some(lines(text));
        let part = || Stretches::Some(std::iter::once(0..2).collect());
        let read = |stretches, numbers, shown| {
            let lines = Lines { all: all.clone(), stretches };
            Reading { lines, numbers, shown }
        };
        let (before, after) = (Some(digest(&there)), digest(text));
        match step {
            'r' => ledger.read(path(), digest(text), read(Stretches::All, Numbers::Unseen, Shown::all())),
            'n' => ledger.read(path(), digest(text), read(Stretches::All, Numbers::Seen, Shown::all())),
            'p' => {
                let shown = Shown::read(0..2, "utf-8", text.len());
                ledger.read(path(), digest(text), read(part(), Numbers::Unseen, shown));
            }
            'e' => {
                let stretches = Stretches::Some(std::iter::once(1..2).collect());
                let own = Own::Some(vec![OwnChange { before: 1..2, after: 1..2, sent: vec![1] }]);
                ledger.wrote(path(), Written { before, after, lines: Lines { all, stretches }, own });
            }
            'w' => {
                let lines = Lines { all, stretches: Stretches::All };
                ledger.wrote(path(), Written { before, after, lines, own: Own::All });
            }
            'u' => {
                let lines = Lines { all, stretches: Stretches::All };
                ledger.wrote(path(), Written { before, after, lines, own: Own::None });
            }
            '!' => {}
            _ => ledger.forget(&path()),
        }
        there = (*text).to_owned();
    }
    ledger
}

fn check(steps: &[(char, &str)], numbers: Numbers, earlier: Option<(&str, &[&str])>, jumps: &[&str]) {
    let ledger = story(steps);
    let path = RelPath::parse("f", &[]).unwrap();
    let now = digest(steps.last().unwrap().1);
    let earlier = earlier.map(|(whole, parts)| Earlier {
        whole: (!whole.is_empty()).then(|| lines(whole)),
        parts: parts.iter().map(|part| lines(part)).collect(),
    });
    assert_eq!(ledger.knows(&path, now), Knows { numbers, earlier }, "{steps:?}");
    let jumps: Vec<Digest> = jumps.iter().map(|text| digest(text)).collect();
    assert_eq!(ledger.jumps(&path, now), jumps, "{steps:?}");
}

#[test]
fn stories() {
    use Numbers::{Seen, Unseen};
    check(&[('n', "abcd")], Seen, None, &[]);
    check(&[('n', "abcd"), ('r', "abcd")], Seen, None, &[]);
    check(&[('p', "abcd")], Unseen, None, &[]); // nobody else changed it
    check(&[('n', "abcd"), ('e', "aXcd")], Unseen, None, &[]);
    check(&[('n', "abcd"), ('w', "xyz")], Unseen, None, &[]);
    check(&[('n', "abcd"), ('!', "abcZ")], Unseen, Some(("abcd", &[])), &["abcd"]);
    check(&[('n', "abcd"), ('!', "abcZ"), ('r', "abcZ")], Unseen, None, &["abcd"]);
    check(&[('n', "abcd"), ('!', "abcZ"), ('p', "abcZ")], Unseen, Some(("abcd", &["ab"])), &["abcd"]);
    // An edit of its own does not show a session what somebody else did.
    check(&[('n', "abcd"), ('!', "abcZ"), ('e', "aXcZ")], Unseen, Some(("abcd", &["X"])), &["abcd"]);
    check(
        &[('n', "abcd"), ('!', "abcZ"), ('e', "aXcZ"), ('e', "aYcZ")],
        Unseen,
        Some(("abcd", &["X", "Y"])),
        &["abcd"],
    );
    check(&[('n', "abcd"), ('!', "abcZ"), ('e', "aXcZ"), ('n', "aXcZ")], Seen, None, &["abcd"]);
    check(&[('n', "abcd"), ('!', "abcZ"), ('w', "xyz")], Unseen, None, &["abcd"]);
    check(&[('n', "abcd"), ('-', ""), ('!', "new")], Unseen, Some(("abcd", &[])), &[]);
}
/// Which lines were not shown, from 0; nothing if all were.
fn check_unseen(steps: &[(char, &str)], want: Option<Range<usize>>) {
    let path = RelPath::parse("f", &[]).unwrap();
    assert_eq!(story(steps).unseen(&path, 0), want.map(|one| std::iter::once(one).collect()), "{steps:?}");
}

#[test]
fn lines_that_were_shown() {
    check_unseen(&[('r', "abcd")], None);
    check_unseen(&[('p', "abcd")], Some(2..4));
    check_unseen(&[('p', "abcd"), ('r', "abcd")], None);
    check_unseen(&[('r', "abcd"), ('p', "abcd")], None);
    check_unseen(&[('p', "abcd"), ('e', "aXcd")], Some(2..4));
    check_unseen(&[('r', "abcd"), ('e', "aXcd")], None);
    check_unseen(&[('r', "abcd"), ('!', "abcZ"), ('e', "aXcZ")], Some(3..4));
    check_unseen(&[('r', "abcd"), ('!', "Zabcd"), ('p', "Zabcd")], None); // the others had moved
    check_unseen(&[('r', "abcd"), ('!', "vwxyz"), ('p', "vwxyz")], Some(2..5));
    // Where others took lines away, nobody has seen that they are gone until what is there now is read.
    check_unseen(&[('r', "abcdef"), ('!', "abcdf"), ('p', "abcdf")], Some(3..5));
    check_unseen(&[('r', "abcdef"), ('!', "abcdf"), ('e', "aXcdf")], Some(3..5));
    check_unseen(&[('r', "abcdef"), ('!', "abcd"), ('e', "aXcd")], Some(3..4));
    check_unseen(&[('r', "abcdef"), ('!', "cdef"), ('p', "cdef")], None); // the place was read
    check_unseen(&[('r', "abcdef"), ('!', "abcdf"), ('p', "abcdf"), ('r', "abcdf")], None);
    check_unseen(&[('r', "abcdef"), ('e', "aXdef")], None); // its own doing
    check_unseen(&[('p', "abcd"), ('w', "xyz")], None);
    check_unseen(&[('r', "abcd"), ('-', ""), ('p', "abcZ")], Some(2..4)); // whatever comes is another's
}

#[test]
fn the_same_bytes_again() {
    check_unseen(&[('r', "abcd"), ('-', ""), ('u', "abcd")], None);
    check_unseen(&[('r', "abcd"), ('w', "xyz"), ('u', "abcd")], None);
    check_unseen(&[('r', "abcd"), ('w', "xyz"), ('u', "abcZ")], Some(0..4));
    check_unseen(&[('w', "abcd"), ('w', "xyz"), ('u', "abcd"), ('u', "xyz")], None);
    check_unseen(&[('r', "abcd"), ('w', "xyz"), ('!', "abcd"), ('p', "abcd")], None); // put back by another
    check_unseen(&[('p', "abcd"), ('w', "xyz"), ('u', "abcd")], Some(0..4)); // seen in part only
    // No more of them than are remembered.
    let texts: Vec<String> = (0..WHOLE).map(|at| format!("{at}xyz")).collect();
    let steps = |count: usize| -> Vec<(char, &str)> {
        let between = texts.iter().take(count).map(|text| ('w', text.as_str()));
        [('r', "abcd")].into_iter().chain(between).chain([('u', "abcd")]).collect()
    };
    check_unseen(&steps(WHOLE - 1), None);
    check_unseen(&steps(WHOLE), Some(0..4));
}

#[test]
fn lines_of_too_many_files_are_forgotten() {
    let mut ledger = Ledger::default();
    for at in 0..REMEMBERED + 10 {
        let path = RelPath::parse(&format!("f{at}"), &[]).unwrap();
        let lines = Lines { all: Some(lines("ab")), stretches: Stretches::All };
        ledger.read(path, digest("ab"), Reading { lines, numbers: Numbers::Unseen, shown: Shown::all() });
    }
    let held = ledger.files.values().filter(|known| known.holds_lines()).count();
    assert_eq!(held, REMEMBERED);
    // It is still known that they were shown; but not what of another version is the same.
    let first = RelPath::parse("f0", &[]).unwrap();
    assert_eq!(ledger.unseen(&first, 2), None);
    let part = Lines { all: Some(lines("abc")), stretches: Stretches::All };
    let shown = Shown::read(2..3, "utf-8", 3);
    ledger.read(first.clone(), digest("abc"), Reading { lines: part, numbers: Numbers::Unseen, shown });
    assert_eq!(ledger.unseen(&first, 3), Some(std::iter::once(0..2).collect()));
}
