//! The front page, as written: in the documentation, in the README, and as the example.

use super::Scratch;
use patchwright_lib::Workspace;
use std::error::Error;
use std::fs;
use std::process::Command;

const LIB: &str = include_str!("../../src/lib.rs");
const README: &str = include_str!("../../../../README.md");
const TOUR: &str = include_str!("../../examples/tour.rs");
const THIS: &str = include_str!("front_page.rs");

/// Says that this process is the one that plays the front page.
const PLAYING: &str = "PATCHWRIGHT_TEST_FRONT_PAGE";

/// It opens `"."` with the home that the environment names, so that it runs in a process of its own.
#[test]
fn it_runs_as_written() {
    if std::env::var_os(PLAYING).is_some() {
        return as_written().unwrap();
    }
    let scratch = Scratch::with(&[("src/main.rs", "let port = 3000;\n")]);
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "front_page::it_runs_as_written", "--nocapture"]).current_dir(scratch.folder.path());
    let played = command.env(PLAYING, "1").env("PATCHWRIGHT_HOME", scratch.home.path()).output().unwrap();
    let said = String::from_utf8(played.stdout).unwrap();
    assert!(played.status.success(), "{said}{}", String::from_utf8_lossy(&played.stderr));
    assert!(said.contains("+let port = 4000;"), "{said}");
    assert_eq!(scratch.text("src/main.rs").as_deref(), Some("let port = 3000;\n"));
}

#[rustfmt::skip]
fn as_written() -> Result<(), Box<dyn Error>> {
    let workspace = Workspace::open(".")?;
    let session = workspace.session("my-agent");
    let file = session.read("src/main.rs")?;                        // FileView: text, sha256, lines
    let planned = session.edit("src/main.rs").replace("3000", "4000").plan()?;
    println!("{}", planned.diff());                                 // nothing has changed yet
    let change = planned.commit()?;                                 // or .propose()
    session.undo(change.batch())?.commit()?;
    assert_eq!(file.lines().collect::<Vec<_>>(), [(1, "let port = 3000;")]);
    Ok(())
}

#[test]
fn the_documentation_shows_what_runs() {
    let shown: Vec<&str> = LIB.lines().filter_map(|line| line.strip_prefix("//! ")).collect();
    let from = shown.iter().position(|line| line.starts_with("let workspace")).unwrap();
    for line in &shown[from..from + 7] {
        assert!(THIS.contains(&format!("\n    {line}\n")), "{line}");
    }
}

#[test]
fn the_readme_shows_the_tour() {
    let tour = TOUR.find("use patchwright_lib").map(|at| &TOUR[at..]).unwrap();
    assert!(README.contains(&format!("```rust\n{tour}```")), "README.md, \"As a library\", must have examples/tour.rs");
    assert!(TOUR.lines().count() <= 40, "the tour has {} lines", TOUR.lines().count());
}

#[test]
fn the_tour_needs_nothing_else() {
    let files = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/examples")).unwrap().count();
    assert_eq!(files, 1);
}
