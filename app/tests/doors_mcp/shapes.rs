//! Messages of odd shapes: each is answered, and none is taken for another.

use super::{Session, at, workspace};
use serde_json::{Value, json};

fn check(line: &str, code: i64, id: &Value, said: &str) {
    let folder = workspace();
    let mut session = Session::with(folder.path(), &[]);
    session.write(format!("{line}\n").as_bytes());
    let answer = session.next().unwrap();
    assert_eq!((at(&answer, "/error/code"), at(&answer, "/id")), (&json!(code), id), "{line}: {answer}");
    assert!(at(&answer, "/error/message").as_str().unwrap().contains(said), "{line}: {answer}");
    session.is_alive();
    assert!(session.close().is_empty());
    assert!(folder.path().join("a.txt").exists());
}

#[test]
fn a_batch_is_refused_and_nothing_in_it_is_done() {
    let delete = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"delete_file","arguments":{"path":"a.txt"}}}"#;
    let said = "send each message on a line of its own";
    check(&format!("[{delete},{delete}]"), -32600, &Value::Null, said);
    check("[]", -32600, &Value::Null, said);
    // Its elements in order would make a message.
    check(r#"["2.0",1,"tools/call",{"name":"delete_file","arguments":{"path":"a.txt"}}]"#, -32600, &Value::Null, said);
}

#[test]
fn parameters_have_names() {
    let said = "must be an object with names";
    for (method, params) in [
        ("tools/call", r#"["read_file",{"path":"a.txt"}]"#),
        ("tools/list", "[]"),
        ("ping", "[1]"),
        ("tools/call", "\"read_file\""),
    ] {
        let line = format!(r#"{{"jsonrpc":"2.0","id":4,"method":"{method}","params":{params}}}"#);
        check(&line, -32602, &json!(4), said);
    }
}

#[test]
fn an_id_that_is_null_is_answered() {
    for method in ["tools/list", "ping", "tools/call", "made/up"] {
        let line = format!(r#"{{"jsonrpc":"2.0","id":null,"method":"{method}","params":{{}}}}"#);
        check(&line, -32600, &Value::Null, "`id` must be a string or a whole number");
    }
}

#[test]
fn a_cursor_that_nobody_gave_is_refused() {
    for (cursor, said) in [("\"2\"", "there is no page \"2\""), ("2", "must be a string"), ("{}", "must be a string")] {
        let line = format!(r#"{{"jsonrpc":"2.0","id":5,"method":"tools/list","params":{{"cursor":{cursor}}}}}"#);
        check(&line, -32602, &json!(5), said);
    }
}
