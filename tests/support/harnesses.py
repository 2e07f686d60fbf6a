"""The real coding agents, each in an empty home against the fake model. Installed by `make e2e-harness` into .e2e (see tools/e2e_harness.py)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).resolve().parent.parent.parent / ".e2e"
MODULES = FOLDER / "node_modules"

# npm package → version; where Node is older than a package asks for, the platform package is the way round.
PACKAGES: Mapping[str, str] = {
    "@anthropic-ai/claude-code-linux-x64": "2.1.332",
    "@openai/codex": "0.171.0",
    "@google/gemini-cli": "0.61.0",
    "opencode-ai": "1.18.33",
    "@github/copilot": "1.0.102",
    "@qwen-code/qwen-code": "0.24.4",
}


class Harness(NamedTuple):
    """How one agent is run. *command*: (prompt, words to resume) → words after the program."""

    name: str
    package: str
    program: tuple[str, ...]
    command: Callable[[str, bool], list[str]]
    env: Callable[[str], dict[str, str]]
    prepare: Callable[[Path, Path, str], None]  # home, project, url
    fixed: int = 0  # further words go behind so many of the command: `exec` of Codex comes first

    @property
    def missing(self) -> str:
        """Why it cannot be run here; "" when it can."""
        here = [Path(word) for word in self.program if word.startswith("/")]
        gone = [str(path) for path in here if not path.exists()]
        return f"{self.package} is not installed: make e2e-harness" if gone else ""


class Agent:
    """One harness in one home and one project."""

    def __init__(self, harness: Harness, home: Path, project: Path, url: str) -> None:
        self.harness, self.home, self.project, self.url = harness, home, project, url
        for folder in (home, project):
            folder.mkdir(parents=True, exist_ok=True)
        if not (project / ".git").exists():
            subprocess.run(["git", "init", "-q", str(project)], check=True)
        harness.prepare(home, project, url)

    def env(self, **more: str) -> dict[str, str]:
        node = shutil.which("node") or "/usr/bin/node"
        path = os.pathsep.join(dict.fromkeys(["/usr/bin", "/bin", str(Path(node).parent)]))
        return {"HOME": str(self.home), "PATH": path, "TERM": "dumb", "LANG": "C.UTF-8", **self.harness.env(self.url), **more}

    def run(
        self, prompt: str, *, resume: bool = False, words: Sequence[str] = (), timeout: float = 120, **more: str
    ) -> subprocess.CompletedProcess[str]:
        """One prompt; with *resume* in the last session. *words* come before the prompt's own."""
        command = self.harness.command(prompt, resume)
        words = [*self.harness.program, *command[: self.harness.fixed], *words, *command[self.harness.fixed :]]
        return subprocess.run(
            words,
            cwd=self.project,
            env=self.env(**more),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=timeout,
        )


def _node() -> str:
    return shutil.which("node") or "/usr/bin/node"


def _write(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value, indent=2) + "\n", "utf-8")


def _claude(prompt: str, resume: bool) -> list[str]:
    return [*(["--continue"] if resume else []), "-p", prompt, "--output-format", "json", "--allowedTools", "Read,Bash"]


def _codex(prompt: str, resume: bool) -> list[str]:
    flags = ["--dangerously-bypass-hook-trust", "--skip-git-repo-check"]
    sandbox = ["--dangerously-bypass-approvals-and-sandbox"]
    return ["exec", *flags, *sandbox, *(["resume", "--last"] if resume else []), prompt]


def _codex_settings(home: Path, project: Path, url: str) -> None:
    _write(
        home / ".codex/config.toml",
        f"""model = "any"
model_provider = "loop"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.loop]
name = "loopback"
base_url = "{url}/v1"
env_key = "LOOP_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false
[projects."{project}"]
trust_level = "trusted"
""",
    )


def _gemini_settings(home: Path, project: Path, url: str) -> None:
    _write(
        home / ".gemini/settings.json",
        {
            "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
            "privacy": {"usageStatisticsEnabled": False},
            "general": {"disableAutoUpdate": True},
        },
    )


def _qwen_settings(home: Path, project: Path, url: str) -> None:
    _write(
        home / ".qwen/settings.json",
        {
            "security": {"auth": {"selectedType": "openai"}},
            "privacy": {"usageStatisticsEnabled": False},
            "general": {"disableAutoUpdate": True},
        },
    )


