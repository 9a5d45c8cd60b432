//! Who wrote the lines that a proposal does not find as it was made for them.

use super::Job;
use crate::trail::{Known, Met, Step, Trail};
use patchwright_core::history::Span;
use patchwright_core::path::RelPath;
use patchwright_store::records::Commit;

/// At most this many commits are looked through.
const MOST: usize = 256;

impl Job<'_> {
    /// By stretch of a file, who wrote the first line there that is not as the proposal was made for.
    pub(super) fn line_authors(
        &self,
        at: &RelPath,
        from: Known<'_>,
        now: Known<'_>,
        stretches: &[(Span, Span)],
    ) -> Vec<Met> {
        let Some(commits) = self.commits_since(at) else { return stretches.iter().map(|_| Met::default()).collect() };
        let files = commits.iter().flat_map(|commit| commit.files.iter().map(move |file| (commit, file)));
        let steps = files.filter_map(|(commit, file)| Step::of_name(commit, file, at)).collect();
        let trail = Trail::new(self.past, from, now, steps, &[]);
        stretches.iter().map(|(was, is)| trail.different(*was, *is)).collect()
    }

    /// What was done to a file since it was proposed to change it; nothing if that is too much, or cannot be read.
    fn commits_since(&self, at: &RelPath) -> Option<Vec<Commit>> {
        let touches = self.past.index.touching(at.as_str(), self.seq).ok()?;
        if touches.len() > MOST {
            return None;
        }
        touches.iter().map(|touch| self.past.commit_at(touch.place).ok().flatten()).collect()
    }
}
