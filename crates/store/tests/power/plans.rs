//! The plans that are cut short: each sort of step, alone and mixed.

use crate::call;
use patchwright_core::digest::Digest;
use patchwright_core::folder::{Attribute, FolderMeta};
use patchwright_core::intent::{Kept, KeptIn};
use patchwright_core::path::RelPath;
use patchwright_core::plan::{Act, Aside, Bits, FolderDress, Fresh, Plan, Step, arrange};
use patchwright_testkit::fake::{FakeDisk, Node, Switches};
use std::collections::BTreeMap;

pub(crate) type Tree = BTreeMap<String, Node>;

/// A disk, a plan for it, and what it comes to.
pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    pub(crate) disk: FakeDisk,
    pub(crate) plan: Plan,
    pub(crate) after: Tree,
    /// What folders are like afterwards, where the plan is about that.
    pub(crate) metas: Option<BTreeMap<String, FolderMeta>>,
    /// What the plan displaces, and must therefore keep.
    pub(crate) displaced: Vec<Vec<u8>>,
    /// What is in the trash before.
    pub(crate) trash: Vec<Vec<u8>>,
}

/// What stands on every disk before the call.
const BEFORE: [(&str, &str); 6] = [
    ("a", "a was here\n"),
    ("b", "b was here\n"),
    ("d/c", "c was here\n"),
    ("d/e/f", ""),
    ("d/twin", "a was here\n"),
    ("keep", "untouched\n"),
];

/// Whether the workspace has state from earlier calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Past {
    /// This is the first call ever: key and log have yet to be made. That goes the same way whatever the plan, so there
    /// is only one.
    Fresh,
    /// Key and log are there and durable, and the log is empty.
    Begun,
    /// There is a log, and it is on the disk.
    Used,
}

pub(crate) fn all(switches: Switches, past: Past) -> Vec<Scenario> {
    let start = start(switches, past);
    let made = |name, folders: &[&str], steps: &[[&str; 3]]| scenario(&start, name, folders, steps);
    if past == Past::Fresh {
        return vec![made("create and delete", &[], &[["create", "d/new", "fresh\n"], ["delete", "b", ""]])];
    }
    let mut plans = vec![
        made("create", &[], &[["create", "new", "fresh\n"]]),
        made("create below new folders", &["n", "n/m"], &[["create", "n/m/new", "fresh\n"]]),
        made("write", &[], &[["write", "a", "a is new\n"]]),
        made("write empty", &[], &[["write", "d/c", ""]]),
        made("delete", &[], &[["delete", "a", ""]]),
        made("move", &[], &[["move", "a", "moved"]]),
        made("move across folders", &[], &[["move", "d/c", "d/e/c"]]),
        made("delete the last one in a folder", &[], &[["delete", "d/e/f", ""]]),
        made("move the last one out of a folder", &[], &[["move", "d/e/f", "f"], ["write", "a", "a is new\n"]]),
        made("empty two folders", &[], &[["delete", "d/c", ""], ["delete", "d/e/f", ""], ["move", "d/twin", "twin"]]),
        made("move into a new folder", &["n"], &[["move", "d/c", "n/c"]]),
        made("move onto", &[], &[["delete", "b", ""], ["move", "a", "b"]]),
        made("move and write", &[], &[["move", "a", "d/a"], ["write", "d/a", "a is new\n"]]),
        made("move into a new folder and write", &["n"], &[["move", "d/c", "n/c"], ["write", "n/c", "c is new\n"]]),
        made(
            "move onto and write",
            &[],
            &[["delete", "b", ""], ["move", "a", "b"], ["write", "b", "a is new\n"], ["create", "z", ""]],
        ),
        made("replace by something else", &[], &[["replace", "a", "another\n"]]),
        made("write two", &[], &[["write", "a", "a is new\n"], ["write", "d/c", "c is new\n"]]),
        made("write twins", &[], &[["write", "a", "a is new\n"], ["write", "d/twin", "twin is new\n"]]),
        made(
            "write the one's bytes to the other",
            &[],
            &[["write", "a", "b was here\n"], ["write", "b", "a was here\n"]],
        ),
        made("create and delete", &[], &[["create", "d/new", "fresh\n"], ["delete", "b", ""]]),
        made(
            "four of a kind each",
            &["n"],
            &[
                ["create", "n/new", "fresh\n"],
                ["write", "a", "a is new\n"],
                ["delete", "b", ""],
                ["move", "d/c", "d/e/c"],
            ],
        ),
    ];
    plans.extend(links_and_bits(&made));
    if past == Past::Used {
        plans.extend(turned(&made));
        plans.extend(passed_on(&start));
        plans.extend(trees(&start));
        plans.push(made("restore", &[], &[["restore", "back", ""]]));
        // What taking back comes to: a new file goes and the old one returns; a move is taken back over a return.
        plans.push(made("delete and restore", &[], &[["delete", "a", ""], ["restore", "a", ""]]));
        plans.push(made("move and restore", &[], &[["move", "a", "moved"], ["restore", "a", ""]]));
        plans.push(made(
            "take back a move onto",
            &[],
            &[["move", "b", "d/b"], ["write", "d/b", "b is old\n"], ["restore", "b", ""]],
        ));
    }
    plans
}

