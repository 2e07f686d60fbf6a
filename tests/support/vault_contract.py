"""What every VaultStore must keep: inherited by one test class for each store (see tests/unit/test_vault_store.py)."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from vaultkit.errors import NoteChangedError, NoteExistsError, NoteNotFoundError, OutsideVaultError, UnsafeNameError
from vaultkit.store.vault import VaultStore
from vaultkit.text.edit import Create, Move, Rewrite, Trash, hash_of

NOW = datetime(2026, 11, 30, 9)
FILES = {
    "home.md": b"# Home\n\n[[note]] \xe6\x97\xa5\n",
    "sub/note.md": b"---\ntags: [a] # c\n---\n# Note\n\nbody\n",
    "sub/deep/\xe6\x97\xa5 \xe6\x9c\xac.md".encode("latin-1").decode(): b"x\n",
    "sub/100% & a,b#c.md": b"odd\n",
    "pic.png": b"\x89PNG\x00",
    "board.canvas": b'{"nodes":[],"edges":[]}',
    ".obsidian/app.json": b"{}",
    ".hidden.md": b"no\n",
}


def fill(folder: Path) -> None:
    """The vault that the contract is about."""
    for path, data in FILES.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)


class VaultStoreContract:
    """Subclasses give the fixtures *store* and *folder*, where its files are."""

    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        folder = tmp_path / "vault"
        fill(folder)
        return folder

    def apply(self, store: VaultStore, *edits: Create | Rewrite | Move | Trash) -> dict[str, str]:
        return store.apply(edits, command="test", now=NOW).hashes

    def test_every_visible_file_is_walked_in_order(self, store: VaultStore) -> None:
        found = [entry.path for entry in store.walk().entries]
        assert found == sorted(path for path in FILES if not path.startswith("."))

    def test_a_walk_tells_a_changed_note(self, store: VaultStore, folder: Path) -> None:
        before = {entry.path: entry for entry in store.walk().entries}
        (folder / "home.md").write_bytes(b"longer than it was\n" * 3)
        (folder / "board.canvas").write_bytes(b'{"nodes":[],"edges":[],"x":1}')
        changed = [entry.path for entry in store.walk().entries if before[entry.path] != entry]
        assert changed == ["board.canvas", "home.md"]

    def test_bytes_are_read_as_they_are(self, store: VaultStore) -> None:
        for path, data in FILES.items():
            if not path.startswith("."):
                assert store.read(path) == (data, hash_of(data))

    def test_what_is_not_there_is_not_found(self, store: VaultStore) -> None:
        for path in ("nope.md", "sub/nope.md", "no/where.md", "sub"):
            with pytest.raises(NoteNotFoundError):
                store.read(path)

    def test_what_is_outside_or_hidden_is_refused(self, store: VaultStore) -> None:
        for path in ("../x.md", "/etc/passwd", ".obsidian/app.json", ".hidden.md", "sub/../../x.md", "a//b.md", "a\0b.md"):
            with pytest.raises(OutsideVaultError):
                store.read(path)
            assert not store.exists(path)
        with pytest.raises(OutsideVaultError):
            self.apply(store, Create("../x.md", b"x"))

    def test_files_and_folders_are_told_apart(self, store: VaultStore) -> None:
        assert store.exists("sub/note.md")
        assert not store.exists("sub")
        assert not store.exists("home.md/heading/Home")
        assert store.is_folder("sub")
        assert store.is_folder("sub/deep")
        assert not store.is_folder("home.md")
        assert not store.is_folder("nope")

    def test_a_note_is_created_with_its_folders(self, store: VaultStore, folder: Path) -> None:
        data = "new — 新\r\n".encode()
        assert self.apply(store, Create("made/deep/new.md", data)) == {"made/deep/new.md": hash_of(data)}
        assert (folder / "made/deep/new.md").read_bytes() == data
        assert store.read("made/deep/new.md").data == data

    def test_nothing_is_created_over_a_file_whatever_its_case(self, store: VaultStore, folder: Path) -> None:
        for path in ("home.md", "HOME.md"):
            assert store.is_taken(path)
            with pytest.raises(NoteExistsError):
                self.apply(store, Create(path, b"x"))
        with pytest.raises(UnsafeNameError):
            store.check_new("a:b.md")
        assert (folder / "home.md").read_bytes() == FILES["home.md"]

    @pytest.mark.parametrize(
        "new",
        [
            FILES["sub/note.md"] + b"\nmore\n",
            FILES["sub/note.md"].replace(b"body", b"other body"),
            FILES["sub/note.md"].replace(b"[a]", b"[a, b]"),
            b"whole new",
            b"",
            FILES["sub/note.md"].replace(b"\n", b"\r\n"),
            b"not utf-8 \xff\n",
        ],
    )
    def test_a_note_gets_exactly_its_new_bytes(self, store: VaultStore, folder: Path, new: bytes) -> None:
        path = "sub/note.md"
        assert self.apply(store, Rewrite(path, new, store.read(path).hash)) == {path: hash_of(new)}
        assert (folder / path).read_bytes() == new

    def test_a_note_that_changed_is_not_written(self, store: VaultStore, folder: Path) -> None:
        seen = store.read("home.md").hash
        (folder / "home.md").write_bytes(b"typed meanwhile\n")
        with pytest.raises(NoteChangedError):
            self.apply(store, Rewrite("home.md", b"mine\n", seen))
        with pytest.raises(NoteChangedError):
            self.apply(store, Trash("home.md", seen))
        assert (folder / "home.md").read_bytes() == b"typed meanwhile\n"

    def test_a_batch_is_checked_whole_before_the_first_write(self, store: VaultStore, folder: Path) -> None:
        with pytest.raises(NoteChangedError):
            self.apply(store, Create("first.md", b"x"), Rewrite("home.md", b"y", hash_of(b"another")))
        assert not (folder / "first.md").exists()
        with pytest.raises(NoteExistsError):
            self.apply(store, Rewrite("home.md", b"y", store.read("home.md").hash), Create("sub/note.md", b"x"))
        assert (folder / "home.md").read_bytes() == FILES["home.md"]

    def test_a_note_moves_with_new_bytes(self, store: VaultStore, folder: Path) -> None:
        self.apply(store, Move("sub/note.md", "archive/note.md", hash_of(FILES["sub/note.md"]), b"moved\n"))
        assert not (folder / "sub/note.md").exists()
        assert store.read("archive/note.md").data == b"moved\n"

    def test_a_trashed_note_can_be_found_in_the_trash(self, store: VaultStore, folder: Path) -> None:
        self.apply(store, Trash("home.md", hash_of(FILES["home.md"])))
        assert not store.exists("home.md")
        assert FILES["home.md"] in [file.read_bytes() for file in (folder / ".trash").rglob("*") if file.is_file()]

    def test_names_with_every_kind_of_character_go_there_and_back(self, store: VaultStore, folder: Path) -> None:
        for name in ("ü é.md", "emoji 🚀.md", "plus+and=semi;.md", "it's (1).md"):
            self.apply(store, Create(f"sub/{name}", name.encode()))
            assert store.read(f"sub/{name}").data == name.encode()
            assert store.exists(f"sub/{name}")
        assert sum(1 for _ in (folder / "sub").iterdir()) == 7
