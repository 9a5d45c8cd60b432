//! The origin of lines in the index, against a model that has a mark for every line: random edits, undos of any
//! standing change, writes by others, moves, deletions and restores.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test says no by panicking")]

use patchwright_core::digest::Digest;
use patchwright_core::path::RelPath;
use patchwright_store::index::{Index, Origin, Run};
use patchwright_store::log::{Firm, Log};
use patchwright_store::real::{Means, RealDisk};
use patchwright_store::records::{Caller, ChangeRecord, Commit, FileRecord, Record};
use patchwright_testkit::home;
use proptest::prelude::*;
use tempfile::TempDir;

/// What brought a line, as the model has it: a change by its id, or a line of the version that was found first.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Mark {
    By(String),
    Found(u64),
}

/// A piece of a change on the model: where, what went and what came.
#[derive(Clone, Debug)]
struct Piece {
    id: String,
    at: usize,
    gone: Vec<Mark>,
    came: Vec<Mark>,
}

struct Model {
    _folder: TempDir,
    disk: RealDisk,
    log: Log<RealDisk>,
    path: String,
    lines: Vec<Mark>,
    version: u32,
    ids: u32,
    /// The last change, if it can be taken back.
    last: Vec<Piece>,
}

fn digest(version: u32) -> Digest {
    Digest::of(&version.to_le_bytes())
}

fn rel(path: &str) -> RelPath {
    RelPath::parse(path, &[]).unwrap()
}

fn record(path: &str, before: Option<u32>, after: Option<u32>, changes: Vec<ChangeRecord>) -> FileRecord {
    FileRecord {
        id: "file".to_owned(),
        operation: "update".to_owned(),
        path: rel(path),
        to: None,
        before: before.map(digest),
        after: after.map(digest),
        size: 1,
        before_size: 1,
        mode: 0o644,
        mode_after: None,
        link: false,
        keep: None,
        trash: None,
        diff: String::new(),
        diff_cut: false,
        changes,
        wish: 0,
        key: None,
        label: None,
        doc_path: None,
        delta: None,
        came: None,
        folder: None,
    }
}

fn change(id: &str, before: (u64, u64), after: (u64, u64)) -> ChangeRecord {
    let (id, description, key) = (id.to_owned(), Some(format!("about {id}")), None);
    ChangeRecord {
        id,
        before,
        after,
        description,
        key,
        undoes: Vec::new(),
        restores: Vec::new(),
        severity: None,
        categories: Vec::new(),
        tags: Vec::new(),
    }
}

fn span(first: usize, count: usize) -> (u64, u64) {
    (first as u64 + 1, count as u64)
}

impl Model {
    /// A file of so many lines that nobody here wrote.
    fn found(lines: u64) -> Model {
        let folder = TempDir::new().unwrap();
        let disk = RealDisk::open(folder.path(), &home::whereabouts(), Means::Best).unwrap();
        disk.found_record().unwrap();
        let log = Log::open(&disk).unwrap();
        let lines = (0..lines).map(Mark::Found).collect();
        let (path, last) = ("f".to_owned(), Vec::new());
        Model { _folder: folder, disk, log, path, lines, version: 0, ids: 0, last }
    }

    fn id(&mut self) -> String {
        self.ids += 1;
        format!("c{}", self.ids)
    }

    fn commit(&mut self, commit: Commit) {
        let caller = Caller { time_ns: 5, tool: "edit".to_owned(), ..Caller::default() };
        let batch = format!("b{}", self.log.sequence());
        let record = Record::Commit(Commit { batch, caller, ..commit });
        self.log.append(&self.disk, &record, Firm::No).unwrap();
    }

    fn add(&mut self, file: FileRecord) {
        self.commit(Commit { files: vec![file], ..Commit::default() });
    }

