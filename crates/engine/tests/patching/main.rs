//! Patches through the library, as properties: what is generated lands byte for byte and can be taken
//! back; what was garbled on the way changes nothing unless it is applied as the plain rules have it.
//! `PROPTEST_CASES` asks for more cases.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise and looks at the disk itself"
)]

mod bench;
mod diffs;
mod garble;
mod story;

use bench::Bench;
use diffs::{End, by_git, by_us, style};
use garble::{Slip, garbled, slips};
use patchwright_engine::core::conventions::Conventions;
use patchwright_engine::core::dialect::envelope::{Patch, Section, parse};
use patchwright_engine::core::intent::Parents;
use patchwright_engine::core::outcome::Extent;
use patchwright_testkit::reference::{Files, applied};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRunner};
use story::{Story, story};

fn cases(few: u32) -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|number| number.parse().ok());
    // Nothing is written beside the sources: a case that fails becomes a row of its own.
    Config { cases: asked.unwrap_or(few), failure_persistence: None, ..Config::default() }
}

proptest! {
    #![proptest_config(cases(250))]

    #[test]
    fn what_is_generated_lands_and_can_be_taken_back(story in story()) {
        there_and_back(&story);
    }

    #[test]
    fn what_was_garbled_does_no_harm(story in story(), slips in slips(), parents in parents()) {
        without_harm(&story, &slips, parents);
    }
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn a_diff_of_git_makes_what_it_was_made_of(story in story(), style in style()) {
        by_git(&story, &style);
    }
}

proptest! {
    #![proptest_config(cases(250))]

    #[test]
    fn a_diff_of_ours_makes_what_it_was_made_of(story in story()) {
        by_us(&story);
    }
}

fn parents() -> impl Strategy<Value = Parents> {
    prop_oneof![Just(Parents::MustExist), Just(Parents::Create)]
}

fn there_and_back(story: &Story) {
    let Some((text, wanted)) = story.envelope() else { return };
    let bench = Bench::with(&story.before());
    let patched = bench.apply(&text, Parents::Create).unwrap_or_else(|trouble| panic!("{trouble:?}\n{text}"));
    bench.check(&wanted, &text);
    bench.take_back(&patched);
    bench.check(&story.before(), &text);
}

fn without_harm(story: &Story, slips: &[Slip], parents: Parents) {
    let Some((text, _)) = story.envelope() else { return };
    let text = garbled(&text, slips);
    let bench = Bench::with(&story.before());
    let start = bench.tree();
    match bench.apply(&text, parents) {
        Err(_) => assert_eq!(start.difference(&bench.tree()), [""; 0], "refused, and yet changed\n{text}"),
        Ok(patched) if patched.extent == Extent::Unchanged => {
            assert_eq!(start.difference(&bench.tree()), [""; 0], "unchanged, and yet changed\n{text}");
        }
        Ok(patched) => {
            assert!(patched.extent == Extent::Done && patched.batch.is_some(), "{patched:?}");
            assert_ne!(start.difference(&bench.tree()), [""; 0], "done, and yet unchanged\n{text}");
            agree(story, &text, &bench);
            bench.take_back(&patched);
            bench.check(&story.before(), &text);
        }
    }
}

/// What the plain reference makes of a patch that was applied, where it can tell.
fn agree(story: &Story, text: &str, bench: &Bench) {
    let patch = parse(text, Conventions::Strict).unwrap().patch;
    let files: Files = story.before().into_iter().map(|(path, file)| (path, file.bytes)).collect();
    if knows(&files, &patch) {
        let wanted = applied(&files, &patch).unwrap_or_else(|| panic!("the reference refuses\n{text}"));
        assert_eq!(bench.files(), wanted, "{text}");
    }
}

/// The reference knows neither UTF-16 nor other spellings of a path.
fn knows(files: &Files, patch: &Patch) -> bool {
    patch.sections.iter().all(|section| {
        let (path, to) = match section {
            Section::Add { path, .. } | Section::Delete { path } => (path, None),
            Section::Update { path, move_to, .. } => (path, move_to.as_ref()),
            Section::Move { from, to, .. } => (from, Some(to)),
        };
        let plain = |path: &String| !path.split('/').any(|name| matches!(name, "" | "." | ".."));
        let marked = |path: &String| files.get(path).is_some_and(|bytes| bytes.starts_with(b"\xFF\xFE"));
        [Some(path), to].into_iter().flatten().all(|path| plain(path) && !marked(path))
    })
}

/// So many values of a strategy, the same each time.
fn sample<S: Strategy>(strategy: &S) -> Vec<S::Value> {
    let mut runner = TestRunner::deterministic();
    (0..200).map(|_| strategy.new_tree(&mut runner).unwrap().current()).collect()
}

/// Most stories must have something to tell, or the properties above would say little.
#[test]
fn stories_are_told() {
    let told: Vec<String> = sample(&story()).iter().filter_map(Story::envelope).map(|(text, _)| text).collect();
    assert!(told.len() > 150, "{} of 200", told.len());
    for sort in ["*** Add File:", "*** Update File:", "*** Delete File:", "*** Move File:", "\\ No newline"] {
        let count = told.iter().filter(|text| text.contains(sort)).count();
        assert!(count > 20, "{count} of 200 have {sort}");
    }
}

/// Some slips must go through and some must not, for the same reason.
#[test]
fn slips_go_both_ways() {
    let garbled = |(story, slips): &(Story, Vec<Slip>)| {
        let (text, _) = story.envelope()?;
        Some(Bench::with(&story.before()).apply(&garbled(&text, slips), Parents::Create).is_ok())
    };
    let ends: Vec<bool> = sample(&(story(), slips())).iter().filter_map(garbled).collect();
    let applied = ends.iter().filter(|applied| **applied).count();
    assert!(applied > 20 && ends.len() - applied > 20, "{applied} of {} were applied", ends.len());
}

/// Some diffs must be applied and some refused, of either printer.
#[test]
fn diffs_go_both_ways() {
    let count = |ends: &[End], end: End| ends.iter().filter(|one| **one == end).count();
    let git: Vec<End> =
        sample(&(story(), style())).iter().take(80).map(|(story, style)| by_git(story, style)).collect();
    assert!(count(&git, End::Applied) > 10 && count(&git, End::Refused) > 10, "{git:?}");
    let ours: Vec<End> = sample(&story()).iter().map(by_us).collect();
    assert!(count(&ours, End::Applied) > 50 && count(&ours, End::Refused) > 0, "{ours:?}");
}
