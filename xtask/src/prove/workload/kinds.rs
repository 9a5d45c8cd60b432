//! The workloads: one to a hundred files; creates, updates, deletes, moves and all of them mixed; batches, undo,
//! trash, purge, whole folders, and an index that must be built again; links, permission bits, files in the place of
//! folders.

use super::{Call, Index, Workload, file};
use patchwright_testkit::dress::Acl;
use patchwright_testkit::tree::{Item, Tree};
use serde_json::{Value, json};

/// Every workload, smallest first.
pub(crate) fn all() -> Vec<Workload> {
    let mut all = Vec::new();
    for count in [1, 2, 4, 10, 100] {
        all.extend(patches(count));
    }
    all.extend(single());
    all.extend(undos());
    all.extend(proposals());
    all.extend(trash());
    all.extend(folders());
    all.extend(index());
    all.extend(sorts());
    all.sort_by_key(|workload| workload.files);
    all
}

/// What a patch says about the n-th file.
type Section = fn(usize) -> String;

/// The same deed on so many files.
fn patches(count: usize) -> Vec<Workload> {
    let kinds: [(&str, Section); 5] =
        [("create", add), ("update", update), ("delete", delete), ("move", rename), ("mixed", mixed)];
    let one = |(kind, section): (&str, Section)| {
        plain(&format!("{kind}-{count}"), count, patch((0..count).map(section).collect()))
    };
    kinds.into_iter().map(one).collect()
}

/// The tools that change one file.
fn single() -> Vec<Workload> {
    let sha = patchwright_engine::core::digest::Digest::of(text(0).as_bytes()).to_string();
    let crlf = "one\r\ntwo\r\nthree";
    let edit = json!({"path": "f0.txt", "edits": [{"oldText": "old", "newText": "new"}], "expectedSha256": sha});
    let over = json!({"fromPath": "f0.txt", "toPath": "d/f1.txt", "overwrite": true, "expectedSha256": sha,
        "expectedTargetSha256": patchwright_engine::core::digest::Digest::of(text(1).as_bytes()).to_string()});
    let mut odd = plain(
        "edit-crlf-executable",
        1,
        call(
            "apply_patch",
            json!({"patch":
        "*** Begin Patch\n*** Update File: run.sh\n@@\n-two\n+TWO\n*** End Patch\n"}),
        ),
    );
    odd.before.items.insert("run.sh".to_owned(), file(crlf, 0o755));
    vec![
        plain("edit_file", 1, call("edit_file", edit)),
        plain(
            "write_file",
            1,
            call("write_file", json!({"path": "f0.txt", "content": "whole\n", "expectedSha256": sha})),
        ),
        plain(
            "create-in-new-folders",
            1,
            call("create_file", json!({"path": "n/e/w/file.txt", "content": "x\n", "createParentDirectories": true})),
        ),
        plain("delete_file", 1, call("delete_file", json!({"path": "f0.txt", "expectedSha256": sha}))),
        plain("move-over-another", 2, call("move_file", over)),
        plain("lines-2", 2, call("workspace_write_patch", json!({"files": [lines(0), lines(1)]}))),
        plain("large-file", 1, call("create_file", json!({"path": "large", "content": "x".repeat(300_000)}))),
        odd,
    ]
}

fn undos() -> Vec<Workload> {
    let undo = || call("undo", json!({"batchId": "$BATCH"}));
    let sections = |count: usize, section: Section| patch((0..count).map(section).collect());
    vec![
        after("undo-1", 1, vec![sections(1, update)], undo()),
        after("undo-mixed-4", 4, vec![sections(4, mixed)], undo()),
        after("undo-mixed-40", 40, vec![sections(40, mixed)], undo()),
        after("undo-undo", 4, vec![sections(4, mixed), undo()], undo()),
        after("undo-path", 2, vec![sections(2, update)], call("undo", json!({"path": place(0)}))),
    ]
}

fn proposals() -> Vec<Workload> {
    let propose = |count: usize| {
        let mut call = patch((0..count).map(mixed).collect());
        if let Some(object) = call.arguments.as_object_mut() {
            object.insert("mode".to_owned(), json!("propose"));
        }
        call
    };
    let on = |tool: &'static str| call(tool, json!({"batchId": "$BATCH"}));
    vec![
        plain("propose-4", 4, propose(4)),
        after("apply-proposal-4", 4, vec![propose(4)], on("apply_batch")),
        after("apply-proposal-30", 30, vec![propose(30)], on("apply_batch")),
        after("reject-proposal", 4, vec![propose(4)], on("reject_batch")),
    ]
}

