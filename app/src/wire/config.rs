//! `patchwright.toml` as settings. A key nobody knows is an error with a suggestion, because a misspelt
//! rule must not be a rule that is not there.

use super::closest;
use patchwright_core::policy::{Guarded, Policy, Settings};
use std::fmt;
use toml::{Table, Value};

/// Why a settings file is not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConfigProblem {
    /// It is not TOML; the reader's message.
    Syntax(String),
    /// A key that means nothing.
    UnknownKey {
        /// The key, with its section.
        key: String,
        /// The key that was probably meant.
        meant: Option<&'static str>,
    },
    /// A value of another type, or out of bounds.
    WrongValue {
        /// The key, with its section.
        key: &'static str,
        /// What it takes.
        expected: &'static str,
        /// What came.
        got: String,
    },
    /// A glob that does not compile.
    BadGlob {
        /// The key, with its section.
        key: &'static str,
        /// The glob.
        glob: String,
        /// The compiler's message.
        message: String,
    },
}

impl fmt::Display for ConfigProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConfigProblem::Syntax(message) => write!(f, "patchwright.toml is not valid TOML: {}", message.trim_end()),
            ConfigProblem::UnknownKey { key, meant: Some(meant) } => {
                write!(f, "patchwright.toml: there is no setting {key}; did you mean {meant}?")
            }
            ConfigProblem::UnknownKey { key, meant: None } => {
                write!(f, "patchwright.toml: there is no setting {key}; the settings are {}", known())
            }
            ConfigProblem::WrongValue { key, expected, got } => {
                write!(f, "patchwright.toml: {key} takes {expected}, and it is {got}")
            }
            ConfigProblem::BadGlob { key, glob, message } => {
                write!(f, "patchwright.toml: {key} holds the glob {glob:?}, which does not compile: {message}")
            }
        }
    }
}

impl std::error::Error for ConfigProblem {}

/// Every setting there is, and how it is set.
const SETTINGS: &[(&str, Set)] = &[
    ("read.allow", Set::Globs(|settings| &mut settings.read.allow)),
    ("read.deny", Set::Globs(|settings| &mut settings.read.deny)),
    ("write.allow", Set::Globs(|settings| &mut settings.write.allow)),
    ("write.deny", Set::Globs(|settings| &mut settings.write.deny)),
    ("protect.secrets", Set::Guard(|settings| &mut settings.protect.secrets)),
    ("protect.git", Set::Guard(|settings| &mut settings.protect.git)),
    ("protect.except", Set::Globs(|settings| &mut settings.protect.except)),
    ("limits.max_file_bytes", Set::Size(|settings| &mut settings.limits.max_file_bytes)),
    ("limits.max_request_bytes", Set::Size(|settings| &mut settings.limits.max_request_bytes)),
    ("limits.lock_wait_ms", Set::Size(|settings| &mut settings.limits.lock_wait_ms)),
    ("retention.keep_days", Set::Days(|settings| &mut settings.retention.keep_days)),
    ("retention.max_bytes", Set::Size(|settings| &mut settings.retention.max_bytes)),
];

/// What a setting holds, and where.
enum Set {
    Globs(fn(&mut Settings) -> &mut Vec<String>),
    Guard(fn(&mut Settings) -> &mut Guarded),
    Size(fn(&mut Settings) -> &mut u64),
    Days(fn(&mut Settings) -> &mut u32),
}

/// Reads the text of `patchwright.toml`. What it leaves out keeps its default.
///
/// ```
/// use patchwright_app::wire::config::settings;
/// let settings = settings("[write]\ndeny = [\"vendor/**\"]\n").unwrap();
/// assert_eq!(settings.write.deny, ["vendor/**"]);
/// ```
pub fn settings(text: &str) -> Result<Settings, ConfigProblem> {
    let table: Table = toml::from_str(text).map_err(|error| ConfigProblem::Syntax(error.to_string()))?;
    let mut settings = Settings::default();
    for (section, value) in &table {
        section_into(&mut settings, section, value)?;
    }
    compiles(&settings)?;
    Ok(settings)
}

fn section_into(settings: &mut Settings, section: &str, value: &Value) -> Result<(), ConfigProblem> {
    let Some(name) = sections().find(|known| *known == section) else {
        return Err(unknown(section));
    };
    let Value::Table(fields) = value else {
        return Err(wrong(name, "a section with keys of its own", value));
    };
    for (key, value) in fields {
        let full = format!("{section}.{key}");
        let Some((name, set)) = SETTINGS.iter().find(|(name, _)| *name == full) else {
            return Err(unknown(&full));
        };
        set.put(settings, name, value)?;
    }
    Ok(())
}

impl Set {
    fn put(&self, settings: &mut Settings, key: &'static str, value: &Value) -> Result<(), ConfigProblem> {
        match self {
            Set::Globs(slot) => {
                *slot(settings) = globs(value).ok_or_else(|| wrong(key, "a list of globs as strings", value))?
            }
            Set::Guard(slot) => *slot(settings) = guard(value).ok_or_else(|| wrong(key, "true or false", value))?,
            Set::Size(slot) => {
                *slot(settings) = whole(value).ok_or_else(|| wrong(key, "a whole number, not negative", value))?
            }
            Set::Days(slot) => {
                *slot(settings) =
                    whole(value).ok_or_else(|| wrong(key, "a whole number of days, not negative", value))?
            }
        }
        Ok(())
    }
}