/// Makes a scenario of its name, the folders it makes and its steps.
type Make<'a> = &'a dyn Fn(&'static str, &[&str], &[[&str; 3]]) -> Scenario;

fn links_and_bits(made: Make<'_>) -> Vec<Scenario> {
    vec![
        made("link", &[], &[["link", "d/new", "../a"]]),
        made("link below a new folder, and more", &["n"], &[["link", "n/new", "../a"], ["write", "a", "a is new\n"]]),
        made("bits", &[], &[["bits", "a", "644"]]),
        made("bits and more", &[], &[["write", "b", "b is new\n"], ["bits", "a", "644"], ["bits", "d/c", "755"]]),
        made("write with bits", &[], &[["write", "a", "a is new\n"], ["write 755", "b", "b is new\n"]]),
    ]
}

/// Names that are a file before and a folder after, or the reverse; in either order of the steps.
fn turned(made: Make<'_>) -> Vec<Scenario> {
    vec![
        made("a file becomes a folder", &["a"], &[["delete", "a", ""], ["create", "a/new", "fresh\n"]]),
        made(
            "a file becomes a folder of folders",
            &["a", "a/n"],
            &[["create", "a/n/new", "fresh\n"], ["write", "b", "b is new\n"], ["delete", "a", ""]],
        ),
        made("a folder becomes a file", &[], &[["delete", "d/e/f", ""], ["create", "d/e", "fresh\n"]]),
        made(
            "a folder of folders becomes a file",
            &[],
            &[["create", "d", "fresh\n"], ["delete", "d/c", ""], ["delete", "d/e/f", ""], ["move", "d/twin", "twin"]],
        ),
        made("a link becomes a folder", &["l"], &[["create", "l/new", "fresh\n"], ["delete", "l", ""]]),
        made("a folder becomes a link", &[], &[["link", "d/e", "c"], ["delete", "d/e/f", ""]]),
        made("a file moves into its own name", &["a"], &[["move", "a", "a/new"]]),
        made("and is written", &["b"], &[["move", "b", "b/new"], ["write", "b/new", "b is new\n"]]),
        made("a file takes the name of its folder", &[], &[["move", "d/c", "c"], ["move", "d/e/f", "d/e"]]),
        made("one moves away, another into its name", &["a"], &[["move", "b", "a/b"], ["move", "a", "moved"]]),
    ]
}

/// Names that one file leaves and another takes.
fn passed_on(start: &FakeDisk) -> [Scenario; 3] {
    let moved = |name, moves: &[[&str; 2]]| {
        let disk = start.fork();
        let (before, mut after) = (disk.tree(), disk.tree());
        moves.iter().for_each(|[from, _]| drop(after.remove(*from)));
        let step = |[from, to]: &[&str; 2]| {
            after.insert((*to).to_owned(), before[*from].clone());
            planned(&mut before.clone(), &mut Vec::new(), &["move", from, to])
        };
        let mut plan = Plan { steps: moves.iter().map(step).collect(), ..Plan::default() };
        arrange(&mut plan, &[]).unwrap();
        let made = scenario(start, name, &[], &[]);
        Scenario { disk, plan, after, ..made }
    };
    [
        moved("two change places", &[["a", "b"], ["b", "a"]]),
        moved("three change places", &[["a", "b"], ["b", "d/c"], ["d/c", "a"]]),
        moved("a twin passes its name on", &[["a", "d/twin"], ["d/twin", "moved"], ["b", "a"]]),
    ]
}

fn start(switches: Switches, past: Past) -> FakeDisk {
    let disk = FakeDisk::new(switches);
    for (at, bytes) in BEFORE {
        disk.write(at, bytes.as_bytes());
    }
    disk.set_up(|actor| actor.set_mode("a", 0o755));
    disk.set_up(|actor| actor.make_link("l", b"d"));
    disk.set_up(|actor| {
        // One that looks like a folder that is not dressed yet.
        actor.set_mode("d/e", 0o700);
        for (folder, group) in [("d", 7), ("d/e", 8)] {
            actor.set_owner(folder, (6, group));
            actor.set_attribute(folder, "user.note", folder.as_bytes());
        }
    });
    match past {
        Past::Fresh => return disk,
        Past::Begun => call::found(&disk),
        Past::Used => call::leave_history(&disk),
    }
    disk.set_up(|actor| actor.sync_everything());
    disk
}

fn scenario(start: &FakeDisk, name: &'static str, folders: &[&str], steps: &[[&str; 3]]) -> Scenario {
    let disk = start.fork();
    let mut after = disk.tree();
    let trashed = disk.state_tree().contains_key(&format!("trash/{}", call::TRASHED.0));
    let trash = trashed.then(|| call::TRASHED.1.to_vec()).into_iter().collect();
    let mut displaced = Vec::new();
    let steps: Vec<Step> = steps.iter().map(|step| planned(&mut after, &mut displaced, step)).collect();
    after.extend(folders.iter().map(|folder| ((*folder).to_owned(), Node::Folder)));
    let folders = folders.iter().map(|folder| path(folder)).collect();
    let mut plan = Plan { steps, folders, ..Plan::default() };
    arrange(&mut plan, &emptied(&disk.tree(), &after)).unwrap();
    let steps = &plan.steps;
    for folder in call::left_by(steps).iter().map(RelPath::as_str) {
        let within = format!("{folder}/");
        if after.get(folder) == Some(&Node::Folder) && !after.keys().any(|at| at.starts_with(&within)) {
            after.remove(folder);
        }
    }
    Scenario { name, disk, plan, after, metas: None, displaced, trash }
}

/// Folders whose name something else has afterwards, and those in them, deepest first.
fn emptied(before: &Tree, after: &Tree) -> Vec<RelPath> {
    let turned = |at: &str| after.get(at).is_some_and(|node| *node != Node::Folder);
    let folders = before.iter().filter(|(_, node)| **node == Node::Folder).map(|(at, _)| path(at));
    let mut gone: Vec<RelPath> =
        folders.filter(|at| turned(at.as_str()) || at.ancestors().iter().any(|above| turned(above.as_str()))).collect();
    gone.reverse();
    gone
}

/// What is in the folder that goes or moves as a whole, besides its files: one folder is empty, one is closed to others.
const FOLDERS: [(&str, u32); 3] = [("d", 0o2755), ("d/e", 0o711), ("d/x", 0o700)];
const FILES: [&str; 3] = ["d/c", "d/e/f", "d/twin"];

/// Folders that go, move or come back as a whole.
fn trees(start: &FakeDisk) -> [Scenario; 3] {
    [
        tree(start, "delete a folder", None),
        tree(start, "move a folder", Some("n")),
        tree_back(start, "restore a folder"),
    ]
}

/// A folder that goes or moves with everything in it.
fn tree(start: &FakeDisk, name: &'static str, to: Option<&str>) -> Scenario {
    let disk = start.fork();
    disk.set_up(|actor| {
        actor.make_folder("d/x");
        actor.set_attribute("d/x", "system.posix_acl_access", b"list");
        FOLDERS.iter().for_each(|(folder, mode)| actor.set_mode(folder, *mode));
    });
    let there = |at: &str| to.map(|to| at.replacen('d', to, 1));
    let (mut after, mut displaced) = (disk.tree(), Vec::new());
    let verb = if to.is_some() { "move" } else { "delete" };
    let step = |at: &&str| planned(&mut after, &mut displaced, &[verb, at, &there(at).unwrap_or_default()]);
    let steps: Vec<Step> = FILES.iter().map(step).collect();
    let mut plan = Plan { steps, ..Plan::default() };
    let mut metas = disk.folder_metas();
    for (folder, _) in FOLDERS {
        after.remove(folder);
        let meta = metas.remove(folder).unwrap();
        plan.gone.insert(0, path(folder));
        if let Some(there) = there(folder) {
            after.insert(there.clone(), Node::Folder);
            metas.insert(there.clone(), meta);
            plan.folders.push(path(&there));
            plan.dress.push((path(&there), FolderDress::Like(path(folder))));
        }
    }
    let trash = vec![call::TRASHED.1.to_vec()];
    Scenario { name, disk, plan, after, metas: Some(metas), displaced, trash }
}

/// A folder that comes back, one of its folders empty; another that stays becomes otherwise.
fn tree_back(start: &FakeDisk, name: &'static str) -> Scenario {
    let made = scenario(start, name, &["n", "n/e"], &[["restore", "n/back", ""]]);
    let note = Attribute { name: b"user.note".to_vec(), value: b"kept".to_vec() };
    let meta = |mode| FolderMeta { mode, owner: Some((6, 7)), attributes: Some(vec![note.clone()]) };
    let dress = [("n", meta(0o750)), ("n/e", meta(0o711)), ("d/e", meta(0o710))];
    let mut metas = made.disk.folder_metas();
    metas.extend(dress.clone().map(|(folder, meta)| (folder.to_owned(), meta)));
    let dress = dress.map(|(folder, meta)| (path(folder), FolderDress::As(meta))).into();
    Scenario { plan: Plan { dress, ..made.plan }, metas: Some(metas), ..made }
}

/// A step, carried out on the expected tree too.
fn planned(tree: &mut Tree, displaced: &mut Vec<Vec<u8>>, [verb, at, with]: &[&str; 3]) -> Step {
    let bytes = with.as_bytes();
    let old = tree.remove(*at).filter(|node| *node != Node::Folder);
    let is_file = |node: &&Node| matches!(node, Node::File { .. });
    displaced.extend(
        old.as_ref()
            .filter(is_file)
            .filter(|_| !matches!(*verb, "move" | "bits"))
            .map(|node| node_bytes(node).to_vec()),
    );
    let before = old.as_ref().map(|node| Digest::of(node_bytes(node)));
    let mode = old.as_ref().map_or(0o644, node_mode);
    let act = match *verb {
        "create" => Act::Create(Fresh::File { bytes: bytes.to_vec().into(), digest: Digest::of(bytes), mode: None }),
        "link" => Act::Create(Fresh::Link { target: bytes.to_vec().into(), digest: Digest::of(bytes) }),
        "bits" => Act::Mode { before: before.unwrap(), from: mode, to: octal(with) },
        "write" | "write 755" | "replace" => {
            let aside = if *verb == "replace" { Aside::Trash } else { Aside::Kept };
            Act::Replace { before: before.unwrap(), after: bytes.to_vec().into(), digest: Digest::of(bytes), aside }
        }
        "delete" => Act::Remove { before: before.unwrap() },
        "restore" => {
            let ((id, bytes), text) = (call::TRASHED, None);
            let size = u64::try_from(bytes.len()).unwrap();
            Act::Create(Fresh::Kept(Kept {
                id: id.to_owned(),
                place: KeptIn::Trash,
                digest: Digest::of(bytes),
                size,
                mode: 0o644,
                text,
                target: None,
                rewritten: None,
            }))
        }
        "move" => Act::Rename { to: path(with), before: before.unwrap() },
        _ => panic!("no such step: {verb}"),
    };
    match *verb {
        "link" => drop(tree.insert((*at).to_owned(), Node::Link(bytes.to_vec()))),
        "bits" => {
            let bytes = old.as_ref().map(node_bytes).unwrap_or_default().to_vec();
            drop(tree.insert((*at).to_owned(), Node::File { bytes, mode: octal(with) }));
        }
        "write 755" => drop(tree.insert((*at).to_owned(), Node::File { bytes: bytes.to_vec(), mode: 0o755 })),
        "create" | "write" | "replace" => {
            drop(tree.insert((*at).to_owned(), Node::File { bytes: bytes.to_vec(), mode }))
        }
        "restore" => drop(tree.insert((*at).to_owned(), Node::File { bytes: call::TRASHED.1.to_vec(), mode: 0o644 })),
        "move" => drop(tree.insert((*with).to_owned(), old.unwrap())),
        _ => {}
    }
    let bits = (*verb == "write 755").then_some(Bits::Exactly(0o755));
    Step { path: path(at), act, changes: Vec::new(), wish: 0, bits }
}

fn path(text: &str) -> RelPath {
    RelPath::parse(text, &[]).unwrap()
}

fn octal(text: &str) -> u32 {
    u32::from_str_radix(text, 8).unwrap()
}

fn node_bytes(node: &Node) -> &[u8] {
    match node {
        Node::File { bytes, .. } | Node::Link(bytes) => bytes,
        _ => &[],
    }
}

fn node_mode(node: &Node) -> u32 {
    match node {
        Node::File { mode, .. } => *mode,
        _ => 0,
    }
}
