//! Thousands of malicious paths: spellings of traversal and of absolute paths, twins of the root's name, other systems'
//! ways to write a path, encodings, devices, names that are too long, and characters put in where none should be.
//!
//! Whether a spelling leads outside is decided here by a resolver of its own, which knows nothing of the product's.

use super::parts::{ABSOLUTE, CLIMBS, DEVICES, DOTS, ENDS, FOREIGN, JOINTS, ODD, SLASHES, TARGETS};
use patchwright_testkit::dice::Dice;
use std::collections::BTreeSet;
use std::path::Path;

/// A path to attack with.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Attack {
    pub(super) path: String,
    pub(super) leads: Leads,
}

/// Where a path leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Leads {
    /// Outside: it must be refused.
    Outside,
    /// To a link that leads outside: whoever follows it must be refused.
    LinkItself,
    /// To an odd name inside, or nowhere. It may be refused or not, as long as it stays inside.
    Anywhere,
}

/// So many different ones, the plain ones first.
pub(super) fn generate(root: &Path, dice: &mut Dice, count: usize) -> Vec<Attack> {
    let (mut seen, mut attacks) = (BTreeSet::new(), Vec::new());
    let mut add = |path: String| {
        let path = path.replace("$ROOT", &root.to_string_lossy()).replace("$HOME", &home(root));
        if !path.is_empty() && seen.insert(path.clone()) {
            let leads = if leaves(&path, root) { Leads::Outside } else { Leads::Anywhere };
            attacks.push(Attack { path, leads });
        }
    };
    plain().into_iter().for_each(&mut add);
    DEVICES.iter().for_each(|device| add((*device).to_owned()));
    overlong().into_iter().for_each(&mut add);
    // More rounds than needed: some come out alike.
    for _ in 0..count.saturating_mul(4) {
        add(thrown(dice));
    }
    attacks.truncate(count);
    attacks
}

fn home(root: &Path) -> String {
    root.parent().map(|home| home.to_string_lossy().into_owned()).unwrap_or_default()
}

fn plain() -> Vec<String> {
    let climbing = CLIMBS.iter().flat_map(|climb| TARGETS.iter().map(move |target| format!("{climb}/{target}")));
    let absolute = ABSOLUTE.iter().flat_map(|start| TARGETS.iter().map(move |target| format!("{start}{target}")));
    climbing.chain(absolute).chain(FOREIGN.iter().map(|start| format!("{start}secret.txt"))).collect()
}

fn overlong() -> Vec<String> {
    let long = ["x".repeat(256), "x".repeat(5_000), "é".repeat(200)];
    let mut all: Vec<String> =
        long.iter().flat_map(|name| [name.clone(), format!("d/{name}"), format!("../{name}")]).collect();
    all.extend(["../".repeat(2_000), "./".repeat(2_000) + "../secret.txt", "d/../".repeat(1_000) + "../secret.txt"]);
    all.extend(["x/".repeat(3_000) + "y", "/".repeat(5_000) + "etc/passwd"]);
    all
}

/// A path by chance: some climbs, a target, an end, and up to two disguises.
fn thrown(dice: &mut Dice) -> String {
    let one = |dice: &mut Dice, from: &[&'static str]| dice.pick(from).copied().unwrap_or_default();
    let mut path = match dice.below(4) {
        0 => one(dice, ABSOLUTE).to_owned(),
        1 => one(dice, FOREIGN).to_owned(),
        _ => String::new(),
    };
    for _ in 0..dice.below(4) {
        path.push_str(one(dice, CLIMBS));
        path.push_str(one(dice, JOINTS));
    }
    path.push_str(one(dice, TARGETS));
    path.push_str(one(dice, ENDS));
    for _ in 0..dice.below(3) {
        path = disguised(path, dice);
    }
    path
}

fn disguised(path: String, dice: &mut Dice) -> String {
    let one = |dice: &mut Dice, from: &[&'static str]| dice.pick(from).copied().unwrap_or_default();
    match dice.below(5) {
        0 => path.replace('/', one(dice, SLASHES)),
        1 => path.replace("..", &one(dice, DOTS).repeat(2)),
        2 => path.replacen('/', one(dice, SLASHES), 1),
        3 => path.to_uppercase(),
        _ => {
            let odd = dice.pick(ODD).copied().unwrap_or('x');
            let places: Vec<usize> = path.char_indices().map(|(at, _)| at).chain([path.len()]).collect();
            let at = dice.pick(&places).copied().unwrap_or_default();
            let (start, end) = path.split_at(at);
            format!("{start}{odd}{end}")
        }
    }
}

/// Does a path leave the root by its spelling?
fn leaves(path: &str, root: &Path) -> bool {
    let mut open: Vec<&str> = Vec::new();
    let root = root.to_string_lossy().into_owned();
    let names: Vec<&str> = root.split('/').filter(|name| !name.is_empty()).collect();
    let absolute = path.starts_with('/');
    for name in path.split('/').filter(|name| !matches!(*name, "" | ".")) {
        match name {
            ".." if open.pop().is_none() && !absolute => return true,
            ".." => {}
            name => open.push(name),
        }
    }
    absolute && !open.starts_with(&names)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, out: bool) {
        assert_eq!(leaves(path, Path::new("/place/ws")), out, "{path:?}");
    }

    #[test]
    fn spellings_that_leave() {
        for path in [
            "..",
            "d/../..",
            "a/../../b",
            "/",
            "/place",
            "/place/ws-evil",
            "/place/ws/..",
            "/place/ws/../x",
            "//etc",
            "./../x",
        ] {
            check(path, true);
        }
        for path in [
            "a",
            "d/..",
            "d/../e",
            "/place/ws",
            "/place/ws/a",
            "//place//ws/d/../e",
            "...",
            "..a",
            "%2e%2e/x",
            "..\\x",
            ".. /x",
        ] {
            check(path, false);
        }
    }

    #[test]
    fn there_are_thousands() {
        let all = generate(Path::new("/place/ws"), &mut Dice::new(1), 5_200);
        assert_eq!(all.len(), 5_200);
        let out = all.iter().filter(|attack| attack.leads == Leads::Outside).count();
        assert!(out > 1_500, "{out} lead outside");
    }
}
