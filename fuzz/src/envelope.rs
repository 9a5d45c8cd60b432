//! Target `envelope`: patches printed and read back, and applied to files as the plain reference of the test kit
//! applies them.

mod drawn;

use crate::feed::Feed;
use crate::one_file::{path, seen};
use crate::page::Page;
use patchwright_core::conventions::Conventions;
use patchwright_core::dialect::envelope::{Parsed, Patch, Section, parse, print};
use patchwright_core::dialect::wanted::{Wanted, What, wanted};
use patchwright_core::intent::{Content, Intent, Onto, Parents};
use patchwright_core::plan::{Act, Fresh, Plan, Snapshot, plan};
use patchwright_core::refusal::{Kind, Refusal, Why};
use patchwright_testkit::reference::{Files, applied};

/// Names that a patch can be about; the first two are there.
pub(crate) const NAMES: [&str; 4] = ["f", "g", "new", "other"];

pub(crate) fn run(data: &[u8]) {
    let mut feed = Feed::new(data);
    let pages = [Page::read_utf8(&mut feed, 9), Page::read_utf8(&mut feed, 4)];
    let files: Files = NAMES.iter().zip(&pages).map(|(name, page)| ((*name).to_owned(), page.raw.clone())).collect();
    match feed.below(4) {
        0 => read(&files, &String::from_utf8_lossy(feed.rest())),
        1 => read(&files, &drawn::text(&mut feed)),
        _ => {
            let patch = drawn::patch(&mut feed, &pages);
            let text = print(&patch);
            let found = parse(&text, Conventions::Strict).map(|parsed| parsed.patch);
            assert!(found.as_ref().is_ok_and(|found| *found == patch), "printed and read back: {found:?}\n{text}");
            read(&files, &text);
        }
    }
}

/// Reads a text in both manners, prints it and reads it again, and applies it.
fn read(files: &Files, text: &str) {
    for conventions in [Conventions::Strict, Conventions::Codex] {
        let Ok(parsed) = parse(text, conventions) else { continue };
        let printed = print(&parsed.patch);
        let again = parse(&printed, conventions).map(|again| again.patch);
        assert!(
            again.as_ref().is_ok_and(|again| *again == parsed.patch),
            "read, printed, read:\n{text}\n{printed}\n{again:?}"
        );
        if parsed.patch.sections.iter().flat_map(named).all(|name| NAMES.contains(&name)) {
            apply(files, &parsed, conventions);
        }
    }
}

/// The paths of a section.
fn named(section: &Section) -> Vec<&str> {
    match section {
        Section::Add { path, .. } | Section::Delete { path } => vec![path],
        Section::Update { path, move_to, .. } => std::iter::once(path).chain(move_to).map(String::as_str).collect(),
        Section::Move { from, to, .. } => vec![from, to],
    }
}

fn apply(files: &Files, parsed: &Parsed, conventions: Conventions) {
    let mut snapshot = Snapshot::default();
    for (inode, (name, raw)) in (1..).zip(files) {
        snapshot.add(path(name), seen(name, raw, inode));
    }
    let intents: Vec<Intent> = wanted(parsed, conventions).into_iter().map(|one| intent(one, conventions)).collect();
    let found = plan(&snapshot, &intents);
    if conventions == Conventions::Codex {
        return; // the reference knows the strict rules only
    }
    let about = || format!("{}\non {files:?}", print(&parsed.patch));
    match (found, applied(files, &parsed.patch)) {
        (Ok(plan), Some(after)) => assert_eq!(shown(&carried_out(files, &plan)), shown(&after), "{}", about()),
        (Ok(_), None) => panic!("applied, where it had to be refused: {}", about()),
        (Err(refusal), Some(_)) => assert!(stricter(&refusal, &parsed.patch), "refused: {refusal:?}\n{}", about()),
        (Err(_), None) => {}
    }
}

fn intent(wanted: Wanted, conventions: Conventions) -> Intent {
    let (onto, parents) = match conventions {
        Conventions::Strict => (Onto::Nothing, Parents::MustExist),
        Conventions::Codex => (Onto::Replace, Parents::Create),
    };
    let (at, hunks) = (path(&wanted.path), wanted.hunks);
    match wanted.what {
        What::Add(text) => Intent::Create { path: at, content: Content::Bytes(text.into_bytes()), onto, parents },
        What::Update => Intent::Patch { path: at, hunks, charset: None },
        What::Delete | What::DeleteText => Intent::Delete { path: at },
        What::Move => {
            let to = wanted.to.as_deref().map_or_else(|| at.clone(), path);
            Intent::Move { from: at, to, onto, parents, hunks, charset: None }
        }
    }
}

/// The product refuses more than the reference does: one file in two sections, and hunks that get in each
/// other's way.
fn stricter(refusal: &Refusal, patch: &Patch) -> bool {
    let sections = patch.sections.len() > 1;
    let hunks = patch.sections.iter().any(|section| section.hunks().len() > 1);
    match &refusal.why {
        Why::DuplicatePath { .. } => sections,
        _ => hunks && refusal.kind() == Kind::OverlappingEdits,
    }
}

fn carried_out(files: &Files, plan: &Plan) -> Files {
    let mut files = files.clone();
    for step in &plan.steps {
        let name = step.path.as_str().to_owned();
        match &step.act {
            Act::Create(Fresh::File { bytes, .. }) => {
                assert_eq!(files.insert(name, bytes.to_vec()), None, "something new took the place of a file");
            }
            Act::Replace { after, .. } => assert!(files.insert(name, after.to_vec()).is_some(), "nothing was there"),
            Act::Remove { .. } => assert!(files.remove(&name).is_some(), "nothing was there to remove"),
            Act::Rename { to, .. } => {
                let Some(moved) = files.remove(&name) else { panic!("nothing was there to move") };
                assert_eq!(files.insert(to.as_str().to_owned(), moved), None, "a move took the place of a file");
            }
            Act::Create(Fresh::Kept(_)) => panic!("nothing was in the trash"),
            Act::Create(Fresh::Link { .. }) | Act::Mode { .. } => panic!("no section asks for that"),
        }
    }
    files
}

fn shown(files: &Files) -> Vec<(&String, String)> {
    files.iter().map(|(name, raw)| (name, raw.escape_ascii().to_string())).collect()
}
