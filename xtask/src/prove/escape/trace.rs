//! What `strace -f -y` wrote, read back: which names a program changed, wherever it did so from.
//!
//! Only calls that succeeded count: a refused attempt to leave is the guard at work. With `-y` every handle is
//! shown with its path, so each name can be told in full.

use std::collections::BTreeMap;

/// System calls that change a name or what it leads to, and those that can open something for writing.
pub(super) const CALLS: &str = "open,openat,openat2,creat,rename,renameat,renameat2,link,linkat,symlink,symlinkat,\
unlink,unlinkat,rmdir,mkdir,mkdirat,mknod,mknodat,chmod,fchmod,fchmodat,chown,fchown,lchown,fchownat,truncate,\
utimensat,setxattr,lsetxattr,fsetxattr,removexattr,lremovexattr,fremovexattr";

/// Every path that was changed or opened for writing, in full.
pub(super) fn changed(text: &str) -> Vec<String> {
    let mut halves: BTreeMap<&str, String> = BTreeMap::new();
    let mut found = Vec::new();
    for line in text.lines() {
        let (process, rest) = line.split_once(' ').unwrap_or_default();
        let rest = rest.trim_start();
        if let Some(first) = rest.strip_suffix(" <unfinished ...>") {
            halves.insert(process, first.to_owned());
        } else if let Some((_, second)) = rest.strip_prefix("<... ").and_then(|rest| rest.split_once(" resumed>")) {
            let whole = halves.remove(process).unwrap_or_default() + second;
            found.extend(of_call(&whole));
        } else {
            found.extend(of_call(rest));
        }
    }
    found
}

/// The paths that one call changed.
fn of_call(line: &str) -> Vec<String> {
    let Some((name, rest)) = line.split_once('(') else { return Vec::new() };
    let (arguments, rest) = arguments(rest);
    let Some(result) = rest.trim_start().strip_prefix("= ").filter(|result| !result.starts_with(['-', '?'])) else {
        return Vec::new();
    };
    let at = |at: usize| arguments.get(at).map(String::as_str).unwrap_or_default();
    match name {
        "open" | "openat" | "openat2" | "creat" => {
            let flags = arguments.iter().any(|argument| is_for_writing(argument)) || name == "creat";
            flags.then(|| handle(result)).into_iter().collect()
        }
        "rename" | "link" => vec![joined("", at(0)), joined("", at(1))],
        "renameat" | "renameat2" | "linkat" => vec![joined(at(0), at(1)), joined(at(2), at(3))],
        "symlink" => vec![joined("", at(1))],
        "symlinkat" => vec![joined(at(1), at(2))],
        "fchmod" | "fchown" | "fsetxattr" | "fremovexattr" => vec![handle(at(0))],
        "utimensat" if at(1) == "NULL" => vec![handle(at(0))],
        "unlinkat" | "mkdirat" | "mknodat" | "fchmodat" | "fchownat" | "utimensat" => vec![joined(at(0), at(1))],
        _ => vec![joined("", at(0))],
    }
}

fn is_for_writing(argument: &str) -> bool {
    !argument.starts_with('"')
        && ["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC"].iter().any(|flag| argument.contains(flag))
}

/// The path of `5</some/path>`.
fn handle(text: &str) -> String {
    let path = text.split_once('<').map(|(_, path)| path.trim_end().trim_end_matches('>')).unwrap_or(text);
    path.to_owned()
}

/// A name below a handle; an absolute one is itself.
fn joined(folder: &str, name: &str) -> String {
    let name = name.trim_matches('"');
    if name.starts_with('/') || folder.is_empty() { name.to_owned() } else { format!("{}/{name}", handle(folder)) }
}

/// The arguments up to the closing bracket, and what follows it.
fn arguments(text: &str) -> (Vec<String>, &str) {
    let (mut all, mut now, mut depth) = (Vec::new(), String::new(), 0_usize);
    let mut letters = text.char_indices().peekable();
    let mut quoted = false;
    while let Some((at, letter)) = letters.next() {
        let next = letters.peek().map(|(_, letter)| *letter);
        match letter {
            '\\' if quoted => {
                now.push(letter);
                now.extend(letters.next().map(|(_, letter)| letter));
                continue;
            }
            '"' if depth == 0 || quoted => quoted = !quoted,
            _ if quoted => {}
            '<' => depth = depth.saturating_add(1),
            // A name may hold this sign; a handle ends where an argument does.
            '>' if matches!(next, Some(',' | ')')) => depth = depth.saturating_sub(1),
            '{' | '[' => depth = depth.saturating_add(1),
            '}' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                all.push(now.trim().to_owned());
                now.clear();
                continue;
            }
            ')' if depth == 0 => {
                all.push(now.trim().to_owned());
                return (all, text.get(at.saturating_add(1)..).unwrap_or_default());
            }
            _ => {}
        }
        now.push(letter);
    }
    all.push(now);
    (all, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(changed(text), expected, "{text}");
    }

    #[test]
    fn what_was_changed() {
        check(r#"7 openat(3</ws>, "a", O_RDONLY|O_CLOEXEC) = 4</ws/a>"#, &[]);
        check(r#"7 openat(3</ws>, "a", O_RDWR|O_CREAT, 0600) = 4</ws/a>"#, &["/ws/a"]);
        check(r#"7 openat(3</ws>, "O_RDWR", O_RDONLY) = 4</ws/O_RDWR>"#, &[]);
        check(r#"7 openat(3</ws>, "a", O_WRONLY) = -1 ENOENT (No such file or directory)"#, &[]);
        check(r#"7 openat2(3</ws>, "l", {flags=O_RDWR, resolve=RESOLVE_BENEATH}, 24) = 4</out/x>"#, &["/out/x"]);
        check(r#"7 renameat2(3</ws>, "a, \"b", 4</ws/d>, "c", RENAME_EXCHANGE) = 0"#, &[r#"/ws/a, \"b"#, "/ws/d/c"]);
        check(r#"7 unlinkat(3</ws>, "../x", 0) = 0"#, &["/ws/../x"]);
        check(r#"7 mkdir("/tmp/x", 0777) = 0"#, &["/tmp/x"]);
        check(r#"7 symlinkat("/etc", 3</ws>, "l") = 0"#, &["/ws/l"]);
        check(r#"7 fchmod(4</out/x>, 0600) = 0"#, &["/out/x"]);
        check(r#"7 utimensat(4</out/x>, NULL, [{tv_sec=1}, {tv_sec=2}], 0) = 0"#, &["/out/x"]);
        check(
            "7 rename(\"/a\" <unfinished ...>\n8 unlink(\"/c\") = 0\n7 <... rename resumed>, \"/b\") = 0",
            &["/c", "/a", "/b"],
        );
    }
}
