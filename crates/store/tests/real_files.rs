//! Files on the real disk: what is opened, how names are given, what a new file looks like.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test says no by panicking")]

use patchwright_core::path::RelPath;
use patchwright_store::disk::{At, CLOSED, Disk, Dress, Flush, Halt, NotKept, Rename};
use patchwright_store::real::{Dir, Means, RealDisk};
use patchwright_testkit::dress::{self, Acl};
use patchwright_testkit::home;
use rustix::fs::{CWD, FileType, Mode, XattrFlags, mknodat};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use tempfile::TempDir;

fn disk(means: Means) -> (TempDir, RealDisk, Dir) {
    let home = tempfile::tempdir().unwrap();
    let disk = RealDisk::open(home.path(), &home::whereabouts(), means).unwrap();
    let root = disk.folder(&RelPath::root()).unwrap();
    (home, disk, root)
}

#[test]
fn special_files_are_not_opened() {
    let (home, disk, root) = disk(Means::Best);
    let node = |name: &str, kind, device| mknodat(CWD, home.path().join(name), kind, Mode::RWXU, device).unwrap();
    node("fifo", FileType::Fifo, 0);
    node("device", FileType::CharacterDevice, rustix::fs::makedev(1, 5)); // endless zeros
    let _socket = std::os::unix::net::UnixListener::bind(home.path().join("socket")).unwrap();
    for name in ["fifo", "device", "socket"] {
        assert!(matches!(disk.open(&root, name), Err(Halt::Special)), "{name}");
        assert!(matches!(disk.open_state(&root, name), Err(Halt::Special)), "{name}");
    }
    fs::create_dir(home.path().join("folder")).unwrap();
    assert_eq!(disk.open(&root, "folder").unwrap_err().os_kind(), Some(std::io::ErrorKind::IsADirectory));
    assert!(disk.open(&root, "none").unwrap_err().is_missing());
}

#[test]
fn reading_and_writing() {
    let (home, disk, root) = disk(Means::Best);
    let file = disk.create(&root, "f").unwrap();
    assert!(disk.create(&root, "f").unwrap_err().is_taken());
    disk.write_at(&file, 0, b"hello world").unwrap();
    disk.set_len(&file, 5).unwrap();
    let mut bytes = [0; 10];
    assert_eq!(disk.read_at(&file, 1, &mut bytes).unwrap(), 4);
    assert_eq!(&bytes[..4], b"ello");
    assert_eq!(disk.stat_file(&file).unwrap(), disk.stat(&root, "f").unwrap().unwrap());
    assert_eq!(fs::metadata(home.path().join("f")).unwrap().mode() & 0o7777, 0o600);
    for what in [Flush::Data(&file), Flush::File(&file), Flush::Dir(&root), Flush::Everything(&root)] {
        disk.sync(what).unwrap();
    }
    disk.make_folder(&root, "d").unwrap();
    disk.make_link(&root, "l", b"anywhere").unwrap();
    assert_eq!(disk.read_link(&root, "l").unwrap(), b"anywhere");
    let mut names = disk.names(&root).unwrap();
    names.sort();
    assert_eq!(names, ["d", "f", "l"]);
    disk.remove_folder(&root, "d").unwrap();
    assert_eq!(disk.stat(&root, "d").unwrap(), None);
}

fn check_rename(means: Means, how: Rename, target: Option<&str>, want: Result<(), &str>) {
    let (home, disk, root) = disk(means);
    fs::write(home.path().join("a"), "A").unwrap();
    target.into_iter().for_each(|text| fs::write(home.path().join("b"), text).unwrap());
    let got = disk.rename(At::new(&root, "a"), At::new(&root, "b"), how).map_err(|halt| match halt {
        Halt::Unsupported => "unsupported",
        halt if halt.is_taken() => "taken",
        halt if halt.is_missing() => "missing",
        _ => "other",
    });
    assert_eq!(got, want, "{means:?} {how:?} {target:?}");
    let content = |name: &str| fs::read_to_string(home.path().join(name)).ok();
    let expected = match (want, how) {
        (Err(_), _) => (Some("A".to_owned()), target.map(str::to_owned)),
        (Ok(()), Rename::Exchange) => (target.map(str::to_owned), Some("A".to_owned())),
        (Ok(()), _) => (None, Some("A".to_owned())),
    };
    assert_eq!((content("a"), content("b")), expected, "{means:?} {how:?} {target:?}");
}

