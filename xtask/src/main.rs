//! The project's own commands: `cargo xtask test`, `tidy`, `bench`, `replay`, `prove`, `agents`, `tokens`.
//!
//! This crate promises that one command checks everything on a fresh machine. It never becomes part of
//! the binary, and it knows the product only from outside: by its sources, its command line and MCP. Only
//! `replay` leans on the library: it makes thousands of edits, too many to start a process for each.

mod agents;
mod anchors;
mod bench;
mod client;
mod failure;
mod home;
mod licences;
mod machine;
mod patches;
mod prove;
mod replay;
mod run;
mod sanity;
mod say;
mod size;
mod syncs;
mod test;
mod tidy;
mod tokens;

use failure::Failure;
use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask test            check everything: format, rules, lints, tests, docs, licences, sync calls
cargo xtask tidy            check only the house rules
cargo xtask bench [--binary PATH] [NAME…]
                            measure: read, edit, apply, search, memory, contention and more (--help lists them;
                            all of them without a name)
cargo xtask replay [PLACE…] apply the commits of git histories as envelopes (of a made-up one without a place),
                            or with --packages the steps from version to version of packages
cargo xtask prove [--minutes N] [SUITE…]
                            put the promises to the test: kills, power cuts, failing disks, rivals, attackers
cargo xtask agents [--binary PATH] [--only NAME,…] [--short] [--out FILE]
                            drive real agent programs with a scripted model, and tell what the model sees
cargo xtask tokens [--binary PATH] [--out FILE]
                            what a fixed piece of work costs a model, in each dialect and with other tools
cargo xtask screens         write anew what the commands show people; read it before you commit it
cargo xtask anchors FILE…   change files in typical ways and tell what becomes of the anchors of their lines
cargo xtask sanity FOLDER…  look over the edits between versions of packages, and over slips made from them";

fn main() -> ExitCode {
    #[cfg(feature = "seeded-bugs")]
    if let Ok(bug) = std::env::var(prove::SEEDED_BUG) {
        assert!(patchwright_engine::core::seeded::plant(&bug), "there is no bug named {bug}");
    }
    let words: Vec<String> = std::env::args().skip(1).collect();
    match obey(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            say::error(&failure.to_string());
            ExitCode::FAILURE
        }
    }
}

fn obey(words: &[String]) -> Result<(), Failure> {
    if let Some((verb, words)) = words.split_first()
        && verb == agents::relay::VERB
    {
        return agents::relay::run(words);
    }
    let root = run::project_root()?;
    match words.split_first() {
        Some((verb, [])) if verb == "test" => test::all(&root),
        Some((verb, [])) if verb == "tidy" => tidy::report(&root),
        Some((verb, names)) if verb == "bench" => bench::all(&root, names),
        Some((verb, [])) if verb == "replay" => replay::short(),
        Some((verb, places)) if verb == "replay" => replay::all(places),
        Some((verb, files)) if verb == "anchors" => anchors::all(files),
        Some((verb, words)) if verb == "prove" => prove::all(&root, words),
        Some((verb, words)) if verb == "tokens" => tokens::all(&root, words),
        Some((verb, words)) if verb == "agents" => agents::all(&root, words),
        Some((verb, [])) if verb == "screens" => screens(&root),
        Some((verb, words)) if verb == "sanity" => sanity::all(words),
        _ => Err(Failure::new("no such command", USAGE)),
    }
}

/// What the commands show people, made anew from the session that their test plays.
fn screens(root: &std::path::Path) -> Result<(), Failure> {
    let mut command = run::cargo(root);
    command.args(["test", "--quiet", "--package", "patchwright", "--test", "screens", "every_screen"]);
    command.env("BLESS_SCREENS", "1");
    run::plainly(command, "look at the test `screens` of the app")?;
    say::line("the screens are in app/tests/screens; `git diff` shows what has changed");
    Ok(())
}
