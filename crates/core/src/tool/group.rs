//! Groups of tools: what a server shows together. A tool may be in several.

/// A group of tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Reading and searching.
    Look,
    /// Changes by exact texts and whole files.
    Strings,
    /// The patch envelope.
    Envelope,
    /// Changes of lines by their anchors.
    Anchors,
    /// Changes of lines by their numbers.
    Lines,
    /// What was done, and taking it back.
    History,
    /// What is proposed, and deciding about it.
    Review,
    /// The trash.
    Trash,
    /// Who wrote which line.
    Why,
}

impl Group {
    /// Every group.
    pub const ALL: &[Group] = &[
        Group::Look,
        Group::Strings,
        Group::Envelope,
        Group::Anchors,
        Group::Lines,
        Group::History,
        Group::Review,
        Group::Trash,
        Group::Why,
    ];

    /// The name that operators use.
    pub fn name(self) -> &'static str {
        match self {
            Group::Look => "look",
            Group::Strings => "strings",
            Group::Envelope => "envelope",
            Group::Anchors => "anchors",
            Group::Lines => "lines",
            Group::History => "history",
            Group::Review => "review",
            Group::Trash => "trash",
            Group::Why => "why",
        }
    }

    /// The group of this name.
    pub fn find(name: &str) -> Option<Group> {
        Group::ALL.iter().copied().find(|group| group.name() == name)
    }
}
