//! Calls that name files by their `docPath`s: from the `docPath`s to paths, and on with the call.
//!
//! Promises that a `docPath` names one thing or is refused: what stands in the workspace, or else what the record knows
//! by that name, so that history is found for files that are gone and a repeated call is known for the same. The
//! policy is asked about the path by whoever carries the call out, as about any other.

use super::Docs;
use crate::session::Session;
use crate::trouble::index;
use crate::watch::Watch;
use patchwright_core::dialect::lines::{is_lower, lowered, without_root};
use patchwright_core::outcome::{Failed, Reply, Trouble};
use patchwright_core::path::RelPath;
use patchwright_core::policy::Access;
use patchwright_core::refusal::{Expected, Refusal, Why};
use patchwright_core::tool::{ByDocPath, Call, DocArgument, DocSort, Effect};

impl Session {
    /// Carries out a call that names files by their `docPath`s.
    pub(crate) fn call_by_doc_path(&self, ask: &ByDocPath, watch: &dyn Watch) -> Result<Reply, Failed> {
        match self.found_paths(ask) {
            Ok(call) => self.call(&call, watch).map(Reply::with_doc_paths),
            Err(trouble) if ask.tool().effect == Effect::Looks => Err(Failed::unrecorded(trouble)),
            Err(trouble) => {
                let named: Vec<String> = ask.arguments().map(|argument| argument.doc_path.to_owned()).collect();
                Err(self.record_refusal(ask.tool().name, &named, trouble))
            }
        }
    }

    fn found_paths(&self, ask: &ByDocPath) -> Result<Call, Trouble> {
        self.mend()?;
        let mut docs = Docs::new(self);
        let mut paths = Vec::new();
        for argument in ask.arguments() {
            let path = docs.meant(&argument)?;
            self.same_file(&argument, &path)?;
            paths.push((argument.stands_for, path.to_string()));
        }
        Ok(ask.found(&paths)?)
    }

    /// A path beside a `docPath` has to mean the same.
    fn same_file(&self, argument: &DocArgument<'_>, found: &RelPath) -> Result<(), Refusal> {
        let Some(path) = argument.path else { return Ok(()) };
        let same = RelPath::parse(path, &self.workspace.disk.roots()).is_ok_and(|path| path == *found);
        let expected = || Expected::SameFile { name: argument.stands_for, path: path.to_owned() };
        if same {
            Ok(())
        } else {
            Err(Refusal::argument(argument.name, expected(), format!("{:?}", found.to_string())))
        }
    }
}

impl Docs<'_> {
    /// What a `docPath` in place of a path means.
    fn meant(&mut self, argument: &DocArgument<'_>) -> Result<RelPath, Trouble> {
        let doc = argument.doc_path;
        if !is_lower(doc) {
            return Err(Refusal::argument(argument.name, Expected::LowerCase(lowered(doc)), format!("{doc:?}")).into());
        }
        match argument.sort {
            DocSort::Folder => self.find_folder(doc),
            DocSort::New => self.find_place(doc),
            DocSort::File => {
                let found = match self.there(doc)? {
                    Some(found) => Some(found),
                    None => self.on_record(doc)?,
                };
                found.map_or_else(|| self.closed_or_absent(doc), Ok)
            }
        }
    }

    /// A folder; the workspace itself by its own name, or as `.`.
    fn find_folder(&mut self, doc: &str) -> Result<RelPath, Trouble> {
        let roots: Vec<String> = self.session.workspace.disk.roots().into_iter().map(str::to_lowercase).collect();
        let roots: Vec<&str> = roots.iter().map(String::as_str).collect();
        let path = RelPath::parse(doc, &roots).map_err(|problem| Refusal::about(doc, Why::Path(problem)))?;
        self.blocked = None;
        let mut found = self.folders(&path);
        for name in self.root_names() {
            let below = match without_root(path.as_str(), &name) {
                Some(rest) => RelPath::parse(rest, &[]).ok(),
                None => (lowered(path.as_str()) == name).then(RelPath::root),
            };
            found.extend(below.map(|below| self.folders(&below)).unwrap_or_default());
        }
        let names: Vec<String> = found.iter().map(RelPath::to_string).collect();
        let mut found = found.into_iter();
        match (found.next(), found.next()) {
            (Some(one), None) => Ok(one),
            (Some(_), Some(_)) => Err(Refusal::about(doc, Why::AmbiguousDoc(names)).into()),
            // A file of that name, or nothing: whoever wants the folder tells.
            (None, _) => self.blocked.take().map_or(Ok(path), Err),
        }
    }

    /// Something that need not be there: what is, or else this name in the folder that the `docPath` means.
    fn find_place(&mut self, doc: &str) -> Result<RelPath, Trouble> {
        if let Some(found) = self.there(doc)? {
            return Ok(found);
        }
        match self.places(doc)?.as_slice() {
            [one] => Ok(one.clone()),
            several => {
                let names = several.iter().map(RelPath::to_string).collect();
                Err(Refusal::about(doc, Why::AmbiguousDoc(names)).into())
            }
        }
    }

    /// What the record knows by this name, if nothing stands there any more.
    fn on_record(&self, doc: &str) -> Result<Option<RelPath>, Trouble> {
        let Some(past) = self.session.past()? else { return Ok(None) };
        let wanted: Vec<String> = self.readings(doc)?.iter().map(|path| lowered(path.as_str())).collect();
        let known = past.index.paths().map_err(index)?;
        let named = known.iter().filter(|path| wanted.contains(&lowered(path)));
        let named = named.filter_map(|path| RelPath::parse(path, &[]).ok());
        let open = |path: &RelPath| self.session.workspace.policy.check(path, Access::Read).is_ok();
        let found: Vec<RelPath> = named.filter(open).collect();
        match found.as_slice() {
            [] => Ok(None),
            [one] => Ok(Some(one.clone())),
            several => {
                let names = several.iter().map(RelPath::to_string).collect();
                Err(Refusal::about(doc, Why::AmbiguousDoc(names)).into())
            }
        }
    }
}
