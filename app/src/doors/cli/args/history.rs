//! CLI door: the flags of the commands that look at what was done, and take it back or carry it out.

use super::Shown;
use clap::Args;
use clap::builder::PossibleValuesParser;
use patchwright_core::outcome::BatchStatus;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  patchwright log                     the newest 50
  patchwright log src/app.rs          what changed one file, moves included
  patchwright log --since 2h          of the last two hours
  patchwright log --session ID -n 500 what a session did
  patchwright log --status proposed   what waits for review

`patchwright show ID` tells more of one, `patchwright undo ID` takes it back.")]
pub(in crate::doors::cli) struct LogArgs {
    /// Only what touches this file
    pub(in crate::doors::cli) path: Option<String>,
    /// Only what this session did
    #[arg(long, value_name = "ID")]
    pub(in crate::doors::cli) session: Option<String>,
    /// Only what came after this: a time such as 2026-01-31T00:00:00Z, an age such as 2h or 3d, or a batch's id. Times go
    /// by the order of the record: no batch counts as older than one before it
    #[arg(long, value_name = "TIME")]
    pub(in crate::doors::cli) since: Option<String>,
    /// Only what stands so
    #[arg(long, value_name = "STATUS", value_parser = PossibleValuesParser::new(BatchStatus::ALL.map(BatchStatus::name)))]
    pub(in crate::doors::cli) status: Option<String>,
    /// So many at most
    #[arg(long, short = 'n', value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    pub(in crate::doors::cli) number: u32,
    #[command(flatten)]
    pub(in crate::doors::cli) paged: Paged,
    #[command(flatten)]
    pub(in crate::doors::cli) shown: Shown,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Ids may be cut short to their first 8 characters or more, as long as only one fits. A batch is also known by its number,
a change by its place in the batch.

  patchwright show b17
  patchwright show b17.3
  patchwright show 019a8c1e-77b2
  patchwright show 019a8c1e-77b2 019a8c1e-77b3-7d")]
pub(in crate::doors::cli) struct ShowArgs {
    /// The batch's id, as `patchwright log` shows it, or that of a change or of a file's part alone
    #[arg(value_name = "ID")]
    pub(in crate::doors::cli) batch: String,
    /// One change of it
    #[arg(value_name = "CHANGE")]
    pub(in crate::doors::cli) change: Option<String>,
    #[command(flatten)]
    pub(in crate::doors::cli) paged: Paged,
    #[command(flatten)]
    pub(in crate::doors::cli) shown: Shown,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Later changes stay where they do not touch what is taken back; where they do, nothing is done and the lines are shown.
An undo is a batch too: undo it to have the changes again.

  patchwright undo                       the newest change
  patchwright undo --dry-run             only show what that would do
  patchwright undo 019a8c1e-77b2         one batch
  patchwright undo 019a8c1e-77b2 --change 019a8c1e-77b3-7d
  patchwright undo --path src/app.rs     one file's part of the newest batch that changed it
  patchwright undo --session ID          everything a session did
  patchwright undo --since 019a8c1e-77b2 everything after a batch")]
pub(in crate::doors::cli) struct UndoArgs {
    /// The batch's id, or its beginning, or that of a change or of a file's part alone; the newest applied batch if it is
    /// left out
    #[arg(value_name = "ID", conflicts_with_all = ["path", "session", "since"])]
    pub(in crate::doors::cli) batch: Option<String>,
    /// Only this change, of the batch or, without one, of any; may be given again
    #[arg(long, value_name = "ID", conflicts_with_all = ["path", "session", "since"])]
    pub(in crate::doors::cli) change: Vec<String>,
    /// This file's part of the newest applied batch that changed it
    #[arg(long, value_name = "PATH", conflicts_with_all = ["session", "since"])]
    pub(in crate::doors::cli) path: Option<String>,
    /// Everything this session did
    #[arg(long, value_name = "ID", conflicts_with = "since")]
    pub(in crate::doors::cli) session: Option<String>,
    /// Everything after this batch, which itself stays
    #[arg(long, value_name = "ID")]
    pub(in crate::doors::cli) since: Option<String>,
    /// Show what would change, but change nothing
    #[arg(long, short = 'n')]
    pub(in crate::doors::cli) dry_run: bool,
    #[command(flatten)]
    pub(in crate::doors::cli) shown: Shown,
}

#[derive(Args, Debug)]
#[command(after_help = "\
`patchwright show ID` shows the diff of one, `patchwright apply-batch ID` carries it out, `patchwright reject ID` drops it.")]
pub(in crate::doors::cli) struct ProposalsArgs {
    #[command(flatten)]
    pub(in crate::doors::cli) paged: Paged,
    #[command(flatten)]
    pub(in crate::doors::cli) shown: Shown,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  patchwright apply-batch 019a8c1e-77b2
  patchwright apply-batch 019a8c1e-77b2 --change 019a8c1e-77b3-7d   one change; the rest is dropped
  patchwright apply-batch 019a8c1e-77b2 --rebase                    although the files have changed elsewhere")]
pub(in crate::doors::cli) struct ApplyBatchArgs {
    /// The proposal's id, or its beginning, or that of a change or of a file's part alone; not needed with --change
    #[arg(value_name = "ID", required_unless_present = "change")]
    pub(in crate::doors::cli) batch: Option<String>,
    /// Only this change of it, the rest being dropped; may be given again
    #[arg(long, value_name = "ID")]
    pub(in crate::doors::cli) change: Vec<String>,
    /// Carry it over to files that have changed since, where those changes do not touch it
    #[arg(long)]
    pub(in crate::doors::cli) rebase: bool,
    /// Show what would change, but change nothing
    #[arg(long, short = 'n')]
    pub(in crate::doors::cli) dry_run: bool,
    #[command(flatten)]
    pub(in crate::doors::cli) shown: Shown,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  patchwright reject 019a8c1e-77b2 --reason 'the old name has to stay'")]
pub(in crate::doors::cli) struct RejectArgs {
    /// The proposal's id, or its beginning
    #[arg(value_name = "ID")]
    pub(in crate::doors::cli) batch: String,
    /// Why, for the record
    #[arg(long, value_name = "TEXT")]
    pub(in crate::doors::cli) reason: Option<String>,
    #[command(flatten)]
    pub(in crate::doors::cli) shown: Shown,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  patchwright why src/app.rs          the whole file
  patchwright why src/app.rs:12       one line
  patchwright why src/app.rs:12-20    some lines")]
pub(in crate::doors::cli) struct WhyArgs {
    /// The file, with :LINE or :LINE-LINE for some of its lines
    #[arg(value_name = "PATH[:LINE[-LINE]]")]
    pub(in crate::doors::cli) target: String,
    #[command(flatten)]
    pub(in crate::doors::cli) paged: Paged,
    #[command(flatten)]
    pub(in crate::doors::cli) shown: Shown,
}

/// Whether long output goes through a pager.
#[derive(Args, Clone, Copy, Debug)]
pub(in crate::doors::cli) struct Paged {
    /// Print everything at once. Otherwise a terminal gets it through PATCHWRIGHT_PAGER, PAGER or less
    #[arg(long)]
    no_pager: bool,
}

/// How long output is given to a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::doors::cli) enum Paging {
    ByPages,
    AtOnce,
}

impl Paged {
    pub(in crate::doors::cli) fn how(self) -> Paging {
        if self.no_pager { Paging::AtOnce } else { Paging::ByPages }
    }
}
