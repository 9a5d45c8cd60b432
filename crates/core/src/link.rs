//! Where the target text of a symbolic link leads, by its spelling alone.
//!
//! A target that climbs (`..`) only at its start, and no further than the root, stays inside whatever stands on its way,
//! as long as the links there do the same: none of them can be combined with others to lead out. One that climbs after
//! a name leads to where that name says, and the name may become a link.

use crate::path::{PathProblem, RelPath};

/// Where a link leads by its spelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lead {
    /// To this path of the workspace.
    Inside(RelPath),
    /// So many folders above the root, and down these names.
    Above {
        /// How many folders.
        folders: usize,
        /// The names from there.
        names: Vec<String>,
    },
    /// To an absolute path, wherever the link stands.
    Absolute,
    /// Nowhere: it is no path.
    Malformed(PathProblem),
}

impl Lead {
    /// Where a link with this target leads from the folder that it stands in.
    pub fn of(folder: &RelPath, target: &str) -> Lead {
        if target.starts_with('/') {
            return Lead::Absolute;
        }
        let (mut folders, mut names) = (0, folder.segments().collect::<Vec<&str>>());
        for name in target.split('/').filter(|name| !matches!(*name, "" | ".")) {
            match name {
                ".." if names.pop().is_none() => folders += 1,
                ".." => {}
                name => names.push(name),
            }
        }
        if folders > 0 {
            return Lead::Above { folders, names: names.into_iter().map(str::to_owned).collect() };
        }
        match RelPath::parse(&format!("./{}", names.join("/")), &[]) {
            _ if target.is_empty() => Lead::Malformed(PathProblem::Empty),
            Ok(path) => Lead::Inside(path),
            Err(problem) => Lead::Malformed(problem),
        }
    }
}

/// Does a target climb after a name?
pub fn climbs_after_a_name(target: &str) -> bool {
    let names = target.split('/').filter(|name| !matches!(*name, "" | "."));
    names.skip_while(|name| *name == "..").any(|name| name == "..")
}

/// The target that leads from a folder to a path.
pub fn relative(folder: &RelPath, to: &RelPath) -> String {
    let shared = folder.segments().zip(to.segments()).take_while(|(one, two)| one == two).count();
    let up = folder.segments().skip(shared).map(|_| "..");
    let way: Vec<&str> = up.chain(to.segments().skip(shared)).collect();
    if way.is_empty() { ".".to_owned() } else { way.join("/") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> RelPath {
        RelPath::parse(text, &[]).unwrap()
    }

    #[test]
    fn leads() {
        let check = |folder: &str, target: &str, want: Lead| {
            assert_eq!(Lead::of(&path(folder), target), want, "{folder} {target}");
        };
        let above =
            |folders, names: &[&str]| Lead::Above { folders, names: names.iter().map(ToString::to_string).collect() };
        check(".", "a/b", Lead::Inside(path("a/b")));
        check("d", "../a", Lead::Inside(path("a")));
        check("d", "..", Lead::Inside(RelPath::root()));
        check("d", "./x//y/.", Lead::Inside(path("d/x/y")));
        check("q", "n/../../f", Lead::Inside(path("f")));
        check(".", "../a", above(1, &["a"]));
        check("d", "../../a", above(1, &["a"]));
        check("d/e", "../../../../a/../b", above(2, &["b"]));
        check("d", "/a", Lead::Absolute);
        check("d", "", Lead::Malformed(PathProblem::Empty));
        check("d", "a\0b", Lead::Malformed(PathProblem::Nul));
    }

    #[test]
    fn climbs() {
        for plain in ["a", "../a", "../../a/b", "..", ".", "./../a", "..//..", "a..", "a/..b"] {
            assert!(!climbs_after_a_name(plain), "{plain}");
        }
        for late in ["n/..", "n/../../f", "../n/../f", "a/b/./../c"] {
            assert!(climbs_after_a_name(late), "{late}");
        }
    }

    #[test]
    fn ways() {
        let check = |folder: &str, to: &str, want: &str| {
            assert_eq!(relative(&path(folder), &path(to)), want, "{folder} {to}");
            assert_eq!(Lead::of(&path(folder), want), Lead::Inside(path(to)), "{folder} {to}");
            assert!(!climbs_after_a_name(want));
        };
        check(".", "a/b", "a/b");
        check("a", "a/b", "b");
        check("a/c", "a/b", "../b");
        check("a/c/d", "b", "../../../b");
        check("a", "a", ".");
        check("a/b", ".", "../..");
    }
}
