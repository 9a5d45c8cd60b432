//! CLI door: long output, page by page. The pager is a port of its own, so that tests need none; the real one is
//! another program, which reads the text from a pipe and owns the terminal until its reader is done.

use std::ffi::OsString;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Something that shows long text page by page.
pub trait Pager {
    /// Shows the text, and comes back when its reader is done with it.
    fn show(&mut self, text: &[u8]) -> Paged;
}

/// What became of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paged {
    /// It was shown.
    Shown,
    /// There is no pager, or it could not be started; nothing was shown.
    NotStarted,
}

/// No pager: text goes out at once.
#[derive(Debug)]
pub struct NoPager;

impl Pager for NoPager {
    fn show(&mut self, _: &[u8]) -> Paged {
        Paged::NotStarted
    }
}

/// Another program: its name and its options. None at all means that nothing is paged.
#[derive(Debug, PartialEq, Eq)]
pub struct PagerProgram(Vec<OsString>);

/// What is run when nobody chose: colours pass, and what fits on one screen stays there.
const USUAL: [&str; 2] = ["less", "-FRX"];

impl PagerProgram {
    /// The program that somebody chose, with its options after blanks, or else `less`. An empty choice, or `cat`, means
    /// no pager.
    ///
    /// ```
    /// use patchwright_app::doors::cli::{NoPager, Paged, Pager, PagerProgram};
    /// let mut off = PagerProgram::chosen(Some("".into()));
    /// assert_eq!(off.show(b"text"), Paged::NotStarted);
    /// ```
    pub fn chosen(choice: Option<OsString>) -> PagerProgram {
        let words = match choice {
            None => USUAL.map(OsString::from).to_vec(),
            Some(choice) => match choice.to_str() {
                Some(text) => text.split_whitespace().map(OsString::from).collect(),
                None => vec![choice],
            },
        };
        let off = words.as_slice() == ["cat"];
        PagerProgram(if off { Vec::new() } else { words })
    }
}

impl Pager for PagerProgram {
    fn show(&mut self, text: &[u8]) -> Paged {
        let Some((program, options)) = self.0.split_first() else { return Paged::NotStarted };
        let mut command = Command::new(program);
        command.args(options).stdin(Stdio::piped());
        // Flags win, whatever LESS says: somebody's plain `less` would show colours as gibberish.
        if is_less(program) {
            command.args(options_of_less(options));
        }
        let Ok(mut child) = command.spawn() else { return Paged::NotStarted };
        // Ctrl-C is meant for the pager: were this process to end first, it and the shell would both read the keys.
        let minded = signal_hook::flag::register(signal_hook::consts::SIGINT, Arc::new(AtomicBool::new(false)));
        if let Some(mut pipe) = child.stdin.take() {
            // A reader who leaves before the end has seen enough.
            let _written = pipe.write_all(text);
        }
        // The pipe is closed now; how the pager ends is its own affair.
        let _ended = child.wait();
        if let Ok(minded) = minded {
            signal_hook::low_level::unregister(minded);
        }
        Paged::Shown
    }
}

fn is_less(program: &OsString) -> bool {
    std::path::Path::new(program).file_name().is_some_and(|name| name == "less")
}

/// The usual flags, unless they are there already.
fn options_of_less(given: &[OsString]) -> &'static [&'static str] {
    if given.iter().any(|option| option == "-FRX") { &[] } else { &["-FRX"] }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(choice: Option<&str>, want: &[&str]) {
        let words: Vec<OsString> = want.iter().map(OsString::from).collect();
        assert_eq!(PagerProgram::chosen(choice.map(OsString::from)), PagerProgram(words), "{choice:?}");
    }

    #[test]
    fn choices() {
        check(None, &["less", "-FRX"]);
        check(Some("more"), &["more"]);
        check(Some("  less -S  -R "), &["less", "-S", "-R"]);
        check(Some(""), &[]);
        check(Some(" "), &[]);
        check(Some("cat"), &[]);
        check(Some("cat -n"), &["cat", "-n"]);
    }

    #[test]
    fn a_program_that_is_not_there_shows_nothing() {
        assert_eq!(PagerProgram(vec!["/nowhere/no-such-pager".into()]).show(b"x"), Paged::NotStarted);
        assert_eq!(
            PagerProgram(vec!["true".into()]).show(&[b'x'; 1 << 20]),
            Paged::Shown,
            "a reader who leaves at once"
        );
        assert_eq!(NoPager.show(b"x"), Paged::NotStarted);
    }
}
