//! Text that had to be decoded, and where in the raw bytes its lines begin.

use super::encoding::Charset;

/// Text that had to be decoded, with the seams where raw bytes and text run in step.
#[derive(Clone, Debug)]
pub(super) struct View {
    pub(super) text: String,
    /// One for each line (one in all for a stateful charset), then one for the end.
    pub(super) seams: Vec<Seam>,
}

/// A place that is between two lines in the text and in the raw bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seam {
    pub(super) raw: usize,
    pub(super) text: usize,
}

/// Decodes a whole body, and tells whether some bytes are not text.
pub(super) fn decode(charset: Charset, body: &[u8]) -> (Option<View>, bool) {
    let mut view = View { text: String::with_capacity(body.len()), seams: Vec::new() };
    let (mut at, mut lossy) = (0, false);
    while at < body.len() {
        let end = if charset.is_stateful() { body.len() } else { charset.line_end(body, at) };
        let line = charset.decode(body.get(at..end).unwrap_or_default());
        view.seams.push(Seam { raw: at, text: view.text.len() });
        view.text.push_str(&line.text);
        lossy |= line.malformed;
        at = end;
    }
    view.seams.push(Seam { raw: body.len(), text: view.text.len() });
    (Some(view), lossy)
}
