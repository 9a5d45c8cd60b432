//! MCP door: finds the `id` of a message that will never be parsed, because it is too long or broken.
//! Works on bytes as they pass by and keeps next to nothing, so that a client is told *which* request
//! failed instead of waiting for it for ever. Whether the message is JSON at all is for others to say.

use rmcp::model::RequestId;

/// Longest `id` that is looked at; longer ones count as absent.
const LONGEST: usize = 256;

/// Watches the bytes of one message for its top-level `id`.
#[derive(Debug)]
pub(super) struct IdScan {
    depth: usize,
    string: Quote,
    part: Part,
    kept: Vec<u8>,
    found: Option<RequestId>,
}

#[derive(Debug, PartialEq, Eq)]
enum Quote {
    Outside,
    Inside,
    AfterBackslash,
}

#[derive(Debug, PartialEq, Eq)]
enum Part {
    Key,
    Id,
    OtherValue,
}

impl IdScan {
    pub(super) fn new() -> IdScan {
        IdScan { depth: 0, string: Quote::Outside, part: Part::Key, kept: Vec::new(), found: None }
    }

    /// The `id` in one whole message.
    pub(super) fn of(message: &[u8]) -> Option<RequestId> {
        let mut scan = IdScan::new();
        scan.feed(message);
        scan.finish()
    }

    /// Takes the next bytes of the message.
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.step(*byte);
        }
    }

    /// The `id`, if the message had a usable one.
    pub(super) fn finish(self) -> Option<RequestId> {
        self.found
    }

    fn step(&mut self, byte: u8) {
        match self.string {
            Quote::Outside => self.outside(byte),
            Quote::Inside => {
                self.keep(byte);
                self.string = match byte {
                    b'"' => Quote::Outside,
                    b'\\' => Quote::AfterBackslash,
                    _ => Quote::Inside,
                };
            }
            Quote::AfterBackslash => {
                self.keep(byte);
                self.string = Quote::Inside;
            }
        }
    }

    fn outside(&mut self, byte: u8) {
        match byte {
            b'"' => {
                self.keep(byte);
                self.string = Quote::Inside;
            }
            b'{' | b'[' => {
                self.depth = self.depth.saturating_add(1);
                self.kept.clear();
            }
            b'}' | b']' => {
                self.settle();
                self.depth = self.depth.saturating_sub(1);
            }
            b':' if self.depth == 1 => {
                self.part = if self.kept == b"\"id\"" { Part::Id } else { Part::OtherValue };
                self.kept.clear();
            }
            b',' if self.depth == 1 => {
                self.settle();
                self.part = Part::Key;
            }
            byte if byte.is_ascii_whitespace() => {}
            byte => self.keep(byte),
        }
    }

    fn keep(&mut self, byte: u8) {
        if self.depth == 1 && self.part != Part::OtherValue && self.kept.len() < LONGEST {
            self.kept.push(byte);
        }
    }

    /// A value of the top level has ended.
    fn settle(&mut self) {
        if self.depth == 1 && self.part == Part::Id && self.found.is_none() {
            self.found = serde_json::from_slice(&self.kept).ok();
        }
        if self.depth == 1 {
            self.kept.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(message: &str, want: Option<&str>) {
        let found = IdScan::of(message.as_bytes()).map(|id| id.into_json_value().to_string());
        assert_eq!(found.as_deref(), want, "{message}");
    }

    #[test]
    fn finds_the_id_of_the_message_and_no_other() {
        check(r#"{"jsonrpc":"2.0","id":7,"method":"x"}"#, Some("7"));
        check(r#"{"method":"x","params":{"id":3,"a":[{"id":4}]},"id":"seven"}"#, Some("\"seven\""));
        check(r#"{"params":{"text":"\"id\":9,{[","id":2} , "id" : -5 }"#, Some("-5"));
        check(r#"{"id":7,"params":{"cut off"#, Some("7"));
        check(r#"{"params":{"id":7}}"#, None);
        check(r#"{"text":"id","other":1}"#, None);
        check(r#"{"id":{"deep":1}}"#, None);
        check(r#"{"id":null}"#, None);
        check("", None);
        check("]]]}}}", None);
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_fine(bytes: Vec<u8>) {
            let _found = IdScan::of(&bytes);
        }
    }
}
