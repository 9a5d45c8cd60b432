//! Sections about one file, read one after the other: what is shown and what goes on record lead from the file as it
//! was to the file as it will be, whether its bytes are shared (big files) or copied.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use patchwright_core::digest::Digest;
use patchwright_core::history::Delta;
use patchwright_core::intent::{BareHunk, Hunk, HunkEnd, HunkLine, HunkPlace, Intent, OldOf, Onto, Parents};
use patchwright_core::path::RelPath;
use patchwright_core::plan::{Act, Plan, Seen, Snapshot, SnapshotFile, Step, plan, preview};
use patchwright_core::refusal::{Refusal, Why};
use patchwright_core::text::splice::Pieces;
use proptest::prelude::*;

/// From this size on, bytes that stay are shared.
const BIG: usize = 1 << 20;

fn path(name: &str) -> RelPath {
    RelPath::parse(name, &[]).unwrap()
}

/// A hunk in the notation of lines joined by `|`: ` context`, `-removed`, `+added`.
fn hunk(notation: &str, section: usize) -> Hunk {
    let line = |part: &str| {
        let text = part.get(1..).unwrap().to_owned();
        match part.as_bytes().first() {
            Some(b' ') => HunkLine::Context(text),
            Some(b'-') => HunkLine::Remove(text),
            Some(b'+') => HunkLine::Add(text),
            _ => panic!("{notation:?}"),
        }
    };
    let lines = notation.split('|').map(line).collect();
    let (place, end, bare) = (HunkPlace::Anywhere, HunkEnd::Silent, BareHunk::EmptyFileOnly);
    Hunk { lines, place, end, bare, at: 10 * section + 3, section, ends: Vec::new(), old_of: OldOf::Left }
}

fn snapshot(before: &[u8]) -> Snapshot {
    let (digest, size) = (Digest::of(before), before.len() as u64);
    let bytes = Some(before.to_vec().into());
    let file = SnapshotFile { real: path("f"), bytes, digest, size, mode: 0o644, id: (1, 1) };
    let mut snapshot = Snapshot::default();
    snapshot.add(path("f"), Seen::File(file));
    snapshot.add(path("g"), Seen::Absent { real: path("g"), missing: Vec::new() });
    snapshot
}

fn planned(snapshot: &Snapshot, hunks: Vec<Hunk>, moved: bool) -> Result<Plan, Refusal> {
    let intent = match moved {
        false => Intent::Patch { path: path("f"), hunks, charset: None },
        true => Intent::Move {
            from: path("f"),
            to: path("g"),
            onto: Onto::Replace,
            parents: Parents::MustExist,
            hunks,
            charset: None,
        },
    };
    plan(snapshot, &[intent])
}

/// The step that gives the file new bytes, and those.
fn replacing(plan: &Plan) -> Option<(&Step, &Pieces)> {
    plan.steps.iter().find_map(|step| match &step.act {
        Act::Replace { after, .. } => Some((step, after)),
        _ => None,
    })
}

/// What a unified diff makes of a text, by its line numbers alone.
fn patched(before: &str, diff: &str) -> String {
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let (mut new, mut done) = (String::new(), 0);
    for line in diff.lines().skip_while(|line| !line.starts_with("@@")) {
        if let Some(place) = line.strip_prefix("@@ -") {
            let (start, count) = place.split_once(' ').unwrap().0.split_once(',').unwrap_or((place, "1"));
            let start: usize = start.split(' ').next().unwrap().parse().unwrap();
            let start = if count == "0" { start } else { start - 1 };
            new.push_str(&old[done..start].concat());
            done = start;
            continue;
        }
        let (sign, text) = line.split_at(1);
        if sign != "+" {
            assert_eq!(old[done].trim_end_matches('\n'), text, "{diff}");
            done += 1;
        }
        if sign != "-" {
            new.push_str(text);
            new.push('\n');
        }
    }
    new + &old[done..].concat()
}

/// Each section applied to what the earlier ones left, as if it came alone.
fn one_by_one(before: &str, sections: &[&str]) -> Option<String> {
    sections.iter().try_fold(before.to_owned(), |text, notation| {
        let snapshot = snapshot(text.as_bytes());
        let plan = planned(&snapshot, vec![hunk(notation, 0)], false).ok()?;
        let after = replacing(&plan).map(|(_, after)| String::from_utf8(after.to_vec()).unwrap());
        Some(after.unwrap_or(text))
    })
}

