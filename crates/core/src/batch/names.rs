//! What batches and changes are called: an id that nothing else has, and the short name that people and models use.

use std::fmt;

/// A batch by its id and its number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct BatchName {
    /// Its id.
    pub id: String,
    /// Its number; 0 where it has none, or it is not known.
    pub number: u64,
}

/// A change by its id, the number of its batch and its place there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ChangeName {
    /// Its id.
    pub id: String,
    /// The number of its batch; 0 where that has none, or it is not known.
    pub batch: u64,
    /// Its place over all files, from 1, in the record that first named the batch.
    pub place: u64,
}

impl BatchName {
    /// A batch of this number.
    pub fn new(id: impl Into<String>, number: u64) -> BatchName {
        BatchName { id: id.into(), number }
    }
}

impl ChangeName {
    /// Is there a short name?
    pub fn is_short(&self) -> bool {
        self.batch > 0 && self.place > 0
    }
}

impl From<String> for BatchName {
    fn from(id: String) -> BatchName {
        BatchName { id, number: 0 }
    }
}

impl From<&str> for BatchName {
    fn from(id: &str) -> BatchName {
        id.to_owned().into()
    }
}

impl From<&str> for ChangeName {
    fn from(id: &str) -> ChangeName {
        id.to_owned().into()
    }
}

impl From<String> for ChangeName {
    fn from(id: String) -> ChangeName {
        ChangeName { id, batch: 0, place: 0 }
    }
}

/// `b17`; the first digits of the id where there is no number.
impl fmt::Display for BatchName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.number {
            0 => out.write_str(beginning(&self.id)),
            number => write!(out, "b{number}"),
        }
    }
}

/// `b17.3`; the first digits of the id where there is no number.
impl fmt::Display for ChangeName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.is_short() {
            false => out.write_str(beginning(&self.id)),
            true => write!(out, "b{}.{}", self.batch, self.place),
        }
    }
}

/// As much of an id as has to be given at least.
fn beginning(id: &str) -> &str {
    id.get(..8).unwrap_or(id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::IdForm;

    #[test]
    fn short_names_read_as_what_they_name() {
        let id = "019a0000-0000-7000-8000-000000000001";
        for (number, place) in [(1, 1), (17, 3), (u64::MAX, u64::MAX)] {
            let batch = BatchName::new(id, number);
            let change = ChangeName { id: id.to_owned(), batch: number, place };
            assert_eq!(IdForm::parse(&batch.to_string()), Some(IdForm::Batch(number)));
            assert_eq!(IdForm::parse(&change.to_string()), Some(IdForm::Change(number, place)));
        }
        let start = Some(IdForm::Start("019a0000".to_owned()));
        assert_eq!(IdForm::parse(&BatchName::from(id.to_owned()).to_string()), start);
        assert_eq!(IdForm::parse(&ChangeName::from(id.to_owned()).to_string()), start);
    }
}
