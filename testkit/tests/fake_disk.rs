//! The fake disk is what the power-cut tests stand on, so it has tests of its own: which outcomes a cut
//! may leave, which it may not, and that stopping, failing and meddling happen where they are asked for.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test says no by panicking")]

use patchwright_core::path::RelPath;
use patchwright_store::disk::{At, Disk, Dress, Flush, Halt, Rename};
use patchwright_testkit::fake::{
    Ability, Choice, Errno, Failure, FakeDir, FakeDisk, Lasts, Names, Node, StateAt, Switches, Verb,
};
use std::collections::BTreeSet;
use std::io::ErrorKind;

/// One step of a script: a verb and its paths.
fn step(disk: &FakeDisk, line: &str) -> Result<(), Halt> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        ["create", path] => at(disk, path, |dir, name| disk.create(dir, name).map(drop)),
        ["write", path, text] => with_file(disk, path, |file| disk.write_at(file, 0, text.as_bytes())),
        ["append", path, text] => {
            with_file(disk, path, |file| disk.write_at(file, disk.stat_file(file)?.size, text.as_bytes()))
        }
        ["cut", path, len] => with_file(disk, path, |file| disk.set_len(file, len.parse().unwrap())),
        ["sync", path] => with_file(disk, path, |file| disk.sync(Flush::File(file))),
        ["syncdir", path] => disk.sync(Flush::Dir(&folder(disk, path)?)),
        ["syncall"] => disk.sync(Flush::Everything(&folder(disk, ".")?)),
        ["mkdir", path] => at(disk, path, |dir, name| disk.make_folder(dir, name)),
        ["rmdir", path] => at(disk, path, |dir, name| disk.remove_folder(dir, name)),
        ["rm", path] => at(disk, path, |dir, name| disk.remove(dir, name)),
        ["mv", from, to] => two(disk, from, to, Rename::NoReplace),
        ["over", from, to] => two(disk, from, to, Rename::Replace),
        ["swap", from, to] => two(disk, from, to, Rename::Exchange),
        ["ln", from, to] => {
            at(disk, from, |a, one| at(disk, to, |b, other| disk.link(At::new(a, one), At::new(b, other))))
        }
        _ => panic!("no such step: {line}"),
    }
}

fn folder(disk: &FakeDisk, path: &str) -> Result<FakeDir, Halt> {
    disk.folder(&RelPath::parse(path, &[]).unwrap())
}

fn at(disk: &FakeDisk, path: &str, act: impl FnOnce(&FakeDir, &str) -> Result<(), Halt>) -> Result<(), Halt> {
    let path = RelPath::parse(path, &[]).unwrap();
    act(&disk.folder(&path.parent())?, path.name())
}

fn with_file(
    disk: &FakeDisk,
    path: &str,
    act: impl FnOnce(&<FakeDisk as Disk>::File) -> Result<(), Halt>,
) -> Result<(), Halt> {
    at(disk, path, |dir, name| act(&disk.open_state(dir, name)?))
}

fn two(disk: &FakeDisk, from: &str, to: &str, how: Rename) -> Result<(), Halt> {
    at(disk, from, |a, one| at(disk, to, |b, other| disk.rename(At::new(a, one), At::new(b, other), how)))
}

fn run(disk: &FakeDisk, script: &str) -> Result<(), Halt> {
    script.split(';').map(str::trim).filter(|line| !line.is_empty()).try_for_each(|line| step(disk, line))
}

/// A disk with these durable files, written `path=bytes`.
fn disk_with(files: &str) -> FakeDisk {
    let disk = FakeDisk::default();
    fill(&disk, files);
    disk
}

fn fill(disk: &FakeDisk, files: &str) {
    for (path, bytes) in files.split_whitespace().filter_map(|file| file.split_once('=')) {
        disk.write(path, bytes.as_bytes());
    }
}

fn shown(disk: &FakeDisk) -> String {
    let one = |(path, node): (&String, &Node)| match node {
        Node::File { bytes, .. } => format!("{path}={}", String::from_utf8_lossy(bytes).replace('\0', "0")),
        _ => format!("{path}/"),
    };
    disk.tree().iter().map(one).collect::<Vec<_>>().join(" ")
}

fn all_outcomes(disk: &FakeDisk, keep: impl Fn(&Choice) -> bool) -> BTreeSet<String> {
    disk.outcomes().iter().filter(|choice| keep(choice)).map(|choice| shown(&disk.crash(choice))).collect()
}

