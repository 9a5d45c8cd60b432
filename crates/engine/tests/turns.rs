//! Sessions of one workspace: each has seen what it has seen, and their changes take turns in order of arrival.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise and looks at the disk itself"
)]

use patchwright_engine::core::policy::{Limits, Settings};
use patchwright_engine::core::refusal::Kind;
use patchwright_engine::core::tool::{Call, CreateFile, ListBatches, ReadFile, WriteFile};
use patchwright_engine::core::warning::Warning;
use patchwright_engine::{
    Client, Doing, Durability, Observer, Options, Quiet, Session, SessionId, SessionOptions, Watch, Workspace,
};
use patchwright_testkit::home;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

fn open(root: &Path, lock_wait_ms: u64) -> Arc<Workspace> {
    let settings = Settings { limits: Limits { lock_wait_ms, ..Limits::default() }, ..Settings::default() };
    let options = Options { settings, durability: Durability::None, home: home::at(), ..Options::default() };
    Workspace::open(root, options).unwrap()
}

fn named(workspace: &Arc<Workspace>, name: &str) -> Session {
    let client = Client { name: name.to_owned(), ..Client::default() };
    workspace.session(SessionOptions { id: SessionId::parse(name).ok(), client, ..SessionOptions::default() })
}

fn kind(failed: patchwright_engine::core::outcome::Failed) -> Kind {
    failed.trouble.kind()
}

/// Says when the call has its turn, and lets it go on when told to.
struct Gate {
    reached: SyncSender<()>,
    go_on: Mutex<Receiver<()>>,
    asked: AtomicU32,
}

impl Gate {
    /// With what says that the call has its turn, and what lets it go on.
    fn new() -> (Gate, Receiver<()>, SyncSender<()>) {
        let (reached, has_turn) = sync_channel(1);
        let (open, go_on) = sync_channel(1);
        (Gate { reached, go_on: Mutex::new(go_on), asked: AtomicU32::new(0) }, has_turn, open)
    }
}

impl Watch for Gate {
    /// Asked first when it is this call's turn, and again before the commit.
    fn cancelled(&self) -> bool {
        if self.asked.fetch_add(1, Ordering::SeqCst) == 1 {
            self.reached.send(()).unwrap_or_default();
            let _ = self.go_on.lock().unwrap().recv();
        }
        false
    }
}

struct Withdrawn;

impl Watch for Withdrawn {
    fn cancelled(&self) -> bool {
        true
    }
}

#[test]
fn each_session_has_seen_what_it_has_seen() {
    let root = tempfile::tempdir().unwrap();
    let workspace = open(root.path(), 10_000);
    let (one, two) = (named(&workspace, "one"), named(&workspace, "two"));
    one.create_file(&CreateFile::new("a", "1\n"), &Quiet).unwrap();
    let unseen = two.write_file(&WriteFile::new("a", "2\n"), &Quiet).unwrap_err();
    assert_eq!(kind(unseen), Kind::StaleFile);
    two.read_file(&ReadFile::new("a"), &Quiet).unwrap();
    two.write_file(&WriteFile::new("a", "2\n"), &Quiet).unwrap();
    let stale = one.write_file(&WriteFile::new("a", "3\n"), &Quiet).unwrap_err();
    assert_eq!(kind(stale), Kind::StaleFile, "another session of the same workspace wrote it");
    assert_eq!(fs::read_to_string(root.path().join("a")).unwrap(), "2\n");
    assert_eq!((one.id(), two.id()), ("one", "two"));
    assert_eq!(workspace.session(SessionOptions::default()).id().len(), 36, "a fresh id");
}

#[test]
fn changes_of_many_sessions_all_land() {
    let root = tempfile::tempdir().unwrap();
    let workspace = open(root.path(), 600_000);
    std::thread::scope(|threads| {
        for nth in 0..8 {
            let workspace = &workspace;
            threads.spawn(move || {
                let session = named(workspace, &format!("s{nth}"));
                for at in 0..10 {
                    session.create_file(&CreateFile::new(format!("{nth}-{at}"), "x\n"), &Quiet).unwrap();
                }
            });
        }
    });
    let files = fs::read_dir(root.path()).unwrap().filter(|entry| entry.as_ref().unwrap().path().is_file()).count();
    assert_eq!(files, 80);
    let look = named(&workspace, "look");
    let reply = look.list_batches(&ListBatches { limit: Some(100), ..ListBatches::default() }).unwrap();
    let patchwright_engine::core::outcome::Answer::Batches(list) = reply.answer else { panic!() };
    assert_eq!(list.batches.len(), 80);
}

#[test]
fn nobody_waits_longer_than_the_limit_or_when_withdrawn() {
    let root = tempfile::tempdir().unwrap();
    let workspace = open(root.path(), 1);
    let (one, two) = (named(&workspace, "one"), named(&workspace, "two"));
    let (gate, has_turn, go_on) = Gate::new();
    std::thread::scope(|threads| {
        let first = threads.spawn(|| one.create_file(&CreateFile::new("a", "1\n"), &gate));
        has_turn.recv().unwrap();
        let busy = two.create_file(&CreateFile::new("b", "1\n"), &Quiet).unwrap_err();
        assert_eq!(kind(busy), Kind::Busy);
        let withdrawn = two.create_file(&CreateFile::new("b", "1\n"), &Withdrawn).unwrap_err();
        assert_eq!(kind(withdrawn), Kind::Cancelled);
        go_on.send(()).unwrap();
        first.join().unwrap().unwrap();
    });
    two.create_file(&CreateFile::new("b", "1\n"), &Quiet).unwrap();
}

