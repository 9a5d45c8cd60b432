//! Links of every kind against the guard: only those that stay inside the root are followed.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test says no by panicking")]

use patchwright_core::path::RelPath;
use patchwright_core::refusal::Sort;
use patchwright_store::disk::{At, Disk, Halt, Rename};
use patchwright_store::real::{Leaf, Means, RealDisk, Unresolved};
use patchwright_testkit::home;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use tempfile::TempDir;

/// `ws/` is the root, `out/` its neighbour; links are made as a table says.
fn workspace(links: &[(&str, &str)]) -> (TempDir, std::path::PathBuf) {
    let home = tempfile::tempdir().unwrap();
    let root = home.path().join("ws");
    fs::create_dir_all(root.join("in/deep")).unwrap();
    fs::create_dir_all(home.path().join("out/deep")).unwrap();
    fs::create_dir_all(home.path().join("ws-evil")).unwrap();
    for path in ["ws/in/file", "ws/in/deep/file", "out/file", "out/deep/file", "ws-evil/file"] {
        fs::write(home.path().join(path), path).unwrap();
    }
    for (name, target) in links {
        symlink(target.replace("$HOME", home.path().to_str().unwrap()), root.join(name)).unwrap();
    }
    (home, root)
}

fn path(text: &str) -> RelPath {
    RelPath::parse(text, &[]).unwrap()
}

fn open(root: &Path, means: Means) -> RealDisk {
    RealDisk::open(root, &home::whereabouts(), means).unwrap()
}

/// What resolving came to, in a word: the real path, or why not.
fn outcome(disk: &RealDisk, given: &str) -> String {
    match disk.resolve(&path(given)) {
        Ok(found) => match found.leaf {
            Leaf::There(stat) if stat.sort == Sort::File => {
                let file = disk.open(&found.dir, &found.name).unwrap();
                let mut bytes = vec![0; 100];
                let count = disk.read_at(&file, 0, &mut bytes).unwrap();
                assert_eq!(String::from_utf8_lossy(&bytes[..count]), format!("ws/{}", found.real), "{given}");
                assert_eq!(found.through_link(), found.real != found.given);
                format!("file {}", found.real)
            }
            Leaf::There(_) => format!("folder {}", found.real),
            Leaf::Absent => format!("absent {}", found.real),
            Leaf::Dangling => {
                assert!(
                    disk.create(&found.dir, &found.name).unwrap_err().is_taken(),
                    "{given}: created through a link"
                );
                format!("dangling {}", found.real)
            }
        },
        Err(Unresolved::NoFolder(folder)) => format!("no folder {folder}"),
        Err(Unresolved::NotFolder(folder)) => format!("not a folder {folder}"),
        Err(Unresolved::Halt(Halt::Escape)) => "escape".to_owned(),
        Err(Unresolved::Halt(Halt::Os(error))) => {
            format!("{}", rustix::io::Errno::from_io_error(&error).unwrap().raw_os_error())
        }
        Err(Unresolved::Halt(halt)) => format!("{halt:?}"),
    }
}

fn check(links: &[(&str, &str)], given: &str, want: &str) {
    let (_home, root) = workspace(links);
    let disk = open(&root, Means::Best);
    assert_eq!(disk.means(), Means::Best, "this kernel resolves below a handle");
    assert_eq!(outcome(&disk, given), want, "{links:?} {given}");
}

const LOOP: &str = "40";

#[test]
fn without_links() {
    check(&[], "in/file", "file in/file");
    check(&[], ".", "folder .");
    check(&[], "in/deep", "folder in/deep");
    check(&[], "in/new", "absent in/new");
    check(&[], "no/where/new", "no folder no");
    check(&[], "in/no/where/new", "no folder in/no");
    check(&[], "in/file/x", "not a folder in/file");
}

#[test]
fn leaf_links() {
    check(&[("l", "in/file")], "l", "file in/file");
    check(&[("l", "in/../in/file")], "l", "file in/file");
    check(&[("l", "in")], "l", "folder in");
    check(&[("l", "in/")], "l", "folder in");
    check(&[("l", ".")], "l", "folder .");
    check(&[("l", "in/deep/..")], "l", "folder in");
    check(&[("in/l", "../in/file")], "in/l", "file in/file");
    check(&[("l", "m"), ("m", "in/file")], "l", "file in/file"); // chained
    check(&[("l", "l")], "l", LOOP);
    check(&[("l", "m"), ("m", "l")], "l", LOOP);
    check(&[("l", "in/none")], "l", "dangling in/none");
    check(&[("l", "none/none")], "l", "dangling none/none");
    check(&[("l", "m"), ("m", "in/none")], "l", "dangling in/none");
    check(&[("l", "../out/file")], "l", "escape");
    check(&[("l", "../out/none")], "l", "escape"); // dangling, and out
    check(&[("l", "../ws/in/file")], "l", "escape"); // out and in again is out
    check(&[("l", "../ws-evil/file")], "l", "escape");
    check(&[("l", "..")], "l", "escape");
    check(&[("l", "/etc/passwd")], "l", "escape");
    check(&[("l", "$HOME/ws/in/file")], "l", "escape"); // absolute, though inward
    check(&[("l", "/proc/self/root/etc/passwd")], "l", "escape");
    check(&[("l", "m"), ("m", "../out/file")], "l", "escape");
}

