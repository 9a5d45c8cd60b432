//! What was being done when something failed.
//!
//! Callers decide by the phase; people and records are told its name, which never changes.

/// A phase of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Opening the workspace or one of its folders.
    Open,
    /// Reading the settings.
    Settings,
    /// Taking down the attributes of folders that go.
    Attributes,
    /// Writing the record.
    Log,
    /// Laying new bytes beside the old.
    Stage,
    /// Making a folder.
    Mkdir,
    /// Removing a folder.
    Rmdir,
    /// Removing a folder that makes room for a file.
    Turn,
    /// Giving a folder its permission bits and attributes.
    Dress,
    /// Changing a name or permission bits.
    Swap,
    /// Looking at what was displaced.
    Verify,
    /// Putting it where it is kept.
    Keep,
    /// Making things durable.
    Sync,
    /// Taking back what was done.
    Rollback,
}

impl Phase {
    /// The name, as people and records know it.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Open => "open",
            Phase::Settings => "settings",
            Phase::Attributes => "attributes",
            Phase::Log => "log",
            Phase::Stage => "stage",
            Phase::Mkdir => "mkdir",
            Phase::Rmdir => "rmdir",
            Phase::Turn => "turn",
            Phase::Dress => "dress",
            Phase::Swap => "swap",
            Phase::Verify => "verify",
            Phase::Keep => "keep",
            Phase::Sync => "sync",
            Phase::Rollback => "rollback",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Phase;

    #[test]
    fn names_are_those_that_records_have() {
        use Phase::{
            Attributes, Dress, Keep, Log, Mkdir, Open, Rmdir, Rollback, Settings, Stage, Swap, Sync, Turn, Verify,
        };
        let all =
            [Open, Settings, Attributes, Log, Stage, Mkdir, Rmdir, Turn, Dress, Swap, Verify, Keep, Sync, Rollback];
        let names = "open settings attributes log stage mkdir rmdir turn dress swap verify keep sync rollback";
        assert_eq!(all.map(Phase::name).join(" "), names);
    }
}
