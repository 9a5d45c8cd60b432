//! Taking in what commits say about lines: which change brought which line of each file, as the last recorded
//! change left it.
//!
//! What goes is kept with the change that took it, so that an undo or a restore brings its origin back too. Where the
//! record does not join on, others wrote in between: what was known is then laid down as a ground, with the hash of
//! the version that was found, and counting begins anew. Contents are never looked at.

use super::batches::path_number;
use super::runs::{self, OPEN, Splice};
use super::{LineHistory, Origin, Run, Touch, signed, whole};
use crate::log::Entry;
use crate::records::{ChangeRecord, Commit, FileRecord};
use patchwright_core::digest::Digest;
use rusqlite::{OptionalExtension, Row, Transaction, params};
use std::collections::HashMap;

/// So many files are kept at hand while the log is read.
const AT_HAND: usize = 256;

/// The files' lines while the log is read; written back at the end.
#[derive(Default)]
pub(super) struct Lines {
    at_hand: HashMap<i64, Option<LineHistory>>,
    /// Files whose names others took in the commit that is being read: they move on in it too.
    displaced: HashMap<i64, LineHistory>,
}

/// What is being taken in.
struct Now<'a> {
    db: &'a Transaction<'a>,
    at: Touch,
    commit: &'a Commit,
}

impl Lines {
    pub(super) fn commit(&mut self, db: &Transaction<'_>, entry: &Entry, commit: &Commit) -> rusqlite::Result<()> {
        let now = Now { db, at: Touch { seq: entry.sequence, place: entry.offset }, commit };
        self.displaced.clear();
        commit.files.iter().filter(|file| !file.link).try_for_each(|file| self.file(&now, file))?;
        if self.at_hand.len() > AT_HAND { self.write_back(db) } else { Ok(()) }
    }

    /// Puts what was worked out into the database.
    pub(super) fn write_back(&mut self, db: &Transaction<'_>) -> rusqlite::Result<()> {
        for (path, history) in self.at_hand.drain() {
            let Some(history) = history else {
                db.prepare_cached("DELETE FROM lines WHERE path = ?1")?.execute([path])?;
                continue;
            };
            let mut insert = db.prepare_cached(
                "INSERT OR REPLACE INTO lines (path, digest, seq, place, runs, ground) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?;
            insert.execute(params![
                path,
                history.digest.0,
                signed(history.last.seq),
                signed(history.last.place),
                runs::to_bytes(&history.runs),
                history.ground
            ])?;
        }
        Ok(())
    }

    fn file(&mut self, now: &Now<'_>, file: &FileRecord) -> rusqlite::Result<()> {
        let path = path_number(now.db, file.path.as_str())?;
        match (&file.to, file.before, file.after) {
            (Some(to), Some(before), _) => {
                let displaced = self.displaced.remove(&path);
                let came = displaced.and_then(|it| self.at_hand.insert(path, Some(it)).flatten());
                let history = self.joined(now, path, before)?;
                self.at_hand.insert(path, came);
                self.moved(now, path_number(now.db, to.as_str())?, history)?;
            }
            (None, None, Some(after)) => {
                let history = now.created(file, after)?;
                self.at_hand.insert(path, Some(history));
            }
            (None, Some(before), None) => {
                let history = self.joined(now, path, before)?;
                now.lay_aside(file, &history)?;
                self.at_hand.insert(path, None);
            }
            // Other permission bits, and nothing else.
            (None, Some(before), Some(after)) if before == after => {
                let history = self.joined(now, path, before)?;
                self.at_hand.insert(path, Some(LineHistory { last: now.at, ..history }));
            }
            (None, Some(before), Some(after)) => {
                let history = self.joined(now, path, before)?;
                if in_trash(file).is_some() {
                    now.lay_aside(file, &history)?;
                }
                let history = now.replaced(history, file, after)?;
                self.at_hand.insert(path, Some(history));
            }
            (_, None, _) => {}
        }
        Ok(())
    }

    /// Gives a file another name. One that has this name moves on in the same commit.
    fn moved(&mut self, now: &Now<'_>, to: i64, history: LineHistory) -> rusqlite::Result<()> {
        let there = match self.at_hand.remove(&to) {
            Some(known) => known,
            None => load(now.db, to)?,
        };
        self.displaced.extend(there.map(|there| (to, there)));
        self.at_hand.insert(to, Some(LineHistory { last: now.at, ..history }));
        Ok(())
    }

    /// The lines of a file with this hash, whatever it takes to get there.
    fn joined(&mut self, now: &Now<'_>, path: i64, before: Digest) -> rusqlite::Result<LineHistory> {
        // Every caller puts something in its place.
        let known = match self.at_hand.remove(&path) {
            Some(known) => known,
            None => load(now.db, path)?,
        };
        match known {
            Some(known) if known.digest == before => Ok(known),
            Some(known) => Ok(now.fresh(before, now.ground(&known, before)?)),
            None => Ok(now.fresh(before, None)),
        }
    }
}

impl Now<'_> {
    /// A version of which nothing is known but what it stands on.
    fn fresh(&self, digest: Digest, ground: Option<i64>) -> LineHistory {
        LineHistory { digest, last: self.at, runs: vec![Run { lines: OPEN, from: Origin::Ground(0) }], ground }
    }

