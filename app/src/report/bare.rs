//! Patches that are right but for what stands around them or twice in them, put right. Nothing comes out of here that
//! does not read as a patch, and nothing that the text only quotes: a marker counts where it is a whole line, never
//! behind the blank of a context line.

use patchwright_core::conventions::Conventions;
use patchwright_core::dialect::patch::read;
use patchwright_core::dialect::unified::is_diff;

const BEGIN: &str = "*** Begin Patch";
const END: &str = "*** End Patch";

/// The patch without a fence, words, blanks or a wrapping around it. Nothing if it is bare already, or if there is more
/// than one reading.
pub(super) fn bare(patch: &str, conventions: Conventions) -> Option<String> {
    if is_diff(patch) && !patch.lines().any(is_command) {
        return None;
    }
    let found = diff(patch).or_else(|| envelope(patch))?;
    (found.trim_end() != patch.trim_end() && read(&found, conventions).is_ok()).then_some(found)
}

/// The envelope in a text, between its only two markers.
fn envelope(patch: &str) -> Option<String> {
    let lines = outdented(patch).or_else(|| unpadded(patch)).unwrap_or_else(|| patch.lines().collect());
    let marks = |mark: &'static str| {
        lines.iter().enumerate().filter(move |(_, line)| line.trim_end() == mark).map(|(at, _)| at)
    };
    let (mut begins, mut ends) = (marks(BEGIN), marks(END));
    let (Some(begin), None, Some(end), None) = (begins.next(), begins.next(), ends.next(), ends.next()) else {
        return None;
    };
    // Words may stand around it, but no patch: that would be cut off.
    let around = lines.iter().take(begin).chain(lines.iter().skip(end + 1));
    let is_patch = |line: &&str| ["--- ", "+++ ", "@@", "diff ", "*** "].iter().any(|word| line.starts_with(word));
    if around.copied().any(|line| is_patch(&line)) {
        return None;
    }
    let inner = lines.get(begin + 1..end)?;
    Some(format!("{BEGIN}\n{}\n{END}\n", inner.join("\n")))
}

/// Its lines, where the first and the last are the two markers with the same blanks before them. (One padded marker alone
/// may be a context line of a patch that was cut off.)
fn unpadded(patch: &str) -> Option<Vec<&str>> {
    let patch = patch.trim_matches('\n').trim_end();
    let begin = patch.lines().next()?.trim_end();
    let end = patch.lines().next_back()?;
    let padding = begin.strip_suffix(BEGIN).filter(|padding| !padding.is_empty() && padding.trim().is_empty())?;
    let inner = patch.get(begin.len()..patch.len().checked_sub(end.len())?)?;
    (end.strip_prefix(padding) == Some(END))
        .then(|| [BEGIN].into_iter().chain(inner.lines().skip(1)).chain([END]).collect())
}

/// Its lines without the blanks that all of them begin with, if they do.
fn outdented(patch: &str) -> Option<Vec<&str>> {
    let blanks = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let all = patch.lines().filter(|line| !line.trim().is_empty()).map(blanks).min().unwrap_or_default();
    (all > 0).then(|| patch.lines().map(|line| line.get(all..).unwrap_or_default()).collect())
}

/// The diff in a text that is nothing else: in a fence, in the markers of an envelope, below blank lines, with the
/// command lines of `diff -r` in it.
fn diff(patch: &str) -> Option<String> {
    let mut lines: Vec<&str> = patch.split_inclusive('\n').collect();
    trim(&mut lines);
    let fenced = lines.first().is_some_and(|line| line.starts_with("```"))
        && lines.last().is_some_and(|line| line.trim_end() == "```");
    if fenced {
        lines = lines.get(1..lines.len() - 1)?.to_vec();
        trim(&mut lines);
    }
    if lines.first().is_some_and(|line| line.trim_end() == BEGIN) {
        let wrapped = lines.last().is_some_and(|line| line.trim_end() == END);
        lines = lines.get(1..lines.len() - 1).filter(|_| wrapped)?.to_vec();
        trim(&mut lines);
    }
    let below = lines.iter().skip(1).map(|line| line.starts_with("--- ")).chain([false]);
    let kept = lines.iter().zip(below).filter(|(line, named)| !(is_command(line) && *named));
    let mut found: String = kept.map(|(line, _)| *line).collect();
    if !found.ends_with('\n') {
        found.push('\n');
    }
    is_diff(&found).then_some(found)
}

/// Is this the line that `diff -r` writes above the names of a file? No line of a hunk begins so.
fn is_command(line: &str) -> bool {
    line.starts_with("diff -") && !line.starts_with("diff --")
}

/// Leaves out empty lines around.
fn trim(lines: &mut Vec<&str>) {
    while lines.last().is_some_and(|line| line.trim().is_empty()) {
        lines.pop();
    }
    let blank = lines.iter().take_while(|line| line.trim().is_empty()).count();
    lines.drain(..blank);
}

