"""Whatever fails, and whenever: a batch is applied whole or not at all."""

from __future__ import annotations

import errno
import logging
import os
import shutil
import tempfile
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

from vaultkit.errors import NoteChangedError, NoteExistsError, VaultkitError
from vaultkit.store.files import DiskError, FileStore, disk
from vaultkit.store.files.places import fold
from vaultkit.text.edit import Create, Edit, Move, Rewrite, Trash, hash_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
NFD = "cafe\u0301.md"
OLD = {
    "daily/2026-11-30.md": b"# Monday\n",
    "old name.md": b"moved as it is\n",
    "linked.md": b"see ../x\n",
    "junk.md": b"junk\n",
    NFD: b"un cafe\r\n",
}
EDITS: list[Edit] = [
    Create("inbox/new.md", b"captured\n"),
    Rewrite("daily/2026-11-30.md", b"# Monday\n- [[new]]\n", hash_of(OLD["daily/2026-11-30.md"])),
    Move("old name.md", "archive/2026/11/old name.md", hash_of(OLD["old name.md"])),
    Move("linked.md", "sub/linked.md", hash_of(OLD["linked.md"]), b"see ../../x\n"),
    Trash("junk.md", hash_of(OLD["junk.md"])),
    Rewrite("caf\u00e9.md", b"deux cafes\r\n", hash_of(OLD[NFD])),
]
NEW = {
    "inbox/new.md": b"captured\n",
    "daily/2026-11-30.md": b"# Monday\n- [[new]]\n",
    "archive/2026/11/old name.md": b"moved as it is\n",
    "sub/linked.md": b"see ../../x\n",
    ".trash/junk.md": b"junk\n",
    NFD: b"deux cafes\r\n",
}
NEEDS_ROOM = {"create", "write", "fsync", "keep", "land", "mkdir", "fsync folder"}


class Dead(BaseException):
    """Raised by every step once the process counts as killed, so that nothing is cleared up."""


class Vault:
    """A small vault with everything that a batch can meet."""

    def __init__(self, base: Path) -> None:
        self.root, self.state = base / "vault", base / "state"
        for name, data in OLD.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_bytes(data)

    def store(self) -> FileStore:
        return FileStore(self.root, self.state)

    def apply(self, edits: list[Edit] = EDITS) -> None:
        self.store().apply(edits, command="test", now=NOW)

    def files(self) -> dict[str, bytes]:
        return {str(p.relative_to(self.root)): p.read_bytes() for p in self.root.rglob("*") if p.is_file()}

    def folders(self) -> set[str]:
        return {str(p.relative_to(self.root)) for p in self.root.rglob("*") if p.is_dir()}

    def pending(self) -> list[str]:
        return [p.name for p in self.state.glob("pending/*")]


@pytest.fixture(autouse=True)
def no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """A killed process loses nothing that the system has; only a power cut would."""
    monkeypatch.setattr(os, "fsync", lambda _fd: None)


