//! Two connections on one workspace, and what each of them counts as shown.

use super::{Session, at};
use serde_json::json;
use std::fs;

fn said(session: &mut Session, tool: &str, arguments: &serde_json::Value) -> String {
    at(&session.call(tool, arguments), "/result/content/0/text").as_str().unwrap().to_owned()
}

#[test]
fn an_edit_beside_what_another_connection_did() {
    let folder = tempfile::tempdir().unwrap();
    let lines: String = (1..=30).map(|line| format!("l{line}\n")).collect();
    fs::write(folder.path().join("f"), &lines).unwrap();
    let (mut one, mut two) = (Session::with(folder.path(), &[]), Session::with(folder.path(), &[]));
    let edit = |old: &str, new: &str| json!({ "path": "f", "edits": [{ "oldText": old, "newText": new }] });
    for session in [&mut one, &mut two] {
        said(session, "read_file", &json!({ "path": "f" }));
    }
    assert_eq!(said(&mut one, "edit_file", &edit("l20\n", "theirs\n")), "b1: edited f, line 20");
    assert_eq!(
        said(&mut two, "edit_file", &edit("l5\n", "mine\n")),
        "b2: edited f, line 5\nWarning: f has changed since you saw it, by b1: line 20. This edit keeps clear of that, \
         and you have not seen it: read_file {\"path\":\"f\",\"startLine\":20,\"endLine\":20} shows it."
    );
    // Near what the other did it is refused, and so is writing over it, until it was read.
    let text = lines.replace("l20\n", "theirs\n").replace("l5\n", "mine\n");
    for (tool, call) in
        [("edit_file", edit("l18\n", "near\n")), ("write_file", json!({ "path": "f", "content": "all mine\n" }))]
    {
        let refused = said(&mut two, tool, &call);
        assert!(refused.starts_with("stale_file: ") && refused.contains("-l20\n+theirs\n"), "{refused}");
        assert_eq!(fs::read_to_string(folder.path().join("f")).unwrap(), text);
    }
    said(&mut two, "read_file", &json!({ "path": "f", "startLine": 20, "endLine": 20 }));
    assert_eq!(said(&mut two, "edit_file", &edit("l18\n", "near\n")), "b3: edited f, line 18");
}

#[test]
fn entries_that_a_text_has_no_room_for_were_not_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let name = |number: usize| format!("{number:03}-{}", "n".repeat(150));
    for number in 0..200 {
        fs::write(folder.path().join(name(number)), format!("{number}\n")).unwrap();
    }
    let mut session = Session::with(folder.path(), &[]);
    let listed = said(&mut session, "list_directory", &json!({ "hashes": true }));
    let shown = listed.lines().count() - 1;
    assert!(shown > 50 && shown < 190 && listed.contains("go on with cursor"), "{shown}");
    let delete = |session: &mut Session, number| said(session, "delete_file", &json!({ "path": name(number) }));
    assert!(delete(&mut session, shown - 1).starts_with("b1: deleted"));
    assert!(delete(&mut session, shown).starts_with("stale_file: You have not read"));
    assert!(delete(&mut session, 199).starts_with("stale_file: You have not read"));
    // A program is given all of them.
    let mut program = Session::open(folder.path());
    program.call("list_directory", &json!({ "hashes": true }));
    let done = program.call("delete_file", &json!({ "path": name(199) }));
    assert_eq!(at(&done, "/result/structuredContent/ok"), &json!(true), "{done}");
}
