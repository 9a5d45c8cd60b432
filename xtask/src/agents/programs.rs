//! The agent programs: which package at which version, and how each is pointed at the scripted model and at the server.
//!
//! Versions are fixed, so that a table means the same thing next month.

use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// What every program is asked; the scripted model does not read it.
pub(crate) const TASK: &str = "Do the work.";

/// A program.
pub(crate) struct Program {
    /// As `--only` takes it; also the name of the folder of its logs.
    pub(crate) name: &'static str,
    /// As people know it.
    pub(crate) title: &'static str,
    pub(crate) package: &'static str,
    pub(crate) version: &'static str,
    /// Its executable; also the name of the folder that it is installed in.
    pub(crate) bin: &'static str,
    /// Does it put answers into JSON of its own, whatever the server sends?
    pub(crate) wraps: bool,
    pub(crate) setup: fn(&Place) -> Setup,
}

/// Where a program runs and whom it talks to.
pub(crate) struct Place {
    pub(crate) home: PathBuf,
    pub(crate) workspace: PathBuf,
    pub(crate) port: u16,
    /// The command that starts the server; none for a run with the program's own tools.
    pub(crate) server: Option<Vec<String>>,
}

/// What is to be prepared: files, variables and arguments.
#[derive(Default)]
pub(crate) struct Setup {
    pub(crate) files: Vec<(PathBuf, String)>,
    pub(crate) variables: Vec<(&'static str, String)>,
    pub(crate) arguments: Vec<String>,
}

/// All of them.
pub(crate) const ALL: &[Program] = &[
    Program {
        name: "codex",
        title: "Codex",
        package: "@openai/codex",
        version: "0.166.0",
        bin: "codex",
        wraps: false,
        setup: codex,
    },
    Program {
        name: "codex-code",
        title: "Codex, code mode",
        package: "@openai/codex",
        version: "0.166.0",
        bin: "codex",
        wraps: true,
        setup: codex_code,
    },
    Program {
        name: "claude",
        title: "Claude Code",
        package: "@anthropic-ai/claude-code",
        version: "2.1.325",
        bin: "claude",
        wraps: false,
        setup: claude,
    },
    Program {
        name: "opencode",
        title: "opencode",
        package: "opencode-ai",
        version: "1.18.33",
        bin: "opencode",
        wraps: false,
        setup: opencode,
    },
    Program {
        name: "gemini",
        title: "Gemini CLI",
        package: "@google/gemini-cli",
        version: "0.61.0",
        bin: "gemini",
        wraps: false,
        setup: gemini,
    },
    Program {
        name: "qwen",
        title: "Qwen Code",
        package: "@qwen-code/qwen-code",
        version: "0.24.4",
        bin: "qwen",
        wraps: false,
        setup: qwen,
    },
    Program {
        name: "copilot",
        title: "Copilot CLI",
        package: "@github/copilot",
        version: "1.0.102",
        bin: "copilot",
        wraps: false,
        setup: copilot,
    },
    Program {
        name: "continue",
        title: "Continue",
        package: "@continuedev/cli",
        version: "1.5.47",
        bin: "cn",
        wraps: true,
        setup: continue_cli,
    },
    Program {
        name: "cline",
        title: "Cline",
        package: "cline",
        version: "3.0.65",
        bin: "cline",
        wraps: true,
        setup: cline,
    },
];

/// Those of the test command: quick to start, and with a form of answers of their own each.
pub(crate) const SHORT: &[&str] = &["codex", "gemini"];

impl Place {
    fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// The server's program and its arguments, for configurations that keep them apart.
    fn server(&self) -> Option<(&String, &[String])> {
        self.server.as_deref()?.split_first()
    }

    /// `{"patchwright": {…}}` in the form that most programs share, with `more` in it; empty without a server.
    fn servers(&self, more: &Value) -> Value {
        let Some((program, arguments)) = self.server() else {
            return json!({});
        };
        let mut one = json!({"command": program, "args": arguments});
        if let (Some(fields), Some(more)) = (one.as_object_mut(), more.as_object()) {
            fields.extend(more.clone());
        }
        json!({"patchwright": one})
    }
}

impl Setup {
    fn file(mut self, folder: &Path, name: &str, text: impl ToString) -> Setup {
        self.files.push((folder.join(name), text.to_string()));
        self
    }

