//! The size of the release binary, for the record.

use crate::failure::Failure;
use crate::{run, say};
use std::path::{Path, PathBuf};

/// Which build of the binary is meant.
#[derive(Clone, Copy)]
pub(crate) enum Build {
    Debug,
    Release,
}

/// Builds the binary if need be and says where it lies.
pub(crate) fn binary(root: &Path, build: Build) -> Result<PathBuf, Failure> {
    let mut command = run::cargo(root);
    command.args(["build", "--locked", "--quiet"]);
    let folder = match build {
        // The whole workspace, as the tests build it: cargo would compile for one package with other features.
        Build::Debug => {
            command.arg("--workspace");
            "debug"
        }
        Build::Release => {
            command.args(["--release", "--package", "patchwright"]);
            "release"
        }
    };
    run::plainly(command, "mend what the compiler names above")?;
    Ok(target(root)?.join(folder).join("patchwright"))
}

/// Cargo's target folder.
pub(crate) fn target(root: &Path) -> Result<PathBuf, Failure> {
    let metadata = run::metadata(root, &["--no-deps", "--offline"])?;
    let folder = metadata.get("target_directory").and_then(|value| value.as_str());
    folder.map(PathBuf::from).ok_or_else(|| Failure::new("cargo metadata names no target folder", "update cargo"))
}

/// Prints the size.
pub(crate) fn report(root: &Path) -> Result<(), Failure> {
    let file = binary(root, Build::Release)?;
    let about = std::fs::metadata(&file).map_err(|error| Failure::io(file.display(), &error))?;
    say::line(&format!("release binary: {:.1} MB", about.len() as f64 / 1e6));
    Ok(())
}
