//! Diffs as people read them: the changes are named in the heads of the hunks, where programs that apply diffs skip them.

use super::super::terminal::label;
use super::counts::Counts;
use super::view::{Role, View};
use patchwright_core::outcome::{ChangeLines, ChangeView, FilePatchView, Operation};

/// Files with their hunks: a line with name and counts, then the hunks.
pub fn files(files: &[FilePatchView], view: &View) -> String {
    files.iter().map(|file| format!("{}\n{}", heading(file, view), hunks(file, view))).collect()
}

/// A file's line: `crates/core/haystack.rs  +2 -1`.
pub(super) fn heading(file: &FilePatchView, view: &View) -> String {
    let name = view.paint(Role::Strong, &named(file, view));
    let what = match file.operation {
        Operation::Create | Operation::Restore => "  new",
        Operation::Delete => "  deleted",
        Operation::Update | Operation::Move => "",
    };
    let said = file.label.as_deref().map(|said| format!("  {}", label(said))).unwrap_or_default();
    format!("{name}{}{what}{said}", counts(file).behind(view))
}

/// The path, or both of a move.
pub(super) fn named(file: &FilePatchView, view: &View) -> String {
    match &file.to {
        Some(to) => format!("{} -> {}", view.path(&file.path), view.path(to)),
        None => view.path(&file.path),
    }
}

pub(super) fn counts(file: &FilePatchView) -> Counts {
    let sum = |side: fn(&ChangeView) -> &ChangeLines| {
        file.changes.iter().map(|change| u64::try_from(side(change).count).unwrap_or(u64::MAX)).sum()
    };
    Counts::new(sum(|change| &change.after), sum(|change| &change.before))
}

/// The hunks of a file, without the names of its two sides.
pub(super) fn hunks(file: &FilePatchView, view: &View) -> String {
    let body: String = lines_of(file).filter(|line| !is_name(line)).map(|line| painted(&line, view)).collect();
    body + if file.diff_cut { "… cut here: patchwright diff shows all of it\n" } else { "" }
}

/// A whole diff, the names of both sides included.
pub(super) fn bare(diff: &str, file: &FilePatchView, view: &View) -> String {
    with_names(diff, file).map(|line| painted(&line, view)).collect()
}

/// A diff in colours, as it is.
pub fn coloured(diff: &str, view: &View) -> String {
    diff.lines().map(|line| painted(line, view)).collect()
}

fn is_name(line: &str) -> bool {
    line.starts_with("--- ") || line.starts_with("+++ ")
}

fn lines_of(file: &FilePatchView) -> impl Iterator<Item = String> + '_ {
    with_names(&file.diff, file)
}

fn with_names<'a>(diff: &'a str, file: &'a FilePatchView) -> impl Iterator<Item = String> + 'a {
    let mut in_hunk = Left::default();
    diff.lines().map(move |line| {
        if in_hunk.takes(line) {
            return line.to_owned();
        }
        match head(line) {
            None => line.to_owned(),
            Some(spans) => {
                in_hunk = Left { old: spans.old.1, new: spans.new.1 };
                match names(file, &spans) {
                    words if words.is_empty() => line.to_owned(),
                    words => format!("{} {words}", line.trim_end()),
                }
            }
        }
    })
}

/// How many lines of a hunk are still to come.
#[derive(Clone, Copy, Default)]
struct Left {
    old: usize,
    new: usize,
}

impl Left {
    /// Is it a line of the hunk?
    fn takes(&mut self, line: &str) -> bool {
        if self.old == 0 && self.new == 0 {
            return false;
        }
        let (old, new) = match line.as_bytes().first() {
            Some(b'-') => (1, 0),
            Some(b'+') => (0, 1),
            Some(b'\\') => (0, 0),
            _ => (1, 1),
        };
        (self.old, self.new) = (self.old.saturating_sub(old), self.new.saturating_sub(new));
        true
    }
}

/// Where a hunk is, first line and count, before and after.
struct Spans {
    old: (usize, usize),
    new: (usize, usize),
}

fn head(line: &str) -> Option<Spans> {
    let (old, rest) = line.strip_prefix("@@ -")?.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    Some(Spans { old: span(old)?, new: span(new)? })
}

fn span(text: &str) -> Option<(usize, usize)> {
    match text.split_once(',') {
        Some((first, count)) => Some((first.parse().ok()?, count.parse().ok()?)),
        None => Some((text.parse().ok()?, 1)),
    }
}

/// The changes of a hunk, each with what was said of it: `b4.1 Shorter first line; b4.2`.
fn names(file: &FilePatchView, spans: &Spans) -> String {
    let within = |lines: &ChangeLines, (first, count): (usize, usize)| {
        lines.count > 0 && lines.first >= first && lines.first < first.saturating_add(count)
    };
    let here = |change: &&ChangeView| within(&change.after, spans.new) || within(&change.before, spans.old);
    let changes: Vec<&ChangeView> = file.changes.iter().filter(|change| change.name.is_short()).filter(here).collect();
    let place = |change: &ChangeView| match changes.len() {
        ..2 => String::new(),
        _ if change.after.count > 0 => format!(" (line {})", change.after.first),
        _ => format!(" (line {} before)", change.before.first),
    };
    let words = |change: &&ChangeView| match &change.description {
        Some(said) => format!("{}{} {}", change.name, place(change), label(said)),
        None => format!("{}{}", change.name, place(change)),
    };
    changes.iter().map(words).collect::<Vec<_>>().join("; ")
}

fn painted(line: &str, view: &View) -> String {
    let shown = view.content(line);
    let shown = match line.as_bytes().first() {
        Some(b'+') => view.paint(Role::Good, &shown),
        Some(b'-') => view.paint(Role::Bad, &shown),
        Some(b'@') => view.paint(Role::Name, &shown),
        _ => shown,
    };
    format!("{shown}\n")
}
