//! One edit tried: applied through the library, compared byte for byte, taken back, compared again.
//!
//! Promises that whatever is not as it must be is `Wrong`: the bytes, the modes, the hashes that were
//! answered, what a refusal leaves, and what the kept pre-images bring back.

use super::place;
use super::written::{Files, Written};
use crate::failure::Failure;
use crate::home;
use patchwright_engine::core::digest::Digest;
use patchwright_engine::core::intent::Parents;
use patchwright_engine::core::outcome::{Answer, Extent, Failed, Operation, Patched, PatchedFile, Reply, Trouble};
use patchwright_engine::core::policy::{Guarded, Protect, Settings};
use patchwright_engine::core::tool::{ApplyPatch, RestoreFile};
use patchwright_engine::{Durability, HomeAt, Options, Quiet, Session};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// What came of an edit.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// As it must be, there and back.
    Exact,
    /// Nothing of it can be said in an envelope.
    Nothing,
    /// Refused, and nothing changed.
    Refused(Refused),
    /// Not as it must be.
    Wrong(String),
}

/// Why an envelope was refused.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Refused {
    /// The kind, and the sort of fact behind it.
    pub(super) sort: String,
    /// All facts, shortened.
    pub(super) facts: String,
}

/// Tries an edit in an empty folder: the workspace is one below it, and its home beside that.
pub(super) fn attempt(written: &Written, folder: &Path) -> Result<Verdict, Failure> {
    let Some(patch) = &written.patch else { return Ok(Verdict::Nothing) };
    let root = &folder.join("tree");
    fs::create_dir_all(root).map_err(|error| Failure::io(root.display(), &error))?;
    place::write(root, &written.before)?;
    let workspace = Session::open(root, options(root)).map_err(|trouble| machine(&trouble))?;
    let ask = ApplyPatch { parents: Parents::Create, ..ApplyPatch::new(patch.clone()) };
    let reply = match workspace.apply_patch(&ask, &Quiet) {
        Ok(reply) => reply,
        Err(failed) => return refused(written, root, &failed),
    };
    let patched = match told(written, reply) {
        Ok(patched) => patched,
        Err(fault) => return Ok(Verdict::Wrong(fault)),
    };
    if let Some(fault) = place::difference(root, &written.after)? {
        return Ok(Verdict::Wrong(format!("applied: {fault}")));
    }
    if let Err(fault) = back(&workspace, root, &patched) {
        return Ok(Verdict::Wrong(format!("bringing back: {fault}")));
    }
    let fault = place::difference(root, &written.before)?;
    Ok(fault.map_or(Verdict::Exact, |fault| Verdict::Wrong(format!("brought back: {fault}"))))
}

/// Files that are secrets by their names are edited here as well: a history knows no policy.
fn options(root: &Path) -> Options {
    let protect = Protect { secrets: Guarded::No, git: Guarded::No, except: Vec::new() };
    let settings = Settings { protect, ..Settings::default() };
    let home = HomeAt::Folder(home::of(root));
    Options { durability: Durability::None, settings, home, ..Options::default() }
}

fn refused(written: &Written, root: &Path, failed: &Failed) -> Result<Verdict, Failure> {
    if let Some(fault) = place::difference(root, &written.before)? {
        return Ok(Verdict::Wrong(format!("refused, and yet {fault}")));
    }
    let refusal = match &failed.trouble {
        Trouble::Refused(refusal) => refusal,
        Trouble::Fault(_) => return Err(machine(&failed.trouble)),
    };
    let facts = format!("{:?}", refusal.why);
    let fact: String = facts.chars().take_while(|letter| letter.is_alphanumeric()).collect();
    let place = refusal.path.as_deref().unwrap_or("the patch");
    let facts = format!("{place}: {}", facts.chars().take(200).collect::<String>());
    Ok(Verdict::Refused(Refused { sort: format!("{} ({fact})", refusal.kind().name()), facts }))
}

fn machine(trouble: &Trouble) -> Failure {
    Failure::new(format!("{trouble:?}"), "look after the disk of the scratch folder")
}

/// The answer, if it says what was asked for.
fn told(written: &Written, reply: Reply) -> Result<Patched, String> {
    let Answer::Patched(patched) = reply.answer else { return Err("the answer is another tool's".to_owned()) };
    if patched.extent != Extent::Done || patched.hunks != written.hunks || patched.files.len() != written.sections {
        return Err(format!("answered {} hunks in {} files", patched.hunks, patched.files.len()));
    }
    for file in &patched.files {
        let same = |side: &Files, path: &str, digest: Option<Digest>| {
            side.get(path).map(|wanted| Digest::of(&wanted.bytes)) == digest
        };
        let new = file.to.as_deref().unwrap_or(&file.path);
        if !same(&written.before, &file.path, file.before) || !same(&written.after, new, file.after) {
            return Err(format!("answered hashes of {} that are not its own", file.path));
        }
    }
    Ok(patched)
}

