//! What may be read and written. Deny comes first; protected names are compared folded, so that no
//! other spelling gets round them. The guard asks about the path as given *and* about where links lead.

use crate::fold::fold;
use crate::path::RelPath;
use crate::seeded::{Bug, is_planted};
use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};

/// The state directory's name in the root: closed to every tool.
pub const STATE_DIR: &str = ".patchwright";
/// The settings file in the root: readable, never written by a tool.
pub const SETTINGS_FILE: &str = "patchwright.toml";

/// Settings as a person writes them, before they are compiled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// What may be read.
    pub read: Rules,
    /// What may be written.
    pub write: Rules,
    /// Names closed by default.
    pub protect: Protect,
    /// Sizes and times.
    pub limits: Limits,
    /// What is kept, and for how long.
    pub retention: Retention,
}

/// Globs for one kind of access. An empty `allow` allows everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// Only these.
    pub allow: Vec<String>,
    /// Never these, whatever `allow` says.
    pub deny: Vec<String>,
}

/// Names closed by default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Protect {
    /// Likely secrets, for reading and writing.
    pub secrets: Guarded,
    /// `.git`, for writing.
    pub git: Guarded,
    /// Paths that are exempt from both, as globs.
    pub except: Vec<String>,
}

/// Whether a default protection is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guarded {
    /// On.
    Yes,
    /// Off.
    No,
}

impl Default for Protect {
    fn default() -> Protect {
        Protect { secrets: Guarded::Yes, git: Guarded::Yes, except: Vec::new() }
    }
}

/// Sizes and times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Largest file that a text edit takes into memory, in bytes.
    pub max_file_bytes: u64,
    /// Largest request or patch, in bytes.
    pub max_request_bytes: u64,
    /// How long a writer waits for another, in milliseconds.
    pub lock_wait_ms: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { max_file_bytes: 512 << 20, max_request_bytes: 64 << 20, lock_wait_ms: 10_000 }
    }
}

/// What is kept, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// Nothing younger than this goes, in days.
    pub keep_days: u32,
    /// Once kept pre-images take more than this, in bytes, the oldest beyond `keep_days` go.
    pub max_bytes: u64,
}

impl Default for Retention {
    fn default() -> Retention {
        Retention { keep_days: 30, max_bytes: 4 << 30 }
    }
}

/// Read or write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Look at it.
    Read,
    /// Change it.
    Write,
}

/// Which rule forbids an access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Denial {
    /// What was tried.
    pub access: Access,
    /// What stands against it.
    pub rule: Rule,
    /// Where a link leads, if the rule is about that and not about the path as given.
    pub through: Option<String>,
}

/// What stands against an access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The state directory.
    State,
    /// The settings file.
    SettingsFile,
    /// `protect.git`.
    Git,
    /// `protect.secrets`, with the pattern that matched.
    Secret(&'static str),
    /// A glob in `read.deny` or `write.deny`.
    Deny(String),
    /// `read.allow` or `write.allow` lists other paths only.
    NotAllowed,
}

/// Compiled settings.
#[derive(Clone, Debug)]
pub struct Policy {
    read: Compiled,
    write: Compiled,
    secrets: Guarded,
    git: Guarded,
    except: GlobSet,
    /// Where state lies in the workspace under another name, folded.
    state: Option<String>,
}

#[derive(Clone, Debug)]
struct Compiled {
    allow: GlobSet,
    allows_all: bool,
    deny: GlobSet,
    deny_sources: Vec<String>,
}

/// A glob in the settings that does not compile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadGlob {
    /// The setting it stands in.
    pub setting: &'static str,
    /// The glob.
    pub glob: String,
    /// The compiler's message.
    pub message: String,
}

impl Policy {
    /// Compiles settings.
    pub fn new(settings: &Settings) -> Result<Policy, BadGlob> {
        Ok(Policy {
            read: compile(&settings.read, ["read.allow", "read.deny"])?,
            write: compile(&settings.write, ["write.allow", "write.deny"])?,
            secrets: settings.protect.secrets,
            git: settings.protect.git,
            except: globs(&settings.protect.except, "protect.except")?,
            state: None,
        })
    }

    /// Closes the folder in which state lies, where that is not the usual one.
    pub fn close_state(&mut self, folder: &RelPath) {
        self.state = Some(fold(folder.as_str()));
    }

    /// May this path be accessed so? The path is as the workspace knows it; ask again with the target
    /// where links lead elsewhere.
    pub fn check(&self, path: &RelPath, access: Access) -> Result<(), Denial> {
        let rule = self.protected(path, access).or_else(|| self.ruled(path, access));
        rule.map_or(Ok(()), |rule| Err(Denial { access, rule, through: None }))
    }

    /// Is this a name that is closed to changes whatever the lists say: state, settings, `.git`, secrets?
    pub fn is_protected(&self, path: &RelPath) -> bool {
        self.protected(path, Access::Write).is_some()
    }

