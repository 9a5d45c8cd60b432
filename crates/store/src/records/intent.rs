//! What is about to be done: the intent, with every name it uses on the way, and where displaced files are kept.

use super::{Caller, FolderTable, is_default};
use patchwright_core::digest::Digest;
use patchwright_core::folder::FolderMeta;
use patchwright_core::path::RelPath;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// What is about to be done.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Intent {
    /// The batch's id.
    #[serde(rename = "batch")]
    pub batch: String,
    /// Who and when.
    #[serde(rename = "caller")]
    pub caller: Caller,
    /// Folders that will be made, parents first.
    #[serde(rename = "folders")]
    pub folders: Vec<RelPath>,
    /// The steps, in order.
    #[serde(rename = "works")]
    pub works: Vec<Work>,
    /// Folders that are there and will go if the steps leave nothing in them, deepest first.
    #[serde(rename = "gone", default)]
    pub gone: Vec<RelPath>,
    /// So many steps come before folders are removed and made.
    #[serde(rename = "ahead", default, skip_serializing_if = "is_default")]
    pub ahead: u64,
    /// Folders that go between those steps and the others, deepest first: files come in their place.
    #[serde(rename = "emptied", default, skip_serializing_if = "is_default")]
    pub emptied: Vec<RelPath>,
    /// The permission bits of the folders that go; only in records that do not say more of them.
    #[serde(rename = "modes", default, skip_serializing_if = "is_default")]
    pub modes: Vec<(RelPath, u32)>,
    /// What the folders that go are like.
    #[serde(rename = "dress", default, skip_serializing_if = "is_default")]
    pub dress: FolderTable,
    /// What folders are like that stay, and become otherwise.
    #[serde(rename = "altered", default, skip_serializing_if = "is_default")]
    pub altered: FolderTable,
}

impl Intent {
    /// What the folders that go were like.
    pub(crate) fn folder_metas(&self) -> HashMap<&RelPath, FolderMeta> {
        let modes = self.modes.iter().map(|(folder, mode)| (folder, FolderMeta::of_mode(*mode)));
        modes.chain(self.dress.iter().map(|(folder, meta)| (folder, meta.clone()))).collect()
    }
}

/// One step, with the names it uses on the way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Work {
    /// What happens.
    #[serde(rename = "deed")]
    pub deed: Deed,
    /// The name concerned.
    #[serde(rename = "path")]
    pub path: RelPath,
    /// The new name, of a rename.
    #[serde(rename = "to", default)]
    pub to: Option<RelPath>,
    /// The folder the temporary stands in.
    #[serde(rename = "temp_folder")]
    pub temp_folder: RelPath,
    /// The temporary's name.
    #[serde(rename = "temp")]
    pub temp: String,
    /// Where what was there goes.
    #[serde(rename = "keep", default)]
    pub keep: Option<Keep>,
    /// Its hash before.
    #[serde(rename = "before", default)]
    pub before: Option<Digest>,
    /// Its hash after.
    #[serde(rename = "after", default)]
    pub after: Option<Digest>,
    /// Permission bits before and after, where nothing else changes.
    #[serde(rename = "modes", default, skip_serializing_if = "is_default")]
    pub modes: Option<(u32, u32)>,
    /// Does a rename wait under the temporary name until folders have gone and come?
    #[serde(rename = "via", default, skip_serializing_if = "is_default")]
    pub via: bool,
}

impl Work {
    /// Where the old file has its second name for a moment, on file systems that cannot exchange.
    pub(crate) fn spare_name(&self) -> String {
        format!("{}.old", self.temp)
    }
}

/// What happens to a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Deed {
    /// Something new.
    #[serde(rename = "Create")]
    Create,
    /// New bytes.
    #[serde(rename = "Replace")]
    Replace,
    /// Away.
    #[serde(rename = "Remove")]
    Remove,
    /// Another name.
    #[serde(rename = "Rename")]
    Rename,
    /// Other permission bits.
    #[serde(rename = "Mode")]
    Mode,
}

/// Where a displaced file is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Keep {
    /// The state folder: `blobs` or `trash`.
    #[serde(rename = "shelf")]
    pub shelf: Shelf,
    /// The name in it.
    #[serde(rename = "name")]
    pub name: String,
}

/// A state folder for displaced files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shelf {
    /// Pre-images of edits, by content hash.
    #[serde(rename = "Blobs")]
    Blobs,
    /// Deleted and replaced files, by trash id.
    #[serde(rename = "Trash")]
    Trash,
}

impl Shelf {
    /// The folder's name in the state directory.
    pub fn folder(self) -> &'static str {
        match self {
            Shelf::Blobs => "blobs",
            Shelf::Trash => "trash",
        }
    }
}