/// After the script, a cut leaves exactly one of these (files old or new, not torn).
fn check(before: &str, script: &str, expected: &[&str]) {
    let disk = disk_with(before);
    run(&disk, script).unwrap();
    let found = all_outcomes(&disk, |choice| !matches!(choice, Choice::Seeded(_)));
    let expected: BTreeSet<String> = expected.iter().map(|one| (*one).to_owned()).collect();
    assert_eq!(found, expected, "after {script:?} on {before:?}");
}

#[test]
fn what_was_not_synced_may_or_may_not_survive() {
    check("a=1", "", &["a=1"]);
    check("", "create a; write a x", &["", "a=", "a=x"]);
    check("", "create a; write a x; sync a", &["", "a=x"]);
    check("", "create a; write a x; syncdir .", &["a=", "a=x"]);
    check("", "create a; write a x; sync a; syncdir .", &["a=x"]);
    check("", "create a; write a x; syncall", &["a=x"]);
    check("a=1", "write a 2", &["a=1", "a=2"]);
    check("a=1 b=1", "rm a; rm b", &["a=1 b=1", "a=1", "b=1", ""]);
    check("a=1 b=1", "rm a; rm b; syncdir .", &[""]);
}

#[test]
fn one_rename_is_whole() {
    check("a=1", "mv a b", &["a=1", "b=1"]);
    check("a=1 b=2", "swap a b", &["a=1 b=2", "a=2 b=1"]);
    check("a=1 b=2", "over a b", &["a=1 b=2", "b=1"]);
    check("d/a=1 e/x=0", "mv d/a e/b", &["d/ d/a=1 e/ e/x=0", "d/ e/ e/b=1 e/x=0"]);
    // Either folder's sync makes both sides durable.
    check("d/a=1 e/x=0", "mv d/a e/b; syncdir d", &["d/ e/ e/b=1 e/x=0"]);
    check("d/a=1 e/x=0", "mv d/a e/b; syncdir e", &["d/ e/ e/b=1 e/x=0"]);
}

#[test]
fn no_order_between_names_but_order_on_one_name() {
    check("a=1 b=2", "mv a c; mv b d", &["a=1 b=2", "b=2 c=1", "a=1 d=2", "c=1 d=2"]);
    check("a=1", "mv a b; mv b c", &["a=1", "b=1", "c=1"]);
    check("a=1 t=2", "swap t a; mv t k", &["a=1 t=2", "a=2 t=1", "a=2 k=1"]);
    // A sync of one folder takes along what its changes stand on, and nothing else.
    check("a=1 d/x=0", "create t; mv t d/y; mv a b; syncdir d", &["a=1 d/ d/x=0 d/y=", "b=1 d/ d/x=0 d/y="]);
    // A second name and the removal of the first are two changes: the file may be lost.
    check("a=1", "ln a b; rm a", &["a=1", "a=1 b=1", "", "b=1"]);
}

#[test]
fn folders() {
    check("", "mkdir d; create d/a; syncdir d", &["", "d/ d/a="]);
    // What is moved into a new folder survives with that folder or stays where it was.
    check("a=1", "mkdir d; mv a d/a", &["a=1", "a=1 d/", "d/ d/a=1"]);
    check("d/a=1", "mv d/a b; rmdir d", &["d/ d/a=1", "b=1 d/", "b=1"]);
    check("d/a=1", "rm d/a; rmdir d; syncdir .", &[""]);
}

/// Of the torn outcomes of a script, each must be allowed, and each of `wanted` must come up.
fn check_torn(before: &str, script: &str, allowed: impl Fn(&str) -> bool, wanted: &[&str]) {
    let disk = disk_with(before);
    run(&disk, script).unwrap();
    let found: BTreeSet<String> = (0..512).map(|seed| shown(&disk.crash(&Choice::Seeded(seed)))).collect();
    assert!(found.iter().all(|one| allowed(one)), "not allowed: {found:?}");
    assert!(wanted.iter().all(|one| found.contains(*one)), "not all of {wanted:?} in {found:?}");
}

#[test]
fn torn_files() {
    check_torn("a=12", "append a 34", |one| one.starts_with("a=12"), &["a=12", "a=123", "a=1234", "a=1200"]);
    check_torn("", "create a; write a 12; syncdir .", |one| one.starts_with("a="), &["a=", "a=1", "a=12", "a=00"]);
    check_torn("a=old", "cut a 0; write a new", |_| true, &["a=", "a=old", "a=new", "a=n"]);
    check_torn("a=old", "write a new; sync a", |one| one == "a=new", &["a=new"]);
}

