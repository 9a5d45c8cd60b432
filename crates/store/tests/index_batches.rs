//! Where batches and changes stand, by what the log says. Each table is a history in short words; the index is asked
//! after every one of them, and once more after it was thrown away and made anew.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test says no by panicking")]

use patchwright_core::batch::BatchStatus;
use patchwright_core::digest::Digest;
use patchwright_core::path::RelPath;
use patchwright_core::policy::Retention;
use patchwright_store::index::{BatchFilter, BatchRow, Index};
use patchwright_store::log::{Firm, Log};
use patchwright_store::real::{Means, RealDisk};
use patchwright_store::records::{
    Adopted, Caller, ChangeRecord, Commit, Decision, FileRecord, Keep, Point, Proposal, Proposed, Proven, Purge,
    Record, Resumed, Shelf, TakenBack, Verdict,
};
use patchwright_store::retention;
use patchwright_testkit::home;
use tempfile::TempDir;

/// A workspace's log, and the index over it.
struct Past {
    _folder: TempDir,
    disk: RealDisk,
    log: Log<RealDisk>,
}

impl Past {
    fn new() -> Past {
        let folder = TempDir::new().unwrap();
        let disk = RealDisk::open(folder.path(), &home::whereabouts(), Means::Best).unwrap();
        disk.found_record().unwrap();
        let log = Log::open(&disk).unwrap();
        Past { _folder: folder, disk, log }
    }

    fn of(records: &[Record]) -> Past {
        let mut past = Past::new();
        records.iter().for_each(|record| past.add(record));
        past
    }

    fn add(&mut self, record: &Record) {
        self.log.append(&self.disk, record, Firm::No).unwrap();
    }

    fn index(&self) -> Index {
        Index::open(self.disk.index_folder().as_deref(), &self.disk, &self.log).unwrap()
    }

    fn forget(&self) {
        std::fs::remove_file(self.disk.index_folder().unwrap().join(patchwright_store::index::FILE)).unwrap();
    }
}

fn caller(session: &str, time_ns: i64) -> Caller {
    let (client, tool) = ("test 1".to_owned(), "edit".to_owned());
    Caller { time_ns, session: session.to_owned(), client, tool, ..Caller::default() }
}

/// A file with its changes: `path id,id` or `path>to id=undone+undone,…`.
fn file(said: &str) -> FileRecord {
    let (name, changes) = said.split_once(' ').unwrap_or((said, ""));
    let (path, to) = name.split_once('>').map_or((name, None), |(path, to)| (path, Some(to)));
    let rel = |path: &str| RelPath::parse(path, &[]).unwrap();
    let change = |said: &str| {
        let (id, undoes) = said.split_once('=').unwrap_or((said, ""));
        ChangeRecord {
            id: id.to_owned(),
            before: (1, 1),
            after: (1, 1),
            description: None,
            key: None,
            undoes: undoes.split('+').filter(|id| !id.is_empty()).map(str::to_owned).collect(),
            restores: Vec::new(),
            severity: None,
            categories: Vec::new(),
            tags: Vec::new(),
        }
    };
    FileRecord {
        id: format!("file-{path}"),
        operation: "update".to_owned(),
        path: rel(path),
        to: to.map(rel),
        before: None,
        after: None,
        size: 0,
        before_size: 0,
        mode: 0o644,
        mode_after: None,
        link: false,
        keep: None,
        trash: None,
        diff: String::new(),
        diff_cut: false,
        changes: changes.split(',').filter(|said| !said.is_empty()).map(change).collect(),
        wish: 0,
        key: None,
        label: None,
        doc_path: None,
        delta: None,
        came: None,
        folder: None,
    }
}

fn of_batch(batch: &str, files: &[&str]) -> Commit {
    let files: Vec<FileRecord> = files.iter().map(|said| file(said)).collect();
    let undo = files.iter().flat_map(|file| &file.changes).any(|change| !change.undoes.is_empty());
    let undoes = if undo { vec!["some".to_owned()] } else { Vec::new() };
    Commit { batch: batch.to_owned(), caller: caller("s", 7), files, undoes, ..Commit::default() }
}

