//! CLI door: the flags of `edit`. Operations come as JSON, or one of them by flags.

use clap::{ArgGroup, Args, ValueEnum};

#[derive(Args, Debug)]
#[command(group = ArgGroup::new("what").required(true).args(["operations", "replace", "after", "before", "delete"]))]
#[command(group = ArgGroup::new("lines").args(["with", "from"]))]
#[command(override_usage = "\
patchwright edit [OPTIONS] <PATH> <OPERATIONS-JSON>
       patchwright edit [OPTIONS] <PATH> --replace <ANCHOR[..ANCHOR]> <--with <TEXT>|--from <FILE>>
       patchwright edit [OPTIONS] <PATH> <--after|--before> <ANCHOR> <--with <TEXT>|--from <FILE>>
       patchwright edit [OPTIONS] <PATH> --delete <ANCHOR[..ANCHOR]>")]
#[command(after_help = "\
`patchwright read --hashes PATH` shows the anchors: in `12#a1b2c3 [high]|text` both a1b2c3 and 12#a1b2c3 name the line.

  patchwright edit src/server.ts --replace a1b2c3 --with 'const PORT = 4000;'
  patchwright edit src/server.ts --replace 77aa01..0c812f --from new-start.ts
  patchwright edit src/server.ts --delete d41d8c
  patchwright edit src/server.ts '[{\"op\": \"delete_line\", \"hash\": \"a1b2c3\"}]'

All operations are applied, or none.")]
pub(in crate::doors::cli) struct EditArgs {
    /// The file
    #[arg(value_hint = clap::ValueHint::FilePath)]
    pub(in crate::doors::cli) path: String,
    /// The operations as a JSON array, as the tool takes them, or - to read it from standard input
    #[arg(value_name = "OPERATIONS-JSON", allow_hyphen_values = true)]
    pub(in crate::doors::cli) operations: Option<String>,
    /// Put new lines in place of this line, or of the lines from one to the other
    #[arg(long, value_name = "ANCHOR[..ANCHOR]", requires = "lines")]
    pub(in crate::doors::cli) replace: Option<String>,
    /// Put new lines below this line
    #[arg(long, value_name = "ANCHOR", requires = "lines")]
    pub(in crate::doors::cli) after: Option<String>,
    /// Put new lines above this line
    #[arg(long, value_name = "ANCHOR", requires = "lines")]
    pub(in crate::doors::cli) before: Option<String>,
    /// Remove this line, or the lines from one to the other
    #[arg(long, value_name = "ANCHOR[..ANCHOR]", conflicts_with = "lines")]
    pub(in crate::doors::cli) delete: Option<String>,
    /// The new lines
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with = "operations")]
    pub(in crate::doors::cli) with: Option<String>,
    /// The file that holds the new lines, or - for standard input
    #[arg(long, value_name = "FILE", conflicts_with = "operations")]
    pub(in crate::doors::cli) from: Option<String>,
    /// What the first line that is touched says now; go ahead only if it does (of --after and --before: the anchor's line)
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with = "operations")]
    pub(in crate::doors::cli) was: Option<String>,
    /// Which of several lines with the same anchor, counted from 1
    #[arg(long, value_name = "N", conflicts_with = "operations")]
    pub(in crate::doors::cli) occurrence: Option<u32>,
    /// Go ahead only if the file has this sha256
    #[arg(long, value_name = "HEX")]
    pub(in crate::doors::cli) sha256: Option<String>,
    /// What to do about a result that looks like a slip: refuse it, apply it with a warning, or do not look
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t = Care::Strict)]
    pub(in crate::doors::cli) safety: Care,
    /// Check everything and show what would change, but change nothing
    #[arg(long, short = 'n')]
    pub(in crate::doors::cli) dry_run: bool,
    /// Show the lines, too
    #[arg(long, short = 'p')]
    pub(in crate::doors::cli) patch: bool,
    /// The file's charset, when it is neither UTF-8 nor UTF-16 with a byte-order mark
    #[arg(long, value_name = "CHARSET")]
    pub(in crate::doors::cli) encoding: Option<String>,
    /// Whether the file ends in a newline afterwards; else it goes on ending as it did
    #[arg(long, value_name = "BOOL")]
    pub(in crate::doors::cli) final_newline: Option<bool>,
    /// Whether the file may be run as a program; else it keeps its mode
    #[arg(long, value_name = "BOOL")]
    pub(in crate::doors::cli) executable: Option<bool>,
}

/// What to do about a result that looks like a slip.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(in crate::doors::cli) enum Care {
    Strict,
    Warn,
    Off,
}

impl Care {
    /// The argument's word.
    pub(in crate::doors::cli) fn word(self) -> &'static str {
        match self {
            Care::Strict => "strict",
            Care::Warn => "warn",
            Care::Off => "off",
        }
    }
}