    fn protected(&self, path: &RelPath, access: Access) -> Option<Rule> {
        let folded = fold(path.as_str());
        let mut names = folded.split('/');
        let first = names.clone().next().unwrap_or_default();
        let below = |state: &String| {
            folded.strip_prefix(state.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        if first == STATE_DIR || self.state.as_ref().is_some_and(below) {
            return Some(Rule::State);
        }
        if access == Access::Write && folded == SETTINGS_FILE {
            return Some(Rule::SettingsFile);
        }
        if self.except.is_match(path.as_str()) {
            return None;
        }
        if access == Access::Write && self.git == Guarded::Yes && names.clone().any(|name| name == ".git") {
            return Some(Rule::Git);
        }
        if self.secrets == Guarded::No {
            return None;
        }
        names.find_map(secret).map(Rule::Secret)
    }

    fn ruled(&self, path: &RelPath, access: Access) -> Option<Rule> {
        let rules = match access {
            Access::Read => &self.read,
            Access::Write => &self.write,
        };
        if let Some(at) = rules.deny.matches(path.as_str()).first() {
            return rules.deny_sources.get(*at).cloned().map(Rule::Deny);
        }
        let allowed = rules.allows_all || path.is_root() || rules.allow.is_match(path.as_str());
        (!allowed).then_some(Rule::NotAllowed)
    }
}

/// The glob dialect used everywhere: `globset` with `/` literal.
pub fn glob(pattern: &str) -> Result<Glob, globset::Error> {
    GlobBuilder::new(pattern).literal_separator(!is_planted(Bug::StarCrossesFolders)).build()
}

fn compile(rules: &Rules, [allow, deny]: [&'static str; 2]) -> Result<Compiled, BadGlob> {
    Ok(Compiled {
        allow: globs(&rules.allow, allow)?,
        allows_all: rules.allow.is_empty(),
        deny: globs(&rules.deny, deny)?,
        deny_sources: rules.deny.clone(),
    })
}

fn globs(patterns: &[String], setting: &'static str) -> Result<GlobSet, BadGlob> {
    let bad =
        |glob: &str, error: globset::Error| BadGlob { setting, glob: glob.to_owned(), message: error.to_string() };
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        set.add(glob(pattern).map_err(|error| bad(pattern, error))?);
    }
    set.build().map_err(|error| bad("", error))
}

/// The secret pattern that a folded name falls under.
fn secret(name: &str) -> Option<&'static str> {
    match name {
        ".env" => Some(".env"),
        ".env.example" => None,
        ".npmrc" => Some(".npmrc"),
        ".netrc" => Some(".netrc"),
        name if name.starts_with(".env.") => Some(".env.*"),
        name if name.ends_with(".pem") => Some("*.pem"),
        name if name.ends_with(".key") => Some("*.key"),
        name if name.starts_with("id_rsa") => Some("id_rsa*"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(settings: &Settings, path: &str, access: Access, want: Option<Rule>) {
        let policy = Policy::new(settings).unwrap();
        let path = RelPath::parse(path, &[]).unwrap();
        assert_eq!(policy.check(&path, access).err().map(|denial| denial.rule), want, "{access:?} {path}");
    }

    #[test]
    fn defaults() {
        let default = Settings::default();
        let table = [
            ("src/main.rs", None, None),
            (".env", Some(Rule::Secret(".env")), Some(Rule::Secret(".env"))),
            ("a/.ENV.local", Some(Rule::Secret(".env.*")), Some(Rule::Secret(".env.*"))),
            (".env.example", None, None),
            ("certs/x.pem", Some(Rule::Secret("*.pem")), Some(Rule::Secret("*.pem"))),
            ("id_rsa.pub", Some(Rule::Secret("id_rsa*")), Some(Rule::Secret("id_rsa*"))),
            (".git/config", None, Some(Rule::Git)),
            ("sub/.GIT/hooks/pre-commit", None, Some(Rule::Git)),
            (".g\u{200b}it/x", None, Some(Rule::Git)),
            (".gitignore", None, None),
            (".patchwright/log", Some(Rule::State), Some(Rule::State)),
            (".PatchWright/log", Some(Rule::State), Some(Rule::State)),
            ("patchwright.toml", None, Some(Rule::SettingsFile)),
        ];
        for (path, read, write) in table {
            check(&default, path, Access::Read, read);
            check(&default, path, Access::Write, write);
        }
    }

    #[test]
    fn rules() {
        let settings = Settings {
            write: Rules { allow: vec!["src/**".into()], deny: vec!["src/gen/**".into()] },
            protect: Protect { except: vec!["test/*.pem".into()], ..Protect::default() },
            ..Settings::default()
        };
        check(&settings, "src/a.rs", Access::Write, None);
        check(&settings, "src/gen/a.rs", Access::Write, Some(Rule::Deny("src/gen/**".into())));
        check(&settings, "doc/a.md", Access::Write, Some(Rule::NotAllowed));
        check(&settings, "doc/a.md", Access::Read, None);
        check(&settings, "test/a.pem", Access::Read, None);
    }

    #[test]
    fn a_bad_glob_names_its_setting() {
        let settings = Settings { read: Rules { deny: vec!["a[".into()], ..Rules::default() }, ..Settings::default() };
        assert_eq!(Policy::new(&settings).unwrap_err().setting, "read.deny");
    }
}