#[test]
fn renames() {
    for means in [Means::Best, Means::Portable] {
        check_rename(means, Rename::NoReplace, None, Ok(()));
        check_rename(means, Rename::NoReplace, Some("B"), Err("taken"));
        check_rename(means, Rename::Replace, Some("B"), Ok(()));
    }
    check_rename(Means::Best, Rename::Exchange, Some("B"), Ok(()));
    check_rename(Means::Best, Rename::Exchange, None, Err("missing"));
    check_rename(Means::Portable, Rename::Exchange, Some("B"), Err("unsupported"));
}

#[test]
fn links_and_folders_move_without_replacing() {
    for means in [Means::Best, Means::Portable] {
        let (home, disk, root) = disk(means);
        disk.make_link(&root, "l", b"none").unwrap();
        disk.rename(At::new(&root, "l"), At::new(&root, "m"), Rename::NoReplace).unwrap();
        assert_eq!(fs::read_link(home.path().join("m")).unwrap().to_str(), Some("none"));
        disk.make_folder(&root, "d").unwrap();
        let moved = disk.rename(At::new(&root, "d"), At::new(&root, "e"), Rename::NoReplace);
        assert_eq!(moved.is_ok(), means == Means::Best); // no hard links to folders
    }
}

/// Dresses a new file like an old one; needs root, as these tests have it.
fn dressed(
    mode: u32,
    owner: Option<(u32, u32)>,
    attributes: &[(&str, &[u8])],
) -> (fs::Metadata, fs::File, Vec<NotKept>) {
    let (home, disk, root) = disk(Means::Best);
    let (old, new) = (disk.create(&root, "old").unwrap(), disk.create(&root, "new").unwrap());
    let owner = owner.map(|(uid, gid)| (rustix::fs::Uid::from_raw(uid), rustix::fs::Gid::from_raw(gid)));
    rustix::fs::fchown(&old, owner.map(|own| own.0), owner.map(|own| own.1)).unwrap();
    for (name, value) in attributes {
        rustix::fs::fsetxattr(&old, *name, value, XattrFlags::empty()).unwrap();
    }
    fs::set_permissions(home.path().join("old"), fs::Permissions::from_mode(mode)).unwrap();
    let lost = disk.dress(&new, &Dress::Like(&old)).unwrap();
    (new.metadata().unwrap(), new, lost)
}

#[test]
fn mode_and_owner_are_kept() {
    assert!(rustix::process::geteuid().is_root(), "giving files away needs root");
    for (mode, want, lost) in [
        (0o644, 0o644, vec![]),
        (0o400, 0o400, vec![]),
        (0o1777, 0o1777, vec![]),
        (0o4755, 0o755, vec![NotKept::SetId]),
        (0o2711, 0o711, vec![NotKept::SetId]),
    ] {
        let (meta, _file, got) = dressed(mode, Some((1234, 2345)), &[]);
        assert_eq!((meta.mode() & 0o7777, meta.uid(), meta.gid(), got), (want, 1234, 2345, lost), "{mode:o}");
    }
}

/// An access list: owner rw, user 1234 r, group r, mask r, others nothing.
const ACL: &[u8] = b"\x02\0\0\0\x01\0\x06\0\xff\xff\xff\xff\x02\0\x04\0\xd2\x04\0\0\x04\0\x04\0\xff\xff\xff\xff\x10\0\x04\0\xff\xff\xff\xff\x20\0\0\0\xff\xff\xff\xff";

