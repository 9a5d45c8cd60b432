//! `trash`: what was deleted and can be brought back, and what a purge would take for good.

use super::cells::{cut_path, left, right, width};
use super::view::{Role, View};

/// Something in the trash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The change that deleted it, by its short name.
    pub name: String,
    /// Who deleted it.
    pub who: String,
    /// When, in nanoseconds since 1970 UTC.
    pub time_ns: i64,
    /// Its size in bytes.
    pub size: u64,
    /// How many files it holds, if it is a folder.
    pub files: Option<u64>,
    /// Where it was, told from the root.
    pub path: String,
}

/// A line for each, newest first.
pub fn trash(items: &[Item], view: &View) -> String {
    let widest = |text: &dyn Fn(&Item) -> String| items.iter().map(|item| width(&text(item))).max().unwrap_or(0);
    let name = widest(&|item| item.name.clone());
    let who = widest(&|item| item.who.clone());
    let age = widest(&|item| view.age(item.time_ns));
    let bytes = widest(&|item| size(item.size));
    let row = |item: &Item| {
        let used = name + who + age + bytes + 8;
        let room = view.columns.map_or(usize::MAX, |columns| columns.saturating_sub(used));
        format!(
            "{}  {}  {}  {}  {}\n",
            view.paint(Role::Name, &left(&item.name, name)),
            left(&item.who, who),
            right(&view.age(item.time_ns), age),
            right(&size(item.size), bytes),
            cut_path(&path(item, view), room),
        )
    };
    items.iter().map(row).collect()
}

fn path(item: &Item, view: &View) -> String {
    match item.files {
        Some(files) => format!("{}/  {files} files", view.path(&item.path)),
        None => view.path(&item.path),
    }
}

/// What a purge takes for good, and what can then not be undone.
pub fn purging(items: &[Item], batches: &[String], view: &View) -> String {
    const NAMED: usize = 5;
    let total = items.iter().map(|item| item.size).sum();
    let names: Vec<String> = items.iter().take(NAMED).map(|item| view.path(&item.path)).collect();
    let more = match items.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let what = format!("For good: {}{more} ({}).", names.join(", "), size(total));
    match batches {
        [] => what,
        names => format!("{what} {} can then not be undone.", names.join(", ")),
    }
}

/// A size in a few letters: `512 B`, `2.9 kB`, `14 MB`.
pub(super) fn size(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["B", "kB", "MB", "GB", "TB"];
    let (mut rest, mut unit) = (bytes.saturating_mul(10), 0);
    while rest >= 10_000 && unit + 1 < UNITS.len() {
        (rest, unit) = ((rest + 500) / 1000, unit + 1);
    }
    let name = UNITS.get(unit).copied().unwrap_or_default();
    match (unit, rest) {
        (0, _) => format!("{bytes} {name}"),
        (_, rest) if rest >= 100 => format!("{} {name}", (rest + 5) / 10),
        (_, rest) => format!("{}.{} {name}", rest / 10, rest % 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (bytes, want) in [
            (0, "0 B"),
            (999, "999 B"),
            (1_000, "1.0 kB"),
            (2_899, "2.9 kB"),
            (9_949, "9.9 kB"),
            (14_400, "14 kB"),
            (14_400_000, "14 MB"),
            (3_000_000_000, "3.0 GB"),
        ] {
            assert_eq!(size(bytes), want);
        }
    }
}
