//! Workspace paths. A [`RelPath`] is normalised, relative, and cannot leave the root by its spelling;
//! what links do is the guard's business (the store), what policy says is [`crate::policy`]'s.

use crate::seeded::{Bug, is_planted};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Longest name of one file or folder, in bytes, as Linux file systems have it.
pub const NAME_MAX: usize = 255;
/// Longest path, in bytes.
pub const PATH_MAX: usize = 4095;

/// A path below the workspace root: segments joined by `/`, without `.`, `..` or empty ones.
/// The root itself is the empty path, shown as `.`.
///
/// ```
/// use patchwright_core::path::RelPath;
/// assert_eq!(RelPath::parse("./src//app/../main.rs", &[]).unwrap().as_str(), "src/main.rs");
/// assert!(RelPath::parse("src/../../etc/passwd", &[]).is_err());
/// assert_eq!(RelPath::parse("/srv/ws/a", &["/srv/ws"]).unwrap().as_str(), "a");
/// assert!(RelPath::parse("/srv/ws-evil/a", &["/srv/ws"]).is_err());
/// ```
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RelPath(String);

/// Why a spelling is not a path of this workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathProblem {
    /// Nothing was given.
    Empty,
    /// `..` climbs above the root, or an absolute path lies elsewhere.
    Outside,
    /// A NUL byte, which no file system takes.
    Nul,
    /// A segment longer than [`NAME_MAX`], or the whole longer than [`PATH_MAX`].
    TooLong,
}

/// Why a name may not be given to a new file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameProblem {
    /// A backslash: a separator on other systems.
    Backslash,
    /// A control character such as a line break or an escape.
    Control(char),
    /// A character that reorders the text around it.
    Bidi(char),
    /// An invisible tag character.
    Tag(char),
}

impl RelPath {
    /// The workspace root.
    pub fn root() -> RelPath {
        RelPath(String::new())
    }

    /// Normalises what a caller wrote. An absolute path counts if it lies below one of `roots`
    /// (the spellings of the root itself, without a final slash).
    pub fn parse(given: &str, roots: &[&str]) -> Result<RelPath, PathProblem> {
        if given.is_empty() {
            return Err(PathProblem::Empty);
        }
        if given.contains('\0') {
            return Err(PathProblem::Nul);
        }
        let below = if given.starts_with('/') { below_root(given, roots)? } else { given.to_owned() };
        let path = normalise(&below)?;
        let long = path.len() > PATH_MAX || path.split('/').any(|name| name.len() > NAME_MAX);
        if long { Err(PathProblem::TooLong) } else { Ok(RelPath(path)) }
    }

    /// The path as text; empty for the root.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Is this the root itself?
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The names from the root down.
    pub fn segments(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.0.split('/').filter(|name| !name.is_empty())
    }

    /// The folder this lies in, and its own name. The root has neither.
    pub fn split(&self) -> Option<(RelPath, &str)> {
        if self.is_root() {
            return None;
        }
        Some(match self.0.rsplit_once('/') {
            Some((parent, name)) => (RelPath(parent.to_owned()), name),
            None => (RelPath::root(), &self.0),
        })
    }

    /// The last name; empty for the root.
    pub fn name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or_default()
    }

    /// The folder this lies in; the root's is the root.
    pub fn parent(&self) -> RelPath {
        self.split().map_or_else(RelPath::root, |(parent, _)| parent)
    }

    /// A child of this folder. The name must be a single segment, else nothing is made.
    pub fn join(&self, name: &str) -> Option<RelPath> {
        let single = !matches!(name, "" | "." | "..") && !name.contains(['/', '\0']);
        let long = name.len() > NAME_MAX || self.0.len() + 1 + name.len() > PATH_MAX;
        if !single || long {
            return None;
        }
        Some(RelPath(if self.is_root() { name.to_owned() } else { format!("{}/{name}", self.0) }))
    }

    /// All folders from the root's child down to this path's parent.
    pub fn ancestors(&self) -> Vec<RelPath> {
        let slashes = self.0.match_indices('/').map(|(at, _)| at);
        slashes.filter_map(|at| self.0.get(..at)).map(|part| RelPath(part.to_owned())).collect()
    }

    /// Does this lie in `folder`, or is it that folder?
    pub fn is_within(&self, folder: &RelPath) -> bool {
        folder.is_root() || self.0.strip_prefix(&folder.0).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// What stands against giving this name to something new.
    pub fn name_problem(&self) -> Option<NameProblem> {
        self.0.chars().find_map(name_problem)
    }
}

impl fmt::Display for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_root() { "." } else { &self.0 })
    }
}

impl fmt::Debug for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl From<RelPath> for String {
    fn from(path: RelPath) -> String {
        path.0
    }
}

/// Reading a stored path checks it like a caller's: a forged record must not leave the root.
impl TryFrom<String> for RelPath {
    type Error = String;

