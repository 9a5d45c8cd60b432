//! Batches by folder, by glob and by session; and which of them are on record at all.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise and looks at the disk itself"
)]

use patchwright_engine::core::batch::Role;
use patchwright_engine::core::outcome::{Answer, Failed, Reply, Trouble};
use patchwright_engine::core::policy::{Rules, Settings};
use patchwright_engine::core::refusal::{ArgumentFault, Expected, Missing, Why};
use patchwright_engine::core::tool::{
    Call, CreateFile, DeleteFile, ListBatches, MoveFile, PathFilter, Recursive, Undo, UndoWhat, WriteFile,
};
use patchwright_engine::{Client, Durability, HomeAt, Options, Proof, Quiet, Session, SessionId};
use std::path::Path;

/// A workspace with its home.
struct Desk {
    folder: tempfile::TempDir,
    home: tempfile::TempDir,
}

impl Desk {
    /// `+a/b` makes or overwrites a file, `-a` deletes it, `a>b` moves it or a folder; each is a batch.
    fn new(done: &[&str]) -> Desk {
        let desk = Desk { folder: tempfile::tempdir().unwrap(), home: tempfile::tempdir().unwrap() };
        let session = desk.session("first", Role::Agent);
        for (at, what) in done.iter().enumerate() {
            desk.does(&session, what, at);
        }
        desk
    }

    fn does(&self, session: &Session, what: &str, at: usize) {
        let target = what.split_once('>').map_or(what.trim_start_matches(['+', '-']), |(_, to)| to);
        std::fs::create_dir_all(self.folder.path().join(target).parent().unwrap()).unwrap();
        let call = match (what.split_at(1), what.split_once('>')) {
            (("+", path), _) if self.folder.path().join(path).exists() => {
                Call::WriteFile(WriteFile::new(path, format!("{at}\n")))
            }
            (("+", path), _) => Call::CreateFile(CreateFile::new(path, format!("{at}\n"))),
            (("-", path), _) => Call::DeleteFile(DeleteFile::new(path)),
            (_, Some((from, to))) => Call::MoveFile(MoveFile { recursive: Recursive::Yes, ..MoveFile::new(from, to) }),
            _ => panic!("{what}"),
        };
        session.call(&call, &Quiet).unwrap();
    }

    fn session(&self, name: &str, role: Role) -> Session {
        let client = Client { role, actor: Some(format!("for {name}")), ..Client::default() };
        self.open(Options { session: SessionId::parse(name).ok(), client, ..Options::default() })
    }

    fn open(&self, options: Options) -> Session {
        let (durability, proof, home) = (Durability::None, Proof::Unchecked, self.home.path().to_owned());
        Session::open(self.folder.path(), Options { durability, proof, home: HomeAt::Folder(home), ..options }).unwrap()
    }
}

fn names(reply: Reply) -> Vec<String> {
    let Answer::Batches(list) = reply.answer else { panic!("{reply:?}") };
    list.batches.iter().map(|batch| batch.name.to_string()).collect()
}

fn list(workspace: &Session, ask: ListBatches) -> Result<Vec<String>, Failed> {
    workspace.call(&Call::ListBatches(ask), &Quiet).map(names)
}

fn check(desk: &Desk, filter: &PathFilter, want: &[&str]) {
    let workspace = desk.session("looks", Role::Person);
    let ask = ListBatches { matching: filter.clone(), ..ListBatches::default() };
    assert_eq!(list(&workspace, ask).unwrap(), want, "{filter:?}");
    assert_eq!(workspace.is_on_record(filter).unwrap(), !want.is_empty(), "{filter:?}");
}

fn below(path: &str) -> PathFilter {
    PathFilter::Below(path.to_owned())
}

