//! How a person looks at what is printed: on how wide a terminal, in which colours, from which folder, at what time.

use super::super::for_terminal;
use super::super::terminal::one_line;
use jiff::tz::TimeZone;

/// What a screen is like.
#[derive(Clone, Debug)]
pub struct View {
    /// How many cells a line of the terminal has; nothing in a pipe, where nothing is cut.
    pub columns: Option<usize>,
    /// In colours?
    pub colour: Colour,
    /// The present, in nanoseconds since 1970 UTC.
    pub now_ns: i64,
    /// Where local times are told.
    pub zone: TimeZone,
    /// The folder, told from the root, from which paths are printed; empty for the root itself.
    pub here: String,
    /// Are ids shown beside short names?
    pub ids: Ids,
}

/// Whether colours are used. They only add to a word or a sign.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colour {
    /// Yes.
    Yes,
    /// No.
    #[default]
    No,
}

/// Whether ids are shown beside short names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ids {
    /// Short names alone.
    #[default]
    Hidden,
    /// Both.
    Shown,
}

/// What a piece of text is, and so in which colour it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The name of a batch, a change or a path.
    Name,
    /// Lines that come; what is well.
    Good,
    /// Lines that go; what is damaged.
    Bad,
    /// What waits for somebody, or needs a look.
    Waiting,
    /// What was taken back, and hints.
    Faint,
    /// What stands out.
    Strong,
}

impl Default for View {
    fn default() -> View {
        View {
            columns: None,
            colour: Colour::No,
            now_ns: 0,
            zone: TimeZone::UTC,
            here: String::new(),
            ids: Ids::Hidden,
        }
    }
}

impl View {
    /// Is it a terminal?
    pub fn is_terminal(&self) -> bool {
        self.columns.is_some()
    }

    /// The text in the colour of its role. It is taken to be safe already.
    pub fn paint(&self, role: Role, text: &str) -> String {
        if self.colour == Colour::No || text.is_empty() {
            return text.to_owned();
        }
        let code = match role {
            Role::Name => "36",
            Role::Good => "32",
            Role::Bad => "31",
            Role::Waiting => "33",
            Role::Faint => "2",
            Role::Strong => "1",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }

    /// Text of a file: on a terminal with everything made visible that could act or lie, in a pipe as it is.
    pub fn content(&self, text: &str) -> String {
        if self.is_terminal() { for_terminal(text) } else { text.to_owned() }
    }

    /// Sentences, broken between words on a terminal.
    pub fn wrapped(&self, text: &str) -> String {
        self.columns.map_or_else(|| text.to_owned(), |columns| super::cells::wrapped(text, columns))
    }

    /// A path, told from the root, as it is printed here.
    pub fn path(&self, path: &str) -> String {
        one_line(&self.bare_path(path))
    }

    /// The same as it stands, whatever it holds.
    pub fn bare_path(&self, path: &str) -> String {
        from_here(&self.here, path)
    }
}

/// A path below the root as it is reached from a folder below the root.
fn from_here(here: &str, path: &str) -> String {
    if here.is_empty() {
        return path.to_owned();
    }
    let (here, parts): (Vec<&str>, Vec<&str>) = (here.split('/').collect(), path.split('/').collect());
    let shared = here.iter().zip(&parts).take_while(|(one, other)| one == other).count();
    // A folder is told from itself as its name would be from above.
    let shared = shared.min(parts.len().saturating_sub(1));
    let up = here.len().saturating_sub(shared);
    std::iter::repeat_n("..", up).chain(parts.into_iter().skip(shared)).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_from_here() {
        for (here, path, want) in [
            ("", "src/a.rs", "src/a.rs"),
            ("src", "src/a.rs", "a.rs"),
            ("src", "README.md", "../README.md"),
            ("src/app", "src/wire/a.rs", "../wire/a.rs"),
            ("src/app", "src/app/b/c.rs", "b/c.rs"),
            ("src", "src", "../src"),
            ("a", "ab/c", "../ab/c"),
        ] {
            assert_eq!(from_here(here, path), want, "{path} from {here}");
        }
    }

    #[test]
    fn colours_are_left_out() {
        let plain = View::default();
        assert_eq!(plain.paint(Role::Name, "b1"), "b1");
        let coloured = View { colour: Colour::Yes, ..View::default() };
        assert_eq!(coloured.paint(Role::Name, "b1"), "\u{1b}[36mb1\u{1b}[0m");
        assert_eq!(coloured.paint(Role::Bad, ""), "");
    }
}
