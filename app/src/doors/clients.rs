//! Doors: what is known of MCP clients by the names that they give themselves. A name is a label that anybody can use:
//! it picks a dialect and the size of a reading, never what is permitted.

use patchwright_core::tool::Profile;

/// What suits a client.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Known {
    name: Name,
    /// The dialect that its models write best.
    pub(super) profile: Profile,
    /// So many bytes of a file it shows its model whole: how much a read gives where the caller does not say.
    pub(super) read_bytes: usize,
}

#[derive(Debug, PartialEq, Eq)]
enum Name {
    Exactly(&'static str),
    Begins(&'static str),
}

/// How much a read gives to a client of whom nothing else is known.
const READ_BYTES: usize = 24 << 10;

/// Any client that is not in the table.
const UNKNOWN: Known = Known { name: Name::Begins(""), profile: Profile::Strings, read_bytes: READ_BYTES };

/// What `cargo xtask agents` measured, less a tenth.
const KNOWN: &[Known] = &[
    Known { name: Name::Exactly("codex-mcp-client"), profile: Profile::Envelope, read_bytes: 9 << 10 },
    Known { name: Name::Exactly("claude-code"), profile: Profile::Strings, read_bytes: 43 << 10 },
    Known { name: Name::Exactly("opencode"), profile: Profile::Strings, read_bytes: 43 << 10 },
    Known { name: Name::Exactly("gemini-cli-mcp-client"), profile: Profile::Strings, read_bytes: 28 << 10 },
    Known { name: Name::Begins("qwen-cli-mcp-client-"), profile: Profile::Strings, read_bytes: 21 << 10 },
    Known { name: Name::Exactly("copilot-cli"), profile: Profile::Strings, read_bytes: 14 << 10 },
    Known { name: Name::Exactly("continue-cli-client"), profile: Profile::Strings, read_bytes: 86 << 10 },
    Known { name: Name::Exactly("@cline/core"), profile: Profile::Strings, read_bytes: 5 << 10 },
];

/// What is known of the client of this name.
pub(super) fn known(name: &str) -> &'static Known {
    let fits = |known: &&Known| match known.name {
        Name::Exactly(whole) => whole == name,
        Name::Begins(start) => name.starts_with(start),
    };
    KNOWN.iter().find(fits).unwrap_or(&UNKNOWN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (name, profile) in [
            ("codex-mcp-client", Profile::Envelope),
            ("codex-mcp-client-2", Profile::Strings),
            ("Codex-MCP-Client", Profile::Strings),
            ("claude-code", Profile::Strings),
            ("qwen-cli-mcp-client-patchwright", Profile::Strings),
            ("", Profile::Strings),
        ] {
            assert_eq!(known(name).profile, profile, "{name}");
        }
        assert_eq!(known("qwen-cli-mcp-client-x").name, Name::Begins("qwen-cli-mcp-client-"));
        assert_eq!(known("anybody"), &UNKNOWN);
    }

    /// Whatever a client calls itself, it gets one dialect, and never more.
    #[test]
    fn a_name_picks_one_dialect() {
        let one = [Profile::Envelope, Profile::Anchors, Profile::Strings, Profile::Lines];
        assert!(KNOWN.iter().all(|known| one.contains(&known.profile)));
    }
}
