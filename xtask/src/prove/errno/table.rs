//! Which errors a system call may end in, by its manual page, and what a caller may be told then.
//!
//! Left out are answers about what is there (`ENOENT`, `EEXIST`, `ENOTDIR` …): a system that gives those when they
//! are not so does not fail, it lies, and nothing can be promised on top of it. Left out too are errors that only
//! a mistake of ours brings (`EBADF`, `EFAULT`).

use crate::prove::strace::Times;

/// A system call and its errors.
pub(super) struct Row {
    pub(super) call: &'static str,
    pub(super) errors: &'static [&'static str],
}

const fn row(call: &'static str, errors: &'static [&'static str]) -> Row {
    Row { call, errors }
}

const OPENING: &[&str] = &[
    "EACCES",
    "EDQUOT",
    "EINTR",
    "EIO",
    "ELOOP",
    "EMFILE",
    "ENFILE",
    "ENOMEM",
    "ENOSPC",
    "EOVERFLOW",
    "EPERM",
    "EROFS",
    "ETXTBSY",
];
const RENAMING: &[&str] = &[
    "EACCES", "EBUSY", "EDQUOT", "EINVAL", "EIO", "ELOOP", "EMLINK", "ENOMEM", "ENOSPC", "ENOSYS", "EPERM", "EROFS",
    "EXDEV",
];
const REMOVING: &[&str] = &["EACCES", "EBUSY", "EIO", "ELOOP", "ENOMEM", "EPERM", "EROFS"];
const MAKING: &[&str] = &["EACCES", "EDQUOT", "EIO", "ELOOP", "EMLINK", "ENOMEM", "ENOSPC", "EPERM", "EROFS"];
const ASKING: &[&str] = &["EACCES", "EIO", "ELOOP", "ENOMEM", "EOVERFLOW"];
const READING: &[&str] = &["EAGAIN", "EINTR", "EIO"];
const WRITING: &[&str] = &["EAGAIN", "EDQUOT", "EFBIG", "EINTR", "EIO", "ENOSPC", "EPERM"];
const SYNCING: &[&str] = &["EDQUOT", "EINTR", "EINVAL", "EIO", "ENOSPC", "EROFS"];
const CHANGING: &[&str] = &["EIO", "EPERM", "EROFS"];

/// Every system call that is made to fail.
pub(super) const ROWS: &[Row] = &[
    row("open", OPENING),
    row("openat", OPENING),
    row(
        "openat2",
        &[
            "EACCES", "EAGAIN", "EINTR", "EINVAL", "EIO", "ELOOP", "EMFILE", "ENFILE", "ENOMEM", "ENOSYS", "EPERM",
            "EXDEV",
        ],
    ),
    row("read", READING),
    row("pread64", READING),
    row("write", WRITING),
    row("pwrite64", WRITING),
    row("ftruncate", &["EFBIG", "EINTR", "EINVAL", "EIO", "EPERM", "EROFS"]),
    row("fallocate", &["EFBIG", "EINTR", "EIO", "ENOSPC", "ENOSYS", "EOPNOTSUPP"]),
    row("fsync", SYNCING),
    row("fdatasync", SYNCING),
    row("syncfs", &["EDQUOT", "EIO", "ENOSPC"]),
    row("rename", RENAMING),
    row("renameat", RENAMING),
    row("renameat2", RENAMING),
    row("linkat", &["EACCES", "EDQUOT", "EIO", "ELOOP", "EMLINK", "ENOMEM", "ENOSPC", "EPERM", "EROFS", "EXDEV"]),
    row("unlink", REMOVING),
    row("unlinkat", REMOVING),
    row("mkdir", MAKING),
    row("mkdirat", MAKING),
    row("symlinkat", MAKING),
    row("fchmod", CHANGING),
    row("fchown", &["EDQUOT", "EIO", "EPERM", "EROFS"]),
    row("fsetxattr", &["EDQUOT", "ENOSPC", "EOPNOTSUPP", "EPERM", "ERANGE"]),
    row("fgetxattr", &["E2BIG", "EOPNOTSUPP", "ERANGE"]),
    row("flistxattr", &["E2BIG", "EOPNOTSUPP", "ERANGE"]),
    row("stat", ASKING),
    row("lstat", ASKING),
    row("fstat", &["EIO", "ENOMEM", "EOVERFLOW"]),
    row("newfstatat", ASKING),
    row("statx", ASKING),
    row("access", &["EACCES", "EIO", "ELOOP", "ENOMEM", "EPERM"]),
    row("getdents64", &["EIO", "EINVAL"]),
    row("readlink", &["EACCES", "EIO", "ELOOP", "ENOMEM"]),
    row("readlinkat", &["EACCES", "EIO", "ELOOP", "ENOMEM"]),
    row("flock", &["EAGAIN", "EINTR", "ENOLCK"]),
    row("fcntl", &["EACCES", "EAGAIN", "EINTR", "ENOLCK"]),
    row("copy_file_range", &["EFBIG", "EINVAL", "EIO", "ENOMEM", "ENOSPC", "ENOSYS", "EOPNOTSUPP", "EPERM", "EXDEV"]),
    row("sendfile", &["EAGAIN", "EINVAL", "EIO", "ENOMEM"]),
    row("close", &["EDQUOT", "EINTR", "EIO", "ENOSPC"]),
];

/// The calls after which something is durable, unless they fail.
pub(super) const SYNCS: &[&str] = &["fsync", "fdatasync", "syncfs"];

/// The calls that give a file another name.
pub(super) const SWAPS: &[&str] = &["rename", "renameat", "renameat2", "linkat"];

/// Does an error last, once it is there? Being interrupted does not, by its nature: it comes as often as signals do.
pub(super) fn lasting(error: &str) -> Times {
    if error == "EINTR" { Times::Burst } else { Times::FromThenOn }
}

/// May a caller be told this kind, of a call that failed so? `doubt` is judged by the suite.
pub(super) fn fits(call: &str, error: &str, kind: &str) -> bool {
    match error {
        "EACCES" | "EPERM" | "EROFS" => kind == "permission_denied" || (kind == "command_failed" && is_index(call)),
        "EAGAIN" if call == "flock" => kind == "busy",
        // Only a home is reached and made by its whole path: where that cannot be, keys cannot be kept.
        "ELOOP" | "ENOENT" | "ENOTDIR" if matches!(call, "mkdir" | "statx") => {
            failed(kind) || kind == "permission_denied"
        }
        // Links in a circle lead nowhere inside; of the kernel's own resolving, another device is what leads out.
        "ELOOP" => failed(kind) || kind == "outside_workspace",
        "EXDEV" if call == "openat2" => failed(kind) || kind == "outside_workspace",
        _ => failed(kind),
    }
}

/// A failure of the machine that left everything as it was.
fn failed(kind: &str) -> bool {
    matches!(kind, "command_failed" | "patch_apply_error")
}

/// Calls that only the database makes, and whoever makes a home; both say themselves what went wrong.
fn is_index(call: &str) -> bool {
    matches!(call, "stat" | "lstat" | "access" | "unlink" | "fcntl" | "mkdir")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_call_once_and_each_with_errors() {
        for (at, row) in ROWS.iter().enumerate() {
            assert!(!row.errors.is_empty(), "{}", row.call);
            assert!(ROWS[..at].iter().all(|other| other.call != row.call), "{} stands twice", row.call);
        }
        assert!(SYNCS.iter().chain(SWAPS).all(|name| ROWS.iter().any(|row| row.call == *name)));
    }

    fn check(call: &str, error: &str, kind: &str, expected: bool) {
        assert_eq!(fits(call, error, kind), expected, "{call} {error} {kind}");
    }

    #[test]
    fn kinds() {
        check("pwrite64", "ENOSPC", "command_failed", true);
        check("pwrite64", "ENOSPC", "patch_apply_error", true);
        check("pwrite64", "ENOSPC", "not_found", false);
        check("openat", "EACCES", "permission_denied", true);
        check("openat", "EACCES", "command_failed", false);
        check("flock", "EAGAIN", "busy", true);
        check("mkdir", "ELOOP", "permission_denied", true);
        check("mkdirat", "ELOOP", "permission_denied", false);
        check("openat2", "EXDEV", "outside_workspace", true);
        check("renameat2", "EXDEV", "outside_workspace", false);
    }
}
