//! Whether anything happened that the call did not ask for.

use super::ground::{Ground, Ran, Where};
use super::openers::{Effect, Trash};
use super::past::{VALUES, names};
use super::plant::Planted;
use patchwright_testkit::snapshot::{Snapshot, Thing, differing, snapshot};
use std::path::Path;

/// A workspace as it is: all that counts, and what home holds.
pub(super) struct Seen {
    tree: Snapshot,
    home: Snapshot,
    ids: Vec<String>,
}

impl Seen {
    pub(super) fn now(ground: &Ground) -> Seen {
        let mut home = snapshot(&ground.home());
        // A cache may be made at any time, and the note of where the root is renewed.
        home.retain(|path, _| !path.contains("index.sqlite") && !path.ends_with("/root"));
        Seen { tree: ground.watched(), home, ids: names(&ground.home().join("ws")) }
    }
}

/// What may happen.
pub(super) struct May<'a> {
    pub(super) effect: &'a Effect,
    pub(super) trash: Trash,
    /// Nothing at all, our own record included?
    pub(super) only_looks: bool,
    pub(super) planted: Planted,
}

/// Compares; what is wrong, if anything is.
pub(super) fn judge(ground: &Ground, before: &Seen, after: &Seen, ran: &Ran, may: &May<'_>) -> Result<(), String> {
    if !matches!(ran.code, Some(0..=3)) {
        return Err(format!("it crashed: {}", ran.told()));
    }
    let mut changed = differing(&before.tree, &after.tree);
    if may.only_looks {
        changed.extend(differing(&before.home, &after.home).into_iter().map(|path| format!("home/{path}")));
    } else {
        changed.retain(|path| !is_state(ground, before, after, path, may));
        lost(ground, before, after, may)?;
    }
    let wrong = unasked(ground, &after.tree, &changed, may.effect, ran);
    match wrong.as_slice() {
        [] => Ok(()),
        wrong => Err(format!("changed beyond what was asked for: {} ({})", shown(wrong, before, after), ran.told())),
    }
}

fn shown(wrong: &[String], before: &Seen, after: &Seen) -> String {
    let side = |seen: &Seen, path: &str| match seen.tree.get(path) {
        Some(Thing::File { bytes, mode }) => {
            let some: Vec<u8> = bytes.iter().copied().take(60).collect();
            format!("file {mode:o} \"{}\"", some.escape_ascii())
        }
        other => format!("{other:?}"),
    };
    let line = |path: &String| format!("{path}: {} became {}", side(before, path), side(after, path));
    wrong.iter().take(8).map(line).collect::<Vec<_>>().join("; ")
}

/// Is it a change of our own state, which is ours to make?
fn is_state(ground: &Ground, before: &Seen, after: &Seen, path: &str, may: &May<'_>) -> bool {
    let full = ground.folder.join(path);
    let below = |place: &Path| full.strip_prefix(place).ok().map(|rest| rest.to_string_lossy().into_owned());
    let is_new = !before.tree.contains_key(path);
    let own = ground.is_used() && full.starts_with(ground.record());
    own || ground.places.iter().any(|place| {
        let Some(rest) = below(place) else { return false };
        if matches!(may.effect, Effect::State | Effect::TakenBack) {
            return true;
        }
        let first = rest.split('/').next().unwrap_or_default();
        // Where our own record cannot be used, it is made again or another one is begun.
        let known = after.ids.iter().any(|id| id == first) && first != ground.past.other.0;
        let begun = known && (first != ground.past.id || may.planted.own);
        begun || (is_new && (rest.is_empty() || rest == ".gitignore"))
    })
}

/// What was in our trash and among our kept files is there still.
fn lost(ground: &Ground, before: &Seen, after: &Seen, may: &May<'_>) -> Result<(), String> {
    if may.trash == Trash::Used || !ground.is_used() || matches!(may.effect, Effect::State | Effect::TakenBack) {
        return Ok(());
    }
    let record = ground.named(&ground.record());
    let genuine = ground.past.stages.last().into_iter().flatten();
    for (path, thing) in genuine.filter(|(path, _)| path.starts_with("trash/") || path.starts_with("blobs/")) {
        let path = format!("{record}/{path}");
        if before.tree.get(&path) == Some(thing) && after.tree.get(&path) != Some(thing) {
            return Err(format!("{path} is gone from what was kept"));
        }
    }
    Ok(())
}

/// The changes that the call did not ask for; or those that it did, if they are not as asked.
fn unasked(ground: &Ground, after: &Snapshot, changed: &[String], effect: &Effect, ran: &Ran) -> Vec<String> {
    let bytes = |path: &str| match after.get(path) {
        Some(Thing::File { bytes, .. }) => Some(Some(String::from_utf8_lossy(bytes).into_owned())),
        None => Some(None),
        _ => None,
    };
    match effect {
        Effect::Nothing | Effect::State => changed.to_vec(),
        Effect::Exactly(files) => {
            let asked = files.iter().map(|(path, content)| (ground.name(path), content));
            let asked: Vec<_> = asked.filter(|_| ran.code == Some(0)).collect();
            let fits = |path: &String| asked.iter().any(|(name, _)| name == path);
            let mut wrong: Vec<String> = changed.iter().filter(|path| !fits(path)).cloned().collect();
            let undone = asked.iter().filter(|(name, content)| bytes(name).as_ref() != Some(content));
            wrong.extend(undone.map(|(name, _)| name.clone()));
            wrong
        }
        Effect::Past => {
            let was = |path: &String| {
                let known = VALUES.iter().find(|(name, _)| ground.name(name) == *path);
                let found = bytes(path);
                known.is_some_and(|(_, values)| values.iter().any(|value| found == Some(value.map(str::to_owned))))
            };
            let wrong: Vec<String> = changed.iter().filter(|path| !was(path)).cloned().collect();
            if wrong.is_empty() && changed.len() > 1 { changed.to_vec() } else { wrong }
        }
        Effect::TakenBack => changed.iter().filter(|path| !guarded(ground, path)).cloned().collect(),
    }
}

/// May a call that somebody asks to have taken back change this?
fn guarded(ground: &Ground, path: &str) -> bool {
    let full = ground.folder.join(path);
    let Ok(inside) = full.strip_prefix(&ground.root) else { return false };
    let closed = inside.components().any(|part| {
        let name = part.as_os_str().to_string_lossy().to_lowercase();
        name == ".git" || name == "patchwright.toml" || name == ".patchwright"
    });
    // A linked worktree's git folder is a file in the root.
    !closed && (ground.at != Where::Linked || !full.ends_with(".git"))
}
