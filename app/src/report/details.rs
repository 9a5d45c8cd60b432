//! The facts of a refusal as fields, for programs; the sentences are in `words`.

use super::fields::{Fields, sort};
use super::{arguments, conflicts, denied, edits, folders, matching, patches};
use patchwright_core::locate::nearest::{Difference, Nearest, Pair};
use patchwright_core::locate::visible;
use patchwright_core::path::{NameProblem, PathProblem};
use patchwright_core::policy::{Access, Denial, Rule};
use patchwright_core::refusal::{
    ArgumentFault, Expected, HunkRef, Misfit, Missing, Sought, Stale, StaleReason, Unseen, Why,
};
use serde_json::{Value, json};

/// The facts of a refusal, where there are any beyond the kind and the path. Those of line patches are in `trouble`.
pub(super) fn of_refusal(path: Option<&str>, why: &Why) -> Option<Value> {
    Some(match why {
        Why::Arguments(faults) => json!({ "faults": faults.iter().map(argument).collect::<Vec<_>>() }),
        Why::Path(problem) => json!({ "reason": path_word(*problem) }),
        Why::LinkLeavesRoot => json!({ "reason": "link" }),
        Why::LinkTarget { target, relative } => {
            json!({ "reason": "linkTarget", "linkTarget": target, "relative": relative })
        }
        Why::LinkMoved { to, target, relative } => {
            json!({ "reason": "linkMoved", "toPath": to, "linkTarget": target, "relative": relative })
        }
        Why::Name(problem) => name(*problem),
        Why::NotFound(missing) => self::missing(missing),
        Why::AlreadyExists(found) | Why::VersionOccupied(found) => json!({ "type": sort(*found) }),
        Why::Denied(denial) => self::denial(denial),
        Why::Hidden { id, count, .. } => json!({ "access": "read", "rule": "hidden", "id": id, "files": count }),
        Why::ReadOnly => json!({ "access": "write", "rule": "read_only" }),
        Why::NotShown { tool, group } => {
            json!({ "rule": "not_shown", "tool": tool, "flag": denied::flag(group) })
        }
        Why::SpecialFile => json!({ "reason": "special_file" }),
        Why::Forbidden(said) | Why::Pattern(said) | Why::Glob(said) => json!({ "said": said }),
        Why::TooLarge { size, limit, setting } => json!({ "sizeBytes": size, "limitBytes": limit, "setting": setting }),
        Why::Encoding { charset, line, unencodable } => Fields::new()
            .put("encoding", charset.as_str())
            .maybe("line", *line)
            .maybe("character", unencodable.map(code_point))
            .done(),
        Why::Stale(stale) => self::stale(path, stale),
        Why::Unseen(unseen) => self::unseen(path, unseen),
        Why::Folder(fault) => folders::details(path, fault),
        Why::KeyReused { batch } => Fields::new().batch(Some(batch)).done(),
        Why::Busy { waited_ms, holder } => super::holder::details(*waited_ms, holder.as_deref()),
        Why::RootMoved { path, now } => json!({ "root": path, "now": super::holder::now_word(*now) }),
        Why::SameFileTwice { other } => json!({ "other": other }),
        Why::Conflict(conflict) => conflicts::details(conflict),
        Why::AmbiguousDoc(paths) => json!({ "paths": paths }),
        other => return of_match(path, other),
    })
}

fn of_match(path: Option<&str>, why: &Why) -> Option<Value> {
    Some(match why {
        Why::OldTextNotFound { edit, nearest, already_at, .. } => Fields::new()
            .put("editIndex", *edit)
            .maybe("nearest", nearest.as_deref().map(self::nearest))
            .maybe("alreadyPresentAtLines", (!already_at.is_empty()).then(|| already_at.clone()))
            .done(),
        Why::MultipleMatches { edit, expected, count, lines, overlapping, .. } => Fields::new()
            .put("editIndex", *edit)
            .maybe("expectedOccurrences", *expected)
            .put("count", *count)
            .put("lines", lines.clone())
            .maybe("overlapping", overlapping.then_some(true))
            .done(),
        Why::OverlappingEdits { edits: (a, b), lines: (at_a, at_b) } => {
            json!({ "editIndexes": [a, b], "lines": [at_a, at_b] })
        }
        other => return of_patch(path, other),
    })
}

