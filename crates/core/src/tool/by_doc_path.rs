//! Calls that name files by their `docPath`s, in place of paths.
//!
//! Which file a `docPath` means only the disk can tell; so such a call waits, with its arguments as they came, until the
//! engine has found the paths. It is read then, for the first time and like any other, and nothing behind knows the
//! difference.

use super::{Args, Call, DocSort, Need, Param, ParamKind, Tool, Value, find};
use crate::refusal::Refusal;

/// A call with a `docPath` among its arguments.
#[derive(Clone, Debug)]
pub struct ByDocPath {
    tool: &'static Tool,
    args: Args,
}

/// One `docPath` of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DocArgument<'a> {
    /// The argument's name.
    pub name: &'static str,
    /// The argument that it stands in place of.
    pub stands_for: &'static str,
    /// What it is to name.
    pub sort: DocSort,
    /// The `docPath`, as it was given.
    pub doc_path: &'a str,
    /// The path, if that was given too.
    pub path: Option<&'a str>,
}

impl PartialEq for ByDocPath {
    fn eq(&self, other: &ByDocPath) -> bool {
        self.tool.name == other.tool.name && self.args == other.args
    }
}

impl ByDocPath {
    /// The call, if any of its arguments is a `docPath`.
    pub(super) fn new(tool: &Tool, args: &Args) -> Option<ByDocPath> {
        let tool = find(tool.name)?;
        let is_given = |param: &Param| argument(param, args).is_some();
        tool.parameters.iter().any(is_given).then(|| ByDocPath { tool, args: args.clone() })
    }

    /// The tool.
    pub fn tool(&self) -> &'static Tool {
        self.tool
    }

    /// The `docPath`s among its arguments.
    pub fn arguments(&self) -> impl Iterator<Item = DocArgument<'_>> {
        self.tool.parameters.iter().filter_map(|param| argument(param, &self.args))
    }

    /// The call with paths in place of its `docPath`s: for each the argument that it stands for, and the path.
    pub fn found(&self, paths: &[(&'static str, String)]) -> Result<Call, Refusal> {
        let names: Vec<&str> = self.arguments().map(|argument| argument.name).collect();
        let is_found = |name: &str| names.contains(&name) || paths.iter().any(|(known, _)| *known == name);
        let rest = self.args.fields().filter(|(name, _)| !is_found(name));
        let mut fields: Vec<(String, Value)> = rest.map(|(name, value)| (name.to_owned(), value.clone())).collect();
        fields.extend(paths.iter().map(|(name, path)| ((*name).to_owned(), Value::Text(path.clone()))));
        (self.tool.read)(&Args::new(fields))
    }
}

/// What a parameter for a `docPath` was given.
fn argument<'a>(param: &Param, args: &'a Args) -> Option<DocArgument<'a>> {
    let (ParamKind::DocPath(sort), Need::InPlaceOf(stands_for)) = (param.kind, param.need) else { return None };
    let doc_path = args.word(param.name)?;
    Some(DocArgument { name: param.name, stands_for, sort, doc_path, path: args.word(stands_for) })
}
