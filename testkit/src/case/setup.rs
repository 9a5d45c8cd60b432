//! What git cannot keep, made step by step before a case's call. Paths are relative to the workspace;
//! `../name` lies beside it, for what must never be reached.
//!
//! `{"do": …}` is one of: `folder {path}`; `text {path, text}`; `hex {path, hex}`; `repeat {path, text,
//! times}`; `mode {path, mode: "0755"}`; `symlink {path, target}`; `hardlink {path, target}`; `fifo {path}`;
//! `socket {path}`; `mtime {path, seconds}`; `xattr {path, name, value}`; `remove {path}`. With a `count` a
//! step is taken as often, `{}` in its texts standing for the number from 1.

use rustix::fs::{CWD, FileType, Mode, Timespec, Timestamps, XattrFlags};
use serde_json::Value;
use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;

/// Carries one step out.
pub fn step(root: &Path, step: &Value) -> Result<(), String> {
    let text = |key: &str| step.get(key).and_then(Value::as_str);
    let need = |key: &str| text(key).ok_or_else(|| format!("setup step without {key}: {step}"));
    let number =
        |key: &str| step.get(key).and_then(Value::as_u64).ok_or_else(|| format!("setup step without {key}: {step}"));
    let path = root.join(need("path")?);
    let done = match need("do")? {
        "folder" => fs::create_dir_all(&path),
        "text" => write(&path, need("text")?.as_bytes()),
        "hex" => write(&path, &bytes_of_hex(need("hex")?)?),
        "repeat" => write(&path, need("text")?.repeat(usize::try_from(number("times")?).unwrap_or(0)).as_bytes()),
        "mode" => fs::set_permissions(&path, fs::Permissions::from_mode(mode_of(need("mode")?)?)),
        "symlink" => make_link(&path, &need("target")?.replace("$ROOT", &root.to_string_lossy())),
        "hardlink" => fs::hard_link(root.join(need("target")?), &path),
        "fifo" => make_fifo(&path),
        "socket" => UnixListener::bind(&path).map(drop),
        "mtime" => set_mtime(&path, number("seconds")?),
        "xattr" => set_attribute(&path, need("name")?, need("value")?),
        "remove" => fs::remove_file(&path),
        other => return Err(format!("no such setup step: {other}")),
    };
    done.map_err(|error| format!("setup step {step}: {error}"))
}

/// The bytes that hex digits stand for; blanks between them do not count.
pub fn bytes_of_hex(hex: &str) -> Result<Vec<u8>, String> {
    let digits: Vec<u8> = hex.bytes().filter(|digit| !digit.is_ascii_whitespace()).collect();
    let pair = |pair: &[u8]| {
        let text = std::str::from_utf8(pair).ok().filter(|text| text.len() == 2)?;
        u8::from_str_radix(text, 16).ok()
    };
    digits.chunks(2).map(|two| pair(two).ok_or_else(|| format!("not hex: {hex}"))).collect()
}

/// Permission bits written in octal.
pub fn mode_of(text: &str) -> Result<u32, String> {
    u32::from_str_radix(text, 8).map_err(|error| format!("mode {text:?}: {error}"))
}

fn make_link(path: &Path, target: &str) -> io::Result<()> {
    parents(path)?;
    symlink(target, path)
}

fn make_fifo(path: &Path) -> io::Result<()> {
    Ok(rustix::fs::mknodat(CWD, path, FileType::Fifo, Mode::from_raw_mode(0o644), 0)?)
}

fn parents(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    parents(path)?;
    fs::write(path, bytes)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o644))
}

fn set_mtime(path: &Path, seconds: u64) -> io::Result<()> {
    let time = Timespec { tv_sec: i64::try_from(seconds).unwrap_or(i64::MAX), tv_nsec: 0 };
    let both = Timestamps { last_access: time, last_modification: time };
    Ok(rustix::fs::utimensat(CWD, path, &both, rustix::fs::AtFlags::SYMLINK_NOFOLLOW)?)
}

fn set_attribute(path: &Path, name: &str, value: &str) -> io::Result<()> {
    Ok(rustix::fs::setxattr(path, name, value.as_bytes(), XattrFlags::empty())?)
}

#[cfg(test)]
mod tests {
    use super::{bytes_of_hex, step};
    use crate::tree::{Item, Tree};
    use serde_json::json;

    #[test]
    fn hex() {
        assert_eq!(bytes_of_hex("ff FE 00"), Ok(vec![0xff, 0xfe, 0]));
        assert!(bytes_of_hex("f").is_err() && bytes_of_hex("zz").is_err());
    }

    #[test]
    fn every_step_makes_what_it_says() {
        let place = tempfile::tempdir().unwrap();
        let steps = [
            json!({"do": "folder", "path": "d/e"}),
            json!({"do": "text", "path": "t/a", "text": "x"}),
            json!({"do": "hex", "path": "h", "hex": "00ff"}),
            json!({"do": "repeat", "path": "r", "text": "ab", "times": 3}),
            json!({"do": "mode", "path": "r", "mode": "0755"}),
            json!({"do": "symlink", "path": "l", "target": "r"}),
            json!({"do": "hardlink", "path": "k", "target": "r"}),
            json!({"do": "fifo", "path": "p"}),
            json!({"do": "socket", "path": "s"}),
            json!({"do": "mtime", "path": "r", "seconds": 1_000_000_000}),
            json!({"do": "remove", "path": "h"}),
        ];
        steps.iter().try_for_each(|one| step(place.path(), one)).unwrap();
        let tree = Tree::read(place.path()).unwrap();
        let names: Vec<&str> = tree.items.keys().map(String::as_str).collect();
        assert_eq!(names, ["d", "d/e", "k", "l", "p", "r", "s", "t", "t/a"]);
        assert_eq!(tree.items["k"], Item::File { bytes: b"ababab".to_vec(), mode: 0o755 });
        assert_eq!((&tree.items["p"], &tree.items["l"]), (&Item::Special, &Item::Link(b"r".to_vec())));
        assert!(step(place.path(), &json!({"do": "dance", "path": "r"})).is_err());
        assert!(step(place.path(), &json!({"do": "text", "path": "r"})).is_err());
    }
}
