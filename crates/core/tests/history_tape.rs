//! Lines through versions: taking changes back, in any order, is what leaving them out would have been.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

#[path = "history_tape/world.rs"]
mod world;

use patchwright_core::history::{Lost, Piece, Restored, Span, Tape};
use proptest::prelude::*;
use world::{Wish, World};

/// Carries wishes out; what is taken back is compared with leaving it out.
fn build(lines: usize, wishes: &[Wish]) -> World {
    let mut world = World::new(lines);
    for wish in wishes {
        match wish {
            Wish::Lines(pieces) => world.edit(pieces),
            Wish::Back(..) if world.steps.is_empty() => {}
            Wish::Back(step, mask) => {
                let ids = world.ids(step % world.steps.len(), *mask);
                if let Some(edits) = check_without(&world, &ids) {
                    world.undo(&edits);
                }
            }
        }
    }
    world
}

/// Taking back is refused, or the same as leaving out.
fn check_without(world: &World, ids: &[String]) -> Option<Vec<patchwright_core::history::Edit>> {
    let edits = world.without(ids).ok()?;
    let found = world.applied(&edits, ids);
    if let Some(want) = world.model(ids) {
        assert_eq!(found, want, "without {ids:?}: {world:#?}");
    }
    Some(edits)
}

/// Newest first everything can be taken back, on one tape.
fn check_to_the_start(world: &World) {
    let mut tape = world.tape();
    let mut ids = Vec::new();
    for (at, step) in world.steps.iter().enumerate().rev() {
        let all = world.ids(at, u32::MAX);
        let taken = tape.take_back(&all);
        assert_eq!(taken, Ok(()), "step {at}: {world:#?}");
        ids.extend(all);
        assert_eq!(world.applied(&tape.edits(), &ids), step.before, "step {at}: {world:#?}");
        assert_eq!(tape.len(), step.before.len());
    }
}

/// Newest first everything can be taken back on record, and that too.
fn check_on_record(mut world: World) {
    let count = world.steps.len();
    for at in (0..count).rev() {
        let ids = world.ids(at, u32::MAX);
        let edits = world.without(&ids).unwrap_or_else(|lost| panic!("step {at}: {lost:?} {world:#?}"));
        assert_eq!(world.applied(&edits, &ids), world.steps[at].before, "step {at}: {world:#?}");
        world.undo(&edits);
    }
    for at in (count..2 * count).rev() {
        let ids = world.ids(at, u32::MAX);
        let edits = world.without(&ids).unwrap_or_else(|lost| panic!("undo {at}: {lost:?} {world:#?}"));
        assert_eq!(world.applied(&edits, &ids), world.steps[at].before, "undo {at}: {world:#?}");
        world.undo(&edits);
    }
    check_to_the_start(&world);
}

fn wishes(most: usize) -> impl Strategy<Value = Vec<Wish>> {
    let piece = (0..3_usize, 0..3_usize, 0..3_usize, prop_oneof![4 => Just(1_usize), 1 => Just(2_usize)]);
    let lines = prop::collection::vec(piece, 1..4).prop_map(Wish::Lines);
    let back = (0..8_usize, prop_oneof![Just(u32::MAX), 1..8_u32]).prop_map(|(step, mask)| Wish::Back(step, mask));
    prop::collection::vec(prop_oneof![2 => lines, 1 => back], 1..most)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn newest_first_all_can_be_taken_back(lines in 0..7_usize, wishes in wishes(8)) {
        check_to_the_start(&build(lines, &wishes));
    }

    #[test]
    fn newest_first_all_can_be_taken_back_on_record(lines in 0..7_usize, wishes in wishes(6)) {
        check_on_record(build(lines, &wishes));
    }

    #[test]
    fn taking_back_is_leaving_out(lines in 0..9_usize, wishes in wishes(8)) {
        let world = build(lines, &wishes);
        for step in 0..world.steps.len() {
            for mask in [u32::MAX, 1, 2, 4, 5] {
                check_without(&world, &world.ids(step, mask));
            }
        }
    }

    #[test]
    fn nonsense_does_not_panic(lines in 0..5_usize, steps in prop::collection::vec(prop::collection::vec(nonsense(), 0..4), 0..4)) {
        let mut tape = Tape::new(lines);
        for pieces in &steps {
            tape.step(pieces);
        }
        tape.mark(tape.len());
        for id in ["0", "1", "2", "3"] {
            let _ = tape.take_back(&[id.to_owned()]);
        }
        let _ = tape.edits();
    }
}

