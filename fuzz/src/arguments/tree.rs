//! JSON read from its grammar alone, with every key of every object remembered.

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Tree {
    Null,
    Flag(bool),
    /// As it is spelt.
    Number(String),
    Text(String),
    List(Vec<Tree>),
    Object(Vec<(String, Tree)>),
}

/// What a text is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Reading {
    /// One value, and no key twice in one object.
    Sound(Tree),
    /// JSON with a key that comes twice.
    Twice,
    /// No JSON, or nested too deeply.
    Bad,
}

/// So many lists and objects may lie in each other.
const DEEPEST: usize = 127;

pub(super) fn read(text: &str) -> Reading {
    let chars: Vec<char> = text.chars().collect();
    let mut reader = Reader { chars: &chars, at: 0, twice: false };
    let value = reader.value(0);
    reader.blanks();
    match value {
        Some(value) if reader.at == chars.len() => match reader.twice {
            true => Reading::Twice,
            false => Reading::Sound(value),
        },
        _ => Reading::Bad,
    }
}

struct Reader<'a> {
    chars: &'a [char],
    at: usize,
    twice: bool,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let next = self.chars.get(self.at).copied();
        self.at += 1;
        next
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(' ' | '\t' | '\n' | '\r')) {
            self.at += 1;
        }
    }

    fn word(&mut self, word: &str, value: Tree) -> Option<Tree> {
        word.chars().all(|c| self.next() == Some(c)).then_some(value)
    }

    fn value(&mut self, depth: usize) -> Option<Tree> {
        self.blanks();
        match self.peek()? {
            'n' => self.word("null", Tree::Null),
            't' => self.word("true", Tree::Flag(true)),
            'f' => self.word("false", Tree::Flag(false)),
            '"' => self.text().map(Tree::Text),
            '[' if depth < DEEPEST => self.list(depth + 1),
            '{' if depth < DEEPEST => self.object(depth + 1),
            '-' | '0'..='9' => self.number(),
            _ => None,
        }
    }

    fn list(&mut self, depth: usize) -> Option<Tree> {
        self.at += 1;
        let mut items = Vec::new();
        self.blanks();
        if self.peek() == Some(']') {
            self.at += 1;
            return Some(Tree::List(items));
        }
        loop {
            items.push(self.value(depth)?);
            self.blanks();
            match self.next()? {
                ',' => {}
                ']' => return Some(Tree::List(items)),
                _ => return None,
            }
        }
    }

    fn object(&mut self, depth: usize) -> Option<Tree> {
        self.at += 1;
        let mut fields: Vec<(String, Tree)> = Vec::new();
        self.blanks();
        if self.peek() == Some('}') {
            self.at += 1;
            return Some(Tree::Object(fields));
        }
        loop {
            self.blanks();
            let key = (self.peek() == Some('"')).then(|| self.text()).flatten()?;
            self.blanks();
            if self.next()? != ':' {
                return None;
            }
            let value = self.value(depth)?;
            self.twice |= fields.iter().any(|(known, _)| *known == key);
            fields.push((key, value));
            self.blanks();
            match self.next()? {
                ',' => {}
                '}' => return Some(Tree::Object(fields)),
                _ => return None,
            }
        }
    }

    fn text(&mut self) -> Option<String> {
        self.at += 1;
        let mut text = String::new();
        loop {
            match self.next()? {
                '"' => return Some(text),
                '\\' => text.push(self.escaped()?),
                c if c < ' ' => return None,
                c => text.push(c),
            }
        }
    }

    fn escaped(&mut self) -> Option<char> {
        Some(match self.next()? {
            c @ ('"' | '\\' | '/') => c,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => match self.unit()? {
                high @ 0xD800..0xDC00 => {
                    let pair = self.next()? == '\\' && self.next()? == 'u';
                    let low = self.unit().filter(|low| pair && (0xDC00..0xE000).contains(low))?;
                    char::from_u32(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))?
                }
                unit => char::from_u32(unit)?,
            },
            _ => return None,
        })
    }

    fn unit(&mut self) -> Option<u32> {
        (0..4).try_fold(0, |sum, _| Some(sum * 16 + self.next()?.to_digit(16)?))
    }

    fn digits(&mut self) -> Option<String> {
        let mut digits = String::new();
        while let Some(c @ '0'..='9') = self.peek() {
            digits.push(c);
            self.at += 1;
        }
        (!digits.is_empty()).then_some(digits)
    }

    fn number(&mut self) -> Option<Tree> {
        let from = self.at;
        if self.peek() == Some('-') {
            self.at += 1;
        }
        let whole = self.digits()?;
        if whole.len() > 1 && whole.starts_with('0') {
            return None;
        }
        if self.peek() == Some('.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some('e' | 'E')) {
            self.at += 1;
            if matches!(self.peek(), Some('+' | '-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        let spelt: String = self.chars.get(from..self.at)?.iter().collect();
        // A number beyond all floats is no number to the product.
        spelt.parse::<f64>().is_ok_and(f64::is_finite).then_some(Tree::Number(spelt))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        let check = |text: &str, sound: bool, twice: bool| {
            let found = read(text);
            assert_eq!((matches!(found, Reading::Sound(_)), found == Reading::Twice), (sound, twice), "{text}");
        };
        for sound in ["null", " [1, -0.5e+3] ", r#"{"a": {"a": "\ud834\udd1e"}}"#, "[]", "{}"] {
            check(sound, true, false);
        }
        for twice in [r#"{"a": 1, "a": 1}"#, r#"[{"a": {"b": 1, "\u0062": 2}}]"#] {
            check(twice, false, true);
        }
        for bad in ["", "[1,]", "{,}", "01", "1.", "\"\\ud800\"", "\"\n\"", "nul", "1 2", "1e999", &"[".repeat(200)] {
            check(bad, false, false);
        }
    }
}