fn of_patch(path: Option<&str>, why: &Why) -> Option<Value> {
    let about =
        |hunk: &HunkRef| Fields::new().maybe("path", path).put("hunkIndex", hunk.index).put("patchLine", hunk.at);
    Some(match why {
        Why::Syntax(syntax) => Fields::new()
            .put("line", syntax.line)
            .put("expected", patches::expected(syntax.expected).as_ref())
            .maybe("found", syntax.found.as_deref())
            .put("excerpt", patches::excerpt(syntax))
            .done(),
        Why::HunkMisfit { hunk, misfit } => self::misfit(about(hunk).put("reason", "context_not_found"), misfit),
        Why::HunkMany { hunk, sought, count, lines, disk } => {
            let (header, settled) = match sought {
                Sought::Header(header) => (Some(header.as_str()), None),
                Sought::OldLines { settled } => (None, *settled),
            };
            about(hunk)
                .put("count", *count)
                .put("lines", lines.clone())
                .maybe("linesOnDisk", (lines != disk).then(|| disk.clone()))
                .maybe("header", header)
                .maybe("lineInScope", settled)
                .done()
        }
        Why::HunkOverlap { hunk, earlier, line } => {
            about(hunk).put("earlierHunkIndex", earlier.index).put("line", *line).done()
        }
        Why::HunkBare { hunk } => about(hunk).put("reason", "missing_context").done(),
        Why::DuplicatePath { other } => {
            Fields::new().maybe("path", path).put("reason", "duplicate_path").put("other", other.as_str()).done()
        }
        Why::CommitFailed { doing, said } => Fields::new()
            .maybe("path", path)
            .put("reason", "commit_failed")
            .put("doing", *doing)
            .put("said", said.as_str())
            .done(),
        Why::AbsolutePath(written) => Fields::new()
            .put("reason", "absolute_path")
            .maybe("relativePath", written.as_ref().map(|written| written.relative.as_str()))
            .done(),
        Why::HunksForLink => json!({ "reason": "link" }),
        other => return edits::details(other),
    })
}

fn misfit(fields: Fields, misfit: &Misfit) -> Value {
    match misfit {
        Misfit::Nowhere { nearest, already_at, .. } => fields
            .maybe("nearest", nearest.as_deref().map(self::nearest))
            .maybe("alreadyPresentAtLines", (!already_at.is_empty()).then(|| already_at.clone()))
            .done(),
        Misfit::NotAtEnd(lines) => fields.put("fact", "not_at_end").put("lines", lines.clone()).done(),
        Misfit::EndsInNewline => fields.put("fact", "ends_in_newline").done(),
        Misfit::NoHeader { header, .. } => fields.put("fact", "no_header").put("header", header.as_str()).done(),
        Misfit::OutOfScope { header, scope: (first, last), lines } => fields
            .put("fact", "out_of_scope")
            .put("header", header.as_str())
            .put("scope", vec![*first, *last])
            .put("lines", lines.clone())
            .done(),
        Misfit::LinesLeft(count) => fields.put("fact", "lines_left").put("count", *count).done(),
        Misfit::LineEnds { at, .. } => fields.put("fact", "line_ends").put("line", *at).done(),
    }
}

/// One argument that does not fit.
pub(super) fn argument(fault: &ArgumentFault) -> Value {
    let (known, meant) = match &fault.expected {
        Expected::Field { known, meant } => (Some(known.clone()), meant.as_deref()),
        _ => (None, None),
    };
    Fields::new()
        .put("argument", fault.at.as_str())
        .put("expected", arguments::expected(&fault.expected))
        .put("got", fault.got.as_str())
        .maybe("knownFields", known)
        .maybe("didYouMean", meant)
        .done()
}

fn path_word(problem: PathProblem) -> &'static str {
    match problem {
        PathProblem::Empty => "empty",
        PathProblem::Outside => "outside",
        PathProblem::Nul => "nul",
        PathProblem::TooLong => "too_long",
    }
}

fn name(problem: NameProblem) -> Value {
    let (reason, ch) = match problem {
        NameProblem::Backslash => ("backslash", '\\'),
        NameProblem::Control(ch) => ("control", ch),
        NameProblem::Bidi(ch) => ("bidirectional", ch),
        NameProblem::Tag(ch) => ("tag", ch),
    };
    json!({ "reason": reason, "character": code_point(ch) })
}