#[test]
fn a_failed_sync_is_final() {
    let start = disk_with("a=1");
    let fails = Failure { at: 2, error: Errno::Io, lasts: Lasts::Once };
    let disk = start.with_failure(fails);
    let failed = run(&disk, "write a 2; sync a").unwrap_err();
    assert_eq!(failed.os_kind(), std::io::Error::from_raw_os_error(5).kind().into());
    run(&disk, "sync a").unwrap();
    assert_eq!(shown(&disk.crash(&Choice::NothingMore)), "a=1");
    run(&disk, "append a 3; sync a").unwrap();
    assert_eq!(shown(&disk.crash(&Choice::NothingMore)), "a=13");
    let disk = start.with_failure(fails);
    run(&disk, "mv a b; syncdir .").unwrap_err();
    run(&disk, "syncdir .").unwrap();
    assert_eq!(shown(&disk.crash(&Choice::NothingMore)), "a=1");
    assert_eq!(shown(&disk.crash(&Choice::Everything)), "b=1");
}

#[test]
fn a_stop_stops_at_the_nth_change_and_for_good() {
    let start = disk_with("a=1");
    let script = "create b; write b x; sync b; rm a; syncdir .";
    let whole = start.fork();
    run(&whole, script).unwrap();
    assert_eq!(whole.changes(), 5);
    for at in 1..=5 {
        let disk = start.with_stop(at);
        assert!(matches!(run(&disk, script), Err(Halt::PowerCut)));
        assert_eq!(disk.changes(), at - 1);
        assert!(matches!(folder(&disk, "."), Err(Halt::PowerCut)));
    }
    assert!(run(&start.with_stop(6), script).is_ok());
}

#[test]
fn failures_strike_once_or_for_ever() {
    let fail = |at, error, lasts| disk_with("a=1 b=2").with_failure(Failure { at, error, lasts });
    let disk = fail(1, Errno::NoSpace, Lasts::Once);
    assert_eq!(run(&disk, "write a 23").unwrap_err().os_kind(), Some(ErrorKind::StorageFull));
    assert_eq!(shown(&disk), "a=2 b=2", "half of it was written");
    run(&disk, "write a 23").unwrap();
    let disk = fail(2, Errno::NoSpace, Lasts::ForEver);
    run(&disk, "create c").unwrap();
    run(&disk, "create d").unwrap_err();
    run(&disk, "append a 2").unwrap_err();
    run(&disk, "swap a b; rm c; syncdir .").unwrap();
    let disk = fail(1, Errno::Io, Lasts::ForEver);
    run(&disk, "swap a b").unwrap_err();
    run(&disk, "syncdir .").unwrap_err();
    assert_eq!(shown(&disk), "a=1 b=2");
}

#[test]
fn a_foreign_actor_has_its_turn_before_any_verb() {
    let disk = disk_with("a=1 b=2").with_actor(|actor, moment| {
        if moment.verb == Verb::Rename {
            actor.save_by_rename("a", b"theirs");
        }
    });
    run(&disk, "swap a b").unwrap();
    assert_eq!(shown(&disk), "a=2 b=theirs");
    let mut kept = None;
    let disk = disk_with("a=1").with_actor(move |actor, moment| {
        kept = kept.or(actor.open("a"));
        if let (Verb::SyncDir, Some(kept)) = (moment.verb, kept) {
            actor.write_through(kept, b"late");
        }
    });
    run(&disk, "mv a b; syncdir .").unwrap();
    assert_eq!(shown(&disk), "b=late");
    let nth = disk_with("a=1").with_actor(|actor, moment| {
        if moment.nth == 1 {
            actor.save_in_place("a", b"9");
            actor.save_in_place("n/m", b"8");
        }
    });
    run(&nth, "append a 1").unwrap();
    assert_eq!(shown(&nth), "a=91 n/ n/m=8");
}

/// On a disk of this sort a script fails so.
fn check_fails(switches: Switches, before: &str, script: &str, expected: fn(&Halt) -> bool) {
    let disk = FakeDisk::new(switches);
    fill(&disk, before);
    let tree = disk.tree();
    let halt = run(&disk, script).expect_err(script);
    assert!(expected(&halt), "{script}: {halt:?}");
    assert_eq!(disk.tree(), tree, "a verb that fails changes nothing");
}

