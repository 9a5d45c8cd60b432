//! Who opens a workspace: every command that takes one, every tool, and the server; and what each may change.

use super::ground::{Ground, Ran};
use super::past::VICTIM;
use super::plan::{Forgery, Plan};
use super::records::ENTRY;
use super::serve;
use patchwright_testkit::forge::BATCH;
use serde_json::json;

/// With which rights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opening {
    Plain,
    ReadOnly,
}

/// A command, and what it may do.
pub(super) struct Opener {
    words: Vec<String>,
    pub(super) effect: Effect,
    pub(super) trash: Trash,
}

/// What a command may do to files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// Nothing at all.
    Nothing,
    /// If it says that it is done: these files have these bytes, or are gone. Else nothing.
    Exactly(Vec<(&'static str, Option<String>)>),
    /// One file of our own past becomes what it once was.
    Past,
    /// Records may go from hand to hand; no file changes.
    State,
    /// The same, and files in the tree that the guard lets through.
    TakenBack,
}

/// May our own trash become less?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trash {
    Kept,
    Used,
}

type Make = fn(&Ground) -> Opener;

fn look(words: &[&str]) -> Opener {
    does(words, Effect::Nothing)
}

fn does(words: &[&str], effect: Effect) -> Opener {
    Opener { words: words.iter().map(|word| (*word).to_owned()).collect(), effect, trash: Trash::Kept }
}

fn uses(words: &[&str], effect: Effect) -> Opener {
    Opener { trash: Trash::Used, ..does(words, effect) }
}

fn file(path: &'static str, content: &str) -> Effect {
    Effect::Exactly(vec![(path, Some(content.to_owned()))])
}

/// What `a.txt` holds.
fn present(ground: &Ground) -> &'static str {
    if ground.is_used() { "beside\n" } else { "inside\n" }
}

