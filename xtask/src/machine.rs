//! What the machine must have, and getting it from Debian where it is missing.
//!
//! Looks before it asks: where everything is there, nothing is installed and the network is not used.

use crate::failure::Failure;
use crate::{run, say};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A program and the Debian package that brings it.
#[derive(Clone, Copy)]
pub(crate) struct Tool {
    pub(crate) program: &'static str,
    pub(crate) package: &'static str,
}

/// What the tests run.
pub(crate) const FOR_TESTS: &[Tool] = &[
    Tool { program: "strace", package: "strace" },
    Tool { program: "mkfs.ext4", package: "e2fsprogs" },
    Tool { program: "mkfs.xfs", package: "xfsprogs" },
    Tool { program: "mkfs.btrfs", package: "btrfs-progs" },
    Tool { program: "perl", package: "perl-base" },
    Tool { program: "git", package: "git" },
    Tool { program: "patch", package: "patch" },
    Tool { program: "c++", package: "g++" },
];

/// What the benchmarks compare with.
pub(crate) const FOR_BENCH: &[Tool] = &[
    Tool { program: "strace", package: "strace" },
    Tool { program: "mkfs.ext4", package: "e2fsprogs" },
    Tool { program: "rg", package: "ripgrep" },
    Tool { program: "fdfind", package: "fd-find" },
    Tool { program: "npm", package: "npm" },
    Tool { program: "git", package: "git" },
    Tool { program: "patch", package: "patch" },
    Tool { program: "time", package: "time" },
];

/// Makes sure that every tool is there.
pub(crate) fn provide(tools: &[Tool]) -> Result<(), Failure> {
    let packages = missing(tools);
    if packages.is_empty() {
        return Ok(());
    }
    let list = packages.join(" ");
    if find("apt-get").is_none() {
        return Err(Failure::new(
            format!("this machine lacks {list}, and it is not a Debian"),
            format!("install: {list}"),
        ));
    }
    say::line(&format!("installing {list}"));
    let next = format!("install by hand: {list}");
    run::plainly(apt(&["update", "-q"])?, &next)?;
    let mut install = apt(&["install", "-q", "-y", "--no-install-recommends"])?;
    install.args(&packages);
    run::plainly(install, &next)
}

/// Makes sure that the Rust toolchain has `component`, which brings `cargo <verb>`.
pub(crate) fn provide_component(root: &Path, verb: &str, component: &str) -> Result<(), Failure> {
    let mut ask = run::cargo(root);
    ask.args([verb, "--version"]);
    if run::output(ask, "").is_ok() {
        return Ok(());
    }
    let mut add = Command::new("rustup");
    add.args(["component", "add", component]);
    run::plainly(add, &format!("install {component} for this Rust toolchain"))
}

/// Where `program` lies, if anywhere. Looks where administrators' programs lie too.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let further = ["/usr/local/sbin", "/usr/sbin", "/sbin"].map(PathBuf::from);
    std::env::split_paths(&path).chain(further).map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// Do we own this machine?
pub(crate) fn is_root() -> bool {
    let mut id = Command::new("id");
    id.arg("-u");
    run::output(id, "").is_ok_and(|said| said.trim_ascii() == b"0")
}

fn missing(tools: &[Tool]) -> Vec<&'static str> {
    tools.iter().filter(|tool| find(tool.program).is_none()).map(|tool| tool.package).collect()
}

fn apt(arguments: &[&str]) -> Result<Command, Failure> {
    let mut command = if is_root() {
        Command::new("apt-get")
    } else if find("sudo").is_some() {
        let mut sudo = Command::new("sudo");
        sudo.arg("apt-get");
        sudo
    } else {
        return Err(Failure::new(
            "installing packages needs root or sudo",
            "run once as root, or install the packages by hand",
        ));
    };
    command.env("DEBIAN_FRONTEND", "noninteractive").args(arguments);
    Ok(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_absent_is_asked_for() {
        let tools =
            [Tool { program: "sh", package: "dash" }, Tool { program: "no-such-program-here", package: "nowhere" }];
        assert_eq!(missing(&tools), ["nowhere"]);
    }
}
