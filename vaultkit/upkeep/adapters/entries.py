"""Our entries in files that people own: put in, found again, taken out. Text to text; every byte that is not ours stays.

An entry is ours when it runs our hook or our server, stands between our two marks, or carries our stamp: never by where it stands.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from vaultkit.errors import ConfigError, RefusedError
from vaultkit.text import jsonc
from vaultkit.upkeep.adapters.command import is_hook, is_server, words_of
from vaultkit.upkeep.adapters.manifest import Format

BEGIN: Final = "<!-- vaultkit: begin (vaultkit install writes between these two lines) -->"
END: Final = "<!-- vaultkit: end -->"


class Piece(NamedTuple):
    """What one adapter wants in one file: *value* is a JSON value, or the text of a block or of a whole file."""

    kind: str  # hooks, mcp, instructions, skills
    format: Format
    value: Any


class Handler(NamedTuple):
    """A hook of ours as it stands in a file."""

    event: str  # as the harness names it
    words: tuple[str, ...]
    entry: Mapping[str, Any]


def put(text: str, piece: Piece, *, where: str) -> str:
    """*text* with *piece*; what of ours stood there must have been taken out before. Raises ConfigError when *text* is not of its format."""
    match piece.format:
        case "json" | "jsonc":
            body, mark = _without_mark(text)
            try:
                merged = jsonc.merge(body if body.strip() else "{}\n", piece.value, comments=piece.format == "jsonc")
            except jsonc.JsonTextError as error:
                raise _broken(where, error) from error
            return mark + merged
        case "toml":
            return _put_toml(text, piece.value, where)
        case "block":
            head = text if not text or text.endswith("\n\n") else text + ("\n" if text.endswith("\n") else "\n\n")
            return f"{head}{BEGIN}\n{piece.value.strip()}\n{END}\n"
        case "file":
            return str(piece.value)


def take(text: str, format: Format, base: str | None, *, where: str) -> str:  # noqa: A002
    """*text* without anything of ours. Containers that stood in *base* (the file as it was before us) stay when they become empty."""
    match format:
        case "json" | "jsonc":
            body, mark = _without_mark(text)
            comments = format == "jsonc"
            if not body.strip():
                return text
            value = _loaded(body, comments, where)
            before = _loaded(_without_mark(base)[0], comments, where) if base and base.strip() else {}
            return mark + jsonc.remove(body, list(_ours(value, before)), comments=comments)
        case "toml":
            return _take_toml(text, where)
        case "block":
            return _BLOCK.sub("", text)
        case "file":
            return "" if is_stamped(text) else text


def hooks_in(text: str, format: Format, *, where: str) -> list[Handler]:  # noqa: A002
    """The hooks of ours that stand in *text*."""
    body, _ = _without_mark(text)
    if format == "file":
        found = re.search(r"const COMMAND = (\[.*\])", text) if is_hook_file(text) else None
        words = jsonc.loads(found[1]) if found else []
        return [Handler("*", tuple(map(str, words)), {})] if is_hook(words) else []
    if not body.strip():
        return []
    value = _loaded(body, format == "jsonc", where)
    hooks = value.get("hooks") if isinstance(value, dict) else None
    found_ones = []
    for event, groups in hooks.items() if isinstance(hooks, dict) else ():
        for group in groups if isinstance(groups, list) else ():
            inner = group.get("hooks") if isinstance(group, dict) else None
            handlers = inner if isinstance(inner, list) else [group]
            found_ones += [Handler(event, tuple(words_of(one)), one) for one in handlers if is_hook(words_of(one))]
    return found_ones


def is_hook_file(text: str) -> bool:
    """Is this the plugin file that we write?"""
    return _STAMP.search(text.split("\n", 1)[0]) is not None


def has_server(text: str, format: Format, *, where: str) -> bool:  # noqa: A002
    """Does the MCP server of ours stand in *text*?"""
    if format == "toml":
        return _take_toml(text, where) != text
    body, _ = _without_mark(text)
    value = _loaded(body, format == "jsonc", where) if body.strip() else {}
    return any(path[0] != "hooks" for path in _ours(value, {}))


def foreign_server(text: str, format: Format, entry: Mapping[str, Any], *, where: str) -> bool:  # noqa: A002
    """Does somebody else's entry stand where ours would go?"""
    body, _ = _without_mark(text)
    value: Any = _toml(text, where) if format == "toml" else _loaded(body, format == "jsonc", where) if body.strip() else {}
    table = next(iter(entry))
    there = value.get(table, {}).get("vaultkit") if isinstance(value, dict) and isinstance(value.get(table, {}), dict) else None
    return there is not None and not is_server(words_of(there))


