//! Charsets by their labels.

use crate::error::Error;
use patchwright_engine::core::text::Charset;

/// The charset of this label, such as `windows-1252`, if one was given.
pub(crate) fn charset(label: Option<&str>) -> Result<Option<Charset>, Error> {
    let known =
        |label| Charset::from_label(label).ok_or_else(|| Error::invalid(format!("no charset is called {label}")));
    label.map(known).transpose()
}
