//! Several writers at once: the follower tells what the record tells, in its order.

use crate::place::{LONG, in_words, open};
use patchwright_engine::core::tool::{CreateFile, WriteFile};
use patchwright_engine::{AuditEntry, Follow, News, Quiet, Session, Since};
use std::path::Path;
use std::thread;

const WRITERS: usize = 5;
const CALLS: usize = 20;

/// The events on record, by the audit.
fn on_record(workspace: &Session) -> Vec<String> {
    let mut all = Vec::new();
    workspace
        .audit_export(&mut |entry: &AuditEntry| {
            let paths: Vec<&str> = entry.files.iter().map(|file| file.path.as_str()).collect();
            all.push(format!("{} {}", entry.tool, paths.join(" ")));
            Ok(())
        })
        .unwrap();
    all
}

fn write(root: &Path, writer: usize) {
    for call in 0..CALLS {
        // Each call has a session of its own, as those of the command line do.
        let session = open(root);
        if call % 4 == 3 {
            session.write_file(&WriteFile::new(format!("missing-{writer}/{call}"), "x"), &Quiet).unwrap_err();
        } else {
            session.create_file(&CreateFile::new(format!("{writer}-{call}"), "x".repeat(call * 997)), &Quiet).unwrap();
        }
    }
}

/// Follows until everything was told that is to come.
fn follow_all(mut follow: Follow) -> Vec<String> {
    let mut told = Vec::new();
    while told.len() < WRITERS * CALLS {
        match follow.next(LONG, &Quiet).unwrap() {
            News::Event(event) => told.push(format!("{} {}", event.tool, event.paths.join(" "))),
            other => panic!("{} after {told:?}", in_words(&other)),
        }
    }
    told
}

#[test]
fn nothing_is_lost_or_told_twice() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let (woken, polled) = (open(root), open(root));
    thread::scope(|scope| {
        let woken = scope.spawn(|| follow_all(woken.workspace().follow(Since::Now).unwrap()));
        let polled = scope.spawn(|| follow_all(polled.workspace().follow(Since::Start).unwrap().by_polling()));
        let writers: Vec<_> = (0..WRITERS).map(|writer| scope.spawn(move || write(root, writer))).collect();
        writers.into_iter().for_each(|writer| writer.join().unwrap());
        let want = on_record(&open(root));
        assert_eq!(want.len(), WRITERS * CALLS);
        assert_eq!(woken.join().unwrap(), want, "woken");
        assert_eq!(polled.join().unwrap(), want, "polled");
    });
}

/// More entries than are read ahead at once.
#[test]
fn a_long_record_is_told_piece_by_piece() {
    let folder = tempfile::tempdir().unwrap();
    let session = open(folder.path());
    for call in 0..600 {
        session.write_file(&WriteFile::new(format!("missing/{call}"), "x"), &Quiet).unwrap_err();
    }
    let mut follow = session.workspace().follow(Since::Start).unwrap();
    for call in 0..600 {
        let News::Event(event) = follow.next(LONG, &Quiet).unwrap() else { panic!("{call}") };
        assert_eq!(event.paths, [format!("missing/{call}")]);
    }
    assert_eq!(in_words(&follow.next(std::time::Duration::ZERO, &Quiet).unwrap()), "nothing");
}
