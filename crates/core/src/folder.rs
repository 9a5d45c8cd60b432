//! What a folder is like besides what is in it, for one that goes and may have to come back.

use serde::{Deserialize, Serialize};

/// A folder's permission bits, owner and attributes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FolderMeta {
    /// Permission bits, set-id and sticky bits too.
    #[serde(rename = "mode")]
    pub mode: u32,
    /// User and group, where they are known.
    #[serde(rename = "owner", default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<(u32, u32)>,
    /// Extended attributes, access lists among them, sorted by name; nothing where they are not known.
    #[serde(rename = "attributes", default, skip_serializing_if = "Option::is_none")]
    pub attributes: Option<Vec<Attribute>>,
}

/// An extended attribute.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Attribute {
    /// Its name, such as `user.note`.
    #[serde(rename = "name", with = "crate::as_bytes")]
    pub name: Vec<u8>,
    /// Its value.
    #[serde(rename = "value", with = "crate::as_bytes")]
    pub value: Vec<u8>,
}

impl FolderMeta {
    /// A folder of which the permission bits alone are known.
    pub fn of_mode(mode: u32) -> FolderMeta {
        FolderMeta { mode, ..FolderMeta::default() }
    }

    /// How many bytes its attributes take.
    pub fn size(&self) -> usize {
        self.attributes.iter().flatten().map(|one| one.name.len() + one.value.len()).sum()
    }
}
