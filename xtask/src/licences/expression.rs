//! SPDX licence expressions: `MIT OR (Apache-2.0 WITH LLVM-exception AND ISC)`, and the old `MIT/Apache-2.0`.
//!
//! Reads an expression in one pass with two stacks, so that no nesting can exhaust the machine's own stack.
//! What it cannot read, it does not permit.

/// Do the allowed licences satisfy the expression?
pub(super) fn permits(text: &str, allowed: &[&str]) -> bool {
    let spaced = text.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let mut reader = Reader { levels: vec![Level::default()] };
    let mut words = spaced.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let known = match word {
            "(" => reader.open(),
            ")" => reader.close(),
            "AND" => reader.join(Join::And),
            "OR" => reader.join(Join::Or),
            name => {
                let mut full = name.to_owned();
                if words.next_if_eq(&"WITH").is_some() {
                    full = format!("{name} WITH {}", words.next().unwrap_or_default());
                }
                reader.value(allowed.contains(&full.as_str()))
            }
        };
        if known.is_none() {
            return false;
        }
    }
    reader.finish().unwrap_or(false)
}

#[derive(Clone, Copy, PartialEq)]
enum Join {
    And,
    Or,
}

/// One pair of brackets: finished alternatives, and the group of `AND`s being read.
#[derive(Default)]
struct Level {
    any: bool,
    group: Option<bool>,
    join: Option<Join>,
}

struct Reader {
    levels: Vec<Level>,
}

impl Reader {
    fn open(&mut self) -> Option<()> {
        self.levels.push(Level::default());
        Some(())
    }

    fn close(&mut self) -> Option<()> {
        let inner = self.levels.pop()?.end()?;
        self.value(inner)
    }

    fn join(&mut self, join: Join) -> Option<()> {
        let level = self.levels.last_mut()?;
        if level.join.is_some() {
            return None;
        }
        let group = level.group?;
        if join == Join::Or {
            level.any |= group;
            level.group = None;
        }
        level.join = Some(join);
        Some(())
    }

    fn value(&mut self, value: bool) -> Option<()> {
        let level = self.levels.last_mut()?;
        level.group = match (level.group, level.join.take()) {
            (None, _) => Some(value),
            (Some(before), Some(Join::And)) => Some(before && value),
            (Some(_), _) => return None,
        };
        Some(())
    }

    fn finish(mut self) -> Option<bool> {
        let last = self.levels.pop()?;
        if self.levels.is_empty() { last.end() } else { None }
    }
}

impl Level {
    fn end(self) -> Option<bool> {
        if self.join.is_some() { None } else { Some(self.any | self.group?) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: bool) {
        assert_eq!(permits(text, &["MIT", "ISC", "Apache-2.0 WITH LLVM-exception"]), expected, "{text}");
    }

    #[test]
    fn expressions_are_read_as_written() {
        check("MIT", true);
        check("GPL-3.0-only", false);
        check("MIT OR GPL-3.0-only", true);
        check("GPL-3.0-only OR MIT", true);
        check("MIT AND GPL-3.0-only", false);
        check("MIT AND ISC", true);
        check("GPL-3.0-only AND MIT OR ISC", true); // AND binds closer
        check("ISC OR MIT AND GPL-3.0-only", true);
        check("(ISC OR GPL-3.0-only) AND MIT", true);
        check("(GPL-3.0-only) AND (MIT OR ISC)", false);
        check("Apache-2.0 WITH LLVM-exception", true);
        check("Apache-2.0", false);
        check("Apache-2.0/MIT", true);
    }

    #[test]
    fn what_cannot_be_read_is_not_permitted() {
        for text in ["", "MIT OR", "OR MIT", "MIT MIT", "(MIT", "MIT)", "()", "MIT WITH", "MIT AND OR ISC"] {
            check(text, false);
        }
        check(&"(".repeat(100_000), false);
    }
}
