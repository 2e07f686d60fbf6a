"""Settings: where they come from, and what a vault may not say."""

from __future__ import annotations

from pathlib import Path

import pytest

from vaultkit import config
from vaultkit.errors import ConfigError, VaultNotFoundError


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VAULTKIT_CONFIG", str(tmp_path / "config.toml"))
    return tmp_path


def test_later_sources_win(home: Path) -> None:
    vault = home / "vault"
    vault.mkdir()
    assert config.load(vault).inbox_folder == "inbox"
    (home / "config.toml").write_text('inbox_folder = "from-user"\nwrite_cap = 5\n')
    assert config.load(vault).inbox_folder == "from-user"
    (vault / config.VAULT_FILE).write_text('inbox_folder = "from-vault/"\n')
    assert config.load(vault).inbox_folder == "from-vault"
    env = {"VAULTKIT_INBOX_FOLDER": "from-env", "VAULTKIT_CONFIG": str(home / "config.toml")}
    assert config.load(vault, env=env).inbox_folder == "from-env"
    assert config.load(vault, env=env, flags={"inbox_folder": "from-flag"}).inbox_folder == "from-flag"
    assert config.load(vault, env=env).write_cap == 5


def test_an_unknown_key_names_the_nearest_known_one(home: Path) -> None:
    (home / "config.toml").write_text('inbox_foldr = "x"\n')
    with pytest.raises(ConfigError) as caught:
        config.load(None)
    assert "inbox_folder" in caught.value.hint


@pytest.mark.parametrize(
    "line", ['text_model = "x"', 'ollama_host = "http://evil"', 'fetch_allow = ["127.0.0.1:80"]', "write_cap = 1", 'vault = "/"']
)
def test_a_vault_may_not_name_models_hosts_or_limits(home: Path, line: str) -> None:
    (home / config.VAULT_FILE).write_text(line)
    with pytest.raises(ConfigError, match="may not be set by a vault"):
        config.load(home)


@pytest.mark.parametrize(
    "line",
    [
        "write_cap = 'x'",
        "day_first = 1",
        "ignore = 'x'",
        "ignore = [1]",
        "write_cap = -1",
        "a = ",
        'inbox_folder = "../out"',
        'inbox_folder = ".hidden"',
        "\xff",
    ],
)
def test_a_bad_value_is_an_error_with_a_hint(home: Path, line: str) -> None:
    (home / "config.toml").write_bytes(line.encode("latin-1"))
    with pytest.raises(ConfigError) as caught:
        config.load(None)
    assert caught.value.hint


@pytest.mark.parametrize(("text", "value"), [("yes", True), ("0", False), ("off", False)])
def test_words_of_the_environment_become_values(home: Path, text: str, value: bool) -> None:
    assert config.load(None, env={"VAULTKIT_DAY_FIRST": text}).day_first is value
    assert config.load(None, env={"VAULTKIT_IGNORE": "a/*, b"}).ignore == ["a/*", "b"]
    assert config.load(None, env={"VAULTKIT_LEXICON": '{ work = ["standup"] }'}).lexicon == {"work": ["standup"]}
    with pytest.raises(ConfigError):
        config.load(None, env={"VAULTKIT_WRITE_CAP": "many"})


def test_the_vault_is_the_named_one_else_the_nearest_else_the_configured(home: Path) -> None:
    env = {"VAULTKIT_CONFIG": str(home / "config.toml")}
    named, around = home / "named", home / "around"
    (named).mkdir()
    (around / ".obsidian").mkdir(parents=True)
    (around / "deep" / "er").mkdir(parents=True)
    assert config.find_vault(str(named), cwd=around, env=env) == named
    assert config.find_vault(None, cwd=around, env={**env, "VAULTKIT_VAULT": str(named)}) == named
    assert config.find_vault(None, cwd=around / "deep" / "er", env=env) == around
    with pytest.raises(VaultNotFoundError):
        config.find_vault(None, cwd=home, env=env)
    (home / "config.toml").write_text(f'vault = "{named}"\n')
    assert config.find_vault(None, cwd=home, env=env) == named
    with pytest.raises(VaultNotFoundError):
        config.find_vault(str(home / "nothing"), cwd=home, env=env)


def test_every_setting_has_a_doc_and_a_key_of_16_hex_tells_vaults_apart(tmp_path: Path) -> None:
    assert all(doc for _, _, _, doc in config.table())
    keys = {config.vault_key(tmp_path), config.vault_key(tmp_path / "a"), config.vault_key(tmp_path / "a/../a")}
    assert len(keys) == 2
    assert all(len(key) == 16 for key in keys)
