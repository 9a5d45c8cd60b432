//! Diffs of two random trees, as git and as we ourselves print them.

use crate::bench::{Bench, Tree};
use crate::story::Story;
use patchwright_engine::core::diff::{DIFF_LIMIT, unified};
use patchwright_engine::core::intent::Parents;
use patchwright_engine::core::outcome::Trouble;
use patchwright_engine::core::refusal::{Grammar, HunkRef, Misfit, Refusal, Unread, Why};
use patchwright_testkit::reference::Files;
use patchwright_testkit::tree::{Item, Tree as Disk};
use proptest::prelude::*;
use proptest::sample::select;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// How git is asked.
#[derive(Clone, Debug)]
pub(crate) struct Style {
    context: &'static str,
    renames: &'static str,
    prefix: Option<&'static str>,
    quoted: &'static str,
}

pub(crate) fn style() -> impl Strategy<Value = Style> {
    let context = select(&["-U3", "-U2", "-U1", "-U0"][..]);
    let renames = select(&["--no-renames", "--find-renames=30%"][..]);
    let prefix = select(&[None, Some("--no-prefix")][..]);
    let quoted = select(&["core.quotePath=true", "core.quotePath=false"][..]);
    (context, renames, prefix, quoted).prop_map(|(context, renames, prefix, quoted)| Style {
        context,
        renames,
        prefix,
        quoted,
    })
}

/// What became of a diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Applied,
    Refused,
    /// There is none that a call could hold.
    None,
}

/// git's diff makes the tree that it was made of, or is refused for a reason that can be seen in it.
pub(crate) fn by_git(story: &Story, style: &Style) -> End {
    let Some((_, wanted)) = story.envelope() else { return End::None };
    let before = story.before();
    let Ok(diff) = String::from_utf8(between(&before, &wanted, style)) else { return End::None };
    applied((&before, &wanted), &diff)
}

/// The same of the diffs that our answers show, file by file.
pub(crate) fn by_us(story: &Story) -> End {
    let Some((_, all)) = story.envelope() else { return End::None };
    let before = story.before();
    let mut wanted = before.clone();
    let names: BTreeSet<&String> = before.keys().chain(all.keys()).collect();
    let mut diff = String::new();
    for name in names {
        let (old, new) = (before.get(name), all.get(name));
        let bytes = |file: Option<&crate::bench::Held>| file.map(|file| file.bytes.clone()).unwrap_or_default();
        let (old_bytes, new_bytes) = (bytes(old), bytes(new));
        // It is for reading: it shows neither such bytes nor which of two line ends a line has.
        let shown = |bytes: &[u8]| std::str::from_utf8(bytes).is_ok() && !bytes.contains(&b'\r');
        // And of an empty file it shows nothing at all.
        let empty = (old.is_none() || new.is_none()) && old_bytes == new_bytes;
        if !shown(&old_bytes) || !shown(&new_bytes) || empty {
            continue;
        }
        match new {
            Some(file) => drop(wanted.insert(name.clone(), file.clone())),
            None => drop(wanted.remove(name)),
        }
        let side = |letter: &str, file: Option<_>| match file {
            Some(_) => format!("{letter}/{name}"),
            None => "/dev/null".to_owned(),
        };
        let one = unified(&side("a", old), &side("b", new), &old_bytes, &new_bytes, DIFF_LIMIT);
        diff.push_str(&one.text);
    }
    applied((&before, &wanted), &diff)
}

fn applied((before, wanted): (&Tree, &Tree), diff: &str) -> End {
    if diff.is_empty() {
        return End::None;
    }
    let bench = Bench::with(before);
    let bytes = |tree: &Tree| tree.iter().map(|(path, file)| (path.clone(), file.bytes.clone())).collect::<Files>();
    match bench.apply(diff, Parents::Create) {
        Ok(_) => {
            assert_eq!(bench.files(), bytes(wanted), "{diff}");
            End::Applied
        }
        Err(Trouble::Refused(refusal)) => {
            assert!(justified(&refusal, (before, wanted), diff), "{:?}\n{before:?}\n{diff}", refusal.why);
            assert_eq!(bench.files(), bytes(before), "{diff}");
            End::Refused
        }
        Err(trouble) => panic!("{trouble:?}\n{diff}"),
    }
}

