//! Putting the forgeries of a plan into a workspace.

use super::ground::{Ground, Where};
use super::plan::{By, Dress, Forgery, Harm, IndexAt, Part, Plan, Whose};
use super::records::{ENTRY, SCRIPT, payload, shipped, telling};
use super::{huge, own, settings};
use patchwright_testkit::dice::Dice;
use patchwright_testkit::forge::{self, Numbers, Seal, crc32, creation, deletion, endless, frames, note, old_log, top};
use patchwright_testkit::snapshot::restore;
use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

const NOBODYS: &str = "0123456789abcdef0123456789abcdef";
pub(super) const FIRST: &str = "00000000000000000000000000000000";

/// What was done to a workspace.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Planted {
    /// Was our own record touched?
    pub(super) own: bool,
    /// May changes be refused? Where there is no room for a record, or it is of a later version.
    pub(super) may_refuse: bool,
    /// Is a record in the middle of our log damaged? Then history need not be told.
    pub(super) damaged: bool,
}

/// Puts it there.
pub(super) fn plant(ground: &Ground, plan: &Plan) -> io::Result<Planted> {
    let mut planted = Planted::default();
    for (number, what) in plan.what.iter().enumerate() {
        match forge(ground, what, &mut planted) {
            // What does not go together with what stands there already is left out.
            Err(error) if number > 0 && is_in_the_way(&error) => {}
            other => other?,
        }
    }
    // A log of a later version is left alone: nothing can be put on record behind it.
    let log =
        fs::symlink_metadata(ground.record().join("log")).ok().filter(|meta| meta.is_file() && meta.len() < 1 << 24);
    let log = log.and_then(|_| fs::read(ground.record().join("log")).ok()).unwrap_or_default();
    planted.may_refuse |= log.starts_with(b"patchwright log\n") && !log.starts_with(&top()[..20]);
    Ok(planted)
}

fn is_in_the_way(error: &io::Error) -> bool {
    use io::ErrorKind::{AlreadyExists, IsADirectory, NotADirectory, NotFound};
    matches!(error.kind(), AlreadyExists | IsADirectory | NotADirectory | NotFound)
        || error.raw_os_error() == Some(LOOP)
}

/// Links in a circle.
const LOOP: i32 = 40;

fn forge(ground: &Ground, what: &Forgery, planted: &mut Planted) -> io::Result<()> {
    match what {
        Forgery::Old(seed) => {
            let place = ground.root.join(".patchwright");
            ship(&place, &old_log(&payloads(ground, *seed)))
        }
        Forgery::Record { place, id, dress, seed } => {
            let (place, id) = (at(ground, *place), spelt(ground, *id));
            planted.own |= place.join(&id) == ground.record();
            ship(&place.join(&id), &log(ground, *dress, &id, *seed))
        }
        Forgery::Copied { place } => {
            let record = at(ground, *place).join(&ground.past.other.0);
            fs::create_dir_all(&record)?;
            if ground.past.other.0.is_empty() { Ok(()) } else { restore(&record, &ground.past.other.1) }
        }
        Forgery::Keyed { place, seed } => keyed(ground, &at(ground, *place).join(FIRST), *seed),
        Forgery::Index(at) => index(ground, *at),
        Forgery::Huge(what) => huge::plant(ground, *what, planted),
        Forgery::Settings(number) => fs::write(ground.root.join("patchwright.toml"), settings::hostile(*number)),
        Forgery::Instead { part, by } => instead(ground, *part, *by, planted),
        // The rest needs a record of ours.
        _ if !ground.is_used() => Ok(()),
        Forgery::Tail { dress, seed } => {
            planted.own = true;
            tail(ground, *dress, payloads(ground, *seed).first().map_or(&[], Vec::as_slice))
        }
        Forgery::Own(harm, seed) => {
            planted.own = true;
            planted.damaged |= matches!(
                harm,
                Harm::Swapped | Harm::Exchanged | Harm::Revived | Harm::Flipped | Harm::Dropped | Harm::Truncated
            );
            own::harm(ground, *harm, &mut Dice::new(*seed))
        }
        Forgery::Unfinished { link, seed } => {
            planted.own = true;
            unfinished(ground, *link, *seed)
        }
    }
}

/// One of the places for records; the one in the tree counts, whether or not it is one.
pub(super) fn at(ground: &Ground, place: usize) -> PathBuf {
    ground.places.get(place).cloned().unwrap_or_else(|| ground.root.join(".patchwright"))
}

fn spelt(ground: &Ground, id: Whose) -> String {
    match id {
        Whose::First => FIRST,
        Whose::Ours if ground.is_used() => &ground.past.id,
        Whose::Others if !ground.past.other.0.is_empty() => &ground.past.other.0,
        _ => NOBODYS,
    }
    .to_owned()
}

