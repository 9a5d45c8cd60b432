//! The process: hands argv and its own standard ports to the doors, and nothing more.

use patchwright_app::doors::cli::{self, Manner, Next, PagerProgram, Ports, Progress, Screen};
use patchwright_app::doors::exit_code::Status;
use patchwright_app::doors::mcp::{Server, StdoutPort};
use patchwright_app::doors::open::{Complaint, Opened, Opening, Person, Surroundings};
use patchwright_app::doors::sandbox::{self, Sandbox};
use patchwright_engine::{Client, Door, Observer, Repair, Role};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

fn main() -> ExitCode {
    #[cfg(feature = "seeded-bugs")]
    if let Ok(bug) = std::env::var("PATCHWRIGHT_SEEDED_BUG") {
        assert!(patchwright_core::seeded::plant(&bug), "there is no bug named {bug}");
    }
    if std::env::var_os(cli::COMPLETE_VARIABLE).is_some() && cli::complete(std::env::args_os().collect()) {
        return ExitCode::SUCCESS;
    }
    std::panic::set_hook(Box::new(|panic| tell(&format!("patchwright: internal fault: {panic}"))));
    take_limits_as_errors();
    let mut ports = Ports {
        input: &mut io::stdin(),
        output: &mut BufWriter::new(io::stdout()),
        errors: &mut io::stderr(),
        screen: screen(),
        pager: &mut pager(),
        manner: Manner { progress: progress(), interrupts: Some(interrupts), ..Manner::default() },
    };
    match cli::run(std::env::args_os(), &mut ports, &surroundings()) {
        Next::Exit(status) => status.into(),
        Next::Serve(opening, sandbox) => serve(&opening, sandbox).into(),
    }
}

/// A file that grows beyond the limit of this process (`ulimit -f`) ends the process by a signal, unless somebody takes
/// note of it: then the write fails as others do, and what was begun is taken back. A pipe that nobody reads is an
/// error already: the standard library sees to that.
fn take_limits_as_errors() {
    let noted = Arc::new(AtomicBool::new(false));
    // Where it cannot be had, things are as they were.
    let _registered = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, noted);
}

/// From now on Ctrl-C and a request to end set a flag, for a command that ends by itself then.
fn interrupts() -> Arc<AtomicBool> {
    let asked = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        // Where it cannot be had, the signal ends the process.
        let _registered = signal_hook::flag::register(signal, Arc::clone(&asked));
    }
    asked
}

/// Read here and nowhere deeper, so that tests have none.
fn surroundings() -> Surroundings {
    let said = Surroundings::new(std::env::var_os("XDG_CONFIG_HOME"), std::env::var_os("HOME"));
    let person = if io::stdin().is_terminal() && io::stdout().is_terminal() { Person::Here } else { Person::Away };
    let columns = columns_said().or_else(|| terminal_size::terminal_size().map(|(width, _)| width.0.into()));
    Surroundings { person, columns, zone: Some(jiff::tz::TimeZone::system()), ..said }
}

/// What the environment says of the width: programs that capture a terminal's output know it, and the system does not.
fn columns_said() -> Option<usize> {
    std::env::var("COLUMNS").ok().and_then(|said| said.parse().ok()).filter(|columns| *columns > 0)
}

fn screen() -> Screen {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let plain = variable("NO_COLOR").is_some();
    let forced = variable("CLICOLOR_FORCE").is_some_and(|value| value != "0");
    let dumb = variable("TERM").is_some_and(|value| value == "dumb");
    match (io::stdout().is_terminal(), plain, forced || !dumb) {
        (false, false, _) if forced => Screen::ColouredPipe,
        (false, ..) => Screen::Pipe,
        (true, false, true) => Screen::Terminal,
        (true, ..) => Screen::PlainTerminal,
    }
}

/// A terminal is told what takes long.
fn progress() -> Option<Arc<dyn Observer>> {
    let told = || Arc::new(Progress::new(Box::new(io::stderr()), Instant::now)) as Arc<dyn Observer>;
    io::stderr().is_terminal().then(told)
}

/// Whoever reads long output chooses with what, for us alone or for every program.
fn pager() -> PagerProgram {
    let chosen = std::env::var_os("PATCHWRIGHT_PAGER").or_else(|| std::env::var_os("PAGER"));
    PagerProgram::chosen(chosen)
}

fn serve(opening: &Opening, sandbox: Sandbox) -> Status {
    let opened = match open(opening, sandbox) {
        Ok(opened) => opened,
        Err(complaint) => return complain(&format!("patchwright: {complaint}"), complaint.status()),
    };
    if let Some(warning) = opened.offer.held_back() {
        tell(&warning);
    }
    let limit = opened.limits.max_request_bytes;
    let server = Server { session: opened.session, offer: opened.offer, limit, faults: tell };
    match server.serve(io::stdin(), StdoutPort::new()) {
        Ok(()) => Status::Done,
        Err(error) => complain(&format!("cannot serve: {error}"), Status::Fault),
    }
}

/// Opens what is to be served. Nothing is repaired before the walls are up: what a dead writer left may be forged. No
/// thread has been started yet, so every one will be inside.
fn open(opening: &Opening, sandbox: Sandbox) -> Result<Opened, Complaint> {
    let (name, version) = ("mcp".to_owned(), "unknown".to_owned());
    let unknown = Client { name, version, actor: None, door: Door::Stdio, role: Role::Agent };
    let opened = opening.open(unknown, Repair::WhenCalled)?;
    if let Err(trouble) = opened.session.make_record() {
        tell(&format!("patchwright: changes will be refused: {}", Complaint::Closed(Box::new(trouble))));
    }
    if let Some(warning) = sandbox::keep(&opened.session, sandbox) {
        tell(&warning);
    }
    opened.repair()?;
    Ok(opened)
}

fn complain(message: &str, status: Status) -> Status {
    tell(message);
    status
}

fn tell(message: &str) {
    // Nobody is left to tell when even this cannot be written.
    let _written = writeln!(io::stderr(), "{message}");
}
