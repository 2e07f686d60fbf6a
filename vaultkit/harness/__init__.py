"""What harnesses say to a hook, and what they take from one. Pure, and the only module that knows their names.

    payload ──parse──▶ Event ──(sessions)──▶ text ──render──▶ bytes for stdout, in the one shape that this harness accepts

A harness is one row of `DIALECTS`: where its payload keeps things, the shape of its answer, its limits, what it forgets on resume. To add one,
add a row and a folder under adapters/ (docs/adapters.md).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from vaultkit.harness import dialects
from vaultkit.harness.dialects import DIALECTS, Dialect, Starting
from vaultkit.harness.own import strip_own, unquote
from vaultkit.harness.reads import is_ours, read_paths
from vaultkit.harness.transcripts import Turn, head_of, turns_of

EVENTS: Final = ("start", "prompt", "tool", "turn", "compact", "end")
HARNESSES: Final = tuple(DIALECTS)

# The only variables that an Event may depend on; none is ever stored.
VARIABLES: Final = ("COPILOT_CLI", "QWEN_CODE_AGENT_ID")

__all__ = [
    "DIALECTS",
    "EVENTS",
    "HARNESSES",
    "VARIABLES",
    "Dialect",
    "Event",
    "NoEventError",
    "Starting",
    "Turn",
    "head_of",
    "parse",
    "read_paths",
    "render",
    "strip_own",
    "turns_of",
]


class NoEventError(ValueError):
    """Not a harness, an event or a payload that is known; the message is one line and holds nothing of the payload."""


class Event(NamedTuple):
    """What happened in a harness. *skip* says why there is nothing to do: subagent, source, empty; else ""."""

    harness: str
    kind: str
    session: str
    cwd: str = ""
    prompt: str = ""  # what the person typed, our own texts taken out
    source: str = ""  # of a start
    trigger: str = ""  # of a compaction, or the reason of an end
    answer: str = ""  # the last words of the assistant
    reads: tuple[str, ...] = ()  # paths or note names that a tool may have read; not checked
    ours: bool = False  # it was read with a tool of ours, which may have counted it
    transcript: str = ""
    first: bool = False  # the prompt that also starts the session, where no event of its own does
    skip: str = ""

    @property
    def dialect(self) -> Dialect:
        """The row of the harness that is to read the answer."""
        return DIALECTS[self.harness]

    @property
    def starting(self) -> Starting:
        """What this start is to be given."""
        return self.dialect.starts.get(self.source, "whole")


def parse(harness: str, event: str, payload: bytes | Mapping[str, Any], environment: Mapping[str, str]) -> Event:
    """The Event that *payload* tells of. Raises NoEventError for what is none."""
    if harness not in DIALECTS:
        raise NoEventError(f"no harness {_word(harness)!r}: {' '.join(HARNESSES)}")
    if event not in EVENTS:
        raise NoEventError(f"no event {_word(event)!r}: {' '.join(EVENTS)}")
    found = payload if isinstance(payload, Mapping) else _read(payload)
    if harness == "claude-code" and environment.get("COPILOT_CLI"):
        harness = "copilot"  # it also runs the hooks of a repository's .claude/settings.json, and wants its own shape
    dialect = DIALECTS[harness]
    get = _Fields(found)
    prompt = get.text(*dialects.PROMPT) if event in {"prompt", "turn"} else ""
    prompt = strip_own(unquote(prompt) if dialect.quotes else prompt).strip()
    return Event(
        harness,
        event,
        session=get.text(*dialects.SESSION)[:_LONGEST_ID],
        cwd=get.text(*dialects.CWD),
        prompt=prompt,
        source=get.text("source").casefold(),
        trigger=get.text("trigger", "reason").casefold(),
        answer=strip_own(get.text(*dialects.ANSWER)).strip() if event == "turn" else "",
        reads=read_paths(get.text(*dialects.TOOL), _arguments(get.found(*dialects.ARGUMENTS))) if event == "tool" else (),
        ours=event == "tool" and is_ours(get.text(*dialects.TOOL)),
        transcript=get.text(*dialects.TRANSCRIPT),
        first=found.get("first") is True,
        skip=_why_not(get, event, prompt, environment),
    )


def render(event: Event, text: str) -> bytes:
    """*text* as the harness takes it: exactly one object and no other key, or nothing at all."""
    shape = event.dialect.answers.get(event.kind)
    if shape is None or not text:
        return b""
    text = _fitting(text, event.dialect.limit)
    name, build = shape
    # Escaped to ASCII: a harness that reads its hook's output in some other encoding still gets every character.
    return json.dumps(build(name, text), separators=(",", ":")).encode("ascii") + b"\n" if text else b""


_LONGEST_ID: Final = 200
_BY_A_PERSON: Final = frozenset({"", "user", "sdk"})


def _why_not(get: _Fields, event: str, prompt: str, environment: Mapping[str, str]) -> str:
    if get.text(*dialects.AGENT) or environment.get("QWEN_CODE_AGENT_ID"):
        return "subagent"
    if event == "prompt" and get.text("source").casefold() not in _BY_A_PERSON:
        return "source"
    if event == "prompt" and not prompt:
        return "empty"
    return ""


class _Fields:
    """Lookup by the first of several names; a value of another type counts as missing."""

    def __init__(self, payload: Mapping[str, Any]) -> None:
        self._payload = payload

    def found(self, *names: str) -> Any:
        return next((self._payload[name] for name in names if self._payload.get(name) is not None), None)

    def text(self, *names: str) -> str:
        return next((self._payload[name] for name in names if isinstance(self._payload.get(name), str) and self._payload[name]), "")


def _read(payload: bytes) -> Mapping[str, Any]:
    try:
        found = json.loads(payload.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError) as error:
        raise NoEventError("the payload is no JSON") from error
    if not isinstance(found, dict):
        raise NoEventError("the payload is no JSON object")
    return found


def _arguments(found: Any) -> Any:
    """A tool's arguments; some come as JSON in a text."""
    if isinstance(found, str):
        try:
            return json.loads(found)
        except (ValueError, RecursionError):
            return {"command": found}
    return found


def _fitting(text: str, limit: int) -> str:
    """*text* within the harness's limit: whole lines from the head, and the last line, which closes the block."""
    if len(text) <= limit:
        return text
    lines = text.split("\n")
    closing = lines.pop()
    room = limit - len(closing)
    kept: list[str] = []
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        kept.append(line)
    return "\n".join([*kept, closing]) if kept else ""


def _word(word: str) -> str:
    return word[:40]
