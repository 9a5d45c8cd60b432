//! A workspace to follow, and what a follower tells, in a few words.

use patchwright_engine::core::policy::{Rules, Settings};
use patchwright_engine::core::tool::CreateFile;
use patchwright_engine::{
    Cursor, Durability, Event, EventKind, Follow, Mode, News, Options, Presence, Proof, Quiet, Ruling, Session, Since,
};
use patchwright_testkit::home;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Nothing here takes that long, unless it never comes.
pub(crate) const LONG: Duration = Duration::from_secs(120);

pub(crate) fn open(root: &Path) -> Session {
    open_as(root, Options::default())
}

pub(crate) fn open_to_look(root: &Path) -> Session {
    open_as(root, Options { mode: Mode::ReadOnly, ..Options::default() })
}

/// Opens a workspace in which some paths may not be read.
pub(crate) fn open_without(root: &Path, deny: &str) -> Session {
    let read = Rules { allow: Vec::new(), deny: vec![deny.to_owned()] };
    open_as(root, Options { settings: Settings { read, ..Settings::default() }, ..Options::default() })
}

fn open_as(root: &Path, options: Options) -> Session {
    let (durability, proof, home) = (Durability::None, Proof::Unchecked, home::at());
    Session::open(root, Options { durability, proof, home, ..options }).unwrap()
}

pub(crate) fn create(root: &Path, name: &str) {
    open(root).create_file(&CreateFile::new(name, format!("{name}\n")), &Quiet).unwrap();
}

pub(crate) fn log(root: &Path) -> PathBuf {
    home::record(root).join("log")
}

/// All that can be told at once.
pub(crate) fn rest(follow: &mut Follow) -> Vec<News> {
    let mut all = Vec::new();
    loop {
        match follow.next(Duration::ZERO, &Quiet).unwrap() {
            News::Nothing(_) => return all,
            news => all.push(news),
        }
    }
}

/// The same in words.
pub(crate) fn told(follow: &mut Follow) -> Vec<String> {
    rest(follow).iter().map(in_words).collect()
}

/// What a new follower tells.
pub(crate) fn told_since(root: &Path, since: impl Into<Since>) -> Vec<String> {
    let workspace = open_to_look(root);
    told(&mut workspace.workspace().follow(since).unwrap())
}

/// The next thing that comes, waiting for it.
pub(crate) fn next(follow: &mut Follow) -> String {
    in_words(&follow.next(LONG, &Quiet).unwrap())
}

/// The cursors of all events on record.
pub(crate) fn cursors(root: &Path) -> Vec<Cursor> {
    let workspace = open_to_look(root);
    let all = rest(&mut workspace.workspace().follow(Since::Start).unwrap());
    let cursor = |news| match news {
        News::Event(event) => event.cursor,
        other => panic!("{other:?}"),
    };
    all.into_iter().map(cursor).collect()
}

pub(crate) fn in_words(news: &News) -> String {
    match news {
        News::Event(event) => event_in_words(event),
        News::Restarted => "restarted".to_owned(),
        News::Damaged { sequence } => format!("damaged {sequence}"),
        News::Nothing(Presence::Here) => "nothing".to_owned(),
        News::Nothing(Presence::None) => "no record".to_owned(),
    }
}

/// `batch b1 create_file a`
fn event_in_words(event: &Event) -> String {
    let what = match &event.kind {
        EventKind::Refusal { kind } => format!("refusal {kind}"),
        EventKind::Verdict(Ruling::Rejected) => "rejected".to_owned(),
        EventKind::Verdict(Ruling::Conflicted) => "conflicted".to_owned(),
        kind => kind.name().to_owned(),
    };
    let batch = event.batch.as_ref().map(|batch| format!(" {}", batch.name)).unwrap_or_default();
    let hidden = if event.hidden > 0 { format!(" and {} hidden", event.hidden) } else { String::new() };
    format!("{what}{batch} {} {}{hidden}", event.tool, event.paths.join(" "))
}