/// All of them.
const TABLE: &[(&str, Make)] = &[
    ("list_batches", |_| look(&["call", "list_batches", r#"{"limit":200}"#])),
    ("make", |_| does(&["call", "create_file", r#"{"path":"new.txt","content":"new\n"}"#], file("new.txt", "new\n"))),
    ("adopt --yes", |_| does(&["adopt", "--yes"], Effect::State)),
    ("adopt --take-back", |_| uses(&["adopt", "--yes", "--take-back"], Effect::TakenBack)),
    ("mcp", |_| does(&["mcp", "--tools", "all", "--answers", "structured"], file("served.txt", "served\n"))),
    ("undo two", |ground| {
        let id = ground.past.batch("two.txt");
        does(&["undo", if id.is_empty() { BATCH } else { id }], Effect::Exactly(vec![("two.txt", None)]))
    }),
    // It was rejected: nothing brings it back.
    ("apply-batch rejected", |ground| look(&["apply-batch", ground.past.batch("no-1.txt")])),
    ("mcp --no-sandbox", |_| {
        does(&["mcp", "--tools", "all", "--answers", "structured", "--no-sandbox"], file("served.txt", "served\n"))
    }),
    ("read", |_| look(&["read", "a.txt"])),
    ("search", |_| look(&["search", "inside"])),
    ("log", |_| look(&["log"])),
    ("log --json", |_| look(&["log", "--json"])),
    ("show theirs", |_| look(&["show", BATCH])),
    ("show ours", |ground| look(&["show", ground.past.batch("two.txt"), "--json"])),
    ("diff theirs", |_| look(&["diff", BATCH])),
    ("diff ours", |ground| look(&["diff", ground.past.batch("a.txt")])),
    ("proposals", |_| look(&["proposals"])),
    ("why", |_| look(&["why", "a.txt"])),
    ("trash list", |_| look(&["trash", "list"])),
    ("audit verify", |_| look(&["audit", "verify"])),
    ("audit export", |_| look(&["audit", "export"])),
    ("doctor", |_| look(&["doctor"])),
    ("doctor --json", |_| look(&["doctor", "--json"])),
    ("adopt", |_| look(&["adopt"])),
    ("adopt --json", |_| look(&["adopt", "--json"])),
    ("adopt --fresh", |_| uses(&["adopt", "--fresh", "--yes"], Effect::State)),
    ("key export", |_| look(&["key", "export"])),
    ("undo", |_| uses(&["undo"], Effect::Past)),
    ("undo --path", |_| uses(&["undo", "--path", "victim.txt"], Effect::Past)),
    ("undo theirs", |_| look(&["undo", BATCH])),
    ("undo --dry-run", |_| look(&["undo", "--dry-run"])),
    ("trash restore theirs", |_| look(&["trash", "restore", ENTRY, "got.txt"])),
    ("trash restore ours", |ground| {
        uses(&["trash", "restore", &ground.past.trash, "got.txt"], file("got.txt", VICTIM))
    }),
    ("trash purge", |_| uses(&["trash", "purge", "--older-than", "0s"], Effect::Nothing)),
    ("apply-batch theirs", |_| look(&["apply-batch", BATCH])),
    ("apply-batch ours", |ground| {
        does(&["apply-batch", ground.past.batch("proposed.txt")], file("proposed.txt", "p\n"))
    }),
    ("reject theirs", |_| look(&["reject", BATCH])),
    ("reject ours", |ground| look(&["reject", ground.past.batch("proposed.txt")])),
    ("read_file", |_| look(&["call", "read_file", r#"{"path":"a.txt","hashes":true}"#])),
    ("read_file state", |ground| {
        let path = json!({ "path": format!(".patchwright/{}/log", ground.past.id) });
        look(&["call", "read_file", &path.to_string()])
    }),
    ("list_directory", |_| look(&["call", "list_directory", r#"{"recursive":true,"includeHidden":true}"#])),
    ("search_files", |_| look(&["call", "search_files", r#"{"query":"side","mode":"text"}"#])),
    ("glob", |_| look(&["call", "glob", r#"{"pattern":"**/*.txt"}"#])),
    ("write_file", |_| does(&["call", "write_file", r#"{"path":"a.txt","content":"x\n"}"#], file("a.txt", "x\n"))),
    ("edit_file", |ground| {
        let edit = r#"{"path":"a.txt","edits":[{"oldText":"side","newText":"sight"}]}"#;
        does(&["call", "edit_file", edit], file("a.txt", &present(ground).replace("side", "sight")))
    }),
    ("apply_patch", |_| {
        let patch = json!({ "patch": "*** Begin Patch\n*** Add File: patched.txt\n+x\n*** End Patch\n" });
        does(&["call", "apply_patch", &patch.to_string()], file("patched.txt", "x\n"))
    }),
    ("edit", |_| look(&["call", "edit", r#"{"path":"a.txt","operations":[]}"#])),
    ("workspace_read_file", |_| look(&["call", "workspace_read_file", r#"{"path":"a.txt"}"#])),
    ("workspace_write_patch", |_| look(&["call", "workspace_write_patch", "{}"])),
    ("delete_file", |_| does(&["call", "delete_file", r#"{"path":"a.txt"}"#], Effect::Exactly(vec![("a.txt", None)]))),
    ("restore_file", |_| {
        let theirs = json!({ "trashId": ENTRY, "targetPath": "got.txt" });
        look(&["call", "restore_file", &theirs.to_string()])
    }),
    ("move_file", |ground| {
        let moved = vec![("a.txt", None), ("moved.txt", Some(present(ground).to_owned()))];
        does(&["call", "move_file", r#"{"fromPath":"a.txt","toPath":"moved.txt"}"#], Effect::Exactly(moved))
    }),
    ("list_trash", |_| look(&["call", "list_trash", "{}"])),
    ("purge_trash", |_| uses(&["call", "purge_trash", r#"{"olderThan":"0s"}"#], Effect::Nothing)),
    ("get_patch_change", |_| look(&["call", "get_patch_change", &json!({ "batchId": BATCH }).to_string()])),
    ("explain_lines", |_| look(&["call", "explain_lines", r#"{"path":"a.txt"}"#])),
    ("keyed call", |_| {
        let call = r#"{"path":"keyed.txt","content":"keyed\n","idempotencyKey":"k"}"#;
        does(&["call", "create_file", call], file("keyed.txt", "keyed\n"))
    }),
    ("undo tool", |_| uses(&["call", "undo", "{}"], Effect::Past)),
    ("apply_batch", |_| look(&["call", "apply_batch", &json!({ "batchId": BATCH }).to_string()])),
    ("reject_batch", |_| look(&["call", "reject_batch", &json!({ "batchId": BATCH }).to_string()])),
];

/// How many there are.
pub(super) const OPENERS: usize = TABLE.len();
/// Some that plans ask for by name: the table begins with them.
pub(super) const LIST: usize = 0;
pub(super) const MAKE: usize = 1;
pub(super) const ADOPT: usize = 2;
pub(super) const TAKE_BACK: usize = 3;
pub(super) const SERVE: usize = 4;
pub(super) const UNDO_TWO: usize = 5;
pub(super) const APPLY_REJECTED: usize = 6;

/// What a plan's opener is called.
pub(super) fn name(plan: &Plan) -> String {
    TABLE.get(plan.opener).map_or("", |(name, _)| *name).to_owned()
}

/// The opener of a plan. Whoever may only look changes nothing.
pub(super) fn of(ground: &Ground, plan: &Plan) -> Opener {
    let mut opener = TABLE.get(plan.opener).map_or_else(|| look(&["log"]), |(_, make)| make(ground));
    if plan.opener == APPLY_REJECTED && plan.what.iter().any(Forgery::shortens) {
        opener.effect = file("no-1.txt", "no\n");
    }
    if plan.opening == Opening::ReadOnly {
        opener.words.insert(0, "--read-only".to_owned());
        (opener.effect, opener.trash) = (Effect::Nothing, Trash::Kept);
    }
    opener
}

impl Opener {
    /// Opens the workspace; an error is a promise broken.
    pub(super) fn open(&self, ground: &Ground) -> Result<Ran, String> {
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        if words.contains(&"mcp") { serve::session(ground, &words) } else { ground.run(&words) }
    }

    pub(super) fn words(&self) -> String {
        self.words.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_begins_with_those_that_are_named() {
        let named = [LIST, MAKE, ADOPT, TAKE_BACK, SERVE, UNDO_TWO, APPLY_REJECTED].map(|at| TABLE[at].0);
        let names =
            ["list_batches", "make", "adopt --yes", "adopt --take-back", "mcp", "undo two", "apply-batch rejected"];
        assert_eq!(named, names);
    }
}
