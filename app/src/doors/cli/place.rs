//! CLI door: where a person is: which workspace that is, and from where paths count.

use crate::doors::open::Surroundings;
use crate::report::people::View;
use std::path::{Path, PathBuf};

/// A workspace, and where in it one stands.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The workspace.
    pub(super) root: PathBuf,
    /// The folder below it from which paths count; empty for the root itself.
    pub(super) here: String,
}

/// Which folder is the root where none is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unnamed {
    /// The nearest root upwards: people are somewhere in it.
    Upwards,
    /// The current folder: programs mean the one that they are in.
    Current,
}

impl Place {
    /// The root that was given, from which paths then count; or else what the reader means without one.
    pub(super) fn find(
        given: Option<&Path>,
        unnamed: Unnamed,
        state_dir: Option<&Path>,
        surroundings: &Surroundings,
    ) -> Place {
        let current = surroundings.current.as_deref().unwrap_or(Path::new("."));
        match given {
            Some(root) => Place { root: root.to_owned(), here: String::new() },
            None if unnamed == Unnamed::Current => Place { root: current.to_owned(), here: String::new() },
            None => upwards(current, state_dir, surroundings),
        }
    }
}

fn upwards(start: &Path, state_dir: Option<&Path>, surroundings: &Surroundings) -> Place {
    let nowhere = || Place { root: start.to_owned(), here: String::new() };
    let Some(start) = patchwright_engine::real_path(start) else { return nowhere() };
    let root = patchwright_engine::Workspace::find_root(&start, state_dir, &surroundings.home);
    match start.strip_prefix(&root).ok().and_then(Path::to_str) {
        Some(here) => Place { here: here.to_owned(), root },
        // A folder whose name is no text: paths count from the root.
        None => Place { root, here: String::new() },
    }
}

/// A path as it was typed, told from the root.
pub(super) fn typed(path: &str, view: &View) -> String {
    match view.here.as_str() {
        "" => path.to_owned(),
        _ if path.starts_with('/') => path.to_owned(),
        here => format!("{here}/{path}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_counts_from_here() {
        for (here, path, want) in [
            ("", "src/a.rs", "src/a.rs"),
            ("src", "a.rs", "src/a.rs"),
            ("src", "../README.md", "src/../README.md"),
            ("src", "/w/src/a.rs", "/w/src/a.rs"),
        ] {
            assert_eq!(typed(path, &View { here: here.to_owned(), ..View::default() }), want);
        }
    }
}