/// Can it be seen that the diff could not be applied?
fn justified(refusal: &Refusal, (before, wanted): (&Tree, &Tree), diff: &str) -> bool {
    let has = |start: &str| diff.lines().any(|line| line.starts_with(start));
    match &refusal.why {
        Why::Syntax(syntax) => match syntax.expected {
            Grammar::DiffWithout(Unread::Mode) => has("old mode"),
            Grammar::DiffWithout(Unread::NewMode) => has("new file mode 100755"),
            Grammar::DiffWithout(Unread::Binary) => has("Binary files"),
            Grammar::DiffLineEnds => diff.contains('\r'),
            _ => false,
        },
        Why::HunkMany { hunk, .. } => {
            let old = old_lines(diff, *hunk);
            let trees = [before, wanted].into_iter().flat_map(|tree| tree.values());
            trees.map(|file| count(&String::from_utf8_lossy(&file.bytes), &old)).sum::<usize>() > 1
        }
        // A mark alone is an empty text to us, and a line to git. A diff that only brings or takes a mark fits nowhere.
        Why::HunkMisfit { hunk, misfit: Misfit::Nowhere { .. } } => {
            let path = refusal.path.as_deref().unwrap_or_default();
            let files = [before.get(path), wanted.get(path)].into_iter().flatten();
            let empty = |bytes: &[u8]| bytes.is_empty() || bytes == "\u{feff}".as_bytes();
            files.map(|file| file.bytes.as_slice()).any(empty) || one_sided_mark(diff, *hunk)
        }
        Why::HunkBare { hunk } => old_lines(diff, *hunk).is_empty(),
        _ => false,
    }
}

/// The lines that a hunk looks for; `at` is that of its first line or of its header.
fn old_lines(diff: &str, hunk: HunkRef) -> Vec<&str> {
    side(diff, hunk, '-')
}

/// The lines of a hunk's old side (`-`) or of its new one (`+`), without their signs.
fn side(diff: &str, hunk: HunkRef, sign: char) -> Vec<&str> {
    let rest = diff.split('\n').skip(hunk.at.saturating_sub(1)).skip_while(|line| line.starts_with("@@ "));
    let own = rest.take_while(|line| line.starts_with([' ', '-', '+', '\\']) && !line.starts_with("--- "));
    own.filter(|line| line.starts_with([' ', sign])).map(|line| line[1..].trim_end_matches('\r')).collect()
}

/// Does a byte-order mark stand before the first line of one side of a hunk, and not of the other?
fn one_sided_mark(diff: &str, hunk: HunkRef) -> bool {
    let marked = |sign| side(diff, hunk, sign).first().is_some_and(|line| line.starts_with('\u{feff}'));
    marked('-') != marked('+')
}

fn count(text: &str, wanted: &[&str]) -> usize {
    let text = text.trim_start_matches('\u{feff}');
    let wanted: Vec<&str> = wanted.iter().map(|line| line.trim_start_matches('\u{feff}')).collect();
    let lines: Vec<&str> = text.lines().collect();
    lines.windows(wanted.len().max(1)).filter(|part| *part == wanted).count()
}

/// git's diff of two trees.
fn between(before: &Tree, after: &Tree, style: &Style) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    git(folder.path(), &["init", "--quiet"]);
    let mut trees = Vec::new();
    for tree in [before, after] {
        let work = tempfile::tempdir().unwrap();
        let mut disk = Disk::default();
        for (path, file) in tree {
            let mode = file.mode.unwrap_or(0o644);
            disk.items.insert(path.clone(), Item::File { bytes: file.bytes.clone(), mode });
        }
        disk.write(work.path()).unwrap();
        let place = format!("--work-tree={}", work.path().display());
        git(folder.path(), &["--git-dir=.git", &place, "-c", "core.autocrlf=false", "add", "--all", "--force"]);
        let name = String::from_utf8(git(folder.path(), &["write-tree"])).unwrap();
        trees.push(name.trim().to_owned());
    }
    let mut asked = vec!["-c", style.quoted, "diff", style.context, style.renames];
    asked.extend(style.prefix);
    asked.extend(trees.iter().map(String::as_str));
    git(folder.path(), &asked)
}

/// Runs git with nobody's settings. What it said.
fn git(folder: &Path, args: &[&str]) -> Vec<u8> {
    let mut command = Command::new("git");
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_")) {
        command.env_remove(name);
    }
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    let ran = command.current_dir(folder).args(args).output().unwrap();
    assert!(ran.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&ran.stderr));
    ran.stdout
}
