//! The account of sixteen writers: pure, from what they were answered, the log and the files as they are.

use patchwright_engine::core::digest::Digest;
use patchwright_testkit::tree::Tree;
use serde_json::Value;
use std::collections::BTreeMap;

/// An edit that was answered.
pub(super) struct Done {
    /// The line that it added; empty for a step of the counter.
    pub(super) line: String,
    pub(super) batch: String,
    pub(super) files: Vec<&'static str>,
}

/// What is there to be looked at.
pub(super) struct World {
    pub(super) before: Tree,
    pub(super) found: Tree,
    /// The log, entry by entry.
    pub(super) record: Vec<Value>,
}

/// Every promise that was not kept, a line each.
pub(super) fn broken(world: &World, done: &[Done], counter: &str) -> Vec<String> {
    let mut broken: Vec<String> = world.found.litter().iter().map(|name| format!("litter: {name}")).collect();
    let commits = commits(&world.record);
    for (file, _) in world.before.items.iter().filter(|(file, _)| world.before.bytes(file).is_some()) {
        broken.extend(gap(world, &commits, file));
        if file != counter {
            broken.extend(misplaced(world, &commits, file, done));
        }
    }
    broken.extend(miscounted(world, done, counter));
    broken.extend(unrecorded(&commits, done));
    broken
}

/// What the counter says.
pub(super) fn counted(text: &str) -> Option<u64> {
    text.strip_prefix("count ")?.strip_suffix("\nend\n")?.parse().ok()
}

/// A committed entry: its batch, and the hash of each file before and after.
struct Committed<'a> {
    batch: &'a str,
    files: Vec<(&'a str, Option<&'a str>, Option<&'a str>)>,
}

fn commits(record: &[Value]) -> Vec<Committed<'_>> {
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let committed = record.iter().filter(|entry| text(entry, "outcome").as_deref() == Some("committed"));
    let file = |file| (word(file, "path").unwrap_or_default(), word(file, "beforeSha256"), word(file, "afterSha256"));
    let files = |entry| Value::as_array(Value::get(entry, "files").unwrap_or(&Value::Null)).into_iter().flatten();
    committed
        .map(|entry| Committed {
            batch: word(entry, "batchId").unwrap_or_default(),
            files: files(entry).map(file).collect(),
        })
        .collect()
}

fn word<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key).and_then(Value::as_str)
}

/// Does the log lead from the file's first hash to its last?
fn gap(world: &World, commits: &[Committed<'_>], file: &str) -> Option<String> {
    let hash = |tree: &Tree| tree.bytes(file).map(|bytes| Digest::of(bytes).to_string());
    let mut now = hash(&world.before);
    for commit in commits {
        for (_, before, after) in commit.files.iter().filter(|(path, _, _)| *path == file) {
            if now.as_deref() != *before {
                return Some(format!("{file}: batch {} in the log replaced what was not there", commit.batch));
            }
            now = after.map(str::to_owned);
        }
    }
    (now != hash(&world.found)).then(|| format!("{file} is not as the log left it"))
}

/// Every answered line once, no other, in the order of the log.
fn misplaced(world: &World, commits: &[Committed<'_>], file: &str, done: &[Done]) -> Option<String> {
    let text = String::from_utf8_lossy(world.found.bytes(file)?).into_owned();
    let lines: BTreeMap<&str, &str> = done
        .iter()
        .filter(|done| done.files.contains(&file))
        .map(|done| (done.batch.as_str(), done.line.as_str()))
        .collect();
    let wanted = commits.iter().filter_map(|commit| lines.get(commit.batch)).copied();
    let wanted: Vec<&str> = std::iter::once("begin").chain(wanted).chain(["end"]).collect();
    let found: Vec<&str> = text.lines().collect();
    if wanted == found {
        return None;
    }
    let lost: Vec<_> = lines.values().filter(|line| !found.contains(line)).collect();
    Some(format!("{file}: its lines are not those that were answered, in the order of the log; lost: {lost:?}"))
}

fn miscounted(world: &World, done: &[Done], counter: &str) -> Option<String> {
    let steps = done.iter().filter(|done| done.files.contains(&counter)).count();
    let text = String::from_utf8_lossy(world.found.bytes(counter).unwrap_or_default()).into_owned();
    (counted(&text) != u64::try_from(steps).ok()).then(|| format!("{steps} steps were answered, yet it says {text:?}"))
}

/// Every answered batch is in the log once, and every committed one was answered.
fn unrecorded(commits: &[Committed<'_>], done: &[Done]) -> Vec<String> {
    let mut seen: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for commit in commits {
        seen.entry(commit.batch).or_default().0 += 1;
    }
    for done in done {
        seen.entry(done.batch.as_str()).or_default().1 += 1;
    }
    let odd = seen.into_iter().filter(|(_, (logged, answered))| *logged != 1 || *answered == 0);
    odd.map(|(batch, (logged, answered))| {
        format!("batch {batch}: {logged} times in the log, {answered} times answered")
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prove::workload::file;
    use serde_json::json;

    /// One file `f` and the counter, the lines that were answered, and what is found in the end.
    fn check(log: &[&str], answered: &[&str], found: &str, count: u64, broken_ones: usize) {
        let tree = |text: &str, count: u64| {
            let mut tree = Tree::default();
            tree.items.insert("f".to_owned(), file(text, 0o644));
            tree.items.insert("counter".to_owned(), file(format!("count {count}\nend\n"), 0o644));
            tree
        };
        let mut text = "begin\nend\n".to_owned();
        let entry = |line: &&str| {
            let before = Digest::of(text.as_bytes()).to_string();
            text = text.replace("end\n", &format!("{line}\nend\n"));
            let after = Digest::of(text.as_bytes()).to_string();
            json!({"outcome": "committed", "batchId": format!("b-{line}"), "files": [{"path": "f", "beforeSha256": before, "afterSha256": after}]})
        };
        let record = log.iter().map(entry).collect();
        let done = |line: &&str| Done { line: (*line).to_owned(), batch: format!("b-{line}"), files: vec!["f"] };
        let done: Vec<Done> = answered.iter().map(done).collect();
        let world = World { before: tree("begin\nend\n", 0), found: tree(found, count), record };
        assert_eq!(broken(&world, &done, "counter").len(), broken_ones, "{:?}", broken(&world, &done, "counter"));
    }

    #[test]
    fn accounts() {
        check(&["x", "y"], &["y", "x"], "begin\nx\ny\nend\n", 0, 0);
        check(&["x", "y"], &["y", "x", "x"], "begin\nx\ny\nend\n", 0, 0); // a replay
        check(&["x", "y"], &["y", "x"], "begin\ny\nx\nend\n", 0, 2); // another order than the log's
        check(&["x", "y"], &["y", "x"], "begin\ny\nend\n", 0, 2); // lost
        check(&["x", "x"], &["x"], "begin\nx\nx\nend\n", 0, 1); // twice
        check(&["x"], &["x", "y"], "begin\nx\nend\n", 0, 1); // answered, yet not on record
        check(&["x", "y"], &["x"], "begin\nx\ny\nend\n", 0, 2); // done, yet never answered
        check(&["x"], &["x"], "begin\nx\nend\n", 1, 2); // a step that nobody made
    }
}
