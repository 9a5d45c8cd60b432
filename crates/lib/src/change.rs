//! Changing files: what each change wants. Every one ends in a plan.

use crate::charset::charset;
use crate::error::Error;
use crate::ids::BatchId;
use crate::planned::Planned;
use crate::session::Session;
use crate::sha256::Sha256;
use patchwright_engine::core::intent::{ExactEdit, Executable, Newline, Occurrences, Onto, Parents};
use patchwright_engine::core::text::Terminator;
use patchwright_engine::core::tool::{
    ApplyPatch, Call, CreateFile, DeleteFile, EditFile, FileVersion, MoveFile, Recursive, RestoreFile, RestoreWhat,
    VersionSide, WriteFile,
};

impl Session {
    /// Makes a new file with this text. Something that is there already is
    /// [`ErrorKind::AlreadyExists`](crate::ErrorKind::AlreadyExists).
    ///
    /// ```
    /// # let (folder, home) = (tempfile::tempdir()?, tempfile::tempdir()?);
    /// # let workspace = patchwright_lib::Workspace::options().home(home.path()).open(folder.path())?;
    /// # let session = workspace.session("docs");
    /// session.create("bin/run.sh", "#!/bin/sh\n").create_folders().executable().plan()?.commit()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn create(&self, path: impl Into<String>, text: impl Into<String>) -> Create {
        Create { session: self.clone(), ask: CreateFile::new(path, text), charset: None }
    }

    /// Gives a file that the session has seen as a whole another text. Charset, byte-order mark and line ends stay as
    /// they are.
    pub fn write(&self, path: impl Into<String>, text: impl Into<String>) -> Write {
        Write { session: self.clone(), ask: WriteFile::new(path, text), charset: None }
    }

    /// Replaces exact texts in a file that the session has seen. All replacements are looked for in the file as it is,
    /// and none may touch what another one replaces. An edit that asks for nothing is
    /// [`ErrorKind::InvalidArguments`](crate::ErrorKind::InvalidArguments).
    ///
    /// ```
    /// # let (folder, home) = (tempfile::tempdir()?, tempfile::tempdir()?);
    /// # let workspace = patchwright_lib::Workspace::options().home(home.path()).open(folder.path())?;
    /// # let session = workspace.session("docs");
    /// session.create("a.txt", "one two one\n").plan()?.commit()?;
    /// let planned = session.edit("a.txt").replace("two", "2").replace_all("one", "1").plan()?;
    /// assert!(planned.diff().contains("+1 2 1"));
    /// planned.commit()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn edit(&self, path: impl Into<String>) -> Edit {
        Edit { session: self.clone(), ask: EditFile::new(path, Vec::new()), charset: None }
    }

    /// Moves a file or link that the session has seen to the trash.
    pub fn delete(&self, path: impl Into<String>) -> Delete {
        Delete { session: self.clone(), ask: DeleteFile::new(path) }
    }

    /// Gives a file or link that the session has seen another name.
    pub fn rename(&self, from: impl Into<String>, to: impl Into<String>) -> Rename {
        Rename { session: self.clone(), ask: MoveFile::new(from, to) }
    }

    /// Applies a patch over any number of files, all of it or nothing: an envelope (`*** Begin Patch`), or a unified
    /// diff. A patch shows its files by the lines that it quotes; the session need not have read them.
    pub fn patch(&self, text: impl Into<String>) -> Patch {
        Patch { session: self.clone(), ask: ApplyPatch::new(text), charset: None }
    }

    /// Brings back what a trash entry holds, to where it was.
    pub fn restore(&self, trash_id: impl Into<String>) -> Restore {
        Restore { session: self.clone(), ask: RestoreFile::new(trash_id) }
    }

    /// Plans to bring back a file as a batch left it or found it, under the name that it had. Nothing may stand there.
    pub fn restore_version(
        &self,
        path: impl Into<String>,
        batch: impl Into<BatchId>,
        side: Side,
    ) -> Result<Planned, Error> {
        let (path, batch) = (path.into(), batch.into().as_str().to_owned());
        let side = match side {
            Side::Before => VersionSide::Before,
            Side::After => VersionSide::After,
        };
        Planned::of(self, Call::RestoreFile(RestoreFile::version(FileVersion { path, batch, side })))
    }
}

/// On which side of a batch a version stood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// What the batch found.
    Before,
    /// What the batch left.
    After,
}

