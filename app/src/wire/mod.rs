//! Wire: the shapes of JSON and their schema. Turns argument text into a typed call and says, all at once,
//! what does not fit. Decides nothing about files, and leaves the sentences to `report`.

mod canonical;
pub mod check;
pub mod config;
pub mod formats;
pub mod json;
pub mod listing;
mod meant;
mod named;
mod place;
pub mod schema;
pub mod server;
pub mod short;

pub use canonical::{Canonical, NullProof, canonical};
pub use check::check;
pub use json::{Json, parse_json};
pub use meant::closest;
pub use named::named;

use patchwright_core::outcome::{Failed, Trouble};
use patchwright_core::reading::Reading;
use patchwright_core::refusal::{ArgumentFault, Expected, Refusal, Why};
use patchwright_core::tool::{self, Call, TOOLS, Tool};

/// Why there is no call.
#[derive(Clone, Debug, PartialEq)]
pub enum Rejected {
    /// No tool has this name.
    UnknownTool(UnknownTool),
    /// The arguments are not JSON at all.
    NotJson(Refusal),
    /// They are JSON, and do not fit the tool.
    Refused(Refusal),
}

/// A name that no tool has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownTool {
    /// The name.
    pub name: String,
    /// The tool that was probably meant.
    pub meant: Option<&'static str>,
}

impl std::fmt::Display for UnknownTool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "there is no tool {}", short::short_text(&self.name))?;
        match self.meant {
            Some(meant) => write!(f, "; did you mean {meant}?")?,
            None => write!(f, ".")?,
        }
        write!(f, " The tools are: {}", names().collect::<Vec<_>>().join(", "))
    }
}

/// The tool of this name, or the nearest name.
pub fn tool(name: &str) -> Result<&'static Tool, UnknownTool> {
    let unknown = || UnknownTool { name: name.to_owned(), meant: closest(name, names()) };
    tool::find(name).ok_or_else(unknown)
}

/// A call from a tool's name and the JSON text of its arguments.
///
/// ```
/// use patchwright_app::wire::{Rejected, call};
/// assert!(call("read_file", r#"{"path": "a.txt"}"#).is_ok());
/// assert!(matches!(call("read_file", r#"{"path": 1}"#), Err(Rejected::Refused(_))));
/// assert!(matches!(call("read_file", "{"), Err(Rejected::NotJson(_))));
/// assert!(matches!(call("readfile", "{}"), Err(Rejected::UnknownTool(_))));
/// ```
pub fn call(tool_name: &str, arguments: &str) -> Result<Call, Rejected> {
    Ok(call_noted(tool_name, arguments, NullProof::LeftOut)?.call)
}

/// The same, with how it was read.
pub fn call_noted(tool_name: &str, arguments: &str, null_proof: NullProof) -> Result<Noted, Rejected> {
    let tool = tool(tool_name).map_err(Rejected::UnknownTool)?;
    let json = parse_json(arguments).map_err(sorted)?;
    typed(tool, canonical(tool, json, null_proof)).map_err(Rejected::Refused)
}

/// A call, and how it was read where its arguments say something else.
#[derive(Clone, Debug, PartialEq)]
pub struct Noted {
    /// The call.
    pub call: Call,
    /// How it was read.
    pub readings: Vec<Reading>,
}

/// Arguments of more bytes than this are not said again by a refusal.
pub const LONGEST_REPEATED: usize = 64 << 10;

/// The arguments that the refusal of a call speaks of, as a tree; nothing if the call was not refused, or if they are no
/// JSON object. Faults of arguments are told where the caller wrote them, all else in canonical form.
pub fn refused_arguments<T>(tool: &Tool, given: &Json, outcome: &Result<T, Failed>) -> Option<serde_json::Value> {
    let Err(Failed { trouble: Trouble::Refused(refusal), .. }) = outcome else { return None };
    let json = match &refusal.why {
        Why::Arguments(_) => given.clone(),
        _ => canonical(tool, given.clone(), NullProof::LeftOut).json,
    };
    matches!(json, Json::Object(_)).then(|| json.into())
}

/// A call from a tool's name and arguments that somebody else has read. Prefer [`call`]: in a map like
/// this a duplicate key has already been lost.
pub fn call_parsed(tool_name: &str, arguments: serde_json::Map<String, serde_json::Value>) -> Result<Call, Rejected> {
    let tool = tool(tool_name).map_err(Rejected::UnknownTool)?;
    let read = canonical(tool, serde_json::Value::Object(arguments).into(), NullProof::LeftOut);
    typed(tool, read).map(|noted| noted.call).map_err(Rejected::Refused)
}

/// Do these arguments make a call of the tool? A `null` proof does not, since somewhere it is refused.
pub fn fits(tool_name: &str, arguments: &serde_json::Value) -> bool {
    let args = |tool: &'static Tool| {
        let read = canonical(tool, arguments.clone().into(), NullProof::Refused);
        let args = check(tool, read).ok().filter(|args| args.unfit().is_empty())?;
        Call::new(tool, &args).ok()
    };
    tool(tool_name).ok().and_then(args).is_some()
}

/// The call that arguments make which have been read.
pub fn typed(tool: &Tool, mut read: Canonical) -> Result<Noted, Refusal> {
    let (readings, given) = (std::mem::take(&mut read.readings), std::mem::take(&mut read.given));
    let call = check(tool, read).and_then(|args| Call::new(tool, &args));
    Ok(Noted { call: call.map_err(|refusal| as_given(refusal, &given))?, readings })
}

/// A refusal that names arguments as the caller did.
fn as_given(mut refusal: Refusal, given: &[(String, String)]) -> Refusal {
    if let Why::Arguments(faults) = &mut refusal.why {
        for fault in faults {
            for (place, name) in given.iter().rev() {
                let rest = fault.at.strip_prefix(place.as_str());
                if let Some(rest) = rest.filter(|rest| rest.is_empty() || rest.starts_with(['[', '.'])) {
                    fault.at = format!("{name}{rest}");
                }
            }
        }
    }
    refusal
}

fn names() -> impl Iterator<Item = &'static str> {
    TOOLS.iter().map(|tool| tool.name)
}

fn sorted(refusal: Refusal) -> Rejected {
    let syntax = |fault: &ArgumentFault| matches!(fault.expected, Expected::Json(_));
    match &refusal.why {
        Why::Arguments(faults) if faults.iter().any(syntax) => Rejected::NotJson(refusal),
        _ => Rejected::Refused(refusal),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_is_a_call() {
        for tool in TOOLS {
            for example in tool.examples {
                let call = call(tool.name, example.arguments);
                assert_eq!(call.as_ref().map(|call| call.tool().name), Ok(tool.name), "{}: {call:?}", example.about);
            }
        }
    }

    #[test]
    fn an_unknown_tool_names_the_likely_one() {
        for (name, meant) in [("readFile", Some("read_file")), ("list_files", Some("list_directory")), ("xyzzy", None)]
        {
            let unknown = tool(name).err().unwrap();
            assert_eq!(unknown.meant, meant, "{name}");
            assert!(unknown.to_string().contains("read_file, list_directory"), "{unknown}");
        }
    }

    #[test]
    fn both_entries_agree() {
        for text in
            [r#"{"path": "a", "startLine": 3.0}"#, r#"{"path": "a", "startLine": 3.5, "x": null}"#, r#"{"path": null}"#]
        {
            let map = serde_json::from_str(text).unwrap();
            assert_eq!(call("read_file", text), call_parsed("read_file", map), "{text}");
        }
    }
}
