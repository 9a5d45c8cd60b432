//! A settings file: `patchwright.toml` in a workspace, or the user's own. A key nobody knows is an error with a
//! suggestion, because a misspelt rule must not be a rule that is not there.

use super::closest;
use super::listing::Length;
use super::server::{Answers, SetServer, unknown_tool};
use patchwright_core::conventions::Conventions;
use patchwright_core::policy::{BadGlob, Guarded, Layer, Policy, combine};
use patchwright_core::tool::{Profile, ToolChoice};
use std::fmt;
use toml::{Table, Value};

/// What a settings file says. What it leaves out it says nothing about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SettingsFile {
    /// About what may be done, how much, and what is kept.
    pub layer: Layer,
    /// About MCP servers.
    pub server: SetServer,
}

/// A settings file that is not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadSettings {
    /// The file, as its owner would look for it.
    pub file: String,
    /// Why.
    pub problem: ConfigProblem,
}

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
    /// A name that is neither a group of tools nor a tool.
    UnknownTool {
        /// The key, with its section.
        key: &'static str,
        /// The name.
        name: String,
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

impl fmt::Display for BadSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = &self.file;
        match &self.problem {
            ConfigProblem::Syntax(message) => write!(f, "{file} is not valid TOML: {}", short(message)),
            ConfigProblem::UnknownKey { key, meant: Some(meant) } => {
                write!(f, "{file}: there is no setting {key}; did you mean {meant}?")
            }
            ConfigProblem::UnknownKey { key, meant: None } => {
                write!(f, "{file}: there is no setting {key}; the settings are {}", known())
            }
            ConfigProblem::WrongValue { key, expected, got } => {
                write!(f, "{file}: {key} takes {expected}, and it is {got}")
            }
            ConfigProblem::UnknownTool { key, name } => write!(f, "{file}: {key}: {}", unknown_tool(name)),
            ConfigProblem::BadGlob { key, glob, message } if glob.is_empty() => {
                write!(f, "{file}: {key} is not taken: {message}")
            }
            ConfigProblem::BadGlob { key, glob, message } => {
                let glob = super::short::short_text(glob);
                write!(f, "{file}: {key} holds the glob {glob}, which is not taken: {message}")
            }
        }
    }
}

/// The reader quotes the line that is wrong, however long it is.
fn short(message: &str) -> String {
    const SHOWN: usize = 600;
    let message = message.trim_end();
    match message.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", message.get(..at).unwrap_or_default()),
        None => message.to_owned(),
    }
}

impl std::error::Error for BadSettings {}

/// Every setting there is, and how it is set.
const SETTINGS: &[(&str, Set)] = &[
    ("read.allow", Set::Globs(|layer| &mut layer.read.allow)),
    ("read.deny", Set::Globs(|layer| &mut layer.read.deny)),
    ("write.allow", Set::Globs(|layer| &mut layer.write.allow)),
    ("write.deny", Set::Globs(|layer| &mut layer.write.deny)),
    ("protect.secrets", Set::Guard(|layer| &mut layer.protect.secrets)),
    ("protect.git", Set::Guard(|layer| &mut layer.protect.git)),
    ("protect.except", Set::Globs(|layer| &mut layer.protect.except)),
    ("limits.max_file_bytes", Set::Size(|layer| &mut layer.limits.max_file_bytes)),
    ("limits.max_request_bytes", Set::Size(|layer| &mut layer.limits.max_request_bytes)),
    ("limits.lock_wait_ms", Set::Size(|layer| &mut layer.limits.lock_wait_ms)),
    ("retention.keep_days", Set::Days(|layer| &mut layer.retention.keep_days)),
    ("retention.max_bytes", Set::Size(|layer| &mut layer.retention.max_bytes)),
    ("patch.conventions", Set::Conventions),
    ("mcp.profile", Set::Profile),
    ("mcp.tools", Set::Tools),
    ("mcp.answers", Set::Answers),
    ("mcp.descriptions", Set::Descriptions),
];

/// The names of all settings, with their sections.
pub fn names() -> impl Iterator<Item = &'static str> {
    SETTINGS.iter().map(|(name, _)| *name)
}