fn globs(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|item| item.as_str().map(str::to_owned)).collect()
}

fn guard(value: &Value) -> Option<Guarded> {
    value.as_bool().map(|on| if on { Guarded::Yes } else { Guarded::No })
}

fn whole<N: TryFrom<i64>>(value: &Value) -> Option<N> {
    value.as_integer().and_then(|number| N::try_from(number).ok())
}

fn compiles(settings: &Settings) -> Result<(), ConfigProblem> {
    let bad = |bad: patchwright_core::policy::BadGlob| ConfigProblem::BadGlob {
        key: bad.setting,
        glob: bad.glob,
        message: bad.message,
    };
    Policy::new(settings).map(drop).map_err(bad)
}

fn sections() -> impl Iterator<Item = &'static str> {
    SETTINGS.iter().filter_map(|(name, _)| name.split('.').next())
}

fn unknown(key: &str) -> ConfigProblem {
    let names = SETTINGS.iter().map(|(name, _)| *name);
    // `secrets` alone may mean `protect.secrets`, `reed` may mean `read`.
    let tail = |key: &str| names.clone().find(|name| name.rsplit('.').next() == Some(key));
    let own = key.rsplit('.').next().unwrap_or(key);
    let meant = if key.contains('.') {
        closest(key, names.clone()).or_else(|| tail(own))
    } else {
        tail(key).or_else(|| closest(key, sections()))
    };
    ConfigProblem::UnknownKey { key: key.to_owned(), meant }
}

fn wrong(key: &'static str, expected: &'static str, value: &Value) -> ConfigProblem {
    let got = match value {
        Value::String(text) => format!("the string {}", super::json::short_text(text)),
        Value::Integer(number) => format!("the integer {number}"),
        Value::Boolean(flag) => flag.to_string(),
        other => format!("of the type {}", other.type_str()),
    };
    ConfigProblem::WrongValue { key, expected, got }
}

fn known() -> String {
    SETTINGS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, want: Result<impl Fn(&mut Settings), &str>) {
        match (settings(text), want) {
            (Ok(got), Ok(change)) => {
                let mut want = Settings::default();
                change(&mut want);
                assert_eq!(got, want, "{text}");
            }
            (Err(problem), Err(part)) => assert!(problem.to_string().contains(part), "{text}: {problem}"),
            (got, want) => panic!("{text}: {got:?} {:?}", want.err()),
        }
    }

    fn refused(text: &str, part: &str) {
        check(text, Err::<fn(&mut Settings), _>(part));
    }

    #[test]
    fn good_files() {
        check("", Ok(|_: &mut Settings| {}));
        check("[read]\n", Ok(|_: &mut Settings| {}));
        check(
            "read.deny = ['a/**']\n[protect]\nsecrets = false\nexcept = ['t/*.pem']",
            Ok(|want: &mut Settings| {
                want.read.deny = vec!["a/**".into()];
                want.protect.secrets = Guarded::No;
                want.protect.except = vec!["t/*.pem".into()];
            }),
        );
        check(
            "[limits]\nlock_wait_ms = 0\nmax_file_bytes = 1_000\n[retention]\nkeep_days = 7",
            Ok(|want: &mut Settings| {
                want.limits.lock_wait_ms = 0;
                want.limits.max_file_bytes = 1000;
                want.retention.keep_days = 7;
            }),
        );
    }

    #[test]
    fn bad_files() {
        refused("[read", "not valid TOML");
        refused("[read]\nallow = []\nallow = []", "not valid TOML");
        refused("[reed]", "no setting reed; did you mean read?");
        refused("[read]\ndenny = []", "no setting read.denny; did you mean read.deny?");
        refused("secrets = false", "no setting secrets; did you mean protect.secrets?");
        refused("[write]\nsecrets = false", "no setting write.secrets; did you mean protect.secrets?");
        refused("[limits]\nzzz = 1", "no setting limits.zzz; the settings are read.allow");
        refused("read = 1", "read takes a section with keys of its own, and it is the integer 1");
        refused("[read]\ndeny = 'a'", "read.deny takes a list of globs as strings, and it is the string");
        refused("[read]\ndeny = ['a', 1]", "read.deny takes a list of globs");
        refused("[protect]\ngit = 'yes'", "protect.git takes true or false");
        refused(
            "[limits]\nlock_wait_ms = -1",
            "limits.lock_wait_ms takes a whole number, not negative, and it is the integer -1",
        );
        refused("[retention]\nkeep_days = 4294967296", "retention.keep_days takes a whole number of days");
        refused("[read]\ndeny = ['a[']", "read.deny holds the glob \"a[\"");
    }

    /// Files that people keep hold these names: a name that stood here once is read for ever. New ones are added.
    #[test]
    fn names_of_settings() {
        let names: Vec<&str> = SETTINGS.iter().map(|(name, _)| *name).collect();
        let golden = [
            "read.allow",
            "read.deny",
            "write.allow",
            "write.deny",
            "protect.secrets",
            "protect.git",
            "protect.except",
            "limits.max_file_bytes",
            "limits.max_request_bytes",
            "limits.lock_wait_ms",
            "retention.keep_days",
            "retention.max_bytes",
        ];
        assert_eq!(names, golden);
    }
}
