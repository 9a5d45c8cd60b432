//! Ways in that a review found: keys and settings that a work tree brings to where they are looked for, crowds of
//! names, records made to break whoever looks at them. Each was open once.

use crate::forged::{ENTRY, FOREIGN, SCRIPT, ship};
use crate::frames::{BATCH, Numbers, Seal, caller, creation, deletion, frames, new_log, pack, seal_of, sha, top};
use crate::place::{Place, Ran, copy, history, is_id, kind, names};
use crate::snapshot::snapshot;
use patchwright_app::doors::cli::{self, Manner, Next, NoPager, Ports, Screen};
use patchwright_app::doors::open::{Person, Surroundings};
use serde_json::json;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const OTHER: &str = "fedcba9876543210fedcba9876543210";
const CREATE: [&str; 3] = ["call", "create_file", r#"{"path":"new.txt","content":"x"}"#];
const LOOKS: &[&[&str]] =
    &[&["read", "a.txt"], &["log"], &["call", "list_batches", "{}"], &["trash", "list"], &["doctor"]];

/// Variables to set, and nothing for those to take away.
type Env<'a> = &'a [(&'a str, Option<PathBuf>)];

fn run(place: &Place, env: Env<'_>, args: &[&str]) -> Ran {
    let mut command = place.command(&place.root, args);
    for (name, value) in env {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    Ran::of(command)
}

/// The ids among the names in a folder.
fn ids(folder: &Path) -> Vec<String> {
    names(folder).into_iter().filter(|name| is_id(name)).collect()
}

/// Leaves a record whose last entry would, if it counted, put a file at `d/planted`.
fn end_in_a_call(place: &Place) {
    let record = place.record();
    fs::create_dir_all(record.join("trash")).unwrap();
    fs::write(record.join("trash").join(ENTRY), SCRIPT).unwrap();
    let log = fs::read(record.join("log")).unwrap();
    let made = seal_of(place).with(&log, frames(&log).len(), &deletion("d/planted", ENTRY, SCRIPT));
    fs::write(record.join("log"), made).unwrap();
}

/// A work tree with an unfinished call, its key and all that belongs to it in this folder of keys, and no other home.
fn planted(keys: impl Fn(&Place) -> PathBuf) -> Place {
    let place = Place::new();
    place.make("one.txt");
    end_in_a_call(&place);
    let keys = keys(&place);
    fs::create_dir_all(keys.parent().unwrap()).unwrap();
    copy(&place.home, &keys);
    fs::remove_dir_all(&place.home).unwrap();
    for folder in [keys.parent().unwrap(), &keys, &keys.join("ws")] {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700)).unwrap();
    }
    place
}

/// Looking changes nothing whatever; a change is that change alone, in a record of its own, or refused for want of a home.
fn is_not_obeyed(place: &Place, env: Env<'_>, refused: bool, story: &str) {
    let before = snapshot(&place.root);
    let shipped = ids(&place.path(".patchwright"));
    assert_eq!(shipped.len(), 1, "{story}");
    for look in LOOKS {
        let told = run(place, env, look).is(0, story).told();
        assert_eq!(snapshot(&place.root), before, "{story}: {look:?} told {told}");
    }
    assert_eq!(history(&run(place, env, &["call", "list_batches", "{}"])), Vec::<String>::new(), "{story}");
    let made = run(place, env, &CREATE).is(i32::from(refused), story);
    assert!(!place.path("d/planted").exists(), "{story}: {}", made.told());
    let now = ids(&place.path(".patchwright"));
    assert_eq!((now.len(), now.contains(&shipped[0])), (2 - usize::from(refused), true), "{story}: {}", made.told());
    let after = snapshot(&place.root);
    for (path, thing) in &before {
        // The hint where a record stands is renewed; it says nothing about whose that is.
        let own = path == ".patchwright" || path.starts_with(".local/state/patchwright/by-path");
        assert!(own || after.get(path) == Some(thing), "{story}: {path} is another");
    }
    if !refused {
        run(place, env, &["audit", "verify"]).is(0, story);
        assert_eq!(history(&run(place, env, &["call", "list_batches", "{}"])), ["new.txt"], "{story}");
    }
}

#[test]
fn a_key_in_a_temporary_folder_of_the_work_tree_does_not_count() {
    type Keys = fn(&Place, &Path) -> PathBuf;
    let rows: [(&str, &str, &str, Keys); 2] = [
        ("TMPDIR", "tmp", "XDG_RUNTIME_DIR", |place, folder| folder.join(format!("patchwright-{}", place.uid()))),
        ("XDG_RUNTIME_DIR", "run", "TMPDIR", |_, folder| folder.join("patchwright")),
    ];
    for (variable, name, other, keys) in rows {
        let below = || planted(|place| keys(place, &place.path(name)));
        let homeless = |place: &Place, folder: PathBuf| {
            fs::write(place.at("no-folder"), "").unwrap();
            let (home, none) = (Some(place.at("no-folder")), None::<PathBuf>);
            let unset = ["PATCHWRIGHT_HOME", "XDG_STATE_HOME"].map(|name| (name, none.clone()));
            [&unset[..], &[("HOME", home), (variable, Some(folder))]].concat()
        };
        // That it counts outside shows that it is a key.
        let place = planted(|place| keys(place, &place.at(name)));
        let env = homeless(&place, place.at(name));
        run(&place, &[&env[..], &[(other, None)]].concat(), &["log"]).is(0, variable);
        assert!(place.path("d/planted").exists(), "{variable}: outside");

        let place = below();
        is_not_obeyed(&place, &[(variable, Some(place.path(name)))], false, &format!("{variable}: a home outside"));
        let place = below();
        is_not_obeyed(&place, &homeless(&place, place.path(name)), false, &format!("{variable}: the next one serves"));
        let place = below();
        let file = place.at("no-folder");
        let env = [&homeless(&place, place.path(name))[..], &[(other, Some(file))]].concat();
        is_not_obeyed(&place, &env, true, &format!("{variable}: none serves"));
    }
}

/// The user's home is the root.
fn at_home(place: &Place) -> Vec<(&'static str, Option<PathBuf>)> {
    vec![("HOME", Some(place.root.clone())), ("PATCHWRIGHT_HOME", None), ("XDG_STATE_HOME", None)]
}

#[test]
fn a_key_in_a_root_that_is_the_users_home_counts_only_if_made_there() {
    let keys = ".local/state/patchwright";
    let place = planted(|place| place.path(keys));
    is_not_obeyed(&place, &at_home(&place), false, "a key that was brought along");

    let place = Place::new();
    let env = at_home(&place);
    run(&place, &env, &CREATE).is(0, "made there");
    let listed = run(&place, &env, &["call", "list_batches", "{}"]);
    assert_eq!((history(&listed), listed.warned().as_str()), (vec!["new.txt".to_owned()], ""), "and found again");
    let next = r#"{"path":"next.txt","content":"x"}"#;
    assert_eq!(run(&place, &env, &["call", "create_file", next]).is(0, "goes on").warned(), "");
    run(&place, &env, &["audit", "verify"]).is(0, "whole");
    assert_eq!((ids(&place.path(keys).join("ws")).len(), ids(&place.path(".patchwright")).len()), (1, 1));

    // The same bytes, brought along: as an archive or a clone would.
    fs::rename(place.path(keys), place.at("kept")).unwrap();
    copy(&place.at("kept"), &place.path(keys));
    let listed = run(&place, &env, &["call", "list_batches", "{}"]);
    assert_eq!(history(&listed), Vec::<String>::new(), "a copy of it is not what was made there");
}

#[test]
fn user_settings_in_the_work_tree_do_not_widen() {
    let call = ["call", "create_file", r#"{"path":".git/hooks/pre-commit","content":"x"}"#];
    for below in [false, true] {
        let place = Place::new();
        fs::create_dir_all(place.path(".git/hooks")).unwrap();
        let home = if below { place.root.clone() } else { place.at("user") };
        fs::create_dir_all(home.join(".config/patchwright")).unwrap();
        fs::write(home.join(".config/patchwright/config.toml"), "[protect]\ngit = false\n").unwrap();
        let env = [("HOME", Some(home)), ("XDG_CONFIG_HOME", None)];
        let ran = run(&place, &env, &call);
        assert_eq!(kind(&ran.answer()), if below { "permission_denied" } else { "ok" }, "{below}: {}", ran.told());
        assert_eq!(place.path(".git/hooks/pre-commit").exists(), !below);
        let told = run(&place, &env, &["doctor"]).is(0, "looking").told();
        assert_eq!(told.contains("protect.git"), below, "{told}");
    }
}

#[test]
fn very_many_names_do_not_hide_our_record() {
    type Junk = fn(&Path, usize);
    let rows: [(&str, Junk); 2] = [
        ("files", |folder, number| fs::write(folder.join(format!("{number:05}")), "").unwrap()),
        ("folders like records", |folder, number| fs::create_dir(folder.join(format!("{number:032x}"))).unwrap()),
    ];
    for (story, junk) in rows {
        // Some are older than the record and some younger, so that no order of names has it first.
        let place = Place::new();
        let folder = place.path(".patchwright");
        fs::create_dir(&folder).unwrap();
        (0..2000).for_each(|number| junk(&folder, number));
        place.make("one.txt");
        (2000..4000).for_each(|number| junk(&folder, number));
        assert_eq!(place.make("two.txt").warned(), "", "{story}");
        assert_eq!(place.history(), ["one.txt", "two.txt"], "{story}");
        assert_eq!((place.verify(), place.ids().len()), (Some(0), 1), "{story}");
        // Where the root has moved, no hint at home says which it is.
        let moved = place.at("moved");
        fs::rename(&place.root, &moved).unwrap();
        let place = place.rooted(moved);
        assert_eq!(place.history(), ["one.txt", "two.txt"], "{story}: moved");
        assert_eq!(place.make("three.txt").warned(), "", "{story}: moved");
        assert_eq!((place.verify(), place.ids().len()), (Some(0), 1), "{story}: moved");
    }
}

#[test]
fn a_fresh_start_moves_aside_just_what_is_named() {
    let place = Place::new();
    place.make("one.txt");
    let ours = place.record();
    let foreign = [FOREIGN, OTHER].map(|id| place.path(".patchwright").join(id));
    for (id, folder) in [FOREIGN, OTHER].iter().zip(&foreign) {
        fs::create_dir_all(folder).unwrap();
        let log = new_log(&Seal::wrong(id), &[deletion("d/planted", ENTRY, SCRIPT)]);
        fs::write(folder.join("log"), log).unwrap();
    }
    let before = snapshot(&ours);
    place.run(&["adopt", "--fresh", FOREIGN, "--yes"]).is(0, "one that is named");
    assert_eq!((foreign[0].exists(), foreign[1].exists()), (false, true));
    assert_eq!(snapshot(&ours), before, "ours is left alone");
    assert_eq!((place.history(), place.verify()), (vec!["one.txt".to_owned()], Some(0)));

    let place = Place::new();
    ship(&place.root, &[FOREIGN, OTHER], &deletion("d/planted", ENTRY, SCRIPT));
    let before = snapshot(&place.root);
    for args in [&["adopt", "--fresh", "--yes"][..], &["adopt", "--yes"]] {
        let ran = place.run(args).is(2, "several, and none is named");
        assert!(ran.told().contains(FOREIGN) && ran.told().contains(OTHER), "{}", ran.told());
        assert_eq!(snapshot(&place.root), before, "{args:?}");
    }
}

#[test]
fn the_highest_number_there_is_breaks_nothing() {
    for args in [&["adopt", "--yes"][..], &["adopt", "--yes", "--take-back"], &["adopt", "--fresh", "--yes"]] {
        let place = Place::new();
        let (seal, start) = (Seal::wrong(FOREIGN), top());
        let payload = creation("none.txt", b"none");
        let frame = seal.frame(start.len(), Numbers { sequence: 1, highest: u64::MAX }, [0; 32], &payload);
        let record = place.path(".patchwright").join(FOREIGN);
        fs::create_dir_all(&record).unwrap();
        fs::write(record.join("log"), [start, frame].concat()).unwrap();
        let ran = place.run(args);
        assert!(matches!(ran.code, Some(0 | 1)), "{args:?}: {:?} {}", ran.code, ran.told());
        assert!(!ran.told().contains("panicked"), "{args:?}: {}", ran.told());
        for name in ["two.txt", "three.txt"] {
            place.make(name);
        }
        assert!(place.history().ends_with(&["two.txt".to_owned(), "three.txt".to_owned()]), "{args:?}");
        assert_eq!(place.verify(), Some(0), "{args:?}");
        place.run(&["undo"]).is(0, "and can be undone");
    }
}

#[test]
fn an_unfinished_call_of_an_unmarked_record_is_taken_back_when_asked() {
    let place = Place::new();
    place.make("one.txt");
    end_in_a_call(&place);
    fs::remove_file(place.ring().join("mark")).unwrap();
    let looked = place.call("list_batches", &json!({})).is(0, "looking");
    assert_ne!(looked.warned(), "");
    assert!(!place.path("d/planted").exists(), "not by itself");
    place.run(&["adopt", "--yes", "--take-back"]).is(0, "asked for");
    assert_eq!(fs::read(place.path("d/planted")).unwrap(), SCRIPT, "the file is back");
    assert_eq!(place.verify(), Some(0));
    place.make("two.txt");
    assert_eq!(place.verify(), Some(0));
}

#[test]
fn a_pipe_in_the_place_of_a_pointer_holds_nobody_up() {
    let place = Place::new();
    fs::create_dir(place.path("x")).unwrap();
    fs::write(place.path(".git"), "gitdir: ./x\n").unwrap();
    assert!(Command::new("mkfifo").arg(place.path("x/gitdir")).status().unwrap().success());
    for args in [&["read", "a.txt"][..], &CREATE, &["audit", "verify"]] {
        let mut command = place.command(&place.root, args);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let end = Instant::now() + Duration::from_secs(60);
        let status = loop {
            match child.try_wait().unwrap() {
                Some(status) => break status,
                None if Instant::now() > end => {
                    child.kill().unwrap();
                    panic!("{args:?} waits for the pipe");
                }
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        assert!(status.success(), "{args:?}: {status}");
    }
}

#[test]
fn what_a_record_says_of_itself_makes_no_line_of_ours() {
    let place = Place::new();
    let lie = "c\nThis takes over nothing at all. Go on? [y/N]\r\u{1b}[2J";
    let mut who = caller("create_file");
    who["client"] = json!(lie);
    let work = json!({
        "deed": "Create", "path": format!("p{lie}"), "to": null, "temp_folder": "",
        "temp": "x.0123456789abcdef.apply-patch.tmp", "keep": null, "before": null, "after": sha(b"x")
    });
    let intent = json!({ "batch": BATCH, "caller": who, "folders": [], "works": [work], "gone": [] });
    let record = place.path(".patchwright").join(FOREIGN);
    fs::create_dir_all(&record).unwrap();
    fs::write(record.join("log"), new_log(&Seal::wrong(FOREIGN), &[pack(&json!({ "Intent": intent }))])).unwrap();
    let before = snapshot(place.dir.path());

    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut ports = Ports {
        input: &mut &b"n\n"[..],
        output: &mut out,
        errors: &mut err,
        screen: Screen::PlainTerminal,
        pager: &mut NoPager,
        manner: Manner::default(),
    };
    let surroundings = Surroundings {
        user_settings: None,
        home: patchwright_engine::HomeAt::Folder(place.home.clone()),
        person: Person::Here,
        ..Surroundings::default()
    };
    let line = ["patchwright", "--root", place.root.to_str().unwrap(), "adopt"].map(OsString::from);
    let next = cli::run(line, &mut ports, &surroundings);
    assert!(matches!(next, Next::Exit(status) if status.code() == 0), "{}", String::from_utf8_lossy(&err));
    let said = String::from_utf8(out).unwrap();
    assert!(said.contains(FOREIGN) && said.contains("takes over nothing"), "it was shown: {said}");
    assert!(!said.lines().any(|line| line.starts_with("This takes over nothing")), "as a line of its own: {said:?}");
    assert!(!said.contains(['\r', '\u{1b}']), "{said:?}");
    assert_eq!(snapshot(place.dir.path()), before, "nobody agreed");
}

#[test]
fn a_key_is_not_exported_into_the_workspace() {
    let place = Place::new();
    place.make("one.txt");
    symlink(place.path("d"), place.at("way-in")).unwrap();
    let before = snapshot(place.dir.path());
    for file in [place.path("key.txt"), place.path("d/key.txt"), place.path("a.txt"), place.at("way-in/key.txt")] {
        let ran = place.run(&["key", "export", file.to_str().unwrap()]).is(2, "into the workspace");
        assert!(ran.told().contains("workspace"), "{}", ran.told());
        assert_eq!(snapshot(place.dir.path()), before, "{}", file.display());
    }
    let outside = place.at("key.txt");
    place.run(&["key", "export", outside.to_str().unwrap()]).is(0, "elsewhere");
}
