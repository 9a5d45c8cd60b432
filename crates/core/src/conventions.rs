//! The manner in which a patch is written, whichever dialect it is in. Settings and calls choose it; the readers of
//! patches follow it.

/// In which manner a patch was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Conventions {
    /// Markers stand exactly as the grammar has them.
    #[default]
    Strict,
    /// As for the tool that the envelope comes from: padded markers and a heredoc around it are read too.
    Codex,
}

impl Conventions {
    /// All of them.
    pub const ALL: [Conventions; 2] = [Conventions::Strict, Conventions::Codex];

    /// The word for them.
    pub fn name(self) -> &'static str {
        match self {
            Conventions::Strict => "strict",
            Conventions::Codex => "codex",
        }
    }

    /// Those with this word.
    pub fn find(name: &str) -> Option<Conventions> {
        Conventions::ALL.into_iter().find(|conventions| conventions.name() == name)
    }
}