/// A history in short words: `+batch file…` is a commit, `?batch file…` a proposal, `!batch file…` carries one out,
/// `-batch` rejects it, `~batch` finds it in conflict, `0batch` is a purge, `<name` takes a record over, and `<` alone
/// says that a person has looked at their own. Files are parted by `;`.
fn record(said: &str) -> Record {
    let (batch, files) = said.get(1..).unwrap().split_once(' ').unwrap_or((said.get(1..).unwrap(), ""));
    let files: Vec<&str> = files.split(';').filter(|file| !file.is_empty()).collect();
    let verdict = |decision| {
        let (batch, caller) = (batch.to_owned(), caller("judge", 8));
        Record::Verdict(Verdict { batch, caller, decision, reason: None, key: None })
    };
    match said.get(..1) {
        Some("+") => Record::Commit(of_batch(batch, &files)),
        Some("?") => Record::Proposal(Proposal { commit: of_batch(batch, &files), asides: Vec::new() }),
        Some("!") => {
            let by = caller("s", 7);
            let proposed = Some(Box::new(Proposed { by, rebased: false, dropped: Vec::new() }));
            Record::Commit(Commit { proposed, caller: caller("other", 9), ..of_batch(batch, &files) })
        }
        Some("-") => verdict(Decision::Rejected),
        Some("~") => verdict(Decision::Conflicted),
        Some("0") => Record::Purge(Purge {
            batch: batch.to_owned(),
            number: 0,
            caller: caller("s", 7),
            ids: Vec::new(),
            inside: Vec::new(),
            files: Vec::new(),
            bytes: 0,
            key: None,
            warnings: Vec::new(),
        }),
        Some("<") => Record::Adopted(Adopted {
            time_ns: 9,
            caller: caller("person", 9),
            from: (!batch.is_empty()).then(|| batch.to_owned()),
            records: 3,
            head: None,
            proven: Proven::Nothing,
            unfinished: None,
            taken_back: TakenBack::No,
        }),
        _ => panic!("{said}"),
    }
}

/// The batches with their changes: `batch status: change status, …`, newest first.
fn told(index: &Index) -> Vec<String> {
    let rows = index.batches(&BatchFilter::default(), 100).unwrap();
    let told = |row: BatchRow| {
        assert_eq!(index.batch_row(&row.id).unwrap().as_ref(), Some(&row));
        let changes = index.changes_of(&row.id).unwrap();
        let changes = changes.iter().map(|change| {
            let by = change.undone_by.as_ref().map(|by| format!(" by {by}")).unwrap_or_default();
            format!("{} {}{by}", change.id, change.status.name())
        });
        format!("{} {}: {}", row.id, row.status.name(), changes.collect::<Vec<_>>().join(", "))
    };
    rows.into_iter().map(told).collect()
}

fn check(history: &[&str], expected: &[&str]) {
    let mut past = Past::new();
    for said in history {
        past.add(&record(said));
        past.index();
    }
    assert_eq!(told(&past.index()), expected, "step by step: {history:?}");
    past.forget();
    assert_eq!(told(&past.index()), expected, "at once: {history:?}");
}

#[test]
fn batches_stand_as_the_record_says() {
    let table: &[(&[&str], &[&str])] = &[
        (&[], &[]),
        (&["+b x a,c"], &["b applied: a applied, c applied"]),
        (&["0p"], &["p applied: "]),
        (&["+b x a", "+u x z=a"], &["u applied: z applied", "b undone: a undone by u"]),
        (&["+b x a,c", "+u x z=a"], &["u applied: z applied", "b applied: a undone by u, c applied"]),
        (
            &["+b x a,c", "+u x z=a", "+v x y=c"],
            &["v applied: y applied", "u applied: z applied", "b undone: a undone by u, c undone by v"],
        ),
        (
            &["+b x a", "+u x z=a", "+v x y=z"],
            &["v applied: y applied", "u undone: z undone by v", "b applied: a applied"],
        ),
        (
            &["+b x a", "+u x z=a", "+v x y=z", "+w x q=y"],
            &["w applied: q applied", "v undone: y undone by w", "u applied: z applied", "b undone: a undone by u"],
        ),
        (
            &["+b x a", "+u x z=a", "+v x y=z", "+w x q=a"],
            &["w applied: q applied", "v applied: y applied", "u undone: z undone by v", "b undone: a undone by w"],
        ),
        (&["+b x a;y c", "+u x z=a+c"], &["u applied: z applied", "b undone: a undone by u, c undone by u"]),
        // Sections of one patch, committed one by one.
        (&["+b x a", "+o y e", "+b z c"], &["b applied: a applied, c applied", "o applied: e applied"]),
        (&["+b x a", "+b z c", "+u x z=a"], &["u applied: z applied", "b applied: a undone by u, c applied"]),
        // What nobody knows, and what comes later, cannot be taken back.
        (&["+u x z=none", "+b x a"], &["b applied: a applied", "u applied: z applied"]),
        (&["+u x z=z"], &["u applied: z applied"]),
        (&["+u x z=a,a=z"], &["u applied: z undone by u, a applied"]),
    ];
    for (history, expected) in table {
        check(history, expected);
    }
}

