//! `.editorconfig`, as far as line ends go: `end_of_line`.
//!
//! The nearest file that says something wins, up to one with `root = true`; in a file, the last section that matches.

use super::glob::{Compiled, Pattern, braces};
use super::{Told, below, lines};
use crate::path::RelPath;
use crate::text::Terminator;

pub(super) fn say<'t>(path: &RelPath, folders: impl DoubleEndedIterator<Item = &'t Told>) -> Option<Terminator> {
    for told in folders.rev() {
        let (Some(text), Some(path)) = (&told.editor, below(path, &told.folder)) else { continue };
        let (said, root) = read(text, path, &told.compiled);
        if let Some(word) = said {
            return match word.to_ascii_lowercase().as_str() {
                "lf" => Some(Terminator::Lf),
                "crlf" => Some(Terminator::CrLf),
                _ => None,
            };
        }
        if root == Root::Yes {
            return None;
        }
    }
    None
}

/// Whether files above count no more.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Root {
    Yes,
    No,
}

/// What a file says of a path below its folder.
fn read<'t>(text: &'t str, path: &str, compiled: &Compiled) -> (Option<&'t str>, Root) {
    let (mut said, mut root) = (None, Root::No);
    // Before the first section; then whether the present one is about the path.
    let mut section: Option<bool> = None;
    for line in lines(text).filter(|line| !line.starts_with(['#', ';'])) {
        if let Some(glob) = line.strip_prefix('[') {
            let glob = glob.rfind(']').and_then(|end| glob.get(..end));
            section = Some(glob.is_some_and(|glob| is_about(glob, path, compiled)));
            continue;
        }
        let Some((key, value)) = line.split_once('=') else { continue };
        let (key, value) = (key.trim(), without_comment(value));
        if section.is_none() && key.eq_ignore_ascii_case("root") && value.eq_ignore_ascii_case("true") {
            root = Root::Yes;
        }
        if section == Some(true) && key.eq_ignore_ascii_case("end_of_line") {
            said = Some(value);
        }
    }
    (said, root)
}

fn is_about(glob: &str, path: &str, compiled: &Compiled) -> bool {
    braces(glob).is_some_and(|glob| Pattern::of(&glob).matches(path, compiled))
}

fn without_comment(value: &str) -> &str {
    let comment = value
        .char_indices()
        .zip(value.chars().skip(1))
        .find(|((_, before), mark)| before.is_whitespace() && matches!(mark, '#' | ';'));
    comment.and_then(|((at, _), _)| value.get(..at)).unwrap_or(value).trim()
}
