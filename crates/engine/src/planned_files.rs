//! What a call comes to: everything that it touches as it is before and after, and the folders that it removes.
//!
//! A dry run tells its caller; the same call carried out later can be bound to what was told. The comparison is made
//! under the lock, before anything is staged: a call that would come to anything else is refused as stale. Compared are
//! content, sort and permission bits. Folders that are made are not: that one is there already takes nothing away.

use patchwright_core::digest::Digest;
use patchwright_core::outcome::Trouble;
use patchwright_core::path::RelPath;
use patchwright_core::plan::{Act, Bits, Fresh, Plan, Seen, Snapshot, Step};
use patchwright_core::refusal::{Missing, Refusal, Sort, Stale, StaleReason, Why};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What a stale refusal of a bound call names as the argument that would have to be another.
const EXPECT: &str = "expect";

/// The files and links that a call touches, each with its version before and after, and the folders that it removes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlannedFiles {
    files: BTreeMap<RelPath, Touched>,
    /// The folders that are there before and not after.
    removed: BTreeSet<RelPath>,
}

/// A file before and after a call; nothing where it is absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Versions {
    /// The hash that it must have until then.
    pub before: Option<Digest>,
    /// The hash that it has afterwards.
    pub after: Option<Digest>,
}

/// The same with everything that is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Touched {
    before: Option<Version>,
    after: Option<Version>,
}

/// What stands at a path, as far as a caller is shown it. A link's target may have the hash of a file's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Version {
    digest: Digest,
    form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// A symbolic link. It has no permission bits of its own.
    Link,
    /// A file with these permission bits.
    File(u32),
    /// A new file whose folder decides on the permission bits, but for those that are asked for.
    NewFile(Option<Bits>),
}

impl PlannedFiles {
    /// Every file with its versions, by path.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Versions)> {
        let digest = |version: Option<Version>| version.map(|version| version.digest);
        let versions = move |one: &Touched| Versions { before: digest(one.before), after: digest(one.after) };
        self.files.iter().map(move |(path, touched)| (path.as_str(), versions(touched)))
    }

    /// What carrying out a plan comes to, made from a snapshot; `removed` are the folders that go. A file that several
    /// steps touch counts once.
    pub(crate) fn of(plan: &Plan, removed: &[RelPath], snapshot: &Snapshot) -> PlannedFiles {
        let mut files = PlannedFiles { files: BTreeMap::new(), removed: removed.iter().cloned().collect() };
        let forms = Forms::of(snapshot);
        for step in &plan.steps {
            let form = files.form_after(&step.path).unwrap_or_else(|| forms.at(&step.path));
            files.add_step(step, form);
        }
        files
    }

    /// Adds a step for something of this form.
    fn add_step(&mut self, step: &Step, form: Form) {
        let before = step.act.before().map(|digest| Version { digest, form });
        match &step.act {
            Act::Rename { to, .. } => {
                self.add(&step.path, before, None);
                self.add(to, None, before);
            }
            act => {
                let after = act.after().map(|digest| Version { digest, form: form.after(step) });
                self.add(&step.path, before, after);
            }
        }
    }

    fn add(&mut self, path: &RelPath, before: Option<Version>, after: Option<Version>) {
        let first = Touched { before, after };
        self.files.entry(path.clone()).and_modify(|known| known.after = after).or_insert(first);
    }

    /// What the steps up to now leave at a path.
    fn form_after(&self, path: &RelPath) -> Option<Form> {
        self.files.get(path)?.after.map(|version| version.form)
    }

    /// Refuses to go on unless everything is as it was when this was planned.
    pub(crate) fn check_before(&self, look: &dyn Fn(&RelPath) -> Result<Seen, Trouble>) -> Result<(), Trouble> {
        for (path, Touched { before, .. }) in &self.files {
            let seen = absent_below_file(path, look(path))?;
            if Version::of(&seen) != *before || (before.is_none() && !self.leaves_free(path, &seen)) {
                let sort = seen.sort().unwrap_or(Sort::File);
                return Err(differs(path, *before, Version::of(&seen), sort).into());
            }
        }
        for folder in &self.removed {
            let seen = absent_below_file(folder, look(folder))?;
            if seen != Seen::Folder {
                return Err(differs(folder, None, Version::of(&seen), seen.sort().unwrap_or(Sort::Folder)).into());
            }
        }
        Ok(())
    }

    /// Can a file be made at a path? A folder that stands there may be one that is removed first.
    fn leaves_free(&self, path: &RelPath, seen: &Seen) -> bool {
        seen.sort().is_none() || (*seen == Seen::Folder && self.removed.contains(path))
    }

    /// Refuses a plan that comes to anything else than this, naming the first file or folder that differs.
    pub(crate) fn check(&self, found: &PlannedFiles) -> Result<(), Refusal> {
        let mut paths = self.files.keys().chain(found.files.keys());
        if let Some(path) = paths.find(|path| self.files.get(*path) != found.files.get(*path)) {
            let after = |files: &PlannedFiles| files.files.get(path).and_then(|touched| touched.after);
            return Err(differs(path, after(self), after(found), Sort::File));
        }
        match self.removed.symmetric_difference(&found.removed).next() {
            None => Ok(()),
            Some(folder) => Err(differs(folder, None, None, Sort::Folder)),
        }
    }
}

