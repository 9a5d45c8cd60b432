//! CLI door: the command line as clap reads it. Each flag is defined once, here, with its help.

mod caller;
mod edit;
mod export;
mod history;
mod output;
mod server;
mod trash;
mod watch;

pub(super) use caller::CallerArgs;
pub(super) use edit::EditArgs;
pub(super) use export::ExportArgs;
pub(super) use history::{AcceptArgs, LogArgs, RedoArgs, RejectArgs, ReviewArgs, ShowArgs, UndoArgs, WhyArgs};
pub use output::{Hints, Paging, Reader};
pub(super) use output::{OutputArgs, When};
pub(super) use server::{FormArgs, OfferArgs};
pub(super) use trash::{PurgeArgs, RestoreArgs, TrashArgs, TrashCommand};
pub(super) use watch::WatchArgs;

use super::complete;
use crate::doors::open::Opening;
use crate::wire::formats::Format;
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;
use patchwright_core::conventions::Conventions;
use patchwright_core::policy::{Guarded, Layer, Lists, SetProtect};
use patchwright_core::tool::Profile;
use patchwright_engine::{Durability, Mode as OpenMode, Proof};
use std::path::PathBuf;

/// Edits files exactly or not at all, for AI agents and the people who watch them.
#[derive(Debug, Parser)]
#[command(name = "patchwright", version, propagate_version = true, disable_help_subcommand = true)]
pub(super) struct CommandLine {
    #[command(flatten)]
    pub(super) workspace: WorkspaceArgs,
    #[command(flatten)]
    pub(super) caller: CallerArgs,
    #[command(flatten)]
    pub(super) output: OutputArgs,
    #[command(subcommand)]
    pub(super) command: Option<Command>,
}

/// Flags that every command takes, before or after its name. `help workspace` shows them.
#[derive(Args, Debug)]
#[command(next_help_heading = "Workspace")]
pub(super) struct WorkspaceArgs {
    /// The workspace: no path leaves this folder. Without it the nearest folder upwards that has a record of yours, else
    /// the git root, else this folder; `call` and `mcp` take this folder itself. Paths count from DIR, else from here
    #[arg(long, short = 'R', global = true, hide = true, value_name = "DIR")]
    pub(super) root: Option<PathBuf>,
    /// The folder for records (log, trash, kept files), if not .git/patchwright or .patchwright in the workspace
    #[arg(long, global = true, hide = true, value_name = "DIR")]
    state_dir: Option<PathBuf>,
    /// What a change survives once it is answered: a power cut, a killed process, or neither
    #[arg(long, global = true, hide = true, value_name = "LEVEL", value_enum, default_value_t = Level::Full)]
    durability: Level,
    /// Take only a sha256 as proof that the caller knows a file's present content
    #[arg(long, global = true, hide = true, conflicts_with = "unchecked")]
    require_sha: bool,
    /// Ask for no proof that the caller knows a file's present content; the record says so
    #[arg(long, global = true, hide = true)]
    unchecked: bool,
    /// Change nothing: every tool that changes something is refused, the trash and proposals included
    #[arg(long, global = true, hide = true)]
    read_only: bool,
    /// Open what is protected by default: .git to writing, likely secrets to reading and writing; may be given again
    #[arg(long, global = true, hide = true, value_name = "WHAT", value_enum)]
    unprotect: Vec<Protected>,
    /// Of what the settings allow, let only matching paths be read; may be given again
    #[arg(long, global = true, hide = true, value_name = "GLOB")]
    allow_read: Vec<String>,
    /// Never let matching paths be read; may be given again
    #[arg(long, global = true, hide = true, value_name = "GLOB")]
    deny_read: Vec<String>,
    /// Of what the settings allow, let only matching paths be written; may be given again
    #[arg(long, global = true, hide = true, value_name = "GLOB")]
    allow_write: Vec<String>,
    /// Never let matching paths be written; may be given again
    #[arg(long, global = true, hide = true, value_name = "GLOB")]
    deny_write: Vec<String>,
}

