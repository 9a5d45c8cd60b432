//! Every screen that people see, made from one believable session and compared with what a person has read and found
//! good: at 80 and at 120 columns, with colours and without. `cargo xtask screens` writes them anew.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test sets up files and breaks when it must"
)]

mod session;

use patchwright_app::doors::cli::{self, Manner, Next, NoPager, Ports, Screen};
use patchwright_app::doors::open::{Person, Surroundings};
use session::{NOW, Session};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Set where the screens are to be written anew.
const BLESS: &str = "BLESS_SCREENS";

/// A screen: its name, and what is typed.
type Shot = (&'static str, &'static [&'static str]);

/// What changes nothing.
const LOOKS: &[Shot] = &[
    ("start", &[]),
    ("log", &["log", "-n", "10"]),
    ("log-folder", &["log", "crates"]),
    ("log-who", &["log", "--who", "codex"]),
    ("log-lines", &["log", "-p", "-n", "2"]),
    ("watch", &["watch", "-n", "12", "--once"]),
    ("show", &["show", "b4"]),
    ("show-stat", &["show", "b8", "--stat"]),
    ("show-change", &["show", "b4.1"]),
    ("show-proposed", &["review", "b10"]),
    ("show-unknown", &["show", "b99"]),
    ("diff", &["diff", "b4"]),
    ("why", &["why", "crates/core/logger.rs:11-15"]),
    ("why-one", &["why", "crates/core/haystack.rs:2"]),
    ("why-missing", &["why", "crates/core/loger.rs"]),
    ("review", &["review"]),
    ("trash", &["trash"]),
    ("purge-dry", &["trash", "purge", "--older-than", "1m", "-n"]),
    ("search", &["search", "haystack", "-C", "1"]),
    ("search-none", &["search", "needle in here"]),
    ("undo-dry", &["undo", "-n"]),
    ("undo-refused", &["undo", "b3"]),
    ("undo-session", &["undo", "--session", "b9", "-n"]),
    ("undo-hour", &["undo", "--since", "15m", "-n"]),
    ("log-unknown", &["log", "no/such.rs"]),
    ("help", &["help"]),
    ("help-undo", &["help", "undo"]),
    ("help-workspace", &["help", "workspace"]),
    ("wrong-usage", &["undo", "--frobnicate"]),
];

/// What changes something, one after the other.
const CHANGES: &[Shot] = &[
    ("undo", &["undo"]),
    ("redo", &["redo"]),
    ("undo-lines", &["undo", "b4.1", "-p"]),
    ("accept", &["accept", "b10"]),
    ("accept-refused", &["accept", "b11"]),
    ("reject", &["reject", "b11"]),
    ("restore", &["trash", "restore", "RELEASE-CHECKLIST.md"]),
    ("log-after", &["log", "-n", "6"]),
    ("watch-after", &["watch", "-n", "9", "--once"]),
];

#[test]
fn every_screen_is_as_it_was_read() {
    let mut wrong = Vec::new();
    for (columns, screen, folder) in [
        (80, Screen::PlainTerminal, "80"),
        (120, Screen::PlainTerminal, "120"),
        (80, Screen::Terminal, "80-colour"),
        (120, Screen::Terminal, "120-colour"),
        (0, Screen::Pipe, "pipe"),
    ] {
        let session = Session::play();
        for (name, typed) in LOOKS.iter().chain(CHANGES) {
            let shown = shot(&session, (columns, screen), typed);
            wrong.extend(compared(folder, name, &shown));
        }
    }
    assert!(
        wrong.is_empty(),
        "these screens have changed; look at them, then `cargo xtask screens`:\n{}",
        wrong.join("\n")
    );
}

/// What is typed, and all that is printed, with the exit status where it is not 0.
fn shot(session: &Session, (columns, screen): (usize, Screen), typed: &[&str]) -> String {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let line: Vec<OsString> = std::iter::once("patchwright").chain(typed.iter().copied()).map(OsString::from).collect();
    let surroundings = Surroundings {
        home: session.home(),
        person: Person::Away,
        current: Some(session.root.clone()),
        columns: Some(columns),
        zone: None,
        now_ns: Some(NOW),
        ..Surroundings::default()
    };
    let _clock = patchwright_engine::SetClock::to(NOW);
    let manner = Manner::default();
    let mut ports =
        Ports { input: &mut std::io::empty(), output: &mut out, errors: &mut err, screen, pager: &mut NoPager, manner };
    let Next::Exit(status) = cli::run(line, &mut ports, &surroundings) else { panic!("{typed:?} serves") };
    let text = [out, err].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
    let command = std::iter::once("patchwright").chain(typed.iter().copied()).collect::<Vec<_>>().join(" ");
    let end = if status.code() == 0 { String::new() } else { format!("(exit status {})\n", status.code()) };
    format!("$ {command}\n{}{end}", marked(&text))
}

/// Colours as words, so that a person can read them in any editor.
fn marked(text: &str) -> String {
    let codes =
        [("36", "name"), ("32", "good"), ("31", "bad"), ("33", "wait"), ("2", "dim"), ("1", "bold"), ("0", "/")];
    codes
        .iter()
        .fold(text.to_owned(), |text, (code, word)| text.replace(&format!("\u{1b}[{code}m"), &format!("<{word}>")))
}

fn compared(folder: &str, name: &str, shown: &str) -> Option<String> {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/screens").join(folder).join(name);
    let path = path.with_extension("txt");
    if std::env::var_os(BLESS).is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, shown).unwrap();
        return None;
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    (kept != shown).then(|| format!("{folder}/{name}: kept\n{kept}\nnow\n{shown}"))
}

/// No line is wider than the terminal, unless it is code or a name that may not be broken.
#[test]
fn lists_fit_the_terminal() {
    let session = Session::play();
    for columns in [60, 80, 120] {
        for typed in [
            &["log"][..],
            &["watch", "--from-start", "--once"],
            &["review"],
            &["trash"],
            &["why", "crates/core/logger.rs"],
            &["undo", "-n"],
        ] {
            // Hints are commands to be copied, and stand as they are.
            let typed = [typed, &["-q"]].concat();
            for line in shot(&session, (columns, Screen::PlainTerminal), &typed).lines().skip(1) {
                let fits =
                    line.chars().count() <= columns || line.split_whitespace().any(|word| word.len() * 2 > columns);
                assert!(fits, "{columns} columns, {typed:?}: {line}");
            }
        }
    }
}

/// What people read holds no id, digest or tool's name.
#[test]
fn people_are_spared_ids_and_tools() {
    let session = Session::play();
    for (name, typed) in LOOKS.iter().chain(CHANGES).filter(|(name, _)| !name.starts_with("help")) {
        let shown = shot(&session, (120, Screen::PlainTerminal), typed);
        for word in ["edit_file", "read_file", "apply_patch", "batchId", "changeIds", "stale_file", "not_found", "{\""]
        {
            assert!(!shown.contains(word), "{name} has {word}:\n{shown}");
        }
        let hex = |part: &str| part.len() >= 12 && part.bytes().all(|byte| byte.is_ascii_hexdigit());
        assert!(!shown.split(|ch: char| !ch.is_ascii_alphanumeric()).any(hex), "{name}:\n{shown}");
    }
}
