//! The tour of the README: plan, look, commit, propose, undo. `cargo run -p patchwright-lib --example tour`

#![allow(clippy::print_stdout, reason = "an example shows what happens")]

use patchwright_lib::{ErrorKind, Workspace};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (folder, home) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let workspace = Workspace::options().home(home.path()).open(folder.path())?;
    let session = workspace.session("my-agent");

    // Every change is planned first: nothing changes until the plan is committed.
    session.create("main.rs", "fn main() {\n    serve(3000);\n}\n").plan()?.commit()?;
    let planned = session.edit("main.rs").replace("3000", "4000").plan()?;
    println!("{}", planned.diff());
    let change = planned.commit()?;

    // What does not fit is an error with a kind and a path, and changes nothing.
    let refused = session.edit("main.rs").replace("3000", "5000").plan();
    assert!(refused.is_err_and(|error| error.kind() == ErrorKind::OldTextNotFound));

    // A plan is bound to what it showed: if somebody else is quicker, it is refused.
    let (late, other) = (session.delete("main.rs").plan()?, workspace.session("other"));
    other.write("main.rs", format!("// Hello\n{}", other.read("main.rs")?.text)).plan()?.commit()?;
    assert!(late.commit().is_err_and(|error| error.kind() == ErrorKind::StaleFile));

    // A proposal waits until somebody commits or rejects it.
    other.edit("main.rs").replace("Hello", "Good morning").plan()?.propose()?;
    for proposal in session.proposals()? {
        proposal.plan()?.commit()?;
    }

    // Who brought the lines? Then take the first edit back: what others did stays.
    for run in session.blame("main.rs")? {
        println!("{:?} {:?}", run.lines, run.origin.map(|origin| origin.author.client));
    }
    session.undo(change.batch())?.commit()?;
    assert_eq!(session.read("main.rs")?.text, "// Good morning\nfn main() {\n    serve(3000);\n}\n");
    Ok(())
}
