//! Batches by sets of paths: of a folder, or of whatever a caller picks out, under the names too that files had before they
//! were moved there.

use super::history::{COLUMNS, batch_row};
use super::{BatchFilter, BatchRow, Index, Names, Trouble, whole};
use rusqlite::{Row, params_from_iter};
use std::collections::HashMap;

/// A path that was ever touched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownPath {
    /// Its number in the index.
    pub number: i64,
    /// The path.
    pub path: String,
}

/// By new name: the records that moved something there, oldest first, with its old name.
type Moves = HashMap<i64, Vec<(u64, i64)>>;

impl Index {
    /// A path and everything below it, as far as it was ever touched; everything for an empty path.
    pub fn known_below(&self, path: &str) -> Result<Vec<KnownPath>, Trouble> {
        // In the order of bytes `0` comes right after `/`.
        let mut query = self.db.prepare_cached(
            "SELECT n, path FROM paths WHERE ?1 = '' OR path = ?1 OR (path > ?1 || '/' AND path < ?1 || '0') ORDER BY path",
        )?;
        let rows = query.query_map([path], |row| Ok(KnownPath { number: row.get(0)?, path: row.get(1)? }))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The names of the files that have, or had, one of some names: those, and the ones that the files had before they
    /// were moved there, as far as somebody may see them.
    pub fn names_of(&self, paths: &[i64], may_see: &dyn Fn(&str) -> bool) -> Result<Names, Trouble> {
        let moves = self.moves()?;
        let mut names = Names::default();
        let mut open: Vec<(i64, u64)> = Vec::new();
        for path in paths {
            names.add(*path, 0, u64::MAX);
            open.extend(moves.get(path).into_iter().flatten().map(|(seq, old)| (*old, *seq)));
        }
        while let Some((path, until)) = open.pop() {
            if !self.path_numbered(path)?.is_some_and(|path| may_see(&path)) {
                continue;
            }
            // Before it was moved to this name, another file may have had it.
            let came = moves.get(&path).into_iter().flatten().rfind(|(seq, _)| *seq < until);
            if names.add(path, came.map_or(0, |(seq, _)| *seq), until) {
                open.extend(came.map(|(seq, old)| (*old, *seq)));
            }
        }
        Ok(names)
    }

    fn moves(&self) -> Result<Moves, Trouble> {
        let mut query = self.db.prepare_cached("SELECT path, seq, old FROM moves ORDER BY path, seq")?;
        let mut moves = Moves::new();
        for row in query.query_map([], |row| Ok((row.get(0)?, whole(row, 1)?, row.get(2)?)))? {
            let (path, seq, old): (i64, u64, i64) = row?;
            moves.entry(path).or_default().push((seq, old));
        }
        Ok(moves)
    }

    fn path_numbered(&self, number: i64) -> Result<Option<String>, Trouble> {
        use rusqlite::OptionalExtension;
        let mut query = self.db.prepare_cached("SELECT path FROM paths WHERE n = ?1")?;
        Ok(query.query_row([number], |row| row.get(0)).optional()?)
    }

    /// Batches that touch any of some names, newest first, at most so many.
    pub(super) fn batches_among(
        &self,
        names: &Names,
        wanted: &BatchFilter,
        limit: usize,
    ) -> Result<Vec<BatchRow>, Trouble> {
        let Some(search) = self.search(None, wanted)? else { return Ok(Vec::new()) };
        let conditions = search.conditions.join(" AND ");
        let mut query = self.db.prepare_cached(&format!(
            "SELECT {COLUMNS}, r.path FROM batches AS b CROSS JOIN reached AS r ON r.batch = b.n
             WHERE {conditions} ORDER BY b.seq DESC"
        ))?;
        let mut found: Vec<BatchRow> = Vec::new();
        for row in query.query_map(params_from_iter(search.values), touching)? {
            let (batch, path) = row?;
            if !names.has(path, batch.seq) || found.last().is_some_and(|last| last.id == batch.id) {
                continue;
            }
            if found.len() == limit {
                break;
            }
            found.push(batch);
        }
        Ok(found)
    }
}

fn touching(row: &Row<'_>) -> rusqlite::Result<(BatchRow, i64)> {
    Ok((batch_row(row)?, row.get(8)?))
}
