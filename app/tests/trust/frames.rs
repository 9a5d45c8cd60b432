//! Logs made by hand: frames as 0.1 wrote them, frames as they are now, and the records that an attacker would put
//! into them. With the test's own key a frame can be made that counts; without it, one that must not.
//!
//! ```text
//! 0.1: u32 payload length │ u32 crc32 │ u64 sequence │ 32 bytes previous hash │ payload │ u32 payload length │ 0xA5
//! now: u32 payload length │ u32 crc32 │ u64 sequence │ u64 highest batch │ 32 bytes previous hash │ payload │ 32 bytes tag
//! ```

use crate::place::Place;
use patchwright_core::digest::Digest;
use serde_json::{Value, json};
use std::fs;

/// Bytes before the first frame.
pub(crate) const TOP: usize = 32;
const HEAD: usize = 4 + 4 + 8 + 8 + 32;
const TAG: usize = 32;

/// What a log begins with.
pub(crate) fn top() -> Vec<u8> {
    [&b"patchwright log\n"[..], &2_u32.to_le_bytes(), &[0; 12]].concat()
}

/// A record as it lies in a log of today.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) at: usize,
    pub(crate) end: usize,
    pub(crate) sequence: u64,
    pub(crate) highest: u64,
    pub(crate) previous: [u8; 32],
    pub(crate) payload: Vec<u8>,
}

impl Frame {
    /// The record's hash.
    pub(crate) fn hash(&self) -> [u8; 32] {
        hash(self.sequence, self.highest, self.previous, &self.payload)
    }

    /// Does the payload hold this text?
    pub(crate) fn holds(&self, text: &str) -> bool {
        self.payload.windows(text.len()).any(|part| part == text.as_bytes())
    }
}

/// The frames of a log, taken by their lengths.
pub(crate) fn frames(log: &[u8]) -> Vec<Frame> {
    assert_eq!(log.get(..TOP), Some(&top()[..]), "the log begins with its name and version");
    let word = |at: usize| u64::from_le_bytes(log[at..at + 8].try_into().unwrap());
    let (mut at, mut found) = (TOP, Vec::new());
    while let Some(bytes) = log.get(at..at + 4) {
        let length = u32::from_le_bytes(bytes.try_into().unwrap()) as usize;
        if length == 0 {
            break;
        }
        let (begin, end) = (at + HEAD, at + HEAD + length);
        found.push(Frame {
            at,
            end: end + TAG,
            sequence: word(at + 8),
            highest: word(at + 16),
            previous: log[at + 24..begin].try_into().unwrap(),
            payload: log[begin..end].to_vec(),
        });
        at = end + TAG;
    }
    found
}

fn hash(sequence: u64, highest: u64, previous: [u8; 32], payload: &[u8]) -> [u8; 32] {
    Digest::of(&[&sequence.to_le_bytes()[..], &highest.to_le_bytes(), &previous, payload].concat()).0
}

/// What makes a frame count: the key, and the id of the record it belongs to.
pub(crate) struct Seal {
    pub(crate) key: Vec<u8>,
    pub(crate) id: String,
}

impl Seal {
    /// That of the only record in a place.
    pub(crate) fn of(place: &Place) -> Seal {
        let ring = place.ring();
        let key = fs::read(ring.join("key")).unwrap();
        assert_eq!(key.len(), 32, "a key");
        Seal { key, id: ring.file_name().unwrap().to_str().unwrap().to_owned() }
    }

    /// An attacker's.
    pub(crate) fn wrong(id: &str) -> Seal {
        Seal { key: vec![7; 32], id: id.to_owned() }
    }

    /// HMAC-SHA256 over id, offset and hash.
    fn tag(&self, at: usize, hash: [u8; 32]) -> [u8; 32] {
        let pad = |with: u8| -> Vec<u8> { (0..64).map(|n| self.key.get(n).unwrap_or(&0) ^ with).collect() };
        let text = [self.id.as_bytes(), &(at as u64).to_le_bytes(), &hash].concat();
        let inner = Digest::of(&[&pad(0x36)[..], &text].concat());
        Digest::of(&[&pad(0x5c)[..], &inner.0].concat()).0
    }

    /// A frame that stands at `at`.
    pub(crate) fn frame(
        &self,
        at: usize,
        (sequence, highest): (u64, u64),
        previous: [u8; 32],
        payload: &[u8],
    ) -> Vec<u8> {
        let tag = self.tag(at, hash(sequence, highest, previous, payload));
        let rest = [&sequence.to_le_bytes()[..], &highest.to_le_bytes(), &previous, payload, &tag].concat();
        let length = u32::try_from(payload.len()).unwrap().to_le_bytes();
        [&length[..], &crc32(&rest).to_le_bytes(), &rest].concat()
    }