def ignore_case(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the system calls answer as on a disk where names that differ in case or Unicode form are one name."""
    listdir, lstat = os.listdir, os.lstat

    def names(folder: str) -> list[str]:
        try:
            return listdir(folder or "/")
        except OSError:
            return []

    def canonical(path: object) -> object:
        if not isinstance(path, str) or not path.startswith("/"):
            return path
        real = ""
        for part in path.strip("/").split("/"):
            try:
                lstat(f"{real}/{part}")
                real = f"{real}/{part}"
            except OSError:
                real = f"{real}/{next((name for name in names(real) if fold(name) == fold(part)), part)}"
        return real

    def wrap(call: Callable[..., object]) -> Callable[..., object]:
        return lambda *paths, **how: call(*map(canonical, paths), **how)

    for name in ("lstat", "open", "link", "replace", "unlink", "mkdir", "rmdir", "listdir"):
        monkeypatch.setattr(os, name, wrap(getattr(os, name)))


@pytest.fixture(params=["links", "no links", "one case", "one case, no links"])
def fresh(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], Vault]]:
    """Makes vaults, one at a time, on four kinds of disk: with or without hard links, minding or ignoring the case of names."""
    if "no links" in request.param:

        def refuse(*_: object, **__: object) -> NoReturn:
            raise OSError(errno.EPERM, "no hard links here")

        monkeypatch.setattr(os, "link", refuse)
    if "one case" in request.param:
        ignore_case(monkeypatch)
    memory = Path("/dev/shm")  # a disk would flush at each of some ten thousand renames
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as base:

        def make() -> Vault:
            for name in ("vault", "state"):
                shutil.rmtree(Path(base) / name, ignore_errors=True)
            return Vault(Path(base))

        yield make


def failing(monkeypatch: pytest.MonkeyPatch, at: int, fault: Callable[[str, int], BaseException | None]) -> list[str]:
    """Install a disk whose step *at* and the following ones ask *fault* what to raise; the steps taken."""
    taken: list[str] = []

    def step(name: str, _path: str) -> None:
        taken.append(name)
        error = fault(name, len(taken) - at) if len(taken) >= at else None
        if error is not None:
            raise error

    monkeypatch.setattr(disk, "_step", step)
    return taken


@pytest.fixture(autouse=True)
def no_warnings_in_the_output(caplog: pytest.LogCaptureFixture) -> None:
    """Thousands of interrupted runs are reported on purpose."""
    caplog.set_level(logging.ERROR, "vaultkit")


def healthy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "_step", lambda _name, _path: None)


def steps_of(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> int:
    taken = failing(monkeypatch, 1, lambda _name, _since: None)
    act()
    healthy(monkeypatch)
    return len(taken)


def check_whole(vault: Vault, *, either: tuple[dict[str, bytes], ...] = (OLD, NEW)) -> None:
    files = vault.files()
    assert files in either
    assert vault.pending() == []
    if files == OLD:
        assert vault.folders() == {"daily"}


def test_a_batch_without_faults_is_applied_whole(fresh: Callable[[], Vault]) -> None:
    vault = fresh()
    vault.apply()
    assert vault.files() == NEW


def test_one_failing_call_takes_the_whole_batch_back(fresh: Callable[[], Vault], monkeypatch: pytest.MonkeyPatch) -> None:
    total = steps_of(monkeypatch, fresh().apply)
    outcomes = set()
    for at in range(1, total + 1):
        vault = fresh()
        failing(monkeypatch, at, lambda _name, since: OSError(errno.ENOSPC, "full") if since == 0 else None)
        try:
            vault.apply()
        except VaultkitError as error:
            outcomes.add("refused" if error.hint and vault.files() == OLD else f"left torn at step {at}")
        else:  # the failure came when all was done already
            outcomes.add("applied")
            healthy(monkeypatch)
            vault.store().recover()
            assert vault.files() == NEW, at
        healthy(monkeypatch)
        check_whole(vault)
        vault.store().undo(now=NOW) if vault.files() == NEW else vault.apply()
    assert outcomes == {"refused", "applied"}


def test_a_disk_that_stays_full_leaves_everything_as_before(fresh: Callable[[], Vault], monkeypatch: pytest.MonkeyPatch) -> None:
    total = steps_of(monkeypatch, fresh().apply)
    full = OSError(errno.ENOSPC, "full")
    refused = 0
    for at in range(1, total + 1):
        vault = fresh()
        failing(monkeypatch, at, lambda name, _since: full if name in NEEDS_ROOM else None)
        try:
            vault.apply()
        except VaultkitError:
            refused += 1
        healthy(monkeypatch)
        vault.store().recover()
        check_whole(vault)
    assert refused > total // 2


def test_a_process_killed_before_any_step_leaves_a_whole_vault(fresh: Callable[[], Vault], monkeypatch: pytest.MonkeyPatch) -> None:
    total = steps_of(monkeypatch, fresh().apply)
    seen = []
    for at in range(1, total + 1):
        vault = fresh()
        failing(monkeypatch, at, lambda _name, _since: Dead())
        with pytest.raises(Dead):
            vault.apply()
        healthy(monkeypatch)
        told = vault.store().recover()
        check_whole(vault)
        assert len(told) <= 1
        seen.append(vault.files() == NEW)
    assert seen == sorted(seen), "once the batch counts as done it stays done"
    assert True in seen
    assert False in seen


def test_a_recovery_that_is_killed_itself_is_repeated(fresh: Callable[[], Vault], monkeypatch: pytest.MonkeyPatch) -> None:
    total = steps_of(monkeypatch, fresh().apply)
    for at in range(1, total + 1, 11):
        for again in count(1, 2):
            vault = fresh()
            failing(monkeypatch, at, lambda _name, _since: Dead())
            with pytest.raises(Dead):
                vault.apply()
            taken = failing(monkeypatch, again, lambda _name, _since: Dead())
            try:
                vault.store().recover()
            except Dead:
                healthy(monkeypatch)
                vault.store().recover()
            check_whole(vault)
            if len(taken) < again:
                break


def test_an_undo_that_is_killed_leaves_a_whole_vault(fresh: Callable[[], Vault], monkeypatch: pytest.MonkeyPatch) -> None:
    first = fresh()
    first.apply()
    total = steps_of(monkeypatch, lambda: first.store().undo(now=NOW))
    assert first.files() == OLD
    for at in range(1, total + 1):
        vault = fresh()
        vault.apply()
        failing(monkeypatch, at, lambda _name, _since: Dead())
        with pytest.raises(Dead):
            vault.store().undo(now=NOW)
        healthy(monkeypatch)
        vault.store().recover()
        assert vault.files() in (OLD, NEW)
        assert vault.pending() == []
        if vault.files() == NEW:
            vault.store().undo(now=NOW)
        assert vault.files() == OLD


def test_a_change_of_case_is_whole_on_every_disk(fresh: Callable[[], Vault], monkeypatch: pytest.MonkeyPatch) -> None:
    edits: list[Edit] = [
        Move("old name.md", "Old Name.md", hash_of(OLD["old name.md"])),
        Move("linked.md", "LINKED.md", hash_of(OLD["linked.md"]), b"see ../x!\n"),
        Rewrite("junk.md", b"no junk\n", hash_of(OLD["junk.md"])),
    ]
    same = {name: OLD[name] for name in ("daily/2026-11-30.md", NFD)}
    new = {**same, "Old Name.md": OLD["old name.md"], "LINKED.md": b"see ../x!\n", "junk.md": b"no junk\n"}
    vault = fresh()
    total = steps_of(monkeypatch, lambda: vault.apply(edits))
    assert vault.files() == new
    vault.store().undo(now=NOW)
    assert vault.files() == OLD
    for at in range(1, total + 1):
        vault = fresh()
        failing(monkeypatch, at, lambda _name, _since: Dead())
        with pytest.raises(Dead):
            vault.apply(edits)
        failing(monkeypatch, at // 3 + 1, lambda _name, _since: Dead())
        try:
            vault.store().recover()
        except Dead:
            healthy(monkeypatch)
            vault.store().recover()
        healthy(monkeypatch)
        check_whole(vault, either=(OLD, new))


def test_the_next_apply_recovers_by_itself(fresh: Callable[[], Vault], monkeypatch: pytest.MonkeyPatch) -> None:
    middle = steps_of(monkeypatch, fresh().apply) // 2
    vault = fresh()
    failing(monkeypatch, middle, lambda _name, _since: Dead())
    with pytest.raises(Dead):
        vault.apply()
    healthy(monkeypatch)
    assert vault.pending()
    vault.apply()
    assert vault.files() == NEW


def test_a_disk_that_lets_nothing_be_taken_back_stops_writers_and_not_readers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vault = Vault(tmp_path)
    failing(monkeypatch, 40, lambda _name, _since: Dead())
    with pytest.raises(Dead):
        vault.apply()
    failing(monkeypatch, 1, lambda _name, _since: OSError(errno.EROFS, "read-only"))
    [told] = vault.store().recover()
    assert "cannot be taken back yet" in told
    with pytest.raises(DiskError, match="read-only"):
        vault.apply()
    healthy(monkeypatch)
    assert vault.store().recover()
    check_whole(vault)


def test_a_note_whose_name_was_taken_after_the_kill_is_set_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vault = Vault(tmp_path)
    at_step(monkeypatch, "land", "sub/linked.md", lambda: failing(monkeypatch, 1, lambda _name, _since: Dead()))
    with pytest.raises(Dead):
        vault.apply()
    healthy(monkeypatch)
    assert "linked.md" not in vault.files()
    (vault.root / "linked.md").write_bytes(b"made since\n")
    [told] = vault.store().recover()
    assert "linked.md" in told
    assert vault.files() == {**OLD, "linked.md": b"made since\n", "linked (recovered).md": OLD["linked.md"]}


def test_what_someone_else_changed_after_the_kill_is_left_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vault = Vault(tmp_path)
    total = steps_of(monkeypatch, Vault(tmp_path / "other").apply)
    for at in range(total, 0, -1):
        vault = Vault(tmp_path / str(at))
        failing(monkeypatch, at, lambda _name, _since: Dead())
        with pytest.raises(Dead):
            vault.apply()
        healthy(monkeypatch)
        if vault.files().get("daily/2026-11-30.md") == NEW["daily/2026-11-30.md"] and any(n.endswith(".switch") for n in vault.pending()):
            break
    (vault.root / "daily/2026-11-30.md").write_bytes(b"typed by hand\n")
    [told] = vault.store().recover()
    assert "except daily/2026-11-30.md" in told
    assert vault.files() == {**OLD, "daily/2026-11-30.md": b"typed by hand\n"}
    [run] = vault.store().runs()
    assert run.command == "test", "its record stays, because it holds what the note was"
    done = vault.store().undo(now=NOW)
    assert [left.path for left in done.conflicts] == ["daily/2026-11-30.md"]


def at_step(monkeypatch: pytest.MonkeyPatch, name: str, ending: str, act: Callable[[], object]) -> None:
    """Someone else acts just before the step *name* on a file that ends in *ending*."""
    acted: list[bool] = []

    def step(step_name: str, path: str) -> None:
        if step_name == name and path.endswith(ending) and not acted:
            acted.append(True)
            act()

    monkeypatch.setattr(disk, "_step", step)


def test_an_edit_between_the_check_and_the_write_stops_the_batch(fresh: Callable[[], Vault], monkeypatch: pytest.MonkeyPatch) -> None:
    vault = fresh()
    note = vault.root / "daily/2026-11-30.md"
    at_step(monkeypatch, "create", "-0.new", lambda: note.write_bytes(b"typed meanwhile\n"))
    with pytest.raises(NoteChangedError):
        vault.apply()
    check_whole(vault, either=({**OLD, "daily/2026-11-30.md": b"typed meanwhile\n"},))


def test_a_note_deleted_between_the_check_and_the_write_stops_the_batch(
    fresh: Callable[[], Vault], monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = fresh()
    at_step(monkeypatch, "create", "-0.new", (vault.root / "linked.md").unlink)
    with pytest.raises(NoteChangedError):
        vault.apply()
    assert vault.files() == {name: data for name, data in OLD.items() if name != "linked.md"}


def test_a_folder_that_appears_meanwhile_is_used(fresh: Callable[[], Vault], monkeypatch: pytest.MonkeyPatch) -> None:
    vault = fresh()
    at_step(monkeypatch, "mkdir", "/inbox", (vault.root / "inbox").mkdir)
    vault.apply()
    assert vault.files() == NEW


def test_an_edit_in_the_very_moment_of_the_write_survives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vault = Vault(tmp_path)
    note = vault.root / "daily/2026-11-30.md"
    at_step(monkeypatch, "replace", "2026-11-30.md", lambda: note.write_bytes(b"typed at the last moment\n"))
    with pytest.raises(NoteChangedError):
        vault.apply()
    check_whole(vault, either=({**OLD, "daily/2026-11-30.md": b"typed at the last moment\n"},))


@pytest.mark.parametrize("racing", ["inbox/new.md", "archive/2026/11/old name.md", "sub/linked.md", ".trash/junk.md"])
def test_a_racing_creator_is_never_overwritten(fresh: Callable[[], Vault], monkeypatch: pytest.MonkeyPatch, racing: str) -> None:
    vault = fresh()
    at_step(monkeypatch, "land", racing, lambda: (vault.root / racing).write_bytes(b"first!\n"))
    with pytest.raises(NoteExistsError):
        vault.apply()
    assert vault.files() == {**OLD, racing: b"first!\n"}
    assert vault.pending() == []


def test_a_racing_empty_file_is_not_taken_for_a_placeholder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vault = Vault(tmp_path)
    at_step(monkeypatch, "land", "inbox/new.md", lambda: (vault.root / "inbox/new.md").write_bytes(b""))
    with pytest.raises(NoteExistsError):
        vault.apply()
    assert vault.files() == {**OLD, "inbox/new.md": b""}


def test_a_folder_that_becomes_a_symlink_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vault = Vault(tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    def swap() -> None:
        (vault.root / "daily").rename(vault.root / "daily before")
        (vault.root / "daily").symlink_to(elsewhere)

    at_step(monkeypatch, "land", "inbox/new.md", swap)
    with pytest.raises(VaultkitError):
        vault.apply()
    assert list(elsewhere.iterdir()) == []


def test_the_error_says_what_and_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vault = Vault(tmp_path)
    failing(monkeypatch, 6, lambda name, _since: OSError(errno.ENOSPC, "full") if name == "write" else None)
    with pytest.raises(DiskError) as caught:
        vault.apply()
    assert "the disk is full" in caught.value.message
    assert "nothing was changed" in caught.value.message
    assert caught.value.hint == "make room, then retry"
