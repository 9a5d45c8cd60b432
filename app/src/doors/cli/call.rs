//! CLI door: `call`, the plain door to every tool. JSON in, one line of JSON out.

use super::args::CallArgs;
use super::input;
use super::output::Ports;
use super::stop::{Ending, Stop};
use crate::doors::call::{self, Notes, Understood};
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
    let tool = wire::tool(&args.tool).map_err(|unknown| Stop::usage(unknown.to_string()))?;
    let mut text = Cow::Borrowed("");
    let outcome = match opening.limits() {
        Ok(limits) => {
            text = arguments(args, limits, ports)?;
            let call = understand(tool, &text, args.sha256.as_deref(), call::null_proof(opening.proof))?;
            super::open(opening).map(|workspace| {
                // A record that was put back or is gone is among the answer's own warnings.
                if let Ok(Some(finding @ Finding::Damaged { .. })) = workspace.damage() {
                    ports.damage(&finding);
                }
                let outcome = call::carry_out(&workspace, tool, &call, &Quiet);
                Notes::default().told(outcome, &call.readings)
            })
        }
        Err(complaint) => Err(complaint),
    };
    let outcome = match outcome {
        Ok(outcome) => outcome,
        // A program reads this: bad news is an answer too.
        Err(Complaint::Closed(trouble)) => Err(Failed::unrecorded(*trouble).told_by(tool)),
        Err(usage) => return Err(usage.into()),
    };
    ports.diagnose(tool, &outcome);
    let outcome = if tells_doc_paths(args.profile) { outcome.map(Reply::with_doc_paths) } else { outcome };
    ports.answer(&outcome, call::sent(tool, &text, &outcome).as_ref())
}

fn arguments<'a>(args: &'a CallArgs, limits: Limits, ports: &mut Ports<'_>) -> Result<Cow<'a, str>, Stop> {
    const ARGUMENTS: &str = "the text of the arguments";
    if args.arguments != "-" {
        return input::within(limits, ARGUMENTS, args.arguments.as_str()).map(Cow::Borrowed);
    }
    input::text(input::piped(ports, limits, ARGUMENTS)?, ARGUMENTS, "standard input").map(Cow::Owned)
}

/// The call, or its refusal. Text that is no JSON at all is neither: it is wrong usage.
fn understand(tool: &Tool, text: &str, sha256: Option<&str>, null_proof: NullProof) -> Result<Understood, Stop> {
    let json = match wire::parse_json(text) {
        Ok(json) => json,
        Err(refusal) => match not_json(&refusal) {
            Some(message) => return Err(Stop::usage(format!("the arguments are not valid JSON: {message}"))),
            None => return Ok(Err(refusal.into()).into()),
        },
    };
    let mut twice = false;
    let call = call::understand_json(tool, json, null_proof, |json| match sha256 {
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
