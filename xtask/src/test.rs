//! `cargo xtask test`: every check of the project, in order, each with its duration.
//!
//! The first failure stops the run and says what to do. The last line counts the tests.

use crate::failure::Failure;
use crate::size::Build;
use crate::{agents, home, licences, machine, prove, replay, run, say, size, syncs, tidy};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// What property tests draw their cases from. Here it is always the same, so that a failure is the change's own;
/// `cargo test` draws new ones each time.
const PROPERTIES: &str = "PROPTEST_RNG_SEED";
const PROPERTIES_SEED: &str = "14";

/// The crates that are published; the others are for this repository alone.
const PUBLISHED: &[&str] =
    &["patchwright-core", "patchwright-store", "patchwright-engine", "patchwright-lib", "patchwright"];

/// How many tests ran, over all test programs.
#[derive(Clone, Copy, Default, Debug, PartialEq)]
struct Tally {
    passed: u64,
    failed: u64,
}

/// Runs every step, in a process of its own whose home and settings are a trap: nothing may be made there.
pub(crate) fn all(root: &Path) -> Result<(), Failure> {
    let trap = size::target(root)?.join("trap");
    if std::env::var_os(home::VARIABLE).is_some_and(|home| Path::new(&home) == trap.join("home")) {
        return steps(root);
    }
    let failed = |error: std::io::Error| Failure::io(trap.display(), &error);
    if trap.exists() {
        std::fs::remove_dir_all(&trap).map_err(failed)?;
    }
    std::fs::create_dir_all(&trap).map_err(failed)?;
    let mut again = Command::new(std::env::current_exe().map_err(failed)?);
    again.arg("test").env(home::VARIABLE, trap.join("home"));
    again.env("XDG_CONFIG_HOME", trap.join("config")).env("XDG_STATE_HOME", trap.join("state"));
    run::plainly(again, "look at the step that failed")?;
    empty(&trap)
}

fn empty(trap: &Path) -> Result<(), Failure> {
    let found = patchwright_testkit::tree::Tree::read(trap).map_err(|error| Failure::io(trap.display(), &error))?;
    let names: Vec<&str> = found.items.keys().map(String::as_str).take(10).collect();
    if names.is_empty() {
        return Ok(());
    }
    let what = format!("something was made in the home of whoever runs the tests: {}", names.join(", "));
    Err(Failure::new(what, "give every workspace of a test, a proof or a measurement a home of its own"))
}

fn steps(root: &Path) -> Result<(), Failure> {
    let begun = Instant::now();
    let mut tally = Tally::default();
    step("machine", || provide(root))?;
    step("format", || format(root))?;
    step("tidy", || tidy::report(root))?;
    step("lints", || lints(root))?;
    step("build", || build(root))?;
    step("tests", || tests(root, &mut tally))?;
    step("demo", || demo(root))?;
    step("example", || example(root))?;
    step("packages", || packages(root))?;
    step("replay", replay::short)?;
    step("proof", || prove::short(root))?;
    step("agents", || agents::short(root))?;
    step("documentation", || documentation(root))?;
    step("licences", || licences::report(root))?;
    step("sync calls", || syncs::assert_few(root))?;
    step("release size", || size::report(root))?;
    say::line(&format!("{} passed, {} failed, in {:.0} s", tally.passed, tally.failed, begun.elapsed().as_secs_f64()));
    Ok(())
}

fn step(name: &str, work: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
    say::line(&format!("== {name}"));
    let begun = Instant::now();
    let end = work();
    let word = if end.is_ok() { "ok" } else { "FAILED" };
    say::line(&format!("== {name}: {word}, {:.1} s", begun.elapsed().as_secs_f64()));
    end
}

fn provide(root: &Path) -> Result<(), Failure> {
    machine::provide(machine::FOR_TESTS)?;
    machine::provide_component(root, "fmt", "rustfmt")?;
    machine::provide_component(root, "clippy", "clippy")
}

fn format(root: &Path) -> Result<(), Failure> {
    let mut command = run::cargo(root);
    command.args(["fmt", "--all", "--check"]);
    run::plainly(command, "run `cargo fmt --all`")
}

