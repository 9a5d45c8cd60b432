//! As much of HTTP/1.1 as the scripted model needs: one request a connection, bodies whole or in chunks.

use std::io::{BufRead, Error, ErrorKind, Read, Result, Write};

/// The largest body that is taken.
const LARGEST: usize = 64 << 20;

/// A request as it came.
#[derive(Debug, PartialEq)]
pub(super) struct Request {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) body: Vec<u8>,
}

/// What goes back.
#[derive(Debug, PartialEq)]
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) kind: &'static str,
    pub(super) body: String,
}

impl Reply {
    pub(super) fn json(status: u16, body: String) -> Reply {
        Reply { status, kind: "application/json", body }
    }

    pub(super) fn stream(body: String) -> Reply {
        Reply { status: 200, kind: "text/event-stream", body }
    }
}

/// Reads a request. None if the other side closed without asking.
pub(super) fn read(input: &mut impl BufRead) -> Result<Option<Request>> {
    let mut first = String::new();
    if input.read_line(&mut first)? == 0 {
        return Ok(None);
    }
    let mut words = first.split_whitespace();
    let (Some(method), Some(path)) = (words.next(), words.next()) else {
        return Err(Error::new(ErrorKind::InvalidData, "no request line"));
    };
    let (method, path) = (method.to_owned(), path.to_owned());
    let mut length = 0_usize;
    let mut chunked = false;
    loop {
        let mut line = String::new();
        input.read_line(&mut line)?;
        let Some((name, value)) = line.trim().split_once(':') else {
            break;
        };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse().unwrap_or(0),
            "transfer-encoding" => chunked = value.to_ascii_lowercase().contains("chunked"),
            _ => {}
        }
    }
    let body = if chunked { chunks(input)? } else { exactly(input, length)? };
    Ok(Some(Request { method, path, body }))
}

fn chunks(input: &mut impl BufRead) -> Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let mut line = String::new();
        input.read_line(&mut line)?;
        let digits = line.trim().split(';').next().unwrap_or_default();
        let size = usize::from_str_radix(digits, 16).map_err(|error| Error::new(ErrorKind::InvalidData, error))?;
        let piece = exactly(input, size)?;
        let mut end = String::new();
        input.read_line(&mut end)?;
        if size == 0 {
            return Ok(body);
        }
        body.extend(piece);
        if body.len() > LARGEST {
            return Err(Error::new(ErrorKind::InvalidData, "the body is too large"));
        }
    }
}

fn exactly(input: &mut impl Read, length: usize) -> Result<Vec<u8>> {
    if length > LARGEST {
        return Err(Error::new(ErrorKind::InvalidData, "the body is too large"));
    }
    let mut body = vec![0; length];
    input.read_exact(&mut body)?;
    Ok(body)
}

/// Writes a reply, after which the connection is closed.
pub(super) fn write(output: &mut impl Write, reply: &Reply) -> Result<()> {
    let Reply { status, kind, body } = reply;
    write!(
        output,
        "HTTP/1.1 {status} .\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, want: Option<(&str, &str, &str)>) {
        let found = read(&mut text.as_bytes()).unwrap();
        let found =
            found.as_ref().map(|one| (one.method.as_str(), one.path.as_str(), std::str::from_utf8(&one.body).unwrap()));
        assert_eq!(found, want, "{text:?}");
    }

    #[test]
    fn requests() {
        check("", None);
        check("GET /v1/models HTTP/1.1\r\nHost: x\r\n\r\n", Some(("GET", "/v1/models", "")));
        check("POST /a HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcd", Some(("POST", "/a", "abc")));
        let pieces =
            "POST /a HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n";
        check(pieces, Some(("POST", "/a", "abc0123456789")));
        assert!(read(&mut "POST /a HTTP/1.1\r\nContent-Length: 9\r\n\r\nabc".as_bytes()).is_err());
    }

    #[test]
    fn replies() {
        let mut out = Vec::new();
        write(&mut out, &Reply::json(404, "{}".to_owned())).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(
            text.starts_with("HTTP/1.1 404 .\r\n")
                && text.ends_with("Content-Length: 2\r\nConnection: close\r\n\r\n{}")
        );
    }
}
