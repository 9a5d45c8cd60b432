//! Letting old pre-images go, and the trash where somebody chose so. Nothing younger than the setting goes, nor what an
//! open proposal needs, and what goes is on record first.

use crate::disk::{Disk, Halt};
use crate::index::{Index, Trouble};
use crate::keep::{self, Shelves};
use crate::log::{Firm, Log, Unwritten};
use crate::records::{Keep, Record, Retired, Shelf};
use patchwright_core::policy::{Retention, TrashRetention};

const DAY_NS: i64 = 86_400 * 1_000_000_000;

/// What goes, and how.
pub struct Terms<'a> {
    /// How old and how much.
    pub settings: &'a Retention,
    /// The time, in nanoseconds since 1970 UTC.
    pub now_ns: i64,
    /// Whether the record of it is made durable.
    pub firm: Firm,
}

/// Lets pre-images, and trash entries if the settings say so, beyond the age and over the quota go, oldest first.
pub fn run<D: Disk>(
    disk: &D,
    log: &mut Log<D>,
    index: &mut Index,
    terms: &Terms<'_>,
) -> Result<Option<Retired>, Trouble> {
    let retired = choose(index, terms.settings, terms.now_ns)?;
    if retired.blobs.is_empty() && retired.trash.is_empty() {
        return Ok(None);
    }
    match log.append(disk, &Record::Retired(retired.clone()), terms.firm) {
        Ok(_) => {}
        Err(Unwritten::Not(halt) | Unwritten::Unknown(halt)) => return Err(Trouble::Log(halt)),
    }
    discard(&Shelves::new(disk), &retired).map_err(Trouble::Log)?;
    index.catch_up(disk, log)?;
    Ok(Some(retired))
}

/// Removes what a record says has gone; harmless to repeat.
pub fn discard<D: Disk>(shelves: &Shelves<'_, D>, retired: &Retired) -> Result<(), Halt> {
    let drop_all = |shelf: Shelf, names: &[String]| {
        names.iter().try_for_each(|name| keep::discard(shelves, &Keep { shelf, name: name.clone() }))
    };
    drop_all(Shelf::Blobs, &retired.blobs)?;
    drop_all(Shelf::Trash, &retired.trash)
}

/// One kept thing: when, how large, where.
type Kept = (i64, u64, Shelf, String);

fn choose(index: &Index, settings: &Retention, now_ns: i64) -> Result<Retired, Trouble> {
    let mut retired = Retired { time_ns: now_ns, blobs: Vec::new(), trash: Vec::new(), bytes: 0 };
    if index.kept_bytes()? <= settings.max_bytes {
        return Ok(retired);
    }
    let blobs = index.blobs()?.into_iter().map(|blob| (blob.time_ns, blob.size, Shelf::Blobs, blob.name));
    let trash = match settings.trash {
        TrashRetention::UntilPurged => Vec::new(),
        TrashRetention::LikePreImages => index.trash()?,
    };
    // A folder goes with everything that is in it, or stays with it.
    let trash = trash.into_iter().map(|entry| (entry.top_ns, entry.entry.size, Shelf::Trash, entry.entry.id));
    let mut kept: Vec<Kept> = blobs.chain(trash).collect();
    let mut total = kept.iter().fold(0_u64, |sum, (_, size, ..)| sum.saturating_add(*size));
    kept.sort_by_key(|(time, ..)| *time);
    let youngest = now_ns.saturating_sub(i64::from(settings.keep_days).saturating_mul(DAY_NS));
    let needed = index.needed()?;
    for (time, size, shelf, name) in kept.into_iter().filter(|(.., name)| !needed.contains(name)) {
        if total <= settings.max_bytes || time >= youngest {
            break;
        }
        total = total.saturating_sub(size);
        retired.bytes = retired.bytes.saturating_add(size);
        match shelf {
            Shelf::Blobs => retired.blobs.push(name),
            Shelf::Trash => {
                retired.trash.extend(index.trash_inside(&name)?.into_iter().map(|inside| inside.entry.id));
                retired.trash.push(name);
            }
        }
    }
    Ok(retired)
}
