//! Why there is no folder outside the workspace for the key of its record.

/// Why there is no such folder; each with its path as the system shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoHome {
    /// `PATCHWRIGHT_HOME` is not an absolute path.
    Relative(String),
    /// It lies in the workspace.
    InWorkspace(String),
    /// It is another user's; with that user's number.
    Foreign(String, u32),
    /// Other users may write there.
    Shared(String),
    /// It can neither be made nor written.
    Closed(String),
    /// Nothing says where it should be.
    Unknown,
}
