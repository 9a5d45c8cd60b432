//! Trees with a patch for them, for counting and measuring: many small files, or one large one.
//!
//! Each patch is at hand as an envelope and as a unified diff, so that every program does the same work; and
//! [`Task::check`] sees whether it did.

use crate::failure::Failure;
use std::fs;
use std::path::{Path, PathBuf};

/// How many files the tree of many has.
pub(crate) const MANY: usize = 1000;

/// Lines of a small file, and the one that changes.
const LINES: usize = 90;
const CHANGED: usize = 45;

/// How many lines of context a hunk has on either side.
const CONTEXT: usize = 3;

/// A tree, what is to become of it, and the patch that says so.
pub(crate) struct Task {
    files: Vec<Change>,
    /// The patch as an envelope.
    pub(crate) envelope: PathBuf,
    /// The patch as a unified diff.
    pub(crate) unified: PathBuf,
}

/// One file of a task.
struct Change {
    path: String,
    before: String,
    after: String,
}

impl Task {
    /// One hunk in each of a thousand files of about 4 KB, in fifty folders. The patches are written to `place`.
    pub(crate) fn many(place: &Path) -> Result<Task, Failure> {
        let mut patches = Patches::default();
        let files = (0..MANY).map(|number| {
            let path = format!("src/part{:02}/file{number:04}.txt", number % 50);
            let line = |at: usize| format!("line {at} of file {number}: some ordinary text here");
            patches.change(path, LINES, CHANGED, line)
        });
        let files = files.collect();
        patches.write(files, place, "many")
    }

    /// One hunk in the middle of a file of so many lines of 64 bytes.
    pub(crate) fn large(place: &Path, lines: usize) -> Result<Task, Failure> {
        let mut patches = Patches::default();
        let line = |at: usize| format!("{at:>12} a line of plain text, with its number, of 64 bytes");
        let files = vec![patches.change("large.txt".to_owned(), lines, lines / 2, line)];
        patches.write(files, place, "large")
    }

    /// Writes the tree as it is before, in a folder of its own.
    pub(crate) fn lay_out(&self, place: &Path) -> Result<(), Failure> {
        for Change { path, before, .. } in &self.files {
            let file = place.join(path);
            let fail = |error: std::io::Error| Failure::io(file.display(), &error);
            fs::create_dir_all(file.parent().unwrap_or(place)).map_err(fail)?;
            fs::write(&file, before).map_err(fail)?;
        }
        Ok(())
    }

    /// Fails if a file is not as the patch leaves it.
    pub(crate) fn check(&self, place: &Path) -> Result<(), Failure> {
        for Change { path, after, .. } in &self.files {
            let file = place.join(path);
            let found = fs::read(&file).map_err(|error| Failure::io(file.display(), &error))?;
            if found != after.as_bytes() {
                return Err(Failure::new(format!("{path} is not as the patch leaves it"), "apply the patch by hand"));
            }
        }
        Ok(())
    }

    /// Every file's path, and what becomes of it.
    pub(crate) fn results(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|change| (change.path.as_str(), change.after.as_str()))
    }

    /// How many bytes the tree has.
    pub(crate) fn bytes(&self) -> usize {
        self.files.iter().map(|change| change.before.len()).sum()
    }
}

/// The two patches, as they grow.
#[derive(Default)]
struct Patches {
    envelope: String,
    unified: String,
}

impl Patches {
    /// A file of `lines` lines, of which one changes; the patches get a hunk for it.
    fn change(&mut self, path: String, lines: usize, changed: usize, line: impl Fn(usize) -> String) -> Change {
        let old = line(changed);
        let new = format!("{old}, changed");
        let text = |middle: &str| {
            let all =
                (1..=lines).map(|at| if at == changed { format!("{middle}\n") } else { format!("{}\n", line(at)) });
            all.collect::<String>()
        };
        let (first, last) = (changed.saturating_sub(CONTEXT), changed.saturating_add(CONTEXT));
        let context = |range: std::ops::Range<usize>| range.map(|at| format!(" {}\n", line(at))).collect::<String>();
        let (above, below) = (context(first..changed), context(changed.saturating_add(1)..last.saturating_add(1)));
        let hunk = format!("{above}-{old}\n+{new}\n{below}");
        let count = CONTEXT.saturating_mul(2).saturating_add(1);
        self.envelope.push_str(&format!("*** Update File: {path}\n@@\n{hunk}"));
        self.unified.push_str(&format!("--- a/{path}\n+++ b/{path}\n@@ -{first},{count} +{first},{count} @@\n{hunk}"));
        Change { path, before: text(&old), after: text(&new) }
    }

    fn write(self, files: Vec<Change>, place: &Path, name: &str) -> Result<Task, Failure> {
        let (envelope, unified) = (place.join(format!("{name}.envelope")), place.join(format!("{name}.diff")));
        let text = format!("*** Begin Patch\n{}*** End Patch\n", self.envelope);
        fs::write(&envelope, text).map_err(|error| Failure::io(envelope.display(), &error))?;
        fs::write(&unified, self.unified).map_err(|error| Failure::io(unified.display(), &error))?;
        Ok(Task { files, envelope, unified })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_and_its_tree_belong_together() {
        let folder = tempfile::tempdir().unwrap();
        let task = Task::large(folder.path(), 9).unwrap();
        let envelope = fs::read_to_string(&task.envelope).unwrap();
        let unified = fs::read_to_string(&task.unified).unwrap();
        assert!(envelope.starts_with("*** Begin Patch\n*** Update File: large.txt\n@@\n "), "{envelope}");
        assert!(unified.contains("@@ -1,7 +1,7 @@\n "), "{unified}");
        let tree = folder.path().join("tree");
        task.lay_out(&tree).unwrap();
        assert!(task.check(&tree).is_err(), "it is not patched yet");
        for (path, after) in task.results() {
            fs::write(tree.join(path), after).unwrap();
        }
        task.check(&tree).unwrap();
    }

    #[test]
    fn a_line_of_the_large_file_has_64_bytes() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Task::large(folder.path(), 9).unwrap().bytes(), 9 * 64);
    }
}
