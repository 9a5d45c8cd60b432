//! Hunks of several sections about one file: each section is looked for in the file as the earlier ones left it.
//!
//! Promises that what comes out is told of the file as it is on disk, not of a text between two sections; and that a
//! hunk whose lines an earlier section changed is refused for that.

use super::overlap::changed;
use super::place::old_lines;
use super::roll::{READ_MAX, Way};
use super::{Target, patch_by};
use crate::intent::Hunk;
use crate::path::RelPath;
use crate::plan::edits::Edited;
use crate::plan::snapshot::SnapshotFile;
use crate::refusal::{HunkRef, Misfit, Refusal, Why};
use crate::text::Document;
use crate::text::encoding::Charset;
use std::sync::Arc;

/// Up to so many hunks the text is looked through for each, which needs no preparation.
const FEW: usize = 8;

/// Applies hunks. Those of several sections are taken section by section.
pub(in super::super) fn patch(
    path: &RelPath,
    file: &SnapshotFile,
    hunks: &[Hunk],
    charset: Option<Charset>,
) -> Result<Edited, Refusal> {
    let mut sections = hunks.chunk_by(|one, two| one.section == two.section);
    let mut left = READ_MAX;
    let target = Target { path, file, charset };
    let first = section(target, sections.next().unwrap_or_default(), &mut left)?;
    sections
        .try_fold(first, |before, hunks| {
            let edited = section(Target { file: &holding(file, &before), ..target }, hunks, &mut left)?;
            let mut warnings = before.warnings;
            warnings
                .extend(edited.warnings.into_iter().filter(|warning| !warnings.contains(warning)).collect::<Vec<_>>());
            // What is left of each hunk cannot be told apart; the record shows what changed in all. The pieces are those of
            // a text that is on no disk: nobody may take them for an edit of the file.
            Ok(Edited { bytes: edited.bytes.whole().into_owned().into(), changes: Vec::new(), warnings })
        })
        .map_err(|refusal| overlapping(target, hunks, &refusal).unwrap_or(refusal))
}

fn section(target: Target<'_>, hunks: &[Hunk], left: &mut usize) -> Result<Edited, Refusal> {
    let way = if hunks.len() > FEW { Way::Indexed } else { Way::Through };
    patch_by(way, target, hunks, left)
}

/// The file with what an earlier section made of it.
fn holding(file: &SnapshotFile, edited: &Edited) -> SnapshotFile {
    SnapshotFile { bytes: Some(Arc::new(edited.bytes.whole().into_owned())), ..file.clone() }
}

/// The refusal of a hunk whose lines stood in the file until an earlier section changed them.
fn overlapping(target: Target<'_>, hunks: &[Hunk], refusal: &Refusal) -> Option<Refusal> {
    let Target { path, file, charset } = target;
    let Why::HunkMisfit { hunk, misfit: Misfit::Nowhere { .. } } = &refusal.why else { return None };
    let lost = hunks.iter().find(|known| known.at == hunk.at)?;
    let earlier = hunks.chunk_by(|one, two| one.section == two.section);
    let (mut file, mut left, mut found) = (file.clone(), READ_MAX, None);
    for hunks in earlier.take_while(|hunks| hunks.first().is_some_and(|first| first.section < lost.section)) {
        let raw = file.bytes.clone().unwrap_or_default();
        let document = Document::open(&raw[..], charset).ok()?;
        let overlap = changed(path.as_str(), document.text(), hunks, &old_lines(lost));
        let named = |index: usize| HunkRef { index, at: hunks.get(index).map_or(0, |hunk| hunk.at) };
        found = overlap.map(|overlap| (named(overlap.earlier), overlap.line)).or(found);
        file = holding(&file, &section(Target { file: &file, ..target }, hunks, &mut left).ok()?);
    }
    let (earlier, line) = found?;
    Some(Refusal::at(path, Why::HunkOverlap { hunk: *hunk, earlier, line }))
}
