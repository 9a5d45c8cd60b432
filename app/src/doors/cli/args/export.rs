//! CLI door: the flags of `audit export`, which entries are wanted.

use clap::Args;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  patchwright audit export                                    everything
  patchwright audit export --session ID                       what one session did and was refused
  patchwright audit export --path src/app.rs --since 2d       one file, the last two days
  patchwright audit export --tool apply_patch --until 2026-01-31T00:00:00Z

Every condition has to fit. docs/record.md tells what an entry holds. A damaged record is passed over and told on standard \
error; the status is then 1.")]
pub(in crate::doors::cli) struct ExportArgs {
    /// Only what this session did
    #[arg(long, value_name = "ID")]
    pub(in crate::doors::cli) session: Option<String>,
    /// Only calls of this tool
    #[arg(long, value_name = "NAME")]
    pub(in crate::doors::cli) tool: Option<String>,
    /// Only what is about this file, or about anything in this folder
    #[arg(long, value_name = "PATH")]
    pub(in crate::doors::cli) path: Option<String>,
    /// Only what came after this: a time such as 2026-01-31T00:00:00Z, an age such as 2h or 3d, or a batch's id. Times go
    /// by the order of the record: no entry counts as older than one before it
    #[arg(long, value_name = "TIME")]
    pub(in crate::doors::cli) since: Option<String>,
    /// Only what came before this: a time such as 2026-01-31T00:00:00Z, or an age such as 2h or 3d
    #[arg(long, value_name = "TIME")]
    pub(in crate::doors::cli) until: Option<String>,
}