/// Takes a patch back by what was kept of the files before.
fn back(workspace: &Session, root: &Path, patched: &Patched) -> Result<(), String> {
    let kept = Kept::of(root).map_err(|error| format!("the kept pre-images: {error}"))?;
    for file in patched.files.iter().rev() {
        take_back(workspace, root, &kept, file).map_err(|fault| format!("{}: {fault}", file.path))?;
    }
    Ok(())
}

fn take_back(workspace: &Session, root: &Path, kept: &Kept, file: &PatchedFile) -> Result<(), String> {
    let plain = |error: std::io::Error| error.to_string();
    match (file.operation, &file.to) {
        (Operation::Create, _) => place::clear(root, &file.path).map_err(plain),
        (Operation::Delete, _) => {
            let id = file.trash.as_deref().ok_or("is not in the trash")?;
            let restored = workspace.restore_file(&RestoreFile::new(id), &Quiet);
            restored.map(drop).map_err(|failed| format!("{:?}", failed.trouble))
        }
        (Operation::Move, Some(to)) => {
            kept.rewind(&root.join(to), file)?;
            place::rename(root, to, &file.path).map_err(plain)
        }
        _ => kept.rewind(&root.join(&file.path), file),
    }
}

/// The kept pre-images: their places by the hashes in their names.
struct Kept(BTreeMap<String, PathBuf>);

impl Kept {
    fn of(root: &Path) -> std::io::Result<Kept> {
        let mut places = BTreeMap::new();
        for shelf in patchwright_testkit::home::records(root).iter().map(|record| record.join("blobs")) {
            for blob in fs::read_dir(shelf)? {
                let blob = blob?;
                let hash: String = blob.file_name().to_string_lossy().chars().take(64).collect();
                places.insert(hash, blob.path());
            }
        }
        Ok(Kept(places))
    }

    /// Gives a file the bytes that were kept of it, where they were other ones.
    fn rewind(&self, place: &Path, file: &PatchedFile) -> Result<(), String> {
        let (Some(before), true) = (file.before, file.before != file.after) else { return Ok(()) };
        let blob = self.0.get(&before.to_string()).ok_or_else(|| format!("no pre-image {before}"))?;
        let bytes = fs::read(blob).map_err(|error| error.to_string())?;
        fs::write(place, bytes).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::super::edit::{Change, Edit, File, Mode};
    use super::*;

    fn file(text: &str) -> File {
        File { bytes: text.as_bytes().to_vec(), mode: Mode::Executable }
    }

    fn sample() -> Written {
        let changes = vec![
            Change::Add { path: "n/n/n".into(), after: file("new\n") },
            Change::Update { path: "u".into(), before: file("a\r\nb"), after: file("x\r\nb") },
            Change::Delete { path: "gone".into(), before: file("\0") },
            Change::Move { from: "d/m".into(), to: "e/m".into(), before: file("a\n"), after: file("b\n") },
            Change::Move { from: "p".into(), to: "q".into(), before: file("a\n"), after: file("a\n") },
        ];
        let bystanders = vec![("still".to_owned(), file("here\n"))];
        Written::of(Edit { name: "sample".into(), changes, bystanders, left_out: Vec::new() })
    }

    fn check(change: impl FnOnce(&mut Written), verdict: impl FnOnce(&Verdict) -> bool) {
        let root = place::scratch().unwrap();
        let mut written = sample();
        change(&mut written);
        let found = attempt(&written, root.path()).unwrap();
        assert!(verdict(&found), "{found:?}");
    }

    fn wrong(found: &Verdict, words: &str) -> bool {
        matches!(found, Verdict::Wrong(fault) if fault.contains(words))
    }

    #[test]
    fn verdicts() {
        check(|_| {}, |found| *found == Verdict::Exact);
        check(|written| written.patch = None, |found| *found == Verdict::Nothing);
        let other = |written: &mut Written, path: &str| {
            written.after.get_mut(path).unwrap().bytes.push(b'!');
        };
        check(|written| other(written, "u"), |found| wrong(found, "hashes of u"));
        check(|written| other(written, "still"), |found| wrong(found, "applied: still differs"));
        check(|written| drop(written.after.remove("still")), |found| wrong(found, "still must not be there"));
        check(|written| written.hunks = 7, |found| wrong(found, "answered 2 hunks"));
        check(
            |written| written.before.get_mut("u").unwrap().bytes = b"z\n".to_vec(),
            |found| matches!(found, Verdict::Refused(why) if why.sort == "patch_apply_error (HunkMisfit)"),
        );
    }
}
