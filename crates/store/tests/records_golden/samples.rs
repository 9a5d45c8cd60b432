//! A record of every kind, every field filled. No literal here may end in `..`: a new field must be filled too.

use super::choices::{doubts, warnings};
use patchwright_core::digest::Digest;
use patchwright_core::folder::{Attribute, FolderMeta};
use patchwright_core::history::{Cut, Delta};
use patchwright_core::outcome::{Continuity, Correction, EditFacts, SafetyStatus, StaleAnchor};
use patchwright_core::path::RelPath;
use patchwright_store::records::{
    Abort, Adopted, Asked, AskedFile, BrokenRule, Caller, ChangeRecord, Commit, Counts, Decision, Deed, Door,
    EditRecord, End, FaultRecord, FileRecord, FolderRecord, FolderTable, Intent, Keep, LeftAlone, Note, PatchRecord,
    Point, Proposal, Proposed, Proven, Purge, Record, Resumed, Retired, Role, SectionRecord, Shelf, TakenBack, Touched,
    Verdict, Work,
};

pub(crate) fn all() -> Vec<(&'static str, Record)> {
    vec![
        ("Intent", Record::Intent(intent())),
        ("Commit", Record::Commit(commit())),
        ("Abort", Record::Abort(abort())),
        ("Note", Record::Note(note())),
        ("Purge", Record::Purge(purge())),
        ("Retired", Record::Retired(retired())),
        ("Proposal", Record::Proposal(Proposal { commit: commit(), asides: vec![true, false] })),
        ("Verdict", Record::Verdict(verdict())),
        ("Resumed", Record::Resumed(resumed())),
        ("Adopted", Record::Adopted(adopted())),
    ]
}

fn dress() -> FolderTable {
    let note = Attribute { name: b"user.note".to_vec(), value: vec![0, 255, 10] };
    let meta = FolderMeta { mode: 0o2750, owner: Some((1000, 1001)), attributes: Some(vec![note]) };
    FolderTable { folders: vec![(path("old/in"), 0), (path("old"), 0)], metas: vec![meta] }
}

/// A commit that says as little as one can.
pub(crate) fn plain_commit() -> Record {
    Record::Commit(Commit::default())
}

fn text(text: &str) -> String {
    text.to_owned()
}

fn path(path: &str) -> RelPath {
    RelPath::try_from(path.to_owned()).unwrap()
}

fn hash(of: &str) -> Digest {
    Digest::of(of.as_bytes())
}

fn key() -> Option<(String, Digest)> {
    Some((text("key"), hash("arguments")))
}

fn caller() -> Caller {
    Caller {
        time_ns: 1_760_000_000_123_456_789,
        session: text("0199c82c-0000-7000-8000-000000000001"),
        client: text("client/1.2"),
        tool: text("edit_file"),
        unchecked: true,
        actor: Some(text("ada")),
        door: Door::Page,
        role: Role::Person,
    }
}

fn keep() -> Keep {
    Keep { shelf: Shelf::Trash, name: text("t1") }
}

fn intent() -> Intent {
    let work = Work {
        deed: Deed::Rename,
        path: path("src/a.rs"),
        to: Some(path("src/b.rs")),
        temp_folder: path("src"),
        temp: text("a.rs.1234.apply-patch.tmp"),
        keep: Some(keep()),
        before: Some(hash("before")),
        after: Some(hash("after")),
        modes: Some((0o644, 0o755)),
        via: true,
    };
    Intent {
        batch: text("batch"),
        caller: caller(),
        folders: vec![path("src"), path("src/new")],
        works: vec![work],
        gone: vec![path("old")],
        ahead: 1,
        emptied: vec![path("turned")],
        modes: vec![(path("old"), 0o750)],
        dress: dress(),
        altered: dress(),
    }
}

fn commit() -> Commit {
    Commit {
        batch: text("batch"),
        number: 17,
        caller: caller(),
        files: vec![file()],
        warnings: warnings(),
        shown: Some(text("src/a.rs")),
        verified: true,
        key: key(),
        consumed: Some(text("t2")),
        patch: Some(patch()),
        edit: Some(Box::new(EditRecord { facts: facts(), continuity: Continuity::Mixed })),
        batch_key: Some(text("batch-key")),
        label: Some(text("label")),
        folders: vec![path("src/new")],
        gone: vec![path("old")],
        dress: dress(),
        also_consumed: vec![text("t3")],
        undoes: vec![text("earlier")],
        proposed: Some(Box::new(Proposed { by: caller(), rebased: true, dropped: vec![text("change")] })),
    }
}

fn patch() -> PatchRecord {
    let section =
        SectionRecord { wish: 1, operation: text("move"), path: text("./src/a.rs"), to: Some(text("./src/b.rs")) };
    PatchRecord { atomic: true, hunks: 3, since: Some(900), section: Some(2), goes_on: true, sections: vec![section] }
}

