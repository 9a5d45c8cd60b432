//! The writer's lock: turns in order of arrival, and what stopped, killed and impatient processes do to the others.
//!
//! Who waits is read from the kernel's list of locks, so nothing here depends on how long anything takes. Where an order
//! is asserted, the grace is so long that nobody overtakes the queue.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test says no by panicking")]

use patchwright_store::real::{Confinement, HomeAt, LockGuard, LockWait, Means, RealDisk, Whereabouts};
use patchwright_testkit::home;
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::io::{BufRead, BufReader, Lines, Write};
use std::ops::ControlFlow;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;
use tempfile::TempDir;

/// Longer than any test runs.
const LONG: Duration = Duration::from_secs(600);
/// Tells the child process which root and home to use.
const ROOT: &str = "PATCHWRIGHT_TEST_LOCK_ROOT";
const HOME: &str = "PATCHWRIGHT_TEST_LOCK_HOME";

fn open(root: &Path) -> RealDisk {
    RealDisk::open(root, &home::whereabouts(), Means::Best).unwrap()
}

/// Has the root a record, and so a queue lock?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Record {
    Made,
    None,
}

fn root(record: Record) -> TempDir {
    let root = tempfile::tempdir().unwrap();
    if record == Record::Made {
        open(root.path()).found_record().unwrap();
    }
    root
}

/// Waits in line, whatever happens.
fn in_turn(disk: &RealDisk) -> LockGuard {
    let wait = LockWait { limit: LONG, grace: LONG, tell: &|_| ControlFlow::Continue(()) };
    disk.lock_with(&wait).unwrap().expect("the lock")
}

/// Gives up once so many wait, itself among them.
fn give_up(disk: &RealDisk, locked: &[u64], count: usize) {
    let tell = |_| if waiting(locked) == count { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    assert!(disk.lock_with(&LockWait { limit: LONG, grace: LONG, tell: &tell }).unwrap().is_none());
}

fn inode(path: &Path) -> u64 {
    fs::metadata(path).unwrap().ino()
}

/// The folders that are locked: the root, and the record's folder at home.
fn locked(root: &Path) -> Vec<u64> {
    let record = open(root).has_record().then(|| inode(&home::kept(root)));
    record.into_iter().chain([inode(root)]).collect()
}

/// The kernel's list of locks. It comes in pieces; if it changes in between, a line may come twice. So it is read until
/// it is the same twice.
fn lock_list() -> String {
    let read = || fs::read_to_string("/proc/locks").unwrap();
    let (mut last, mut next) = (read(), read());
    while last != next {
        last = next;
        next = read();
    }
    next
}

/// How many requests wait for a lock on one of these folders.
fn waiting(inodes: &[u64]) -> usize {
    let list = lock_list();
    let blocked = list.lines().filter(|line| line.contains("-> FLOCK"));
    blocked.filter(|line| inodes.iter().any(|inode| line.contains(&format!(":{inode} ")))).count()
}

fn until(what: impl Fn() -> bool) {
    while !what() {
        std::thread::yield_now();
    }
}

#[test]
fn turns_in_order_of_arrival() {
    for record in [Record::Made, Record::None] {
        let root = root(record);
        let (locked, order) = (locked(root.path()), Mutex::new(Vec::new()));
        let first = open(root.path()).try_lock().unwrap().expect("free");
        std::thread::scope(|scope| {
            for nth in 0..8 {
                let (disk, order) = (open(root.path()), &order);
                scope.spawn(move || {
                    let _guard = in_turn(&disk);
                    order.lock().unwrap().push(nth);
                });
                until(|| waiting(&locked) == nth + 1);
            }
            drop(first);
        });
        assert_eq!(*order.lock().unwrap(), [0, 1, 2, 3, 4, 5, 6, 7], "{record:?}");
    }
}

#[test]
fn who_lets_go_does_not_overtake_who_waits() {
    let root = root(Record::Made);
    let (locked, order) = (locked(root.path()), Mutex::new(Vec::new()));
    let (one, two) = (open(root.path()), open(root.path()));
    let mut held = in_turn(&one);
    for turn in 0..20 {
        held = std::thread::scope(|scope| {
            let waits = scope.spawn(|| {
                let guard = in_turn(&two);
                order.lock().unwrap().push((turn, "waits"));
                drop(guard);
            });
            until(|| waiting(&locked) == 1);
            drop(held);
            let again = in_turn(&one);
            order.lock().unwrap().push((turn, "again"));
            waits.join().unwrap();
            again
        });
    }
    drop(held);
    let expected: Vec<_> = (0..20).flat_map(|turn| [(turn, "waits"), (turn, "again")]).collect();
    assert_eq!(*order.lock().unwrap(), expected);
}

#[test]
fn who_gave_up_keeps_its_place_for_the_next_try() {
    let root = root(Record::Made);
    let (locked, order) = (locked(root.path()), Mutex::new(Vec::new()));
    let (early, late) = (open(root.path()), open(root.path()));
    let held = open(root.path()).try_lock().unwrap().expect("free");
    for _ in 0..3 {
        give_up(&early, &locked, 1);
    }
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let _guard = in_turn(&late);
            order.lock().unwrap().push("late");
        });
        until(|| waiting(&locked) == 2);
        let (told, hears) = std::sync::mpsc::channel();
        scope.spawn(|| {
            let tell = move |_| {
                let _ = told.send(());
                ControlFlow::Continue(())
            };
            let _guard =
                early.lock_with(&LockWait { limit: LONG, grace: LONG, tell: &tell }).unwrap().expect("the lock");
            order.lock().unwrap().push("early");
        });
        hears.recv().unwrap();
        assert_eq!(waiting(&locked), 2, "the third try waits in the place of the first");
        drop(held);
    });
    assert_eq!(*order.lock().unwrap(), ["early", "late"]);
}