/// Records of chance; those that would show without a seed.
pub(super) fn payloads(ground: &Ground, seed: u64) -> Vec<Vec<u8>> {
    if seed == 0 {
        return telling();
    }
    let mut dice = Dice::new(seed);
    let count = dice.below(4).saturating_add(1);
    (0..count).map(|_| payload(ground, &mut dice)).collect()
}

/// Puts a log into a folder, with the program in its trash and among its kept files.
pub(super) fn ship(record: &Path, log: &[u8]) -> io::Result<()> {
    stuff(record)?;
    unlink(&record.join("log"))?;
    fs::write(record.join("log"), log)
}

/// Puts the program into the trash and among the kept files of a record.
pub(super) fn stuff(record: &Path) -> io::Result<()> {
    for path in [record.join("trash").join(ENTRY), record.join("blobs").join(shipped())] {
        let folder = path.parent().unwrap_or(record);
        if !folder.is_dir() {
            unlink(folder)?;
            fs::create_dir_all(folder)?;
        }
        // A link that stands here from another forgery leads nowhere that we would write.
        if folder.is_symlink() {
            continue;
        }
        fs::write(&path, SCRIPT)?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}

/// A log of today, under any dress.
fn log(ground: &Ground, dress: Dress, id: &str, seed: u64) -> Vec<u8> {
    let mut log = top();
    for payload in payloads(ground, seed) {
        let more = frame(ground, dress, &log, id, &payload);
        log.extend(more);
    }
    log
}

/// A frame for the end of a log, right in all but one thing.
fn frame(ground: &Ground, dress: Dress, log: &[u8], id: &str, payload: &[u8]) -> Vec<u8> {
    let last = frames(log).pop();
    let end = last.as_ref().map_or(forge::TOP, |last| last.end);
    let (sequence, highest) = last.as_ref().map_or((0, 0), |last| (last.sequence, last.highest));
    let previous = last.as_ref().map_or([0; 32], forge::Frame::hash);
    let numbers = Numbers { sequence: sequence.saturating_add(1), highest };
    let wrong = Seal::wrong(id);
    let ours = Seal::kept(&ground.ring()).unwrap_or_else(|_| wrong.clone());
    match dress {
        Dress::Wrong => wrong.frame(end, numbers, previous, payload),
        Dress::Zero => {
            let mut frame = wrong.frame(end, numbers, previous, payload);
            let length = frame.len().saturating_sub(32);
            frame.truncate(length);
            frame.extend([0; 32]);
            checked(frame)
        }
        Dress::Bare => {
            let mut frame = wrong.frame(end, numbers, previous, payload);
            frame.truncate(frame.len().saturating_sub(32));
            checked(frame)
        }
        Dress::OtherId => Seal { key: ours.key, id: "f".repeat(32) }.frame(end, numbers, previous, payload),
        Dress::OtherOffset => ours.frame(end.saturating_add(512), numbers, previous, payload),
        Dress::OtherSequence => {
            ours.frame(end, Numbers { sequence: sequence.saturating_add(2), highest }, previous, payload)
        }
        Dress::Replayed => replayed(ground),
    }
}

/// The genuine intent to delete, from our own log.
fn replayed(ground: &Ground) -> Vec<u8> {
    let log = fs::read(ground.record().join("log")).unwrap_or_default();
    let intent = frames(&log).into_iter().rfind(|frame| frame.holds("Intent") && frame.holds("victim.txt"));
    intent.and_then(|frame| log.get(frame.at..frame.end).map(<[u8]>::to_vec)).unwrap_or_default()
}

/// A frame with its checksum set right.
fn checked(mut frame: Vec<u8>) -> Vec<u8> {
    let sum = crc32(frame.get(8..).unwrap_or_default()).to_le_bytes();
    if let Some(place) = frame.get_mut(4..8) {
        place.copy_from_slice(&sum);
    }
    frame
}

/// Puts a record behind the last one of our own log.
pub(super) fn tail(ground: &Ground, dress: Dress, payload: &[u8]) -> io::Result<()> {
    let record = ground.record();
    stuff(&record)?;
    let path = record.join("log");
    // Another forgery may have put something there that is not to be read.
    if !fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_file() && meta.len() < 1 << 24) {
        return Ok(());
    }
    let log = fs::read(&path)?;
    let more = frame(ground, dress, &log, &ground.past.id, payload);
    let end = frames(&log).last().map_or(forge::TOP, |last| last.end);
    let mut made = log.get(..end).unwrap_or(&log).to_vec();
    made.extend(more);
    made.resize(made.len().max(log.len()), 0);
    fs::write(&path, made)
}

