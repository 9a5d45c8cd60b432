//! What may be read and written. Deny comes first; protected names are compared folded, so that no
//! other spelling gets round them. The guard asks about the path as given *and* about where links lead.
//!
//! Which names are closed stands in `names`, whose settings count for what in `layers`.

mod globs;
mod layers;
mod names;

pub use globs::{GlobProblem, LONGEST_LIST, MOST_ALTERNATIVES, MOST_BRACES, check_braces, glob};
pub use layers::{Combined, Layer, Lists, SetLimits, SetProtect, SetRetention, combine};

use crate::conventions::Conventions;
use crate::fold::fold;
use crate::path::RelPath;
use globset::{GlobSet, GlobSetBuilder};

/// The state directory's name: closed to every tool, in any folder.
pub const STATE_DIR: &str = ".patchwright";
/// The settings file's name: readable, never written by a tool, in any folder.
pub const SETTINGS_FILE: &str = "patchwright.toml";

/// Settings as they apply, before they are compiled. [`combine`] makes them from what each source says.
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
    /// Whose conventions a patch follows that does not say.
    pub conventions: Conventions,
}

/// Globs for one kind of access.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// Only what each of these lists has a glob for. An empty list says nothing.
    pub allow: Vec<Vec<String>>,
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
    /// Once what is kept takes more than this, in bytes, the oldest beyond `keep_days` go.
    pub max_bytes: u64,
    /// Whether trash entries go as well.
    pub trash: TrashRetention,
}

/// Whether trash entries go with age. The trash is the only copy of what was deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TrashRetention {
    /// They stay until they are purged, and do not count towards `max_bytes`.
    #[default]
    UntilPurged,
    /// They count and go like pre-images, because somebody chose so.
    LikePreImages,
}

impl Default for Retention {
    fn default() -> Retention {
        Retention { keep_days: 30, max_bytes: 4 << 30, trash: TrashRetention::UntilPurged }
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
    /// State of ours, or the folder of the user's own settings.
    State,
    /// A settings file.
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
    /// Further folders that no tool reaches, folded.
    closed: Vec<String>,
}

#[derive(Clone, Debug)]
struct Compiled {
    /// A path must be in each of them.
    allow: Vec<GlobSet>,
    deny: GlobSet,
    deny_sources: Vec<String>,
}

/// A glob in the settings that does not compile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadGlob {
    /// The setting it stands in.
    pub setting: &'static str,
    /// The glob; empty if it is all of them together.
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
            closed: Vec::new(),
        })
    }

    /// The same for a folder that holds something. What is in it is asked about by itself, and a list of what is
    /// allowed names files as a rule: so such a list says nothing of the folder.
    pub fn check_folder(&self, path: &RelPath, access: Access) -> Result<(), Denial> {
        match self.check(path, access) {
            Err(Denial { rule: Rule::NotAllowed, .. }) => Ok(()),
            other => other,
        }
    }

    /// Closes a folder, and all that is in it, to every tool, whatever the settings say.
    pub fn close(&mut self, folder: &RelPath) {
        self.closed.push(fold(folder.as_str()));
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
        if names::is_state(&folded) || self.closed.iter().any(|folder| names::is_within(&folded, folder)) {
            return Some(Rule::State);
        }
        if access == Access::Write && names::has_name(&folded, SETTINGS_FILE) {
            return Some(Rule::SettingsFile);
        }
        if self.except.is_match(path.as_str()) {
            return None;
        }
        if access == Access::Write && self.git == Guarded::Yes && names::has_name(&folded, names::GIT) {
            return Some(Rule::Git);
        }
        match self.secrets {
            Guarded::Yes => names::secret(&folded, access).map(Rule::Secret),
            Guarded::No => None,
        }
    }

    fn ruled(&self, path: &RelPath, access: Access) -> Option<Rule> {
        let rules = match access {
            Access::Read => &self.read,
            Access::Write => &self.write,
        };
        if let Some(at) = rules.deny.matches(path.as_str()).first() {
            return rules.deny_sources.get(*at).cloned().map(Rule::Deny);
        }
        let allowed = path.is_root() || rules.allow.iter().all(|list| list.is_match(path.as_str()));
        (!allowed).then_some(Rule::NotAllowed)
    }
}

