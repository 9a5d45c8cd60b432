//! Values that are very large or very deep, and very many records: each must cost little where nobody asks for it.

use super::ground::Ground;
use super::plan::{Dress, Huge};
use super::plant::{self, Planted, ship, unlink};
use patchwright_testkit::forge::{BATCH, Seal, caller, deletion, new_log, pack, sha};
use serde_json::{Value, json};
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::sync::OnceLock;

const WORKS: usize = 200_000;
const DEPTH: usize = 100_000;
const BRACES: usize = 300_000;
const TEBIBYTE: u64 = 1 << 40;
const ID: &str = "0123456789abcdef0123456789abcdee";

/// Puts it there.
pub(super) fn plant(ground: &Ground, what: Huge, planted: &mut Planted) -> io::Result<()> {
    let place = ground.root.join(".patchwright");
    let seal = Seal::wrong(ID);
    match what {
        Huge::Works => ship(&place.join(ID), &new_log(&seal, &[works().to_vec()])),
        Huge::Deep => ship(&place.join(ID), &new_log(&seal, &[deep("Intent"), deep("Later")])),
        Huge::Sparse => {
            ship(&place.join(ID), &new_log(&seal, &[deletion("d/planted", ID, b"x")]))?;
            File::options().write(true).open(place.join(ID).join("log"))?.set_len(TEBIBYTE)
        }
        Huge::Siblings(count) => siblings(&place, count),
        Huge::Braces => {
            // Settings that cannot be read stop everybody who would work under them.
            planted.may_refuse = true;
            let glob = "{a,".repeat(BRACES);
            fs::write(ground.root.join("patchwright.toml"), format!("[read]\ndeny = [\"{glob}\"]\n"))
        }
        Huge::OwnWorks | Huge::OwnSparse if !ground.is_used() => Ok(()),
        Huge::OwnWorks => {
            planted.own = true;
            plant::tail(ground, Dress::Wrong, works())
        }
        Huge::OwnSparse => {
            planted.own = true;
            let log = ground.record().join("log");
            if fs::symlink_metadata(&log).is_ok_and(|meta| meta.is_file()) {
                File::options().write(true).open(&log)?.set_len(TEBIBYTE)?;
            }
            Ok(())
        }
    }
}

/// An intent of very many steps. Made once: it takes a while.
fn works() -> &'static [u8] {
    static MADE: OnceLock<Vec<u8>> = OnceLock::new();
    MADE.get_or_init(|| {
        let work = json!({
            "deed": "Create", "path": "b.txt", "to": null, "temp_folder": "", "temp": "x.0123456789abcdef.apply-patch.tmp",
            "keep": null, "before": null, "after": sha(b"inside\n")
        });
        let fields = |works: Value| {
            pack(&json!({ "Intent": {
                "batch": BATCH, "caller": caller("create_file"), "folders": [], "gone": [], "works": works
            }}))
        };
        // The list comes last; so an empty one can be cut off, and a long one put there.
        let mut bytes = fields(json!([]));
        bytes.truncate(bytes.len().saturating_sub(4));
        bytes.extend(u32::try_from(WORKS).unwrap_or_default().to_be_bytes());
        bytes.extend(pack(&work).repeat(WORKS));
        bytes
    })
}

/// A record of this kind with values in values.
fn deep(kind: &str) -> Vec<u8> {
    let mut bytes = pack(&json!({ kind: null }));
    bytes.pop();
    bytes.extend(vec![0x91; DEPTH]);
    bytes.push(0xc0);
    bytes
}

fn siblings(place: &Path, count: usize) -> io::Result<()> {
    let log = new_log(&Seal::wrong(ID), &[deletion("d/planted", ID, b"x")]);
    if place.is_symlink() {
        return Ok(());
    }
    for number in 0..count {
        let record = place.join(format!("{number:032x}"));
        fs::create_dir_all(&record)?;
        unlink(&record.join("log"))?;
        fs::write(record.join("log"), &log)?;
    }
    Ok(())
}