    /// Replaces some lines here and there: how many to skip, to take and to bring, piece by piece.
    fn edit(&mut self, cuts: &[(usize, usize, usize)]) {
        let (mut pieces, mut done) = (Vec::new(), 0);
        for (skip, gone, came) in cuts {
            let (first, gone) = (done + skip, *gone);
            if first + gone > self.lines.len() || gone + came == 0 || (*skip == 0 && done > 0) {
                continue;
            }
            let id = self.id();
            let gone: Vec<Mark> = self.lines[first..first + gone].to_vec();
            let came = vec![Mark::By(id.clone()); *came];
            done = first + gone.len();
            pieces.push(Piece { id, at: first, gone, came });
        }
        if pieces.is_empty() {
            return;
        }
        let (mut changes, mut shift) = (Vec::new(), 0_isize);
        for piece in &pieces {
            let at = piece.at.saturating_add_signed(shift);
            changes.push(change(&piece.id, span(piece.at, piece.gone.len()), span(at, piece.came.len())));
            shift += piece.came.len() as isize - piece.gone.len() as isize;
        }
        for piece in pieces.iter().rev() {
            self.lines.splice(piece.at..piece.at + piece.gone.len(), piece.came.clone());
        }
        self.next(changes);
        self.last = pieces;
    }

    fn next(&mut self, changes: Vec<ChangeRecord>) {
        self.version += 1;
        let (before, after) = (self.version - 1, self.version);
        self.add(record(&self.path.clone(), Some(before), Some(after), changes));
    }

    /// Takes the last change back.
    fn undo(&mut self) {
        let (mut changes, mut undone, mut shift) = (Vec::new(), Vec::new(), 0_isize);
        for piece in std::mem::take(&mut self.last) {
            let at = piece.at.saturating_add_signed(shift);
            shift += piece.came.len() as isize - piece.gone.len() as isize;
            let id = self.id();
            let mut back = change(&id, span(at, piece.came.len()), span(piece.at, piece.gone.len()));
            back.undoes = vec![piece.id.clone()];
            if !piece.gone.is_empty() {
                back.restores = vec![(0, piece.id.clone(), 0, piece.gone.len() as u64)];
            }
            changes.push(back);
            undone.push(Piece { id, at, gone: piece.came, came: piece.gone });
        }
        if undone.is_empty() {
            return;
        }
        for piece in undone.iter().rev() {
            self.lines.splice(piece.at..piece.at + piece.gone.len(), piece.came.clone());
        }
        self.next(changes);
        self.last = undone;
    }

    fn rename(&mut self) {
        let to = if self.path == "f" { "g" } else { "f" };
        let id = self.id();
        let file = record(&self.path, Some(self.version), Some(self.version), vec![change(&id, (0, 0), (0, 0))]);
        self.add(FileRecord { to: Some(rel(to)), ..file });
        to.clone_into(&mut self.path);
    }

    /// Away and back: out of the trash, or by taking the deletion back.
    fn remove_and_bring_back(&mut self, by_trash: bool) {
        let (gone, back) = (self.id(), self.id());
        let removed = record(&self.path, Some(self.version), None, vec![change(&gone, (0, 0), (0, 0))]);
        self.add(FileRecord { trash: Some(format!("t{gone}")), ..removed });
        assert_eq!(self.index().lines_of(&self.path).unwrap(), None);
        let mut created = change(&back, (1, 0), (1, self.lines.len() as u64));
        if !by_trash {
            created.undoes = vec![gone.clone()];
        }
        let consumed = by_trash.then(|| format!("t{gone}"));
        let files = vec![record(&self.path, None, Some(self.version), vec![created])];
        self.commit(Commit { files, consumed, ..Commit::default() });
        self.last = Vec::new();
    }

    fn index(&self) -> Index {
        Index::open(self.disk.index_folder().as_deref(), &self.disk, &self.log).unwrap()
    }

    /// Compares, with the index as it is and with one made anew.
    fn check(&self) {
        let known = self.told();
        let whole = |told: &Option<Vec<Mark>>| told.as_ref().is_none_or(|told| *told == self.lines);
        assert!(whole(&known), "{known:?}\nis not {:?}", self.lines);
        std::fs::remove_file(self.disk.index_folder().unwrap().join(patchwright_store::index::FILE)).unwrap();
        assert_eq!(self.told(), known);
    }