fn nonsense() -> impl Strategy<Value = Piece> {
    let number = || prop_oneof![4 => 0..4_usize, 1 => Just(usize::MAX), 1 => Just(usize::MAX - 1)];
    let span = move || (number(), number()).prop_map(|(first, count)| Span { first, count });
    let id = || (0..4_u8).prop_map(|id| id.to_string());
    let restored =
        (number(), id(), number(), number()).prop_map(|(at, change, from, count)| Restored { at, change, from, count });
    (id(), span(), span(), prop::collection::vec(restored, 0..3)).prop_map(|(id, before, after, restores)| Piece {
        id,
        before,
        after,
        restores,
    })
}

/// Some plain steps, then one is taken back: the tokens left, or nothing.
fn check(lines: usize, steps: &[&[(usize, usize, usize, usize)]], back: &[&str], want: Option<&[u32]>) {
    let mut world = World::new(lines);
    steps.iter().for_each(|step| world.edit(step));
    let ids: Vec<String> = back.iter().map(|id| (*id).to_owned()).collect();
    let found = world.without(&ids).ok().map(|edits| world.applied(&edits, &ids));
    assert_eq!(found.as_deref(), want, "{steps:?} without {back:?}");
}

#[test]
fn places_and_lines() {
    // A deletion comes back beside later changes of its neighbours.
    check(3, &[&[(1, 1, 0, 1)], &[(0, 1, 2, 1)]], &["c1"], Some(&[3, 4, 1, 2]));
    // What was inserted where it stood contests it, also once replaced.
    check(3, &[&[(1, 1, 0, 1)], &[(1, 0, 1, 1)]], &["c1"], None);
    check(3, &[&[(1, 1, 0, 1)], &[(1, 0, 1, 1)], &[(1, 1, 1, 1)]], &["c1"], None);
    // But not once it is gone.
    check(3, &[&[(1, 1, 0, 1)], &[(1, 0, 1, 1)], &[(1, 1, 0, 1)]], &["c1"], Some(&[0, 1, 2]));
    // Neighbours that were deleted apart come back apart, in their order.
    check(4, &[&[(1, 1, 0, 1), (0, 1, 0, 1)]], &["c2"], Some(&[0, 2, 3]));
    check(4, &[&[(1, 1, 0, 1), (0, 1, 0, 1)]], &["c2", "c1"], Some(&[0, 1, 2, 3]));
    // Both neighbours replaced as one: the place is gone.
    check(3, &[&[(1, 1, 0, 1)], &[(0, 2, 1, 1)]], &["c1"], None);
    // Lines that were split by others do not stand together.
    check(2, &[&[(1, 0, 2, 1)], &[(2, 0, 1, 1)]], &["c1"], None);
    // One of two changes that share their lines.
    check(2, &[&[(0, 1, 1, 2)]], &["c1"], None);
    check(2, &[&[(0, 1, 1, 2)]], &["c1", "c2"], Some(&[0, 1]));
}

#[test]
fn what_is_lost_is_named() {
    let mut world = World::new(3);
    world.edit(&[(1, 1, 1, 2)]);
    let shared = |one: &str, other: &str| Lost::Shared { change: one.into(), others: vec![other.into()] };
    assert_eq!(world.without(&["c1".into()]), Err(vec![shared("c1", "c2")]));
    assert_eq!(world.without(&["x".into()]), Err(vec![Lost::Unknown { change: "x".into() }]));
    world.edit(&[(0, 2, 1, 1)]);
    let now = Span { first: 1, count: 1 };
    let touched = |change: &str| Lost::Touched { change: change.into(), now };
    assert_eq!(world.without(&["c1".into(), "c2".into()]), Err(vec![touched("c1"), touched("c2")]));
}

#[test]
fn many_pieces_and_many_steps() {
    let mut world = World::new(10_000);
    world.edit(&vec![(1, 1, 1, 1); 4_000]);
    world.edit(&vec![(1, 1, 0, 1); 4_000]);
    for step in 0..1_000 {
        world.edit(&[(step, 1, 2, 1)]);
    }
    let mut tape = world.tape();
    for step in (0..1_002).rev() {
        let ids = world.ids(step, u32::MAX);
        assert_eq!(tape.take_back(&ids), Ok(()), "{step}");
    }
    assert_eq!(tape.len(), 10_000);
}

#[test]
fn many_neighbours_deleted_apart() {
    let mut world = World::new(10_000);
    world.edit(&vec![(0, 1, 0, 1); 10_000]);
    let most = |world: &World| -> Vec<String> {
        let ids = world.steps[0].groups.iter().skip(1).flat_map(|group| group.ids.clone());
        ids.collect()
    };
    for ids in [world.ids(0, u32::MAX), most(&world)] {
        let edits = world.without(&ids).unwrap();
        let want: Vec<u32> = (10_000 - ids.len() as u32..10_000).collect();
        assert_eq!(edits.iter().map(|edit| edit.after.count).sum::<usize>(), want.len());
    }
}