#[test]
fn batches_by_folder() {
    let desk = Desk::new(&["+src/a.rs", "+src/in/b.rs", "+srcs/c.rs", "+src/a.rs", "+top.md"]);
    check(&desk, &below("src"), &["b4", "b2", "b1"]);
    check(&desk, &below("./src/"), &["b4", "b2", "b1"]);
    check(&desk, &below("src/a.rs"), &["b4", "b1"]);
    check(&desk, &below("src/in"), &["b2"]);
    check(&desk, &below("."), &["b5", "b4", "b3", "b2", "b1"]);
    check(&desk, &PathFilter::Any, &["b5", "b4", "b3", "b2", "b1"]);
    check(&desk, &below("sr"), &[]);
    check(&desk, &below("src/a.r"), &[]);
    check(&desk, &below("none"), &[]);
}

#[test]
fn batches_by_glob() {
    let desk = Desk::new(&["+src/a.rs", "+src/in/b.rs", "+srcs/c.md", "+top.rs", "+app/[id].ts"]);
    let parse = PathFilter::parse;
    check(&desk, &parse("*.rs"), &["b4", "b2", "b1"]);
    check(&desk, &parse("src/*.rs"), &["b1"]);
    check(&desk, &parse("src/**/*.rs"), &["b2", "b1"]);
    check(&desk, &parse("src*"), &["b3", "b2", "b1"]);
    check(&desk, &parse("src/*"), &["b2", "b1"]);
    check(&desk, &parse("{top,a}.rs"), &["b4", "b1"]);
    check(&desk, &parse("*.py"), &[]);
    // A name that looks like a glob, and one that is none.
    check(&desk, &parse("app/[id].ts"), &["b5"]);
    check(&desk, &parse("top.rs"), &["b4"]);
    let in_folder = |folder: &str, glob: &str| PathFilter::Glob { folder: folder.into(), glob: glob.into() };
    check(&desk, &in_folder("src", "*.rs"), &["b2", "b1"]);
    check(&desk, &in_folder("src", "in/*"), &["b2"]);
    check(&desk, &in_folder("app", "*.rs"), &[]);
    let workspace = desk.session("looks", Role::Person);
    assert!(matches!(refused(workspace.is_on_record(&parse("[")).unwrap_err()), Why::Glob(_)));
}

#[test]
fn files_are_followed_to_the_names_they_had() {
    // b4 moves what b1 and b2 made, b5 is about another file of the old name.
    let desk = Desk::new(&["+old/a", "+old/a", "+old/b", "old/a>new/a", "+old/a", "+new/a"]);
    check(&desk, &below("new"), &["b6", "b4", "b2", "b1"]);
    check(&desk, &below("new/a"), &["b6", "b4", "b2", "b1"]);
    check(&desk, &PathFilter::parse("new/*"), &["b6", "b4", "b2", "b1"]);
    check(&desk, &below("old/a"), &["b5", "b4", "b2", "b1"]);
    // From name to name, and with its folder.
    let far = Desk::new(&["+a/f", "a/f>b/f", "b>c", "+a/f", "c/f>d"]);
    check(&far, &below("d"), &["b5", "b3", "b2", "b1"]);
    // Another file had the name that this one has only passed through.
    let passed = Desk::new(&["+x", "-x", "+y", "y>x", "x>z"]);
    check(&passed, &below("z"), &["b5", "b4", "b3"]);
}

#[test]
fn pages_go_on_where_the_last_one_ended() {
    let desk = Desk::new(&["+src/a", "+b", "+src/c", "+d", "+src/e"]);
    let workspace = desk.session("looks", Role::Person);
    let ask = |cursor| ListBatches { matching: below("src"), limit: Some(2), cursor, ..ListBatches::default() };
    let Answer::Batches(first) = workspace.list_batches(&ask(None)).unwrap().answer else { panic!() };
    assert_eq!(first.batches.len(), 2);
    let rest = workspace.list_batches(&ask(first.next_cursor)).unwrap();
    assert_eq!(names(rest), ["b1"]);
}

