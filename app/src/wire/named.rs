//! The files that arguments name, as far as that can be told without understanding them: for the record of a call
//! that was refused before it became one.

use super::Json;
use patchwright_core::dialect::unified;

/// Arguments that are a path.
const PATHS: [&str; 8] =
    ["path", "fromPath", "toPath", "targetPath", "docPath", "fromDocPath", "toDocPath", "targetDocPath"];
/// Lines of an envelope that begin so name a file behind it.
const HEADERS: [&str; 5] = ["*** Add File:", "*** Update File:", "*** Delete File:", "*** Move File:", "*** Move to:"];
/// So many are named: nobody fills the record by being refused.
const MOST: usize = 100;

/// The names, each once, in arguments as the tool's parameters have them.
pub fn named(arguments: &Json) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let Json::Object(fields) = arguments else { return names };
    for (key, value) in fields {
        match (key.as_str(), value) {
            (key, Json::Text(path)) if PATHS.contains(&key) => names.push(path.clone()),
            ("patch", Json::Text(patch)) if unified::is_diff(patch) => names.extend(patch.lines().flat_map(in_diff)),
            ("patch", Json::Text(patch)) => names.extend(patch.lines().filter_map(in_header).flatten()),
            ("files", Json::List(files)) => names.extend(files.iter().flat_map(named)),
            _ => {}
        }
    }
    let mut known = std::collections::HashSet::new();
    names.retain(|name| !name.is_empty() && known.insert(name.clone()));
    names.truncate(MOST);
    names
}

/// The files that a line of an envelope names; two in that of a move.
fn in_header(line: &str) -> Option<Vec<String>> {
    let rest = HEADERS.iter().find_map(|header| line.strip_prefix(header))?;
    Some(rest.split(" -> ").map(|name| name.trim().to_owned()).collect())
}

/// The file that a line of a diff names; a line that goes and looks so is named too.
fn in_diff(line: &str) -> Option<String> {
    let rest = ["--- ", "+++ ", "rename from ", "rename to "].iter().find_map(|word| line.strip_prefix(word))?;
    let name = rest.split('\t').next().unwrap_or_default();
    let bare = ["a/", "b/"].iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
    (name != "/dev/null").then(|| bare.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::parse_json;

    #[test]
    fn names() {
        let check = |json: &str, want: &[&str]| assert_eq!(named(&parse_json(json).unwrap()), want, "{json}");
        check(r#"{"path":"a","content":"b","pth":"c"}"#, &["a"]);
        check(r#"{"fromPath":"a","toPath":"b","x":1}"#, &["a", "b"]);
        check(r#"{"path":1,"docPath":""}"#, &[]);
        check(
            r#"{"patch":"*** Begin Patch\n*** Add File: a\n+*** Add File: no\n*** Move File: b -> c\n","y":2}"#,
            &["a", "b", "c"],
        );
        check(r#"{"patch":"--- a/x\t1970\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n","y":2}"#, &["x"]);
        check(r#"{"patch":"diff --git a/x b/y\nrename from x\nrename to y\n"}"#, &["x", "y"]);
        check(r#"{"files":[{"docPath":"d"},{"docPath":"e"},{"docPath":"d"}],"z":0}"#, &["d", "e"]);
        check("[]", &[]);
    }
}
