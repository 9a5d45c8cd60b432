//! One program at work: a home to throw away, a fresh workspace, a scripted model, and an end to its time.

use super::endpoint::{Endpoint, Model};
use super::programs::{Place, Program};
use crate::failure::Failure;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The longest that a program may run.
const TIME: Duration = Duration::from_secs(150);

/// How long a program may take to end by itself once the model has said everything.
const FAREWELL: Duration = Duration::from_secs(5);

/// The most requests that a program may make.
pub(crate) const REQUESTS: usize = 120;

/// Folders of a run; they go with it.
pub(crate) struct Ground {
    place: TempDir,
}

impl Ground {
    pub(crate) fn new() -> Result<Ground, Failure> {
        let place = tempfile::tempdir().map_err(|error| Failure::io("a scratch folder", &error))?;
        let ground = Ground { place };
        for folder in [ground.home(), ground.workspace()] {
            fs::create_dir_all(&folder).map_err(|error| Failure::io(folder.display(), &error))?;
        }
        Ok(ground)
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.place.path().join("home")
    }

    pub(crate) fn workspace(&self) -> PathBuf {
        self.place.path().join("workspace")
    }

    /// What passed between the program and the server.
    pub(crate) fn relay(&self) -> PathBuf {
        self.place.path().join("relay.jsonl")
    }

    /// Every request that the model got.
    pub(crate) fn requests(&self) -> PathBuf {
        self.place.path().join("requests.jsonl")
    }

    /// What the program wrote on its streams.
    pub(crate) fn said(&self) -> PathBuf {
        self.place.path().join("said.txt")
    }

    /// Writes a file of the workspace.
    pub(crate) fn lay(&self, name: &str, text: &str) -> Result<(), Failure> {
        write(&self.workspace().join(name), text)
    }

    /// Keeps the logs of the run.
    pub(crate) fn keep(&self, folder: &Path) -> Result<(), Failure> {
        fs::create_dir_all(folder).map_err(|error| Failure::io(folder.display(), &error))?;
        for file in [self.relay(), self.requests(), self.said()] {
            if let Some(name) = file.file_name().filter(|_| file.is_file()) {
                fs::copy(&file, folder.join(name)).map_err(|error| Failure::io(file.display(), &error))?;
            }
        }
        Ok(())
    }
}

fn write(file: &Path, text: &str) -> Result<(), Failure> {
    let folder = file.parent().unwrap_or(file);
    fs::create_dir_all(folder).and_then(|()| fs::write(file, text)).map_err(|error| Failure::io(file.display(), &error))
}

/// Runs `program` (its executable is `bin`) until the model is done, or time or requests are.
pub(crate) fn run<M: Model>(
    program: &Program,
    bin: &Path,
    ground: &Ground,
    endpoint: &Endpoint<M>,
    server: Option<Vec<String>>,
) -> Result<(), Failure> {
    let place = Place { home: ground.home(), workspace: ground.workspace(), port: endpoint.port(), server };
    let setup = (program.setup)(&place);
    for (file, text) in &setup.files {
        write(file, text)?;
    }
    let said = fs::File::create(ground.said()).map_err(|error| Failure::io(ground.said().display(), &error))?;
    let errors = said.try_clone().map_err(|error| Failure::io("a log", &error))?;
    let outside = format!("http://127.0.0.1:{}", endpoint.port());
    let mut command = Command::new(bin);
    command
        .args(&setup.arguments)
        .current_dir(&place.workspace)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", &place.home)
        .envs([("TERM", "dumb"), ("LANG", "C.UTF-8"), ("NO_COLOR", "1"), ("CI", "1"), ("DO_NOT_TRACK", "1")])
        .envs([("NO_PROXY", "127.0.0.1,localhost"), ("no_proxy", "127.0.0.1,localhost")])
        .envs(["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"].map(|name| (name, &outside)))
        .envs(setup.variables)
        .stdin(Stdio::null())
        .stdout(said)
        .stderr(errors)
        .process_group(0);
    let mut child = command.spawn().map_err(|error| Failure::io(bin.display(), &error))?;
    let ended = wait(&mut child, endpoint);
    // Whatever it started goes with it.
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
    let _ = child.wait();
    for left in at_home(&place.home) {
        let _ = kill_process(left, Signal::KILL);
    }
    ended
}

/// Processes that were started with this home: some programs leave a server of their own behind, in a group of its own.
fn at_home(home: &Path) -> Vec<Pid> {
    let mark = [b"HOME=", home.as_os_str().as_bytes()].concat();
    let all = fs::read_dir("/proc").into_iter().flatten().map_while(Result::ok);
    let pids = all.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let here = |pid: &i32| {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|one| one == mark)
    };
    pids.filter(here).filter_map(Pid::from_raw).collect()
}

fn wait<M: Model>(child: &mut Child, endpoint: &Endpoint<M>) -> Result<(), Failure> {
    let begun = Instant::now();
    let mut over: Option<Instant> = None;
    while begun.elapsed() < TIME {
        if child.try_wait().map_err(|error| Failure::io("the program", &error))?.is_some() {
            return Ok(());
        }
        if endpoint.is_over() && over.get_or_insert_with(Instant::now).elapsed() > FAREWELL {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};

    #[test]
    fn processes_are_known_by_their_home() {
        let ground = Ground::new().unwrap();
        let mut command = Command::new("cat");
        command.env("HOME", ground.home()).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // Once it has answered it is what it is to be, its environment included.
        child.stdin.as_mut().unwrap().write_all(b"x").unwrap();
        child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
        let found = at_home(&ground.home());
        drop(child.stdin.take());
        child.wait().unwrap();
        assert_eq!(found, [Pid::from_child(&child)]);
        assert_eq!(at_home(&ground.workspace()), []);
    }
}
