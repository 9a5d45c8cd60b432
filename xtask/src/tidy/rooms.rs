//! What each room must not know, checked by the paths and words that its sources name.
//!
//! Tests inside a room are left out: they may build files and clocks to test with.

use super::Complaint;
use super::paths::{self, Named};
use super::source::Source;
use super::tree::Tree;
use crate::failure::Failure;

/// A room, what it must not name, and how to say it.
struct Rule {
    room: &'static str,
    never: &'static [&'static str],
    why: &'static str,
}

const RULES: &[Rule] = &[
    Rule {
        room: "crates/core/src/",
        never: &[
            "std::fs",
            "std::env",
            "std::thread",
            "std::net",
            "std::process",
            "std::os",
            "std::time::Instant",
            "std::time::SystemTime",
            "std::time::UNIX_EPOCH",
        ],
        why: "core is pure: no files, clock, environment, threads, sockets or processes",
    },
    Rule {
        room: "crates/core/src/",
        never: &[
            "serde_json",
            "rand",
            "getrandom",
            "uuid",
            "tokio",
            "tracing",
            "rustix",
            "patchwright_store",
            "patchwright_engine",
        ],
        why: "core knows no JSON, randomness, async, logging, system calls or upper rooms",
    },
    Rule {
        room: "crates/store/src/",
        never: &["serde_json", "clap", "toml", "rmcp", "tokio", "patchwright_engine"],
        why: "store is the disk: no JSON, argv, transports or upper rooms",
    },
    Rule {
        room: "crates/store/src/",
        never: &["patchwright_core::tool", "patchwright_core::dialect"],
        why: "store carries out plans: no tools, no dialects",
    },
    Rule {
        room: "crates/engine/src/",
        never: &["serde_json", "clap", "tokio", "rmcp", "toml", "std::net"],
        why: "engine joins core and store: no JSON, argv or sockets",
    },
    Rule { room: "crates/engine/src/", never: &["std::fs"], why: "only store touches the disk" },
    Rule {
        room: "crates/lib/src/",
        never: &["patchwright_store", "patchwright_core", "std::fs", "std::net"],
        why: "the library reaches everything through the engine",
    },
    Rule {
        room: "app/src/",
        never: &["patchwright_store", "std::fs", "rustix::fs"],
        why: "the binary reaches the disk through the engine",
    },
    Rule {
        room: "app/src/wire/",
        never: &["crate::report", "crate::doors"],
        why: "wire parses and decides nothing: it knows neither report nor doors",
    },
    Rule {
        room: "app/src/wire/",
        never: &["patchwright_engine::Session", "rmcp", "tokio", "clap", "std::net"],
        why: "wire knows shapes: no workspace, no transport",
    },
    Rule {
        room: "app/src/report/",
        never: &["crate::wire", "crate::doors"],
        why: "report puts outcomes into words: it knows neither wire nor doors",
    },
    Rule {
        room: "app/src/report/",
        never: &["patchwright_engine::Session", "rmcp", "tokio", "clap", "std::net"],
        why: "report knows outcomes: no workspace, no transport",
    },
];

/// The doors. Each may use what lies beside them in `app/src/doors`, and none another door.
const DOORS: &[&str] = &["cli", "http", "mcp"];

/// Words that break the protocol or the purity of the crates below the binary.
const PRINTING: &[&str] = &["print", "println", "eprint", "eprintln", "dbg"];

pub(super) fn check(tree: &Tree) -> Result<Vec<Complaint>, Failure> {
    let mut found = Vec::new();
    for file in tree.sources().filter(|file| is_room(file)) {
        let code = Source::of(&tree.text(file)?).code;
        let named = paths::named(&code, file);
        found.extend(rules(file, &named));
        found.extend(doors(file, &named));
        if file.starts_with("crates/") {
            found.extend(below_the_binary(file, &code));
        }
    }
    found.dedup();
    Ok(found)
}

/// Sources of the product; a `tests.rs` belongs to a `#[cfg(test)] mod tests;`.
fn is_room(file: &str) -> bool {
    (file.starts_with("crates/") || file.starts_with("app/")) && file.contains("/src/") && !super::heads::is_test(file)
}

fn rules(file: &str, named: &[Named]) -> Vec<Complaint> {
    let mut found = Vec::new();
    for rule in RULES.iter().filter(|rule| in_room(file, rule.room)) {
        for one in named {
            if let Some(place) = rule.never.iter().find(|place| one.touches(place)) {
                found.push(Complaint::at(file, one.line, format!("names `{place}`; {}", rule.why)));
            }
        }
    }
    found
}

