"""Which notes a tool call reads: by a file tool, through a shell, or over MCP. Names only; whether they are notes is for others to see."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from typing import Any, Final

_FILE_TOOLS: Final = frozenset({"read", "view", "read_file", "read_many_files", "readfile", "open_file"})
_SHELLS: Final = frozenset({"bash", "shell", "exec_command", "run_shell_command", "local_shell", "powershell"})
_READERS: Final = frozenset({"cat", "sed", "rg", "grep", "head", "tail", "less", "more", "bat", "batcat", "nl", "awk"})
_PATHS: Final = ("file_path", "filePath", "path", "absolute_path", "filename", "file", "paths", "note")
_COMMANDS: Final = ("command", "cmd", "script")
_OUR_TOOL: Final = re.compile(r"(?:^|[_.\-])read_note$")
_LONGEST: Final = 4_000  # characters of a command that are looked at
_MOST: Final = 20


def read_paths(tool: str, arguments: Any) -> tuple[str, ...]:
    """Paths (or note names) that *tool* with *arguments* reads, in order, each once."""
    name = tool.casefold()
    given: Mapping[str, Any] = arguments if isinstance(arguments, Mapping) else {}
    if name in _FILE_TOOLS or is_ours(name):
        found = [word for key in _PATHS for word in _words(given.get(key))]
    elif name in _SHELLS:
        found = [path for key in _COMMANDS for path in _of_command(given.get(key))]
    else:
        found = []
    return tuple(dict.fromkeys(found))[:_MOST]


def is_ours(tool: str) -> bool:
    """Is *tool* vaultkit's own, over MCP, under whatever name a harness gives it?"""
    return _OUR_TOOL.search(tool.casefold()) is not None


def _words(value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [word for word in values if isinstance(word, str) and word and "\0" not in word]


def _of_command(value: Any) -> Iterator[str]:
    """Arguments of the reading commands in a shell line that look like notes; best effort, nothing is run or expanded."""
    if isinstance(value, list):  # an argument vector, maybe with a shell in front
        words = _words(value)
        if len(words) > 2 and words[1] in {"-c", "-lc"}:
            yield from _of_command(words[2])
        elif words:
            yield from _of_words(words)
        return
    if not isinstance(value, str):
        return
    for line in value[:_LONGEST].splitlines():
        lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>()")
        lexer.whitespace_split = True
        words = []
        try:
            for word in lexer:
                if word and set(word) <= set("|&;()"):
                    yield from _of_words(words)
                    words = []
                else:
                    words.append(word)
        except ValueError:  # an open quote: what came before it still counts
            pass
        yield from _of_words(words)


def _of_words(words: list[str]) -> Iterator[str]:
    while words and "=" in words[0].lstrip("-") and not words[0].startswith("-"):
        words = words[1:]  # variables set for the command
    if not words or words[0].rpartition("/")[2] not in _READERS:
        return
    written = False
    for word in words[1:]:
        if not written and word.casefold().endswith(".md") and not word.startswith("-"):
            yield word
        written = word.startswith(">")