#[test]
fn attributes_are_kept() {
    let kept: [(&str, &[u8]); 3] = [("user.note", b"hello"), ("user.empty", b""), ("trusted.x", b"\0\xff")];
    let (meta, file, lost) = dressed(0o444, None, &kept);
    assert_eq!((lost, meta.mode() & 0o777), (vec![], 0o444));
    for (name, value) in kept {
        let mut got = vec![0_u8; 64];
        let count = rustix::fs::fgetxattr(&file, name, got.as_mut_slice()).unwrap();
        assert_eq!(&got[..count], value, "{name}");
    }
    let (meta, file, lost) = dressed(0o640, None, &[("system.posix_acl_access", ACL)]);
    let mut got = vec![0_u8; 256];
    let count = rustix::fs::fgetxattr(&file, "system.posix_acl_access", got.as_mut_slice()).unwrap();
    assert_eq!((&got[..count], lost, meta.mode() & 0o777), (ACL, vec![], 0o640));
}

#[test]
fn capabilities_are_dropped_with_set_id() {
    let capability = b"\x01\0\0\x02\0\x04\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
    let (_, file, lost) = dressed(0o755, None, &[("security.capability", capability)]);
    assert_eq!(lost, [NotKept::SetId]);
    assert!(rustix::fs::fgetxattr(&file, "security.capability", [0_u8; 64].as_mut_slice()).is_err());
}

#[test]
fn new_files_have_the_mode_of_the_process() {
    let (home, disk, root) = disk(Means::Best);
    fs::write(home.path().join("plain"), "").unwrap();
    let plain = fs::metadata(home.path().join("plain")).unwrap().mode() & 0o7777;
    for (asked, want) in [(None, plain), (Some(0o755), 0o755), (Some(0o4755), 0o755)] {
        let file = disk.create(&root, &format!("f{want:o}{}", asked.unwrap_or(0))).unwrap();
        let lost = disk.dress(&file, &Dress::Mode(asked)).unwrap();
        assert_eq!(file.metadata().unwrap().mode() & 0o7777, want);
        assert_eq!(lost.is_empty(), asked != Some(0o4755));
    }
}

/// What is made again in a folder that hands on its group and its access list is like what was there, and has no more.
#[test]
fn folders_are_made_again_as_they_were() {
    let list = Acl::plain(7, 0, 0).with_user(4321, 7, 7).bytes();
    let check = |mode: u32, owner: (u32, u32), attributes: &[(&str, &[u8])]| {
        let (home, disk, root) = disk(Means::Best);
        let above = home.path();
        assert!(dress::set(above, "system.posix_acl_default", &list).unwrap());
        fs::set_permissions(above, fs::Permissions::from_mode(0o2755)).unwrap();
        let d = above.join("d");
        fs::create_dir(&d).unwrap();
        for list in ["system.posix_acl_access", "system.posix_acl_default"] {
            rustix::fs::removexattr(&d, list).unwrap();
        }
        std::os::unix::fs::chown(&d, Some(owner.0), Some(owner.1)).unwrap();
        for (name, value) in attributes {
            assert!(dress::set(&d, name, value).unwrap());
        }
        fs::set_permissions(&d, fs::Permissions::from_mode(mode)).unwrap();
        let folder = RelPath::parse("d", &[]).unwrap();
        let meta = disk.folder_meta(&disk.folder(&folder).unwrap()).unwrap();
        assert_eq!((meta.mode, meta.owner), (mode, Some(owner)));
        disk.remove_folder(&root, "d").unwrap();
        disk.make_closed_folder(&root, "d").unwrap();
        assert_eq!(fs::metadata(&d).unwrap().mode() & 0o1777, CLOSED, "closed meanwhile");
        let again = disk.folder(&folder).unwrap();
        assert_eq!(disk.dress_folder(&again, &meta).unwrap(), []);
        assert_eq!(disk.folder_meta(&again).unwrap(), meta);
    };
    check(0o755, (0, 0), &[]);
    check(0o2775, (1234, 4321), &[("user.note", b"\x00\xff")]);
    check(0o700, (0, 0), &[("user.note", b"")]);
    check(0o1700, (0, 0), &[]);
    check(0o770, (1234, 0), &[("system.posix_acl_access", &list)]); // the group itself has nothing
    check(0o750, (0, 0), &[("system.posix_acl_default", &list), ("trusted.note", b"x")]);
}