    fn try_from(text: String) -> Result<RelPath, String> {
        match RelPath::parse(&text, &[]) {
            Ok(path) if path.0 == text => Ok(path),
            Err(PathProblem::Empty) => Ok(RelPath::root()),
            _ => Err(format!("not a normalised relative path: {text:?}")),
        }
    }
}

fn below_root(given: &str, roots: &[&str]) -> Result<String, PathProblem> {
    let flat = format!("/{}", normalise(given)?);
    let below = roots.iter().find_map(|root| match flat.strip_prefix(root.trim_end_matches('/')) {
        Some("") => Some("."),
        Some(rest) if is_planted(Bug::PrefixCompared) => Some(rest),
        Some(rest) => rest.strip_prefix('/'),
        None => None,
    });
    below.map(str::to_owned).ok_or(PathProblem::Outside)
}

fn normalise(path: &str) -> Result<String, PathProblem> {
    let mut kept: Vec<&str> = Vec::new();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => drop(kept.pop().ok_or(PathProblem::Outside)?),
            name => kept.push(name),
        }
    }
    Ok(kept.join("/"))
}

fn name_problem(c: char) -> Option<NameProblem> {
    match c {
        '\\' => Some(NameProblem::Backslash),
        c if c.is_control() => Some(NameProblem::Control(c)),
        '\u{2028}' | '\u{2029}' => Some(NameProblem::Control(c)),
        '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            Some(NameProblem::Bidi(c))
        }
        '\u{e0000}'..='\u{e007f}' => Some(NameProblem::Tag(c)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(given: &str, want: Result<&str, PathProblem>) {
        let got = RelPath::parse(given, &["/srv/ws", "/data"]);
        assert_eq!(got.as_ref().map(RelPath::as_str), want.as_ref().copied(), "{given:?}");
    }

    #[test]
    fn spellings() {
        check("a", Ok("a"));
        check("./a//b/", Ok("a/b"));
        check("a/../b", Ok("b"));
        check(".", Ok(""));
        check("a/..", Ok(""));
        check("", Err(PathProblem::Empty));
        check("..", Err(PathProblem::Outside));
        check("a/../../b", Err(PathProblem::Outside));
        check("../ws/a", Err(PathProblem::Outside));
        check("/etc/passwd", Err(PathProblem::Outside));
        check("/srv/ws", Ok(""));
        check("/srv/ws/", Ok(""));
        check("/srv/ws/a/../b", Ok("b"));
        check("/srv/ws/../ws/b", Ok("b"));
        check("/srv/ws-evil/b", Err(PathProblem::Outside));
        check("/srv/ws/../x", Err(PathProblem::Outside));
        check("/srv/ws/../../../x", Err(PathProblem::Outside));
        check("/proc/self/root/srv/ws/a", Err(PathProblem::Outside));
        check("a\0b", Err(PathProblem::Nul));
        check(&"x".repeat(255), Ok(&"x".repeat(255)));
        check(&"x".repeat(256), Err(PathProblem::TooLong));
        check(&"x/".repeat(3000), Err(PathProblem::TooLong));
        let longest = format!("{}x", "x/".repeat(2047));
        check(&longest, Ok(&longest));
        check("..a/...", Ok("..a/..."));
    }

    #[test]
    fn new_names() {
        let problem = |text: &str| RelPath::parse(text, &[]).ok().and_then(|path| path.name_problem());
        assert_eq!(problem("a b/ü-\u{200d}.txt"), None);
        assert_eq!(problem("a\\b"), Some(NameProblem::Backslash));
        assert_eq!(problem("a\nb"), Some(NameProblem::Control('\n')));
        assert_eq!(problem("a\u{85}b"), Some(NameProblem::Control('\u{85}')));
        assert_eq!(problem("a\u{202e}b"), Some(NameProblem::Bidi('\u{202e}')));
        assert_eq!(problem("a\u{e0041}b"), Some(NameProblem::Tag('\u{e0041}')));
    }

    #[test]
    fn family() {
        let path = RelPath::parse("a/b/c", &[]).unwrap();
        assert_eq!(path.ancestors().iter().map(RelPath::as_str).collect::<Vec<_>>(), ["a", "a/b"]);
        assert_eq!(path.parent().as_str(), "a/b");
        assert!(path.is_within(&path.parent()) && !path.is_within(&RelPath::parse("a/bc", &[]).unwrap()));
        assert_eq!(path.join("d").unwrap().as_str(), "a/b/c/d");
        assert_eq!(path.join(".."), None);
        assert_eq!((path.name(), RelPath::root().name()), ("c", ""));
        assert_eq!((path.to_string(), RelPath::root().to_string()), ("a/b/c".to_owned(), ".".to_owned()));
        let deep = RelPath::parse(&"x/".repeat(2047), &[]).unwrap();
        assert_eq!(deep.join("y").map(|path| path.as_str().len()), Some(PATH_MAX));
        assert_eq!(deep.join("yy"), None);
    }
}
