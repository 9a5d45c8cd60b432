//! One patch for a thousand files, and one hunk in a file of 100 MB: ours, which is durable, against programs
//! that are not, and against one sync for each file. On journaled ext4 and on tmpfs, process start included.
//!
//! Every run works on a fresh tree that was synced before the clock starts, and its result is checked.

use super::figures::{self, Times};
use super::mount::Mounted;
use super::{Bench, peers};
use crate::failure::Failure;
use crate::patches::{MANY, Task};
use crate::{run, say, syncs};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ROUNDS: usize = 15;
const LARGE_ROUNDS: usize = 5;
/// 64 bytes each: 100 MB.
const LARGE_LINES: usize = 1_562_500;

/// A program, or a loop of our own, that applies the patch to a tree.
#[derive(Clone, Copy)]
enum Way {
    Ours,
    GitApply,
    GnuPatch,
    Codex,
    OneSyncEach,
}

const FOR_MANY: &[Way] = &[Way::Ours, Way::GitApply, Way::GnuPatch, Way::Codex, Way::OneSyncEach];
const FOR_LARGE: &[Way] = &[Way::Ours, Way::GnuPatch, Way::Codex];

pub(super) fn measure(bench: &Bench) -> Result<(), Failure> {
    let many = Task::many(bench.scratch.path())?;
    let large = Task::large(bench.scratch.path(), LARGE_LINES)?;
    let (ext4, tmpfs) = (Mounted::ext4(bench.scratch.path())?, Mounted::tmpfs(bench.scratch.path())?);
    for way in FOR_MANY {
        say::line(&format!("{}: {}", way.name(), way.told(bench, &many)?));
    }
    let calls = syncs::count_many(&bench.binary, ext4.place())?;
    say::line(&format!("sync calls of patchwright apply: {calls}"));
    for (kind, disk) in [("ext4", &ext4), ("tmpfs", &tmpfs)] {
        let race = Race { bench, task: &many, place: disk.place().join("tree") };
        let what = format!("{MANY} files, {:.1} MB, on {kind}", megabytes(many.bytes()));
        race.run(&what, FOR_MANY, ROUNDS)?;
    }
    say::line("aims on ext4: at most 1.2 of git apply, 0.4 of codex, 0.125 of one sync each");
    for (kind, disk) in [("ext4", &ext4), ("tmpfs", &tmpfs)] {
        let race = Race { bench, task: &large, place: disk.place().join("tree") };
        race.run(&format!("one hunk in {:.0} MB, on {kind}", megabytes(large.bytes())), FOR_LARGE, LARGE_ROUNDS)?;
        race.memory(FOR_LARGE)?;
    }
    say::line("aims on ext4: at most 1.0 of patch, 0.333 of codex; memory at most 2.2 of the file");
    Ok(())
}

/// One task, done by several in turns.
struct Race<'a> {
    bench: &'a Bench,
    task: &'a Task,
    place: PathBuf,
}

impl Race<'_> {
    fn run(&self, what: &str, ways: &[Way], rounds: usize) -> Result<(), Failure> {
        let mut times: Vec<Times> = ways.iter().map(|way| Times::new(way.name())).collect();
        for _ in 0..rounds {
            for (way, times) in ways.iter().zip(&mut times) {
                self.lay_out()?;
                times.add(self.time(*way)?);
                self.task.check(&self.place)?;
            }
        }
        figures::tell(what, &times.iter().collect::<Vec<_>>());
        Ok(())
    }

    /// The most memory that each needs, as the kernel counted it.
    fn memory(&self, ways: &[Way]) -> Result<(), Failure> {
        let size = megabytes(self.task.bytes());
        for way in ways {
            self.lay_out()?;
            let Some(command) = way.command(self.bench, self.task)? else { continue };
            let peak = peak(command, &self.place, way.input(self.task))?;
            say::line(&format!("memory: {:<34} peak {peak:>7.1} MB, {:.2} of the file", way.name(), peak / size));
        }
        Ok(())
    }

    fn lay_out(&self) -> Result<(), Failure> {
        if self.place.exists() {
            fs::remove_dir_all(&self.place).map_err(|error| Failure::io(self.place.display(), &error))?;
        }
        fs::create_dir_all(&self.place).map_err(|error| Failure::io(self.place.display(), &error))?;
        self.task.lay_out(&self.place)?;
        let mut sync = Command::new("sync");
        sync.arg("-f").arg(&self.place);
        run::plainly(sync, "see whether the disk is full")
    }

    fn time(&self, way: Way) -> Result<Duration, Failure> {
        let Some(mut command) = way.command(self.bench, self.task)? else {
            let begun = Instant::now();
            one_sync_each(&self.place, self.task).map_err(|error| Failure::io(self.place.display(), &error))?;
            return Ok(begun.elapsed());
        };
        prepare(&mut command, &self.place, way.input(self.task))?;
        let begun = Instant::now();
        let done = command.output().map_err(|error| Failure::io(way.name(), &error))?;
        let time = begun.elapsed();
        if done.status.success() {
            return Ok(time);
        }
        let said = String::from_utf8_lossy(&done.stderr).trim().to_owned();
        Err(Failure::new(format!("{} ended with {}: {said}", way.name(), done.status), "apply the patch by hand"))
    }
}