#[test]
fn proposals_stand_as_was_decided() {
    let table: &[(&[&str], &[&str])] = &[
        (&["?b x a,c"], &["b proposed: a proposed, c proposed"]),
        (&["?b x a", "-b"], &["b rejected: a rejected"]),
        (&["?b x a", "~b"], &["b conflicted: a conflicted"]),
        (&["?b x a", "~b", "-b"], &["b rejected: a rejected"]),
        (&["?b x a", "-b", "~b"], &["b rejected: a rejected"]),
        (&["?b x a", "~b", "!b x a"], &["b applied: a applied"]),
        (&["?b x a,c", "!b x c"], &["b applied: a rejected, c applied"]),
        (&["?b x a", "!b x a", "-b"], &["b applied: a applied"]),
        (&["?b x a,c", "!b x c", "+u x z=c"], &["u applied: z applied", "b undone: a rejected, c undone by u"]),
        // An undo that is only proposed takes nothing back.
        (&["+b x a", "?u x z=a"], &["u proposed: z proposed", "b applied: a applied"]),
        (&["+b x a", "?u x z=a", "!u x z=a"], &["u applied: z applied", "b undone: a undone by u"]),
        (&["-b"], &[]),
        // What was taken over is not carried out; what comes later is not touched.
        (&["?b x a", "<old"], &["b rejected: a rejected"]),
        (&["?b x a", "~b", "<old"], &["b rejected: a rejected"]),
        (&["+b x a", "<old", "?c x e"], &["c proposed: e proposed", "b applied: a applied"]),
        (&["?b x a", "<"], &["b proposed: a proposed"]),
        // A proposal that is carried out is as new as that.
        (&["?b x a", "+o x e", "!b x a"], &["b applied: a applied", "o applied: e applied"]),
    ];
    for (history, expected) in table {
        check(history, expected);
    }
}

#[test]
fn batches_are_found_by_what_is_asked() {
    let history =
        ["+a x 1", "+b y 2", "?c x 3", "+d x>z 4", "+u x 5=1", "0p", "?e y 6", "-e", "+f z 7", "+f x 8", "+g y 9"];
    let past = Past::of(&history.map(record));
    let index = past.index();
    let all = BatchFilter::default();
    let path = |path: &str| BatchFilter { paths: vec![path.to_owned()], ..all.clone() };
    let both = BatchFilter { paths: vec!["z".to_owned(), "y".to_owned()], ..all.clone() };
    let status = |status| BatchFilter { status: Some(status), ..all.clone() };
    let table = [
        (all.clone(), "g f e p u d c b a"),
        (path("x"), "f u d c a"),
        (path("z"), "f d"),
        (path("y"), "g e b"),
        (both.clone(), "g f e d b"),
        (BatchFilter { before_seq: Some(7), ..both }, "d b"),
        (path("nowhere"), ""),
        (status(BatchStatus::Proposed), "c"),
        (status(BatchStatus::Undone), "a"),
        (BatchFilter { status: Some(BatchStatus::Applied), ..path("x") }, "f u d"),
        (BatchFilter { before_seq: Some(5), ..path("x") }, "d c a"),
        (BatchFilter { after_seq: Some(3), before_seq: Some(7), ..all.clone() }, "p u d"),
        (BatchFilter { session: Some("s".to_owned()), status: Some(BatchStatus::Rejected), ..all.clone() }, "e"),
        (BatchFilter { session: Some("judge".to_owned()), ..all.clone() }, ""),
        (BatchFilter { since_ns: Some(7), ..path("y") }, "g e b"),
        (BatchFilter { since_ns: Some(8), ..all.clone() }, ""),
    ];
    for (wanted, expected) in table {
        let found: Vec<String> = index.batches(&wanted, 100).unwrap().into_iter().map(|row| row.id).collect();
        assert_eq!(found.join(" "), expected, "{wanted:?}");
        let first: Vec<String> = index.batches(&wanted, 1).unwrap().into_iter().map(|row| row.id).collect();
        assert_eq!(first.join(" "), expected.split(' ').next().unwrap_or(""), "{wanted:?}");
    }
    let touching = |path, after| index.touching(path, after).unwrap().iter().map(|touch| touch.seq).collect::<Vec<_>>();
    assert_eq!(touching("x", 0), [1, 4, 5, 10]);
    assert_eq!(touching("x", 4), [5, 10]);
    assert_eq!(touching("z", 0), [4, 9]);
    assert_eq!(touching("nowhere", 0), [0; 0]);
}

