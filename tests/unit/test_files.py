from __future__ import annotations

import errno
import os
import socket
import stat
import subprocess
import sys
import unicodedata
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from vaultkit.errors import (
    CapReachedError,
    ConflictError,
    NoteChangedError,
    NoteExistsError,
    NoteNotFoundError,
    OutsideVaultError,
    RefusedError,
    UnsafeNameError,
    VaultBusyError,
    VaultkitError,
    VaultNotFoundError,
)
from vaultkit.store.files import DiskError, FileStore, Skip, disk
from vaultkit.store.files import walk as walking
from vaultkit.text.edit import Create, Edit, Move, Rewrite, Trash, hash_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
NFC, NFD = "caf\u00e9.md", "cafe\u0301.md"


@pytest.fixture(autouse=True)
def no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """What only a power cut would show cannot be tested here."""
    monkeypatch.setattr(os, "fsync", lambda _fd: None)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "vault").mkdir()
    return tmp_path / "vault"


@pytest.fixture
def store(root: Path, tmp_path: Path) -> FileStore:
    return FileStore(root, tmp_path / "state")


def put(root: Path, name: str, data: bytes = b"x\n") -> str:
    file = root / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    return hash_of(data)


def apply(store: FileStore, *edits: Edit, session: str = "") -> dict[str, str]:
    return store.apply(edits, command="test", session=session, now=NOW).hashes


def everything(root: Path) -> dict[str, bytes]:
    return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file() and not p.is_symlink()}


def paths(store: FileStore) -> list[str]:
    return [entry.path for entry in store.walk().entries]


def reasons(skipped: Iterable[Skip]) -> dict[str, str]:
    return {skip.path: skip.reason for skip in skipped}


# --- walk ---------------------------------------------------------------------------------------------------------------------------


def test_a_walk_lists_notes_and_attachments_in_path_order(store: FileStore, root: Path) -> None:
    for name in ("b.md", "a/z.md", "a.md", "img/x.png", "日本語/会議.md"):
        put(root, name)
    assert paths(store) == ["a.md", "a/z.md", "b.md", "img/x.png", "日本語/会議.md"]
    entry = store.walk().entries[0]
    assert (entry.size, entry.mtime_ns) == (2, (root / "a.md").stat().st_mtime_ns)


def test_a_walk_does_not_see_dot_names(store: FileStore, root: Path) -> None:
    for name in (".obsidian/app.json", ".trash/x.md", ".git/HEAD", "a/.hidden.md", ".x.md", "seen.md"):
        put(root, name)
    assert store.walk() == ([entry for entry in store.walk().entries if entry.path == "seen.md"], [])


@pytest.mark.parametrize(
    "name", ["A*.md", "What?.md", '"x".md', "line\u2028separator.md", "a\\b.md", "a\nb.md", " lead.md", "#1 [x].md", "😀.md"]
)
def test_any_existing_name_is_listed_and_read(store: FileStore, root: Path, name: str) -> None:
    put(root, name, b"odd")
    assert paths(store) == [name]
    assert store.read(name).data == b"odd"
    apply(store, Rewrite(name, b"even", hash_of(b"odd")))
    assert everything(root) == {name: b"even"}


def test_a_temporary_file_whose_record_is_lost_is_reported(store: FileStore, root: Path) -> None:
    put(root, "a/.vk-20261130-0001-0.old")
    assert reasons(store.walk().skipped) == {"a/.vk-20261130-0001-0.old": "temporary file of an interrupted run"}


def test_a_name_that_is_no_utf8_is_reported(store: FileStore, root: Path) -> None:
    put(root, "bad\udcff.md")
    assert reasons(store.walk().skipped) == {"bad\ufffd.md": "name is not valid UTF-8"}
    assert paths(store) == []


