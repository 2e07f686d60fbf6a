"""The contract of a vault, kept by the files and by Obsidian's API alike: the client talks to our own server through a real socket."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import rest
from tests.support.vault_contract import VaultStoreContract, fill
from vaultkit.store.files import FileStore
from vaultkit.store.obsidian import Client, ObsidianStore, remote
from vaultkit.store.vault import VaultStore


class TestFiles(VaultStoreContract):
    @pytest.fixture
    def store(self, folder: Path, tmp_path: Path) -> VaultStore:
        return FileStore(folder, tmp_path / "state")


class OverTheApi(VaultStoreContract):
    """One server for all tests of a class; each test finds the vault as it was at the start."""

    api = "compat"

    @pytest.fixture(scope="class")
    @classmethod
    def served(cls, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
        folder = tmp_path_factory.mktemp("served") / "vault"
        folder.mkdir()
        with pytest.MonkeyPatch.context() as patch:
            rest.home(tmp_path_factory.mktemp("home"), patch.setenv)
            with rest.listening(folder, api=cls.api) as url:
                yield folder, url

    @pytest.fixture
    def folder(self, served: tuple[Path, str]) -> Path:
        folder, _ = served
        for child in folder.iterdir():
            shutil.rmtree(child) if child.is_dir() else child.unlink()
        fill(folder)
        return folder

    @pytest.fixture
    def store(self, folder: Path, served: tuple[Path, str], tmp_path: Path) -> Iterator[VaultStore]:
        with Client(remote(served[1], rest.KEY)) as client:
            yield ObsidianStore(client, tmp_path)


class TestCompat(OverTheApi):
    pass


class TestThree(OverTheApi):
    api = "3"


class TestFour(OverTheApi):
    api = "4"


class TestFive(OverTheApi):
    api = "5"
