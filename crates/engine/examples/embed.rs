//! Patchwright inside a Rust program: the whole life of a change, with typed verbs and no JSON.
//!
//! Run it with `cargo run -p patchwright --example embed`. It works in a temporary folder, checks what it claims,
//! and ends with an error if something is not so.
//!
//! Every verb takes a struct with the same fields as the tool's arguments, and gives a [`Reply`] with a typed
//! [`Answer`]. Bad news comes as a value too: a refusal says why, in fields and not in sentences, and nothing has
//! changed then.

use patchwright_engine::core::batch::BatchStatus;
use patchwright_engine::core::intent::{ExactEdit, Occurrences};
use patchwright_engine::core::outcome::{Answer, Changed, Failed, Reply, Settled, Trouble, ViewContent};
use patchwright_engine::core::refusal::Kind;
use patchwright_engine::core::tool::{
    ApplyBatch, CreateFile, EditFile, ExplainLines, GetPatchChange, Ground, ListBatches, ReadFile, Run, Shared, Undo,
    UndoWhat,
};
use patchwright_engine::{Client, HomeAt, Options, Quiet, Session};
use std::error::Error;
use std::io::{self, Write};

/// What every part below ends with.
type Ending = Result<(), Box<dyn Error>>;

const FILE: &str = "greeting.txt";

/// Opens a workspace and goes through the parts one after the other.
///
/// One `Session` is one session: what it reads and writes counts as seen, so that its edits need no hash. The
/// client's name stands in the record beside every change. All verbs take `&self`, and may be called from many threads.
///
/// Keys stand in a folder outside the workspace: by default in the user's own, here in one that goes when the example
/// ends.
fn main() -> Ending {
    let (folder, home) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let client = Client { name: "embed".to_owned(), version: "1.0".to_owned(), ..Client::default() };
    let options = Options { client, home: HomeAt::Folder(home.path().to_owned()), ..Options::default() };
    let workspace = Session::open(folder.path(), options).map_err(trouble)?;
    read_and_edit(&workspace)?;
    refusals_are_values(&workspace)?;
    let proposal = propose(&workspace)?;
    list(&workspace)?;
    apply(&workspace, &proposal)?;
    explain(&workspace, &proposal)?;
    undo(&workspace, &proposal)
}

/// Makes a file, edits it by exact text, and reads it back.
///
/// A change answers with its diff, the file's hash before and after, and the id of the batch under which it is on
/// record. [`Quiet`] watches nothing; a `Watch` of your own learns of progress and may call a long run off.
fn read_and_edit(workspace: &Session) -> Ending {
    workspace.create_file(&CreateFile::new(FILE, "Hello\nDear reader\nBye\n"), &Quiet).map_err(failed)?;
    let edited = changed(workspace.edit_file(&replace("Hello", "Good morning"), &Quiet))?;
    say(&edited.diff)?;
    same(&text(workspace)?, "Good morning\nDear reader\nBye\n")
}

/// An edit that does not fit is refused, and nothing changes.
fn refusals_are_values(workspace: &Session) -> Ending {
    let Err(refused) = workspace.edit_file(&replace("Good evening", "Good night"), &Quiet) else {
        return Err("a text that is not there was replaced".into());
    };
    same(refused.trouble.kind().name(), Kind::OldTextNotFound.name())?;
    same(&text(workspace)?, "Good morning\nDear reader\nBye\n")
}

/// Stores an edit for review. No file changes; the answer has the diff and the batch's id.
fn propose(workspace: &Session) -> Result<String, Box<dyn Error>> {
    let shared = Shared { run: Run::Propose, ..Shared::default() };
    let proposed = changed(workspace.edit_file(&EditFile { shared, ..replace("Bye", "See you") }, &Quiet))?;
    same(&text(workspace)?, "Good morning\nDear reader\nBye\n")?;
    let name = proposed.batch.ok_or("the proposal has no name")?;
    Ok(name.id)
}

/// Lists what waits for review, and what it would change.
fn list(workspace: &Session) -> Ending {
    let waiting = ListBatches { status: Some(BatchStatus::Proposed), ..ListBatches::default() };
    let Answer::Batches(list) = workspace.list_batches(&waiting).map_err(trouble)?.answer else {
        return Err(unlike("batches"));
    };
    for batch in &list.batches {
        let shown = GetPatchChange::new(batch.name.id.clone());
        let Answer::Batch(view) = workspace.get_patch_change(&shown).map_err(trouble)?.answer else {
            return Err(unlike("a batch"));
        };
        for file in &view.files {
            say(&format!("{} would change {} in {} place(s)", batch.tool, file.path, file.changes.len()))?;
        }
    }
    same(&list.batches.len().to_string(), "1")
}

