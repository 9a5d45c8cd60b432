//! git, run with nobody's settings but the test's.

use std::path::Path;
use std::process::Command;

/// Runs git in a folder; that must work. What it said on standard output.
pub(crate) fn git(folder: &Path, args: &[&str]) -> String {
    let mut command = Command::new("git");
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_")) {
        command.env_remove(name);
    }
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    let settings = ["user.name=T", "user.email=t@example.org", "protocol.file.allow=always", "init.defaultBranch=main"];
    command.args(settings.iter().flat_map(|setting| ["-c", setting]));
    let ran = command.args(["-c", "commit.gpgSign=false"]).current_dir(folder).args(args).output().unwrap();
    let told = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(ran.status.success(), "git {args:?}: {}{}", told(&ran.stdout), told(&ran.stderr));
    told(&ran.stdout)
}

/// Makes a folder a repository with all that is in it committed.
pub(crate) fn init(folder: &Path) {
    git(folder, &["init", "--quiet"]);
    commit(folder, "first");
}

/// Commits everything there is, ignored files too.
pub(crate) fn commit(folder: &Path, message: &str) {
    git(folder, &["add", "--all", "--force"]);
    git(folder, &["commit", "--quiet", "--allow-empty", "--message", message]);
}