/// Below the lines that hunks are about, enough to make the file big; not near them, where a diff would show it.
fn filler(size: usize) -> String {
    let near: String = (0..8).map(|number| format!("near {number}\n")).collect();
    near + &"x".repeat(size) + "\n"
}

fn check(before: &str, sections: &[&str], moved: bool) {
    let snapshot = snapshot(before.as_bytes());
    let hunks = sections.iter().enumerate().map(|(number, notation)| hunk(notation, number)).collect();
    let want = one_by_one(before, sections);
    let Ok(plan) = planned(&snapshot, hunks, moved) else {
        assert!(want.is_none());
        return;
    };
    let want = want.unwrap();
    let Some((step, after)) = replacing(&plan) else {
        assert!(before == want);
        return;
    };
    assert!(after.are(want.as_bytes()));
    let recorded = Delta::of(before.as_bytes(), after).unwrap().apply(before.as_bytes());
    assert!(recorded.unwrap() == want.as_bytes(), "the delta leads elsewhere: {sections:?}");
    assert!(after.edit().is_none_or(|(old, ..)| old.as_slice() == before.as_bytes()), "an edit of no file");
    let shown = preview(step, &path("f"), &snapshot, None);
    assert!(patched(before, &shown.text) == want, "{}", shown.text);
    let sum = |count: fn(&patchwright_core::plan::Change) -> usize| step.changes.iter().map(count).sum::<usize>();
    let grown = want.lines().count() + sum(|change| change.before_lines);
    assert_eq!(grown, before.lines().count() + sum(|change| change.after_lines));
}

fn sections() -> impl Strategy<Value = Vec<String>> {
    let line = "[abcd]";
    let change = prop_oneof![
        (line, line).prop_map(|(old, new)| format!("-{old}|+{new}")),
        (line, line, line).prop_map(|(old, one, two)| format!("-{old}|+{one}|+{two}")),
        (line, line).prop_map(|(above, old)| format!(" {above}|-{old}")),
        (line, line).prop_map(|(above, new)| format!(" {above}|+{new}")),
    ];
    proptest::collection::vec(change, 1..5)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn what_is_shown_and_recorded_is_what_is_applied(
        text in Just(["a", "b", "c", "d", "e"]).prop_shuffle(),
        sections in sections(),
        size in prop_oneof![3 => Just(0), 1 => Just(BIG)],
        moved in any::<bool>(),
    ) {
        let before = text.join("\n") + "\n" + &filler(size);
        let sections: Vec<&str> = sections.iter().map(String::as_str).collect();
        check(&before, &sections, moved);
    }
}

#[test]
fn two_sections_of_a_big_file_are_both_shown_and_recorded() {
    for (size, moved) in [(0, false), (0, true), (BIG, false), (BIG, true)] {
        let before = "a\nb\nc\nd\ne\n".to_owned() + &filler(size);
        check(&before, &["-a|+evil", "-e|+harmless"], moved);
        check(&before, &["-a|+1", "-1|+a"], moved);
        check(&before, &["-a|+1", " b|-c|+c"], moved);
    }
}

/// The refusal of sections, in short.
fn refused(before: &str, sections: &[&str], want: &str) {
    let snapshot = snapshot(before.as_bytes());
    let hunks = sections.iter().enumerate().map(|(number, notation)| hunk(notation, number)).collect();
    let got = match planned(&snapshot, hunks, false).unwrap_err().why {
        Why::HunkOverlap { hunk, earlier, line } => format!("{} overlaps {} at {line}", hunk.at, earlier.at),
        Why::HunkMisfit { hunk, .. } => format!("{} nowhere", hunk.at),
        other => panic!("{other:?}"),
    };
    assert_eq!(got, want, "{sections:?}");
}

#[test]
fn lines_that_an_earlier_section_changed_are_overlapping() {
    let before = "one\ntwo\nthree\nfour\n";
    refused(before, &["-one|+1", "-one|+I"], "13 overlaps 3 at 1");
    refused(before, &["-one|+1", "-three|+3", "-two|-three|+x"], "23 overlaps 13 at 3");
    refused(before, &["-one|+1", "-1|+uno", "-one|+I"], "23 overlaps 3 at 1");
    refused(before, &["-one|+1", "-1|+uno", "-1|+I"], "23 overlaps 13 at 1");
    refused(before, &["-one|+1", "-five|+5"], "13 nowhere");
    // It stands before the section and after it.
    refused("one\none\ntwo\n", &["-two|+2", "-three|+3"], "13 nowhere");
}