fn trash() -> Vec<Workload> {
    let gone = || patch((0..3).map(delete).collect());
    vec![
        after("restore", 1, vec![gone()], call("restore_file", json!({"trashId": "$TRASH"}))),
        after(
            "restore-elsewhere",
            1,
            vec![gone()],
            call("restore_file", json!({"trashId": "$TRASH", "targetPath": "back.txt"})),
        ),
        after("purge", 3, vec![gone()], call("purge_trash", json!({"olderThan": "0s"}))),
    ]
}

/// A folder with everything in it: files, a link, hidden and empty folders.
fn folders() -> Vec<Workload> {
    let gone = |count: usize| {
        call("delete_file", json!({"path": "d", "recursive": true, "expectedSha256ByPath": proofs(count)}))
    };
    let moved = |count: usize| {
        let proofs = proofs(count);
        call("move_file", json!({"fromPath": "d", "toPath": "n", "recursive": true, "expectedSha256ByPath": proofs}))
    };
    let undo = || call("undo", json!({"batchId": "$BATCH"}));
    let back = || call("restore_file", json!({"trashId": "$TRASH"}));
    let made = [
        after("delete-folder", 5, Vec::new(), gone(5)),
        after("delete-folder-60", 60, Vec::new(), gone(60)),
        after("move-folder", 5, Vec::new(), moved(5)),
        after("move-folder-60", 60, Vec::new(), moved(60)),
        after("restore-folder", 5, vec![gone(5)], back()),
        after("undo-delete-folder", 5, vec![gone(5)], undo()),
        after("undo-move-folder", 5, vec![moved(5)], undo()),
        after("redo-delete-folder", 5, vec![gone(5), undo()], undo()),
    ];
    let with_more = |mut workload: Workload| {
        for empty in ["d/empty", "d/e/.hidden/deep"] {
            workload.before.items.insert(empty.to_owned(), Item::Folder);
        }
        workload.before.items.insert("d/link".to_owned(), Item::Link(LINK.to_vec()));
        workload.before.add_parents();
        workload
    };
    made.into_iter().map(with_more).collect()
}

/// Where the link in the folder leads: to something that is never there.
const LINK: &[u8] = b"../elsewhere";

/// The hash of everything in the folder of so many files.
fn proofs(count: usize) -> Value {
    let files = (0..count).filter(|at| at % 3 != 0).map(|at| (place(at), text(at).into_bytes()));
    let all = files.chain([("d/link".to_owned(), LINK.to_vec())]);
    let digest = |bytes: &[u8]| patchwright_engine::core::digest::Digest::of(bytes).to_string();
    all.map(|(path, bytes)| (path, Value::String(digest(&bytes)))).collect::<serde_json::Map<_, _>>().into()
}

fn index() -> Vec<Workload> {
    let past = || vec![patch((0..3).map(mixed).collect()), patch((3..5).map(update).collect())];
    let mut look = after("index-rebuild-list", 0, past(), call("list_batches", json!({})));
    let mut undo = after("index-rebuild-undo", 2, past(), call("undo", json!({"batchId": "$BATCH"})));
    look.index = Index::Deleted;
    undo.index = Index::Deleted;
    vec![look, undo]
}

/// Links, permission bits, and names that are a file before and a folder after, or the reverse.
fn sorts() -> Vec<Workload> {
    // The fourth file is executable, and no access list says otherwise.
    let sha = patchwright_engine::core::digest::Digest::of(text(3).as_bytes()).to_string();
    let undo = || call("undo", json!({"batchId": "$BATCH"}));
    let link = || call("create_file", json!({"path": "d/link", "linkTarget": "../f0.txt"}));
    let bit = || {
        call("write_file", json!({"path": place(3), "content": text(3), "expectedSha256": sha, "executable": false}))
    };
    let edit = json!({"path": place(3), "edits": [{"oldText": "old", "newText": "new"}], "expectedSha256": sha, "executable": false});
    let to_folder = || patch(vec!["*** Add File: f0.txt/in\n+in\n".to_owned(), delete(0), update(1)]);
    let to_file = || patch(vec!["*** Add File: d/e\n+file\n".to_owned(), delete(2)]);
    let into_itself = || patch(vec!["*** Update File: f0.txt\n*** Move to: f0.txt/in\n@@\n-old\n+new\n".to_owned()]);
    vec![
        plain("create-link", 1, link()),
        after("undo-link", 1, vec![link()], undo()),
        plain("bit-alone", 1, bit()),
        after("undo-bit", 1, vec![bit()], undo()),
        plain("edit-and-bit", 1, call("edit_file", edit)),
        plain("file-becomes-folder", 3, to_folder()),
        after("undo-file-becomes-folder", 3, vec![to_folder()], undo()),
        plain("folder-becomes-file", 2, to_file()),
        after("undo-folder-becomes-file", 2, vec![to_file()], undo()),
        plain("move-into-its-own-name", 1, into_itself()),
        after("undo-move-into-its-own-name", 1, vec![into_itself()], undo()),
    ]
}