    fn variable(mut self, name: &'static str, value: impl Into<String>) -> Setup {
        self.variables.push((name, value.into()));
        self
    }

    fn arguments(mut self, words: &[&str]) -> Setup {
        self.arguments.extend(words.iter().map(|word| (*word).to_owned()));
        self
    }
}

/// A model that it does not know gets the tools as they are.
fn codex(place: &Place) -> Setup {
    codex_with(place, "scripted")
}

/// The models that it knows best are to write programs that call the tools.
fn codex_code(place: &Place) -> Setup {
    codex_with(place, "gpt-6.1-sol")
}

fn codex_with(place: &Place, model: &str) -> Setup {
    let mut config = format!(
        "model = \"{model}\"\nmodel_provider = \"fake\"\nmodel_context_window = 1000000\n\
         check_for_update_on_startup = false\n[analytics]\nenabled = false\n\
         [model_providers.fake]\nname = \"fake\"\nbase_url = {}\nwire_api = \"responses\"\n",
        json!(place.url("/v1"))
    );
    if let Some((program, arguments)) = place.server() {
        config.push_str(&format!(
            "[mcp_servers.patchwright]\ncommand = {}\nargs = {}\ndefault_tools_approval_mode = \"approve\"\n",
            json!(program),
            json!(arguments)
        ));
    }
    Setup::default()
        .file(&place.home, ".codex/config.toml", config)
        .variable("CODEX_HOME", place.home.join(".codex").to_string_lossy())
        .arguments(&["exec", "--skip-git-repo-check", "-s", "workspace-write", TASK])
}

fn claude(place: &Place) -> Setup {
    let config = place.home.join("mcp.json");
    Setup::default()
        .file(&place.home, "mcp.json", json!({"mcpServers": place.servers(&json!({}))}))
        .variable("ANTHROPIC_BASE_URL", place.url(""))
        .variable("ANTHROPIC_API_KEY", "none")
        .variable("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
        .variable("DISABLE_AUTOUPDATER", "1")
        .variable("DISABLE_TELEMETRY", "1")
        .arguments(&["-p", TASK, "--strict-mcp-config", "--mcp-config", &config.to_string_lossy()])
        .arguments(&["--allowedTools", "mcp__patchwright,Read,Edit,Write"])
}

fn opencode(place: &Place) -> Setup {
    let limit = json!({"context": 1_000_000, "output": 10_000});
    let model = json!({"name": "scripted", "tool_call": true, "limit": limit});
    let provider = json!({"npm": "@ai-sdk/openai-compatible", "name": "fake",
        "options": {"baseURL": place.url("/v1"), "apiKey": "none"}, "models": {"scripted": model}});
    let server = place.server.as_ref().map(|words| json!({"type": "local", "command": words, "enabled": true}));
    let servers = server.map_or_else(|| json!({}), |server| json!({"patchwright": server}));
    let config = json!({"provider": {"fake": provider}, "model": "fake/scripted", "small_model": "fake/scripted",
        "permission": "allow", "autoupdate": false, "share": "disabled", "mcp": servers});
    Setup::default()
        .file(&place.home, ".config/opencode/opencode.json", config)
        .variable("OPENCODE_DISABLE_AUTOUPDATE", "1")
        .variable("OPENCODE_DISABLE_MODELS_FETCH", "1")
        .variable("OPENCODE_DISABLE_LSP_DOWNLOAD", "1")
        .variable("OPENCODE_DISABLE_DEFAULT_PLUGINS", "1")
        .arguments(&["run", "-m", "fake/scripted", TASK])
}

fn gemini(place: &Place) -> Setup {
    let settings = json!({
        "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": false}},
        "general": {"enableAutoUpdate": false, "enableAutoUpdateNotification": false},
        "privacy": {"usageStatisticsEnabled": false},
        "telemetry": {"enabled": false},
        "mcpServers": place.servers(&json!({"trust": true}))});
    Setup::default()
        .file(&place.home, ".gemini/settings.json", settings)
        .variable("GEMINI_API_KEY", "none")
        .variable("GOOGLE_GEMINI_BASE_URL", place.url(""))
        .arguments(&["-m", "gemini-2.5-pro", "--approval-mode", "yolo", "-p", TASK])
}

