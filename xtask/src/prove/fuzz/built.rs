//! Building the engine: its own target folder, coverage counted in our own crates only.

use crate::failure::Failure;
use crate::machine::{self, Tool};
use crate::prove::SEEDED_BUG;
use crate::{run, size};
use std::path::{Path, PathBuf};

/// libFuzzer is written in C++.
const NEEDED: &[Tool] = &[Tool { program: "c++", package: "g++" }];

/// Builds the engine if need be, and says where it lies.
pub(super) fn engine(project: &Path) -> Result<PathBuf, Failure> {
    machine::provide(NEEDED)?;
    let folder = project.join("fuzz/engine");
    let target = size::target(project)?.join("fuzz");
    let mut command = run::cargo(project);
    command.args(["build", "--locked", "--quiet", "--manifest-path"]).arg(folder.join("Cargo.toml"));
    command.arg("--target-dir").arg(&target).env("RUSTC_WRAPPER", folder.join("rustc.sh"));
    if std::env::var_os(SEEDED_BUG).is_some() {
        command.args(["--features", "seeded-bugs"]);
    }
    let next = "mend what the compiler names above; if it is the lock file, run `cargo metadata` in fuzz/engine";
    run::plainly(command, next)?;
    Ok(target.join("debug/patchwright-fuzz-engine"))
}
