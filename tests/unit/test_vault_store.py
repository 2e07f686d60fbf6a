"""The contract of a vault, kept by the files and by Obsidian's API alike: the client talks to our own server through a real socket."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import rest
from tests.support.vault_contract import VaultStoreContract
from vaultkit.store.files import FileStore
from vaultkit.store.obsidian import Client, ObsidianStore, remote
from vaultkit.store.vault import VaultStore


class TestFiles(VaultStoreContract):
    @pytest.fixture
    def store(self, folder: Path, tmp_path: Path) -> VaultStore:
        return FileStore(folder, tmp_path / "state")


class OverTheApi(VaultStoreContract):
    api = "compat"

    @pytest.fixture
    def store(self, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[VaultStore]:
        rest.home(tmp_path / "home", monkeypatch.setenv)
        with rest.listening(folder, api=self.api) as url, Client(remote(url, rest.KEY)) as client:
            yield ObsidianStore(client, tmp_path)


class TestCompat(OverTheApi):
    pass


class TestThree(OverTheApi):
    api = "3"


class TestFour(OverTheApi):
    api = "4"


class TestFive(OverTheApi):
    api = "5"