/// What is protected by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Protected {
    Git,
    Secrets,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Level {
    Full,
    Process,
    None,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// What was done and what is proposed, newest first
    Log(LogArgs),
    /// What is done here, as it is done
    Watch(WatchArgs),
    /// One batch: who, when, why, and its lines
    Show(ShowArgs),
    /// What a batch changed, as a bare diff or as a patch
    Diff(DiffArgs),
    /// Who wrote a line, when and why
    Why(WhyArgs),
    /// Take changes back: a batch, a hunk, a file, a session, an hour
    Undo(UndoArgs),
    /// Bring back what the newest undo took
    Redo(RedoArgs),
    /// What waits for you to decide
    Review(ReviewArgs),
    /// Carry out a proposal, whole or in part
    #[command(alias = "apply-batch")]
    Accept(AcceptArgs),
    /// Drop a proposal
    Reject(RejectArgs),
    /// What was deleted: look, bring back, clear out
    Trash(TrashArgs),
    /// Print a file, some of its lines, or an earlier version
    Read(ReadArgs),
    /// Find text, a pattern or paths
    Search(SearchArgs),
    /// Apply a patch, all of it or nothing
    Apply(ApplyArgs),
    /// Change lines that anchors name, all operations or none
    Edit(EditArgs),
    /// Check everything that undo and the trash rely on
    Doctor,
    /// Verify or export the record of every change
    #[command(subcommand)]
    Audit(AuditCommand),
    /// Take over a record that is not known to be yours
    Adopt(AdoptArgs),
    /// The key of this workspace's record
    #[command(subcommand)]
    Key(KeyCommand),
    /// Play an agent's session in a throw-away workspace
    Demo(DemoArgs),
    /// Help on a command, or on the flags of all (help workspace)
    Help {
        /// A command, or `workspace`
        #[arg(value_name = "COMMAND")]
        topic: Vec<String>,
    },
    /// Serve the tools over the Model Context Protocol, on stdin and stdout
    #[command(after_help = "\
On Linux the server has the kernel close everything but the workspace and the state directory to itself (Landlock): files \
elsewhere can be neither read nor written, programs not run, TCP not used. Where the kernel cannot, it says so on standard \
error and serves all the same; `patchwright doctor` tells what the kernel closes. A state directory elsewhere is made at the \
start.")]
    #[command(args = CallerArgs::unlisted())]
    Mcp {
        #[command(flatten)]
        offer: OfferArgs,
        #[command(flatten)]
        form: FormArgs,
        /// Do not have the kernel confine the server to the workspace and the state directory
        #[arg(long)]
        no_sandbox: bool,
    },
    /// Call any tool with JSON arguments; the answer is one line of JSON
    Call(CallArgs),
    /// Print the tools that a server shows
    Tools {
        /// Whose format
        #[arg(long, value_enum, default_value_t = TableFormat::Mcp)]
        format: TableFormat,
        #[command(flatten)]
        offer: OfferArgs,
        #[command(flatten)]
        form: FormArgs,
    },
    /// Print what a server tells a model, for a system prompt
    Prompt {
        #[command(flatten)]
        offer: OfferArgs,
        #[command(flatten)]
        form: FormArgs,
    },
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// The old name of `review`
    #[command(hide = true)]
    Proposals,
    /// What another program calls it
    #[command(hide = true)]
    Status(Foreign),
    /// What another program calls it
    #[command(hide = true)]
    Revert(Foreign),
    /// What another program calls it
    #[command(hide = true)]
    Blame(Foreign),
}

/// A command of another program, with whatever it was given.
#[derive(Args, Debug)]
#[command(disable_help_flag = true)]
pub(super) struct Foreign {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    pub(super) given: Vec<String>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
The demo makes a folder of its own; it never looks at the workspace that --root names. It starts this program as an MCP \
server, speaks to it as an agent does, and checks each step: the status is 1 if one did not come out as it should.")]
pub(super) struct DemoArgs {
    /// Leave the workspace to look at, and say where it is
    #[arg(long)]
    pub(super) keep: bool,
    /// No colours, even on a terminal
    #[arg(long)]
    pub(super) plain: bool,
}

#[derive(Args, Debug)]
pub(super) struct CallArgs {
    /// The tool's name; `patchwright tools --tools all` lists them
    pub(super) tool: String,
    /// Its arguments as a JSON object, or - to read them from standard input
    #[arg(value_name = "ARGS-JSON", default_value = "{}", allow_hyphen_values = true)]
    pub(super) arguments: String,
    /// Sets the argument expectedSha256: proof that you know the file's present content
    #[arg(long, value_name = "HEX")]
    pub(super) sha256: Option<String>,
    /// Answer as a server with this profile does: with lines and all, answers that list files have their docPaths too
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = server::profiles())]
    pub(super) profile: Profile,
    /// Whose conventions a patch follows that does not say: strict or codex [default: strict]
    #[arg(long, value_name = "NAME", value_parser = server::conventions())]
    pub(super) conventions: Option<Conventions>,
}