fn lints(root: &Path) -> Result<(), Failure> {
    let mut command = run::cargo(root);
    command.args(["clippy", "--locked", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"]);
    run::plainly(command, "mend what clippy names above")
}

fn build(root: &Path) -> Result<(), Failure> {
    let mut command = run::cargo(root);
    command.args(["build", "--locked", "--quiet", "--workspace"]);
    run::plainly(command, "mend what the compiler names above")
}

fn tests(root: &Path, tally: &mut Tally) -> Result<(), Failure> {
    let mut command = run::cargo(root);
    command.args(["test", "--locked", "--workspace", "--no-fail-fast"]);
    if std::env::var_os(PROPERTIES).is_none() {
        command.env(PROPERTIES, PROPERTIES_SEED);
    }
    run::watched(command, "mend the tests that are listed above as failed", |line| tally.add(line))?;
    if tally.passed == 0 {
        return Err(Failure::new("no test ran at all", "look at what `cargo test --workspace` prints"));
    }
    Ok(())
}

/// The README's run command, played to its end: it fails if a step does not come out as it should.
fn demo(root: &Path) -> Result<(), Failure> {
    let mut command = Command::new(size::binary(root, Build::Debug)?);
    command.args(["demo", "--plain"]);
    run::output(command, "run `cargo run -- demo` and look at the steps named above").map(drop)
}

/// The library's tour, as the README shows it. Built with the whole workspace: cargo would compile for one package with
/// other features.
fn example(root: &Path) -> Result<(), Failure> {
    let mut build = run::cargo(root);
    build.args(["build", "--locked", "--quiet", "--workspace", "--examples"]);
    run::plainly(build, "mend what the compiler names above")?;
    let command = Command::new(size::target(root)?.join("debug/examples/tour"));
    run::output(command, "run `cargo run -p patchwright-lib --example tour` and mend what it names").map(drop)
}

/// Every published crate can be packaged: its metadata is whole, and what it depends on is published, too. Nothing is
/// built or downloaded; CONTRIBUTING.md has the full rehearsal of a release.
fn packages(root: &Path) -> Result<(), Failure> {
    let mut command = run::cargo(root);
    command.args(["package", "--locked", "--offline", "--no-verify", "--allow-dirty", "--quiet"]);
    command.args(PUBLISHED.iter().flat_map(|name| ["--package", name]));
    run::plainly(command, "mend the manifest that is named above")
}

fn documentation(root: &Path) -> Result<(), Failure> {
    let mut command = run::cargo(root);
    command.args(["doc", "--locked", "--quiet", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings");
    run::plainly(command, "mend the doc comments that are named above")
}

impl Tally {
    /// Adds what a closing line of a test program says; other lines add nothing.
    fn add(&mut self, line: &str) {
        let Some(rest) = line.trim().strip_prefix("test result:") else {
            return;
        };
        for part in rest.split([';', '.']) {
            let mut words = part.split_whitespace();
            let count = words.next().and_then(|word| word.parse::<u64>().ok());
            match (count, words.next()) {
                (Some(count), Some("passed")) => self.passed = self.passed.saturating_add(count),
                (Some(count), Some("failed")) => self.failed = self.failed.saturating_add(count),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lines: &[&str], passed: u64, failed: u64) {
        let mut tally = Tally::default();
        for line in lines {
            tally.add(line);
        }
        assert_eq!(tally, Tally { passed, failed }, "{lines:?}");
    }

    #[test]
    fn what_was_caught_is_named() {
        let trap = tempfile::tempdir().unwrap();
        assert!(empty(trap.path()).is_ok());
        std::fs::create_dir_all(trap.path().join("home/ws")).unwrap();
        assert!(empty(trap.path()).is_err_and(|failure| failure.to_string().contains("home/ws")));
    }

    #[test]
    fn closing_lines_are_added_up() {
        let good = "test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s";
        let bad = "test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.00s";
        check(&[], 0, 0);
        check(&["test a::b ... ok", "running 12 tests"], 0, 0);
        check(&[good], 12, 0);
        check(&[good, "", bad], 15, 2);
        check(&["the test result: ok. 9 passed;"], 0, 0);
    }
}