# -- files that are ours whole: a stamp tells whether somebody edited them since


def stamped(text: str, comment: Callable[[str], str]) -> str:
    """*text* with a first line (made by *comment*) that holds the hash of the rest."""
    return f"{comment(f'written by vaultkit install; changes are kept by uninstall [{_hash(text)}]')}\n{text}"


def is_stamped(text: str) -> bool:
    """Is it as we wrote it?"""
    found = _STAMP.search(text)
    return found is not None and found[1] == _hash(
        text[: text.rfind("\n", 0, found.start()) + 1] + text[text.find("\n", found.end()) + 1 :]
    )


def stamped_skill(text: str) -> str:
    """The same for SKILL.md, where the stamp is a value of the standard key `metadata`."""
    line = f'  vaultkit: "written by vaultkit install; changes are kept by uninstall [{_hash(text)}]"\n'
    head, mark, rest = text.partition("\n---\n")
    if not mark or not head.startswith("---\n"):
        raise RefusedError("a skill of this installation has no frontmatter", hint="install vaultkit again")
    if re.search(r"^metadata:$", head, re.MULTILINE):
        return text.replace("metadata:\n", f"metadata:\n{line}", 1)
    return f"{head}\nmetadata:\n{line}---\n{rest}"


def is_stamped_skill(text: str) -> bool:
    """Is this skill as we wrote it? None of ours, or edited since: no."""
    found = _STAMP.search(text)
    if found is None:
        return False
    start, end = text.rfind("\n", 0, found.start()) + 1, text.find("\n", found.end()) + 1
    without = text[:start] + text[end:]
    return _hash(without) == found[1] or _hash(without.replace("\nmetadata:\n---\n", "\n---\n", 1)) == found[1]


def has_stamp(text: str) -> bool:
    """Was it ours once, edited or not?"""
    return _STAMP.search(text) is not None


_STAMP: Final = re.compile(r"written by vaultkit install; changes are kept by uninstall \[([0-9a-f]{16})\]")
_BLOCK: Final = re.compile(rf"(?:\r?\n)?{re.escape(BEGIN)}\r?\n.*?{re.escape(END)}(?:\r?\n)?", re.DOTALL)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:16]


def _without_mark(text: str) -> tuple[str, str]:
    return (text[1:], text[0]) if text.startswith("\ufeff") else (text, "")


def _broken(where: str, error: Exception) -> ConfigError:
    return ConfigError(f"{where} cannot be read: {error}", hint="correct that file, then run this again; nothing was changed")


def _loaded(text: str, comments: bool, where: str) -> Any:
    try:
        value = jsonc.loads(text, comments=comments)
    except jsonc.JsonTextError as error:
        raise _broken(where, error) from error
    if not isinstance(value, dict):
        raise ConfigError(f"{where} does not hold an object", hint="correct that file, then run this again; nothing was changed")
    return value


