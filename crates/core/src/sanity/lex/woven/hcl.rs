//! HCL, as Terraform has it: strings with templates, and texts that run on to a word.

use super::{Bracket, PLAIN, Scan, Text, word};

const STRING: Text = Text { close: b"\"", holes: &[b"${", b"%{"], plain: &[b"$${", b"%%{"], ..PLAIN };

pub(in super::super) fn hcl(text: &[u8]) -> Option<Vec<Bracket>> {
    Scan::read(text, |scan| {
        if scan.starts(b"#") || scan.starts(b"//") {
            scan.pass_line();
        } else if scan.starts(b"/*") {
            scan.pass_comment();
        } else if scan.starts(b"\"") {
            scan.enter(1, STRING);
        } else if scan.starts(b"<<") {
            heredoc(scan);
        } else {
            scan.code();
        }
    })
}

/// `<<EOT` and `<<-EOT`.
fn heredoc(scan: &mut Scan<'_>) {
    scan.skip(2);
    if scan.starts(b"-") {
        scan.skip(1);
    }
    let name = word(scan.rest());
    if name.is_empty() {
        return;
    }
    scan.pass_line();
    scan.skip(1);
    scan.pass_to_word(name, |after| after.trim_ascii().is_empty());
}
