//! The workspace's folder is taken away under a server, and another one put in its place; or its state is. The first is
//! noticed and refused; the second comes back whole, and the loss is told.

use crate::git::init;
use crate::place::Place;
use crate::snapshot::snapshot;
use crate::speaker::Server;
use serde_json::{Value, json};
use std::fs;

fn file(path: &str) -> Value {
    json!({ "path": path, "content": "x\n" })
}

#[test]
fn a_root_that_was_replaced_is_noticed() {
    for flags in [&[][..], &["--no-sandbox"], &["--read-only"]] {
        let place = Place::new();
        place.make("first.txt");
        let mut server = Server::start(&place, flags);
        server.done("read_file", &json!({ "path": "a.txt" }));
        let aside = place.at("aside");
        fs::rename(&place.root, &aside).unwrap();
        let mut tried = |story: &str| {
            let before = (snapshot(&aside), snapshot(&place.root));
            for (tool, arguments) in [
                ("read_file", json!({ "path": "a.txt" })),
                ("list_directory", json!({ "path": "." })),
                ("search_files", json!({ "query": "inside", "mode": "text" })),
                ("glob", json!({ "pattern": "*" })),
                ("list_batches", json!({})),
                ("list_trash", json!({})),
                ("create_file", file("second.txt")),
                ("delete_file", json!({ "path": "a.txt" })),
            ] {
                let said = server.call(tool, &arguments);
                let told = said.text.contains("start again") || (flags == ["--read-only"] && said.refused);
                assert!(said.refused && told, "{flags:?}, {story}, {tool}: {}", said.text);
            }
            assert_eq!((snapshot(&aside), snapshot(&place.root)), before, "{flags:?}, {story}");
        };
        fs::create_dir(&place.root).unwrap();
        fs::write(place.path("a.txt"), "another one\n").unwrap();
        tried("another folder");
        fs::remove_dir_all(&place.root).unwrap();
        fs::write(&place.root, "a file\n").unwrap();
        tried("a file");
        fs::remove_file(&place.root).unwrap();
        tried("nothing");
        fs::rename(&aside, &place.root).unwrap();
        assert!(server.done("read_file", &json!({ "path": "a.txt" })).contains("inside"), "{flags:?}: it is back");
        server.close();
    }
}

/// In every place, all of it comes back: the folders, what makes git ignore them, a log that begins; and the answer says
/// that history was lost.
#[test]
fn state_that_was_removed_comes_back_whole_and_the_loss_is_told() {
    for (repository, state) in [(false, ".patchwright"), (true, ".git/patchwright")] {
        for flags in [&[][..], &["--no-sandbox"]] {
            let story = format!("{state} {flags:?}");
            let place = Place::new();
            if repository {
                init(&place.root);
            }
            let mut server = Server::start(&place, flags);
            server.done("create_file", &file("one.txt"));
            let record = place.record();
            fs::remove_dir_all(place.path(state)).unwrap();
            // A look in between finds that nothing is there, and forgets nothing.
            server.done("list_batches", &json!({}));
            let said = server.done("create_file", &file("two.txt"));
            assert!(said.contains("history"), "{story}: {said}");
            let again = server.done("create_file", &file("three.txt"));
            assert!(!again.contains("history"), "{story}: told once: {again}");
            let edits = json!([{ "oldText": "inside", "newText": "within" }]);
            server.done("edit_file", &json!({ "path": "a.txt", "edits": edits }));
            server.done("delete_file", &json!({ "path": "d/b.txt" }));
            server.done("undo", &json!({ "path": "a.txt" }));
            assert_eq!(place.record(), record, "{story}: the same record");
            if !repository {
                for folder in [&place.path(state), &record] {
                    assert_eq!(fs::read_to_string(folder.join(".gitignore")).unwrap().trim(), "*", "{story}");
                }
            }
            for shelf in ["blobs", "trash"] {
                assert!(record.join(shelf).is_dir(), "{story}: {shelf}");
            }
            server.close();
            assert_eq!(place.verify(), Some(1), "{story}: it shows");
            place.make("four.txt");
        }
    }
}
