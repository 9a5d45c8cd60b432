//! One target under libFuzzer: how it is started, and what it says at the end.

use super::super::setting::Setting;
use crate::failure::Failure;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// Longest input. What a target makes of one gets no richer beyond.
const LONGEST: usize = 600;
/// An input that takes so many seconds hangs.
const HANGS: u64 = 30;

/// How long a target runs.
pub(super) enum Bound {
    Inputs(u64),
    Time(Duration),
}

/// A target, ready to run.
pub(super) struct Target<'a> {
    pub(super) engine: &'a Path,
    pub(super) name: &'a str,
    pub(super) setting: &'a Setting,
}

/// What came of a run.
pub(super) struct Ran {
    pub(super) figures: Figures,
    pub(super) crash: Option<Crash>,
}

/// An input that a target did not bear.
pub(super) struct Crash {
    pub(super) what: String,
    pub(super) input: Vec<u8>,
    /// The end of what the engine wrote.
    pub(super) said: String,
}

/// Figures of a run.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Figures {
    pub(super) inputs: u64,
    /// Places in the code that were reached.
    places: u64,
    /// Inputs that reached something which no other did.
    telling: u64,
}

impl Target<'_> {
    pub(super) fn run(&self, bound: &Bound) -> Result<Ran, Failure> {
        let place = self.setting.scratch().join(self.name);
        std::fs::create_dir_all(place.join("new")).map_err(|error| Failure::io(place.display(), &error))?;
        let mut command = self.command();
        command.arg(place.join("new")).args(self.kept());
        command.arg(format!("-artifact_prefix={}/", place.display()));
        command.arg(format!("-seed={}", self.seed())).args(["-reload=0", "-print_final_stats=1"]);
        command.arg(match bound {
            Bound::Inputs(count) => format!("-runs={count}"),
            Bound::Time(time) => format!("-max_total_time={}", time.as_secs().max(1)),
        });
        let done = self.output(command)?;
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        let figures = Figures::read(&said);
        if done.status.success() {
            return Ok(Ran { figures, crash: None });
        }
        let Some(found) = artifact(&place) else {
            let what = format!("the fuzz target {} ended with {}: {}", self.name, done.status, tail(&said));
            return Err(Failure::new(what, "look at fuzz/engine"));
        };
        let input = self.smaller(&place, &found).unwrap_or(found);
        let input = std::fs::read(&input).map_err(|error| Failure::io(input.display(), &error))?;
        Ok(Ran { figures, crash: Some(Crash { what: complaint(&said), input, said: tail(&said) }) })
    }

    fn command(&self) -> Command {
        let mut command = Command::new(self.engine);
        command.env("PATCHWRIGHT_FUZZ_TARGET", self.name).env("RUST_BACKTRACE", "0");
        command.args([format!("-max_len={LONGEST}"), format!("-timeout={HANGS}")]);
        command
    }

    fn output(&self, mut command: Command) -> Result<Output, Failure> {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        command.output().map_err(|error| Failure::io(self.engine.display(), &error))
    }

    /// The inputs that are kept. They are read, and never written.
    fn kept(&self) -> Vec<PathBuf> {
        let folders = ["corpus", "regressions"].map(|folder| self.setting.project.join("fuzz").join(folder));
        folders.into_iter().map(|folder| folder.join(self.name)).filter(|folder| folder.is_dir()).collect()
    }

    /// libFuzzer takes 32 bits, and nought for the clock.
    fn seed(&self) -> u32 {
        let thrown = self.setting.dice(self.name).below(usize::try_from(u32::MAX).unwrap_or(usize::MAX));
        u32::try_from(thrown).unwrap_or(1).max(1)
    }

    /// A smaller input with the same end, if one is found quickly.
    fn smaller(&self, place: &Path, found: &Path) -> Option<PathBuf> {
        let smaller = place.join("smaller");
        let mut command = self.command();
        command.arg(found).args(["-minimize_crash=1", "-max_total_time=5", "-runs=20000"]);
        command.arg(format!("-exact_artifact_path={}", smaller.display()));
        self.output(command).ok().filter(|_| smaller.is_file()).map(|_| smaller)
    }
}

impl Figures {
    /// Reads what libFuzzer writes at the end.
    fn read(said: &str) -> Figures {
        let number = |text: &str| text.split_whitespace().next().and_then(|word| word.parse().ok());
        let last = |name: &str| said.lines().rev().find_map(|line| number(line.split_once(name)?.1));
        let corpus = said.lines().rev().find_map(|line| number(line.split_once("corp: ")?.1.split('/').next()?));
        Figures {
            inputs: last("stat::number_of_executed_units:").unwrap_or(0),
            places: last(" cov: ").unwrap_or(0),
            telling: corpus.unwrap_or(0),
        }
    }

    pub(super) fn line(&self, name: &str) -> String {
        format!("{name}: {} inputs, {} of them telling, {} places reached", self.inputs, self.telling, self.places)
    }
}

/// The file in which libFuzzer left an input.
fn artifact(place: &Path) -> Option<PathBuf> {
    let files = std::fs::read_dir(place).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    files.into_iter().find(|path| path.is_file())
}

/// What the target said when it gave up, in one line.
fn complaint(said: &str) -> String {
    let mut lines = said.lines().skip_while(|line| !line.contains("panicked at"));
    let panic = lines.next().and_then(|_| lines.next());
    let error = || said.lines().find(|line| line.contains("ERROR: libFuzzer"));
    let line = panic.or_else(error).unwrap_or("it stopped without a word");
    line.chars().take(300).collect()
}

fn tail(said: &str) -> String {
    let lines: Vec<&str> = said.lines().collect();
    lines.get(lines.len().saturating_sub(60)..).unwrap_or_default().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_and_complaints() {
        let said = "#2\tINITED cov: 5 ft: 6 corp: 1/1b exec/s: 0 rss: 30Mb\n\
            #9\tDONE   cov: 120 ft: 351 corp: 12/846b lim: 14 exec/s: 719 rss: 44Mb\n\
            stat::number_of_executed_units: 6479\n";
        assert_eq!(Figures::read(said), Figures { inputs: 6479, places: 120, telling: 12 });
        assert_eq!(Figures::read("nothing"), Figures::default());
        let crashed = "x\nthread '<unnamed>' (1) panicked at fuzz/src/a.rs:1:2:\nthey differ\nmore\n==1== ERROR: libFuzzer: deadly signal";
        assert_eq!(complaint(crashed), "they differ");
        assert_eq!(complaint("==1== ERROR: libFuzzer: timeout"), "==1== ERROR: libFuzzer: timeout");
    }
}