#[test]
fn who_gave_up_keeps_nobody_waiting() {
    for record in [Record::Made, Record::None] {
        let root = root(record);
        let (locked, gone, stays) = (locked(root.path()), open(root.path()), open(root.path()));
        let held = open(root.path()).try_lock().unwrap().expect("free");
        give_up(&gone, &locked, 1);
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| drop(in_turn(&stays)));
            until(|| waiting(&locked) == 2);
            drop(held);
            waits.join().unwrap();
        });
        drop(in_turn(&gone));
    }
}

#[test]
fn a_caller_ends_its_own_wait() {
    let root = root(Record::Made);
    let held = open(root.path()).try_lock().unwrap().expect("free");
    let tells = std::cell::Cell::new(0);
    let tell = |_| {
        tells.set(tells.get() + 1);
        if tells.get() == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    assert!(open(root.path()).lock_with(&LockWait::new(LONG, &tell)).unwrap().is_none());
    assert_eq!(tells.get(), 3);
    drop(held);
}

#[test]
fn a_process_that_is_kept_in_waits_in_line_too() {
    let root = root(Record::Made);
    let (queue, disk) = (inode(&home::kept(root.path())), open(root.path()));
    let held = open(root.path()).try_lock().unwrap().expect("free");
    std::thread::scope(|scope| {
        scope.spawn(|| {
            // Kernels without Landlock keep nobody in; the queue is the same.
            let _: Confinement = disk.confine();
            drop(in_turn(&disk));
        });
        let inodes = [queue, inode(root.path())];
        until(|| waiting(&inodes) == 1);
        let list = lock_list();
        assert!(list.lines().any(|line| line.contains(&format!(":{queue} "))), "the queue lock is held: {list}");
        drop(held);
    });
}

/// Another process that wants the lock, or has it.
struct Other {
    child: Child,
    says: Lines<BufReader<ChildStdout>>,
}

impl Other {
    fn start(root: &Path) -> Other {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "another_process_locks_and_releases", "--nocapture"]);
        command.env(ROOT, root).env(HOME, home::home()).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let says = BufReader::new(child.stdout.take().unwrap()).lines();
        Other { child, says }
    }

    /// Reads until it says this.
    fn says(&mut self, word: &str) {
        assert!(self.says.any(|line| line.unwrap().ends_with(word)), "it ended before it was {word}");
    }

    fn send(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Stops it; none of its threads runs, nor waits in a line, when this returns.
    fn stop(&self) {
        self.send(Signal::STOP);
        let tasks = format!("/proc/{}/task", self.child.id());
        let is_stopped = |task: fs::DirEntry| {
            let stat = fs::read_to_string(task.path().join("stat")).unwrap_or_default();
            stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('T'))
        };
        until(|| fs::read_dir(&tasks).unwrap().flatten().all(is_stopped));
    }

    fn end(mut self) {
        drop(self.child.stdin.take());
        assert!(self.child.wait().unwrap().success());
    }

    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// What the child process does: it takes the lock, and releases it when its input ends.
fn be_the_other(root: &Path, home: &Path) {
    let at = Whereabouts { state: None, home: HomeAt::Folder(home.to_owned()), ..Whereabouts::default() };
    let disk = RealDisk::open(root, &at, Means::Best).unwrap();
    let guard = in_turn(&disk);
    std::io::stdout().write_all(b"\nlocked\n").unwrap();
    std::io::copy(&mut std::io::stdin(), &mut std::io::sink()).unwrap();
    drop(guard);
}

#[test]
fn another_process_locks_and_releases() {
    if let (Some(root), Some(home)) = (std::env::var_os(ROOT), std::env::var_os(HOME)) {
        return be_the_other(Path::new(&root), Path::new(&home));
    }
    let root = root(Record::Made);
    let mut other = Other::start(root.path());
    other.says("locked");
    assert!(open(root.path()).try_lock().unwrap().is_none());
    other.end();
    assert!(open(root.path()).try_lock().unwrap().is_some());
}

#[test]
fn a_stopped_holder_is_waited_for_up_to_the_limit_and_a_killed_one_no_more() {
    for record in [Record::Made, Record::None] {
        let (root, limit) = (root(record), Duration::from_millis(50));
        let mut other = Other::start(root.path());
        other.says("locked");
        other.stop();
        let (disk, next) = (open(root.path()), open(root.path()));
        assert!(disk.lock(limit).unwrap().is_none() && next.lock(limit).unwrap().is_none());
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| drop(in_turn(&disk)));
            other.kill();
            waits.join().unwrap();
        });
    }
}

#[test]
fn stopped_waiters_keep_nobody_waiting() {
    for record in [Record::Made, Record::None] {
        let root = root(record);
        let locked = locked(root.path());
        let held = open(root.path()).try_lock().unwrap().expect("free");
        let mut others = Vec::new();
        for nth in 1..=3 {
            others.push(Other::start(root.path()));
            until(|| waiting(&locked) == nth);
        }
        // The first of them has the queue lock, if there is one.
        others.iter().for_each(Other::stop);
        drop(held);
        drop(open(root.path()).lock(LONG).unwrap().expect("past those that are stopped"));
        for mut other in others {
            other.send(Signal::CONT);
            other.says("locked");
            other.end();
        }
    }
}
