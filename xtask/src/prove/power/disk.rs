//! A disk that remembers: a file whose every write and flush is noted in the order in which they came.
//!
//! It is a FUSE file system of our own that is one file. A loop device makes a disk of it; the kernel turns what a file
//! system wants flushed into a flush of this file. It is served by a thread, which ends when the file is unmounted.

use super::filesystem::{Mounted, administrator};
use super::fuse::{self, Request, Wish};
use crate::failure::Failure;
use crate::run;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// What reached the disk.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Event {
    Write {
        at: u64,
        bytes: Vec<u8>,
    },
    /// Whatever came before is durable.
    Flush,
}

/// A disk that is in use.
pub(crate) struct Disk {
    /// The one file; unmounted first, so that the thread ends.
    file: Option<Mounted>,
    served: Option<JoinHandle<()>>,
    events: Arc<Mutex<Vec<Event>>>,
}

/// What the thread works with.
struct Server {
    kernel: File,
    image: File,
    size: u64,
    events: Arc<Mutex<Vec<Event>>>,
}

impl Disk {
    /// Makes a disk of an image, at `place`, a file that is there. The image is written too.
    pub(crate) fn open(image: &Path, place: &Path) -> Result<Disk, Failure> {
        let fail = |what: &Path| {
            let what = what.display().to_string();
            move |error: io::Error| Failure::io(what, &error)
        };
        let open = |path: &Path| OpenOptions::new().read(true).write(true).open(path).map_err(fail(path));
        let (kernel, image_file) = (open(Path::new("/dev/fuse"))?, open(image)?);
        File::create(place).map_err(fail(place))?;
        let size = image_file.metadata().map_err(fail(image))?.len();
        let mut mount = administrator("mount");
        mount.args(["-i", "-t", "fuse", "-o", "fd=0,rootmode=100600,user_id=0,group_id=0"]);
        mount.arg("patchwright-disk").arg(place);
        mount.stdin(kernel.try_clone().map_err(fail(place))?);
        let events = Arc::new(Mutex::new(Vec::new()));
        run::plainly(mount, "the power suite needs FUSE in the kernel")?;
        let server = Server { kernel, image: image_file, size, events: Arc::clone(&events) };
        let served = Some(std::thread::spawn(move || server.serve()));
        Ok(Disk { file: Some(Mounted { place: place.to_owned() }), served, events })
    }

    /// How many events there have been.
    pub(crate) fn position(&self) -> usize {
        lock(&self.events).len()
    }

    /// Ends it, and hands over what was noted.
    pub(crate) fn close(mut self) -> Result<Vec<Event>, Failure> {
        self.file.take().map_or(Ok(()), Mounted::unmount)?;
        self.join();
        Ok(std::mem::take(&mut lock(&self.events)))
    }

    fn join(&mut self) {
        // A thread that failed has noted too little, which shows in the replay.
        let _ = self.served.take().map(JoinHandle::join);
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        drop(self.file.take());
        self.join();
    }
}

impl Server {
    /// Answers the kernel until the file is unmounted.
    fn serve(mut self) {
        let mut room = vec![0; fuse::ROOM];
        loop {
            match self.kernel.read(&mut room) {
                Ok(count) => {
                    let answer = room.get(..count).and_then(Request::read).and_then(|request| self.answer(&request));
                    if let Some(answer) = answer {
                        // The kernel may have given up waiting; that is its own affair.
                        let _ = self.kernel.write_all(&answer);
                    }
                }
                // A request was withdrawn, or a signal came.
                Err(error) if matches!(error.raw_os_error(), Some(2 | 4)) => {}
                Err(_) => return,
            }
        }
    }

    fn answer(&self, request: &Request<'_>) -> Option<Vec<u8>> {
        let number = request.number;
        let body = match &request.wish {
            Wish::Greeting => Ok(fuse::greeting()),
            Wish::Attributes => Ok(fuse::attributes(self.size)),
            Wish::Open => Ok(fuse::opened()),
            Wish::Read { at, count } => self.read(*at, *count),
            Wish::Write { at, bytes } => self.write(*at, bytes),
            Wish::Flush => {
                lock(&self.events).push(Event::Flush);
                Ok(Vec::new())
            }
            Wish::Nothing => Ok(Vec::new()),
            Wish::Silence => return None,
            Wish::Unknown => return Some(fuse::unknown(number)),
        };
        Some(body.map_or_else(|_| fuse::failed(number), |body| fuse::granted(number, &body)))
    }

    fn read(&self, at: u64, count: usize) -> io::Result<Vec<u8>> {
        let left = usize::try_from(self.size.saturating_sub(at)).unwrap_or(usize::MAX);
        let mut bytes = vec![0; count.min(left)];
        self.image.read_exact_at(&mut bytes, at)?;
        Ok(bytes)
    }

    fn write(&self, at: u64, bytes: &[u8]) -> io::Result<Vec<u8>> {
        self.image.write_all_at(bytes, at)?;
        lock(&self.events).push(Event::Write { at, bytes: bytes.to_vec() });
        Ok(fuse::written(bytes.len()))
    }
}

fn lock(events: &Mutex<Vec<Event>>) -> MutexGuard<'_, Vec<Event>> {
    events.lock().unwrap_or_else(PoisonError::into_inner)
}
