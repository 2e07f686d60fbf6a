"""note (read, create, append, patch, move, trash), daily, open."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import click

from vaultkit.cli._shared import Face, common, many, printable_lines, stdin_text, tell
from vaultkit.errors import UsageError


@click.group()
def note() -> None:
    """Read, create, append to, patch, move or trash a note.

    A note is named by its path (inbox/idea.md) or as a link names it (idea).
    """


@note.command("read")
@click.argument("name")
@click.option("--heading", metavar="PATH", help="Only what stands under this heading: its text, or the path A::B of a nested one.")
@click.option("--block", metavar="ID", help="Only the block with this id.")
@click.option("--property", "property_", metavar="NAME", help="Only this property's value.")
@click.option("--map", "only_map", is_flag=True, help="Only what can be named in it: headings, block ids, properties.")
@common()
def note_read(face: Face, name: str, heading: str | None, block: str | None, property_: str | None, only_map: bool) -> None:
    """Print a note's text, or a part of it.

    \b
    Example:
      vaultkit note read projects/atlas --heading "Plan::Risks"
    """
    from vaultkit.operations import notes
    from vaultkit.text.edit import printable

    target = _target(heading, block, property_)
    if target and only_map:
        raise UsageError("--map goes alone", hint="leave --heading, --block and --property out")
    with face.app() as app:
        if only_map:
            noted, found = notes.note_map(app, name)
            face.show({"path": noted.path, "hash": noted.hash} | found, lambda: printable_lines(list(_map_lines(found))))
            return
        if target:
            part = notes.read_part(app, name, *target)
            if face.as_json:
                value = printable(part.value) if isinstance(part.value, str) else part.value
                face.show({"path": part.path, "hash": part.hash, "value": value}, "")
            else:
                _write(part.value if isinstance(part.value, str) else _value_text(part.value))
            return
        whole = notes.read(app, name)
    if face.as_json:
        face.show({"path": whole.path, "hash": whole.hash, "text": printable(whole.text)}, "")
    else:
        _write(whole.text)


@note.command("create")
@click.argument("name")
@click.argument("text", nargs=-1)
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@common()
def note_create(face: Face, name: str, text: tuple[str, ...], dry_run: bool) -> None:
    """Make a new note. Without TEXT, or with -, the text comes from standard input."""
    from vaultkit.operations import notes

    content = stdin_text() if not text or text == ("-",) else " ".join(text) + "\n"
    with face.app() as app:
        _show(face, notes.create(app, name, content, dry_run=dry_run), "created")


@note.command("append")
@click.argument("name")
@click.argument("text", nargs=-1)
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@click.option("--expect", "expected", default="", metavar="HASH", help="Refuse when the note is no longer this.")
@common()
def note_append(face: Face, name: str, text: tuple[str, ...], dry_run: bool, expected: str) -> None:
    """Add text at the end of a note. Without TEXT, or with -, it comes from standard input."""
    from vaultkit.operations import notes

    content = stdin_text() if not text or text == ("-",) else " ".join(text)
    with face.app() as app:
        _show(face, notes.append(app, name, content, dry_run=dry_run, expected=expected), "appended to")


@note.command("patch")
@click.argument("name")
@click.argument("text", nargs=-1)
@click.option("--heading", metavar="PATH", help="The heading whose section changes: its text, or the path A::B of a nested one.")
@click.option("--block", metavar="ID", help="The block with this id.")
@click.option("--property", "property_", metavar="NAME", help="The property of this name.")
@click.option("--append", "operation", flag_value="append", default=True, help="Add at the end (the default).")
@click.option("--prepend", "operation", flag_value="prepend", help="Add at the start.")
@click.option("--replace", "operation", flag_value="replace", help="Put it in place of what stands there.")
@click.option("--delete", "operation", flag_value="delete", help="Empty it; with --scope markerAndContent take it away as a whole.")
@click.option(
    "--scope",
    type=click.Choice(["content", "marker", "markerAndContent"]),
    help="The content (default), the heading or id itself, or both.",
)
@click.option("--within", type=int, metavar="N", help="Only the N-th block below the heading, from 0; from the end with -1.")
@click.option("--value", metavar="JSON", help="A value for a property (a list, a number …) or rows for a table, in place of TEXT.")
@click.option("--create", is_flag=True, help="Make the heading, block or property when it is missing.")
@click.option("--reject-existing", is_flag=True, help="Refuse when the text stands there already.")
@click.option("--instruction", metavar="JSON", help="A whole PATCH 2.x instruction, in place of all that; - reads it from standard input.")
@click.option("--expect", "expected", default="", metavar="HASH", help="Refuse when the note is no longer this.")
@click.option("--dry-run", is_flag=True, help="Only show the change.")
@common()
def note_patch(
    face: Face,
    name: str,
    text: tuple[str, ...],
    heading: str | None,
    block: str | None,
    property_: str | None,
    instruction: str | None,
    expected: str,
    dry_run: bool,
    **words: Any,
) -> None:
    """Change a part of a note: what stands under a heading, a block with an id, a property.

    Without TEXT, or with -, the text comes from standard input. Headings in it are counted from the target: # is a child of it.

    \b
    Examples:
      vaultkit note patch atlas --heading "Plan::Risks" -- "- the vendor is late"
      vaultkit note patch atlas --property tags --value '["infra"]' --create
      vaultkit note patch atlas --block b1 --replace --dry-run -- "new words"
    """
    from vaultkit.operations import notes

    target = _target(heading, block, property_)
    if instruction is None:
        if target is None:
            raise UsageError("what is to be changed?", hint="name it with --heading, --block or --property")
        wanted = _instruction(target, text, **words)
    elif target or text:
        raise UsageError("--instruction says it all", hint="leave TEXT, --heading, --block and --property out")
    else:
        wanted = _json_argument("--instruction", stdin_text() if instruction == "-" else instruction)
        if not isinstance(wanted, dict):
            raise UsageError("--instruction must be a JSON object")
    with face.app() as app:
        done = notes.patch(app, name, wanted, dry_run=dry_run, expected=expected)
    for warning in done.warnings:
        tell(f"note: {warning}")
    result: dict[str, object] = {"path": done.path, "hash": done.hash, "warnings": list(done.warnings)}
    if dry_run:
        result |= {"dry_run": True, "diff": list(done.diff)}
        face.show(result, printable_lines(list(done.diff) or [f"nothing would change in {done.path}"]))
    else:
        face.show(result, printable_lines([f"patched {done.path}" if done.diff else f"nothing to change in {done.path}"]))


@note.command("move")
@click.argument("name")
@click.argument("to")
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@common()
def note_move(face: Face, name: str, to: str, dry_run: bool) -> None:
    """Move or rename a note or a folder; links to it and in it keep their meaning."""
    from vaultkit.operations import notes

    with face.app() as app:
        _show(face, notes.move(app, name, to, dry_run=dry_run), "moved to")


@note.command("trash")
@click.argument("name")
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@common()
def note_trash(face: Face, name: str, dry_run: bool) -> None:
    """Move a note to the vault's .trash folder."""
    from vaultkit.operations import notes

    with face.app() as app:
        _show(face, notes.trash(app, name, dry_run=dry_run), "trashed")


