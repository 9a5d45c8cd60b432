//! Long answers as JSON, entry by entry: a listing of thousands of entries is written without first being
//! built in memory as a tree.

use super::fields::sort;
use super::time::rfc3339;
use patchwright_core::outcome::{Entry, Globbed, Listing};
use serde::{Serialize, Serializer};

/// `data` of `list_directory`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Listed<'a> {
    path: &'a str,
    entries: Each<'a, ListedEntry<'a>>,
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<&'a str>,
}

/// `data` of `glob`.
#[derive(Serialize)]
pub(super) struct Matched<'a> {
    matches: Each<'a, MatchedEntry<'a>>,
    truncated: bool,
}

impl<'a> Listed<'a> {
    pub(super) fn new(listing: &'a Listing) -> Listed<'a> {
        Listed {
            path: &listing.path,
            entries: Each(&listing.entries, listed_entry),
            truncated: listing.next_cursor.is_some(),
            next_cursor: listing.next_cursor.as_deref(),
        }
    }
}

impl<'a> Matched<'a> {
    pub(super) fn new(found: &'a Globbed) -> Matched<'a> {
        Matched { matches: Each(&found.matches, matched_entry), truncated: found.truncated }
    }
}

/// Entries that take their shape only when they are written.
struct Each<'a, T>(&'a [Entry], fn(&'a Entry) -> T);

impl<T: Serialize> Serialize for Each<'_, T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.iter().map(self.1))
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ListedEntry<'a> {
    name: &'a str,
    relative_path: &'a str,
    r#type: &'static str,
    size: u64,
    mtime: String,
    depth: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    sha256: Option<String>,
}

fn listed_entry(entry: &Entry) -> ListedEntry<'_> {
    ListedEntry {
        name: entry.path.rsplit('/').next().unwrap_or_default(),
        relative_path: &entry.path,
        r#type: sort(entry.sort),
        size: entry.size,
        mtime: rfc3339(entry.mtime_ns),
        depth: entry.depth,
        sha256: entry.sha256.map(|digest| digest.to_string()),
    }
}

#[derive(Serialize)]
struct MatchedEntry<'a> {
    path: &'a str,
    r#type: &'static str,
    size: u64,
    mtime: String,
}

fn matched_entry(entry: &Entry) -> MatchedEntry<'_> {
    MatchedEntry { path: &entry.path, r#type: sort(entry.sort), size: entry.size, mtime: rfc3339(entry.mtime_ns) }
}