/// Applies a proposal. Had the file changed meanwhile this would be refused as a conflict; with
/// [`Ground::MayHaveMoved`] it would be carried over where nothing touches it.
fn apply(workspace: &Session, proposal: &str) -> Ending {
    let ask = ApplyBatch {
        batch: Some(proposal.to_owned()),
        changes: None,
        ground: Ground::MustBeTheSame,
        shared: Shared::default(),
    };
    same(settled(workspace.apply_batch(&ask, &Quiet))?.status.name(), "applied")?;
    same(&text(workspace)?, "Good morning\nDear reader\nSee you\n")
}

/// Asks who brought the last line.
fn explain(workspace: &Session, proposal: &str) -> Ending {
    let ask = ExplainLines { path: FILE.to_owned(), start: Some(3), end: Some(3) };
    let Answer::Explained(explained) = workspace.explain_lines(&ask, &Quiet).map_err(trouble)?.answer else {
        return Err(unlike("an explanation"));
    };
    let origin = explained.runs.first().and_then(|run| run.origin.as_ref());
    let origin = origin.ok_or("nobody is named for the last line")?;
    say(&format!("the last line came with {} by {}", origin.tool, origin.author.client))?;
    same(&origin.batch.id, proposal)
}

/// Takes the batch back, and then all that the session did.
fn undo(workspace: &Session, proposal: &str) -> Ending {
    let take_back = |what: UndoWhat| settled(workspace.undo(&Undo { what, shared: Shared::default() }, &Quiet));
    take_back(UndoWhat::Batch { id: proposal.to_owned(), changes: None })?;
    same(&text(workspace)?, "Good morning\nDear reader\nBye\n")?;
    let undone = take_back(UndoWhat::Session(workspace.id().to_owned()))?;
    say(&format!("{} batches taken back", undone.undone.len()))?;
    match workspace.read_file(&ReadFile::new(FILE), &Quiet) {
        Ok(_) => Err(format!("{FILE} is still there").into()),
        Err(gone) => same(gone.kind().name(), Kind::NotFound.name()),
    }
}

fn replace(old: &str, new: &str) -> EditFile {
    let edit = ExactEdit { old: old.to_owned(), new: new.to_owned(), occurrences: Occurrences::Exactly(1) };
    EditFile::new(FILE, vec![edit])
}

/// The file's text, read through the workspace.
fn text(workspace: &Session) -> Result<String, Box<dyn Error>> {
    match workspace.read_file(&ReadFile::new(FILE), &Quiet).map_err(trouble)?.answer {
        Answer::File(view) => match view.content {
            ViewContent::Text(text) => Ok(text),
            ViewContent::Bytes(_) => Err(unlike("text")),
        },
        _ => Err(unlike("a file")),
    }
}

fn changed(reply: Result<Reply, Failed>) -> Result<Changed, Box<dyn Error>> {
    match reply.map_err(failed)?.answer {
        Answer::Changed(changed) => Ok(changed),
        _ => Err(unlike("a change")),
    }
}

fn settled(reply: Result<Reply, Failed>) -> Result<Settled, Box<dyn Error>> {
    match reply.map_err(failed)?.answer {
        Answer::Settled(settled) => Ok(*settled),
        _ => Err(unlike("a settlement")),
    }
}

/// The library has no sentences: a program words bad news for its own users.
fn failed(failed: Failed) -> Box<dyn Error> {
    trouble(failed.trouble)
}

fn trouble(trouble: Trouble) -> Box<dyn Error> {
    format!("{}: {trouble:?}", trouble.kind().name()).into()
}

fn unlike(wanted: &str) -> Box<dyn Error> {
    format!("the answer is not {wanted}").into()
}

fn same(found: &str, wanted: &str) -> Ending {
    if found == wanted { Ok(()) } else { Err(format!("found {found:?} where {wanted:?} was due").into()) }
}

fn say(line: &str) -> io::Result<()> {
    writeln!(io::stdout(), "{}", line.trim_end())
}
