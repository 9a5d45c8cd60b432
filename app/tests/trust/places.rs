//! Where records stand, and what version control does to them: history lives on, or its loss is told.

use crate::git::{commit, git, init};
use crate::place::{Place, is_id, names};
use crate::snapshot::snapshot;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// A workspace in which one file was made, and where its record stands.
struct Used {
    place: Place,
    root: PathBuf,
    state: PathBuf,
}

impl Used {
    /// Makes the first file and looks for the record in the folder where it is to be.
    fn begin(place: Place, root: &Path, state: &Path) -> Used {
        place.make_in(root, "one.txt");
        let used = Used { place, root: root.to_owned(), state: state.to_owned() };
        used.stands();
        assert_eq!(used.place.history_in(root), ["one.txt"]);
        used
    }

    /// The one record that this home knows is in the folder where it is to be.
    fn stands(&self) {
        let ids = self.place.ids();
        assert_eq!(ids.len(), 1, "{ids:?}");
        assert!(is_id(&ids[0]), "{ids:?}");
        let log = self.state.join(&ids[0]).join("log");
        assert!(log.is_file(), "{} is not there; {:?}", log.display(), names(&self.state));
    }

    /// The record is found, current and goes on.
    fn lives_on(&self, story: &str) {
        assert_eq!(self.place.history_in(&self.root), ["one.txt"], "{story}");
        self.place.make_in(&self.root, "two.txt");
        assert_eq!(self.place.history_in(&self.root), ["one.txt", "two.txt"], "{story}");
        self.place.run_in(&self.root, &["audit", "verify"]).is(0, story);
        assert_eq!(self.place.ids().len(), 1, "{story}: another record was begun");
    }

    /// The record is gone; that is said, shows, and refuses nothing.
    fn is_told(&self, story: &str) {
        let looked = self.place.run_in(&self.root, &["call", "list_batches", "{}"]).is(0, story);
        assert_ne!(looked.warned(), "", "{story}: history is gone and nothing is said");
        self.place.run_in(&self.root, &["audit", "verify"]).is(1, story);
        self.place.make_in(&self.root, "two.txt");
        assert_eq!(self.place.history_in(&self.root), ["two.txt"], "{story}");
        self.place.run_in(&self.root, &["audit", "verify"]).is(1, story);
        self.place.run_in(&self.root, &["adopt", "--yes"]).is(0, story);
        self.place.run_in(&self.root, &["audit", "verify"]).is(0, story);
    }
}

/// Makes a workspace of some kind.
type Begin = fn() -> Used;

fn plain() -> Used {
    let place = Place::new();
    let (root, state) = (place.root.clone(), place.path(".patchwright"));
    Used::begin(place, &root, &state)
}

fn repository() -> Used {
    let place = Place::new();
    init(&place.root);
    let (root, state) = (place.root.clone(), place.path(".git/patchwright"));
    Used::begin(place, &root, &state)
}

fn subfolder() -> Used {
    let place = Place::new();
    init(&place.root);
    let (root, state) = (place.path("d"), place.path("d/.patchwright"));
    Used::begin(place, &root, &state)
}

fn worktree() -> Used {
    let place = Place::new();
    init(&place.root);
    let linked = place.at("linked");
    git(&place.root, &["worktree", "add", "--quiet", linked.to_str().unwrap()]);
    let state = place.path(".git/worktrees/linked/patchwright");
    Used::begin(place, &linked, &state)
}

/// A submodule whose repository lies in that of the whole.
fn submodule() -> Used {
    let place = Place::new();
    init(&place.root);
    git(place.dir.path(), &["init", "--quiet", "whole"]);
    let whole = place.at("whole");
    git(&whole, &["submodule", "--quiet", "add", place.root.to_str().unwrap(), "part"]);
    commit(&whole, "part");
    let (root, state) = (whole.join("part"), whole.join("part/.patchwright"));
    Used::begin(place, &root, &state)
}

