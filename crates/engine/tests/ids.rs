//! Every argument that takes an id takes it whole, by a beginning that fits one alone, or as a short name; and a batch
//! comes page by page without a line lost.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test sets up files and stops at the first surprise"
)]

use patchwright_engine::core::outcome::{Answer, BatchView, Failed, Reply, Trouble};
use patchwright_engine::core::refusal::{Expected, Kind, Refusal, Why};
use patchwright_engine::core::tool::{
    After, ApplyPatch, CreateFile, DeleteFile, GetPatchChange, ListBatches, ReadDoc, RestoreFile, Run, Shared, Undo,
    UndoWhat, WriteFile,
};
use patchwright_engine::{Durability, Options, Proof, Quiet, Session};
use patchwright_testkit::home;
use std::path::Path;

fn open(root: &Path) -> Session {
    let (durability, proof) = (Durability::None, Proof::Unchecked);
    Session::open(root, Options { durability, proof, home: home::at(), ..Options::default() }).unwrap()
}

fn batch_of(reply: Result<Reply, Failed>) -> String {
    match reply.unwrap().answer {
        Answer::Changed(changed) => changed.batch.unwrap().id,
        Answer::Patched(patched) => patched.batch.unwrap().id,
        other => panic!("{other:?}"),
    }
}

fn view(session: &Session, ask: &GetPatchChange) -> BatchView {
    match session.get_patch_change(ask).unwrap().answer {
        Answer::Batch(view) => *view,
        other => panic!("{other:?}"),
    }
}

fn kind(done: Result<Reply, Failed>) -> Kind {
    done.unwrap_err().trouble.kind()
}

fn undo(what: UndoWhat) -> Undo {
    Undo { what, shared: Shared { run: Run::Dry, ..Shared::default() } }
}

/// The shortest beginning of an id that none of the others has, of at least 8 digits.
fn beginning<'a>(id: &'a str, others: &[&str]) -> &'a str {
    let unique = |length: &usize| others.iter().all(|other| *other == id || !other.starts_with(&id[..*length]));
    let length = (8..=id.len()).filter(|length| !id[..*length].ends_with('-')).find(unique).unwrap();
    &id[..length]
}

#[test]
fn ids_in_every_form() {
    let root = tempfile::tempdir().unwrap();
    let session = open(root.path());
    let body = "*** Begin Patch\n*** Add File: a\n+1\n*** Add File: b\n+2\n*** End Patch\n";
    let first = batch_of(session.apply_patch(&ApplyPatch::new(body), &Quiet));
    let second = batch_of(session.create_file(&CreateFile::new("c", "3\n"), &Quiet));
    let shown = view(&session, &GetPatchChange::new("b1"));
    assert_eq!(shown.summary.name.id, first);
    let changes: Vec<&str> = shown.files.iter().map(|file| file.changes[0].name.id.as_str()).collect();
    let file = shown.files[1].id.as_str();

    let batch = beginning(&first, &[&second]);
    for given in [first.as_str(), batch, &batch.to_uppercase(), &batch.replace('-', ""), "b1", "B1"] {
        assert_eq!(view(&session, &GetPatchChange::new(given)).summary.name.id, first, "{given}");
        let since = Some(After::parse(given).unwrap());
        let list = session.list_batches(&ListBatches { since, ..ListBatches::default() }).unwrap();
        let Answer::Batches(list) = list.answer else { panic!() };
        assert_eq!(list.batches.iter().map(|batch| batch.name.id.as_str()).collect::<Vec<_>>(), [&second], "{given}");
        session.undo(&undo(UndoWhat::Batch { id: given.to_owned(), changes: None }), &Quiet).unwrap();
        session.undo(&undo(UndoWhat::Since(given.to_owned())), &Quiet).unwrap();
        assert_eq!(session.batch(given).unwrap().len(), 2);
    }
    let all: Vec<&str> = changes.iter().copied().chain(shown.files.iter().map(|file| file.id.as_str())).collect();
    for given in [changes[1], beginning(changes[1], &all), "b1.2", file, beginning(file, &all)] {
        let ask = GetPatchChange { change: Some(given.to_owned()), ..GetPatchChange::default() };
        for ask in [ask.clone(), GetPatchChange { batch: Some("b1".to_owned()), ..ask }] {
            let found = view(&session, &ask);
            assert_eq!((found.summary.name.id.as_str(), found.files.len()), (first.as_str(), 1), "{given}");
            assert_eq!(found.files[0].changes[0].name.id, changes[1], "{given}");
        }
        let both = UndoWhat::Changes(vec![given.to_owned(), "b2.1".to_owned()]);
        let Answer::Settled(settled) = session.undo(&undo(both), &Quiet).unwrap().answer else { panic!() };
        let undone: Vec<&str> = settled.undone.iter().map(|name| name.id.as_str()).collect();
        assert_eq!((undone, settled.files.len()), (vec![second.as_str(), &first], 2), "{given}");
        // In place of a batch's id it means that part alone.
        assert_eq!(view(&session, &GetPatchChange::new(given)).files.len(), 1, "{given}");
        let alone = UndoWhat::Batch { id: given.to_owned(), changes: None };
        let Answer::Settled(settled) = session.undo(&undo(alone), &Quiet).unwrap().answer else { panic!() };
        assert_eq!(
            (settled.changes[0].id.as_str(), settled.changes.len()),
            (changes[1], settled.files.len()),
            "{given}"
        );
        assert_eq!(session.batch(given).unwrap().len(), 1, "{given}");
    }
    let sessions = [session.id(), &session.id()[..13]];
    for given in sessions {
        session.undo(&undo(UndoWhat::Session(given.to_owned())), &Quiet).unwrap();
    }

    ids_that_fit_nothing_or_several(&session, first, second);
}

