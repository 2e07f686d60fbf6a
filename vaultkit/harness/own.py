"""Our own words in what a harness hands back: taken out before they are searched for, stored or learnt from. Linear."""

from __future__ import annotations

import re
from typing import Final

# The block itself, and what harnesses wrap around it; raw, and escaped as Gemini and Qwen deliver it. One that was cut off ends with the text.
_MARKS: Final = ("vault-memory", "hook_context", "system_reminder", "system-reminder", "qwen:user-prompt-submit-context")
_OPEN: Final = re.compile(rf"(?P<raw><)?(?(raw)|&lt;)(?P<name>{'|'.join(map(re.escape, _MARKS))})(?(raw)>|&gt;)", re.IGNORECASE)


def strip_own(text: str) -> str:
    """*text* without any block that we, or a harness on our behalf, put there."""
    kept: list[str] = []
    at = 0
    while found := _OPEN.search(text, at):
        kept.append(text[at : found.start()])
        name = found["name"]
        closing = f"</{name}>" if found["raw"] else f"&lt;/{name}&gt;"
        end = _find(text, closing, found.end())
        at = len(text) if end < 0 else end + len(closing)
    return "".join([*kept, text[at:]]) if kept else text


def unquote(text: str) -> str:
    """*text* without the pair of quote characters that `opencode run` puts around a prompt."""
    bare = text.strip()
    for quote in ('"', "'"):
        if len(bare) > 1 and bare[0] == bare[-1] == quote:
            return bare[1:-1].replace(f"\\{quote}", quote)
    return text


def _find(text: str, closing: str, at: int) -> int:
    found = text.find(closing, at)
    return found if found >= 0 else text.lower().find(closing.lower(), at) if len(text.lower()) == len(text) else -1
