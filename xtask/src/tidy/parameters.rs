//! No named function takes a tuple apart in its parameters: what belongs together gets a struct with a name, the rest
//! are plain arguments. A pair at a call says nothing about its parts, and gets round the limit on arguments.
//!
//! Closures may, as their pairs come from iterators. Tests are left out.

use super::Complaint;
use super::heads::is_test;
use super::source::Source;
use super::tree::Tree;
use crate::failure::Failure;

pub(super) fn check(tree: &Tree) -> Result<Vec<Complaint>, Failure> {
    let mut found = Vec::new();
    for file in tree.sources().filter(|file| !is_test(file)) {
        let source = Source::of(&tree.text(file)?);
        let functions = functions(&source.code).into_iter().filter(Function::takes_tuple_apart);
        found.extend(functions.map(|function| function.complaint(file)));
    }
    Ok(found)
}

/// A named function, as far as its parameters.
struct Function<'a> {
    name: &'a str,
    /// Counted from one.
    line: usize,
    parameters: Vec<&'a str>,
}

impl Function<'_> {
    fn takes_tuple_apart(&self) -> bool {
        self.parameters.iter().any(|parameter| is_tuple_pattern(parameter))
    }

    fn complaint(&self, file: &str) -> Complaint {
        let text = format!(
            "`{}` takes a tuple apart in its parameters; give them a struct with a name, or make them plain arguments",
            self.name
        );
        Complaint::at(file, self.line, text)
    }
}

/// The functions of a file with a body or without, in order.
fn functions(code: &str) -> Vec<Function<'_>> {
    let starts = code.match_indices("fn ").map(|(at, _)| at).filter(|at| begins_word(code, *at));
    starts.filter_map(|at| function_at(code, at)).collect()
}

/// The function whose `fn` stands there; nothing if that is the type of a function, which has no name.
fn function_at(code: &str, at: usize) -> Option<Function<'_>> {
    let line = code.get(..at)?.matches('\n').count().saturating_add(1);
    let head = code.get(at..)?.strip_prefix("fn ")?.trim_start();
    let end = head.find(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|end| *end > 0)?;
    let (name, rest) = head.split_at_checked(end)?;
    let rest = rest.trim_start();
    let generics = if rest.starts_with('<') { closing(rest)? } else { 0 };
    let rest = rest.get(generics..)?.trim_start().strip_prefix('(')?;
    Some(Function { name, line, parameters: parameters(rest) })
}

fn begins_word(code: &str, at: usize) -> bool {
    let before = code.get(..at).and_then(|before| before.chars().next_back());
    !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
}

/// How long a list in brackets is, from the bracket at the start to the one that closes it.
fn closing(code: &str) -> Option<usize> {
    let mut depth = Depth::default();
    code.char_indices().find(|(_, c)| depth.step(*c) && depth.open == 0).map(|(at, c)| at.saturating_add(c.len_utf8()))
}

/// What stands between commas, up to the bracket that closes the list.
fn parameters(code: &str) -> Vec<&str> {
    let (mut depth, mut from, mut found) = (Depth::default(), 0, Vec::new());
    for (at, c) in code.char_indices() {
        let ends = depth.open == 0 && matches!(c, ',' | ')');
        if ends {
            found.push(code.get(from..at).unwrap_or_default().trim());
            from = at.saturating_add(1);
        }
        if ends && c == ')' {
            break;
        }
        depth.step(c);
    }
    found
}

/// How many brackets are open. The head of an arrow is none.
#[derive(Default)]
struct Depth {
    open: usize,
    last: Option<char>,
}

impl Depth {
    /// Takes one character; did it close something?
    fn step(&mut self, c: char) -> bool {
        let arrow = c == '>' && matches!(self.last, Some('-' | '='));
        self.last = Some(c);
        match c {
            '(' | '[' | '{' | '<' => self.open = self.open.saturating_add(1),
            ')' | ']' | '}' | '>' if !arrow => {
                self.open = self.open.saturating_sub(1);
                return true;
            }
            _ => {}
        }
        false
    }
}

/// Is the pattern of this parameter a tuple, perhaps behind a `&`?
fn is_tuple_pattern(parameter: &str) -> bool {
    parameter.trim_start_matches('&').trim_start().starts_with('(')
}

#[cfg(test)]
mod tests {
    use super::super::scratch::{Bed, Plant, expect, expect_none};
    use super::*;

    /// The check looks at each file by itself: the planted one is enough.
    const BED: Bed = Bed { check, needs: |_| false };

    fn check_planted(file: &str, code: &str, name: Option<&str>) {
        let text = format!("//! Planted.\n{code}\n");
        let plants = [Plant::Write(file, &text)];
        match name {
            Some(name) => expect(&BED, &plants, &[format!("{file}:2: `{name}` takes a tuple apart")]),
            None => expect_none(&BED, &plants),
        }
    }

    #[test]
    fn a_tuple_in_the_parameters_is_found() {
        for file in
            ["crates/core/src/planted.rs", "app/src/planted.rs", "testkit/src/planted.rs", "xtask/src/planted.rs"]
        {
            check_planted(file, "fn f((a, b): (u8, u8)) {}", Some("f"));
        }
        let check = |code: &str| check_planted("crates/core/src/planted.rs", code, Some("g"));
        check("pub(super) fn g(&self, x: u8, (a, b): (A, B), y: u8) -> C {");
        check("fn g<T: Fn(u8) -> u8>(x: T, &(a, b): &(u8, u8));");
        check("fn g<'a, T>(\n    x: impl FnOnce(&'a (u8, T)) -> bool,\n    (a, b): (u8, u8),\n) {}");
        check("impl X { const fn g(x: [u8; 2], (_, b): (u8, u8)) {} }");
        check("fn g((): &mut ()) {}");
    }

    #[test]
    fn other_parameters_are_left_alone() {
        let check = |code: &str| check_planted("crates/core/src/planted.rs", code, None);
        check("fn f(a: (u8, u8)) {}");
        check("fn f(Pair { a, b }: Pair) {}");
        check("fn f([a, b]: [u8; 2]) {}");
        check("fn f(x: fn((u8, u8)), y: &dyn Fn((u8, u8)) -> u8) { z.map(|(a, b)| a); }");
        check("fn f(x: Vec<(u8, u8)>) -> (u8, u8) { (g)((1, 2)) }");
        check("// fn f((a, b): (u8, u8)) {}");
        check("#[cfg(test)]\nmod tests {\n    fn f((a, b): (u8, u8)) {}\n}");
        check_planted("crates/core/tests/planted.rs", "fn f((a, b): (u8, u8)) {}", None);
    }
}