/// An index that has read further than the log was when somebody opened it is left as it is; one over another log is
/// made anew.
#[test]
fn an_index_may_be_ahead_but_not_astray() {
    let mut past = Past::of(&["+a x 1"].map(record));
    let early = Log::open(&past.disk).unwrap();
    past.add(&record("+b x 2"));
    assert_eq!(told(&past.index()).len(), 2);
    let open = |log: &Log<RealDisk>| told(&Index::open(past.disk.index_folder().as_deref(), &past.disk, log).unwrap());
    let database =
        rusqlite::Connection::open(past.disk.index_folder().unwrap().join(patchwright_store::index::FILE)).unwrap();
    database.execute("UPDATE batches SET id = 'still ' || id", []).unwrap();
    drop(database);
    assert_eq!(open(&early), ["still b applied: 2 applied", "still a applied: 1 applied"]);
    std::fs::remove_file(home::record(past._folder.path()).join(patchwright_store::log::FILE)).unwrap();
    let mut other = Log::open(&past.disk).unwrap();
    assert_eq!(open(&other), [""; 0]);
    other.append(&past.disk, &record("+c x 3"), Firm::No).unwrap();
    assert_eq!(open(&other), ["c applied: 3 applied"]);
}

/// What was taken over is not answered again; a break in the record's own story changes nothing.
#[test]
fn keys_of_a_record_that_was_taken_over_do_not_count() {
    let keyed = |batch: &str, key: &str| {
        Record::Commit(Commit { key: Some((key.to_owned(), Digest::of(b"arguments"))), ..of_batch(batch, &["x 1"]) })
    };
    let point = Point { sequence: 1, offset: 0, head: Digest::of(b"head") };
    let resumed = Record::Resumed(Resumed { time_ns: 8, known: None, found: point, unfinished: Some("a".to_owned()) });
    let table: &[(&[Record], &str)] = &[
        (&[keyed("a", "k"), keyed("b", "l")], "a b"),
        (&[keyed("a", "k"), record("<"), resumed, keyed("b", "l")], "a b"),
        (&[keyed("a", "k"), record("<old"), keyed("b", "l")], "- b"),
        (&[keyed("a", "k"), record("<old"), keyed("b", "k")], "b -"),
    ];
    for (history, expected) in table {
        let index = Past::of(history).index();
        let answered = |key| index.answered("edit", key).unwrap().map_or("-".to_owned(), |found| found.batch);
        assert_eq!(["k", "l"].map(answered).join(" "), *expected, "{history:?}");
    }
}

/// A clock that goes back hides nothing: times go by the order of the record.
#[test]
fn times_need_not_rise() {
    let at =
        |(batch, time): (&str, i64)| Record::Commit(Commit { caller: caller("s", time), ..of_batch(batch, &["x"]) });
    let past = Past::of(&[("a", 10), ("b", 30), ("c", 20), ("d", 5), ("e", 40)].map(at));
    for (since, expected) in
        [(0, "e d c b a"), (10, "e d c b a"), (15, "e d c b"), (25, "e d c b"), (35, "e"), (50, "")]
    {
        let wanted = BatchFilter { since_ns: Some(since), ..BatchFilter::default() };
        let found: Vec<String> = past.index().batches(&wanted, 100).unwrap().into_iter().map(|row| row.id).collect();
        assert_eq!(found.join(" "), expected, "since {since}");
    }
}

