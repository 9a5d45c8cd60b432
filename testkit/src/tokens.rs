//! What a text costs a model: its tokens in the `o200k_base` encoding, by the table that `tiktoken-rs` carries.

use tiktoken_rs::{CoreBPE, o200k_base_singleton};

/// How many tokens a text is. Marks that only a model's own server may send count as plain text.
pub fn count(text: &str) -> usize {
    let encoding: &CoreBPE = o200k_base_singleton();
    encoding.encode_ordinary(text).len()
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn known_counts() {
        for (text, want) in [("", 0), ("hello world", 2), ("<|endoftext|>", 7), ("fn main() {}\n", 4)] {
            assert_eq!(count(text), want, "{text:?}");
        }
    }
}
