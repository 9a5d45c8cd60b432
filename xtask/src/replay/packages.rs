//! Edits out of packages: two consecutive versions of one are one edit of a whole tree.
//!
//! A folder holds unpacked packages (`name-1.2.3/`) or archives of them (`.crate`, `.tgz`, `.tar.gz`),
//! which `tar` unpacks into a temporary folder when their turn comes.

use super::Bounds;
use super::edit::{Change, Edit, Edits, File, Mode, Reason};
use super::place;
use super::version::{Version, split};
use crate::failure::Failure;
use crate::run;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;

const ARCHIVES: &[&str] = &[".crate", ".tgz", ".tar.gz"];

/// Pairs of consecutive versions.
pub(crate) struct Packages {
    pairs: Vec<(PathBuf, PathBuf)>,
    max_file_bytes: usize,
}

impl Packages {
    /// Finds the packages in a folder; at most as many pairs as the bounds say.
    pub(crate) fn of(folder: &Path, bounds: Bounds) -> Result<Packages, Failure> {
        let fail = |error: std::io::Error| Failure::io(folder.display(), &error);
        let mut known: BTreeMap<String, Vec<(Version, PathBuf)>> = BTreeMap::new();
        for entry in fs::read_dir(folder).map_err(fail)? {
            let path = entry.map_err(fail)?.path();
            if let Some((name, version)) = stem(&path).as_deref().and_then(split) {
                known.entry(name.to_owned()).or_default().push((version, path));
            }
        }
        let mut pairs = Vec::new();
        for mut versions in known.into_values() {
            versions.sort();
            versions.dedup_by(|one, two| one.0 == two.0);
            pairs.extend(versions.iter().zip(versions.iter().skip(1)).map(|(old, new)| (old.1.clone(), new.1.clone())));
        }
        pairs.truncate(bounds.limit);
        Ok(Packages { pairs, max_file_bytes: bounds.max_file_bytes })
    }
}

impl Edits for Packages {
    type Reader = ();

    fn count(&self) -> usize {
        self.pairs.len()
    }

    fn reader(&self) -> Result<(), Failure> {
        Ok(())
    }

    fn edit(&self, at: usize, _reader: &mut ()) -> Result<Edit, Failure> {
        let Some((old, new)) = self.pairs.get(at) else { return Ok(Edit::default()) };
        let name = format!("{} -> {}", stem(old).unwrap_or_default(), stem(new).unwrap_or_default());
        Ok(compare(name, tree(old)?, tree(new)?, self.max_file_bytes))
    }
}

/// The name of a package's folder or archive, without what its sort adds.
fn stem(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let archive = ARCHIVES.iter().find_map(|end| name.strip_suffix(end));
    archive.or_else(|| path.is_dir().then_some(name)).map(str::to_owned)
}

/// Something in a package.
#[derive(PartialEq, Eq)]
enum Item {
    File(File),
    Link,
}

fn tree(package: &Path) -> Result<BTreeMap<String, Item>, Failure> {
    if package.is_dir() {
        return read(package);
    }
    let folder = place::scratch()?;
    let mut tar = Command::new("tar");
    tar.arg("-xzf").arg(package).arg("-C").arg(folder.path());
    tar.args(["--strip-components=1", "--no-same-owner", "--no-same-permissions"]);
    run::output(tar, "take away the archive that is damaged")?;
    read(folder.path())
}

fn read(root: &Path) -> Result<BTreeMap<String, Item>, Failure> {
    let mut items = BTreeMap::new();
    for path in place::names(root)? {
        let place = root.join(&path);
        let fail = |error: std::io::Error| Failure::io(place.display(), &error);
        let meta = fs::symlink_metadata(&place).map_err(fail)?;
        let item = if meta.is_file() {
            let mode = if meta.mode() & 0o111 == 0 { Mode::Plain } else { Mode::Executable };
            Item::File(File { bytes: fs::read(&place).map_err(fail)?, mode })
        } else {
            Item::Link
        };
        items.insert(path, item);
    }
    Ok(items)
}

fn compare(name: String, mut old: BTreeMap<String, Item>, new: BTreeMap<String, Item>, max_file_bytes: usize) -> Edit {
    let mut edit = Edit { name, ..Edit::default() };
    let fits = |file: &File| file.bytes.len() <= max_file_bytes;
    for (path, after) in new {
        match (old.remove(&path), after) {
            (Some(Item::File(before)), Item::File(after)) if before == after => edit.bystanders.push((path, before)),
            (Some(Item::File(before)), Item::File(after)) if fits(&before) && fits(&after) => {
                edit.changes.push(Change::Update { path, before, after });
            }
            (None, Item::File(after)) if fits(&after) => edit.changes.push(Change::Add { path, after }),
            (None | Some(Item::File(_)), Item::File(_)) => edit.left_out.push(Reason::TooLarge),
            (Some(Item::Link), Item::Link) => {}
            (None, Item::Link) => edit.left_out.push(Reason::Link),
            (Some(_), _) => edit.left_out.push(Reason::TypeChange),
        }
    }
    for (path, before) in old {
        match before {
            Item::File(before) => edit.changes.push(Change::Delete { path, before }),
            Item::Link => edit.left_out.push(Reason::Link),
        }
    }
    edit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_one_package_are_paired_in_order() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b-0.2.0", "b-0.10.0", "b-0.9.0", "a-1.0.0", "c-1.0.0-rc.1", "c-1.0.0", "no version"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        fs::write(folder.path().join("a-1.1.0.crate"), "").unwrap();
        fs::write(folder.path().join("a-1.2.0.txt"), "").unwrap();
        let packages = Packages::of(folder.path(), Bounds { limit: 9, max_file_bytes: 9 }).unwrap();
        let names: Vec<_> = packages.pairs.iter().map(|(old, new)| (stem(old).unwrap(), stem(new).unwrap())).collect();
        let expected =
            [("a-1.0.0", "a-1.1.0"), ("b-0.2.0", "b-0.9.0"), ("b-0.9.0", "b-0.10.0"), ("c-1.0.0-rc.1", "c-1.0.0")];
        assert_eq!(names, expected.map(|(old, new)| (old.to_owned(), new.to_owned())));
    }

    #[test]
    fn trees_are_compared() {
        let file = |text: &str| Item::File(File { bytes: text.into(), mode: Mode::Plain });
        let tree = |rows: Vec<(&str, Item)>| rows.into_iter().map(|(path, item)| (path.to_owned(), item)).collect();
        let old = tree(vec![("same", file("s")), ("up", file("1")), ("gone", file("g")), ("l", Item::Link)]);
        let new = tree(vec![("same", file("s")), ("up", file("2")), ("new", file("n")), ("l", file(""))]);
        let edit = compare("x".into(), old, new, 5);
        assert_eq!((edit.changes.len(), edit.bystanders.len()), (3, 1), "{edit:?}");
        assert_eq!(edit.left_out, [Reason::TypeChange]);
        let (old, new) = (tree(vec![("up", file("1"))]), tree(vec![("up", file("123456")), ("k", Item::Link)]));
        assert_eq!(compare("x".into(), old, new, 5).left_out, [Reason::Link, Reason::TooLarge]);
    }
}
