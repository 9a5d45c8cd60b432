//! Target `paths`: the lexical guard against a plain walk up and down.

use crate::feed::Feed;
use patchwright_core::path::{NAME_MAX, PATH_MAX, PathProblem, RelPath};

const ROOTS: &[&str] = &["/srv/ws", "/d"];

const NAMES: &[&str] = &[
    "a", "..", ".", "", "srv", "ws", "d", "ws-evil", "...", "..a", ".git", "b c", "\\", "日", "\0", "~", "%2e%2e",
    "\u{2024}",
];

pub(crate) fn run(data: &[u8]) {
    let mut feed = Feed::new(data);
    let spelt = match feed.below(4) {
        0 => String::from_utf8_lossy(feed.rest()).into_owned(),
        _ => spelt(&mut feed),
    };
    let roots = feed.pick(&[ROOTS, &[]]);
    check(&spelt, roots);
}

fn spelt(feed: &mut Feed<'_>) -> String {
    let mut spelt = feed.pick(&["", "/", "/srv/ws", "/srv/ws/", "/d/../srv/ws", "//srv//ws/."]).to_owned();
    while !feed.is_empty() && spelt.len() < 2 * PATH_MAX {
        match feed.once_in(12) {
            true => spelt.push_str(&"x".repeat(feed.pick(&[NAME_MAX - 1, NAME_MAX, NAME_MAX + 1, 1000]))),
            false => spelt.push_str(feed.pick(NAMES)),
        }
        if !feed.once_in(9) {
            spelt.push('/');
        }
    }
    spelt
}

/// Where a walk from the system's root, or from the workspace's, ends up.
fn walked(spelt: &str) -> Option<Vec<&str>> {
    let mut depth: Vec<&str> = Vec::new();
    let mut rest = spelt;
    while !rest.is_empty() {
        let (name, more) = rest.split_once('/').unwrap_or((rest, ""));
        match name {
            "" | "." => {}
            ".." if depth.is_empty() => return None,
            ".." => drop(depth.pop()),
            name => depth.push(name),
        }
        rest = more;
    }
    Some(depth)
}

/// What the guard has to say.
fn wanted(spelt: &str, roots: &[&str]) -> Result<String, PathProblem> {
    if spelt.is_empty() {
        return Err(PathProblem::Empty);
    }
    if spelt.bytes().any(|byte| byte == 0) {
        return Err(PathProblem::Nul);
    }
    let names = walked(spelt).ok_or(PathProblem::Outside)?;
    let names = match spelt.starts_with('/') {
        false => names,
        true => {
            let below =
                roots.iter().find_map(|root| names.strip_prefix(walked(root)?.as_slice()).map(<[&str]>::to_vec));
            below.ok_or(PathProblem::Outside)?
        }
    };
    let path = names.join("/");
    if path.len() > PATH_MAX || names.iter().any(|name| name.len() > NAME_MAX) {
        return Err(PathProblem::TooLong);
    }
    Ok(path)
}

fn check(spelt: &str, roots: &[&str]) {
    let found = RelPath::parse(spelt, roots);
    assert_eq!(found.clone().map(String::from), wanted(spelt, roots), "{spelt:?} below {roots:?}");
    let Ok(path) = found else { return };
    family(&path);
}

/// What a path says of itself and of those around it.
fn family(path: &RelPath) {
    let names: Vec<&str> = path.as_str().split('/').filter(|name| !name.is_empty()).collect();
    assert_eq!(path.segments().collect::<Vec<_>>(), names);
    assert!(!names.iter().any(|name| matches!(*name, "." | "..")), "{path} climbs");
    assert_eq!(path.is_root(), names.is_empty());
    assert_eq!(path.name(), names.last().copied().unwrap_or_default());
    let again = RelPath::try_from(String::from(path.clone()));
    assert_eq!(again.as_ref(), Ok(path), "what is stored is not read back");
    let above: Vec<String> =
        (1..names.len()).map(|count| names.iter().take(count).copied().collect::<Vec<_>>().join("/")).collect();
    assert_eq!(path.ancestors().iter().map(|one| one.as_str().to_owned()).collect::<Vec<_>>(), above);
    for folder in path.ancestors() {
        assert!(path.is_within(&folder) && !folder.is_within(path), "{path} in {folder}");
        let twin = RelPath::try_from(format!("{}x", folder.as_str()));
        assert!(twin.is_err() || twin.is_ok_and(|twin| !path.is_within(&twin)), "{path} in a twin of {folder}");
    }
    if let Some((parent, name)) = path.split() {
        assert_eq!(parent.join(name).as_ref(), Some(path), "parted and joined");
    }
    for name in ["", ".", "..", "a/b", "a\0"] {
        assert_eq!(path.join(name), None, "{name:?} is no single name");
    }
}
