//! The matrix of links: at leaf, parent and grandparent; absolute, relative, chained, looping, dangling, magic.

use super::paths::{Attack, Leads};

/// Where links lead. `$HOME` is the folder in which the workspace lies; the last word says what is at the end.
const TARGETS: &[(&str, &str, Leads)] = &[
    ("abs-file", "$HOME/secret.txt", Leads::Outside),
    ("abs-folder", "$HOME/beside", Leads::Outside),
    ("abs-root", "/", Leads::Outside),
    ("abs-inside", "$HOME/ws/d", Leads::Anywhere),
    ("rel-file", "../secret.txt", Leads::Outside),
    ("rel-folder", "../beside", Leads::Outside),
    ("rel-up", "..", Leads::Outside),
    ("rel-round", "d/../../beside", Leads::Outside),
    ("rel-twin", "../ws-evil", Leads::Outside),
    ("rel-case", "../WS", Leads::Outside),
    ("rel-back", "../ws/d", Leads::Anywhere),
    ("chain-file", "rel-file", Leads::Outside),
    ("chain-folder", "d/chain", Leads::Outside),
    ("chain-long", "chain-folder", Leads::Outside),
    ("chain-abs", "abs-folder", Leads::Outside),
    ("d/chain", "../rel-folder", Leads::Outside),
    ("loop-self", "loop-self", Leads::Outside),
    ("loop-a", "loop-b", Leads::Outside),
    ("loop-b", "loop-a", Leads::Outside),
    ("loop-below", "loop-below/x", Leads::Outside),
    ("dangling-in", "none", Leads::Anywhere),
    ("dangling-out", "../none", Leads::Outside),
    ("dangling-abs", "$HOME/none", Leads::Outside),
    ("dangling-deep", "../beside/none", Leads::Outside),
    ("magic-root", "/proc/self/root", Leads::Outside),
    ("magic-cwd", "/proc/self/cwd", Leads::Outside),
    ("magic-fd", "/proc/self/fd/0", Leads::Outside),
    ("magic-exe", "/proc/self/exe", Leads::Outside),
    ("device-zero", "/dev/zero", Leads::Outside),
    ("device-stdin", "/dev/stdin", Leads::Outside),
    ("to-pipe", "pipe", Leads::Anywhere),
    ("to-sock", "sock", Leads::Anywhere),
    ("to-zero", "zero", Leads::Anywhere),
    ("to-hard", "hard", Leads::Anywhere),
    ("to-state", ".patchwright", Leads::Anywhere),
    ("inside", "d", Leads::Anywhere),
];

/// Ways to go on below a link: as its leaf, as a parent, as a grandparent.
const BELOW: &[&str] =
    &["", "/x", "/new.txt", "/deep/x", "/deep/new.txt", "/new/new.txt", "/../x", "/beside/x", "/ws/a.txt"];

/// Names and targets of all links.
pub(super) fn all() -> Vec<(String, String)> {
    TARGETS.iter().map(|(name, target, _)| ((*name).to_owned(), (*target).to_owned())).collect()
}

/// Every path through a link, and the things that are neither file, folder nor link.
pub(super) fn attacks() -> Vec<Attack> {
    let mut attacks = Vec::new();
    for (name, _, leads) in TARGETS {
        for below in BELOW {
            // Of a leaf, tools that name an entry mean the link. And `..` is taken by the letter, before any link.
            let leads = match *below {
                "" if *leads == Leads::Outside => Leads::LinkItself,
                "/../x" => Leads::Anywhere,
                _ => *leads,
            };
            attacks.push(Attack { path: format!("{name}{below}"), leads });
        }
    }
    for name in ["pipe", "sock", "zero", "hard"] {
        for below in ["", "/x"] {
            attacks.push(Attack { path: format!("{name}{below}"), leads: Leads::Anywhere });
        }
    }
    attacks
}
