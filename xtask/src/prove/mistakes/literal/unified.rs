//! Unified diffs, word for word: no fuzz; where the lines do not stand at the number that is given, they must
//! stand in one place only.

use super::super::text::{Last, Text};

struct Hunk<'a> {
    start: usize,
    old: Vec<&'a str>,
    new: Vec<&'a str>,
}

/// The text after a diff; nothing where it does not fit.
pub(super) fn patched(diff: &str, disk: &Text) -> Option<Text> {
    let mut lines = disk.lines.clone();
    let mut shift = 0_isize;
    for hunk in hunks(diff)? {
        let at = place(&lines, &hunk, shift)?;
        let end = at + hunk.old.len();
        // Without a marker the diff says that its last line ends.
        if disk.last == Last::Bare && end == lines.len() {
            return None;
        }
        shift += hunk.new.len() as isize - hunk.old.len() as isize;
        drop(lines.splice(at..end, hunk.new.iter().map(|line| (*line).to_owned())));
    }
    Some(disk.with(lines))
}

fn place(lines: &[String], hunk: &Hunk<'_>, shift: isize) -> Option<usize> {
    let fits = |at: usize| {
        let there = lines.get(at..at + hunk.old.len());
        there.is_some_and(|there| there.iter().zip(&hunk.old).all(|(line, old)| line == old))
    };
    let first = if hunk.old.is_empty() { hunk.start } else { hunk.start.checked_sub(1)? };
    let said = first.checked_add_signed(shift)?;
    if fits(said) {
        return Some(said);
    }
    let mut found = (0..lines.len()).filter(|at| !hunk.old.is_empty() && fits(*at));
    match (found.next(), found.next()) {
        (Some(at), None) => Some(at),
        _ => None,
    }
}

/// The hunks of a diff of one file; nothing if it is not whole. What stands before and after is passed over.
fn hunks(diff: &str) -> Option<Vec<Hunk<'_>>> {
    let mut lines = diff.split_terminator('\n').peekable();
    let mut hunks = Vec::new();
    while let Some(line) = lines.next() {
        let Some(((start, old), new)) = head(line) else { continue };
        let mut hunk = Hunk { start, old: Vec::new(), new: Vec::new() };
        while hunk.old.len() < old || hunk.new.len() < new {
            let line = lines.next()?;
            let (sign, text) = line.split_at_checked(1).unwrap_or((" ", ""));
            match sign {
                " " => {
                    hunk.old.push(text);
                    hunk.new.push(text);
                }
                "-" => hunk.old.push(text),
                "+" => hunk.new.push(text),
                _ => return None,
            }
        }
        if hunk.old.len() != old || hunk.new.len() != new {
            return None;
        }
        hunks.push(hunk);
    }
    (!hunks.is_empty() && diff.ends_with('\n')).then_some(hunks)
}

/// `@@ -start,old +_,new @@`
fn head(line: &str) -> Option<((usize, usize), usize)> {
    let (old, new) = line.strip_prefix("@@ -")?.strip_suffix(" @@")?.split_once(" +")?;
    let pair = |text: &str| {
        let (start, count) = text.split_once(',')?;
        Some((start.parse().ok()?, count.parse().ok()?))
    };
    Some((pair(old)?, pair(new)?.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: &str, diff: &str, after: Option<&str>) {
        let found = patched(diff, &Text::of(before.as_bytes()).unwrap());
        assert_eq!(found.map(|text| String::from_utf8(text.bytes()).unwrap()).as_deref(), after, "{diff}");
    }

    #[test]
    fn diffs() {
        check("a\nb\nc\n", "@@ -2,1 +2,1 @@\n-b\n+x\n", Some("a\nx\nc\n"));
        check("a\nb\nc\n", "@@ -1,1 +1,1 @@\n-b\n+x\n", Some("a\nx\nc\n")); // elsewhere, but only there
        check("b\na\nb\n", "@@ -2,1 +2,1 @@\n-b\n+x\n", None);
        check("b\na\nb\n", "@@ -3,1 +3,1 @@\n-b\n+x\n", Some("b\na\nx\n"));
        check("a\n", "@@ -1,1 +1,2 @@\n a\n", None); // cut
        check("a\nb", "@@ -2,1 +2,1 @@\n-b\n+x\n", None); // it does not end so
        check("a\n", "```\n@@ -1,1 +1,1 @@\n-a\n+x\n```\n", Some("x\n"));
    }
}
