//! What a confined thread can no longer do, tried for real. The thread calls what the server calls and nothing else; the
//! threads of this process that are not confined show that each act would have worked.

use crate::{kernel_confines, place};
use patchwright_core::tool::CreateFile;
use patchwright_engine::{Confinement, Options, Quiet, Session};
use patchwright_testkit::home;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::net::{TcpListener, TcpStream};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::symlink;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

/// What is out there to be reached.
struct Outside {
    home: PathBuf,
    listener: TcpListener,
    _abstract: UnixListener,
    name: SocketAddr,
    child: Child,
}

impl Outside {
    fn new(home: &Path) -> Outside {
        fs::write(home.join("secret"), "secret\n").unwrap();
        fs::create_dir_all(home.join("ws-evil")).unwrap();
        let name = SocketAddr::from_abstract_name(format!("patchwright-probe-{}", std::process::id())).unwrap();
        Outside {
            home: home.to_owned(),
            listener: TcpListener::bind(("127.0.0.1", 0)).unwrap(),
            _abstract: UnixListener::bind_addr(&name).unwrap(),
            name,
            child: Command::new("sleep").arg("600").spawn().unwrap(),
        }
    }

    /// Every act on what is outside, and since which version of Landlock the kernel forbids it.
    fn acts(&mut self) -> Vec<(&'static str, u32, io::Result<()>)> {
        let at = |name: &str| self.home.join(name);
        let twin = at("ws-evil/x");
        vec![
            ("read a file", 2, File::open(at("secret")).map(drop)),
            ("list a folder", 2, fs::read_dir(&self.home).map(drop)),
            ("write a file", 2, OpenOptions::new().append(true).open(at("secret")).map(drop)),
            ("cut a file", 2, OpenOptions::new().write(true).open(at("secret")).and_then(|file| file.set_len(7))),
            ("make a file", 2, fs::write(&twin, "x").and_then(|()| fs::remove_file(&twin))),
            ("make a folder", 2, fs::create_dir(&twin).and_then(|()| fs::remove_dir(&twin))),
            ("make a link", 2, symlink("secret", &twin).and_then(|()| fs::remove_file(&twin))),
            ("rename a file", 2, fs::rename(at("secret"), at("s")).and_then(|()| fs::rename(at("s"), at("secret")))),
            (
                "move a file in",
                2,
                fs::rename(at("secret"), at("ws/s")).and_then(|()| fs::rename(at("ws/s"), at("secret"))),
            ),
            ("link a file in", 2, fs::hard_link(at("secret"), at("ws/s")).and_then(|()| fs::remove_file(at("ws/s")))),
            ("link a file out", 2, fs::hard_link(at("ws/a.txt"), &twin).and_then(|()| fs::remove_file(&twin))),
            ("run a program", 2, Command::new("true").status().map(drop)),
            ("read of itself", 2, File::open("/proc/self/environ").map(drop)),
            ("connect over TCP", 4, self.listener.local_addr().and_then(TcpStream::connect).map(drop)),
            ("listen on TCP", 4, TcpListener::bind(("127.0.0.1", 0)).map(drop)),
            ("connect to an abstract socket", 6, UnixStream::connect_addr(&self.name).map(drop)),
            ("signal a program", 6, self.signal()),
        ]
    }

    /// A signal that a program does not notice.
    fn signal(&self) -> io::Result<()> {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::test_kill_process(pid).map_err(io::Error::from)
    }
}

impl Drop for Outside {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_confined_thread_reaches_nothing_outside() {
    let home = place();
    let mut outside = Outside::new(home.path());
    for (act, _, done) in outside.acts() {
        assert!(done.is_ok(), "{act} works without a sandbox: {done:?}");
    }
    let confined = std::thread::scope(|scope| scope.spawn(|| inside(&mut outside)).join().unwrap());
    assert_eq!(confined, kernel_confines());
    for (act, _, done) in outside.acts() {
        assert!(done.is_ok(), "{act} still works for the other threads: {done:?}");
    }
}

/// Confines this thread and tries everything; whether it was confined.
fn inside(outside: &mut Outside) -> bool {
    let workspace = Session::open(&outside.home.join("ws"), Options { home: home::at(), ..Options::default() });
    let workspace = workspace.unwrap();
    let mut held = File::open(outside.home.join("secret")).unwrap();
    let Confinement::Kept(wall) = workspace.confine() else { return false };
    for (act, since, done) in outside.acts() {
        let Err(error) = done else {
            assert!(wall.version < since, "{act} worked, with Landlock {}", wall.version);
            continue;
        };
        let refused = matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::CrossesDevices);
        assert!(refused, "{act}: {error:?}");
    }
    let mut text = String::new();
    io::Read::read_to_string(&mut held, &mut text).unwrap();
    assert_eq!(text, "secret\n", "what was opened before stays open, and nothing was cut off");
    for tried in
        [make_inside(outside), std::thread::scope(|scope| scope.spawn(|| make_inside(outside)).join().unwrap())]
    {
        assert!(tried.is_err(), "pipes and sockets are not made, not even inside");
    }
    workspace.create_file(&CreateFile::new("new", "x"), &Quiet).unwrap();
    true
}

fn make_inside(outside: &Outside) -> io::Result<()> {
    UnixListener::bind(outside.home.join("ws/socket")).map(drop)
}