    /// A log with one more record than the first `keep` of this one; as long as before, zeros at the end.
    pub(crate) fn with(&self, log: &[u8], keep: usize, payload: &[u8]) -> Vec<u8> {
        let all = frames(log);
        let last = keep.checked_sub(1).map(|last| &all[last]);
        let end = last.map_or(TOP, |last| last.end);
        let (sequence, highest) = last.map_or((0, 0), |last| (last.sequence, last.highest));
        let previous = last.map_or([0; 32], Frame::hash);
        // A record that names a batch for the first time takes the next number.
        let names = [&b"Commit"[..], b"Purge", b"Proposal"]
            .iter()
            .any(|name| payload.get(10..).is_some_and(|rest| rest.starts_with(name)));
        let highest = highest + u64::from(names);
        let mut made = log[..end].to_vec();
        made.extend(self.frame(end, (sequence + 1, highest), previous, payload));
        made.resize(made.len().max(log.len()), 0);
        made
    }
}

/// A log of 0.1 with these records.
pub(crate) fn old_log(payloads: &[Vec<u8>]) -> Vec<u8> {
    let (mut log, mut previous) = (Vec::new(), [0; 32]);
    for (payload, sequence) in payloads.iter().zip(1_u64..) {
        let body = [&sequence.to_le_bytes()[..], &previous, payload].concat();
        previous = Digest::of(&body).0;
        let length = u32::try_from(payload.len()).unwrap().to_le_bytes();
        log.extend([&length[..], &crc32(&body).to_le_bytes(), &body, &length, &[0xA5]].concat());
    }
    log
}

/// A log of today with these records, under any seal.
pub(crate) fn new_log(seal: &Seal, payloads: &[Vec<u8>]) -> Vec<u8> {
    payloads.iter().enumerate().fold(top(), |log, (keep, payload)| seal.with(&log, keep, payload))
}

pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc: u32, byte| (0..8).fold(crc ^ u32::from(*byte), step))
}

/// JSON as the message pack that records are kept in; `{"sha256": hex}` is a hash.
pub(crate) fn pack(value: &Value) -> Vec<u8> {
    let long = |mark: u8, length: usize| [&[mark][..], &u32::try_from(length).unwrap().to_be_bytes()].concat();
    match value {
        Value::Null => vec![0xc0],
        Value::Bool(is) => vec![if *is { 0xc3 } else { 0xc2 }],
        Value::Number(number) => [&[0xcf][..], &number.as_u64().unwrap().to_be_bytes()].concat(),
        Value::String(text) => [long(0xdb, text.len()), text.clone().into_bytes()].concat(),
        Value::Array(items) => [long(0xdd, items.len()), items.iter().flat_map(pack).collect()].concat(),
        Value::Object(fields) => match fields.get("sha256").and_then(Value::as_str).and_then(Digest::parse) {
            Some(digest) => [&[0xc4, 32][..], &digest.0].concat(),
            None => {
                let field = |(name, value): (&String, &Value)| [pack(&json!(name)), pack(value)].concat();
                [long(0xdf, fields.len()), fields.iter().flat_map(field).collect()].concat()
            }
        },
    }
}

/// Bytes as the hash that a record names.
pub(crate) fn sha(bytes: &[u8]) -> Value {
    json!({ "sha256": Digest::of(bytes).to_string() })
}

fn caller(tool: &str) -> Value {
    json!({ "time_ns": 1_700_000_000_000_000_000_u64, "session": "s", "client": "c", "tool": tool, "unchecked": false })
}

/// The id of every batch that is made by hand here.
pub(crate) const BATCH: &str = "01a1dd75-3a5a-75ad-9aa4-7d69a23fbecc";

/// An unfinished call that had deleted `path`, whose bytes are in the trash as `id`: taking it back puts them there.
pub(crate) fn deletion(path: &str, id: &str, bytes: &[u8]) -> Vec<u8> {
    let work = json!({
        "deed": "Remove", "path": path, "to": null, "temp_folder": "", "temp": "x.0123456789abcdef.apply-patch.tmp",
        "keep": { "shelf": "Trash", "name": id }, "before": sha(bytes), "after": null
    });
    pack(&json!({ "Intent": {
        "batch": BATCH, "caller": caller("delete_file"), "folders": [], "works": [work], "gone": []
    }}))
}

/// An unfinished call that had made `path` with these bytes: taking it back removes it.
pub(crate) fn creation(path: &str, bytes: &[u8]) -> Vec<u8> {
    let work = json!({
        "deed": "Create", "path": path, "to": null, "temp_folder": "", "temp": "x.0123456789abcdef.apply-patch.tmp",
        "keep": null, "before": null, "after": sha(bytes)
    });
    pack(&json!({ "Intent": {
        "batch": BATCH, "caller": caller("create_file"), "folders": [], "works": [work], "gone": []
    }}))
}

