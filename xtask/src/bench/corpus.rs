//! A large checkout to search: the registry's sources, copied often enough, with a rare word planted.

use crate::failure::Failure;
use crate::say;
use std::fs;
use std::path::{Path, PathBuf};

/// Stands in a handful of files, and nowhere else.
pub(super) const RARE: &str = "quixoticneedle";

/// How many files hold the word.
pub(super) const HITS: usize = 7;

/// How many files there are at least.
const FILES: usize = 30_000;

/// Builds the corpus in `place`.
pub(super) fn build(place: &Path) -> Result<(), Failure> {
    let source = registry()?;
    let list = files(&source)?;
    if list.is_empty() {
        return Err(Failure::new("the registry's folder holds no sources", "build the project once"));
    }
    let mut made = 0_usize;
    let mut copy = 0_usize;
    while made < FILES {
        for file in &list {
            let inside = file.strip_prefix(&source).unwrap_or(file);
            put(file, &place.join(format!("copy{copy}")).join(inside))?;
            made = made.saturating_add(1);
        }
        copy = copy.saturating_add(1);
    }
    plant(place)?;
    // The rivals honour ignore files only in a repository, and this is all they look for.
    fs::create_dir_all(place.join(".git")).map_err(|error| Failure::io(place.display(), &error))?;
    say::line(&format!("corpus: {made} files, {copy} copies of the registry's sources"));
    Ok(())
}

fn put(from: &Path, to: &Path) -> Result<(), Failure> {
    let fail = |error: std::io::Error| Failure::io(to.display(), &error);
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent).map_err(fail)?;
    }
    fs::copy(from, to).map(drop).map_err(fail)
}

/// Appends a line with the rare word to files of our own, spread over the corpus.
fn plant(place: &Path) -> Result<(), Failure> {
    for number in 0..HITS {
        let folder = place.join(format!("planted{number}"));
        let fail = |error: std::io::Error| Failure::io(folder.display(), &error);
        fs::create_dir_all(&folder).map_err(fail)?;
        fs::write(folder.join("note.txt"), format!("one line\nhere is the {RARE} itself\n")).map_err(fail)?;
    }
    Ok(())
}

fn registry() -> Result<PathBuf, Failure> {
    let home = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
    let sources = home.map(|home| home.join("registry/src")).filter(|place| place.is_dir());
    sources.ok_or_else(|| Failure::new("cargo keeps no sources here", "build the project once"))
}

/// Every regular file below `place`.
pub(super) fn files(place: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    let mut folders = vec![place.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let fail = |error: std::io::Error| Failure::io(folder.display(), &error);
        for entry in fs::read_dir(&folder).map_err(fail)? {
            let entry = entry.map_err(fail)?;
            let sort = entry.file_type().map_err(fail)?;
            if sort.is_dir() {
                folders.push(entry.path());
            } else if sort.is_file() {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}