fn bare() -> Used {
    let place = Place::new();
    git(place.dir.path(), &["init", "--quiet", "--bare", "bare.git"]);
    let root = place.at("bare.git");
    let state = root.join(".patchwright");
    Used::begin(place, &root, &state)
}

#[test]
fn each_kind_of_root_has_its_place() {
    for (story, used) in [
        ("a plain folder", plain()),
        ("a work tree", repository()),
        ("a folder in one", subfolder()),
        ("a linked worktree", worktree()),
        ("a submodule", submodule()),
        ("a bare repository", bare()),
    ] {
        used.lives_on(story);
        used.stands();
        let inside = names(&used.root.join(".patchwright"));
        assert_eq!(inside.is_empty(), !used.state.ends_with(".patchwright"), "{story}: {inside:?}");
    }
}

#[test]
fn records_in_the_tree_ignore_themselves() {
    for used in [plain(), subfolder(), submodule()] {
        let record = used.state.join(&used.place.ids()[0]);
        for folder in [&used.state, &record] {
            assert_eq!(fs::read_to_string(folder.join(".gitignore")).unwrap().trim(), "*", "{}", folder.display());
        }
    }
    for used in [subfolder(), submodule(), worktree(), repository()] {
        let status = git(&used.root, &["status", "--porcelain", "--untracked-files=all"]);
        assert!(status.contains("one.txt") && !status.contains("patchwright"), "{status}");
    }
}

#[test]
fn what_version_control_does_costs_no_history() {
    let rows: [(&str, Begin, &[&str]); 8] = [
        ("clean in a work tree", repository, &["clean", "-fdxq", "-e", "one.txt"]),
        ("clean in a linked worktree", worktree, &["clean", "-fdxq", "-e", "one.txt"]),
        ("stash in a work tree", repository, &["stash", "--quiet", "-u"]),
        ("stash in a folder of one", subfolder, &["stash", "--quiet", "-u"]),
        ("stash in a linked worktree", worktree, &["stash", "--quiet", "-u"]),
        ("reset", repository, &["reset", "--quiet", "--hard"]),
        ("init after the first use", plain, &["init", "--quiet"]),
        ("gc", repository, &["gc", "--quiet", "--prune=now"]),
    ];
    for (story, used, args) in rows {
        let used = used();
        git(&used.root, args);
        used.lives_on(story);
    }
}

#[test]
fn a_repository_that_moves_away_takes_its_record_along() {
    let used = repository();
    let elsewhere = used.place.at("elsewhere.git");
    git(&used.root, &["init", "--quiet", "--separate-git-dir", elsewhere.to_str().unwrap()]);
    assert!(used.root.join(".git").is_file(), "git left a pointer");
    used.lives_on("--separate-git-dir");

    // An old-style submodule, with its repository in itself.
    let place = Place::new();
    init(&place.root);
    git(place.dir.path(), &["init", "--quiet", "whole"]);
    let whole = place.at("whole");
    git(&whole, &["clone", "--quiet", place.root.to_str().unwrap(), "part"]);
    git(&whole, &["submodule", "--quiet", "add", "./part", "part"]);
    commit(&whole, "part");
    let part = whole.join("part");
    let used = Used::begin(place, &part, &part.join(".git/patchwright"));
    git(&whole, &["submodule", "--quiet", "absorbgitdirs"]);
    assert!(part.join(".git").is_file(), "git left a pointer");
    used.lives_on("absorbgitdirs");
}

#[test]
fn a_linked_worktree_that_moves_keeps_its_history() {
    let mut used = worktree();
    let to = used.place.at("moved");
    let main = used.place.root.clone();
    git(&main, &["worktree", "move", used.root.to_str().unwrap(), to.to_str().unwrap()]);
    used.root = to;
    used.lives_on("worktree move");
}

