"""The JSON instruction of PATCH 2.x, read and checked: which words go together is its "algebra" (errors 40081)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from vaultkit.errors import PatchError
from vaultkit.text.values import Value

OPERATIONS: Final = ("replace", "prepend", "append", "delete")
SCOPES: Final = ("content", "marker", "markerAndContent", "parent")


@dataclass(frozen=True, slots=True)
class Destination:
    """Where a section goes: under the heading *parent* ([] is the root), first, last, or beside its *sibling*."""

    parent: tuple[str, ...]
    place: str  # first, last, before, after
    sibling: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Instruction:
    """A valid instruction. *target* is a heading's path, or a tuple of one id or name; *carrier* says which of the three was sent."""

    target_type: str
    target: tuple[str, ...]
    operation: str
    scope: str = "content"
    within: int | None = None
    carrier: str = ""  # content, value, destination; "" with delete
    content: str = ""
    value: Value = None
    destination: Destination | None = None
    create: bool = False
    reject_preexisting: bool = False
    if_match: str = ""

    @property
    def name(self) -> str:
        """The block id or the property's name."""
        return "".join(self.target)


def parsed(raw: Mapping[str, Any]) -> Instruction:
    """The instruction in a JSON object. Raises PatchError (40081) for what cannot be meant."""
    for key in raw:
        if key not in _KEYS:
            raise _bad(f"{key!r} is unknown", f"known are {', '.join(_KEYS)}")
    kind = _word(raw, "targetType", ("heading", "block", "frontmatter"))
    operation = _word(raw, "operation", OPERATIONS)
    scope = _word(raw, "scope", SCOPES, "content")
    carriers = [key for key in ("content", "value", "destination") if key in raw]
    found = Instruction(
        kind,
        _target(kind, raw.get("target")),
        operation,
        scope,
        _within(raw.get("within")),
        carriers[0] if carriers else "",
        content=_text(raw.get("content", "")),
        value=cast("Value", raw.get("value")),
        destination=_destination(raw["destination"]) if "destination" in raw else None,
        create=_flag(raw, "createTargetIfMissing"),
        reject_preexisting=_flag(raw, "rejectIfContentPreexists"),
        if_match=_text(raw.get("ifMatch") or ""),
    )
    _check(found, carriers)
    return found


_KEYS: Final = (
    "targetType", "target", "operation", "scope", "within", "content", "value", "destination",
    "createTargetIfMissing", "rejectIfContentPreexists", "ifMatch",
)  # fmt: skip


def _check(found: Instruction, carriers: list[str]) -> None:
    kind, scope, operation = found.target_type, found.scope, found.operation
    if operation == "delete" and carriers:
        raise _bad(f"a delete takes no {carriers[0]!r}")
    if operation != "delete" and len(carriers) != 1:
        raise _bad("exactly one of content, value, destination is needed", f"sent: {', '.join(carriers) or 'none'}")
    if (scope == "parent") != (found.carrier == "destination") or (scope == "parent" and (operation, kind) != ("replace", "heading")):
        raise _bad("the scope parent goes with replace, a heading and a destination, and only these with it")
    if operation != "delete" and scope != "parent":
        allowed = {"heading": ("content",), "block": ("content", "value") if scope == "content" else ("content",)}.get(
            kind, ("content",) if scope == "marker" else ("value",)
        )
        if found.carrier not in allowed:
            raise _bad(f"{kind} with the scope {scope} takes {' or '.join(allowed)}, not {found.carrier}")
    if found.within is not None and (kind != "heading" or scope not in {"content", "markerAndContent"} or found.create):
        raise _bad("within goes with a heading's content or markerAndContent, and not with createTargetIfMissing")
    if found.create and (scope != "content" or operation == "delete"):
        raise _bad("createTargetIfMissing goes with the scope content, and not with delete")
    if kind == "heading" and not found.target and (scope != "content"):
        raise _bad("the root has no heading: only its content can be changed")


def _word(raw: Mapping[str, Any], key: str, allowed: tuple[str, ...], default: str = "") -> str:
    word = raw.get(key) or default
    if word not in allowed:
        raise _bad(f"{key}: {word!r} is not one of {', '.join(allowed)}")
    return str(word)


def _flag(raw: Mapping[str, Any], key: str) -> bool:
    flag = raw.get(key, False)
    if not isinstance(flag, bool):
        raise _bad(f"{key} must be true or false")
    return flag


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise _bad("content and ifMatch must be text", "values of properties and rows go in `value`")
    return value


def _target(kind: str, target: object) -> tuple[str, ...]:
    if kind == "heading":
        if target is None:
            return ()
        if isinstance(target, str):  # since 5.0.3 its MCP tools take one text for one heading
            return (target,)
        return _path(target, "target")
    if not isinstance(target, str) or not target:
        raise _bad(f"the target of a {kind} must be its name")
    return (target,)


def _path(value: object, what: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise _bad(f"{what} must be a list of heading texts")
    return tuple(value)


def _within(value: object) -> int | None:
    if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
        raise _bad("within must be a whole number")
    return value


def _destination(raw: object) -> Destination:
    if not isinstance(raw, dict) or set(raw) - {"parent", "place"}:
        raise _bad("destination must be {parent, place}")
    parent = () if raw.get("parent") is None else _path(raw["parent"], "destination.parent")
    place = raw.get("place", "last")
    if isinstance(place, dict) and len(place) == 1 and (word := next(iter(place))) in {"before", "after"}:
        sibling = place[word]
        return Destination(parent, word, (sibling,) if isinstance(sibling, str) else _path(sibling, f"destination.place.{word}"))
    if place not in ("first", "last"):
        raise _bad('destination.place must be "first", "last", {"before": […]} or {"after": […]}')
    return Destination(parent, str(place))


def _bad(message: str, hint: str = "") -> PatchError:
    return PatchError(message, rest_code=40081, hint=hint)
