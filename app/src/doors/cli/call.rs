//! CLI door: `call`, the plain door to every tool. JSON in, one line of JSON out.

use super::args::CallArgs;
use super::input;
use super::output::Ports;
use super::stop::{Ending, Stop};
use crate::doors::call::{self, Arguments, Notes, Outcome, Understood};
use crate::doors::offer::tells_doc_paths;
use crate::doors::open::{Complaint, Opening};
use crate::wire::{self, Json, NullProof};
use patchwright_core::outcome::{Failed, Reply};
use patchwright_core::policy::Limits;
use patchwright_core::refusal::{Expected, Refusal, Why};
use patchwright_core::tool::Tool;
use patchwright_engine::{Finding, Quiet};
use std::borrow::Cow;

pub(super) fn run(args: &CallArgs, opening: &Opening, ports: &mut Ports<'_>) -> Ending {
    let tool = wire::tool(&args.tool)?;
    let (call, outcome) = match opening.limits() {
        Ok(limits) => {
            let text = argument_text(args, limits, ports)?;
            let call = understand(tool, &text, args.sha256.as_deref(), call::null_proof(opening.proof))?;
            let outcome = carry_out(&call, opening, ports);
            (Some(call), outcome)
        }
        Err(complaint) => (None, Err(complaint)),
    };
    let outcome = match outcome {
        Ok(outcome) => outcome,
        // A program reads this: bad news is an answer too.
        Err(Complaint::Closed(trouble)) => Err(Failed::unrecorded(*trouble).told_by(tool)),
        Err(usage) => return Err(usage.into()),
    };
    ports.diagnose(tool, &outcome);
    let outcome = if tells_doc_paths(args.profile) { outcome.map(Reply::with_doc_paths) } else { outcome };
    let sent = call.and_then(|call| call.sent(&outcome));
    ports.answer(&outcome, sent.as_ref())
}

fn carry_out(call: &Understood, opening: &Opening, ports: &mut Ports<'_>) -> Result<Outcome, Complaint> {
    let workspace = super::open(opening)?;
    // A record that was put back or is gone is among the answer's own warnings.
    if let Ok(Some(finding @ Finding::Damaged { .. })) = workspace.damage() {
        ports.damage(&finding);
    }
    let outcome = call.carry_out(&workspace, &Quiet);
    Ok(Notes::default().told(outcome, &call.readings))
}

fn argument_text<'a>(args: &'a CallArgs, limits: Limits, ports: &mut Ports<'_>) -> Result<Cow<'a, str>, Stop> {
    const ARGUMENTS: &str = "the text of the arguments";
    if args.arguments != "-" {
        return input::within(limits, ARGUMENTS, args.arguments.as_str()).map(Cow::Borrowed);
    }
    input::text(input::piped(ports, limits, ARGUMENTS)?, ARGUMENTS, "standard input").map(Cow::Owned)
}

/// The call, or its refusal. Text that is no JSON at all is neither: it is wrong usage.
fn understand(
    tool: &'static Tool,
    text: &str,
    sha256: Option<&str>,
    null_proof: NullProof,
) -> Result<Understood, Stop> {
    let arguments = Arguments::read(text);
    if let Some(message) = arguments.refusal().and_then(not_json) {
        return Err(Stop::usage(format!("the arguments are not valid JSON: {message}")));
    }
    let mut twice = false;
    let call = Understood::new(tool, arguments, null_proof, |json| match sha256 {
        Some(sha256) => with_sha256(json, sha256, &mut twice),
        None => json,
    });
    match twice {
        true => Err(Stop::usage("the proof is given twice: by --sha256 and by expectedSha256 in the arguments")),
        false => Ok(call),
    }
}

/// The message, if the text was no JSON at all.
pub(super) fn not_json(refusal: &Refusal) -> Option<&str> {
    let Why::Arguments(faults) = &refusal.why else { return None };
    faults.iter().find_map(|fault| match &fault.expected {
        Expected::Json(message) => Some(message.as_str()),
        _ => None,
    })
}

fn with_sha256(json: Json, sha256: &str, twice: &mut bool) -> Json {
    const NAME: &str = "expectedSha256";
    match json {
        Json::Object(mut fields) => {
            *twice = fields.iter().any(|(name, _)| name == NAME);
            fields.push((NAME.to_owned(), Json::Text(sha256.to_owned())));
            Json::Object(fields)
        }
        other => other,
    }
}
