//! All or nothing, at every stopping point of the fake disk. A call is cut short at each verb that
//! changes or syncs something, what a power cut may leave is opened again, and the tree must be as it
//! was before the call or as it is after it: after, if the call had answered. Recovery is itself cut
//! short. Verbs fail, once and for ever. A foreign program saves between any two verbs.
//!
//! The last tests lie to the engine on purpose, to show that these tests would notice.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test says no by panicking")]

mod call;
mod cut;
mod elsewhere;
mod fail;
mod foreign;
mod plans;
mod stale;
mod twice;

use patchwright_core::refusal::Kind;
use patchwright_store::publish::{Outcome, Stop};
use patchwright_testkit::fake::{Ability, FakeDisk, Honesty, Moves, Node, StateAt, Switches};
use plans::Past;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const PLAIN: Switches = Switches {
    exchange: Ability::Works,
    no_replace: Ability::Works,
    hard_links: Ability::Works,
    moves: Moves::Whole,
    names: patchwright_testkit::fake::Names::Exact,
    state: StateAt::Inside,
    honesty: Honesty::Honest,
};

/// The file systems that the promises hold on.
fn file_systems() -> [(&'static str, Switches); 3] {
    [
        ("plain", PLAIN),
        ("state elsewhere", Switches { state: StateAt::OtherFileSystem, ..PLAIN }),
        ("no exchange", Switches { exchange: Ability::Missing, ..PLAIN }),
    ]
}

/// File systems on which a file may be seen under its old and its new name.
fn two_names() -> [(&'static str, Switches); 2] {
    [
        ("moves by two names", Switches { moves: Moves::ByTwoNames, ..PLAIN }),
        ("no exchange, moves by two names", Switches { exchange: Ability::Missing, moves: Moves::ByTwoNames, ..PLAIN }),
    ]
}

/// Runs a check over every plan on every file system, in a fresh workspace and in one with a history,
/// and reports what went wrong where.
fn check(test: impl Fn(&plans::Scenario) -> Result<(), String>) {
    check_with(&[Past::Fresh, Past::Begun, Past::Used], test);
}

fn check_with(pasts: &[Past], test: impl Fn(&plans::Scenario) -> Result<(), String>) {
    check_on(&file_systems(), pasts, test);
}

fn check_on(file_systems: &[(&str, Switches)], pasts: &[Past], test: impl Fn(&plans::Scenario) -> Result<(), String>) {
    let mut wrong = Vec::new();
    for (kind, switches) in file_systems {
        for past in pasts {
            for scenario in plans::all(*switches, *past) {
                let place = format!("{} on {kind}, {past:?}", scenario.name);
                wrong.extend(test(&scenario).err().map(|what| format!("{place}: {what}")));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of the plans:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_power_cut_leaves_all_or_nothing() {
    check(cut::every_stop);
}

#[test]
fn recovery_may_be_cut_short_too() {
    // An empty log under the intent makes no difference here, and twice the work.
    check_with(&[Past::Fresh, Past::Used], cut::every_stop_of_recovery);
}

#[test]
fn a_failing_disk_leaves_all_or_nothing() {
    check(fail::every_verb);
}

#[test]
fn a_foreign_writer_loses_nothing() {
    check(foreign::every_moment);
}

#[test]
fn a_foreign_writer_who_comes_twice_loses_nothing() {
    check(twice::every_two_moments);
}

#[test]
fn a_folder_that_was_moved_away_loses_nothing() {
    check(elsewhere::every_stop);
}

/// Where a file may be seen under two names, no file of the workspace is left as one with what is kept: whoever writes into
/// the one would change the other.
#[test]
fn nothing_kept_is_a_file_of_the_workspace_too() {
    check_on(&two_names(), &[Past::Used], cut::every_stop);
}

#[test]
fn recovery_may_be_killed_between_two_names() {
    check_on(&two_names(), &[Past::Used], cut::every_kill_of_recovery);
}

/// On some file systems a handle of a folder that was removed and made again leads nowhere.
#[test]
fn recovery_resolves_anew_what_went_stale() {
    check_with(&[Past::Used], stale::every_verb_of_recovery);
}

/// A writer dies, and somebody else puts a file where it was to make a folder: theirs stays, and nobody is
/// kept from working.
#[test]
fn a_folder_that_became_a_file_is_left_alone() {
    for plan in plans::all(PLAIN, Past::Used).iter().filter(|plan| !plan.plan.folders.is_empty()) {
        let (disk, folder) = (plan.disk.fork(), plan.plan.folders[0].as_str());
        if matches!(disk.tree().get(folder), Some(Node::Link(_))) {
            continue;
        }
        call::begin(&disk, &plan.plan);
        disk.write(folder, b"theirs\n");
        assert_eq!(call::reopen(&disk), Ok(()), "{}", plan.name);
        assert_eq!(disk.read(folder), Some(b"theirs\n".to_vec()), "{}", plan.name);
    }
}

/// Somebody puts a file into a folder that goes or moves, before any verb of the call: either they came too late, or
/// everything is taken back and theirs is where they put it.
#[test]
fn a_folder_that_grows_meanwhile_stays() {
    for plan in plans::all(PLAIN, Past::Used).iter().filter(|plan| !plan.plan.gone.is_empty()) {
        for folder in ["d", "d/e", "d/x"] {
            let theirs = format!("{folder}/theirs");
            for nth in 1.. {
                let acted = Arc::new(AtomicBool::new(false));
                let (mark, at) = (Arc::clone(&acted), theirs.clone());
                let disk = plan.disk.with_actor(move |actor, moment| {
                    if moment.nth == nth {
                        actor.save_in_place(&at, b"theirs\n");
                        mark.store(true, Ordering::Relaxed);
                    }
                });
                let ended = call::outcome(&disk, &plan.plan);
                if !acted.load(Ordering::Relaxed) {
                    break;
                }
                let (mut tree, place) = (disk.tree(), format!("{} {folder} {nth}", plan.name));
                assert_eq!(disk.read(&theirs), Some(b"theirs\n".to_vec()), "{place}");
                tree.remove(&theirs);
                match ended {
                    Some(Outcome::Committed(_)) => assert!(!tree.contains_key("d/c"), "{place}"),
                    Some(Outcome::RolledBack(Stop::Refused(why), left)) => {
                        assert_eq!((why.kind(), left.len()), (Kind::StaleFile, 0), "{place}");
                        assert_eq!(tree, plan.disk.tree(), "{place}");
                        // The folder itself may be one that they made again.
                        let metas = |disk: &FakeDisk| {
                            let mut metas = disk.folder_metas();
                            metas.remove(folder);
                            metas
                        };
                        assert_eq!(metas(&disk), metas(&plan.disk), "{place}");
                    }
                    other => panic!("{place}: {other:?}"),
                }
            }
        }
    }
}

/// With this lie some plan must come out torn; else these tests prove nothing.
fn check_notices(honesty: Honesty) {
    let torn = plans::all(Switches { honesty, ..PLAIN }, Past::Used).iter().any(|plan| cut::every_stop(plan).is_err());
    assert!(torn, "nobody noticed {honesty:?}");
}

#[test]
fn a_forgotten_sync_is_noticed() {
    check_notices(Honesty::FilesNotSynced);
    check_notices(Honesty::FoldersNotSynced);
    check_notices(Honesty::DataNotSynced);
}
