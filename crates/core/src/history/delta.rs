//! What turned one version's bytes into the next: few enough to stand in the record, and exact.

use crate::text::Splice;
use crate::text::splice::Pieces;
use serde::{Deserialize, Serialize};

/// What became of some bytes. With the bytes before it gives those after.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delta(pub Vec<Cut>);

/// Bytes that went, and what came in their place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cut {
    /// Where, in the bytes before.
    #[serde(rename = "at")]
    pub at: u64,
    /// How many went.
    #[serde(rename = "gone")]
    pub gone: u64,
    /// What came.
    #[serde(rename = "new", with = "crate::as_bytes")]
    pub new: Vec<u8>,
}

impl Delta {
    /// How many bytes it brings at most; more are not kept in the record.
    pub const LIMIT: usize = 1 << 20;

    /// What turns these bytes into those; nothing if it would bring more than [`Delta::LIMIT`].
    pub fn of(before: &[u8], after: &Pieces) -> Option<Delta> {
        let Some((mark, edit)) = after.edit_of(before) else {
            return between(before, &after.whole()).map(|cut| Delta(vec![cut]));
        };
        let size: usize = edit.as_slice().iter().map(|splice| splice.text.len()).sum();
        let cut = |splice: &Splice| Cut {
            at: (mark + splice.range.start) as u64,
            gone: splice.range.len() as u64,
            new: splice.text.clone(),
        };
        (size <= Delta::LIMIT).then(|| Delta(edit.as_slice().iter().map(cut).collect()))
    }

    /// The bytes after; nothing if these are not the bytes before.
    pub fn apply(&self, before: &[u8]) -> Option<Vec<u8>> {
        let (mut after, mut done) = (Vec::with_capacity(before.len()), 0);
        for cut in &self.0 {
            let at = usize::try_from(cut.at).ok()?;
            after.extend_from_slice(before.get(done..at)?);
            after.extend_from_slice(&cut.new);
            done = at.checked_add(usize::try_from(cut.gone).ok()?)?;
        }
        after.extend_from_slice(before.get(done..)?);
        Some(after)
    }
}

/// One cut between what is equal at both ends; nothing if it would bring too much, and then without a copy of it.
fn between(before: &[u8], after: &[u8]) -> Option<Cut> {
    let head = before.iter().zip(after).take_while(|(one, two)| one == two).count();
    let (old, new) = (before.get(head..).unwrap_or_default(), after.get(head..).unwrap_or_default());
    let foot = old.iter().rev().zip(new.iter().rev()).take_while(|(one, two)| one == two).count();
    let new = new.get(..new.len() - foot).unwrap_or_default();
    (new.len() <= Delta::LIMIT).then(|| Cut { at: head as u64, gone: (old.len() - foot) as u64, new: new.to_vec() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_between_leads_from_one_to_the_other(before in "[ab\n]{0,12}", after in "[ab\n]{0,12}") {
            let delta = Delta::of(before.as_bytes(), &after.clone().into_bytes().into()).unwrap();
            prop_assert_eq!(delta.apply(before.as_bytes()), Some(after.into_bytes()));
        }
    }

    #[test]
    fn too_much_is_left_to_the_kept_versions() {
        for (size, kept) in [(Delta::LIMIT, true), (Delta::LIMIT + 1, false)] {
            let pieces = Pieces::from(vec![b'x'; size]);
            assert_eq!(Delta::of(&[], &pieces).is_some(), kept, "{size}");
        }
    }

    #[test]
    fn other_bytes_have_no_after() {
        let delta = Delta(vec![Cut { at: 3, gone: 2, new: b"x".to_vec() }]);
        assert_eq!(delta.apply(b"abc"), None);
        assert_eq!(delta.apply(b"abcde").as_deref(), Some(&b"abcx"[..]));
    }
}