    /// Lays down what was known before a version that somebody else wrote. Where that was nothing but what it stood
    /// on, the new version stands on the same.
    fn ground(&self, known: &LineHistory, found: Digest) -> rusqlite::Result<Option<i64>> {
        if known.is_bare() {
            let Some(below) = known.ground else { return Ok(None) };
            let mut copy = self.db.prepare_cached(
                "INSERT INTO grounds (digest, seq, place, runs, ground, found)
                 SELECT digest, seq, place, runs, ground, ?2 FROM grounds WHERE n = ?1",
            )?;
            return Ok((copy.execute(params![below, found.0])? > 0).then(|| self.db.last_insert_rowid()));
        }
        let mut insert = self.db.prepare_cached(
            "INSERT INTO grounds (digest, seq, place, runs, ground, found) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?;
        insert.execute(params![
            known.digest.0,
            signed(known.last.seq),
            signed(known.last.place),
            runs::to_bytes(&known.runs),
            known.ground,
            found.0
        ])?;
        Ok(Some(self.db.last_insert_rowid()))
    }

    /// Something new, or something that comes back.
    fn created(&self, file: &FileRecord, after: Digest) -> rusqlite::Result<LineHistory> {
        if let Some(back) = self.laid_aside(file)?.filter(|back| back.digest == after) {
            return Ok(LineHistory { last: self.at, ..back });
        }
        let change = file.changes.first().map(|change| number(self.db, &change.id)).transpose()?.flatten();
        let from = change.map_or(Origin::Ground(0), Origin::Change);
        Ok(LineHistory { digest: after, last: self.at, runs: vec![Run { lines: OPEN, from }], ground: None })
    }

    /// New bytes for a file.
    fn replaced(&self, history: LineHistory, file: &FileRecord, after: Digest) -> rusqlite::Result<LineHistory> {
        let mut groups = groups(&file.changes);
        groups.sort_by_key(|group| group.first().map(|change| (change.before.0, change.after.0)));
        let splices = groups.iter().map(|group| self.splice(group, history.ground));
        let splices = splices.collect::<rusqlite::Result<Vec<Splice>>>()?;
        let Some((gone, runs)) = runs::splice(&history.runs, &splices).filter(|_| !groups.is_empty()) else {
            // What is on record does not say which lines came from where; comparing the versions will.
            return Ok(self.fresh(after, self.ground(&history, after)?));
        };
        for (group, gone) in groups.iter().zip(gone).filter(|(_, gone)| !gone.is_empty()) {
            let bytes = runs::to_bytes(&gone);
            for change in group {
                let Some(change) = number(self.db, &change.id)? else { continue };
                let mut keep =
                    self.db.prepare_cached("INSERT OR REPLACE INTO gone (change, runs, ground) VALUES (?1, ?2, ?3)")?;
                keep.execute(params![change, bytes, history.ground])?;
            }
        }
        Ok(LineHistory { digest: after, last: self.at, runs, ground: history.ground })
    }

    /// What one change, under however many ids, does to the lines.
    fn splice(&self, group: &[&ChangeRecord], ground: Option<i64>) -> rusqlite::Result<Splice> {
        let Some(change) = group.first() else {
            return Ok(Splice { first: 0, gone: 0, at: 0, came: Vec::new() });
        };
        let own = number(self.db, &change.id)?.map_or(Origin::Older(None, 0), Origin::Change);
        let none = Vec::new();
        let mut restores: Vec<_> = group
            .iter()
            .map(|change| &change.restores)
            .find(|restores| !restores.is_empty())
            .unwrap_or(&none)
            .iter()
            .collect();
        restores.sort_by_key(|(at, ..)| *at);
        let (count, mut done, mut came) = (change.after.1, 0, Vec::new());
        for (at, removed_by, from, lines) in restores {
            if *at < done || at.checked_add(*lines).is_none_or(|end| end > count) {
                continue;
            }
            let back = self.gone(removed_by, *from, *lines, ground)?;
            let back = back.unwrap_or_else(|| vec![Run { lines: *lines, from: own.clone() }]);
            runs::push_all(&mut came, [Run { lines: at - done, from: own.clone() }]);
            runs::push_all(&mut came, back);
            done = at + lines;
        }
        runs::push_all(&mut came, [Run { lines: count - done, from: own }]);
        let line = |first: u64| first.saturating_sub(1);
        Ok(Splice { first: line(change.before.0), gone: change.before.1, at: line(change.after.0), came })
    }

    /// Lines that a change took away, as they look from another ground.
    fn gone(&self, id: &str, from: u64, lines: u64, ground: Option<i64>) -> rusqlite::Result<Option<Vec<Run>>> {
        let mut query = self.db.prepare_cached(
            "SELECT g.runs, g.ground FROM changes AS c CROSS JOIN gone AS g ON g.change = c.n WHERE c.id = ?1",
        )?;
        let found = query.query_row([id], |row| Ok((row.get::<_, Vec<u8>>(0)?, row.get::<_, Option<i64>>(1)?)));
        let Some((bytes, of)) = found.optional()? else { return Ok(None) };
        let Some(runs) = runs::from_bytes(&bytes) else { return Ok(None) };
        let mut cursor = runs::Cursor::new(&runs);
        let part = cursor.take(from).and_then(|_| cursor.take(lines));
        let moved = |run: Run| Run { from: from_ground(run.from, of, ground), ..run };
        Ok(part.map(|part| part.into_iter().map(moved).collect()))
    }

    /// Keeps a file's lines for the day when it comes back.
    fn lay_aside(&self, file: &FileRecord, history: &LineHistory) -> rusqlite::Result<()> {
        let change = file.changes.first().map(|change| number(self.db, &change.id)).transpose()?.flatten();
        let mut insert = self
            .db
            .prepare_cached("INSERT INTO aside (change, trash, digest, runs, ground) VALUES (?1, ?2, ?3, ?4, ?5)")?;
        let runs = runs::to_bytes(&history.runs);
        insert.execute(params![change, in_trash(file), history.digest.0, runs, history.ground]).map(drop)
    }

    /// What a file was that comes back: by the change that is taken back, or out of the trash.
    fn laid_aside(&self, file: &FileRecord) -> rusqlite::Result<Option<LineHistory>> {
        const COLUMNS: &str = "a.digest, a.runs, a.ground FROM";
        let mut undone = self.db.prepare_cached(&format!(
            "SELECT {COLUMNS} changes AS c CROSS JOIN aside AS a ON a.change = c.n WHERE c.id = ?1 ORDER BY a.n DESC LIMIT 1"
        ))?;
        let mut trash = self
            .db
            .prepare_cached(&format!("SELECT {COLUMNS} aside AS a WHERE a.trash = ?1 ORDER BY a.n DESC LIMIT 1"))?;
        let history = |row: &Row<'_>| {
            let runs = runs::from_bytes(&row.get::<_, Vec<u8>>(1)?).unwrap_or_default();
            Ok(LineHistory { digest: Digest(row.get(0)?), last: self.at, runs, ground: row.get(2)? })
        };
        for id in file.changes.iter().flat_map(|change| &change.undoes) {
            if let Some(found) = undone.query_row([id], history).optional()? {
                return Ok(Some(found));
            }
        }
        // Records of earlier versions do not say where it came from.
        let all = || self.commit.consumed.iter().chain(&self.commit.also_consumed);
        let ids: Vec<&String> = file.came.as_ref().map_or_else(|| all().collect(), |id| vec![id]);
        for id in ids {
            let found = trash.query_row([id], history).optional()?;
            if let Some(found) = found.filter(|found| Some(found.digest) == file.after) {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }
}

/// An origin on one ground as it is called on another.
fn from_ground(origin: Origin, of: Option<i64>, here: Option<i64>) -> Origin {
    match origin {
        Origin::Ground(first) if of != here => Origin::Older(of, first),
        Origin::Older(ground, first) if ground == here => Origin::Ground(first),
        other => other,
    }
}

/// The name in the trash of what a file displaced.
fn in_trash(file: &FileRecord) -> Option<&str> {
    use crate::records::Shelf;
    let kept = file.keep.as_ref().filter(|keep| keep.shelf == Shelf::Trash).map(|keep| keep.name.as_str());
    file.trash.as_deref().or(kept)
}

/// Changes with equal lines together; those that say nothing about lines left out.
fn groups(changes: &[ChangeRecord]) -> Vec<Vec<&ChangeRecord>> {
    type Lines = (u64, u64);
    let mut places: HashMap<(Lines, Lines), usize> = HashMap::new();
    let mut groups: Vec<Vec<&ChangeRecord>> = Vec::new();
    for change in changes.iter().filter(|change| change.before.1 > 0 || change.after.1 > 0) {
        let place = *places.entry((change.before, change.after)).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.push(change),
            None => groups.push(vec![change]),
        }
    }
    groups
}

fn number(db: &Transaction<'_>, id: &str) -> rusqlite::Result<Option<i64>> {
    db.prepare_cached("SELECT n FROM changes WHERE id = ?1")?.query_row([id], |row| row.get(0)).optional()
}

fn load(db: &Transaction<'_>, path: i64) -> rusqlite::Result<Option<LineHistory>> {
    let mut query = db.prepare_cached("SELECT digest, seq, place, runs, ground FROM lines WHERE path = ?1")?;
    query.query_row([path], history).optional()
}

/// Reads `digest, seq, place, runs, ground`.
pub(super) fn history(row: &Row<'_>) -> rusqlite::Result<LineHistory> {
    let open = || vec![Run { lines: OPEN, from: Origin::Older(None, 0) }];
    Ok(LineHistory {
        digest: Digest(row.get(0)?),
        last: Touch { seq: whole(row, 1)?, place: whole(row, 2)? },
        runs: runs::from_bytes(&row.get::<_, Vec<u8>>(3)?).unwrap_or_else(open),
        ground: row.get(4)?,
    })
}