fn facts() -> EditFacts {
    let stale = StaleAnchor { line: 4, was: text("a1b2c3"), now: text("~0c812f1b"), quality: text("high") };
    EditFacts {
        operations: 1,
        lines_before: 10,
        lines_after: 11,
        valid_through: 5,
        stale: vec![stale],
        stale_count: 1,
        diff: text("+12#a1b2c3 [high]|text"),
        diff_cut: true,
        corrections: vec![Correction::RangeSwapped { start: 9, end: 7 }],
        safety: SafetyStatus::Suspicious,
        doubts: doubts(),
    }
}

fn file() -> FileRecord {
    FileRecord {
        id: text("file"),
        operation: text("update"),
        path: path("src/a.rs"),
        to: Some(path("src/b.rs")),
        before: Some(hash("before")),
        after: Some(hash("after")),
        size: 12,
        before_size: 11,
        mode: 0o644,
        mode_after: Some(0o755),
        link: true,
        keep: Some(keep()),
        trash: Some(text("t1")),
        diff: text("@@ -1 +1 @@\n-a\n+b\n"),
        diff_cut: true,
        changes: vec![change()],
        wish: 1,
        key: Some(text("file-key")),
        label: Some(text("file-label")),
        doc_path: Some(text("root/src/a.rs")),
        delta: Some(Delta(vec![Cut { at: 1, gone: 2, new: vec![0, 255, 10] }])),
        came: Some(text("t0")),
        folder: Some(Box::new(FolderRecord { folders: vec![(path("src"), 0o755)], files: 2 })),
    }
}

fn change() -> ChangeRecord {
    ChangeRecord {
        id: text("change"),
        before: (1, 2),
        after: (1, 3),
        description: Some(text("why")),
        key: Some(text("change-key")),
        undoes: vec![text("other")],
        restores: vec![(1, text("other"), 2, 3)],
        severity: Some(text("high")),
        categories: vec![text("bugfix")],
        tags: vec![text("tag")],
    }
}

fn touched() -> Touched {
    Touched { path: text("a.txt"), to: Some(text("b.txt")), before: Some(hash("before")), after: Some(hash("after")) }
}

fn abort() -> Abort {
    Abort {
        batch: text("batch"),
        caller: caller(),
        kind: text("io_error"),
        recovered: true,
        files: vec![touched()],
        left_alone: vec![LeftAlone { path: path("a.txt"), saved: Some(keep()) }],
        asked: Some(Box::new(asked())),
    }
}

fn note() -> Note {
    let end = End::Refused(text("stale_file"));
    let asked = Some(Box::new(asked()));
    Note { caller: caller(), end, operation: text("update"), files: vec![touched()], diff: text("diff"), asked }
}

fn asked() -> Asked {
    Asked {
        key: Some(text("key")),
        batch_key: Some(text("batch-key")),
        label: Some(text("label")),
        files: vec![asked_file()],
        counts: Counts {
            files: 1,
            changes: 2,
            hunks: 3,
            edits: 4,
            operations: 5,
            lines_added: 300,
            lines_removed: 70_000,
        },
        broken: vec![broken_rule()],
        broken_more: 8,
        fault: Some(FaultRecord { id: text("0199c82c-0000-7000-8000-000000000002"), said: text("said") }),
    }
}

fn asked_file() -> AskedFile {
    AskedFile {
        path: Some(text("src/a.rs")),
        doc_path: Some(text("root/src/a.rs")),
        key: Some(text("file-key")),
        label: Some(text("file-label")),
        change_keys: vec![text("change-key")],
    }
}

fn broken_rule() -> BrokenRule {
    BrokenRule {
        rule: text("deny"),
        at: Some(text("files[0].changes[1]")),
        path: Some(text("src/a.rs")),
        doc_path: Some(text("root/src/a.rs")),
        key: Some(text("change-key")),
        setting: Some(text("write.deny")),
        pattern: Some(text("src/**")),
        hunk: Some(1),
        patch_line: Some(12),
    }
}

fn purge() -> Purge {
    Purge {
        batch: text("batch"),
        number: 18,
        caller: caller(),
        ids: vec![text("t1")],
        inside: vec![text("t4")],
        files: vec![touched()],
        bytes: 12,
        key: key(),
        warnings: warnings(),
    }
}

fn retired() -> Retired {
    Retired { time_ns: -1, blobs: vec![text("blob")], trash: vec![text("t1")], bytes: 12 }
}

fn verdict() -> Verdict {
    Verdict {
        batch: text("batch"),
        caller: caller(),
        decision: Decision::Conflicted,
        reason: Some(text("reason")),
        key: key(),
    }
}

fn point(sequence: u64) -> Point {
    Point { sequence, offset: sequence * 4096, head: hash("head") }
}

fn resumed() -> Resumed {
    Resumed { time_ns: 7, known: Some(point(70_000)), found: point(3), unfinished: Some(text("batch")) }
}

fn adopted() -> Adopted {
    Adopted {
        time_ns: 7,
        caller: caller(),
        from: Some(text("00112233445566778899aabbccddeeff")),
        records: 300,
        head: Some(hash("head")),
        proven: Proven::Key,
        unfinished: Some(text("batch")),
        taken_back: TakenBack::Yes,
    }
}
