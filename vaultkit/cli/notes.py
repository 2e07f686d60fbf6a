"""note, daily, open."""

from __future__ import annotations

import sys

import click

from vaultkit.cli._shared import Face, common, many, printable_lines, stdin_text, tell


@click.group()
def note() -> None:
    """Read, create, append to, move or trash a note.

    A note is named by its path (inbox/idea.md) or as a link names it (idea).
    """


@note.command("read")
@click.argument("name")
@common()
def note_read(face: Face, name: str) -> None:
    """Print a note's text."""
    from vaultkit.operations import notes
    from vaultkit.text.edit import printable, to_bytes

    with face.app() as app:
        found = notes.read(app, name)
    if face.as_json:
        face.show({"path": found.path, "hash": found.hash, "text": printable(found.text)}, "")
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(to_bytes(found.text))
        sys.stdout.buffer.flush()


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
    face.show(opened._asdict(), opened.uri)


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