impl Version {
    fn of(seen: &Seen) -> Option<Version> {
        match seen {
            Seen::File(file) => Some(Version { digest: file.digest, form: Form::of_mode(file.mode) }),
            Seen::Link { digest, .. } => Some(Version { digest: *digest, form: Form::Link }),
            Seen::Absent { .. } | Seen::Folder | Seen::Special => None,
        }
    }
}

impl Form {
    fn of_mode(mode: u32) -> Form {
        Form::File(mode & 0o7777)
    }

    /// What a step makes of something of this form.
    fn after(self, step: &Step) -> Form {
        let form = match &step.act {
            Act::Create(Fresh::Link { .. }) => Form::Link,
            Act::Create(Fresh::Kept(kept)) if kept.target.is_some() => Form::Link,
            Act::Create(Fresh::Kept(kept)) => Form::of_mode(kept.mode),
            Act::Create(Fresh::File { mode, .. }) => mode.map_or(Form::NewFile(None), Form::of_mode),
            Act::Mode { to, .. } => Form::of_mode(*to),
            Act::Replace { .. } | Act::Remove { .. } | Act::Rename { .. } => self,
        };
        match (form, step.bits) {
            (Form::File(mode), Some(bits)) => Form::of_mode(bits.applied_to(mode)),
            (Form::NewFile(_), asked @ Some(_)) => Form::NewFile(asked),
            (form, _) => form,
        }
    }
}

/// The forms of what a snapshot holds.
struct Forms<'a> {
    snapshot: &'a Snapshot,
    /// By where links lead: what steps are about.
    real: HashMap<&'a RelPath, Form>,
}

impl<'a> Forms<'a> {
    fn of(snapshot: &'a Snapshot) -> Forms<'a> {
        let files = snapshot.files().map(|file| (&file.real, Form::of_mode(file.mode)));
        let links = snapshot.links().map(|(real, _)| (real, Form::Link));
        Forms { snapshot, real: files.chain(links).collect() }
    }

    /// What stands at a path. Plans from the record name files as they were looked at, not where links lead.
    fn at(&self, path: &RelPath) -> Form {
        let seen = || Version::of(&self.snapshot.seen(path)).map(|version| version.form);
        self.real.get(path).copied().or_else(seen).unwrap_or(Form::NewFile(None))
    }
}

/// Below a file nothing stands. The file may be one that the call removes; else what was planned there is stale.
fn absent_below_file(path: &RelPath, seen: Result<Seen, Trouble>) -> Result<Seen, Trouble> {
    match seen {
        Err(Trouble::Refused(Refusal { why: Why::NotFound(Missing::IsFile), .. })) => {
            Ok(Seen::Absent { real: path.clone(), missing: Vec::new() })
        }
        seen => seen,
    }
}

/// A file or folder is not, or would not become, what the caller was shown. The empty text stands for absence.
fn differs(path: &RelPath, expected: Option<Version>, actual: Option<Version>, sort: Sort) -> Refusal {
    let expected = Some(expected.map(|version| version.digest.to_string()).unwrap_or_default());
    let actual = actual.map(|version| version.digest);
    let stale = Stale { expected, actual, reason: StaleReason::ChangedMeanwhile, sort, argument: EXPECT };
    Refusal::at(path, Why::Stale(stale))
}
