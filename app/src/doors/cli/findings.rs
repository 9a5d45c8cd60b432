//! CLI door: what a check of the record found, in a sentence each.

use patchwright_engine::Finding;

/// A finding in words.
pub(super) fn sentence(finding: &Finding) -> String {
    match finding {
        Finding::Damaged { sequence, what: "rest" } => {
            format!("what stands behind record {sequence} cannot be read, because nothing says where it begins")
        }
        Finding::Damaged { sequence, what } => format!("record {sequence} is damaged: its {what} does not fit"),
        Finding::HeadMissing => "the head asked for is not in the record: entries at its end were cut off".to_owned(),
        Finding::PutBack { known } => format!(
            "the record does not hold entry {known}, the last one known: an older copy was put in its place, or its end was cut off; `patchwright adopt` accepts it as it is"
        ),
        Finding::Gone => {
            "there was a record, and it is gone; `patchwright adopt` accepts that, and the next change begins it anew".to_owned()
        }
        Finding::Unmarked => {
            "nothing says how far the record had come, so a cut-off end would not show; `patchwright adopt` accepts it as it is".to_owned()
        }
        Finding::Resumed { sequence } => format!(
            "before entry {sequence} the record had been put back or cut off; `patchwright adopt` notes that somebody has looked at it"
        ),
        Finding::TornTail { bytes } => {
            format!("the last {bytes} bytes are a write that was cut short and never counted")
        }
    }
}