impl Way {
    fn name(self) -> &'static str {
        match self {
            Way::Ours => "patchwright apply",
            Way::GitApply => "git apply",
            Way::GnuPatch => "GNU patch",
            Way::Codex => "codex apply_patch",
            Way::OneSyncEach => "one sync each",
        }
    }

    /// The program that does it, to be run in the tree; nothing for what is done here.
    fn command(self, bench: &Bench, task: &Task) -> Result<Option<Command>, Failure> {
        let command = match self {
            Way::Ours => {
                let mut command = bench.ours();
                command.arg("apply").arg(&task.envelope);
                command
            }
            Way::GitApply => words(Path::new("git"), &["apply"], &task.unified),
            Way::GnuPatch => words(Path::new("patch"), &["--strip=1", "--silent", "--input"], &task.unified),
            Way::Codex => Command::new(peers::codex(bench)?),
            Way::OneSyncEach => return Ok(None),
        };
        Ok(Some(command))
    }

    /// What it reads on standard input.
    fn input(self, task: &Task) -> Option<&Path> {
        matches!(self, Way::Codex).then_some(&*task.envelope)
    }

    /// The command line, for whoever wants to try it.
    fn told(self, bench: &Bench, task: &Task) -> Result<String, Failure> {
        let Some(command) = self.command(bench, task)? else {
            return Ok("for each file: write a temporary one, fsync, rename, fsync the folder".to_owned());
        };
        let program = Path::new(command.get_program()).file_name().unwrap_or_default().to_string_lossy().into_owned();
        let rest = command.get_args().map(|word| match Path::new(word).file_name() {
            Some(name) if Path::new(word).is_absolute() => format!(" {}", name.to_string_lossy()),
            _ => format!(" {}", word.to_string_lossy()),
        });
        let input = self.input(task).and_then(Path::file_name).map(|name| format!(" < {}", name.to_string_lossy()));
        Ok(format!("{program}{}{}", rest.collect::<String>(), input.unwrap_or_default()))
    }
}

fn words(program: &Path, first: &[&str], last: &Path) -> Command {
    let mut command = Command::new(program);
    command.args(first).arg(last);
    command
}

fn prepare(command: &mut Command, place: &Path, input: Option<&Path>) -> Result<(), Failure> {
    let stdin = match input {
        Some(file) => File::open(file).map_err(|error| Failure::io(file.display(), &error))?.into(),
        None => Stdio::null(),
    };
    command.current_dir(place).stdin(stdin).stdout(Stdio::null()).stderr(Stdio::piped());
    Ok(())
}

/// Runs under `time`, which asks the kernel for the high-water mark; in MB.
fn peak(command: Command, place: &Path, input: Option<&Path>) -> Result<f64, Failure> {
    let mut timed = Command::new("time");
    timed.args(["--quiet", "--format", "%M"]);
    let mut timed = crate::home::wrap(timed, &command);
    prepare(&mut timed, place, input)?;
    let done = timed.output().map_err(|error| Failure::io("time", &error))?;
    let said = String::from_utf8_lossy(&done.stderr);
    let kilobytes = said.lines().last().and_then(|line| line.trim().parse::<f64>().ok());
    let peak = kilobytes.filter(|_| done.status.success());
    peak.map(|kilobytes| kilobytes * 1024.0 / 1e6)
        .ok_or_else(|| Failure::new(format!("`time` said: {said}"), "run the command by hand"))
}

fn one_sync_each(place: &Path, task: &Task) -> std::io::Result<()> {
    for (path, after) in task.results() {
        let path = place.join(path);
        let (folder, temporary) = (path.parent().unwrap_or(place), path.with_extension("tmp"));
        fs::read(&path)?;
        let mut file = File::create_new(&temporary)?;
        file.write_all(after.as_bytes())?;
        file.sync_all()?;
        fs::rename(&temporary, &path)?;
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "a figure for people")]
fn megabytes(bytes: usize) -> f64 {
    bytes as f64 / 1e6
}
