//! CLI door: the flags of `watch`.

use clap::Args;

#[derive(Args, Debug)]
#[command(after_help = "\
Shows what is done here from now on, a line each, until Ctrl-C ends it: changes, refused calls, proposals and what was decided \
about them, by whichever program of yours. Nothing is changed or made by watching.

Examples:
  patchwright watch                        from now on
  patchwright watch -n 10                  the last ten first
  patchwright watch --json                 for a program, a line of JSON each
  patchwright watch --json --since CURSOR  what came after a line that was seen before, and goes on
  patchwright watch --from-start --once    all that is on record, and ends

Signs: ? proposed, ! a proposal that no longer fits, x refused or rejected. docs/record.md tells what a line of JSON holds.")]
pub(in crate::doors::cli) struct WatchArgs {
    /// Begin after this: the cursor of a line that --json printed
    #[arg(long, value_name = "CURSOR", conflicts_with_all = ["from_start", "limit"])]
    pub(in crate::doors::cli) since: Option<String>,
    /// Begin with the first that is on record
    #[arg(long, conflicts_with = "limit")]
    pub(in crate::doors::cli) from_start: bool,
    /// Begin with the last so many
    #[arg(long, short = 'n', value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(in crate::doors::cli) limit: Option<u32>,
    /// End when all that is on record has been shown
    #[arg(long)]
    pub(in crate::doors::cli) once: bool,
}
