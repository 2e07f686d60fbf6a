"""Autocommit: what changed in the vault goes into its git repository, unattended (memory.md M2).

Nobody watches, so nothing may prompt, block or surprise: no push, no signing, no hooks (a slow, failing or pushing hook of the owner's is
for the owner's own commits), nothing while the owner is in the middle of something, nothing outside the vault. Whatever stands in the way
is the `reason`, one line for the receipt, and never an exception.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import time
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from vaultkit.text.edit import printable


class Commit(NamedTuple):
    """What an autocommit did; *reason* is one line either way, *commit* the full hash."""

    committed: bool
    reason: str
    files: int = 0
    commit: str = ""


def find_repo(vault: Path) -> Path | None:
    """The root of the working tree that holds *vault*: the vault itself, a folder above, or None."""
    folder = vault.resolve()
    return next((candidate for candidate in (folder, *folder.parents) if (candidate / ".git").exists()), None)


def autocommit(vault: Path, *, now: datetime, message: str = "", allow_outer: bool = False, timeout: float = 60) -> Commit:
    """Commit everything that changed in *vault*, dated *now*.

    A repository whose root is above the vault is left alone unless *allow_outer*; then only files in the vault are committed, and what the
    owner staged elsewhere stays staged. Left out are repositories nested in the vault and, as always, what git ignores.
    """
    vault = vault.resolve()
    root = find_repo(vault)
    if root is None:
        return Commit(committed=False, reason="not committed: the vault is not in a git repository (`git init` makes one)")
    if root != vault and not allow_outer:
        return Commit(
            committed=False, reason=_line(f"not committed: the repository {root} is larger than the vault; --yes commits the vault's files")
        )
    git = _Git(vault, timeout)
    try:
        _check_quiet(git)
        changes = _changes(git)
        _check_conflicts(root, changes)
        changes = [path for path in changes if not path.rsplit("/", 1)[-1].startswith(_TEMPORARY)]
        nested = [f":(top,exclude,literal){path.rstrip('/')}" for path in changes if path.endswith("/")]
        where = ["--", ".", f":(exclude,glob)**/{_TEMPORARY}*", *nested]
        if len(changes) > len(nested):
            git.run("add", "-A", *where)
        files = git.run("diff", "--cached", "--name-only", "--no-renames", "--no-ext-diff", "-z", "--", ".").split("\0")[:-1]
        if not files:
            return Commit(committed=False, reason="nothing changed since the last commit")
        count = f"{len(files)} file{'s' if len(files) > 1 else ''}"
        text = message or f"vaultkit: {count}, {now:%Y-%m-%d %H:%M}"
        only = ["--only", *where] if root != vault else []
        git.run(*_identity(git), "commit", "--quiet", "--no-verify", "--no-gpg-sign", "-m", text, *only, date=now)
        commit = git.run("rev-parse", "HEAD").strip()
    except _StoppedError as stopped:
        return Commit(committed=False, reason=_line(f"not committed: {stopped}"))
    return Commit(committed=True, reason=f"committed {count} as {commit[:7]}", files=len(files), commit=commit)


def init_repo(vault: Path, *, now: datetime | None = None, timeout: float = 60) -> str:
    """Make *vault* a repository, also below another one, with what it holds as a first commit; what was done, in words."""
    if (vault / ".git").exists():
        return "a git repository already"
    git = _Git(vault, timeout)
    try:
        branch = [] if git.config("init.defaultBranch") else ["-c", "init.defaultBranch=main"]
        git.run(*branch, "init", "--quiet")
    except _StoppedError as stopped:
        return _line(f"not in git (undo works all the same): {stopped}")
    first = autocommit(vault, now=now or datetime.now().astimezone(), message="A new vault", timeout=timeout)
    return "in git, with a first commit" if first.committed else f"in git; {first.reason}"


# ── what stands in the way ───────────────────────────────────────────────────────────────────────────────────────────

_UNDER_WAY: Final = (  # what git leaves in its folder while the owner is in the middle of something
    ("MERGE_HEAD", "a merge"),
    ("rebase-merge", "a rebase"),
    ("rebase-apply", "a rebase"),
    ("CHERRY_PICK_HEAD", "a cherry-pick"),
    ("REVERT_HEAD", "a revert"),
    ("BISECT_LOG", "a bisect"),
    ("sequencer", "a cherry-pick or revert"),
)
_TEMPORARY: Final = ".vk-"  # files of a vaultkit run that is under way (store/files/runs.py)
_UNMERGED: Final = frozenset({"DD", "AU", "UD", "UA", "DU", "AA", "UU"})
_OPENS: Final = re.compile(rb"^<{7}(?: |\r?$)", re.MULTILINE)
_PARTS: Final = re.compile(rb"^={7}\r?$", re.MULTILINE)  # by itself it underlines a heading
_CLOSES: Final = re.compile(rb"^>{7}(?: |\r?$)", re.MULTILINE)  # by itself it is a quote in a quote in a quote …
_BINARY_HEAD: Final = 8000  # git takes a file for binary when these bytes hold a NUL


def _check_quiet(git: _Git) -> None:
    """Stop when the owner, or another git, is at work here."""
    folder = Path(git.run("rev-parse", "--absolute-git-dir").rstrip("\n"))
    for name, what in _UNDER_WAY:
        if (folder / name).exists():
            raise _StoppedError(f"{what} is in progress; finish or abort it first")
    if (folder / "index.lock").exists():
        raise _StoppedError(f"another git is at work, or died: if none runs, delete {folder / 'index.lock'}")
    if git.code("symbolic-ref", "--quiet", "HEAD"):
        raise _StoppedError("HEAD is detached: check out a branch first")


def _changes(git: _Git) -> list[str]:
    """Changed and new files of the vault, from the repository's root; a nested repository ends with `/`."""
    status = git.run("status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--", ".")
    paths = []
    for entry in status.split("\0")[:-1]:
        code, path = entry[:2], entry[3:]
        if code in _UNMERGED:
            raise _StoppedError(f"{path} has an unresolved conflict")
        paths.append(path)
    return paths