fn ids_that_fit_nothing_or_several(session: &Session, first: String, second: String) {
    for given in ["b9", "b1.9", "00000000", "nothing"] {
        let what = UndoWhat::Batch { id: given.to_owned(), changes: None };
        assert_eq!(kind(session.undo(&undo(what), &Quiet)), Kind::NotFound, "{given}");
    }
    for given in ["b1.3", "b1", "b9.1", "00000000", first.as_str()] {
        let what = UndoWhat::Changes(vec![given.to_owned()]);
        assert_eq!(kind(session.undo(&undo(what), &Quiet)), Kind::NotFound, "{given}");
    }
    let ask = GetPatchChange { change: Some("b2.1".to_owned()), ..GetPatchChange::new("b1") };
    assert_eq!(session.get_patch_change(&ask).unwrap_err().kind(), Kind::NotFound);
    // Ids of one minute begin alike, but the minute may have changed between the two.
    if first[..8] == second[..8] {
        match session.get_patch_change(&GetPatchChange::new(&first[..8])).unwrap_err() {
            Trouble::Refused(Refusal { why: Why::Arguments(faults), .. }) => {
                assert_eq!(faults[0].expected, Expected::OneId(vec![first, second]));
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn beside_its_batch_a_beginning_need_be_unique_there_alone() {
    let root = tempfile::tempdir().unwrap();
    let session = open(root.path());
    for path in ["a", "b"] {
        session.create_file(&CreateFile::new(path, "1\n"), &Quiet).unwrap();
    }
    let file = view(&session, &GetPatchChange::new("b2")).files[0].clone();
    let change = file.changes[0].name.id.clone();
    let within = beginning(&change, &[&change, &file.id]);
    let ask = GetPatchChange { change: Some(within.to_owned()), ..GetPatchChange::new("b2") };
    assert_eq!(view(&session, &ask).files[0].changes[0].name.id, change);
}

#[test]
fn a_trash_entry_by_its_beginning() {
    let root = tempfile::tempdir().unwrap();
    let session = open(root.path());
    session.create_file(&CreateFile::new("a", "1\n"), &Quiet).unwrap();
    let Answer::Changed(gone) = session.delete_file(&DeleteFile::new("a"), &Quiet).unwrap().answer else { panic!() };
    let id = gone.trash.unwrap();
    assert_eq!(kind(session.restore_file(&RestoreFile::new(&id[..7]), &Quiet)), Kind::NotFound);
    session.restore_file(&RestoreFile::new(&id[..8]), &Quiet).unwrap();
    assert!(root.path().join("a").exists());
    let Answer::Trash(left) = session.list_trash().unwrap().answer else { panic!() };
    assert!(left.is_empty(), "the entry is used up");
}

#[test]
fn all_lines_come_over_the_pages() {
    let root = tempfile::tempdir().unwrap();
    let session = open(root.path());
    let text = |word: &str, count: usize| (0..count).map(|at| format!("{word} {at}\n")).collect::<String>();
    session.create_file(&CreateFile::new("a", text("old", 40)), &Quiet).unwrap();
    let body = "*** Begin Patch\n*** Update File: a\n@@\n-old 3\n+new 3\n+new 4\n@@\n-old 20\n*** Add File: b\n+1\n+2\n+3\n*** End Patch\n";
    let id = batch_of(session.apply_patch(&ApplyPatch::new(body), &Quiet));
    let whole = view(&session, &GetPatchChange::new(&*id));
    assert_eq!(whole.next_cursor, None);
    let lines = |view: &BatchView| -> Vec<String> {
        let changes = view.files.iter().flat_map(|file| &file.changes);
        let sides = changes.flat_map(|change| [("-", &change.before), ("+", &change.after)]);
        sides.flat_map(|(sign, side)| side.lines.iter().flatten().map(move |line| format!("{sign}{line}"))).collect()
    };
    assert_eq!(lines(&whole), ["-old 3", "+new 3", "+new 4", "-old 20", "+1", "+2", "+3"]);
    for limit in 1..12 {
        let (mut told, mut diffs, mut cursor) = (Vec::new(), String::new(), None);
        loop {
            let page = view(&session, &GetPatchChange { limit: Some(limit), cursor, ..GetPatchChange::new(&*id) });
            let heads: usize = page.files.iter().map(|file| file.changes.len()).sum();
            let here = lines(&page);
            assert!(here.len() <= limit && (!here.is_empty() || heads > 0), "limit {limit}: {page:?}");
            for side in page.files.iter().flat_map(|file| &file.changes).flat_map(|one| [&one.before, &one.after]) {
                let shown = side.lines.as_ref().unwrap().len();
                assert_eq!(side.is_cut(), shown < side.count, "limit {limit}");
                assert_eq!(side.whole().is_some(), shown == side.count, "limit {limit}");
            }
            told.extend(here);
            diffs.extend(page.files.iter().map(|file| file.diff.as_str()));
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(told, lines(&whole), "limit {limit}");
        assert_eq!(diffs, whole.files.iter().map(|file| file.diff.as_str()).collect::<String>(), "limit {limit}");
    }
    for foreign in ["b", "1000", "x", "", "-1"] {
        let ask = GetPatchChange { cursor: Some(foreign.to_owned()), ..GetPatchChange::new(&*id) };
        assert_eq!(session.get_patch_change(&ask).unwrap_err().kind(), Kind::InvalidArguments, "{foreign:?}");
    }
}

#[test]
fn a_change_of_more_lines_than_a_page_says_so() {
    let root = tempfile::tempdir().unwrap();
    let session = open(root.path());
    let text: String = (0..5_000).map(|at| format!("{at}\n")).collect();
    session.create_file(&CreateFile::new("a", "x\n"), &Quiet).unwrap();
    let id = batch_of(session.write_file(&WriteFile::new("a", &*text), &Quiet));
    let first = view(&session, &GetPatchChange::new(&*id));
    let side = &first.files[0].changes[0].after;
    assert!(side.is_cut() && side.whole().is_none() && first.next_cursor.is_some());
    let whole = view(&session, &GetPatchChange { limit: Some(10_000), ..GetPatchChange::new(&*id) });
    assert_eq!(whole.files[0].changes[0].after.whole().map(<[String]>::len), Some(5_000));
    assert_eq!(whole.next_cursor, None);
}

#[test]
fn a_file_for_a_line_patch_is_read_whole() {
    let root = tempfile::tempdir().unwrap();
    let text = "0123456789\n".repeat(40_000);
    std::fs::write(root.path().join("a"), &text).unwrap();
    let session = open(root.path());
    let Answer::Doc(all) = session.workspace_read_file(&ReadDoc::new("a"), &Quiet).unwrap().answer else { panic!() };
    assert_eq!((all.content.len(), all.cut, all.end_line), (text.len(), None, 40_000));
    let some = ReadDoc { max_bytes: Some(30), start_line: 7, ..ReadDoc::new("a") };
    let Answer::Doc(cut) = session.workspace_read_file(&some, &Quiet).unwrap().answer else { panic!() };
    assert_eq!((cut.content.len(), cut.start_line, cut.end_line, cut.cut.is_some()), (22, 7, 8, true));
}