/// What a setting holds, and where.
enum Set {
    Globs(fn(&mut Layer) -> &mut Vec<String>),
    Guard(fn(&mut Layer) -> &mut Option<Guarded>),
    Size(fn(&mut Layer) -> &mut Option<u64>),
    Days(fn(&mut Layer) -> &mut Option<u32>),
    Conventions,
    Profile,
    Tools,
    Answers,
    Descriptions,
}

/// Reads the text of a settings file.
///
/// ```
/// use patchwright_app::wire::config::settings;
/// let file = settings("[write]\ndeny = [\"vendor/**\"]\n", "patchwright.toml").unwrap();
/// assert_eq!(file.layer.write.deny, ["vendor/**"]);
/// ```
pub fn settings(text: &str, file: &str) -> Result<SettingsFile, BadSettings> {
    read(text).map_err(|problem| BadSettings { file: file.to_owned(), problem })
}

fn read(text: &str) -> Result<SettingsFile, ConfigProblem> {
    let table: Table = toml::from_str(text).map_err(|error| ConfigProblem::Syntax(error.to_string()))?;
    let mut file = SettingsFile::default();
    for (section, value) in &table {
        section_into(&mut file, section, value)?;
    }
    let bad = |bad: BadGlob| ConfigProblem::BadGlob { key: bad.setting, glob: bad.glob, message: bad.message };
    compiles(&file.layer).map_err(bad)?;
    Ok(file)
}

/// Do the globs of one source compile?
pub(crate) fn compiles(layer: &Layer) -> Result<(), BadGlob> {
    Policy::new(&combine(std::slice::from_ref(layer), &[]).settings).map(drop)
}

fn section_into(file: &mut SettingsFile, section: &str, value: &Value) -> Result<(), ConfigProblem> {
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
        set.put(file, name, value)?;
    }
    Ok(())
}

impl Set {
    fn put(&self, file: &mut SettingsFile, key: &'static str, value: &Value) -> Result<(), ConfigProblem> {
        let SettingsFile { layer, server } = file;
        let wrong = |expected: &'static str| move || wrong(key, expected, value);
        match self {
            Set::Globs(slot) => *slot(layer) = strings(value).ok_or_else(wrong("a list of globs as strings"))?,
            Set::Guard(slot) => *slot(layer) = Some(guard(value).ok_or_else(wrong("true or false"))?),
            Set::Size(slot) => *slot(layer) = Some(whole(value).ok_or_else(wrong("a whole number, not negative"))?),
            Set::Days(slot) => {
                *slot(layer) = Some(whole(value).ok_or_else(wrong("a whole number of days, not negative"))?)
            }
            Set::Conventions => {
                let conventions = value.as_str().and_then(Conventions::find);
                layer.conventions = Some(conventions.ok_or_else(wrong("strict or codex"))?);
            }
            Set::Profile => {
                let profile = value.as_str().and_then(Profile::find);
                server.profile = Some(profile.ok_or_else(wrong("auto, envelope, anchors, strings, lines or all"))?);
            }
            Set::Tools => server.tools = Some(tools(key, value)?),
            Set::Answers => {
                let answers = value.as_str().and_then(Answers::find);
                server.answers = Some(answers.ok_or_else(wrong("text or structured"))?);
            }
            Set::Descriptions => {
                let length = value.as_str().and_then(Length::find);
                server.descriptions = Some(length.ok_or_else(wrong("short or long"))?);
            }
        }
        Ok(())
    }
}

fn tools(key: &'static str, value: &Value) -> Result<ToolChoice, ConfigProblem> {
    let words = strings(value)
        .ok_or_else(|| wrong(key, "a list of groups and tools as strings, such as [\"+review\"]", value))?;
    let unknown = |name| ConfigProblem::UnknownTool { key, name };
    ToolChoice::read(words.iter().map(String::as_str)).map_err(unknown)
}

fn strings(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|item| item.as_str().map(str::to_owned)).collect()
}

fn guard(value: &Value) -> Option<Guarded> {
    value.as_bool().map(|on| if on { Guarded::Yes } else { Guarded::No })
}