    fn told(&self) -> Option<Vec<Mark>> {
        let index = self.index();
        let history = index.lines_of(&self.path).unwrap()?;
        assert_eq!(history.digest, digest(self.version));
        let mark = |run: &Run, at: u64| match run.from {
            Origin::Change(change) => {
                let row = index.change_row(change).unwrap().unwrap();
                assert_eq!(row.description, Some(format!("about {}", row.id)));
                Mark::By(row.id)
            }
            Origin::Ground(first) => Mark::Found(first + at),
            Origin::Older(..) => panic!("nobody else wrote"),
        };
        let mut lines = Vec::new();
        for run in &history.runs {
            let count = if run.lines == Run::OPEN { (self.lines.len() - lines.len()) as u64 } else { run.lines };
            lines.extend((0..count).map(|at| mark(run, at)));
        }
        Some(lines)
    }
}

/// One step of a history.
#[derive(Clone, Debug)]
enum Step {
    Edit(Vec<(usize, usize, usize)>),
    Undo,
    Rename,
    Trash,
    Delete,
}

fn step() -> impl Strategy<Value = Step> {
    let cut = (0..4_usize, 0..3_usize, 0..3_usize);
    prop_oneof![
        4 => proptest::collection::vec(cut, 1..4).prop_map(Step::Edit),
        3 => Just(Step::Undo),
        1 => Just(Step::Rename),
        1 => Just(Step::Trash),
        1 => Just(Step::Delete),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn lines_keep_their_origin(found in 0..8_u64, steps in proptest::collection::vec(step(), 0..16)) {
        let mut model = Model::found(found);
        for step in &steps {
            match step {
                Step::Edit(cuts) => model.edit(cuts),
                Step::Undo => model.undo(),
                Step::Rename => model.rename(),
                Step::Trash => model.remove_and_bring_back(true),
                Step::Delete => model.remove_and_bring_back(false),
            }
        }
        model.check();
    }

    /// Whatever a record says, there is an answer.
    #[test]
    fn nonsense_is_taken_in(spans in proptest::collection::vec(any::<((u64, u64), (u64, u64), u64)>(), 0..5)) {
        let mut model = Model::found(3);
        model.edit(&[(1, 1, 2)]);
        type Odd = ((u64, u64), (u64, u64), u64);
        let odd = |((before, after, at), n): (&Odd, usize)| {
            let mut odd = change(&format!("odd{n}"), *before, *after);
            odd.restores = vec![(*at, "c1".to_owned(), *at, after.1), (after.0, "none".to_owned(), before.0, *at)];
            odd
        };
        model.next(spans.iter().zip(0..).map(odd).collect());
        prop_assert!(model.index().lines_of("f").unwrap().is_some());
    }
}

/// Where the record does not join on, a ground is laid down; a version of which nothing is known adds none.
#[test]
fn others_leave_a_ground() {
    let mut model = Model::found(3);
    model.edit(&[(1, 1, 2)]);
    let left = model.index().lines_of("f").unwrap().unwrap();
    model.version += 5;
    let found = digest(model.version);
    model.edit(&[(0, 1, 1)]);
    let index = model.index();
    let now = index.lines_of("f").unwrap().unwrap();
    let ground = index.ground(now.ground.unwrap()).unwrap().unwrap();
    assert_eq!((ground.known, ground.found), (left.clone(), found));
    assert_eq!(now.runs.last().unwrap(), &Run { lines: Run::OPEN, from: Origin::Ground(1) });

    // Moved under other bytes, and then others wrote again.
    let mut model = Model::found(3);
    model.edit(&[(1, 1, 2)]);
    let left = model.index().lines_of("f").unwrap().unwrap();
    model.version += 5;
    model.rename();
    model.version += 5;
    let found = digest(model.version);
    model.edit(&[(0, 1, 1)]);
    let index = model.index();
    let ground = index.ground(index.lines_of("g").unwrap().unwrap().ground.unwrap()).unwrap().unwrap();
    assert_eq!((ground.known, ground.found), (left, found));
}

/// Lines that come back on another ground are told by the one they stood on.
#[test]
fn lines_come_back_on_another_ground() {
    let mut model = Model::found(4);
    model.edit(&[(1, 2, 1)]);
    let undone = model.last.clone();
    model.version += 5;
    model.edit(&[(0, 1, 1)]);
    model.last = undone;
    model.undo();
    let runs = model.index().lines_of("f").unwrap().unwrap().runs;
    assert_eq!(runs.get(1), Some(&Run { lines: 2, from: Origin::Older(None, 1) }), "{runs:?}");
}
