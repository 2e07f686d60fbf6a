"""Autocommit (memory.md M2): everything that changed in the vault, committed; never in somebody's merge, never pushed.

Nobody decides whether a change is worth recording, so nothing here is an error: a commit that cannot be made now says why in one line.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple


class Commit(NamedTuple):
    """What an autocommit did. *reason* is one line for people, *files* how many paths changed, *commit* the new commit's hash."""

    committed: bool
    reason: str
    files: int = 0
    commit: str = ""


def find_repo(vault: Path) -> Path | None:
    """The root of the git repository that *vault* lies in, None when there is none (or no git)."""
    if shutil.which("git") is None or not vault.is_dir():
        return None
    done = _git(vault, "rev-parse", "--show-toplevel")
    return Path(done.stdout.decode("utf-8", "surrogateescape").rstrip("\n")) if done.returncode == 0 else None


def init_repo(vault: Path) -> str:
    """Make *vault* a repository with a first commit; what was done, in words."""
    if shutil.which("git") is None:
        return "git is not installed: the vault is not versioned (undo still works)"
    done = _git(vault, "init", "--quiet")
    if done.returncode:
        return f"git init failed: {_said(done)}"
    first = autocommit(vault, now=datetime.now(), message="A new vault")
    return "in git, with a first commit" if first.committed else f"in git; {first.reason}"


def autocommit(vault: Path, *, now: datetime, message: str = "", allow_outer: bool = False, timeout: float = 60) -> Commit:
    """Commit what changed under *vault*. A repository whose root is above it is left alone unless *allow_outer*."""
    if shutil.which("git") is None:
        return Commit(False, "not committed: git is not installed")
    root = find_repo(vault)
    if root is None:
        return Commit(False, "not committed: the vault is in no git repository (`git init` in it makes one)")
    if root.resolve() != vault.resolve() and not allow_outer:
        return Commit(False, f"not committed: the repository's root {root} is above the vault (--yes commits the vault's part)")
    try:
        return _commit(vault, root, now=now, message=message, timeout=timeout)
    except subprocess.TimeoutExpired as error:
        return Commit(False, f"not committed: git took longer than {error.timeout:g} s")


# What git keeps in its folder while somebody is in the middle of something.
_BUSY: Final = {
    "MERGE_HEAD": "a merge",
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "BISECT_LOG": "a bisect",
}
_MARKER: Final = re.compile(rb"^(?:<{7}|>{7})(?: |\r?$)", re.MULTILINE)
_LARGE: Final = 5_000_000


def _commit(vault: Path, root: Path, *, now: datetime, message: str, timeout: float) -> Commit:
    folder = _git(vault, "rev-parse", "--absolute-git-dir", timeout=timeout)
    git_dir = Path(folder.stdout.decode("utf-8", "surrogateescape").rstrip("\n"))
    busy = next((what for name, what in _BUSY.items() if (git_dir / name).exists()), "")
    if busy:
        return Commit(False, f"not committed: {busy} is under way")
    if (git_dir / "index.lock").exists():
        return Commit(False, "not committed: another git command is running (index.lock)")
    has_head = _git(vault, "rev-parse", "--verify", "--quiet", "HEAD", timeout=timeout).returncode == 0
    if has_head and _git(vault, "symbolic-ref", "--quiet", "HEAD", timeout=timeout).returncode:
        return Commit(False, "not committed: HEAD is detached (check out a branch)")
    state = _git(vault, "status", "--porcelain", "-z", "--untracked-files=all", "--", ".", timeout=timeout)
    if state.returncode:
        return Commit(False, f"not committed: {_said(state)}")
    changed = _changed(state.stdout)
    if not changed:
        return Commit(False, "nothing changed")
    unmerged = next((path for code, path in changed if "U" in code or code in {"AA", "DD"}), "")
    if unmerged:
        return Commit(False, f"not committed: {unmerged} is unmerged")
    marked = next((path for _, path in changed if _has_markers(root / path)), "")
    if marked:
        return Commit(False, f"not committed: {marked} holds conflict markers")
    added = _git(vault, "add", "--all", "--", ".", timeout=timeout)
    if added.returncode:
        return Commit(False, f"not committed: {_said(added)}")
    subject = message or f"vaultkit: {len(changed)} {'file' if len(changed) == 1 else 'files'}, {now:%Y-%m-%d %H:%M}"
    # Hooks are passed over and nothing is signed: a timer must never hang on a prompt or a slow check. `-- .` leaves alone what the
    # person has staged outside the vault.
    done = _git(vault, *_identity(vault), "-c", "commit.gpgsign=false", "commit", "--quiet", "--no-verify", "-m", subject, "--", ".", timeout=timeout)
    if done.returncode:
        return Commit(False, f"not committed: {_said(done)}")
    made = _git(vault, "rev-parse", "HEAD", timeout=timeout).stdout.decode().strip()
    return Commit(True, f"committed {len(changed)} {'file' if len(changed) == 1 else 'files'} ({made[:10]})", len(changed), made)


def _changed(status: bytes) -> list[tuple[str, str]]:
    """(code, path) of each entry of `git status --porcelain -z`; a rename's old path follows as an entry of its own."""
    parts = status.decode("utf-8", "surrogateescape").split("\0")
    found = []
    at = 0
    while at < len(parts):
        entry = parts[at]
        at += 1
        if len(entry) > 3:
            found.append((entry[:2], entry[3:]))
            if entry[0] in "RC":
                at += 1
    return found


def _has_markers(path: Path) -> bool:
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > _LARGE:
            return False
        data = path.read_bytes()
    except OSError:
        return False  # unreadable: `git add` will say so
    return b"\0" not in data[:8000] and len(_MARKER.findall(data)) > 1


def _identity(vault: Path) -> tuple[str, ...]:
    if _git(vault, "var", "GIT_COMMITTER_IDENT").returncode == 0 and _git(vault, "config", "user.email").returncode == 0:
        return ()
    return ("-c", "user.name=vaultkit", "-c", "user.email=vaultkit@localhost")


def _git(vault: Path, *words: str, timeout: float = 30) -> subprocess.CompletedProcess[bytes]:
    # A git process around us (a hook, a rebase) must not redirect ours to its own repository or index.
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    command: Sequence[str] = ("git", "-C", str(vault), *words)
    return subprocess.run(command, check=False, capture_output=True, timeout=timeout, env={**clean, "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}, stdin=subprocess.DEVNULL)


def _said(done: subprocess.CompletedProcess[bytes]) -> str:
    lines = (done.stderr or done.stdout).decode("utf-8", "replace").strip().splitlines()
    return lines[-1][:200] if lines else f"git exited {done.returncode}"