def test_symlinks_are_reported_and_not_followed(store: FileStore, root: Path, tmp_path: Path) -> None:
    put(tmp_path, "outside/secret.md")
    put(root, "in/a.md")
    for name, target in {
        "link.md": "in/a.md",
        "out.md": "../outside/secret.md",
        "loop": ".",
        "away": "../outside",
        "gone.md": "nowhere.md",
        "self.md": "self.md",
    }.items():
        (root / name).symlink_to(target)
    found = store.walk()
    assert [entry.path for entry in found.entries] == ["in/a.md"]
    assert reasons(found.skipped) == {
        "link.md": "symlink to a file inside the vault, not followed",
        "out.md": "symlink to a file outside the vault, not followed",
        "loop": "symlink to a folder outside the vault, not followed",
        "away": "symlink to a folder outside the vault, not followed",
        "gone.md": "symlink that leads nowhere",
        "self.md": "symlink that leads nowhere",
    } | {"loop": reasons(found.skipped)["loop"]}


def test_pipes_and_sockets_are_reported_and_never_opened(store: FileStore, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(root / "pipe.md")
    monkeypatch.chdir(root)  # a socket's path must be short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("sock")
        assert reasons(store.walk().skipped) == {"pipe.md": "not a regular file", "sock": "not a regular file"}
    with pytest.raises(NoteNotFoundError):
        store.read("pipe.md")


def test_an_unreadable_folder_is_reported(store: FileStore, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(root, "locked/a.md")
    put(root, "open.md")
    real = os.open

    def refuse(path: str, *rest: int) -> int:
        if str(path).endswith("locked"):
            raise PermissionError(errno.EACCES, "no", path)
        return real(path, *rest)

    monkeypatch.setattr(os, "open", refuse)
    assert reasons(store.walk().skipped) == {"locked/": "folder cannot be read: Permission denied"}
    assert paths(store) == ["open.md"]


def test_a_missing_vault_is_an_error(tmp_path: Path) -> None:
    put(tmp_path, "file")
    for name in ("nowhere", "file"):
        with pytest.raises(VaultNotFoundError):
            FileStore(tmp_path / name, tmp_path / "state").walk()


def test_icloud_placeholders_are_reported_and_their_places_taken(store: FileStore, root: Path) -> None:
    put(root, "notes/.away.md.icloud")
    put(root, "notes/.here.md.icloud")
    put(root, "notes/here.md")
    found = store.walk()
    assert [entry.path for entry in found.entries] == ["notes/here.md"]
    assert found.skipped == [Skip("notes/away.md", "in iCloud, not downloaded")]
    assert store.is_taken("notes/Away.md")
    with pytest.raises(NoteExistsError) as caught:
        apply(store, Create("notes/away.md", b"mine"))
    assert "iCloud" in caught.value.hint
    assert not (root / "notes/away.md").exists()


def test_an_evicted_file_is_reported_on_a_mac_only(store: FileStore, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (root / "sparse.md").open("wb") as stream:
        stream.truncate(4096)  # a size and no blocks
    assert paths(store) == ["sparse.md"]
    monkeypatch.setattr(walking, "_MAC", True)
    assert store.walk().skipped == [Skip("sparse.md", "in iCloud, not downloaded")]


@pytest.mark.parametrize(
    ("glob", "left"),
    [
        ("archive/", {"a.md", "sub/a.tmp", "sub/deep/b.md"}),
        ("archive", {"a.md", "sub/a.tmp", "sub/deep/b.md"}),
        ("/archive/**", {"a.md", "sub/a.tmp", "sub/archive/c.md", "sub/deep/b.md"}),
        ("*.tmp", {"a.md", "archive/2020/x.md", "sub/archive/c.md", "sub/deep/b.md"}),
        ("sub/*.md", {"a.md", "archive/2020/x.md", "sub/a.tmp", "sub/archive/c.md", "sub/deep/b.md"}),
        ("sub/**/*.md", {"a.md", "archive/2020/x.md", "sub/a.tmp"}),
        ("**/deep", {"a.md", "archive/2020/x.md", "sub/a.tmp", "sub/archive/c.md"}),
        ("[ab].md", {"archive/2020/x.md", "sub/a.tmp", "sub/archive/c.md"}),
        ("[!a].md", {"a.md", "sub/a.tmp"}),
        ("?.tmp", {"a.md", "archive/2020/x.md", "sub/archive/c.md", "sub/deep/b.md"}),
        ("# a comment", {"a.md", "archive/2020/x.md", "sub/a.tmp", "sub/archive/c.md", "sub/deep/b.md"}),
    ],
)
def test_ignore_globs_read_like_a_gitignore(root: Path, tmp_path: Path, glob: str, left: set[str]) -> None:
    for name in ("a.md", "archive/2020/x.md", "sub/a.tmp", "sub/archive/c.md", "sub/deep/b.md"):
        put(root, name)
    assert set(paths(FileStore(root, tmp_path / "state", ignore=[glob]))) == left


@pytest.mark.parametrize("glob", ["!keep.md", "/", "../x", "[z-a]"])
def test_a_glob_that_cannot_be_meant_is_an_error(root: Path, tmp_path: Path, glob: str) -> None:
    with pytest.raises(VaultkitError):
        FileStore(root, tmp_path / "state", ignore=[glob])


# --- Unicode forms ------------------------------------------------------------------------------------------------------------------


def test_a_decomposed_name_is_listed_composed_and_still_read(store: FileStore, root: Path, tmp_path: Path) -> None:
    folder = unicodedata.normalize("NFD", "ドキュメント")
    put(root, f"{folder}/{NFD}", b"deux")
    listed = f"ドキュメント/{NFC}"
    for each in (store, FileStore(root, tmp_path / "state")):  # with what the walk learned, and without
        assert each.read(listed).data == b"deux"
        assert paths(each) == [listed]
        assert each.read(listed).data == b"deux"
        assert each.exists(listed)
    apply(store, Rewrite(listed, b"trois", hash_of(b"deux")))
    assert everything(root) == {f"{folder}/{NFD}": b"trois"}, "the name on disk stays as it was"


def test_two_files_that_differ_in_unicode_form_only_are_reported(store: FileStore, root: Path) -> None:
    put(root, NFC, b"composed")
    put(root, NFD, b"decomposed")
    found = store.walk()
    assert [entry.path for entry in found.entries] == [NFC]
    assert [skip.path for skip in found.skipped] == [NFC]
    assert store.read(NFC).data == b"composed"


@pytest.mark.parametrize("name", [NFD, "Caf\u00c9.md", "CAFE\u0301.MD"])
def test_a_create_is_refused_when_any_form_of_the_name_exists(store: FileStore, root: Path, name: str) -> None:
    put(root, name, b"first")
    assert store.is_taken(NFC)
    with pytest.raises(NoteExistsError):
        apply(store, Create(NFC, b"second"))
    assert everything(root) == {name: b"first"}


def test_a_decomposed_path_is_created_composed(store: FileStore, root: Path) -> None:
    apply(store, Create(NFD, b"x"))
    assert list(everything(root)) == [NFC]


def test_a_folder_that_differs_in_case_is_not_doubled(store: FileStore, root: Path) -> None:
    put(root, "Inbox/a.md")
    with pytest.raises(ConflictError, match="Inbox"):
        apply(store, Create("inbox/b.md", b"x"))
    assert list(everything(root)) == ["Inbox/a.md"]


def test_a_decomposed_folder_is_used_not_doubled(store: FileStore, root: Path) -> None:
    folder = unicodedata.normalize("NFD", "プロジェクト")
    put(root, f"{folder}/a.md")
    apply(store, Create("プロジェクト/b.md", b"x"))
    assert sorted(everything(root)) == [f"{folder}/a.md", f"{folder}/b.md"]


# --- containment --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["../x.md", "a/../../x.md", "/etc/passwd", "", "a//b.md", "./a.md", ".obsidian/app.json", "a/.git/x", ".trash/x.md", "a\0b.md"]
)
def test_no_path_leads_out_of_the_vault_or_into_a_dot_folder(store: FileStore, root: Path, tmp_path: Path, path: str) -> None:
    put(root, "a/b.md")
    put(tmp_path, "x.md")
    with pytest.raises(OutsideVaultError):
        store.read(path)
    with pytest.raises(OutsideVaultError):
        store.resolve(path)
    assert not store.exists(path)
    for edit in (Create(path, b""), Rewrite(path, b"", hash_of(b"")), Move("a/b.md", path, hash_of(b"x\n")), Trash(path, hash_of(b"x\n"))):
        with pytest.raises(OutsideVaultError):
            apply(store, edit)
    assert everything(root) == {"a/b.md": b"x\n"}


def test_symlinks_out_are_neither_read_nor_written(store: FileStore, root: Path, tmp_path: Path) -> None:
    digest = put(tmp_path, "outside/secret.md")
    (root / "away").symlink_to("../outside")
    (root / "out.md").symlink_to("../outside/secret.md")
    for path in ("away/secret.md", "out.md"):
        with pytest.raises(OutsideVaultError):
            store.read(path)
        for edit in (Rewrite(path, b"", digest), Trash(path, digest), Move(path, "b.md", digest)):
            with pytest.raises(OutsideVaultError):
                apply(store, edit)
    with pytest.raises(OutsideVaultError):
        apply(store, Create("away/new.md", b""))
    with pytest.raises(OutsideVaultError):
        store.resolve("away/new.md")
    with pytest.raises(NoteExistsError):
        apply(store, Create("out.md", b""))
    assert everything(tmp_path / "outside") == {"secret.md": b"x\n"}


def test_symlinks_inside_are_read_and_not_written(store: FileStore, root: Path) -> None:
    digest = put(root, "real/a.md")
    (root / "link").symlink_to("real")
    (root / "real/b.md").symlink_to("a.md")
    assert store.read("link/a.md").hash == digest
    for path in ("link/a.md", "real/b.md"):
        with pytest.raises(RefusedError) as caught:
            apply(store, Rewrite(path, b"new", digest))
        assert caught.value.hint == "edit real/a.md itself"
    with pytest.raises(RefusedError):
        apply(store, Create("link/new.md", b""))
    assert everything(root) == {"real/a.md": b"x\n"}


def test_a_symlink_into_a_dot_folder_is_not_read(store: FileStore, root: Path) -> None:
    put(root, ".obsidian/app.json")
    (root / "peek.md").symlink_to(".obsidian/app.json")
    with pytest.raises(OutsideVaultError):
        store.read("peek.md")


def test_a_vault_may_itself_be_reached_through_a_symlink(root: Path, tmp_path: Path) -> None:
    put(root, "a.md")
    (tmp_path / "alias").symlink_to(root)
    store = FileStore(tmp_path / "alias", tmp_path / "state")
    assert paths(store) == ["a.md"]
    assert store.resolve("a.md") == root.resolve() / "a.md"
    apply(store, Create("b.md", b""))
    assert store.exists("b.md")


# --- read and setting ---------------------------------------------------------------------------------------------------------------


def test_a_read_gives_bytes_and_their_hash(store: FileStore, root: Path) -> None:
    put(root, "a.md", b"\xff\x00")
    assert store.read("a.md") == (b"\xff\x00", hash_of(b"\xff\x00"))


def test_fifty_megabytes_are_read_whole(store: FileStore, root: Path) -> None:
    digest = put(root, "big.md", bytes(range(256)) * 4096 * 50)
    assert store.read("big.md").hash == digest


def test_a_read_goes_on_until_the_end(store: FileStore, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(root, "a.md", b"0123456789")
    real = os.read
    monkeypatch.setattr(os, "read", lambda fd, size: real(fd, min(size, 3)))
    assert store.read("a.md").data == b"0123456789"


def test_a_path_resolves_to_the_name_on_disk_or_to_what_it_would_be(store: FileStore, root: Path) -> None:
    put(root, f"sub/{NFD}")
    assert store.resolve(f"sub/{NFC}") == root.resolve() / "sub" / NFD
    assert store.resolve(f"new/{NFD}") == root.resolve() / "new" / NFC


@pytest.mark.parametrize("path", ["none.md", "none/none.md", "a.md/b.md", "folder", "\ud800.md", "x" * 300 + ".md", f"{chr(0xDCFE)}.md"])
def test_what_is_no_file_is_not_found(store: FileStore, root: Path, path: str) -> None:
    put(root, "a.md")
    (root / "folder").mkdir()
    with pytest.raises(NoteNotFoundError):
        store.read(path)
    assert not store.exists(path)
    with pytest.raises(NoteNotFoundError):
        apply(store, Rewrite(path, b"", hash_of(b"")))


def test_an_unreadable_file_is_a_plain_error(store: FileStore, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(root, "a.md")

    def refuse(path: str, *_: int) -> int:
        raise PermissionError(errno.EACCES, "no", path)

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(DiskError, match=r"a\.md: permission denied"):
        store.read("a.md")


def test_settings_are_read_or_missing(store: FileStore, root: Path, tmp_path: Path) -> None:
    put(root, ".obsidian/daily-notes.json", b"{}")
    put(root, ".obsidian/plugins/p/data.json", b"[]")
    put(tmp_path, "secret.json")
    (root / ".obsidian/out.json").symlink_to("../../secret.json")
    assert store.setting("daily-notes.json") == b"{}"
    assert store.setting("plugins/p/data.json") == b"[]"
    assert store.setting("none.json") is None
    assert store.setting("plugins") is None
    assert store.setting("out.json") is None
    for name in ("../a.md", "/etc/passwd", ""):
        with pytest.raises(OutsideVaultError):
            store.setting(name)


def test_a_settings_folder_that_leads_out_is_reported(store: FileStore, root: Path, tmp_path: Path) -> None:
    put(tmp_path, "shared/app.json")
    (root / ".obsidian").symlink_to("../shared")
    assert store.setting("app.json") is None
    assert [skip.path for skip in store.walk().skipped] == [".obsidian"]


# --- apply --------------------------------------------------------------------------------------------------------------------------


def test_edits_are_applied_and_their_hashes_told(store: FileStore, root: Path) -> None:
    a, b, c, d = (put(root, name) for name in ("a.md", "b.md", "c.md", "d.md"))
    hashes = apply(
        store,
        Create("n/e/w.md", b"1"),
        Rewrite("a.md", b"2", a),
        Move("b.md", "m/b.md", b),
        Move("c.md", "m/c.md", c, b"3"),
        Trash("d.md", d),
    )
    assert everything(root) == {"n/e/w.md": b"1", "a.md": b"2", "m/b.md": b"x\n", "m/c.md": b"3", ".trash/d.md": b"x\n"}
    assert hashes == {"n/e/w.md": hash_of(b"1"), "a.md": hash_of(b"2"), "m/b.md": b, "m/c.md": hash_of(b"3")}


def test_no_edits_and_edits_without_effect_make_no_run(store: FileStore, root: Path) -> None:
    digest = put(root, "a.md")
    before = (root / "a.md").stat()
    assert store.apply([], command="test", now=NOW) == ("", {})
    assert store.apply([Rewrite("a.md", b"x\n", digest)], command="test", now=NOW) == ("", {"a.md": digest})
    assert (root / "a.md").stat() == before
    assert store.runs() == []


def test_one_conflict_refuses_the_whole_batch(store: FileStore, root: Path) -> None:
    digest = put(root, "a.md")
    put(root, "b.md")
    for bad, error in (
        (Rewrite("b.md", b"new", hash_of(b"something else")), NoteChangedError),
        (Trash("b.md", hash_of(b"something else")), NoteChangedError),
        (Create("b.md", b""), NoteExistsError),
        (Move("a2.md", "c.md", digest), NoteNotFoundError),
        (Move("b.md", "a.md", digest), NoteExistsError),
        (Create("new/../../c.md", b""), OutsideVaultError),
        (Create("what?.md", b""), UnsafeNameError),
        (Create("b.md/below.md", b""), ConflictError),
    ):
        with pytest.raises(error):
            apply(store, Create("good.md", b""), bad)
    assert everything(root) == {"a.md": b"x\n", "b.md": b"x\n"}
    assert store.runs() == []


def test_a_file_takes_part_in_a_batch_once(store: FileStore, root: Path) -> None:
    digest = put(root, "a.md")
    for pair in (
        (Create("b.md", b""), Create("B.md", b"")),
        (Rewrite("a.md", b"1", digest), Rewrite("a.md", b"2", digest)),
        (Rewrite("a.md", b"1", digest), Move("a.md", "b.md", digest)),
        (Create("b.md", b""), Move("a.md", "b.md", digest)),
    ):
        with pytest.raises(ConflictError, match="twice"):
            apply(store, *pair)
    assert everything(root) == {"a.md": b"x\n"}


def test_mode_and_second_names_survive_a_rewrite(store: FileStore, root: Path) -> None:
    digest = put(root, "a.md")
    (root / "a.md").chmod(0o640)
    os.utime(root / "a.md", (1, 1))
    apply(store, Rewrite("a.md", b"new", digest))
    found = (root / "a.md").stat()
    assert stat.S_IMODE(found.st_mode) == 0o640
    assert found.st_nlink == 1
    assert found.st_mtime > 1


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_the_owner_survives_a_rewrite_by_root(store: FileStore, root: Path) -> None:
    digest = put(root, "a.md")
    (root / "a.md").chmod(0o600)
    os.chown(root / "a.md", 65_534, 65_534)
    apply(store, Rewrite("a.md", b"new", digest))
    found = (root / "a.md").stat()
    assert (found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)) == (65_534, 65_534, 0o600)


def test_a_new_file_has_the_usual_mode_and_the_records_are_private(store: FileStore, root: Path, tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        apply(store, Create("a.md", b""))
    finally:
        os.umask(before)
    assert stat.S_IMODE((root / "a.md").stat().st_mode) == 0o640
    assert stat.S_IMODE((tmp_path / "state").stat().st_mode) == 0o700
    assert [stat.S_IMODE(p.stat().st_mode) for p in (tmp_path / "state/runs").iterdir()] == [0o600]


def test_a_plain_move_keeps_the_file_itself(store: FileStore, root: Path) -> None:
    digest = put(root, "a.md")
    os.utime(root / "a.md", (1_000, 1_000))
    inode = (root / "a.md").stat().st_ino
    apply(store, Move("a.md", "b/a.md", digest))
    assert ((root / "b/a.md").stat().st_ino, (root / "b/a.md").stat().st_mtime) == (inode, 1_000)


def test_a_move_may_keep_an_odd_name_and_not_invent_one(store: FileStore, root: Path) -> None:
    digest = put(root, "What?.md")
    apply(store, Move("What?.md", "archive/What?.md", digest))
    with pytest.raises(UnsafeNameError):
        apply(store, Move("archive/What?.md", "archive/Why?.md", digest))
    assert list(everything(root)) == ["archive/What?.md"]


def test_a_move_may_change_case_only(store: FileStore, root: Path) -> None:
    digest = put(root, "readme.md")
    apply(store, Move("readme.md", "README.md", digest))
    assert list(everything(root)) == ["README.md"]
    apply(store, Move("README.md", "Readme.md", digest, b"new"))
    assert everything(root) == {"Readme.md": b"new"}
    store.undo(now=NOW)
    store.undo(now=NOW)
    assert everything(root) == {"readme.md": b"x\n"}
    with pytest.raises(NoteExistsError):
        apply(store, Move("readme.md", "readme.md", digest))


def test_the_trash_mirrors_paths_and_numbers_clashes(store: FileStore, root: Path) -> None:
    for data in (b"one", b"two", b"three"):
        apply(store, Trash("a/x.md", put(root, "a/x.md", data)))
    assert everything(root) == {".trash/a/x.md": b"one", ".trash/a/x 2.md": b"two", ".trash/a/x 3.md": b"three"}


def test_two_files_may_be_trashed_to_one_name_in_one_batch(store: FileStore, root: Path) -> None:
    upper, lower = put(root, "X.md", b"1"), put(root, "x.md", b"2")
    apply(store, Trash("X.md", upper), Trash("x.md", lower))
    assert everything(root) == {".trash/X.md": b"1", ".trash/x 2.md": b"2"}


def test_a_trash_that_is_a_symlink_is_not_followed(store: FileStore, root: Path, tmp_path: Path) -> None:
    digest = put(root, "a.md")
    (tmp_path / "elsewhere").mkdir()
    (root / ".trash").symlink_to("../elsewhere")
    with pytest.raises(OutsideVaultError):
        apply(store, Trash("a.md", digest))
    assert everything(root) == {"a.md": b"x\n"}


def test_a_trash_that_is_a_file_is_a_conflict(store: FileStore, root: Path) -> None:
    digest = put(root, "a.md")
    put(root, ".trash")
    with pytest.raises(ConflictError, match=r"\.trash is a file"):
        apply(store, Trash("a.md", digest))
    assert everything(root).keys() == {"a.md", ".trash"}


def test_a_file_beyond_the_systems_limit_is_refused_and_leaves_nothing(root: Path, tmp_path: Path) -> None:
    put(root, "a.md")
    code = f"""
from datetime import datetime; from pathlib import Path; import resource
from vaultkit.store.files import FileStore; from vaultkit.text.edit import Create, Rewrite, hash_of
from vaultkit.errors import VaultkitError
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
store = FileStore(Path({str(root)!r}), Path({str(tmp_path / "state")!r}))
edits = [Rewrite("a.md", b"new", hash_of(b"x\\n")), Create("deep/big.md", b"y" * 200_000)]
try: store.apply(edits, command="test", now=datetime(2026, 11, 30))
except VaultkitError as error: print(error.message)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "larger than the system allows" in done.stdout
    assert everything(root) == {"a.md": b"x\n"}
    assert [p.name for p in root.iterdir()] == ["a.md"]
    assert list((tmp_path / "state/pending").iterdir()) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_write_permission_is_a_plain_error(store: FileStore, root: Path) -> None:
    put(root, "locked/a.md")
    (root / "locked").chmod(0o500)
    try:
        with pytest.raises(DiskError, match="permission denied"):
            apply(store, Create("locked/b.md", b""))
    finally:
        (root / "locked").chmod(0o700)
    assert list(everything(root)) == ["locked/a.md"]


def test_a_state_folder_that_cannot_be_made_is_a_plain_error(root: Path, tmp_path: Path) -> None:
    put(tmp_path, "file")
    with pytest.raises(DiskError, match="state folder"):
        apply(FileStore(root, tmp_path / "file/state"), Create("a.md", b""))
    assert everything(root) == {}


# --- lock ---------------------------------------------------------------------------------------------------------------------------


def test_a_second_writer_waits_and_then_says_so(root: Path, tmp_path: Path) -> None:
    first = FileStore(root, tmp_path / "state")
    second = FileStore(root, tmp_path / "state", lock_timeout=0.02)
    with first.lock(), pytest.raises(VaultBusyError):
        apply(second, Create("a.md", b""))
    apply(second, Create("a.md", b""))


def test_recover_costs_nothing_and_waits_for_nobody(root: Path, tmp_path: Path) -> None:
    store = FileStore(root, tmp_path / "state")
    assert store.recover() == []
    apply(store, Create("a.md", b""))
    (tmp_path / "state/pending/20261130-0002.stage").write_bytes(b'{"torn')
    with store.lock():
        assert FileStore(root, tmp_path / "state").recover() == []
    assert store.recover() == []
    assert list((tmp_path / "state/pending").iterdir()) == []


def test_a_broken_record_of_an_interrupted_run_is_kept_aside(root: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = FileStore(root, tmp_path / "state")
    apply(store, Create("a.md", b""))
    (tmp_path / "state/pending/20261130-0002.switch").write_bytes(b"\xff\n")
    assert store.recover() == []
    assert "broken-20261130-0002.switch" in caplog.text
    assert (tmp_path / "state/broken-20261130-0002.switch").exists()
    apply(store, Create("b.md", b""))


# --- cap ----------------------------------------------------------------------------------------------------------------------------


def test_rewrites_and_trashes_of_a_session_are_capped(root: Path, tmp_path: Path) -> None:
    store = FileStore(root, tmp_path / "state", cap=3)
    digests = {name: put(root, name) for name in ("a.md", "b.md", "c.md", "d.md", "e.md")}
    apply(store, Rewrite("a.md", b"1", digests["a.md"]), Trash("b.md", digests["b.md"]), session="wild")
    apply(store, Create("new.md", b""), Move("e.md", "f.md", digests["e.md"]), session="wild")
    with pytest.raises(CapReachedError) as caught:
        apply(store, Rewrite("c.md", b"1", digests["c.md"]), Move("d.md", "g.md", digests["d.md"], b"2"), session="wild")
    assert caught.value.exit_code == 5
    assert "VAULTKIT_WRITE_CAP=4" in caught.value.hint
    assert (root / "c.md").read_bytes() == b"x\n"
    apply(store, Rewrite("c.md", b"1", digests["c.md"]), session="wild")
    with pytest.raises(CapReachedError):
        apply(store, Trash("d.md", digests["d.md"]), session="wild")
    apply(store, Trash("d.md", digests["d.md"]), session="another")


def test_an_undo_neither_counts_nor_gives_back(root: Path, tmp_path: Path) -> None:
    store = FileStore(root, tmp_path / "state", cap=1)
    digest = put(root, "a.md")
    apply(store, Rewrite("a.md", b"1", digest), session="s")
    store.undo(session="s", now=NOW)
    with pytest.raises(CapReachedError):
        apply(store, Rewrite("a.md", b"1", digest), session="s")


def test_without_a_session_each_batch_is_capped_by_itself(root: Path, tmp_path: Path) -> None:
    store = FileStore(root, tmp_path / "state", cap=1)
    a, b = put(root, "a.md"), put(root, "b.md")
    with pytest.raises(CapReachedError):
        apply(store, Trash("a.md", a), Trash("b.md", b))
    apply(store, Trash("a.md", a))
    apply(store, Trash("b.md", b))


# --- records ------------------------------------------------------------------------------------------------------------------------


def test_runs_are_told_newest_first(store: FileStore, root: Path) -> None:
    digest = put(root, "a.md")
    store.apply([Create("b.md", b"")], command="capture", session="s1", now=NOW)
    store.apply([Rewrite("a.md", b"1", digest)], command="lint", now=NOW + timedelta(minutes=1))
    second, first = store.runs()
    assert (first.id, first.command, first.session, first.time) == ("20261130-0001", "capture", "s1", "2026-11-30T09:00:00+00:00")
    assert first.changes == (("create", "b.md", "", "", hash_of(b"")),)
    assert second.changes == (("rewrite", "a.md", "", digest, hash_of(b"1")),)
    assert store.runs(limit=1) == [second]


def test_old_records_are_pruned_by_the_disks_clock_not_by_a_pretended_day(root: Path, tmp_path: Path) -> None:
    store = FileStore(root, tmp_path / "state", keep_days=30)
    long_ago = datetime(2020, 1, 1, tzinfo=UTC)
    store.apply([Create("a.md", b"")], command="old", now=long_ago)
    store.apply([Create("b.md", b"")], command="pretended", now=datetime(2090, 1, 1, tzinfo=UTC))
    assert [run.command for run in store.runs()] == ["pretended", "old"]
    os.utime(tmp_path / "state/runs/20200101-0001", (0, 0))
    apply(store, Create("c.md", b""))
    assert [run.command for run in store.runs()] == ["test", "pretended"]


def test_a_disk_step_does_nothing_by_itself() -> None:
    disk._step("create", "anything")
