"""What was said, out of the rows of a harness's own transcript. Pure: lines in, turns out; rows that are not known are passed over."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, Literal, NamedTuple

from vaultkit.harness.own import strip_own

Role = Literal["asked", "answered", "did"]


class Turn(NamedTuple):
    """One thing said: *asked* by the person, *answered* by the assistant, or a tool that it used (*did*)."""

    role: Role
    text: str
    row: str = ""  # what the harness calls the row
    t: str = ""


def turns_of(harness: str, lines: Iterable[bytes]) -> list[Turn]:
    """The turns in *lines*, in order. A row that comes twice (Gemini) counts where it came first, as it came last."""
    read = _RULES.get(harness)
    found: dict[str, Turn] = {}
    for number, line in enumerate(lines):
        row = _row(line)
        if row is None or read is None:
            continue
        for part, (role, text) in enumerate(read(row)):
            said = strip_own(text).strip()
            if said:
                name = str(row.get("id") or row.get("uuid") or "")
                found[f"{name}:{part}" if name else f"#{number}:{part}"] = Turn(role, said, name, str(row.get("timestamp") or ""))
    return list(found.values())


def has_rules(harness: str) -> bool:
    """Does this harness keep a transcript in files that can be read?"""
    return harness in _RULES


Said = Iterator[tuple[Role, str]]


def _row(line: bytes) -> Mapping[str, Any] | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _claude(row: Mapping[str, Any]) -> Said:
    """`type` user or assistant with `message{role,content}`; a user row of tool results only is no turn."""
    if row.get("type") not in {"user", "assistant"} or row.get("isSidechain") is True or row.get("isMeta") is True:
        return
    asked = row["type"] == "user"
    for block in _blocks(_map(row.get("message")).get("content")):
        if block.get("type") == "text" and isinstance(block.get("text"), str):
            yield "asked" if asked else "answered", block["text"]
        elif block.get("type") == "tool_use" and not asked:
            yield "did", _tool(block.get("name"), block.get("input"))


def _codex(row: Mapping[str, Any]) -> Said:
    """`response_item` with a message; developer rows hold hook texts, the environment comes as a user row."""
    payload = _map(row.get("payload"))
    if row.get("type") != "response_item":
        return
    if payload.get("type") in {"function_call", "local_shell_call", "custom_tool_call"}:
        arguments = payload.get("arguments") or payload.get("action") or payload.get("input")
        yield "did", _tool(payload.get("name") or "shell", _json(arguments))
    if payload.get("type") != "message" or payload.get("role") not in {"user", "assistant"}:
        return
    text = "\n".join(part["text"] for part in _blocks(payload.get("content")) if isinstance(part.get("text"), str))
    if payload["role"] == "assistant":
        yield "answered", text
    elif not text.lstrip().startswith(("<environment_context>", "<user_instructions>", "# AGENTS.md")):
        yield "asked", text


def _copilot(row: Mapping[str, Any]) -> Said:
    """`user.message` data.content is what was typed; transformedContent, which holds our block, is left alone."""
    data = _map(row.get("data"))
    role: Role | None = {"user.message": "asked", "assistant.message": "answered"}.get(str(row.get("type")))  # type: ignore[assignment]
    if role is not None and isinstance(data.get("content"), str):
        yield role, data["content"]
    elif row.get("type") == "tool.execution_start":
        yield "did", _tool(data.get("toolName"), data.get("arguments"))


def _gemini(row: Mapping[str, Any]) -> Said:
    """`type` user or gemini; content is a text or parts."""
    role: Role | None = {"user": "asked", "gemini": "answered"}.get(str(row.get("type")))  # type: ignore[assignment]
    if role is not None:
        yield role, _parts(row.get("content"))
        for call in _blocks(row.get("toolCalls")):
            yield "did", _tool(call.get("name"), call.get("args"))


def _qwen(row: Mapping[str, Any]) -> Said:
    """`message{role,parts}`, role user or model; a part of a function's response is no turn, nor one of thought."""
    message = _map(row.get("message"))
    role: Role | None = {"user": "asked", "model": "answered", "assistant": "answered"}.get(str(message.get("role")))  # type: ignore[assignment]
    if role is not None and row.get("isSidechain") is not True:
        yield role, _parts(message.get("parts"))
        for part in _blocks(message.get("parts")):
            call = _map(part.get("functionCall"))
            if call:
                yield "did", _tool(call.get("name"), call.get("args"))


_RULES: Final[Mapping[str, Callable[[Mapping[str, Any]], Said]]] = {
    "claude-code": _claude,
    "codex": _codex,
    "copilot": _copilot,
    "gemini": _gemini,
    "qwen": _qwen,
}

_LONGEST_TOOL: Final = 2_000  # whoever keeps it cuts it, after secrets are out


def _tool(name: Any, arguments: Any) -> str:
    """`Edit notes.md`: the tool and the one argument that says on what."""
    given = _map(arguments)
    on = next((given[key] for key in _ON if isinstance(given.get(key), str)), None)
    if on is None and isinstance(given.get("command"), list):
        on = " ".join(word for word in given["command"] if isinstance(word, str))
    return " ".join(f"{name if isinstance(name, str) else ''} {on or ''}".split())[:_LONGEST_TOOL]


_ON: Final = ("file_path", "filePath", "path", "absolute_path", "command", "cmd", "pattern", "query", "url")


def _blocks(content: Any) -> list[Mapping[str, Any]]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _parts(content: Any) -> str:
    return "\n".join(part["text"] for part in _blocks(content) if isinstance(part.get("text"), str) and part.get("thought") is not True)


def _map(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _json(value: Any) -> Any:
    if isinstance(value, str):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return {"command": value}
    return value


def head_of(lines: Iterable[bytes]) -> tuple[str, str]:
    """Session id and working folder, as the first rows of a transcript name them; "" where none does."""
    session = cwd = ""
    for line in lines:
        row = _row(line) or {}
        payload = _map(row.get("payload"))
        data = _map(row.get("data"))
        context = _map(data.get("context"))
        for place in (row, payload, data, context):
            cwd = cwd or next((place[key] for key in ("cwd", "workingDirectory") if isinstance(place.get(key), str)), "")
            session = session or next((place[key] for key in ("sessionId", "session_id") if isinstance(place.get(key), str)), "")
        if row.get("type") == "session_meta" and isinstance(payload.get("id"), str):
            session = payload["id"]
        if session and cwd:
            break
    return session, cwd
