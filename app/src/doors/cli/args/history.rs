//! CLI door: the flags of the commands that look at what was done, and take it back or carry it out.

use crate::doors::cli::complete;
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueHint};
use patchwright_core::batch::BatchStatus;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  patchwright log                     the newest
  patchwright log src/                what touched a folder, moves included; a file or a glob as well
  patchwright log --since 1h          of the last hour
  patchwright log --who codex -p      what one agent did, with the lines
  patchwright log --session b17       everything of the session that made b17

Signs: ? proposed, ! proposed and no longer fits, x undone or rejected.")]
pub(in crate::doors::cli) struct LogArgs {
    /// Only what touches this file or folder, or what matches this glob
    #[arg(value_hint = ValueHint::AnyPath)]
    pub(in crate::doors::cli) path: Option<String>,
    /// Only what this person or agent did
    #[arg(long, value_name = "NAME")]
    pub(in crate::doors::cli) who: Option<String>,
    /// Only what one session did: any batch of it (b17), or the beginning of its id
    #[arg(long, value_name = "BATCH", add = complete::sessions())]
    pub(in crate::doors::cli) session: Option<String>,
    /// Only what came after this: an age such as 2h or 3d, a batch, or a time such as 2026-01-31T00:00:00Z
    #[arg(long, value_name = "WHEN", add = complete::batches())]
    pub(in crate::doors::cli) since: Option<String>,
    /// Only what stands so
    #[arg(long, value_name = "STATUS", value_parser = PossibleValuesParser::new(BatchStatus::ALL.map(BatchStatus::name)))]
    pub(in crate::doors::cli) status: Option<String>,
    /// So many at most
    #[arg(long, short = 'n', alias = "number", value_name = "N", default_value_t = 25, value_parser = clap::value_parser!(u32).range(1..))]
    pub(in crate::doors::cli) limit: u32,
    /// Show the lines of each, too
    #[arg(long, short = 'p')]
    pub(in crate::doors::cli) patch: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  patchwright show last
  patchwright show b17
  patchwright show b17.3              one change of it
  patchwright show b17 --stat         its files alone")]
pub(in crate::doors::cli) struct ShowArgs {
    /// A batch (b17), a change of one (b17.3), `last`, or the beginning of an id
    #[arg(value_name = "NAME", default_value = "last", add = complete::batches())]
    pub(in crate::doors::cli) batch: String,
    /// One change of it
    #[arg(value_name = "CHANGE", hide = true)]
    pub(in crate::doors::cli) change: Option<String>,
    /// Only the files
    #[arg(long)]
    pub(in crate::doors::cli) stat: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Later changes stay where they do not touch what is taken back; where they do, nothing is done and the lines are shown.
An undo is a batch too, and `patchwright redo` takes it back.

Examples:
  patchwright undo                       the newest change
  patchwright undo -n                    only show what that would do
  patchwright undo b17                   one batch
  patchwright undo b17.2 b17.3           some hunks of it
  patchwright undo src/app.rs            one file's part of the newest batch that changed it
  patchwright undo --session b17         everything of the session that made b17
  patchwright undo --who codex           everything one agent did
  patchwright undo --since 1h            everything of the last hour
  patchwright undo --since b17           everything after b17")]
pub(in crate::doors::cli) struct UndoArgs {
    /// Batches (b17), changes (b17.3), a path, or `last`; the newest change if it is left out
    #[arg(value_name = "NAME", conflicts_with_all = ["path", "session", "since"], add = complete::batches())]
    pub(in crate::doors::cli) names: Vec<String>,
    /// Only this change
    #[arg(long, hide = true, value_name = "NAME", conflicts_with_all = ["path", "session", "since"])]
    pub(in crate::doors::cli) change: Vec<String>,
    /// This file's part of the newest applied batch that changed it
    #[arg(long, hide = true, value_name = "PATH", conflicts_with_all = ["session", "since"])]
    pub(in crate::doors::cli) path: Option<String>,
    /// Everything one session did: any batch of it (b17), or the beginning of its id
    #[arg(long, value_name = "BATCH", conflicts_with = "since", add = complete::sessions())]
    pub(in crate::doors::cli) session: Option<String>,
    /// Everything this person or agent did, in whichever session
    #[arg(long, value_name = "NAME", conflicts_with_all = ["names", "change", "path", "session"])]
    pub(in crate::doors::cli) who: Option<String>,
    /// Everything after this: an age such as 1h, or a batch, which itself stays; with --who of theirs
    #[arg(long, value_name = "WHEN", add = complete::batches())]
    pub(in crate::doors::cli) since: Option<String>,
    /// Show what would change, but change nothing
    #[arg(long, short = 'n')]
    pub(in crate::doors::cli) dry_run: bool,
    /// Show the lines, too
    #[arg(long, short = 'p')]
    pub(in crate::doors::cli) patch: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Takes the newest undo back; called again, the one before it.")]
pub(in crate::doors::cli) struct RedoArgs {
    /// Show what would change, but change nothing
    #[arg(long, short = 'n')]
    pub(in crate::doors::cli) dry_run: bool,
    /// Show the lines, too
    #[arg(long, short = 'p')]
    pub(in crate::doors::cli) patch: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Signs: ? fits, ! the files have changed since.
`patchwright review b10` shows one, `patchwright accept b10` carries it out, `patchwright reject b10` drops it.")]
pub(in crate::doors::cli) struct ReviewArgs {
    /// The proposal to look at (b10)
    #[arg(value_name = "NAME", add = complete::proposals())]
    pub(in crate::doors::cli) batch: Option<String>,
    /// So many at most
    #[arg(long, short = 'n', value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    pub(in crate::doors::cli) limit: u32,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  patchwright accept b10
  patchwright accept b10.1 b10.3      some changes; the rest is dropped
  patchwright accept b10 --rebase     although the files have changed elsewhere")]
pub(in crate::doors::cli) struct AcceptArgs {
    /// A proposal (b10), or changes of one (b10.1), the rest being dropped
    #[arg(value_name = "NAME", required_unless_present = "change", add = complete::proposals())]
    pub(in crate::doors::cli) names: Vec<String>,
    /// Only this change of it
    #[arg(long, hide = true, value_name = "NAME")]
    pub(in crate::doors::cli) change: Vec<String>,
    /// Carry it over to files that have changed since, where those changes do not touch it
    #[arg(long)]
    pub(in crate::doors::cli) rebase: bool,
    /// Show what would change, but change nothing
    #[arg(long, short = 'n')]
    pub(in crate::doors::cli) dry_run: bool,
    /// Show the lines, too
    #[arg(long, short = 'p')]
    pub(in crate::doors::cli) patch: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  patchwright reject b10 --reason 'the old name has to stay'")]
pub(in crate::doors::cli) struct RejectArgs {
    /// The proposal (b10)
    #[arg(value_name = "NAME", add = complete::proposals())]
    pub(in crate::doors::cli) batch: String,
    /// Why, for the record
    #[arg(long, value_name = "TEXT")]
    pub(in crate::doors::cli) reason: Option<String>,
    /// Show what would be dropped, but change nothing
    #[arg(long, short = 'n')]
    pub(in crate::doors::cli) dry_run: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  patchwright why src/app.rs          the whole file
  patchwright why src/app.rs:12       one line: also what it is for, and what stood there before
  patchwright why src/app.rs:12-20    some lines")]
pub(in crate::doors::cli) struct WhyArgs {
    /// The file, with :LINE or :LINE-LINE for some of its lines
    #[arg(value_name = "PATH[:LINE[-LINE]]", value_hint = ValueHint::FilePath)]
    pub(in crate::doors::cli) target: String,
}
