//! CLI door: the flags that say how answers are shown, the same for every command.

use clap::{Args, ValueEnum};

/// How answers are shown.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Output")]
pub(in crate::doors::cli) struct OutputArgs {
    /// Print the answer as one line of JSON
    #[arg(long, global = true)]
    json: bool,
    /// Leave out hints
    #[arg(long, short, global = true)]
    quiet: bool,
    /// Colours: auto means on a terminal, unless NO_COLOR or TERM=dumb say otherwise; CLICOLOR_FORCE means always
    #[arg(long, global = true, hide = true, value_enum, value_name = "WHEN", default_value_t = When::Auto)]
    color: When,
    /// Show ids beside short names
    #[arg(long, global = true, hide = true)]
    ids: bool,
    /// Print everything at once. Otherwise a terminal gets long output through PATCHWRIGHT_PAGER, PAGER or less
    #[arg(long, global = true, hide = true)]
    no_pager: bool,
}

/// When colours are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::doors::cli) enum When {
    Auto,
    Always,
    Never,
}

/// Who reads the answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reader {
    /// A person.
    #[default]
    Person,
    /// A program, which gets JSON.
    Program,
}

/// How long output is given to a terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Paging {
    /// Page by page.
    #[default]
    ByPages,
    /// All of it.
    AtOnce,
}

/// Whether hints are given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hints {
    /// On a terminal.
    #[default]
    Given,
    /// Never.
    LeftOut,
}

impl OutputArgs {
    pub(in crate::doors::cli) fn reader(self) -> Reader {
        if self.json { Reader::Program } else { Reader::Person }
    }

    pub(in crate::doors::cli) fn paging(self) -> Paging {
        if self.no_pager { Paging::AtOnce } else { Paging::ByPages }
    }

    pub(in crate::doors::cli) fn hints(self) -> Hints {
        if self.quiet { Hints::LeftOut } else { Hints::Given }
    }

    pub(in crate::doors::cli) fn colour(self) -> When {
        self.color
    }

    pub(in crate::doors::cli) fn shows_ids(self) -> bool {
        self.ids
    }
}