@click.command()
@click.option("--create", "make", is_flag=True, help="Make it from its template when it is missing.")
@click.option("--path", "only_path", is_flag=True, help="Print its path only.")
@common(today=True)
def daily(face: Face, make: bool, only_path: bool) -> None:
    """Show or make the daily note.

    Folder, format and template come from .obsidian/daily-notes.json.
    """
    from vaultkit.operations import notes

    with face.app() as app:
        day = app.now().date()
        if only_path:
            found, warnings = notes.find_daily(app, day)
            for warning in warnings:
                tell(warning)
            face.show({"path": found.path, "exists": found.text is not None}, found.path)
            return
        for warning in notes.find_daily(app, day)[1]:
            tell(warning)
        note_text = notes.daily(app, day=day, make=make)
    face.show({"path": note_text.path, "hash": note_text.hash, "text": note_text.text}, note_text.text.rstrip("\r\n"))


@click.command("open")
@click.argument("name")
@click.option("--dry-run", is_flag=True, help="Only print the address.")
@common()
def open_(face: Face, name: str, dry_run: bool) -> None:
    """Open a note in Obsidian.

    Works through Obsidian's own address (obsidian://), which starts it when it is closed.
    """
    from vaultkit.operations import notes

    with face.app() as app:
        opened = notes.open_note(app, name, dry_run=dry_run)
    face.show(opened._asdict(), opened.uri or f"opened {opened.path}")


