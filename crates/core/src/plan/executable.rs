//! Whether a file may be run, as part of a plan that is otherwise made.

use super::snapshot::{Seen, Snapshot, SnapshotFile};
use super::{Act, Bits, Change, Fresh, Plan, Step};
use crate::intent::Executable;
use crate::path::RelPath;
use crate::warning::Warning;

/// Makes the one file that a plan is about executable or not. A file that already is so is left as it is; one whose
/// text stays gets a step of its own.
pub fn make_executable(plan: &mut Plan, snapshot: &Snapshot, path: &RelPath, executable: Executable) {
    let bits = Bits::Executable(executable);
    let seen = match snapshot.seen(path) {
        Seen::File(file) => Some(file),
        _ => None,
    };
    // Without anybody who may read it there is nobody to let run it.
    let unread = |file: &SnapshotFile| executable == Executable::Yes && bits.applied_to(file.mode) & 0o111 == 0;
    if seen.as_ref().is_some_and(unread) {
        plan.warnings.push(Warning::NobodyReads { path: path.to_string() });
    }
    // Set-id bits go with the old text; they alone are no reason to change anything.
    let changes = seen.as_ref().is_none_or(|file| bits.applied_to(file.mode) != file.mode & 0o1777);
    let written = |step: &&mut Step| matches!(step.act, Act::Replace { .. } | Act::Create(Fresh::File { .. }));
    match (plan.steps.iter_mut().rev().find(written), seen) {
        (Some(step), _) => step.bits = changes.then_some(bits),
        (None, Some(file)) if changes => {
            let (from, to) = (file.mode & 0o7777, bits.applied_to(file.mode));
            let act = Act::Mode { before: file.digest, from, to };
            plan.steps.push(Step { path: file.real, act, changes: vec![Change::nothing()], wish: 0, bits: Some(bits) });
        }
        (None, _) => {}
    }
}

impl Change {
    /// A change that touches no line; it has an id all the same.
    pub fn nothing() -> Change {
        Change { before_line: 1, after_line: 1, ..Change::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_nobody_reads() {
        let path = RelPath::parse("a", &[]).unwrap();
        for (mode, executable, warned) in [
            (0o000, Executable::Yes, true),
            (0o222, Executable::Yes, true),
            (0o111, Executable::Yes, false),
            (0o000, Executable::No, false),
            (0o400, Executable::Yes, false),
        ] {
            let (digest, size) = (crate::digest::Digest::of(b""), 0);
            let file = SnapshotFile { real: path.clone(), bytes: None, digest, size, mode, id: (1, 1) };
            let mut snapshot = Snapshot::default();
            snapshot.add(path.clone(), Seen::File(file));
            let mut plan = Plan::default();
            make_executable(&mut plan, &snapshot, &path, executable);
            assert_eq!(!plan.warnings.is_empty(), warned, "{mode:o} {executable:?}");
        }
    }

    #[test]
    fn bits() {
        let check = |executable: Executable, mode, want| {
            assert_eq!(executable.applied_to(mode), want, "{executable:?} {mode:o}");
        };
        check(Executable::Yes, 0o644, 0o755);
        check(Executable::Yes, 0o640, 0o750);
        check(Executable::Yes, 0o600, 0o700);
        check(Executable::Yes, 0o200, 0o200); // nobody may read it
        check(Executable::Yes, 0o754, 0o755);
        check(Executable::Yes, 0o4755, 0o755);
        check(Executable::Yes, 0o711, 0o711);
        check(Executable::No, 0o755, 0o644);
        check(Executable::No, 0o711, 0o600);
        check(Executable::No, 0o7755, 0o1644);
    }
}