#[test]
fn what_a_file_system_cannot_do() {
    let all = Switches::default();
    let unsupported = |halt: &Halt| matches!(halt, Halt::Unsupported);
    check_fails(Switches { exchange: Ability::Missing, ..all }, "a=1 b=2", "swap a b", unsupported);
    check_fails(Switches { no_replace: Ability::Missing, ..all }, "a=1", "mv a b", unsupported);
    check_fails(Switches { hard_links: Ability::Missing, ..all }, "a=1", "ln a b", unsupported);
    check_fails(Switches { names: Names::CaseIgnored, ..all }, "a=1", "create A", Halt::is_taken);
    check_fails(all, "a=1 b=2", "mv a b", Halt::is_taken);
    check_fails(all, "a=1", "swap a b", Halt::is_missing);
    check_fails(all, "a=1", "rm b", Halt::is_missing);
    check_fails(all, "d/a=1", "rmdir d", |halt| halt.os_kind() == Some(ErrorKind::DirectoryNotEmpty));
    check_fails(all, "d/a=1", "mv d d/e", |halt| halt.os_kind() == Some(ErrorKind::InvalidInput));
}

#[test]
fn links_lead_nowhere_outside() {
    let disk = disk_with("d/a=1");
    disk.set_up(|actor| {
        actor.make_link("in", b"d/../d");
        actor.make_link("out", b"d/../../etc");
        actor.make_link("abs", b"/etc");
        actor.make_link("loop", b"loop");
        actor.make_special("pipe");
    });
    let named = |name: &str| folder(&disk, name);
    assert!(named("in").is_ok_and(|dir| dir == named("d").unwrap()));
    assert!(matches!(named("out"), Err(Halt::Escape)));
    assert!(matches!(named("abs"), Err(Halt::Escape)));
    assert!(matches!(named("loop"), Err(Halt::Os(_))));
    let root = named(".").unwrap();
    assert!(matches!(disk.open(&root, "pipe"), Err(Halt::Special)));
    assert!(matches!(disk.open(&root, "in"), Err(Halt::Os(_))));
    assert_eq!(disk.read_link(&root, "abs").unwrap(), b"/etc");
}

#[test]
fn state_on_another_file_system() {
    let disk = FakeDisk::new(Switches { state: StateAt::OtherFileSystem, ..Switches::default() });
    disk.write("a", b"1");
    let (root, blobs) = (folder(&disk, ".").unwrap(), disk.state("blobs").unwrap());
    let across = disk.rename(At::new(&root, "a"), At::new(&blobs, "a"), Rename::NoReplace).unwrap_err();
    assert_eq!(across.os_kind(), Some(ErrorKind::CrossesDevices));
    assert_ne!(disk.device(&root).unwrap(), disk.device(&blobs).unwrap());
    disk.sync(Flush::Everything(&root)).unwrap();
    assert!(disk.crash(&Choice::NothingMore).state_tree().is_empty());
    disk.sync(Flush::Everything(&blobs)).unwrap();
    assert_eq!(disk.crash(&Choice::NothingMore).state_tree().len(), 1);
}

#[test]
fn state_is_kept_apart_and_litter_is_seen() {
    let disk = disk_with("a=1");
    let blobs = disk.state("blobs").unwrap();
    disk.create(&blobs, "x.apply-patch.tmp").unwrap();
    assert_eq!(shown(&disk), "a=1");
    assert_eq!(disk.litter(), ["blobs/x.apply-patch.tmp"]);
    assert!(disk.crash(&Choice::NothingMore).state_tree().is_empty(), "the state folder was not synced");
    assert_eq!(disk.crash(&Choice::Killed).state_tree().len(), 2);
}

#[test]
fn dress_is_copied_without_set_id_and_needs_its_sync() {
    let disk = disk_with("a=1");
    disk.set_up(|actor| {
        actor.set_mode("a", 0o4755);
        actor.set_attribute("a", "user.k", b"v");
    });
    let root = folder(&disk, ".").unwrap();
    let (model, made) = (disk.open(&root, "a").unwrap(), disk.create(&root, "b").unwrap());
    disk.sync(Flush::Dir(&root)).unwrap();
    assert_eq!(disk.dress(&made, &Dress::Like(&model)).unwrap().len(), 1);
    disk.sync(Flush::Data(&made)).unwrap();
    let mode = |disk: &FakeDisk| match disk.tree().get("b") {
        Some(Node::File { mode, .. }) => *mode,
        other => panic!("{other:?}"),
    };
    assert_eq!((mode(&disk), mode(&disk.crash(&Choice::NothingMore))), (0o755, 0o600));
    disk.sync(Flush::File(&made)).unwrap();
    assert_eq!(mode(&disk.crash(&Choice::NothingMore)), 0o755);
}