#[test]
fn what_is_closed_looks_absent() {
    let desk = Desk::new(&["+secret/a", "+open/a", "secret/a>open/b", "+open/b"]);
    let read = Rules { deny: vec!["secret/**".to_owned()], ..Rules::default() };
    let settings = Settings { read, ..Settings::default() };
    let workspace = desk.open(Options { settings, ..Options::default() });
    let asked = |filter: PathFilter| {
        let ask = ListBatches { matching: filter.clone(), ..ListBatches::default() };
        (workspace.is_on_record(&filter).unwrap(), list(&workspace, ask).unwrap())
    };
    assert_eq!(asked(below("secret")), (false, Vec::new()));
    assert_eq!(asked(PathFilter::parse("secret/*")), (false, Vec::new()));
    // Nor is a file followed to a name that is closed.
    assert_eq!(asked(below("open/b")), (true, vec!["b4".to_owned(), "b3".to_owned()]));
}

#[test]
fn nothing_on_record_is_no_path_and_no_session() {
    let desk = Desk::new(&[]);
    check(&desk, &below("src"), &[]);
    check(&desk, &PathFilter::Any, &[]);
    let workspace = desk.session("looks", Role::Person);
    assert!(workspace.sessions().unwrap().is_empty());
    let of = |session: &str| ListBatches { session: Some(session.to_owned()), ..ListBatches::default() };
    assert!(matches!(
        refused(list(&workspace, of("other")).unwrap_err().trouble),
        Why::NotFound(Missing::AnySession { .. })
    ));
    assert!(list(&workspace, of("looks")).unwrap().is_empty(), "one's own session is known");
}

fn refused(trouble: Trouble) -> Why {
    match trouble {
        Trouble::Refused(refusal) => refusal.why,
        fault => panic!("{fault:?}"),
    }
}

#[test]
fn sessions_are_named_by_a_beginning_or_a_batch() {
    let desk = Desk::new(&["+a", "+b"]);
    desk.does(&desk.session("review-1", Role::Person), "+c", 0);
    desk.does(&desk.session("review-22", Role::Agent), "+d", 0);
    let workspace = desk.session("looks", Role::Person);
    let of = |session: &str| list(&workspace, ListBatches { session: Some(session.into()), ..ListBatches::default() });
    for (given, want) in [
        ("first", vec!["b2", "b1"]),
        ("f", vec!["b2", "b1"]),
        ("b1", vec!["b2", "b1"]),
        ("review-2", vec!["b4"]),
        ("b3.1", vec!["b3"]),
    ] {
        assert_eq!(of(given).unwrap(), want, "{given}");
    }
    for unknown in ["second", "firsts", "", "b9", "019a0000"] {
        let why = refused(of(unknown).unwrap_err().trouble);
        assert!(matches!(why, Why::NotFound(Missing::AnySession { .. } | Missing::Batch { .. })), "{unknown}: {why:?}");
    }
    let Why::Arguments(faults) = refused(of("review").unwrap_err().trouble) else { panic!() };
    let [ArgumentFault { expected: Expected::OneId(ids), .. }] = faults.as_slice() else { panic!("{faults:?}") };
    assert_eq!(ids, &["review-1", "review-22"]);
    let told: Vec<_> =
        workspace.sessions().unwrap().into_iter().map(|one| (one.id, one.newest.role, one.batches)).collect();
    let want = [("review-22", Role::Agent, 1), ("review-1", Role::Person, 1), ("first", Role::Agent, 2)];
    assert_eq!(told, want.map(|(id, role, count)| (id.to_owned(), role, count)));
    assert_eq!(workspace.sessions().unwrap()[0].newest.actor.as_deref(), Some("for review-22"));
}

#[test]
fn an_undo_takes_the_beginning_of_a_session() {
    let desk = Desk::new(&["+a", "+b"]);
    let workspace = desk.session("looks", Role::Person);
    let undo = |session: &str| {
        let what = UndoWhat::Session(session.to_owned());
        workspace.call(&Call::Undo(Undo { what, shared: Default::default() }), &Quiet)
    };
    assert!(matches!(refused(undo("x").unwrap_err().trouble), Why::NotFound(Missing::Session { .. })));
    undo("fir").unwrap();
    assert!(!Path::new(&desk.folder.path().join("a")).exists() && !desk.folder.path().join("b").exists());
    assert!(matches!(refused(undo("fir").unwrap_err().trouble), Why::NotFound(Missing::Session { .. })));
}
