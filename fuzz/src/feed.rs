//! Bytes taken as a list of choices. Where they run out every choice is the first one, so that a short input
//! means something simple.

/// What is left of an input.
pub(crate) struct Feed<'a>(&'a [u8]);

impl<'a> Feed<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Feed<'a> {
        Feed(bytes)
    }

    /// The next byte; zero at the end.
    pub(crate) fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((first, rest)) => {
                self.0 = rest;
                *first
            }
            None => 0,
        }
    }

    /// A number of 16 bits.
    pub(crate) fn wide(&mut self) -> usize {
        usize::from(u16::from_le_bytes([self.byte(), self.byte()]))
    }

    /// A number below `limit`; 0 where there is none.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        usize::from(self.byte()).checked_rem(limit).unwrap_or(0)
    }

    /// One time in so many; never once the input has run out.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) + 1 == times
    }

    /// One of these, which are never none.
    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from.get(self.below(from.len())).copied().unwrap_or_else(|| panic!("nothing to pick from"))
    }

    /// Is anything left?
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Everything that is left.
    pub(crate) fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.0)
    }
}