/// The 1-based line of the first two names as in a diff (`---`, `+++`) right below the header of the same file, where
/// they are read as lines of that file; and the patch without all such.
pub(super) fn named_twice(patch: &str, at: usize) -> Option<(usize, String)> {
    let lines: Vec<&str> = patch.split_inclusive('\n').collect();
    let text = |at: usize| lines.get(at).map(|line| line.trim_end());
    let twice = |at: usize| {
        let path = text(at.checked_sub(1)?)?.strip_prefix("*** Update File: ")?;
        let name = |at: usize, sign: &str, prefix: &str| {
            let name = text(at)?.strip_prefix(sign)?.split('\t').next()?;
            (name == path || name.strip_prefix(prefix) == Some(path)).then_some(())
        };
        name(at, "--- ", "a/").and(name(at + 1, "+++ ", "b/"))?;
        text(at + 2)?.starts_with("@@").then_some(())
    };
    let first = at.checked_sub(1).filter(|at| twice(*at).is_some())?;
    let out = |at: &usize| twice(*at).is_some() || at.checked_sub(1).is_some_and(|above| twice(above).is_some());
    let kept: String = (0..lines.len()).filter(|at| !out(at)).filter_map(|at| lines.get(at).copied()).collect();
    Some((first + 1, kept))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(patch: &str, want: Option<&str>) {
        assert_eq!(bare(patch, Conventions::Strict).as_deref(), want, "{patch}");
    }

    const PATCH: &str = "*** Begin Patch\n*** Delete File: x\n*** End Patch\n";
    const DIFF: &str = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";

    #[test]
    fn what_stands_around() {
        check(PATCH, None);
        check(&format!("```\n{PATCH}```\n"), Some(PATCH));
        check(&format!("Here it is:\n\n{PATCH}That was it.\n"), Some(PATCH));
        check("*** Begin Patch \n*** Delete File: x\n*** End Patch\n", Some(PATCH));
        check("  *** Begin Patch\n  *** Delete File: x\n  *** End Patch\n", Some(PATCH));
        check("  *** Begin Patch\n*** Delete File: x\n  *** End Patch\n", Some(PATCH));
        check("*** Begin Patch\n*** Delete File: x\n  *** End Patch\n", None);
        check(DIFF, None);
        for around in [
            format!("\n{DIFF}"),
            format!("```diff\n{DIFF}```"),
            format!("\n```\n\n{DIFF}\n```\n\n"),
            format!("diff -ru a/x b/x\n{DIFF}"),
            format!("*** Begin Patch\n{DIFF}*** End Patch\n"),
            format!("```\n*** Begin Patch\n{DIFF}*** End Patch\n```"),
        ] {
            check(&around, Some(DIFF));
        }
        let other = DIFF.replace('x', "y");
        check(&format!("{DIFF}diff -ruN a/y b/y\n{other}"), Some(&format!("{DIFF}{other}")));
    }

    #[test]
    fn what_is_quoted_is_no_patch() {
        let quoted = " *** Begin Patch\n *** Delete File: README.md\n *** End Patch\n";
        check(&format!("--- a/d\n+++ b/d\n@@ -1,9 +1,9 @@\n-a\n+b\n{quoted}"), None);
        check(&format!("```diff\n--- a/d\n+++ b/d\n@@ -1,9 +1,9 @@\n-a\n+b\n{quoted}```\n"), None);
        check(&format!("diff -u a/d b/d\n--- a/d\n+++ b/d\n@@ -1,9 +1,9 @@\n-a\n+b\n{quoted}"), None);
        check(&format!("\n@@ -1,9 +1,9 @@\n-a\n+b\n{quoted}"), None);
        // Signs were forgotten: these lines are still not its own.
        let unsigned = quoted.replace("\n ", "\n");
        check(&format!("--- a/d\n+++ b/d\n@@ -1,9 +1,9 @@\n-a\n+b\n{}", unsigned.trim_start()), None);
        check(&format!("```\n--- a/d\n+++ b/d\n@@ -1,9 +1,9 @@\n-a\n+b\n{}```", unsigned.trim_start()), None);
        check(&format!("{PATCH}{PATCH}"), None);
        // What cannot be read is not offered.
        check("```\n*** Begin Patch\nnonsense\n*** End Patch\n```\n", None);
        check(&format!("```diff\n{}```", DIFF.replace("-1 ", "-1,2 ")), None);
        check(&format!("diff -ru a/x b/x\nOnly in b: y\n{DIFF}"), None);
    }

    #[test]
    fn names_below_a_header() {
        let head = "*** Begin Patch\n*** Update File: x\n";
        let body = "@@ -1 +1 @@\n-a\n+b\n*** End Patch\n";
        let check = |names: &str, want: bool| {
            let found = named_twice(&format!("{head}{names}{body}"), 3);
            assert_eq!(found, want.then(|| (3, format!("{head}{body}"))), "{names}");
        };
        check("--- a/x\n+++ b/x\n", true);
        check("--- x\t2024\n+++ x\n", true);
        check("--- a/x\n+++ b/y\n", false);
        check("--- sql\n+++ sql\n", false);
        check("--- a/x\n", false);
        check("", false);
        assert_eq!(named_twice("", 0), None);
    }
}