/// A commit or a proposal that has these contents before and after.
fn with_contents(record: Record, (before, after): (&str, &str)) -> Record {
    let hash = |text: &str| Some(Digest::of(text.as_bytes()));
    let filled = |mut commit: Commit| {
        for file in &mut commit.files {
            let keep = Some(Keep { shelf: Shelf::Blobs, name: Digest::of(before.as_bytes()).to_string() });
            *file = FileRecord { before: hash(before), after: hash(after), before_size: 10, keep, ..file.clone() };
        }
        commit
    };
    match record {
        Record::Commit(commit) => Record::Commit(filled(commit)),
        Record::Proposal(Proposal { commit, asides }) => Record::Proposal(Proposal { commit: filled(commit), asides }),
        other => other,
    }
}

/// However small the quota: what an open proposal was made for stays.
#[test]
fn quotas_spare_what_open_proposals_need() {
    let table: &[(&[&str], &[&str])] = &[
        (&["+a x 1"], &["old"]),
        (&["+a x 1", "?b x 2"], &[]),
        (&["?b x 2"], &[]),
        (&["?b x 2", "~b"], &[]),
        (&["?b x 2", "~b", "-b"], &["old"]),
        (&["?b x 2", "-b"], &["old"]),
        (&["?b x 2", "!b x 2"], &["old"]),
        (&["?b x 2", "?c x 3", "-b"], &[]),
        (&["?b x 2", "?c x 3", "<old"], &["old"]),
        (&["?b x 2", "<old", "?c x 3"], &[]),
    ];
    for (history, gone) in table {
        let mut past = Past::new();
        for said in *history {
            past.add(&with_contents(record(said), ("old", "new")));
        }
        let mut index = past.index();
        let settings = Retention { keep_days: 0, max_bytes: 0, ..Retention::default() };
        let terms = retention::Terms { settings: &settings, now_ns: i64::MAX, firm: Firm::No };
        let retired = retention::run(&past.disk, &mut past.log, &mut index, &terms).unwrap();
        let expected: Vec<String> = gone.iter().map(|text| Digest::of(text.as_bytes()).to_string()).collect();
        assert_eq!(retired.map(|retired| retired.blobs).unwrap_or_default(), expected, "{history:?}");
    }
}

/// What a clock that was set back wrote is no older than what is on record before it.
#[test]
fn age_counts_by_the_records_order() {
    let at = |(batch, time, shelf): (&str, i64, Shelf)| {
        let mut commit = Commit { caller: caller("s", time), ..of_batch(batch, &["x"]) };
        for file in &mut commit.files {
            let name = if shelf == Shelf::Trash { batch.to_owned() } else { String::new() };
            let before = Some(Digest::of(batch.as_bytes()));
            *file = FileRecord { before, before_size: 10, keep: Some(Keep { shelf, name }), ..file.clone() };
        }
        Record::Commit(commit)
    };
    let (trash, blobs) = (Shelf::Trash, Shelf::Blobs);
    let history = [("a", 10, trash), ("b", 30, blobs), ("c", 5, trash), ("d", 6, blobs), ("e", 40, trash)];
    let past = Past::of(&history.map(at));
    let found: Vec<_> = past.index().trash().unwrap().into_iter().map(|it| (it.entry.id, it.top_ns)).collect();
    assert_eq!(found, [("e".to_owned(), 40), ("c".to_owned(), 30), ("a".to_owned(), 10)]);
    let told = past.index().trash_entry("c").unwrap().unwrap();
    assert_eq!((told.entry.deleted_ns, told.top_ns), (5, 30));
    let mut found: Vec<_> = past.index().blobs().unwrap().into_iter().map(|blob| (blob.name, blob.time_ns)).collect();
    found.sort();
    let mut wanted = ["b", "d"].map(|batch| (Digest::of(batch.as_bytes()).to_string(), 30));
    wanted.sort();
    assert_eq!(found, wanted);
}
