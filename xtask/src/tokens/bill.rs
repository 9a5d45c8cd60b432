//! What the work costs, by what has to be read and written.

use crate::agents::table::markdown;
use patchwright_testkit::tokens::count;
use serde_json::{Value, json};
use std::path::Path;

/// One way of doing the work.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Bill {
    pub(crate) name: String,
    /// Instructions and descriptions of tools, read before the first call.
    pub(crate) listing: usize,
    /// Names and arguments of calls, written by the model.
    pub(crate) calls: usize,
    /// Answers to reads, and to edits.
    pub(crate) reads: usize,
    pub(crate) answers: usize,
    /// Is it ours?
    pub(crate) ours: bool,
    /// The folder that it is done in.
    folder: String,
}

/// What a folder is called on the bill: the name of a scratch folder would make it another one every time.
const USUAL: &str = "/home/user/project";

/// Which column an answer belongs to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    Read,
    Edit,
}

impl Bill {
    pub(crate) fn new(name: impl Into<String>, folder: &Path) -> Bill {
        Bill { name: name.into(), folder: folder.to_string_lossy().into_owned(), ..Bill::default() }
    }

    /// The tools of an MCP server, as a client hands them to the model.
    pub(crate) fn list(&mut self, instructions: &str, tools: &[Value]) {
        let entry = |tool: &Value| json!({"name": tool.get("name"), "description": tool.get("description"), "inputSchema": tool.get("inputSchema")});
        let list: Vec<Value> = tools.iter().map(entry).collect();
        self.listing = count(instructions).saturating_add(count(&Value::from(list).to_string()));
    }

    pub(crate) fn add(&mut self, kind: Kind, tool: &str, arguments: &Value, answer: &str) {
        let usual = |text: &str| count(&text.replace(&self.folder, USUAL));
        let call = usual(&json!({"name": tool, "arguments": arguments}).to_string());
        let answer = usual(answer);
        self.calls = self.calls.saturating_add(call);
        let column = match kind {
            Kind::Read => &mut self.reads,
            Kind::Edit => &mut self.answers,
        };
        *column = column.saturating_add(answer);
    }

    pub(crate) fn total(&self) -> usize {
        [self.listing, self.calls, self.reads, self.answers].iter().sum()
    }
}

/// All bills beside the cheapest that is not ours.
pub(crate) fn table(bills: &[Bill]) -> String {
    let cheapest = bills.iter().filter(|bill| !bill.ours).map(Bill::total).min();
    let heads = ["tokens", "listing", "calls written", "reads", "answers to edits", "total", "to the cheapest peer"];
    let row = |bill: &Bill| {
        let figures = [bill.listing, bill.calls, bill.reads, bill.answers, bill.total()];
        let ratio = cheapest.map(|least| format!("{:.2} ×", bill.total() as f64 / least as f64));
        let mut row = vec![bill.name.clone()];
        row.extend(figures.map(|figure| figure.to_string()));
        row.push(ratio.unwrap_or_else(|| "—".to_owned()));
        row
    };
    markdown(&heads, &bills.iter().map(row).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_to_the_cheapest_of_the_others() {
        let bill = |name: &str, listing, ours| Bill { listing, ours, ..Bill::new(name, Path::new("/t")) };
        let text = table(&[bill("we", 50, true), bill("a", 100, false), bill("b", 200, false)]);
        let last: Vec<&str> = text.lines().skip(2).filter_map(|line| line.split('|').nth(7)).map(str::trim).collect();
        assert_eq!(last, ["0.50 ×", "1.00 ×", "2.00 ×"]);
    }

    #[test]
    fn what_is_counted() {
        let mut bill = Bill::new("x", Path::new("/t"));
        bill.list("hello world", &[]);
        bill.add(Kind::Read, "read", &json!({}), "hello world");
        bill.add(Kind::Edit, "edit", &json!({}), "hello world hello world");
        assert_eq!((bill.listing, bill.reads, bill.answers), (3, 2, 4));
        assert!(bill.calls > 0 && bill.total() == 9 + bill.calls);
    }
}
