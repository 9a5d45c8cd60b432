//! The `@@` line of a unified diff. It counts lines, in a diff and in whatever else it is copied to.

/// What an `@@` line says: where and how many lines, of both sides.
#[derive(Clone, Copy)]
pub(super) struct Said {
    pub(super) starts: (u64, u64),
    pub(super) counts: (u64, u64),
}

/// Is the text after an `@@` that of a unified diff, with line numbers?
pub(super) fn is_range(header: &str) -> bool {
    said(&format!("@@ {header}")).is_some()
}

/// `@@ -a,b +c,d @@ text`
pub(super) fn said(line: &str) -> Option<Said> {
    let (old, rest) = line.strip_prefix("@@ -")?.split_once(" +")?;
    let (new, text) = rest.split_once(" @@")?;
    let ((old_start, old), (new_start, new)) = (range(old)?, range(new)?);
    let apart = text.is_empty() || text.starts_with(' ');
    apart.then_some(Said { starts: (old_start, new_start), counts: (old, new) })
}

fn range(text: &str) -> Option<(u64, u64)> {
    let number = |digits: &str| {
        let plain = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
        plain.then(|| digits.parse().ok())?
    };
    match text.split_once(',') {
        Some((start, count)) => Some((number(start)?, number(count)?)),
        None => Some((number(text)?, 1)),
    }
}
