"""One row a harness: shape of the answer, limits, and what it forgets. Each fact was seen with the real program (tests/e2e) unless marked.

Names of fields are looked up in all their spellings: snake_case (Claude Code, Codex, Gemini, Qwen, and Copilot's PascalCase events), camelCase
(Copilot), and our own words from OpenCode's plugin.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, NamedTuple

PROMPT: Final = ("prompt", "user_prompt", "message")
SESSION: Final = ("session_id", "sessionId", "sessionID")
CWD: Final = ("cwd",)
TRANSCRIPT: Final = ("transcript_path", "transcriptPath")
ANSWER: Final = ("last_assistant_message", "prompt_response", "answer")
TOOL: Final = ("tool_name", "toolName", "tool")
ARGUMENTS: Final = ("tool_input", "toolArgs", "args")
AGENT: Final = ("agent_id", "agentId", "parent_id", "parentID")

Starting = Literal["whole", "compacted", "resumed", "later", "none"]
"""What a start is given: all of it · what a summary loses · what has changed since · all of it, but with the next prompt · nothing."""

Build = Callable[[str, str], dict[str, Any]]


class Dialect(NamedTuple):
    """How one harness wants to be answered."""

    answers: Mapping[str, tuple[str, Build]]  # event → its own name for it, and the shape; events without one get nothing
    starts: Mapping[str, Starting]  # source of a start → what it gets; others: the whole
    limit: int = 8_500  # characters that arrive whole
    compacts: bool = True  # its compaction event means one; else it fires before every step
    forgets_late: bool = False  # after a compaction no start comes that could bring the text back
    quotes: bool = False  # prompts may come wrapped in quote characters
    pairs: bool = False  # a resume may be followed at once by a start of another source


def _nested(name: str, text: str) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}}


def _flat(_: str, text: str) -> dict[str, Any]:
    return {"additionalContext": text}


def _ours(_: str, text: str) -> dict[str, Any]:
    return {"text": text}


def _shapes(build: Build, **names: str) -> Mapping[str, tuple[str, Build]]:
    return {event: (name, build) for event, name in names.items()}


DIALECTS: Final[Mapping[str, Dialect]] = {
    # A block above 10,000 characters arrives as a preview of its head.
    "claude-code": Dialect(
        _shapes(_nested, start="SessionStart", prompt="UserPromptSubmit"),
        {"resume": "resumed", "compact": "compacted", "fork": "resumed"},
    ),
    # Its answers are closed objects: one more key and all of it is dropped. It keeps the start's text on resume.
    "codex": Dialect(
        _shapes(_nested, start="SessionStart", prompt="UserPromptSubmit"),
        {"resume": "none", "fork": "none", "compact": "compacted"},
        pairs=True,
    ),
    # Takes the top level only, whichever spelling its events have.
    "copilot": Dialect(_shapes(_flat, start="sessionStart", prompt="userPromptSubmitted"), {"compact": "compacted"}),
    # No start of its own: the plugin says which prompt is the first. It alone takes text into the compaction itself.
    "opencode": Dialect(
        _shapes(_ours, start="start", prompt="prompt", compact="compact"),
        {"resume": "none"},
        forgets_late=True,
        quotes=True,
    ),
    # A start's text on resume makes it drop the first prompt, so that text comes with the prompt. PreCompress fires before every step (its
    # issue 18083); after a real one the source is said to be `compress` (its issue 14724, not seen here).
    "gemini": Dialect(
        _shapes(_nested, start="SessionStart", prompt="BeforeAgent"),
        {"resume": "later", "compress": "compacted", "compact": "compacted"},
        compacts=False,
    ),
    "qwen": Dialect(_shapes(_nested, start="SessionStart", prompt="UserPromptSubmit"), {"compact": "compacted", "compress": "compacted"}),
}
