//! Finding files by a glob, and places in them by a text or a regular expression.

use crate::error::Error;
use crate::look::Entry;
use crate::session::Session;
use patchwright_engine::core::outcome::{self, Answer};
use patchwright_engine::core::tool::{self, Call, Case, Hashes, Ignored, SearchFiles, SearchMode};

/// So many entries a glob gives unless more are asked for.
const ENTRIES: usize = 10_000;
/// So many places a search gives unless more are asked for.
const PLACES: usize = 1_000;

impl Session {
    /// Finds files and folders by a glob: `**/*.rs` at any depth, `*.rs` at the top. Those that `.gitignore` names are
    /// left out.
    ///
    /// ```
    /// # let (folder, home) = (tempfile::tempdir()?, tempfile::tempdir()?);
    /// # let workspace = patchwright_lib::Workspace::options().home(home.path()).open(folder.path())?;
    /// # let session = workspace.session("docs");
    /// session.create("src/a.rs", "").create_folders().plan()?.commit()?;
    /// assert_eq!(session.glob("**/*.rs").run()?.items[0].path, "src/a.rs");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn glob(&self, pattern: impl Into<String>) -> Glob {
        let ask = tool::Glob {
            pattern: pattern.into(),
            root: ".".to_owned(),
            exclude_globs: Vec::new(),
            max_results: ENTRIES,
            ignored: Ignored::Honour,
        };
        Glob { session: self.clone(), ask }
    }

    /// Searches text files for this very text. Files that `.gitignore` names are left out.
    ///
    /// ```
    /// # let (folder, home) = (tempfile::tempdir()?, tempfile::tempdir()?);
    /// # let workspace = patchwright_lib::Workspace::options().home(home.path()).open(folder.path())?;
    /// # let session = workspace.session("docs");
    /// session.create("a.txt", "one\nport = 3000\n").plan()?.commit()?;
    /// let found = session.search("PORT").ignore_case().include("*.txt").run()?;
    /// assert_eq!((found.items[0].line, found.items[0].text.as_str()), (2, "port = 3000"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn search(&self, text: impl Into<String>) -> Search {
        let ask = SearchFiles {
            query: text.into(),
            mode: SearchMode::Text,
            root: ".".to_owned(),
            include_globs: Vec::new(),
            exclude_globs: Vec::new(),
            max_results: PLACES,
            context_lines: 0,
            case: Case::Sensitive,
            hashes: Hashes::No,
            ignored: Ignored::Honour,
        };
        Search { session: self.clone(), ask }
    }

    /// Searches text files by a regular expression, line by line; else like [`Session::search`].
    pub fn search_regex(&self, pattern: impl Into<String>) -> Search {
        let mut search = self.search(pattern);
        search.ask.mode = SearchMode::Regex;
        search
    }
}

/// What was found, and whether there is more.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Found<T> {
    /// In the order of paths, then lines.
    pub items: Vec<T>,
    /// Was there more than was asked for?
    pub truncated: bool,
}

/// A glob that is not yet looked for; see [`Session::glob`].
#[derive(Clone, Debug)]
#[must_use = "nothing is looked for until `run` is called"]
pub struct Glob {
    session: Session,
    ask: tool::Glob,
}

impl Glob {
    /// Only below this folder, from which the pattern counts.
    pub fn below(mut self, folder: impl Into<String>) -> Glob {
        self.ask.root = folder.into();
        self
    }

    /// Nothing that this glob fits. May be called several times.
    pub fn exclude(mut self, glob: impl Into<String>) -> Glob {
        self.ask.exclude_globs.push(glob.into());
        self
    }

    /// With what ignore files such as `.gitignore` name.
    pub fn include_ignored(mut self) -> Glob {
        self.ask.ignored = Ignored::Include;
        self
    }

    /// At most so many. By default 10,000.
    pub fn max_results(mut self, most: usize) -> Glob {
        self.ask.max_results = most;
        self
    }

    /// Looks.
    pub fn run(self) -> Result<Found<Entry>, Error> {
        match self.session.look(&Call::Glob(self.ask))? {
            Answer::Globbed(found) => {
                let items = found.matches.into_iter().map(Entry::of).collect();
                Ok(Found { items, truncated: found.truncated })
            }
            _ => Err(Error::unexpected_answer()),
        }
    }
}

/// A search that is not yet done; see [`Session::search`].
#[derive(Clone, Debug)]
#[must_use = "nothing is searched until `run` is called"]
pub struct Search {
    session: Session,
    ask: SearchFiles,
}

impl Search {
    /// Only below this folder, from which globs count.
    pub fn below(mut self, folder: impl Into<String>) -> Search {
        self.ask.root = folder.into();
        self
    }

    /// Only files that a glob of this kind fits. May be called several times.
    pub fn include(mut self, glob: impl Into<String>) -> Search {
        self.ask.include_globs.push(glob.into());
        self
    }

    /// No file that this glob fits. May be called several times.
    pub fn exclude(mut self, glob: impl Into<String>) -> Search {
        self.ask.exclude_globs.push(glob.into());
        self
    }

    /// With what ignore files such as `.gitignore` name.
    pub fn include_ignored(mut self) -> Search {
        self.ask.ignored = Ignored::Include;
        self
    }

    /// Capitals do not matter.
    pub fn ignore_case(mut self) -> Search {
        self.ask.case = Case::Insensitive;
        self
    }

    /// With so many lines above and below each place.
    pub fn context(mut self, lines: usize) -> Search {
        self.ask.context_lines = lines;
        self
    }

    /// At most so many places. By default 1,000.
    pub fn max_results(mut self, most: usize) -> Search {
        self.ask.max_results = most;
        self
    }

    /// Searches.
    pub fn run(self) -> Result<Found<Match>, Error> {
        match self.session.look(&Call::SearchFiles(self.ask))? {
            Answer::Hits(hits) => {
                let items = hits.matches.into_iter().filter_map(Match::of).collect();
                Ok(Found { items, truncated: hits.truncated })
            }
            _ => Err(Error::unexpected_answer()),
        }
    }
}

/// A place that a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Match {
    /// Relative to the workspace.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// How many characters fit.
    pub length: usize,
    /// The line's text, cut around the place where it is long.
    pub text: String,
    /// The lines above, as many as were asked for.
    pub before: Vec<String>,
    /// The lines below.
    pub after: Vec<String>,
}

impl Match {
    fn of(hit: outcome::Hit) -> Option<Match> {
        let outcome::Place { line, column, length, preview, before, after, .. } = hit.place?;
        Some(Match { path: hit.path, line, column, length, text: preview, before, after })
    }
}
