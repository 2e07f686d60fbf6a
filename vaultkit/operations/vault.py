"""Make a new vault, or adopt an existing folder without touching a note."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from vaultkit.app import App, Progress, open_app
from vaultkit.app.shipped import lay_out, shipped
from vaultkit.config import VAULT_FILE
from vaultkit.errors import RefusedError, UsageError, VaultkitError
from vaultkit.store import git
from vaultkit.text import frontmatter
from vaultkit.text.edit import to_text


class Adopted(NamedTuple):
    """What was found in an existing vault."""

    notes: int
    prose_dates: int
    unparsable: int
    broken_yaml: int
    guesses: dict[str, str]
    skipped: int


class Made(NamedTuple):
    """The vault that `init` made or adopted."""

    path: Path
    created: tuple[str, ...]
    adopted: bool
    report: Adopted | None
    repository: str  # what was done about git, in words


# Folder names that people use for what our settings name; the first that exists wins.
_FOLDERS: dict[str, str] = {
    "inbox_folder": r"(?:\d+[ _.-]*)?(?:inbox|in-?box|captures?|fleeting(?: notes)?|受信(?:箱|トレイ)?|インボックス|未整理)",
    "people_folder": r"(?:\d+[ _.-]*)?(?:people|persons|contacts|人物?|連絡先)",
    "templates_folder": r"(?:\d+[ _.-]*)?(?:templates?|テンプレート)",
    "archive_folder": r"(?:\d+[ _.-]*)?(?:archives?|アーカイブ)",
    "projects_folder": r"(?:\d+[ _.-]*)?(?:projects?|プロジェクト)",
    "daily_folder": r"(?:\d+[ _.-]*)?(?:daily(?: notes)?|dailies|journal|日記|デイリー(?:ノート)?)",
}
_DATE_NAMES = ("date", "created", "creation date", "date created", "date_created", "dateCreated", "created_at", "作成日", "日付")
_SAMPLE = 1000
_DATE_VALUE = re.compile(r"\d{4}-\d{2}-\d{2}")


def init(path: Path, *, progress: Progress | None = None, dry_run: bool = False) -> Made:
    """Make a vault at *path* from the template; adopt what is there already when *path* holds anything."""
    root = _root(path)
    if root in (_home(), Path(root.anchor)):
        raise RefusedError(f"{path} is no place for a vault", hint="name a folder of its own, like ~/notes")
    if root.is_dir() and any(entry.name not in {".git", ".DS_Store"} for entry in root.iterdir()):
        return _adopt(root, progress, dry_run=dry_run)
    if dry_run:
        template = shipped("vault-template")
        names = sorted(found.relative_to(template).as_posix() for found in template.rglob("*") if found.is_file())
        return Made(root, tuple(names), adopted=False, report=None, repository="")
    had_repository = (
        git.find_repo(root) is not None if root.is_dir() else git.find_repo(root.parent) is not None if root.parent.is_dir() else False
    )
    root.mkdir(parents=True, exist_ok=True)
    created = lay_out(shipped("vault-template"), root)
    told = "inside a git repository already: no new one was made" if had_repository else git.init_repo(root)
    with open_app(root=root) as app:
        app.sync(progress)
    return Made(root, tuple(created), adopted=False, report=None, repository=told)


def _root(path: Path) -> Path:
    """The folder that *path* means, symlinks resolved; it need not be there yet."""
    try:
        root = path.expanduser().resolve()
    except RuntimeError as error:  # symlinks in a circle, `~nobody`
        raise UsageError(f"{path}: {error}", hint="name a folder") from error
    if root.exists() and not root.is_dir():
        raise UsageError(f"{path} is a file", hint="name a folder")
    if path.is_symlink() and not root.exists():
        raise UsageError(f"{path} is a symlink that leads nowhere", hint="make the folder that it names, or name another")
    return root


def _home() -> Path | None:
    try:
        return Path.home().resolve()
    except RuntimeError:  # no HOME, and the system knows none either
        return None


def _adopt(root: Path, progress: Progress | None, *, dry_run: bool) -> Made:
    known = (root / VAULT_FILE).exists()
    guesses: dict[str, str] = {}
    if not known:
        guesses = _guess_folders(root)
        with open_app(root=root, flags=dict(guesses)) as app:
            guesses |= _guess_properties(app)
        if not dry_run:
            _write_settings(root / VAULT_FILE, guesses)
    # With a dry run the guesses hold for this look only.
    with open_app(root=root, flags=dict(guesses) if dry_run else None) as app:
        report = _report(app, guesses, progress)
    created = () if known else (VAULT_FILE,)
    return Made(root, created, adopted=True, report=report, repository="")


def _report(app: App, guesses: dict[str, str], progress: Progress | None) -> Adopted:
    synced = app.sync(progress)
    extracts = app.extracts().values()
    return Adopted(
        notes=synced.notes,
        prose_dates=sum(len(found.prose) for found in extracts),
        unparsable=sum(len(found.unparsable) for found in extracts),
        broken_yaml=sum(bool(found.unreadable) for found in extracts),
        guesses=guesses,
        skipped=len(synced.skipped),
    )


def _guess_folders(root: Path) -> dict[str, str]:
    folders = sorted(entry.name for entry in root.iterdir() if entry.is_dir() and not entry.name.startswith("."))
    found = {}
    for setting, pattern in _FOLDERS.items():
        match = next((name for name in folders if re.fullmatch(pattern, name, re.IGNORECASE)), None)
        if match:
            found[setting] = match
    return found


def _guess_properties(app: App) -> dict[str, str]:
    """What a sample of the notes says: reading them all would have to be done again by the names that are found here."""
    counts: Counter[str] = Counter()
    paths = [entry.path for entry in app.files.walk().entries if entry.path.lower().endswith(".md") and entry.size <= app.rules.max_bytes]
    for path in paths[:: max(1, len(paths) // _SAMPLE)]:
        try:
            text = to_text(app.files.read(path).data)
        except VaultkitError:  # the report that follows tells it
            continue
        for name, value in frontmatter.read(text).values.items():
            if name in _DATE_NAMES and isinstance(value, str) and _DATE_VALUE.match(value):
                counts[name] += 1
    best = counts.most_common(1)
    return {"date_property": best[0][0]} if best and best[0][0] != "date" else {}


def _write_settings(path: Path, guesses: dict[str, str]) -> None:
    import tomlkit

    document = tomlkit.document()
    document.add(tomlkit.comment("What vaultkit found out about this vault; `vaultkit config` lists every setting."))
    for name, value in guesses.items():
        document[name] = value
    with path.open("x", encoding="utf-8") as file:
        file.write(tomlkit.dumps(document))