fn whole<N: TryFrom<i64>>(value: &Value) -> Option<N> {
    value.as_integer().and_then(|number| N::try_from(number).ok())
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
        Value::String(text) => format!("the string {}", super::short::short_text(text)),
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

    fn check(text: &str, want: Result<impl Fn(&mut Layer), &str>) {
        match (settings(text, "patchwright.toml"), want) {
            (Ok(got), Ok(change)) => {
                let mut want = SettingsFile::default();
                change(&mut want.layer);
                assert_eq!(got, want, "{text}");
            }
            (Err(problem), Err(part)) => assert!(problem.to_string().contains(part), "{text}: {problem}"),
            (got, want) => panic!("{text}: {got:?} {:?}", want.err()),
        }
    }

    fn refused(text: &str, part: &str) {
        check(text, Err::<fn(&mut Layer), _>(part));
    }

    #[test]
    fn good_files() {
        check("", Ok(|_: &mut Layer| {}));
        check("[read]\n", Ok(|_: &mut Layer| {}));
        check(
            "read.deny = ['a/**']\n[protect]\nsecrets = false\nexcept = ['t/*.pem']",
            Ok(|want: &mut Layer| {
                want.read.deny = vec!["a/**".into()];
                want.protect.secrets = Some(Guarded::No);
                want.protect.except = vec!["t/*.pem".into()];
            }),
        );
        check(
            "[limits]\nlock_wait_ms = 0\nmax_file_bytes = 1_000\n[retention]\nkeep_days = 7",
            Ok(|want: &mut Layer| {
                want.limits.lock_wait_ms = Some(0);
                want.limits.max_file_bytes = Some(1000);
                want.retention.keep_days = Some(7);
            }),
        );
    }

    #[test]
    fn conventions() {
        check("[patch]\nconventions = 'codex'", Ok(|want: &mut Layer| want.conventions = Some(Conventions::Codex)));
        refused(
            "[patch]\nconventions = 'git'",
            "patch.conventions takes strict or codex, and it is the string \"git\"",
        );
    }

    #[test]
    fn servers() {
        let text =
            "[mcp]\nprofile = 'envelope'\ntools = ['+review', '+why']\nanswers = 'structured'\ndescriptions = 'long'";
        let want = SetServer {
            profile: Some(Profile::Envelope),
            tools: Some(ToolChoice::read(["+review,+why"]).unwrap()),
            answers: Some(Answers::Structured),
            descriptions: Some(Length::Long),
        };
        assert_eq!(settings(text, "x").unwrap(), SettingsFile { layer: Layer::default(), server: want });
        refused("[mcp]\nprofile = 'codex'", "mcp.profile takes auto, envelope, anchors, strings, lines or all, and");
        refused("[mcp]\nanswers = 'json'", "mcp.answers takes text or structured, and it is the string \"json\"");
        refused("[mcp]\ntools = '+why'", "mcp.tools takes a list of groups and tools as strings");
        refused(
            "[mcp]\ntools = ['+whi']",
            "mcp.tools: there is neither a group nor a tool named \"whi\"; the groups are look",
        );
        refused("[mcp]\ntool = ['+why']", "no setting mcp.tool; did you mean mcp.tools?");
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
            "patch.conventions",
            "mcp.profile",
            "mcp.tools",
            "mcp.answers",
            "mcp.descriptions",
        ];
        assert_eq!(names, golden);
    }

    #[test]
    fn globs_without_end_are_refused() {
        let glob = "{".repeat(60_000);
        refused(&format!("[read]\ndeny = ['{glob}']"), "it has 60000 opening braces, and a glob may have 64");
        let many = "'src/**', ".repeat(20_000);
        refused(&format!("[read]\ndeny = [{many}]"), "read.deny is not taken: its globs are longer than 65536 bytes");
    }

    #[test]
    fn a_bad_file_is_named() {
        let bad = settings("[reed]", "/x/patchwright/config.toml").unwrap_err().to_string();
        assert!(bad.starts_with("/x/patchwright/config.toml: "), "{bad}");
    }
}