#[test]
fn changes_go_in_order_of_arrival() {
    let root = tempfile::tempdir().unwrap();
    let workspace = open(root.path(), 600_000);
    let first = named(&workspace, "first");
    let (gate, has_turn, go_on) = Gate::new();
    std::thread::scope(|threads| {
        threads.spawn(|| first.create_file(&CreateFile::new("a", "1\n"), &gate).unwrap());
        has_turn.recv().unwrap();
        for nth in 0..6 {
            let arrived = Arrived::default();
            let session = named(&workspace, &format!("s{nth}"));
            let seen = Arc::clone(&arrived.0);
            threads.spawn(move || session.create_file(&CreateFile::new(format!("b{nth}"), "1\n"), &arrived).unwrap());
            while !seen.load(Ordering::SeqCst) {
                std::thread::yield_now();
            }
        }
        go_on.send(()).unwrap();
    });
    let reply = first.list_batches(&ListBatches { limit: Some(100), ..ListBatches::default() }).unwrap();
    let patchwright_engine::core::outcome::Answer::Batches(list) = reply.answer else { panic!() };
    let order: Vec<&str> = list.batches.iter().rev().map(|batch| batch.author.session.as_str()).collect();
    assert_eq!(order, ["first", "s0", "s1", "s2", "s3", "s4", "s5"]);
}

#[test]
fn a_call_that_waited_elsewhere_does_not_wait_again() {
    let root = tempfile::tempdir().unwrap();
    let observer = Arc::<Waited>::default();
    let limits = Limits { lock_wait_ms: 30_000, ..Limits::default() };
    let options = Options {
        settings: Settings { limits, ..Settings::default() },
        observer: Some(Arc::clone(&observer) as Arc<dyn Observer>),
        durability: Durability::None,
        home: home::at(),
        ..Options::default()
    };
    let workspace = Workspace::open(root.path(), options).unwrap();
    let (one, two) = (named(&workspace, "one"), named(&workspace, "two"));
    let (gate, has_turn, go_on) = Gate::new();
    let long_ago = Came(Instant::now().checked_sub(Duration::from_secs(30)).unwrap());
    std::thread::scope(|threads| {
        let first = threads.spawn(|| one.create_file(&CreateFile::new("a", "1\n"), &gate));
        has_turn.recv().unwrap();
        let busy = two.create_file(&CreateFile::new("b", "1\n"), &long_ago).unwrap_err();
        assert_eq!(kind(busy), Kind::Busy);
        go_on.send(()).unwrap();
        first.join().unwrap().unwrap();
    });
    assert!(!observer.0.load(Ordering::SeqCst), "it waited although its time was over");
    two.create_file(&CreateFile::new("b", "1\n"), &long_ago).unwrap();
}

/// A call that came at this moment.
struct Came(Instant);

impl Watch for Came {
    fn came(&self) -> Option<Instant> {
        Some(self.0)
    }
}

/// Has anybody waited?
#[derive(Default)]
struct Waited(AtomicBool);

impl Observer for Waited {
    fn doing(&self, what: Doing, _: u64, _: Option<u64>) {
        self.0.fetch_or(matches!(what, Doing::Waiting { .. }), Ordering::SeqCst);
    }

    fn done(&self) {}
}

#[test]
fn each_session_is_told_once_that_the_record_was_put_back() {
    let root = tempfile::tempdir().unwrap();
    let before = {
        let session = named(&open(root.path(), 10_000), "before");
        session.create_file(&CreateFile::new("a", "1\n"), &Quiet).unwrap();
        let before = fs::read(home::record(root.path()).join("log")).unwrap();
        session.create_file(&CreateFile::new("b", "1\n"), &Quiet).unwrap();
        before
    };
    fs::write(home::record(root.path()).join("log"), before).unwrap();
    let workspace = open(root.path(), 10_000);
    for name in ["one", "two"] {
        let session = named(&workspace, name);
        for want in [1, 0] {
            let reply = session.call(&Call::ReadFile(ReadFile::new("a")), &Quiet).unwrap();
            let told = reply.warnings.iter().filter(|warning| **warning == Warning::RecordPutBack).count();
            assert_eq!(told, want, "{name}: {:?}", reply.warnings);
        }
    }
    let session = named(&workspace, "three");
    session.create_file(&CreateFile::new("c", "1\n"), &Quiet).unwrap();
    let reply = named(&workspace, "four").call(&Call::ReadFile(ReadFile::new("a")), &Quiet).unwrap();
    assert_eq!(reply.warnings, [], "a change has gone on with it");
}

/// Notes that its call stands in line: somebody who waits is asked whether they still want to.
#[derive(Default)]
struct Arrived(Arc<AtomicBool>);

impl Watch for Arrived {
    fn cancelled(&self) -> bool {
        self.0.store(true, Ordering::SeqCst);
        false
    }
}