/// A record that brings along everything that a home would know of it.
fn keyed(ground: &Ground, record: &Path, seed: u64) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt;
    let seal = Seal::wrong(FIRST);
    let first = payloads(ground, seed);
    let log = first.iter().take(1).fold(top(), |log, payload| seal.with(&log, 0, payload));
    ship(record, &log)?;
    fs::write(record.join("key"), &seal.key)?;
    fs::set_permissions(record.join("key"), fs::Permissions::from_mode(0o600))?;
    let root = fs::metadata(&ground.root)?;
    fs::write(record.join("root"), format!("{} {}\n{}", root.dev(), root.ino(), ground.root.display()))?;
    // As a new record has it: nothing was seen, so everything is walked.
    let mut mark = [0; 8 + 2 * 48 + 16].to_vec();
    for point in [8, 56] {
        if let Some(offset) = mark.get_mut(point + 8..point + 16) {
            offset.copy_from_slice(&forge::TOP.to_le_bytes());
        }
    }
    mark.extend(crc32(&mark).to_le_bytes());
    fs::write(record.join("mark"), mark)
}

fn index(ground: &Ground, at: IndexAt) -> io::Result<()> {
    let place = match at {
        IndexAt::Old => ground.root.join(".patchwright"),
        IndexAt::Record if ground.is_used() => ground.record(),
        IndexAt::Home if ground.is_used() => ground.ring(),
        _ => return Ok(()),
    };
    if place.is_symlink() || (place.exists() && !place.is_dir()) {
        return Ok(());
    }
    fs::create_dir_all(&place)?;
    for name in ["index.sqlite", "index.sqlite-wal", "index.sqlite-shm"] {
        unlink(&place.join(name))?;
    }
    endless(&place.join("index.sqlite"), &old_log(&[note()])).map_err(io::Error::other)
}

/// A genuine intent, as a killed call leaves it; the folder that it names has become a link since.
fn unfinished(ground: &Ground, link: By, seed: u64) -> io::Result<()> {
    let path = ground.record().join("log");
    if !fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_file() && meta.len() < 1 << 24) {
        return Ok(());
    }
    stuff(&ground.record())?;
    let payload = match seed % 3 {
        0 => deletion("d/planted", ENTRY, SCRIPT),
        1 => creation("d/c.txt", b"inside\n"),
        _ => deletion("d/hooks/pre-commit", ENTRY, SCRIPT),
    };
    let log = fs::read(&path)?;
    let sealed = Seal::kept(&ground.ring())?.with(&log, frames(&log).len(), &payload);
    fs::write(&path, sealed)?;
    let folder = ground.root.join("d");
    if folder.is_symlink() {
        return Ok(());
    }
    fs::rename(&folder, ground.root.join("elsewhere"))?;
    // A link within the root is one that the guard would follow, if it is a relative one.
    match link {
        By::Inside => symlink("elsewhere", folder),
        By::Git => symlink(".git", folder),
        _ => symlink(target(ground, link, &folder), folder),
    }
}

/// Where a link leads.
fn target(ground: &Ground, by: By, from: &Path) -> PathBuf {
    let other = ground.folder.join("other/.patchwright").join(&ground.past.other.0);
    let is_log = from.ends_with("log");
    match by {
        By::Outside if is_log => ground.folder.join("outside/precious.txt"),
        By::Outside => ground.folder.join("outside"),
        By::Git if is_log => ground.root.join(".git/config"),
        By::Git => ground.root.join(".git"),
        By::Other if is_log => other.join("log"),
        By::Other => other,
        _ if is_log => ground.root.join("a.txt"),
        _ => ground.root.join("elsewhere"),
    }
}

fn instead(ground: &Ground, part: Part, by: By, planted: &mut Planted) -> io::Result<()> {
    let (own, foreign) = (ground.record(), ground.root.join(".patchwright").join(NOBODYS));
    let path = match part {
        Part::Place => ground.root.join(".patchwright"),
        Part::ForeignLog => foreign.join("log"),
        _ if !ground.is_used() => return Ok(()),
        Part::Id => own.clone(),
        Part::Log => own.join("log"),
        Part::Trash => own.join("trash"),
        Part::Blobs => own.join("blobs"),
        Part::Ignore => own.join(".gitignore"),
    };
    planted.own |= own.starts_with(&path) || path.starts_with(&own);
    // Without a folder for records there is no record, and without a record no change. What is no folder or file of
    // ours is not put aside either: that is for a person to do.
    let in_tree = matches!(ground.at, Where::Plain | Where::Sub | Where::FreshPlain);
    planted.may_refuse |= match part {
        Part::Place => in_tree && by != By::Folder,
        Part::Id | Part::Blobs | Part::Trash => by != By::Folder,
        Part::Log => by != By::File,
        Part::Ignore | Part::ForeignLog => false,
    };
    let above = path.parent().unwrap_or(&path);
    if above.is_symlink() || (above.exists() && !above.is_dir()) {
        return Ok(());
    }
    fs::create_dir_all(above)?;
    unlink(&path)?;
    match by {
        By::Pipe => Command::new("mkfifo").arg(&path).status().map(drop),
        By::File => fs::write(&path, "a file\n"),
        By::Folder => fs::create_dir(&path),
        _ => symlink(target(ground, by, &path), &path),
    }
}

/// Whatever stands there goes.
pub(super) fn unlink(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(meta) if meta.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(_) => Ok(()),
    }
}