/// `app/src/wire/` is the folder and the file `app/src/wire.rs`.
fn in_room(file: &str, room: &str) -> bool {
    file.starts_with(room) || file.strip_suffix(".rs") == Some(room.trim_end_matches('/'))
}

fn doors(file: &str, named: &[Named]) -> Vec<Complaint> {
    let mut found = Vec::new();
    let Some(home) = DOORS.iter().find(|door| in_room(file, &format!("app/src/doors/{door}/"))) else {
        return found;
    };
    for other in DOORS.iter().filter(|door| *door != home) {
        for one in named.iter().filter(|one| one.touches(&format!("crate::doors::{other}"))) {
            found.push(Complaint::at(
                file,
                one.line,
                format!("the door {home} names the door {other}; put what they share beside them"),
            ));
        }
    }
    found
}

fn below_the_binary(file: &str, code: &str) -> Vec<Complaint> {
    let mut found = Vec::new();
    for (at, text) in code.lines().enumerate() {
        let line = at.saturating_add(1);
        let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        if words.any(|word| word == "async" || word == "await") {
            found.push(Complaint::at(file, line, "there is no async below the binary"));
        }
        if PRINTING.iter().any(|name| calls(text, name)) {
            found.push(Complaint::at(
                file,
                line,
                "nothing below the binary prints: standard output belongs to the protocol",
            ));
        }
    }
    found
}

/// Does the line call the macro of exactly this name?
fn calls(text: &str, name: &str) -> bool {
    let call = format!("{name}!");
    text.match_indices(&call).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
    })
}

#[cfg(test)]
mod tests {
    use super::super::scratch::{Bed, Plant, expect, expect_none};
    use super::*;

    const BED: Bed = Bed { check, needs: is_room };

    /// Plants one file a row and expects, where there are words, a complaint about that file.
    fn check_rows(rows: &[(String, String, Option<String>)]) {
        let texts: Vec<String> = rows.iter().map(|(_, line, _)| format!("//! Planted.\n{line}\n")).collect();
        let plants: Vec<Plant<'_>> =
            rows.iter().zip(&texts).map(|((file, _, _), text)| Plant::Write(file, text)).collect();
        let words: Vec<String> =
            rows.iter().filter_map(|(file, _, words)| Some(format!("{file}:2: {}", words.as_ref()?))).collect();
        if words.is_empty() {
            expect_none(&BED, &plants);
        } else {
            expect(&BED, &plants, &words);
        }
    }

    #[test]
    fn every_rule_bites() {
        let mut rows = Vec::new();
        for rule in RULES {
            for place in rule.never {
                let file = format!("{}planted_{}.rs", rule.room, rows.len());
                let words = Some(format!("names `{place}`"));
                rows.push((file, format!("use {place}::Thing;"), words));
            }
        }
        check_rows(&rows);
    }

    #[test]
    fn other_spellings_bite_too() {
        let rows = [
            ("crates/core/src/a.rs", "use std::{fmt, fs};", "names `std::fs`"),
            ("crates/core/src/b.rs", "use std::*;", "names `std::fs`"),
            ("crates/core/src/c.rs", "fn f() { std::fs::read(\"x\"); }", "names `std::fs`"),
            ("crates/core/src/d.rs", "fn f() { println!(\"x\") }", "nothing below the binary prints"),
            ("crates/core/src/e.rs", "async fn f() {}", "there is no async"),
            ("crates/store/src/f.rs", "fn f() { x.await }", "there is no async"),
            ("crates/engine/src/g.rs", "fn f() { eprintln!(\"x\") }", "nothing below the binary prints"),
            ("app/src/wire/h.rs", "use super::super::report::answer;", "names `crate::report`"),
            ("app/src/report.rs", "use crate::wire::shape;", "names `crate::wire`"),
            ("app/src/doors/cli/i.rs", "use crate::doors::mcp;", "the door cli names the door mcp"),
            ("app/src/doors/mcp.rs", "use super::cli::x;", "the door mcp names the door cli"),
        ];
        check_rows(&rows.map(|(file, line, words)| (file.into(), line.into(), Some(words.into()))));
    }

    #[test]
    fn innocent_sources_pass() {
        let rows = [
            ("crates/core/src/a.rs", "// std::fs\nconst A: &str = \"std::fs println!(async)\";"),
            ("crates/core/src/b.rs", "#[cfg(test)]\nmod tests { use std::fs; }"),
            ("crates/store/src/c.rs", "use std::fs; use patchwright_core::plan;"),
            ("app/src/report/d.rs", "use patchwright_engine::AuditEntry;"),
            ("app/src/doors/e.rs", "use crate::doors::cli; use crate::doors::mcp;"),
        ];
        check_rows(&rows.map(|(file, line)| (file.into(), line.into(), None)));
    }
}