def _check_conflicts(root: Path, paths: list[str]) -> None:
    for path in paths:
        if _has_markers(root / path):
            raise _StoppedError(f"{path} holds conflict markers (<<<<<<< … >>>>>>>); resolve them first")


def _has_markers(file: Path) -> bool:
    if file.is_symlink() or not file.is_file():  # deleted, a nested repository, or a link: nothing of ours to read
        return False
    try:
        with file.open("rb") as stream:
            head = stream.read(_BINARY_HEAD)
            if b"\0" in head:
                return False
            data = head + stream.read()
    except OSError as error:
        raise _StoppedError(f"{file} cannot be read ({error.strerror})") from error
    return bool(_OPENS.search(data) or (_PARTS.search(data) and _CLOSES.search(data)))


def _identity(git: _Git) -> list[str]:
    """Options that name a committer where the owner's settings name none."""
    return [
        option
        for key, default in (("user.name", "vaultkit"), ("user.email", "vaultkit@localhost"))
        if not git.config(key)
        for option in ("-c", f"{key}={default}")
    ]


# ── running git ──────────────────────────────────────────────────────────────────────────────────────────────────────

# An outer git (a hook, `git rebase --exec`) points its children at its own repository and index. Where the owner's settings and name are
# is another matter.
_KEPT: Final = frozenset(
    {
        *("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"),
        *("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"),
    }
)
# No program that the repository's own settings name is started, and no folder that only looks like a repository is taken for one.
_ALWAYS: Final = tuple(
    word
    for setting in (
        *("core.hooksPath=/dev/null", "core.fsmonitor=false", "safe.bareRepository=explicit"),
        *("commit.gpgSign=false", "advice.addEmbeddedRepo=false"),
    )
    for word in ("-c", setting)
)
_GRACE: Final = 5.0  # seconds between asking git to stop, so that it removes its lock files, and killing it


class _StoppedError(Exception):
    """Why nothing is committed."""


class _Git:
    """git in one folder, all its commands together within a time limit."""

    def __init__(self, folder: Path, timeout: float) -> None:
        program = shutil.which("git")
        self._command = [program, *_ALWAYS] if program else []
        self._folder = folder
        self._timeout = timeout
        self._end = time.monotonic() + timeout

    def run(self, *arguments: str, date: datetime | None = None) -> str:
        """The command's output; undecodable bytes in paths become surrogates."""
        code, out, err = self._run(arguments, date)
        if code:
            lines = [line for line in err.splitlines() if not line.startswith(("hint:", "warning:"))]
            raise _StoppedError(f"git says: {lines[0] if lines else f'exit {code}'}")
        return out

    def code(self, *arguments: str) -> int:
        """The command's exit code."""
        return self._run(arguments, None)[0]

    def config(self, key: str) -> str:
        """A setting, "" when unset."""
        return self._run(("config", "--get", key), None)[1].strip()

    def _run(self, arguments: tuple[str, ...], date: datetime | None) -> tuple[int, str, str]:
        if not self._command:
            raise _StoppedError("git is not installed")
        environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_") or key in _KEPT}
        environment |= {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0"}
        if date is not None:
            environment["GIT_AUTHOR_DATE"] = environment["GIT_COMMITTER_DATE"] = date.isoformat(timespec="seconds")
        try:
            process = subprocess.Popen(
                [*self._command, *arguments],
                cwd=self._folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # so that filters and other helpers of git stop with it
            )
        except OSError as error:
            raise _StoppedError(f"git cannot run in {self._folder} ({error.strerror})") from error
        with process:
            try:
                out, err = process.communicate(timeout=max(0.0, self._end - time.monotonic()))
            except subprocess.TimeoutExpired as late:
                _stop(process)
                raise _StoppedError(f"git took longer than {self._timeout:g} seconds") from late
        return process.returncode, out.decode("utf-8", "surrogateescape"), err.decode("utf-8", "replace")


def _stop(process: subprocess.Popen[bytes]) -> None:
    for number in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=_GRACE)
            return


def _line(text: str) -> str:
    return printable(" ".join(text.split()))
