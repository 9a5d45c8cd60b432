//! One direction inside a crate: no two modules that stand side by side lean on each other, not even by a detour.
//!
//! Paths from `crate`, `self` and `super` count, and so do names that a parent takes over from a child. Tests are left
//! out. What a parent and its children know of each other is their own business.

use super::Complaint;
use super::heads::is_test;
use super::paths;
use super::source::Source;
use super::tree::Tree;
use crate::failure::Failure;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The crates whose modules are looked at.
const CRATES: &[&str] = &["crates/core", "crates/store", "crates/engine", "crates/lib", "app"];

pub(super) fn check(tree: &Tree) -> Result<Vec<Complaint>, Failure> {
    let mut found = Vec::new();
    for folder in CRATES {
        for (parent, graph) in Modules::read(tree, folder)?.graphs() {
            found.extend(graph.cycles().iter().map(|cycle| complaint(cycle, &parent)));
        }
    }
    Ok(found)
}

fn complaint(cycle: &[Edge<'_>], parent: &[String]) -> Complaint {
    let names: Vec<&str> = cycle.iter().map(|edge| edge.from).collect();
    let edges: Vec<String> =
        cycle.iter().map(|edge| format!("{} names {} ({})", edge.from, edge.to, edge.file)).collect();
    let home = std::iter::once("crate").chain(parent.iter().map(String::as_str)).collect::<Vec<_>>().join("::");
    let text = format!(
        "the modules {} of {home} lean on each other: {}; move what they share below them",
        names.join(", "),
        edges.join(", ")
    );
    Complaint::about(cycle.first().map_or("", |edge| edge.file), text)
}

/// The words of a module's path below `crate`.
type ModulePath = Vec<String>;

/// A crate's source, module by module.
struct Modules {
    parts: Vec<Part>,
    known: BTreeSet<ModulePath>,
    /// By module, the names that it takes over from its children, and from which.
    taken: BTreeMap<ModulePath, BTreeMap<String, ModulePath>>,
}

/// One file of a crate.
struct Part {
    module: ModulePath,
    file: String,
    code: String,
}

impl Modules {
    fn read(tree: &Tree, folder: &str) -> Result<Modules, Failure> {
        let home = format!("{folder}/src/");
        let mut parts = Vec::new();
        for file in tree.sources().filter(|file| file.starts_with(&home) && !is_test(file)) {
            let module = paths::module_of(file).into_iter().skip(1).collect();
            parts.push(Part { module, file: file.to_owned(), code: Source::of(&tree.text(file)?).code });
        }
        let known = parts.iter().flat_map(|part| (0..=part.module.len()).map(|end| up_to(&part.module, end))).collect();
        let mut modules = Modules { parts, known, taken: BTreeMap::new() };
        modules.taken = modules.parts.iter().map(|part| (part.module.clone(), modules.taken_by(part))).collect();
        Ok(modules)
    }

    /// The names that a module's own `use` lines take over from its children.
    fn taken_by(&self, part: &Part) -> BTreeMap<String, ModulePath> {
        let named = paths::named(&use_lines(&part.code), &part.file);
        let full = named.into_iter().map(|one| match one.path.split_first() {
            Some((first, rest)) if first == "crate" => rest.to_vec(),
            _ => [&part.module[..], &one.path[..]].concat(),
        });
        let of_child = full.filter_map(|mut path| {
            let name = path.pop()?;
            let child = up_to(&path, part.module.len().saturating_add(1));
            let below = child.len() > part.module.len() && child.starts_with(&part.module);
            (below && self.known.contains(&child)).then_some((name, child))
        });
        of_child.collect()
    }

    /// The module that a path below `crate` leads to.
    fn target(&self, path: &[String]) -> ModulePath {
        let deepest = (0..=path.len()).rev().map(|end| up_to(path, end)).find(|module| self.known.contains(module));
        let module = deepest.unwrap_or_default();
        let next = path.get(module.len());
        let taken = next.and_then(|name| self.taken.get(&module)?.get(name));
        taken.cloned().unwrap_or(module)
    }

    /// Who names whom, by the module above them.
    fn graphs(&self) -> BTreeMap<ModulePath, Graph> {
        let mut graphs: BTreeMap<ModulePath, Graph> = BTreeMap::new();
        for part in &self.parts {
            for named in paths::named(&part.code, &part.file) {
                let Some(("crate", path)) = named.path.split_first().map(|(first, rest)| (first.as_str(), rest)) else {
                    continue;
                };
                let target = self.target(path);
                let shared = part.module.iter().zip(&target).take_while(|(a, b)| a == b).count();
                if let (Some(from), Some(to)) = (part.module.get(shared), target.get(shared)) {
                    let graph = graphs.entry(up_to(&target, shared)).or_default();
                    graph.edges.entry(from.clone()).or_default().entry(to.clone()).or_insert_with(|| part.file.clone());
                }
            }
        }
        graphs
    }
}

fn up_to(path: &[String], end: usize) -> ModulePath {
    path.iter().take(end).cloned().collect()
}

/// The `use` lines of some code alone.
fn use_lines(code: &str) -> String {
    let items = code.split_inclusive(';');
    let uses = items.filter_map(|item| {
        let at = item.rfind("use ").filter(|at| item.get(..*at).is_some_and(|before| !before.ends_with(is_word)))?;
        item.get(at..)
    });
    uses.collect()
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Modules that stand side by side: which names which, and a file that does.
#[derive(Default)]
struct Graph {
    edges: BTreeMap<String, BTreeMap<String, String>>,
}

/// One module naming another.
struct Edge<'a> {
    from: &'a str,
    to: &'a str,
    file: &'a str,
}

impl Graph {
    /// A shortest cycle through each module that is in one and was in none before.
    fn cycles(&self) -> Vec<Vec<Edge<'_>>> {
        let mut seen = BTreeSet::new();
        let mut cycles = Vec::new();
        for start in self.edges.keys().map(String::as_str) {
            if !seen.contains(start)
                && let Some(cycle) = self.cycle_through(start)
            {
                seen.extend(cycle.iter().map(|edge| edge.from));
                cycles.push(cycle);
            }
        }
        cycles
    }

    fn cycle_through<'a>(&'a self, start: &str) -> Option<Vec<Edge<'a>>> {
        let mut came: BTreeMap<&str, Edge<'a>> = BTreeMap::new();
        let mut wait: VecDeque<&str> = VecDeque::from([start]);
        while let Some(from) = wait.pop_front() {
            for edge in self.edges_of(from) {
                if !came.contains_key(edge.to) {
                    wait.push_back(edge.to);
                    came.insert(edge.to, edge);
                }
            }
        }
        let mut back = vec![came.remove(start)?];
        while let Some(edge) = back.last().filter(|edge| edge.from != start).and_then(|edge| came.remove(edge.from)) {
            back.push(edge);
        }
        back.reverse();
        Some(back)
    }

    fn edges_of<'a>(&'a self, from: &str) -> impl Iterator<Item = Edge<'a>> {
        let named = self.edges.get_key_value(from);
        named.into_iter().flat_map(|(from, to)| to.iter().map(move |(to, file)| Edge { from, to, file }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::scratch::{Bed, Plant, expect, expect_none};
    use super::*;

    const BED: Bed = Bed { check, needs: |path| path.starts_with("crates/core/src/") || path.starts_with("app/src/") };

    /// Plants files below `crates/core/src` and expects a complaint with these words, or none.
    fn check_planted(files: &[(&str, &str)], words: Option<&str>) {
        let named: Vec<(String, String)> = files
            .iter()
            .map(|(file, code)| (format!("crates/core/src/{file}"), format!("//! Planted.\n{code}\n")))
            .collect();
        let plants: Vec<Plant<'_>> = named.iter().map(|(file, text)| Plant::Write(file, text)).collect();
        match words {
            Some(words) => expect(&BED, &plants, &[words]),
            None => expect_none(&BED, &plants),
        }
    }

    #[test]
    fn a_cycle_between_top_modules_is_found() {
        let two = "the modules p_a, p_b of crate lean on each other: p_a names p_b (crates/core/src/p_a.rs), \
                   p_b names p_a (crates/core/src/p_b";
        check_planted(&[("p_a.rs", "use crate::p_b::X;"), ("p_b.rs", "use crate::p_a::Y;")], Some(two));
        check_planted(
            &[("p_a.rs", "use crate::{p_b::X, path};"), ("p_b/mod.rs", "fn f() { crate::p_a::g() }")],
            Some(two),
        );
        check_planted(&[("p_a.rs", "use super::p_b;"), ("p_b/deep.rs", "use crate::{path, p_a};")], Some(two));
        let three = [("p_a.rs", "use crate::p_b;"), ("p_b.rs", "use crate::p_c;"), ("p_c.rs", "use crate::p_a;")];
        check_planted(&three, Some("p_b names p_c (crates/core/src/p_b.rs), p_c names p_a"));
    }

    #[test]
    fn a_cycle_in_another_crate_is_found() {
        let plants = [
            Plant::Write("app/src/p_a.rs", "//! Planted.\nuse crate::p_b::X;\n"),
            Plant::Write("app/src/p_b.rs", "//! Planted.\nuse crate::p_a::Y;\n"),
        ];
        expect(&BED, &plants, &["app/src/p_a.rs: the modules p_a, p_b of crate"]);
    }

    #[test]
    fn a_cycle_between_siblings_is_found() {
        let words = Some("the modules a, b of crate::planted lean on each other");
        let through = |a: &'static str, b: &'static str| [("planted/a.rs", a), ("planted/b.rs", b)];
        check_planted(&through("use super::b::X;", "use super::a::Y;"), words);
        check_planted(&through("use super::{Z, b};", "use crate::planted::a;"), words);
        let taken = [
            ("planted/mod.rs", "pub use a::{W, Y};\nuse b::X;"),
            ("planted/a.rs", "use super::X;"),
            ("planted/b.rs", "use crate::planted::{Q, Y};"),
        ];
        check_planted(&taken, words);
    }

    #[test]
    fn one_direction_and_tests_do_no_harm() {
        check_planted(&[("p_a.rs", "use crate::p_b::X;"), ("p_b.rs", "fn p_a() {}")], None);
        let tested = "#[cfg(test)]\nmod tests {\n    use crate::p_a::Y;\n}";
        check_planted(&[("p_a.rs", "use crate::p_b::X;"), ("p_b.rs", tested)], None);
        check_planted(&[("p_a.rs", "use crate::p_b::X;"), ("p_b/tests.rs", "use crate::p_a::Y;")], None);
        check_planted(&[("p_a.rs", "use crate::p_b::X;"), ("p_b/tests/one.rs", "use crate::p_a::Y;")], None);
        check_planted(&[("p_a.rs", "use crate::p_b::X;"), ("p_b.rs", "// use crate::p_a::Y;")], None);
        // A parent and its child know each other.
        check_planted(&[("planted/mod.rs", "mod a;\nuse a::X;\nstruct Y;"), ("planted/a.rs", "use super::Y;")], None);
    }
}
