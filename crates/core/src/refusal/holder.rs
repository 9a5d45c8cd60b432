//! Who else is at work in a workspace, and what has become of its folder.

/// The writer who holds a workspace. It is for telling people only: nothing is decided by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    /// The process's number.
    pub pid: u32,
    /// Since when, nanoseconds since 1970 UTC, if it has left a note.
    pub since_ns: Option<i64>,
    /// For which client it works, if it has left a note.
    pub client: Option<String>,
}

/// What stands where a workspace's folder stood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootNow {
    /// Another folder, or something else.
    Another,
    /// Nothing.
    Nothing,
}
