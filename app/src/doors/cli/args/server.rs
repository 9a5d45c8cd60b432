//! CLI door: what a server shows, and in which form.

use crate::wire::listing::Length;
use crate::wire::server::{Answers, SetServer, unknown_tool};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use patchwright_core::conventions::Conventions;
use patchwright_core::tool::{Profile, ToolChoice};

/// Which tools a server shows.
#[derive(Args, Clone, Debug)]
pub(in crate::doors::cli) struct OfferArgs {
    /// The way of making changes that is shown, or all of them; auto goes by the client's name, else strings [default:
    /// auto]
    #[arg(long, value_name = "NAME", value_parser = profiles())]
    profile: Option<Profile>,
    /// Show other tools: +GROUP or +TOOL adds to the profile, names without + are all that is shown, `all` is
    /// everything. Groups: look, strings, envelope, anchors, lines, history, review, trash, why
    #[arg(long, value_name = "LIST", value_parser = tools)]
    tools: Option<ToolChoice>,
}

/// In which form a server answers, and how much it says of each tool.
#[derive(Args, Clone, Copy, Debug)]
pub(in crate::doors::cli) struct FormArgs {
    /// Answer in text, or also in JSON beside it with its schemas listed [default: text]
    #[arg(long, value_name = "FORM", value_parser = answers())]
    answers: Option<Answers>,
    /// Describe tools in few words with the arguments that a model needs, or at length with all of them [default: short]
    #[arg(long, value_name = "LENGTH", value_parser = lengths())]
    descriptions: Option<Length>,
    /// Whose conventions a patch follows that does not say: strict or codex [default: strict]
    #[arg(long, value_name = "NAME", value_parser = conventions())]
    pub(in crate::doors::cli) conventions: Option<Conventions>,
}

impl OfferArgs {
    /// What these flags say, and those about the form.
    pub(in crate::doors::cli) fn set_with(self, form: FormArgs) -> SetServer {
        let FormArgs { answers, descriptions, .. } = form;
        SetServer { profile: self.profile, tools: self.tools, answers, descriptions }
    }
}

/// Reads the name of a profile.
pub(super) fn profiles() -> impl TypedValueParser<Value = Profile> {
    let names = PossibleValuesParser::new(Profile::ALL.iter().map(|profile| profile.name()));
    names.try_map(|name| Profile::find(&name).ok_or("no such profile"))
}

/// Reads the name of a patch's conventions.
pub(super) fn conventions() -> impl TypedValueParser<Value = Conventions> {
    let names = PossibleValuesParser::new(Conventions::ALL.map(Conventions::name));
    names.try_map(|name| Conventions::find(&name).ok_or("no such conventions"))
}

fn answers() -> impl TypedValueParser<Value = Answers> {
    let names = PossibleValuesParser::new(Answers::ALL.map(Answers::name));
    names.try_map(|name| Answers::find(&name).ok_or("no such form"))
}

fn lengths() -> impl TypedValueParser<Value = Length> {
    let names = PossibleValuesParser::new(Length::ALL.map(Length::name));
    names.try_map(|name| Length::find(&name).ok_or("no such length"))
}

fn tools(list: &str) -> Result<ToolChoice, String> {
    ToolChoice::read([list]).map_err(|name| unknown_tool(&name))
}
