//! MCP door: standard output as a way out that knows how much it takes without waiting.

use super::writer::Outflow;
use std::io::{self, Stdout, Write};

/// The process's standard output.
#[derive(Debug)]
pub struct StdoutPort(Stdout);

impl StdoutPort {
    /// Standard output, which from now on carries nothing but the protocol.
    pub fn new() -> StdoutPort {
        StdoutPort(io::stdout())
    }
}

impl Default for StdoutPort {
    fn default() -> StdoutPort {
        StdoutPort::new()
    }
}

impl Write for StdoutPort {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Outflow for StdoutPort {
    /// An empty pipe takes what its size says. A socket that reports itself writable has at least three
    /// quarters of its buffer free, by default 150 KiB, of which half is counted on. Where none of this
    /// can be asked, nothing is promised, and every answer takes the slower way.
    #[cfg(target_os = "linux")]
    fn room(&self) -> usize {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        const SOCKET: usize = 64 << 10;
        if let Ok(size) = rustix::pipe::fcntl_getpipe_size(&self.0) {
            let waiting = rustix::io::ioctl_fionread(&self.0).unwrap_or(u64::MAX);
            return if waiting == 0 { size } else { 0 };
        }
        let mut ports = [PollFd::new(&self.0, PollFlags::OUT)];
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        match poll(&mut ports, Some(&now)) {
            Ok(1) if ports.iter().all(|port| port.revents() == PollFlags::OUT) => SOCKET,
            _ => 0,
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn room(&self) -> usize {
        0
    }
}