fn missing(missing: &Missing) -> Value {
    match missing {
        Missing::File { alike } => json!({ "reason": "absent", "alike": alike }),
        Missing::Parent { folder } => json!({ "reason": "parent_absent", "folder": folder }),
        Missing::IsFolder => json!({ "reason": "is_directory" }),
        Missing::IsFile => json!({ "reason": "is_file" }),
        Missing::LinkTarget => json!({ "reason": "dangling_link" }),
        Missing::TrashEntry { id } => json!({ "reason": "no_trash_entry", "trashId": id }),
        Missing::Neighbour { alike } => {
            json!({ "reason": "absent", "argument": "expectedSha256ByPath", "alike": alike })
        }
        Missing::Batch { id } => json!({ "reason": "no_batch", "batchId": id }),
        Missing::Kept => json!({ "reason": "not_kept" }),
        Missing::Version(missing) => super::versions::details(missing),
        Missing::LinkVersion => json!({ "reason": "was_link" }),
        Missing::Change { id, batch } | Missing::ChangeNotBatch { id, batch } => {
            Fields::new().put("reason", "no_change").put("changeId", id.as_str()).batch(Some(batch)).done()
        }
        Missing::AnyChange { id } => json!({ "reason": "no_change", "changeId": id }),
        Missing::Session { id } | Missing::AnySession { id } => json!({ "reason": "no_session", "sessionId": id }),
        Missing::Undoable => json!({ "reason": "nothing_to_undo" }),
    }
}

fn denial(denial: &Denial) -> Value {
    let pattern = match &denial.rule {
        Rule::Secret(pattern) => Some((*pattern).to_owned()),
        Rule::Deny(glob) => Some(glob.clone()),
        _ => None,
    };
    let access = match denial.access {
        Access::Read => "read",
        Access::Write => "write",
    };
    Fields::new()
        .put("access", access)
        .put("rule", denial.rule.name())
        .maybe("pattern", pattern)
        .maybe("setting", denied::setting(denial))
        .maybe("through", denial.through.as_deref())
        .done()
}

fn stale(path: Option<&str>, stale: &Stale) -> Value {
    let reason = match stale.reason {
        StaleReason::Mismatch => "mismatch",
        StaleReason::Unproven => "unproven",
        StaleReason::ChangedSinceSeen => "changed_since_seen",
        StaleReason::ChangedMeanwhile => "changed_meanwhile",
    };
    json!({
        "path": path,
        "expectedSha256": stale.expected,
        "actualSha256": stale.actual.map(|digest| digest.to_string()),
        "reason": reason,
    })
}

fn unseen(path: Option<&str>, unseen: &Unseen) -> Value {
    let lines: Vec<Value> = unseen.lines.iter().map(|(first, last)| json!([first, last])).collect();
    Fields::new()
        .put("path", path)
        .put("expectedSha256", Value::Null)
        .put("actualSha256", unseen.actual.to_string())
        .put("reason", "unproven")
        .put("unseenLines", lines)
        .maybe("unseenCount", (unseen.stretches > unseen.lines.len()).then_some(unseen.stretches))
        .done()
}

fn nearest(nearest: &Nearest) -> Value {
    Fields::new()
        .put("startLine", nearest.start_line)
        .put("looksLike", matching::reason_word(nearest.looks_like))
        .maybe("firstDifference", nearest.first_difference.as_ref().map(difference))
        .put("lines", nearest.lines.iter().map(pair).collect::<Vec<_>>())
        .done()
}

fn pair(pair: &Pair) -> Value {
    json!({ "line": pair.line_no, "expected": pair.wanted, "found": pair.found, "same": pair.same })
}

/// The texts as they are, and with blanks made visible, since a difference of blanks is the common one.
fn difference(difference: &Difference) -> Value {
    let seen = |text: &Option<String>| text.as_deref().map(visible);
    json!({
        "line": difference.line_no,
        "expected": difference.wanted,
        "found": difference.found,
        "expectedVisible": seen(&difference.wanted),
        "foundVisible": seen(&difference.found),
    })
}

fn code_point(ch: char) -> String {
    format!("U+{:04X}", u32::from(ch))
}