def _ours(value: Mapping[str, Any], before: Mapping[str, Any]) -> Iterator[jsonc.Path]:
    """The places that go: hooks and servers of ours, and containers that only they filled and that *before* had not."""
    for table, key in (("hooks", ""), ("mcpServers", "vaultkit"), ("mcp", "vaultkit")):
        inner = value.get(table)
        if not isinstance(inner, dict):
            continue
        gone = list(_hooks_of(inner, before.get(table)) if table == "hooks" else _servers_of(inner, key))
        whole = {path[0] for path in gone if len(path) == 1}
        if gone and len(whole) == len(inner) and table not in before:
            yield (table,)
            # A file of hooks alone, as Copilot has them, begins with a version number that we wrote.
            if set(value) == {"version", "hooks"} and "version" not in before:
                yield ("version",)
        else:
            yield from ((table, *path) for path in gone)


def _hooks_of(hooks: Mapping[str, Any], before: Any) -> Iterator[jsonc.Path]:
    had = before if isinstance(before, dict) else {}
    for event, groups in hooks.items():
        if not isinstance(groups, list):
            continue
        gone: list[jsonc.Path] = []
        for at, group in enumerate(groups):
            inner = group.get("hooks") if isinstance(group, dict) else None
            if isinstance(inner, list):
                mine = [place for place, handler in enumerate(inner) if is_hook(words_of(handler))]
                if mine and len(mine) == len(inner):
                    gone.append((event, at))
                else:
                    gone += [(event, at, "hooks", place) for place in mine]
            elif is_hook(words_of(group)):
                gone.append((event, at))
        whole = [path for path in gone if len(path) == 2]
        if whole and len(whole) == len(groups) and event not in had:
            yield (event,)
        else:
            yield from gone


def _servers_of(servers: Mapping[str, Any], name: str) -> Iterator[jsonc.Path]:
    if is_server(words_of(servers.get(name))):
        yield (name,)


# -- TOML


def _toml(text: str, where: str) -> Any:
    import tomlkit  # noqa: PLC0415 - one harness of six has TOML
    from tomlkit.exceptions import TOMLKitError  # noqa: PLC0415

    try:
        document = tomlkit.parse(text)
    except (TOMLKitError, RecursionError) as error:
        raise _broken(where, error) from error
    if tomlkit.dumps(document) != text:
        raise ConfigError(f"{where} cannot be written back as it is", hint="add the entry by hand, or simplify that file")
    return document


def _put_toml(text: str, value: Mapping[str, Any], where: str) -> str:
    """Our table as text at the end: what stands there keeps every byte, and so do its comments."""
    import tomlkit  # noqa: PLC0415

    document = _toml(text, where)
    (table, servers), *_ = value.items()
    there = document.get(table)
    if there is not None and not isinstance(there, dict):
        raise ConfigError(f"{table} in {where} is no table", hint="correct that file, then run this again; nothing was changed")
    line_end = "\r\n" if "\r\n" in text else "\n"
    lines = []
    for name, entry in servers.items():
        lines += [f"[{table}.{name}]", *(f"{key} = {tomlkit.item(item).as_string()}" for key, item in entry.items())]
    gap = "" if not text else line_end if text.endswith("\n") else line_end * 2
    new = text + gap + line_end.join(lines) + line_end
    _toml(new, where)  # an inline table `mcp_servers = {…}` cannot be extended: it is told here
    return new


def _take_toml(text: str, where: str) -> str:
    document = _toml(text, where)
    servers = document.get("mcp_servers")
    if not isinstance(servers, dict) or not is_server(words_of(_unwrapped(servers.get("vaultkit")))):
        return text
    found = _TABLE.search(text)
    if found and "vaultkit" not in _toml(text[: found.start()] + text[found.end() :], where).get("mcp_servers", {}):
        return text[: found.start()] + text[found.end() :]
    import tomlkit  # noqa: PLC0415

    del servers["vaultkit"]  # written in another way than ours
    return tomlkit.dumps(document)


def _unwrapped(value: Any) -> Any:
    return value.unwrap() if hasattr(value, "unwrap") else value


_TABLE: Final = re.compile(r"(?:(?<=\n)\r?\n)?^\[mcp_servers\.vaultkit\]\r?\n(?:[^\[\r\n][^\r\n]*(?:\r?\n|\Z))*", re.MULTILINE)
