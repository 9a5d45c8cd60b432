//! `cargo xtask tokens`: what a fixed piece of work costs a model, from the first listing to the last answer.
//!
//! Counted is all that it has to read and to write, in each dialect of Patchwright, through other file servers, and with
//! agent programs' own tools. All of them must leave the same bytes.

mod bill;
mod ours;
mod own;
mod peers;
mod server;
mod work;

use crate::agents::install;
use crate::failure::Failure;
use crate::say;
use crate::size::{self, Build};
use bill::Bill;
use std::path::{Path, PathBuf};
use work::Work;

const USAGE: &str = "cargo xtask tokens [--binary PATH] [--out FILE]";

/// Does the work in every way that can be had here, and prints the bills.
pub(crate) fn all(root: &Path, words: &[String]) -> Result<(), Failure> {
    let (binary, out) = arguments(words)?;
    let binary = match binary {
        Some(binary) => std::path::absolute(&binary).map_err(|error| Failure::io(binary.display(), &error))?,
        None => size::binary(root, Build::Debug)?,
    };
    install::node()?;
    let target = size::target(root)?;
    let work = Work::of(root)?;
    let mut bills = Vec::new();
    for dialect in ours::ALL {
        bills.push(fresh(&work, |folder| ours::bill(&binary, folder, *dialect, &work))?);
    }
    let installed = target.join("peers");
    let mut others = vec![
        ("the reference server".to_owned(), fresh(&work, |folder| peers::node(&installed, folder, &work))),
        ("the server in Rust".to_owned(), fresh(&work, |folder| peers::rust(&installed, folder, &work))),
    ];
    others.extend(own::bills(&target.join("agents"), &work));
    for (name, other) in others {
        match other {
            Ok(bill) => bills.push(bill),
            Err(failure) => say::error(&format!("{name} is left out: {failure}")),
        }
    }
    let table = bill::table(&bills);
    let files = work.before.len();
    let head =
        format!("{} edits in {files} files of {}, each read once, one call an edit:", work.edits.len(), work.name);
    say::line(&format!("{head}\n\n{table}"));
    match out {
        Some(file) => {
            std::fs::write(&file, format!("{head}\n\n{table}")).map_err(|error| Failure::io(file.display(), &error))
        }
        None => Ok(()),
    }
}

/// Does the work in a folder of its own and looks at what is left there.
fn fresh(work: &Work, act: impl FnOnce(&Path) -> Result<Bill, Failure>) -> Result<Bill, Failure> {
    let place = tempfile::tempdir().map_err(|error| Failure::io("a scratch folder", &error))?;
    let folder = place.path().join("workspace");
    work.lay(&folder)?;
    let bill = act(&folder)?;
    work.check(&bill.name, &folder)?;
    Ok(bill)
}

fn arguments(words: &[String]) -> Result<(Option<PathBuf>, Option<PathBuf>), Failure> {
    let (mut binary, mut out) = (None, None);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let place = match word.as_str() {
            "--binary" => &mut binary,
            "--out" => &mut out,
            _ => return Err(Failure::new(format!("`{word}` is not known"), USAGE)),
        };
        let value = words.next().ok_or_else(|| Failure::new(format!("`{word}` stands alone"), USAGE))?;
        *place = Some(PathBuf::from(value));
    }
    Ok((binary, out))
}