def _opencode_settings(home: Path, project: Path, url: str) -> None:
    _write(
        home / ".config/opencode/opencode.json",
        {
            "autoupdate": False,
            "share": "disabled",
            "model": "loop/fake-1",
            "small_model": "loop/fake-1",
            "permission": {"external_directory": "allow", "read": "allow", "bash": "allow"},
            "provider": {
                "loop": {
                    "npm": "@ai-sdk/openai-compatible",
                    "options": {"baseURL": f"{url}/v1", "apiKey": "throwaway"},
                    "models": {"fake-1": {"name": "fake", "limit": {"context": 100000, "output": 4000}}},
                }
            },
        },
    )


def _nothing(home: Path, project: Path, url: str) -> None:
    """This one is told everything by its environment."""


def _copilot_settings(home: Path, project: Path, url: str) -> None:
    _write(home / ".copilot/config.json", {"trusted_folders": [str(project)], "banner": "never"})


HARNESSES: Mapping[str, Harness] = {
    one.name: one
    for one in (
        Harness(
            "claude-code",
            "@anthropic-ai/claude-code-linux-x64",
            (str(MODULES / "@anthropic-ai/claude-code-linux-x64/claude"),),
            _claude,
            lambda url: {
                "ANTHROPIC_BASE_URL": url,
                "ANTHROPIC_API_KEY": "sk-ant-throwaway",
                "DISABLE_AUTOUPDATER": "1",
                "DISABLE_TELEMETRY": "1",
                "DISABLE_ERROR_REPORTING": "1",
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            },
            _nothing,
        ),
        Harness(
            "codex",
            "@openai/codex",
            (str(MODULES / "@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex"),),
            _codex,
            lambda _: {"LOOP_KEY": "throwaway"},
            _codex_settings,
            1,
        ),
        Harness(
            "copilot",
            "@github/copilot",
            (str(MODULES / "@github/copilot-linux-x64/copilot"),),
            lambda prompt, resume: [
                *(["--continue"] if resume else []),
                "--disable-client-telemetry",
                "-p",
                prompt,
                "--allow-all-tools",
                "--allow-all-paths",
            ],
            lambda url: {
                "COPILOT_OFFLINE": "true",
                "COPILOT_AUTO_UPDATE": "false",
                "COPILOT_PROVIDER_BASE_URL": f"{url}/v1",
                "COPILOT_PROVIDER_TYPE": "openai",
                "COPILOT_PROVIDER_API_KEY": "throwaway",
                "COPILOT_MODEL": "fake-1",
            },
            _copilot_settings,
        ),
        Harness(
            "opencode",
            "opencode-ai",
            (str(MODULES / "opencode-linux-x64/bin/opencode"),),
            lambda prompt, resume: ["run", *(["--continue"] if resume else []), prompt],
            lambda _: {
                "OPENCODE_DISABLE_AUTOUPDATE": "1",
                "OPENCODE_DISABLE_MODELS_FETCH": "1",
                "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
                "OPENCODE_DISABLE_SHARE": "1",
            },
            _opencode_settings,
        ),
        Harness(
            "gemini",
            "@google/gemini-cli",
            (_node(), str(MODULES / "@google/gemini-cli/bundle/gemini.js")),
            lambda prompt, resume: [*(["--resume", "latest"] if resume else []), "-p", prompt, "-m", "gemini-2.5-flash", "--yolo"],
            lambda url: {"GEMINI_API_KEY": "throwaway", "GOOGLE_GEMINI_BASE_URL": url, "GEMINI_TELEMETRY_ENABLED": "false"},
            _gemini_settings,
        ),
        Harness(
            "qwen",
            "@qwen-code/qwen-code",
            (_node(), str(MODULES / "@qwen-code/qwen-code/cli-entry.js")),
            lambda prompt, resume: [*(["--continue"] if resume else []), "-p", prompt, "--yolo"],
            lambda url: {"OPENAI_API_KEY": "throwaway", "OPENAI_BASE_URL": f"{url}/v1", "OPENAI_MODEL": "fake-1"},
            _qwen_settings,
        ),
    )
}