#[derive(Args, Debug)]
pub(super) struct ReadArgs {
    /// The file, with :START or :START-END for some of its lines; with @BATCH (an id, 8 digits of one, or b17) as that
    /// batch left it. An existing file of exactly that name wins
    #[arg(value_name = "PATH[@BATCH][:START[-END]]", value_hint = ValueHint::FilePath)]
    pub(super) target: String,
    /// With @BATCH: as the batch found the file, not as it left it
    #[arg(long)]
    pub(super) before: bool,
    /// Show each line with the anchor that `edit` takes, as 12#a1b2c3 [high]|text
    #[arg(long)]
    pub(super) hashes: bool,
    /// The file's charset, when it is neither UTF-8 nor UTF-16 with a byte-order mark
    #[arg(long, value_name = "CHARSET")]
    pub(super) encoding: Option<String>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Prints a line for each file: A added, M changed, D deleted (into the trash), R moved.

  *** Begin Patch
  *** Update File: src/main.rs
  @@
   a line that is there and stays
  -a line that goes
  +a line that comes
  *** End Patch")]
pub(super) struct ApplyArgs {
    /// The file that holds the patch, an envelope or a unified diff, or - for standard input
    #[arg(value_name = "FILE", default_value = "-", value_hint = ValueHint::FilePath)]
    pub(super) file: String,
    /// Whose reading of the patch: our own, or that of patches written for codex [default: patch.conventions of the
    /// settings, else strict]
    #[arg(long, value_name = "NAME", value_parser = server::conventions())]
    pub(super) conventions: Option<Conventions>,
    /// Check everything and show what would change, but change nothing
    #[arg(long, short = 'n')]
    pub(super) dry_run: bool,
    /// Show the lines, too
    #[arg(long, short = 'p')]
    pub(super) patch: bool,
    /// Apply section by section until one fails, and keep what was done
    #[arg(long)]
    pub(super) no_atomic: bool,
    /// Make missing folders for added and moved files
    #[arg(long)]
    pub(super) create_parents: bool,
    /// Go ahead only if PATH has this sha256, or with nothing after = if it is free; may be given again
    #[arg(long, value_name = "PATH=SHA256")]
    pub(super) expect: Vec<String>,
    /// The files' charset, when it is neither UTF-8 nor UTF-16 with a byte-order mark
    #[arg(long, value_name = "CHARSET")]
    pub(super) encoding: Option<String>,
    /// The charset of one file of the patch, which goes before --encoding; may be given again
    #[arg(long, value_name = "PATH=CHARSET")]
    pub(super) encoding_for: Vec<String>,
    /// How the lines of added files end, whatever .gitattributes and .editorconfig say
    #[arg(long, value_enum, value_name = "ENDING")]
    pub(super) newline: Option<LineEnd>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum LineEnd {
    Lf,
    Crlf,
}

impl LineEnd {
    /// The argument's word.
    pub(super) fn word(self) -> &'static str {
        match self {
            LineEnd::Lf => "lf",
            LineEnd::Crlf => "crlf",
        }
    }
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  patchwright diff                    the newest batch
  patchwright diff b17
  patchwright diff b17 --format envelope | patchwright --root ../other apply")]
pub(super) struct DiffArgs {
    /// A batch (b17), a change of one (b17.3) or `last`
    #[arg(value_name = "NAME", default_value = "last", add = complete::batches())]
    pub(super) batch: String,
    /// As a unified diff, or as a patch that `patchwright apply` takes
    #[arg(long, value_enum, default_value_t = DiffFormat::Unified)]
    pub(super) format: DiffFormat,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum DiffFormat {
    Unified,
    Envelope,
}

#[derive(Args, Debug)]
pub(super) struct SearchArgs {
    /// What to look for
    #[arg(allow_hyphen_values = true)]
    pub(super) query: String,
    /// How to read QUERY: as plain text, as a regular expression, or as a glob over paths
    #[arg(long, value_enum, default_value_t = Mode::Text)]
    pub(super) mode: Mode,
    /// Look only into matching paths, or with a leading ! not into them; `*.rs` is one at any depth; may be given again
    #[arg(long, short, value_name = "GLOB")]
    pub(super) glob: Vec<String>,
    /// Treat upper and lower case alike
    #[arg(long, short)]
    pub(super) ignore_case: bool,
    /// Show so many lines around each hit
    #[arg(long, short = 'C', value_name = "N", default_value_t = 0)]
    pub(super) context: u32,
    /// Stop after so many hits
    #[arg(long, short = 'n', visible_alias = "max", short_alias = 'm', value_name = "N", default_value_t = 1000)]
    pub(super) limit: u32,
    /// Show each line found with the anchor that `edit` takes, as 12#a1b2c3 [high]|text
    #[arg(long)]
    pub(super) hashes: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Mode {
    Text,
    Regex,
    Path,
}

#[derive(Args, Debug)]
#[command(after_help = "\
A workspace may hold records of changes that this user did not write here: of a clone, a branch, a copy, a lost home, an \
older version. They are not opened. This command shows them, asks, and takes one over: its history, trash and undo serve \
from then on; its idempotency keys do not replay and its proposals are closed. No file is changed without --take-back.

To share one record between two homes: `patchwright key export FILE` in the one, `patchwright adopt --key FILE` in the other.")]
pub(super) struct AdoptArgs {
    /// The record, or its beginning, where several stand here; 0.1 for one of that version
    #[arg(value_name = "ID", conflicts_with = "key")]
    pub(super) id: Option<String>,
    /// Do not ask
    #[arg(long, short)]
    pub(super) yes: bool,
    /// Take back what the record left unfinished, as recovery would
    #[arg(long, conflicts_with_all = ["fresh", "key"])]
    pub(super) take_back: bool,
    /// Take nothing over: move the record aside and begin a new one
    #[arg(long, conflicts_with = "key")]
    pub(super) fresh: bool,
    /// Take the key that `key export` wrote, so that two homes share a record
    #[arg(long, value_name = "FILE")]
    pub(super) key: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(super) enum KeyCommand {
    /// Print the key, or write it to a file that only you can read
    Export {
        /// The file, which must not be there yet
        file: Option<PathBuf>,
    },
}

#[derive(Debug, Subcommand)]
pub(super) enum AuditCommand {
    /// Check that no entry was changed, dropped, reordered or cut off
    Verify {
        /// A head that an answer gave (auditHead): the record must still hold it
        #[arg(long, value_name = "HEX")]
        head: Option<String>,
    },
    /// Print every entry, or those asked for, as a line of JSON, oldest first
    Export(ExportArgs),
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum TableFormat {
    Mcp,
    Openai,
    Anthropic,
}

impl From<TableFormat> for Format {
    fn from(format: TableFormat) -> Format {
        match format {
            TableFormat::Mcp => Format::Mcp,
            TableFormat::Openai => Format::OpenAi,
            TableFormat::Anthropic => Format::Anthropic,
        }
    }
}

impl From<WorkspaceArgs> for Opening {
    /// The root is settled later: where it is not given, it has to be looked for.
    fn from(args: WorkspaceArgs) -> Opening {
        let durability = match args.durability {
            Level::Full => Durability::Full,
            Level::Process => Durability::Process,
            Level::None => Durability::None,
        };
        let proof = match (args.require_sha, args.unchecked) {
            (true, _) => Proof::HashOnly,
            (false, true) => Proof::Unchecked,
            (false, false) => Proof::HashOrLedger,
        };
        let opened = |what: Protected| args.unprotect.contains(&what).then_some(Guarded::No);
        let protect =
            SetProtect { secrets: opened(Protected::Secrets), git: opened(Protected::Git), except: Vec::new() };
        let flags = Layer {
            read: Lists { allow: args.allow_read, deny: args.deny_read },
            write: Lists { allow: args.allow_write, deny: args.deny_write },
            protect,
            ..Layer::default()
        };
        let mode = if args.read_only { OpenMode::ReadOnly } else { OpenMode::ReadWrite };
        let WorkspaceArgs { root, state_dir, .. } = args;
        let root = root.unwrap_or_else(|| PathBuf::from("."));
        Opening { root, state_dir, durability, proof, mode, flags, ..Opening::default() }
    }
}
