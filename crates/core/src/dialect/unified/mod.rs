//! Unified diffs, as `git diff` and `diff -u` write them, read into what their sections want.
//!
//! ```text
//! diff    = file+ ;
//! file    = ( "diff --git ", old, " ", new, said* )?, ( "--- ", name, "+++ ", name, hunk* )?, blank* ;
//! said    = "rename from ", name | "rename to ", name | "new file mode 100644" | "deleted file mode ", mode
//!         | "similarity index ", text | "dissimilarity index ", text | "index ", text ;
//! hunk    = "@@ -", start, ( ",", count )?, " +", start, ( ",", count )?, " @@", text, line* ;
//! line    = ( " " | "-" | "+" ), text | empty | "\ No newline at end of file" ;
//! ```
//!
//! Promises linear time, that counts are checked, that where a hunk stands is never told by its numbers, and that
//! whatever a diff may say besides is refused, never passed over. Leaves paths and files to others, as `envelope` does.

mod ends;
mod file;
mod hunk;
mod lines;
mod name;
mod said;
mod time;

use super::envelope::{Noted, Reading};
use super::wanted::Wanted;
use crate::refusal::{Grammar, Refusal};
use file::File;
use lines::Lines;
use name::{Fits, Style};

/// Does a patch begin as a unified diff?
pub fn is_diff(text: &str) -> bool {
    text.starts_with("diff --git ") || text.starts_with("--- ")
}

/// Refuses the section at a line, because `a/` or `b/` before its name may be a folder.
pub fn two_readings(text: &str, line: usize) -> Refusal {
    Lines::of(text).fault_at(line, Grammar::DiffPrefixes)
}

/// What each file of a diff wants, and what was read kindly; or on which line it is no diff.
///
/// ```
/// use patchwright_core::dialect::unified::read;
/// let (wanted, _) = read("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n").unwrap();
/// assert_eq!((wanted[0].path.as_str(), wanted[0].hunks.len()), ("x", 1));
/// ```
pub fn read(text: &str) -> Result<(Vec<Wanted>, Vec<Noted>), Refusal> {
    let mut lines = Lines::of(text);
    lines.notes.add(Reading::UnifiedDiff, 1);
    let mut files = Vec::new();
    while lines.peek().is_some() {
        files.push(file::read(&mut lines)?);
        lines.skip_blanks();
    }
    let fits: Vec<Fits> = files.iter().map(File::fits).collect();
    let style = common_style(&fits);
    let wanted = files.into_iter().zip(fits).map(|(file, fits)| file.wanted(&lines, fits, style));
    let wanted = wanted.collect::<Result<Vec<Wanted>, Refusal>>()?;
    Ok((wanted, lines.notes.into_sorted()))
}

/// The style of names that every file shows which shows one; nothing where none does, or they differ.
fn common_style(fits: &[Fits]) -> Option<Style> {
    let mut shown = fits.iter().filter_map(|fits| fits.only());
    let first = shown.next()?;
    shown.all(|style| style == first).then_some(first)
}