/// Trash entries that went for good: the tail work removes them.
pub(crate) fn purge(id: &str) -> Vec<u8> {
    pack(&json!({ "Purge": { "batch": BATCH, "caller": caller("purge_trash"), "ids": [id], "files": [], "bytes": 1 } }))
}

/// Kept files that went because of their age: the tail work removes them.
pub(crate) fn retired(trash: &str, blob: &str) -> Vec<u8> {
    let time = 1_700_000_000_000_000_000_u64;
    pack(&json!({ "Retired": { "time_ns": time, "blobs": [blob], "trash": [trash], "bytes": 1 } }))
}

/// A restore that used a trash entry up: the tail work removes it.
pub(crate) fn restored(id: &str) -> Vec<u8> {
    pack(&json!({ "Commit": commit("restore_file", json!([]), Some(id)) }))
}

/// A file that went to the trash as `id`, all done.
pub(crate) fn deleted(path: &str, id: &str, bytes: &[u8]) -> Vec<u8> {
    let file = json!({
        "id": "01a1dd75-3a5a-75ad-9aa4-000000000002", "operation": "delete", "path": path, "before": sha(bytes),
        "size": bytes.len(), "mode": 0o755, "keep": { "shelf": "Trash", "name": id }, "trash": id, "diff": ""
    });
    let mut done = commit("delete_file", json!([file]), None);
    done["batch"] = json!("01a1dd75-3a5a-75ad-9aa4-000000000003");
    pack(&json!({ "Commit": done }))
}

/// A stored proposal whose diff says one thing and whose bytes are another.
pub(crate) fn proposal(path: &str, bytes: &[u8]) -> Vec<u8> {
    let file = json!({
        "id": "01a1dd75-3a5a-75ad-9aa4-000000000001", "operation": "create", "path": path, "after": sha(bytes),
        "size": bytes.len(), "mode": 0o755, "diff": "--- /dev/null\n+++ b/harmless.txt\n@@ -0,0 +1 @@\n+harmless\n"
    });
    pack(&json!({ "Proposal": { "commit": commit("create_file", json!([file]), None), "asides": [false] } }))
}

/// A refused call: nothing is left to do after it.
pub(crate) fn note() -> Vec<u8> {
    let end = json!({ "Refused": "not_found" });
    pack(&json!({ "Note": { "caller": caller("delete_file"), "end": end, "operation": "delete" } }))
}

fn commit(tool: &str, files: Value, consumed: Option<&str>) -> Value {
    json!({ "batch": BATCH, "caller": caller(tool), "files": files, "verified": true, "consumed": consumed })
}

#[test]
fn what_is_made_by_hand_is_what_it_should_be() {
    // Tag and checksum as another program reckoned them.
    let log = new_log(&Seal::wrong("0123456789abcdef0123456789abcdef"), &[vec![0xc0], note(), purge("x")]);
    let tag = Digest::parse("9ce3fbfd28c05f9f0363d329e98e692afa8540766d65a561da8d1ac41fc0e7da").unwrap();
    assert_eq!(log[TOP + 4..TOP + 8], 355239016_u32.to_le_bytes());
    assert_eq!(log[TOP + HEAD + 1..TOP + HEAD + 1 + TAG], tag.0);
    let all = frames(&log);
    let payloads: Vec<Vec<u8>> = all.iter().map(|frame| frame.payload.clone()).collect();
    assert_eq!(payloads, [vec![0xc0], note(), purge("x")]);
    assert_eq!(all.iter().map(|frame| (frame.sequence, frame.highest)).collect::<Vec<_>>(), [(1, 0), (2, 0), (3, 1)]);
    assert_eq!((all[1].previous, all[2].previous), (all[0].hash(), all[1].hash()));
}

#[test]
fn a_frame_of_the_log_can_be_made_by_hand() {
    // Forged frames are only worth something if they are right in everything but the tag.
    let place = Place::new();
    for name in ["one.txt", "two.txt"] {
        place.make(name);
    }
    let log = fs::read(place.record().join("log")).unwrap();
    let seal = Seal::of(&place);
    let all = frames(&log);
    assert!(all.len() >= 4, "two calls, an intent and a commit each: {}", all.len());
    let mut previous = [0; 32];
    for (frame, sequence) in all.iter().zip(1..) {
        assert_eq!((frame.sequence, frame.previous), (sequence, previous));
        let made = seal.frame(frame.at, (sequence, frame.highest), previous, &frame.payload);
        assert_eq!(made, log[frame.at..frame.end], "record {sequence}");
        previous = frame.hash();
    }
    assert!(log[all.last().unwrap().end..].iter().all(|byte| *byte == 0), "unused space is zeros");
    assert_eq!(all.last().unwrap().highest, 2, "two batches");
}
