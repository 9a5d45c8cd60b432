//! Envelopes with the Codex conventions, word for word: each hunk stands once in the block that its header names.

use super::super::scopes::block;
use super::super::text::Text;
use super::diff::{only, sided};

/// The text after an envelope of one update; nothing where it does not fit.
pub(super) fn patched(patch: &str, disk: &Text) -> Option<Text> {
    let given: Vec<&str> = patch.split_terminator('\n').collect();
    let (begin, rest) = given.split_first()?;
    let (update, rest) = rest.split_first()?;
    let (end, hunks) = rest.split_last()?;
    if *begin != "*** Begin Patch" || !update.starts_with("*** Update File: ") || *end != "*** End Patch" {
        return None;
    }
    let mut lines = disk.lines.clone();
    for hunk in hunks.chunk_by(|_, next| !next.starts_with("@@")) {
        let (head, body) = hunk.split_first()?;
        let scope = block(&lines, head.strip_prefix("@@ ")?)?;
        let (mut old, mut new) = (Vec::new(), Vec::new());
        // Empty lines at the end of a hunk belong to nothing.
        let filled = body.iter().rposition(|line| !line.is_empty()).map_or(1, |last| last + 1);
        for line in body.get(..filled)? {
            sided(line, &mut old, &mut new)?;
        }
        if old.is_empty() {
            lines.extend(new);
            continue;
        }
        let at = scope.start + only(lines.get(scope)?, &old)?;
        drop(lines.splice(at..at + old.len(), new));
    }
    Some(disk.with(lines))
}