#[test]
fn links_on_the_way() {
    check(&[("d", "in")], "d/file", "file in/file");
    check(&[("d", "in")], "d/new", "absent in/new");
    check(&[("d", "in")], "d/deep/file", "file in/deep/file"); // grandparent
    check(&[("d", "e"), ("e", "in")], "d/deep/file", "file in/deep/file");
    check(&[("d", "in/deep/..")], "d/file", "file in/file");
    check(&[("in/d", "../in/deep")], "in/d/file", "file in/deep/file");
    check(&[("d", "in"), ("in/l", "deep/file")], "d/l", "file in/deep/file");
    check(&[("d", "in"), ("in/l", "../../out/file")], "d/l", "escape");
    check(&[("d", "../out")], "d/file", "escape");
    check(&[("d", "../out")], "d/none", "escape");
    check(&[("d", "../out")], "d/deep/file", "escape");
    check(&[("d", "$HOME/out")], "d/file", "escape");
    check(&[("d", "$HOME/ws/in")], "d/file", "escape");
    check(&[("d", "/proc/self/cwd")], "d/file", "escape");
    check(&[("d", "e"), ("e", "../out")], "d/file", "escape");
    check(&[("d", "d")], "d/file", LOOP);
    check(&[("d", "none")], "d/file", "no folder d");
    check(&[("d", "in/file")], "d/file", "not a folder d");
    check(&[("d", "in/../..")], "d/out/file", "escape");
    check(&[("d", "in/deep"), ("l", "d/../file")], "l", "file in/file"); // `..` of where the link leads
}

#[test]
fn magic_links_are_not_followed() {
    let disk = open(Path::new("/proc"), Means::Best);
    for given in ["self/root/etc/passwd", "self/cwd", "self/exe", "self/fd/0", "self/root"] {
        assert_eq!(outcome(&disk, given), "escape", "{given}");
    }
}

#[test]
fn the_last_link_itself() {
    let (_home, root) = workspace(&[("l", "../out/file"), ("d", "in"), ("in/m", "/etc/passwd")]);
    let disk = open(&root, Means::Best);
    for (given, real) in [("l", "l"), ("d/m", "in/m")] {
        let found = disk.resolve_no_follow(&path(given)).unwrap();
        assert_eq!((found.stat().unwrap().sort, found.real.as_str()), (Sort::Link, real));
        assert!(matches!(disk.open(&found.dir, &found.name), Err(Halt::Os(_))));
        disk.rename(At::new(&found.dir, &found.name), At::new(&found.dir, "moved"), Rename::NoReplace).unwrap();
        disk.remove(&found.dir, "moved").unwrap();
    }
    assert_eq!(fs::read_to_string(root.join("../out/file")).unwrap(), "out/file");
}

#[test]
fn without_the_kernels_help_no_link_is_followed() {
    let links = [("l", "in/file"), ("d", "in"), ("o", "../out"), ("x", "x"), ("n", "none")];
    let (_home, root) = workspace(&links);
    let disk = open(&root, Means::Portable);
    for (given, want) in [
        ("in/file", "file in/file"),
        ("in/deep/file", "file in/deep/file"),
        ("in/none/x", "no folder in/none"),
        ("in/file/x", "not a folder in/file"),
        ("l", "escape"),
        ("d/file", "escape"),
        ("o/file", "escape"),
        ("x", "escape"),
        ("n", "escape"),
    ] {
        assert_eq!(outcome(&disk, given), want, "{given}");
    }
}

#[test]
fn a_held_folder_knows_where_it_is() {
    let (_home, root) = workspace(&[("d", "in"), ("e", "d/deep")]);
    let disk = open(&root, Means::Best);
    let held = |given: &str| disk.folder(&path(given)).unwrap();
    for (given, want) in [("in", "in"), ("d", "in"), ("e", "in/deep"), ("d/deep", "in/deep"), (".", "")] {
        assert_eq!(held(given).path().unwrap().as_str(), want, "{given}");
    }
    assert!(held("e") == held("in/deep") && held("d") != held("e"));
}

#[test]
fn roots_are_known_by_both_spellings() {
    let (home, root) = workspace(&[]);
    symlink("ws", home.path().join("alias")).unwrap();
    let disk = open(&home.path().join("alias"), Means::Best);
    for base in [root, home.path().join("alias")] {
        let absolute = base.join("in/file");
        let parsed = RelPath::parse(absolute.to_str().unwrap(), &disk.roots()).unwrap();
        assert_eq!(parsed.as_str(), "in/file");
    }
    let twin = home.path().join("ws-evil/file");
    assert!(RelPath::parse(twin.to_str().unwrap(), &disk.roots()).is_err());
}
