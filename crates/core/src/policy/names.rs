//! Names that are closed, as folded paths: state of ours wherever it may stand, and what likely holds secrets.

use super::{Access, STATE_DIR};

/// The folder that git keeps its own in.
pub(super) const GIT: &str = ".git";
/// The folder below a git directory that holds state of ours.
const STATE_IN_GIT: &str = "patchwright";

/// Does one of a path's names read so?
pub(super) fn has_name(folded: &str, wanted: &str) -> bool {
    folded.split('/').any(|name| name == wanted)
}

/// Is a path this folder, or in it?
pub(super) fn is_within(folded: &str, folder: &str) -> bool {
    folded.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Does a path lie in state of ours, of this workspace or of one below it?
pub(super) fn is_state(folded: &str) -> bool {
    has_name(folded, STATE_DIR) || below_git(folded).any(is_state_in_git)
}

/// Of a path in a git directory: is it state of ours? Linked worktrees and submodules have git directories of their
/// own in there, the latter at any depth.
fn is_state_in_git(below: &str) -> bool {
    let mut names = below.split('/');
    match names.next() {
        Some(STATE_IN_GIT) => true,
        Some("worktrees") => names.nth(1) == Some(STATE_IN_GIT),
        Some("modules") => names.any(|name| name == STATE_IN_GIT),
        _ => false,
    }
}

/// What follows each `.git` in a path.
fn below_git(folded: &str) -> impl Iterator<Item = &str> {
    let starts = folded.match_indices(GIT).filter_map(move |(at, name)| {
        let begins = at == 0 || folded.get(..at).is_some_and(|before| before.ends_with('/'));
        folded.get(at + name.len()..).filter(|_| begins)?.strip_prefix('/')
    });
    starts.filter(|below| !below.is_empty())
}

/// The pattern of likely secrets that a path falls under.
pub(super) fn secret(folded: &str, access: Access) -> Option<&'static str> {
    let mut folder = "";
    for name in folded.split('/') {
        if let Some(pattern) = secret_name(name).or_else(|| secret_in(folder, name)) {
            return Some(pattern);
        }
        folder = name;
    }
    let holds_config = access == Access::Read && below_git(folded).any(is_git_config);
    holds_config.then_some(".git/config")
}

fn secret_name(name: &str) -> Option<&'static str> {
    const WHOLE: [&str; 6] = [".env", ".npmrc", ".netrc", ".pypirc", ".htpasswd", ".git-credentials"];
    const BEGIN: [(&str, &str); 4] =
        [(".env.", ".env.*"), ("id_rsa", "id_rsa*"), ("id_ed25519", "id_ed25519*"), ("id_ecdsa", "id_ecdsa*")];
    const END: [(&str, &str); 5] =
        [(".pem", "*.pem"), (".key", "*.key"), (".p12", "*.p12"), (".pfx", "*.pfx"), (".jks", "*.jks")];
    if name == ".env.example" {
        return None;
    }
    let whole = WHOLE.into_iter().find(|known| *known == name);
    let begin = || BEGIN.into_iter().find(|(known, _)| name.starts_with(known)).map(|(_, pattern)| pattern);
    let end = || END.into_iter().find(|(known, _)| name.ends_with(known)).map(|(_, pattern)| pattern);
    whole.or_else(begin).or_else(end)
}

/// Names that hold secrets in one folder only.
fn secret_in(folder: &str, name: &str) -> Option<&'static str> {
    match (folder, name) {
        (".aws", "credentials") => Some(".aws/credentials"),
        (".kube", "config") => Some(".kube/config"),
        (".docker", "config.json") => Some(".docker/config.json"),
        _ => None,
    }
}

/// Of a path in a git directory: is it its configuration, in which the addresses of remotes may hold passwords?
fn is_git_config(below: &str) -> bool {
    let is_config = |name: &str| name == "config" || name.starts_with("config.");
    let mut names = below.split('/');
    match names.next() {
        Some("worktrees") => names.nth(1).is_some_and(is_config) && names.next().is_none(),
        Some("modules") => names.next_back().is_some_and(is_config),
        Some(name) => is_config(name) && names.next().is_none(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets() {
        for (path, want) in [
            ("src/main.rs", None),
            (".env", Some(".env")),
            (".env.example", None),
            (".env.local/x", Some(".env.*")),
            ("a/id_ed25519", Some("id_ed25519*")),
            ("id_ecdsa_sk.pub", Some("id_ecdsa*")),
            (".git-credentials", Some(".git-credentials")),
            ("home/.aws/credentials", Some(".aws/credentials")),
            ("aws/credentials", None),
            (".aws/config", None),
            (".kube/config", Some(".kube/config")),
            (".docker/config.json", Some(".docker/config.json")),
            ("config.json", None),
            (".pypirc", Some(".pypirc")),
            (".htpasswd", Some(".htpasswd")),
            ("a.p12", Some("*.p12")),
            ("a.pfx", Some("*.pfx")),
            ("a.jks", Some("*.jks")),
            ("a.jksx", None),
        ] {
            assert_eq!(secret(path, Access::Read), want, "{path}");
            assert_eq!(secret(path, Access::Write), want, "{path}");
        }
    }

    #[test]
    fn the_configuration_of_git_is_a_secret_for_readers() {
        for (path, want) in [
            (".git/config", true),
            ("sub/.git/config.worktree", true),
            (".git/worktrees/w/config.worktree", true),
            (".git/modules/a/b/config", true),
            (".git/modules/a/config/x", false),
            (".git/head", false),
            (".git/hooks/config", false),
            (".gitconfig", false),
            ("x.git/config", false),
            (".git", false),
            ("git/config", false),
        ] {
            assert_eq!(secret(path, Access::Read).is_some(), want, "{path}");
            assert_eq!(secret(path, Access::Write), None, "{path}");
        }
    }
}