def _target(heading: str | None, block: str | None, property_: str | None) -> tuple[str, str] | None:
    named = [(kind, target) for kind, target in (("heading", heading), ("block", block), ("frontmatter", property_)) if target is not None]
    if len(named) > 1:
        raise UsageError("only one of --heading, --block and --property can be meant")
    return named[0] if named else None


def _instruction(
    target: tuple[str, str],
    text: tuple[str, ...],
    *,
    operation: str,
    scope: str | None,
    within: int | None,
    value: str | None,
    create: bool,
    reject_existing: bool,
) -> dict[str, Any]:
    """The PATCH 2.x instruction that the options spell."""
    kind, name = target
    made: dict[str, Any] = {
        "targetType": kind,
        "target": name.split("::") if kind == "heading" and name else name or None,
        "operation": operation,
    }
    more = {"scope": scope, "within": within, "createTargetIfMissing": create or None, "rejectIfContentPreexists": reject_existing or None}
    made |= {key: word for key, word in more.items() if word is not None}
    if operation == "delete":
        if text or value is not None:
            raise UsageError("--delete takes no text")
    elif value is not None:
        if text:
            raise UsageError("either TEXT or --value")
        made["value"] = _json_argument("--value", value)
    else:
        content = stdin_text() if not text or text == ("-",) else " ".join(text)
        carrier = "value" if kind == "frontmatter" and scope != "marker" else "content"
        made[carrier] = content.removesuffix("\n") if kind == "frontmatter" else content
    return made


def _json_argument(option: str, text: str) -> Any:
    import json

    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise UsageError(f"{option} is no JSON: {error}", hint="quote it for the shell: '[\"a\"]'") from None


def _value_text(value: Any) -> str:
    import json

    return json.dumps(value, ensure_ascii=False, default=str) + "\n"


def _map_lines(found: dict[str, Any]) -> Iterator[str]:
    def walk(tree: dict[str, Any], depth: int) -> Iterator[str]:
        for title, below in tree.items():
            yield f"{'#' * depth} {title}"
            yield from walk(below, depth + 1)

    yield from walk(found["headings"], 1)
    yield from (f"^{block}" for block in found["blocks"])
    yield from (f"{name}:" for name in found["frontmatterFields"])


def _write(text: str) -> None:
    from vaultkit.text.edit import to_bytes

    sys.stdout.flush()
    sys.stdout.buffer.write(to_bytes(text))
    sys.stdout.buffer.flush()


def _show(face: Face, changed: object, verb: str) -> None:
    from vaultkit.operations.notes import Changed

    assert isinstance(changed, Changed)
    result: dict[str, object] = {
        "path": changed.path,
        "hash": changed.hash,
        "rewritten": list(changed.rewritten),
        "warnings": list(changed.warnings),
    }
    if changed.moved:
        result["moved"] = list(changed.moved)
    if changed.preview:
        result |= {"dry_run": True, "preview": list(changed.preview)}
    lines = list(changed.preview) or [f"{verb} {changed.path}" + (f" ({many(len(changed.moved), 'file')})" if changed.moved else "")]
    if changed.rewritten and not changed.preview:
        lines.append(f"links rewritten in {', '.join(changed.rewritten)}")
    for warning in changed.warnings:
        tell(f"note: {warning}")
    face.show(result, printable_lines(lines))