fn compile(rules: &Rules, [allow, deny]: [&'static str; 2]) -> Result<Compiled, BadGlob> {
    let lists = rules.allow.iter().filter(|list| !list.is_empty());
    Ok(Compiled {
        allow: lists.map(|list| globs(list, allow)).collect::<Result<_, _>>()?,
        deny: globs(&rules.deny, deny)?,
        deny_sources: rules.deny.clone(),
    })
}

fn globs(patterns: &[String], setting: &'static str) -> Result<GlobSet, BadGlob> {
    let bad = |glob: &str, message: String| BadGlob { setting, glob: glob.to_owned(), message };
    if patterns.iter().map(String::len).sum::<usize>() > LONGEST_LIST {
        return Err(bad("", format!("its globs are longer than {LONGEST_LIST} bytes in all")));
    }
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        set.add(glob(pattern).map_err(|problem| bad(pattern, problem.to_string()))?);
    }
    set.build().map_err(|error| bad("", error.to_string()))
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
            (".git/HEAD", None, Some(Rule::Git)),
            ("sub/.GIT/hooks/pre-commit", None, Some(Rule::Git)),
            (".g\u{200b}it/x", None, Some(Rule::Git)),
            (".gitignore", None, None),
            (".patchwright/log", Some(Rule::State), Some(Rule::State)),
            (".PatchWright/log", Some(Rule::State), Some(Rule::State)),
            ("sub/.patchwright/log", Some(Rule::State), Some(Rule::State)),
            ("sub/.patchwright", Some(Rule::State), Some(Rule::State)),
            (".patchwright2/log", None, None),
            ("patchwright.toml", None, Some(Rule::SettingsFile)),
            ("sub/PatchWright.toml", None, Some(Rule::SettingsFile)),
            ("patchwright.toml.md", None, None),
        ];
        for (path, read, write) in table {
            check(&default, path, Access::Read, read);
            check(&default, path, Access::Write, write);
        }
    }

    #[test]
    fn rules() {
        let settings = Settings {
            write: Rules { allow: vec![vec!["src/**".into()]], deny: vec!["src/gen/**".into()] },
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
    fn closed_names_stay_closed_whatever_the_settings_say() {
        let loose = Settings {
            read: Rules { allow: vec![vec!["**".into()]], deny: Vec::new() },
            write: Rules { allow: vec![vec!["**".into()]], deny: Vec::new() },
            protect: Protect { secrets: Guarded::No, git: Guarded::No, except: vec!["**".into()] },
            ..Settings::default()
        };
        for path in [
            ".patchwright/log",
            "a/b/.PATCHWRIGHT/x",
            ".git/patchwright/0/log",
            "sub/.git/PatchWright",
            ".git/worktrees/w/patchwright/0/log",
            ".git/modules/a/b/patchwright/log",
            ".git/modules/a/modules/b/worktrees/w/patchwright",
        ] {
            check(&loose, path, Access::Read, Some(Rule::State));
            check(&loose, path, Access::Write, Some(Rule::State));
        }
        check(&loose, "a/patchwright.toml", Access::Write, Some(Rule::SettingsFile));
        check(&loose, "a/patchwright.toml", Access::Read, None);
        for path in ["patchwright/x", ".git/hooks/patchwright", ".git/config", ".env", ".git/worktrees/patchwright"] {
            check(&loose, path, Access::Write, None);
        }
    }

    #[test]
    fn folders_can_be_closed() {
        let mut policy = Policy::new(&Settings::default()).unwrap();
        for folder in ["State", ".config/patchwright"] {
            policy.close(&RelPath::parse(folder, &[]).unwrap());
        }
        for (path, closed) in [
            ("state", true),
            ("STATE/log", true),
            ("states/log", false),
            (".config/patchwright/config.toml", true),
            (".config/other", false),
        ] {
            for access in [Access::Read, Access::Write] {
                let found = policy.check(&RelPath::parse(path, &[]).unwrap(), access);
                assert_eq!(found.is_err(), closed, "{access:?} {path}");
            }
        }
    }

    #[test]
    fn a_path_must_be_in_every_allow_list() {
        let lists = vec![vec!["src/**".into(), "doc/**".into()], Vec::new(), vec!["**/*.rs".into()]];
        let settings = Settings { write: Rules { allow: lists, deny: Vec::new() }, ..Settings::default() };
        check(&settings, "src/a.rs", Access::Write, None);
        check(&settings, "src/a.md", Access::Write, Some(Rule::NotAllowed));
        check(&settings, "test/a.rs", Access::Write, Some(Rule::NotAllowed));
        check(&settings, "test/a.rs", Access::Read, None);
    }

    #[test]
    fn a_bad_glob_names_its_setting() {
        let settings = Settings { read: Rules { deny: vec!["a[".into()], ..Rules::default() }, ..Settings::default() };
        assert_eq!(Policy::new(&settings).unwrap_err().setting, "read.deny");
    }

    #[test]
    fn lists_are_not_endless() {
        for (globs, good) in [(LONGEST_LIST / 4, true), (LONGEST_LIST / 4 + 1, false)] {
            let deny = vec!["a/**".to_owned(); globs];
            let settings = Settings { read: Rules { deny, ..Rules::default() }, ..Settings::default() };
            assert_eq!(Policy::new(&settings).is_ok(), good, "{globs}");
        }
    }
}
