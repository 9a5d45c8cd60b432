//! How a call was read that does not say what its tool's parameters say: told to the caller, and to nobody else.

/// One way in which a call was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// An argument under another name.
    Name {
        /// The name that was given.
        given: &'static str,
        /// The argument.
        name: &'static str,
    },
    /// The same, under a name that will go away.
    Deprecated {
        /// The name that was given.
        given: &'static str,
        /// The argument.
        name: &'static str,
    },
    /// Under this name, how many lines are wanted.
    LineCount {
        /// The name that was given.
        given: &'static str,
    },
    /// The single element of this list, its fields written beside the other arguments.
    Flat(&'static str),
    /// `null` for this argument, as left out.
    Null(String),
    /// A text for this argument, as the JSON of an array.
    JsonText(String),
    /// One string for this argument, as a list of one.
    OneString(String),
    /// A text for this argument, as a number or as true or false.
    Spelt(String),
}

impl Reading {
    /// Is it of the same shape? Whoever was told of one need not be told of the other.
    pub fn is_like(&self, other: &Reading) -> bool {
        match (self, other) {
            (Reading::Name { .. } | Reading::Deprecated { .. }, _) => self == other,
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }
}

/// What a session has been told of how its calls were read: each shape once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told(Vec<Reading>);

impl Told {
    /// Those of which it has not been told; now it is.
    pub fn news(&mut self, readings: &[Reading]) -> Vec<Reading> {
        let is_news = |reading: &&Reading| !self.0.iter().any(|told| told.is_like(reading));
        let news: Vec<Reading> = readings.iter().filter(is_news).cloned().collect();
        self.0.extend(news.iter().cloned());
        news
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_shape_is_news_once() {
        let name = |given| Reading::Name { given, name: "path" };
        let null = |name: &str| Reading::Null(name.to_owned());
        let mut told = Told::default();
        assert_eq!(told.news(&[name("a"), null("x")]), [name("a"), null("x")]);
        assert_eq!(told.news(&[null("y"), name("b"), name("a")]), [name("b")]);
        assert_eq!(told.news(&[]), []);
    }
}