fn qwen(place: &Place) -> Setup {
    let settings = json!({
        "security": {"auth": {"selectedType": "openai"}, "folderTrust": {"enabled": false}},
        "general": {"disableAutoUpdate": true, "enableAutoUpdate": false},
        "privacy": {"usageStatisticsEnabled": false},
        "telemetry": {"enabled": false},
        "mcpServers": place.servers(&json!({"trust": true}))});
    Setup::default()
        .file(&place.home, ".qwen/settings.json", settings)
        .variable("OPENAI_API_KEY", "none")
        .variable("OPENAI_BASE_URL", place.url("/v1"))
        .variable("OPENAI_MODEL", "scripted")
        .arguments(&["--approval-mode", "yolo", TASK])
}

fn copilot(place: &Place) -> Setup {
    let servers = place.servers(&json!({"type": "local", "tools": ["*"]}));
    Setup::default()
        .file(&place.home, ".copilot/mcp-config.json", json!({"mcpServers": servers}))
        .variable("COPILOT_HOME", place.home.join(".copilot").to_string_lossy())
        .variable("COPILOT_OFFLINE", "true")
        .variable("COPILOT_AUTO_UPDATE", "false")
        .variable("COPILOT_MODEL", "scripted")
        .variable("COPILOT_PROVIDER_BASE_URL", place.url("/v1"))
        .variable("COPILOT_PROVIDER_MAX_PROMPT_TOKENS", "1000000")
        .arguments(&["--allow-all-tools", "-p", TASK])
}

fn continue_cli(place: &Place) -> Setup {
    let model = json!({"name": "scripted", "provider": "openai", "model": "scripted", "apiBase": place.url("/v1"),
        "apiKey": "none", "roles": ["chat", "edit", "apply"], "capabilities": ["tool_use"],
        "defaultCompletionOptions": {"contextLength": 1_000_000, "maxTokens": 10_000}});
    let server = place.server().map(
        |(program, arguments)| json!({"name": "patchwright", "type": "stdio", "command": program, "args": arguments}),
    );
    let servers: Vec<Value> = server.into_iter().collect();
    let config =
        json!({"name": "scripted", "version": "1.0.0", "schema": "v1", "models": [model], "mcpServers": servers});
    let file = place.home.join("config.yaml");
    Setup::default()
        // Every JSON text is YAML too.
        .file(&place.home, "config.yaml", config)
        .variable("CONTINUE_TELEMETRY_ENABLED", "0")
        .variable("CONTINUE_CLI_AUTO_UPDATED", "1")
        .arguments(&["--config", &file.to_string_lossy(), "--auto", "-p", TASK])
}

fn cline(place: &Place) -> Setup {
    let settings =
        json!({"provider": "openai-compatible", "apiKey": "none", "model": "scripted", "baseUrl": place.url("/v1")});
    let providers = json!({"version": 1, "lastUsedProvider": "openai-compatible",
        "providers": {"openai-compatible": {"settings": settings, "updatedAt": "2026-01-01T00:00:00.000Z", "tokenSource": "manual"}}});
    let server = place.server().map(|(program, arguments)| {
        json!({"transport": {"type": "stdio", "command": program, "args": arguments}, "disabled": false})
    });
    let servers = server.map_or_else(|| json!({}), |server| json!({"patchwright": server}));
    Setup::default()
        .file(&place.home, ".cline/data/settings/providers.json", providers)
        .file(&place.home, ".cline/data/settings/cline_mcp_settings.json", json!({"mcpServers": servers}))
        .variable("CLINE_TELEMETRY_DISABLED", "1")
        .variable("CLINE_NO_AUTO_UPDATE", "1")
        .arguments(&["--compaction", "off", "-P", "openai-compatible", "-m", "scripted", TASK])
}
