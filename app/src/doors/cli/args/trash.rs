//! CLI door: the flags of `trash`.

use crate::doors::cli::complete;
use clap::{Args, Subcommand, ValueHint};

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  patchwright trash                              what was deleted, newest first
  patchwright trash restore src/old.rs           bring it back
  patchwright trash restore src/old.rs --to src/older.rs
  patchwright trash purge --older-than 30d       remove for good; asks first")]
#[command(args_conflicts_with_subcommands = true)]
pub(in crate::doors::cli) struct TrashArgs {
    /// So many at most
    #[arg(long, short = 'n', value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub(in crate::doors::cli) limit: u32,
    #[command(subcommand)]
    pub(in crate::doors::cli) command: Option<TrashCommand>,
}

#[derive(Debug, Subcommand)]
pub(in crate::doors::cli) enum TrashCommand {
    /// List what is in the trash
    #[command(hide = true)]
    List,
    /// Bring something back
    Restore(RestoreArgs),
    /// Remove for good what has been in the trash for long
    Purge(PurgeArgs),
}

#[derive(Args, Debug)]
pub(in crate::doors::cli) struct RestoreArgs {
    /// Where it was, or the change that deleted it (b8.3)
    #[arg(value_name = "PATH", add = complete::trash())]
    pub(in crate::doors::cli) entry: String,
    /// Where to, if not where it was
    #[arg(value_name = "TO", hide = true, conflicts_with = "to")]
    pub(in crate::doors::cli) target: Option<String>,
    /// Where to, if not where it was
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub(in crate::doors::cli) to: Option<String>,
    /// Show what would change, but change nothing
    #[arg(long, short = 'n')]
    pub(in crate::doors::cli) dry_run: bool,
}

#[derive(Args, Debug)]
pub(in crate::doors::cli) struct PurgeArgs {
    /// How long: 30d, 12h, 90m, or a time such as 2026-01-31T00:00:00Z
    #[arg(long, value_name = "AGE")]
    pub(in crate::doors::cli) older_than: String,
    /// Show what would go, but remove nothing
    #[arg(long, short = 'n')]
    pub(in crate::doors::cli) dry_run: bool,
    /// Do not ask
    #[arg(long, short)]
    pub(in crate::doors::cli) yes: bool,
}