fn plain(name: &str, files: usize, call: Call) -> Workload {
    after(name, files, Vec::new(), call)
}

fn after(name: &str, files: usize, earlier: Vec<Call>, call: Call) -> Workload {
    let before = tree(files.max(5));
    Workload { name: name.to_owned(), before, earlier, call, files, index: Index::Kept }
}

fn call(tool: &'static str, arguments: Value) -> Call {
    Call { tool, arguments }
}

/// So many files, in the root and in folders, and one that nobody touches.
fn tree(count: usize) -> Tree {
    let mut tree = Tree::default();
    for at in 0..count {
        tree.items.insert(place(at), file(text(at), if at % 3 == 0 { 0o755 } else { 0o644 }));
    }
    tree.items.insert("untouched".to_owned(), file(b"\xff\x00left alone\r\n".to_vec(), 0o600));
    tree.add_parents();
    tree.dress.extend((0..count).filter_map(|at| Some((place(at), dress(at)?))));
    // What is made there gets its looks from this list, and what was there keeps its own. Beside an access list the
    // permission bits of the group are what the list allows at most.
    let folder = Acl::plain(7, 0, 5).with_user(4321, 7, 7).bytes();
    let lists = [("system.posix_acl_access", folder), ("system.posix_acl_default", list().bytes())];
    tree.dress.insert("d".to_owned(), lists.map(|(name, list)| (name.to_owned(), list)).into());
    tree.looks.insert("d".to_owned(), (0o2775, user(), 4321));
    if tree.items.contains_key("d/e") {
        tree.dress.insert("d/e".to_owned(), vec![("user.note".to_owned(), b"of a folder".to_vec())]);
        tree.looks.insert("d/e".to_owned(), (0o700, user(), 4322));
    }
    tree
}

/// Who runs this.
fn user() -> u32 {
    rustix::process::geteuid().as_raw()
}

fn place(at: usize) -> String {
    match at % 3 {
        0 => format!("f{at}.txt"),
        1 => format!("d/f{at}.txt"),
        _ => format!("d/e/f{at}.txt"),
    }
}

/// What the n-th file has besides its bytes and its mode: attributes, an access list, both or nothing.
fn dress(at: usize) -> Option<Vec<(String, Vec<u8>)>> {
    let note = || ("user.note".to_owned(), format!("of file {at}").into_bytes());
    let list = || ("system.posix_acl_access".to_owned(), list().bytes());
    match at % 4 {
        0 => Some(vec![list(), note()]),
        1 => Some(vec![note()]),
        2 => Some(vec![list()]),
        _ => None,
    }
}

/// A list that names some user, who need not exist.
fn list() -> Acl {
    Acl::plain(6, 4, 0).with_user(4321, 6, 6)
}

fn text(at: usize) -> String {
    format!("file {at}\nold\nend\n")
}

/// A line patch for the n-th file.
fn lines(at: usize) -> Value {
    let sha = patchwright_engine::core::digest::Digest::of(text(at).as_bytes()).to_string();
    let change = json!({"operation": "replace", "startLine": 2, "endLine": 2, "expectedOriginalLines": ["old"],
        "newLines": ["new", "newer"]});
    json!({"docPath": place(at), "originalSha256": sha, "changes": [change]})
}

fn patch(sections: Vec<String>) -> Call {
    let text = format!("*** Begin Patch\n{}*** End Patch\n", sections.concat());
    call("apply_patch", json!({"patch": text, "createParentDirectories": true}))
}

fn add(at: usize) -> String {
    let folder = if at.is_multiple_of(2) { "new/" } else { "" };
    format!("*** Add File: {folder}added{at}.txt\n+added {at}\n")
}

fn update(at: usize) -> String {
    format!("*** Update File: {}\n@@\n-old\n+new\n", place(at))
}

fn delete(at: usize) -> String {
    format!("*** Delete File: {}\n", place(at))
}

fn rename(at: usize) -> String {
    format!("*** Update File: {}\n*** Move to: moved/f{at}.txt\n", place(at))
}

fn rename_and_update(at: usize) -> String {
    format!("{}@@\n-old\n+new\n", rename(at))
}

fn mixed(at: usize) -> String {
    [update, add, delete, rename, rename_and_update].get(at % 5).map(|section| section(at)).unwrap_or_default()
}