#[test]
fn the_loss_of_a_record_is_told() {
    let used = repository();
    fs::remove_dir_all(used.root.join(".git")).unwrap();
    used.is_told("the repository deleted");

    let used = subfolder();
    git(&used.place.root, &["clean", "-fdxq", "-e", "one.txt"]);
    used.is_told("clean in a folder of a work tree");

    let used = plain();
    fs::remove_dir_all(used.root.join(".patchwright")).unwrap();
    used.is_told("the state folder deleted");
}

#[test]
fn a_root_that_moves_keeps_its_history() {
    for used in [plain(), repository()] {
        let mut used = used;
        for name in ["moved", "moved-again"] {
            let to = used.place.at(name);
            fs::rename(&used.root, &to).unwrap();
            used.root = to;
            assert_eq!(used.place.history_in(&used.root), ["one.txt"], "{name}");
        }
        used.lives_on("moved twice");
        let note = fs::read(used.place.home.join("ws").join(&used.place.ids()[0]).join("root")).unwrap();
        assert!(note.ends_with(b"/moved-again"), "the note is renewed: {}", note.escape_ascii());
    }
}

/// What somebody else has prepared.
type Plant = fn(&Place);

/// `.git` that is no real folder of the root's own leads nowhere.
#[test]
fn a_git_that_points_elsewhere_is_not_followed() {
    let rows: [(&str, Plant); 4] = [
        ("a link", |place| symlink("../elsewhere", place.path(".git")).unwrap()),
        ("a pointer that nobody points back from", |place| {
            fs::write(place.path(".git"), format!("gitdir: {}\n", place.at("elsewhere").display())).unwrap();
        }),
        ("a pointer that somebody else points back from", |place| {
            fs::write(place.path(".git"), "gitdir: ../elsewhere\n").unwrap();
            fs::write(place.at("elsewhere/gitdir"), "/nowhere/at/all/.git\n").unwrap();
        }),
        ("a pointer to the root's own folder", |place| fs::write(place.path(".git"), "gitdir: d\n").unwrap()),
    ];
    for (story, plant) in rows {
        let place = Place::new();
        git(place.dir.path(), &["init", "--quiet", "--bare", "elsewhere"]);
        plant(&place);
        let (elsewhere, before) = (snapshot(&place.at("elsewhere")), snapshot(&place.root));
        place.make("one.txt");
        assert_eq!(snapshot(&place.at("elsewhere")), elsewhere, "{story}");
        assert_eq!(place.changes(&before), ["one.txt"], "{story}");
        let record = place.path(".patchwright").join(&place.ids()[0]);
        assert!(record.join("log").is_file(), "{story}");
        assert_eq!((place.history().len(), place.verify()), (1, Some(0)), "{story}");
    }
}

#[test]
fn a_repository_that_cannot_be_written_leaves_the_next_place() {
    let place = Place::of_nobody();
    let git_folder = place.path(".git");
    fs::create_dir(&git_folder).unwrap();
    place.give(&git_folder, place.uid());
    std::fs::set_permissions(&git_folder, std::os::unix::fs::PermissionsExt::from_mode(0o555)).unwrap();
    let root = place.root.clone();
    let used = Used::begin(place, &root, &root.join(".patchwright"));
    std::fs::set_permissions(&git_folder, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    used.lives_on("once it can be written again");
    used.stands();
}

#[test]
fn a_state_folder_that_is_named_is_the_only_place() {
    let place = Place::new();
    init(&place.root);
    let far = place.at("far/state");
    let flags = ["--state-dir", far.to_str().unwrap()];
    let call = r#"{"path":"one.txt","content":"x"}"#;
    place.run(&[&flags[..], &["call", "create_file", call]].concat()).is(0, "made");
    let ids = place.ids();
    assert!(far.join(&ids[0]).join("log").is_file(), "{:?}", names(&far));
    assert!(!place.path(".git/patchwright").exists() && !place.path(".patchwright").exists());
    place.run(&[&flags[..], &["audit", "verify"]].concat()).is(0, "whole");
    place.run(&[&flags[..], &["undo"]].concat()).is(0, "undone");
    assert!(!place.path("one.txt").exists());
}
