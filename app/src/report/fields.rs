//! Fields of a JSON answer, filled one by one, and the words that several answers have in them.

use patchwright_core::batch::{BatchName, BatchStatus, ChangeName};
use patchwright_core::digest::Digest;
use patchwright_core::intent::ChangeMarks;
use patchwright_core::outcome::{Concurrency, Extent};
use patchwright_core::refusal::Sort;
use patchwright_core::text::NewlineStyle;
use serde_json::{Map, Value};

/// An object that is filled field by field, those without a value being left out.
pub(super) struct Fields(Map<String, Value>);

impl Fields {
    pub(super) fn new() -> Fields {
        Fields(Map::new())
    }

    pub(super) fn put(mut self, name: &str, value: impl Into<Value>) -> Fields {
        self.0.insert(name.to_owned(), value.into());
        self
    }

    pub(super) fn maybe(self, name: &str, value: Option<impl Into<Value>>) -> Fields {
        match value {
            Some(value) => self.put(name, value),
            None => self,
        }
    }

    /// A batch by its id and by its short name.
    pub(super) fn batch(self, name: Option<&BatchName>) -> Fields {
        self.maybe("batchId", name.map(|name| name.id.as_str())).maybe("batch", name.map(BatchName::to_string))
    }

    /// A change by its id and by its short name; nothing if it is not stored.
    pub(super) fn change(self, name: &ChangeName) -> Fields {
        let name = (!name.id.is_empty()).then_some(name);
        self.maybe("changeId", name.map(|name| name.id.as_str())).maybe("change", name.map(ChangeName::to_string))
    }

    /// True, or not there at all.
    pub(super) fn mark(self, name: &str, holds: bool) -> Fields {
        self.maybe(name, holds.then_some(true))
    }

    /// With all fields of another object, those that are there already being kept.
    pub(super) fn with(mut self, more: Option<Value>) -> Fields {
        if let Some(Value::Object(more)) = more {
            for (name, value) in more {
                self.0.entry(name).or_insert(value);
            }
        }
        self
    }

    pub(super) fn done(self) -> Value {
        Value::Object(self.0)
    }
}

/// The word for a file's line ends.
pub(super) fn newline_style(style: NewlineStyle) -> &'static str {
    match style {
        NewlineStyle::Lf => "lf",
        NewlineStyle::Crlf => "crlf",
        NewlineStyle::Mixed => "mixed",
        NewlineStyle::None => "none",
    }
}

/// The word for what stands at a path.
pub(super) fn sort(sort: Sort) -> &'static str {
    match sort {
        Sort::File => "file",
        Sort::Folder => "directory",
        Sort::Link => "symlink",
        Sort::Special => "other",
    }
}

/// The word for how foreign writers were dealt with.
pub(super) fn concurrency(concurrency: Concurrency) -> &'static str {
    match concurrency {
        Concurrency::Verified => "verified",
        Concurrency::Checked => "checked",
    }
}

/// What else a caller said of a change.
pub(super) fn marked(fields: Fields, marks: &ChangeMarks) -> Fields {
    let some = |words: &[String]| (!words.is_empty()).then(|| words.to_vec());
    fields
        .maybe("severity", marks.severity.as_deref())
        .maybe("categories", some(&marks.categories))
        .maybe("tags", some(&marks.tags))
}

/// Where a change stands that is only proposed; of others the answer says it by itself.
pub(super) fn status(extent: Extent) -> Option<&'static str> {
    (extent == Extent::Proposed).then(|| BatchStatus::Proposed.name())
}

pub(super) fn hex(digest: Option<Digest>) -> Option<String> {
    digest.map(|digest| digest.to_string())
}
