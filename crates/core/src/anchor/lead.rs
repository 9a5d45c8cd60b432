//! What stands before a line's text, written digit by digit: millions of lines would wait for the formatter.

use super::{Form, Shown};

/// The shortest that stands before a line's text: `1#hhhhhh [low]|`.
pub(super) const LEAST: usize = 15;

/// What stands before a line's text, written digit by digit.
pub(super) struct Lead {
    /// Filled from the back.
    room: [u8; Lead::ROOM],
    from: usize,
}

impl Lead {
    /// Three numbers of 20 digits at most, and what stands between them.
    const ROOM: usize = 96;

    pub(super) fn of(shown: &Shown) -> Lead {
        let mut lead = Lead { room: [0; Lead::ROOM], from: Lead::ROOM };
        lead.words(b"]|");
        lead.words(shown.quality.word().as_bytes());
        lead.words(b" [");
        match shown.form {
            Form::Short(digits) => lead.hex(digits, 6),
            Form::Long(digits) => lead.hex(digits, 8),
            Form::Context(digits) => {
                lead.hex(digits, 8);
                lead.words(b"~");
            }
            Form::Place { short, at, of } => {
                lead.number(of);
                lead.words(b"/");
                lead.number(at);
                lead.words(b"@");
                lead.hex(short, 6);
            }
        }
        lead.words(b"#");
        lead.number(shown.line);
        lead
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.room.get(self.from..).unwrap_or_default()
    }

    fn words(&mut self, words: &[u8]) {
        words.iter().rev().for_each(|byte| self.put(*byte));
    }

    fn number(&mut self, mut number: usize) {
        loop {
            self.put(b'0' + (number % 10) as u8);
            number /= 10;
            if number == 0 {
                return;
            }
        }
    }

    fn hex(&mut self, mut digits: u32, count: usize) {
        for _ in 0..count {
            let digit = (digits & 0xF) as u8;
            self.put(if digit < 10 { b'0' + digit } else { b'a' + digit - 10 });
            digits >>= 4;
        }
    }

    fn put(&mut self, byte: u8) {
        self.from = self.from.saturating_sub(1);
        if let Some(place) = self.room.get_mut(self.from) {
            *place = byte;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anchor::Quality;

    #[test]
    fn written_as_the_formatter_would() {
        for form in [
            Form::Short(0),
            Form::Short(0xa1_b2c3),
            Form::Long(0x9abc_def0),
            Form::Context(u32::MAX),
            Form::Place { short: 0x1f, at: 10, of: usize::MAX },
        ] {
            for (line, quality) in [(1, Quality::Low), (90, Quality::Med), (usize::MAX, Quality::High)] {
                let shown = Shown { line, form, quality };
                let mut want = String::new();
                shown.render("", &mut want);
                assert_eq!(String::from_utf8_lossy(Lead::of(&shown).bytes()), want);
                assert!(want.len() >= LEAST);
            }
        }
    }
}
