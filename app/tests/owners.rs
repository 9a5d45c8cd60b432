//! A file that belongs to somebody else, in a folder of ours: it can be changed and deleted, and no later call
//! stumbles over what was kept of it. Needs root, to make such a file and then to be somebody else.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise and looks at the disk itself"
)]

use patchwright_testkit::home::record;
use std::fs;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::Path;
use std::process::{Command, Stdio};

const NOBODY: u32 = 65534;

/// Runs a patch as nobody; whether it was applied.
fn apply(program: &Path, root: &Path, body: &str) -> bool {
    // Nobody's home is nobody's.
    let home = root.with_file_name("home");
    let user = NOBODY.to_string();
    let mut command = Command::new("setpriv");
    command.args(["--reuid", &user, "--regid", &user, "--clear-groups"]).arg(program);
    command.arg("--root").arg(root).arg("apply").stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    command.env("HOME", &home).env("PATCHWRIGHT_HOME", &home).env_remove("XDG_CONFIG_HOME");
    let mut child = command.spawn().unwrap();
    let patch = format!("*** Begin Patch\n{body}*** End Patch\n");
    child.stdin.take().unwrap().write_all(patch.as_bytes()).unwrap();
    child.wait().unwrap().success()
}

#[test]
fn what_was_somebody_elses_is_kept_as_ours() {
    let home = tempfile::tempdir().unwrap();
    if fs::metadata(home.path()).unwrap().uid() != 0 {
        return; // only root can make files for others
    }
    fs::set_permissions(home.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let (program, root) = (home.path().join("patchwright"), home.path().join("ws"));
    fs::copy(env!("CARGO_BIN_EXE_patchwright"), &program).unwrap();
    for folder in [&root, &home.path().join("home")] {
        fs::create_dir(folder).unwrap();
        chown(folder, Some(NOBODY), Some(NOBODY)).unwrap();
    }
    for name in ["changed", "deleted"] {
        fs::write(root.join(name), "a\n").unwrap();
    }
    assert!(apply(&program, &root, "*** Update File: changed\n@@\n-a\n+b\n*** Delete File: deleted\n"));
    assert!(apply(&program, &root, "*** Add File: later\n+x\n"));
    for shelf in ["blobs", "trash"] {
        let kept = fs::read_dir(record(&root).join(shelf)).unwrap().next().unwrap().unwrap();
        let stat = kept.metadata().unwrap();
        assert_eq!((stat.uid(), stat.mode() & 0o777), (NOBODY, 0o600), "{shelf}");
    }
}
