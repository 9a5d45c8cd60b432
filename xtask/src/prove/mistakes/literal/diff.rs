//! Unified diffs as we read them, word for word: the lines of each hunk stand in one place only, whatever its numbers
//! say, and are as many as it counts.

use super::super::text::Text;

/// The text after a diff of one file; nothing where it does not fit.
pub(super) fn patched(diff: &str, disk: &Text) -> Option<Text> {
    let mut given = diff.split_terminator('\n').peekable();
    let heads = ["diff --git ", "index ", "--- a/", "+++ b/"];
    if !heads.iter().all(|head| given.next().is_some_and(|line| line.starts_with(head))) {
        return None;
    }
    // A diff that names a file and changes nothing was cut.
    given.peek()?;
    let mut lines = disk.lines.clone();
    let mut last = ' ';
    while let Some(line) = given.next_if(|line| line.starts_with("@@ ")) {
        let (old_count, new_count) = counts(line)?;
        let (mut old, mut new) = (Vec::new(), Vec::new());
        while old.len() < old_count || new.len() < new_count {
            let line = given.next()?;
            last = sided(line, &mut old, &mut new)?;
        }
        if old.len() != old_count || new.len() != new_count {
            return None;
        }
        let at = only(&lines, &old)?;
        drop(lines.splice(at..at + old.len(), new));
    }
    // Without its end, a line that comes may have been cut off.
    let cut = last == '+' && !diff.ends_with('\n');
    (given.all(|line| line.trim().is_empty()) && !cut).then(|| disk.with(lines))
}

/// Puts a line of a hunk to the old side, the new one or both; gives its sign, or nothing if that is none.
pub(super) fn sided(line: &str, old: &mut Vec<String>, new: &mut Vec<String>) -> Option<char> {
    let mut rest = line.chars();
    let sign = rest.next().unwrap_or(' ');
    let text = rest.as_str().to_owned();
    match sign {
        ' ' => {
            old.push(text.clone());
            new.push(text);
        }
        '-' => old.push(text),
        '+' => new.push(text),
        _ => return None,
    }
    Some(sign)
}

/// The one place of some lines. None at all are the content of an empty file.
pub(super) fn only(lines: &[String], old: &[String]) -> Option<usize> {
    if old.is_empty() {
        return lines.is_empty().then_some(0);
    }
    let mut places = (0..lines.len()).filter(|at| lines.get(*at..at + old.len()) == Some(old));
    let first = places.next()?;
    places.next().is_none().then_some(first)
}

/// `@@ -_,old +_,new @@`
fn counts(line: &str) -> Option<(usize, usize)> {
    let (old, new) = line.strip_prefix("@@ -")?.strip_suffix(" @@")?.split_once(" +")?;
    let count = |text: &str| text.split_once(',')?.1.parse().ok();
    Some((count(old)?, count(new)?))
}