/// A builder of a change.
macro_rules! change {
    ($(#[$doc:meta])* $name:ident { $ask:ty, $call:ident $(, $charset:ident)? }) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        #[must_use = "nothing changes until the change is planned and committed"]
        pub struct $name {
            session: Session,
            ask: $ask,
            $($charset: Option<String>,)?
        }

        impl $name {
            $(
                /// The charset of the file, such as `windows-1252`, where it is neither UTF-8 nor UTF-16 with a mark.
                pub fn $charset(mut self, label: impl Into<String>) -> $name {
                    self.$charset = Some(label.into());
                    self
                }
            )?

            /// Checks everything and shows what would change. No file changes yet. That it was planned or refused goes
            /// on record, so that it waits for other writers as a commit does, and may end with
            /// [`ErrorKind::Busy`](crate::ErrorKind::Busy).
            pub fn plan(self) -> Result<Planned, Error> {
                #[allow(unused_mut, reason = "not every change has a charset")]
                let mut ask = self.ask;
                $(ask.charset = charset(self.$charset.as_deref())?;)?
                let call = Call::$call(ask);
                check(&call)?;
                Planned::of(&self.session, call)
            }
        }
    };
}

/// Refuses a request that asks for nothing, which no other way into Patchwright lets through either.
fn check(call: &Call) -> Result<(), Error> {
    let Call::EditFile(EditFile { edits, executable, .. }) = call else { return Ok(()) };
    if edits.is_empty() && executable.is_none() {
        return Err(Error::invalid("the edit has no replacement"));
    }
    match edits.iter().position(|edit| edit.occurrences == Occurrences::Exactly(0)) {
        Some(at) => Err(Error::invalid(format!("replacement {} is to be made 0 times", at + 1))),
        None => Ok(()),
    }
}

/// The proof of sight by a hash.
macro_rules! expects_sha256 {
    ($($name:ident),*) => {
        $(impl $name {
            /// The file must have this hash. It stands in for having read the file.
            pub fn expect_sha256(mut self, sha256: Sha256) -> $name {
                self.ask.expected = Some(sha256.digest().into());
                self
            }
        })*
    };
}

/// Permission to run a file.
macro_rules! sets_executable {
    ($($name:ident),*) => {
        $(impl $name {
            /// Whoever may read the file may run it, too.
            pub fn executable(mut self) -> $name {
                self.ask.executable = Some(Executable::Yes);
                self
            }
        })*
    };
}

/// Line ends of new files.
macro_rules! sets_line_ends {
    ($($name:ident),*) => {
        $(impl $name {
            /// Lines of new files end in `\r\n`. By default they end as `.gitattributes` or `.editorconfig` say for the
            /// path, else as given.
            pub fn crlf(mut self) -> $name {
                self.ask.newline = Some(Terminator::CrLf);
                self
            }

            /// Missing folders are made.
            pub fn create_folders(mut self) -> $name {
                self.ask.parents = Parents::Create;
                self
            }
        })*
    };
}

change!(
    /// A new file; see [`Session::create`].
    Create { CreateFile, CreateFile, charset }
);
change!(
    /// New content for a file; see [`Session::write`].
    Write { WriteFile, WriteFile, charset }
);
change!(
    /// Exact replacements in a file; see [`Session::edit`].
    Edit { EditFile, EditFile, charset }
);
change!(
    /// A file into the trash; see [`Session::delete`].
    Delete { DeleteFile, DeleteFile }
);
change!(
    /// Another name for a file; see [`Session::rename`].
    Rename { MoveFile, MoveFile }
);
change!(
    /// A patch; see [`Session::patch`].
    Patch { ApplyPatch, ApplyPatch, charset }
);
change!(
    /// A trash entry that comes back; see [`Session::restore`].
    Restore { RestoreFile, RestoreFile }
);

expects_sha256!(Write, Edit, Delete, Rename);
sets_executable!(Create, Write, Edit);
sets_line_ends!(Create, Patch);

impl Write {
    /// Writes the text byte for byte as given, without keeping the old line ends, mark or charset.
    pub fn verbatim(mut self) -> Write {
        self.ask.newline = Newline::Verbatim;
        self
    }
}

impl Edit {
    /// Replaces a text that must stand in the file exactly once.
    pub fn replace(self, old: impl Into<String>, new: impl Into<String>) -> Edit {
        self.with(old.into(), new.into(), Occurrences::Once)
    }

    /// Replaces a text that must stand in the file exactly so often, everywhere.
    pub fn replace_times(self, times: usize, old: impl Into<String>, new: impl Into<String>) -> Edit {
        self.with(old.into(), new.into(), Occurrences::Exactly(times))
    }

    /// Replaces a text that must stand in the file at least once, everywhere.
    pub fn replace_all(self, old: impl Into<String>, new: impl Into<String>) -> Edit {
        self.with(old.into(), new.into(), Occurrences::All)
    }

    fn with(mut self, old: String, new: String, occurrences: Occurrences) -> Edit {
        self.ask.edits.push(ExactEdit { old, new, occurrences });
        self
    }
}

impl Delete {
    /// A folder is meant with everything in it, all of which the session must have seen:
    /// [`List::hashes`](crate::List::hashes) counts.
    pub fn recursive(mut self) -> Delete {
        self.ask.recursive = Recursive::Yes;
        self
    }
}

impl Rename {
    /// A folder is meant with everything in it, all of which the session must have seen:
    /// [`List::hashes`](crate::List::hashes) counts.
    pub fn recursive(mut self) -> Rename {
        self.ask.recursive = Recursive::Yes;
        self
    }

    /// A file that stands at the new name goes to the trash; the session must have seen it, too.
    pub fn replace_existing(mut self) -> Rename {
        self.ask.onto = Onto::Replace;
        self
    }
}

impl Restore {
    /// Brings it back to this path.
    pub fn to(mut self, path: impl Into<String>) -> Restore {
        if let RestoreWhat::Trash { target_path, .. } = &mut self.ask.what {
            *target_path = Some(path.into());
        }
        self
    }
}
