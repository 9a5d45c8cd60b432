//! Where in a JSON document one is, kept on the stack and spelt only when something is wrong there.

/// A place and the places it lies in.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    up: Option<&'a Place<'a>>,
    step: Step<'a>,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Root,
    Key(&'a str),
    Index(usize),
}

impl<'a> Place<'a> {
    pub(super) const ROOT: Place<'static> = Place { up: None, step: Step::Root };

    pub(super) fn key(&'a self, key: &'a str) -> Place<'a> {
        Place { up: Some(self), step: Step::Key(key) }
    }

    pub(super) fn index(&'a self, index: usize) -> Place<'a> {
        Place { up: Some(self), step: Step::Index(index) }
    }

    /// Is it a field of the document itself?
    pub(super) fn is_top(&self) -> bool {
        self.up.is_some_and(|up| up.up.is_none())
    }

    /// As in `edits[0].oldText`; empty for the document as a whole.
    pub(super) fn spell(&self) -> String {
        let mut steps = Vec::new();
        let mut at = Some(self);
        while let Some(place) = at {
            steps.push(place.step);
            at = place.up;
        }
        steps.iter().rev().fold(String::new(), |path, step| joined(path, *step))
    }
}

fn joined(path: String, step: Step<'_>) -> String {
    match step {
        Step::Root => path,
        Step::Index(index) => format!("{path}[{index}]"),
        Step::Key(key) if !is_plain(key) => format!("{path}[{}]", super::short::short_text(key)),
        Step::Key(key) if path.is_empty() => key.to_owned(),
        Step::Key(key) => format!("{path}.{key}"),
    }
}

fn is_plain(key: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    !key.is_empty() && key.len() <= 60 && key.bytes().all(plain)
}
