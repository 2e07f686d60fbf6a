"""One table of settings → frozen Config, and where caches and state live.

Sources, weakest first: defaults < user config < `<vault>/.vaultkit.toml` (only settings marked *vault*: a cloned vault must never
name commands, models, hosts or outside paths) < `VAULTKIT_*` < flags. An unknown key is an error that names the nearest known one.
"""

from __future__ import annotations

import difflib
import hashlib
import math
import os
import re
import stat
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from datetime import date
from pathlib import Path
from typing import Any

from vaultkit.errors import ConfigError, VaultNotFoundError

VAULT_FILE = ".vaultkit.toml"


def _setting(default: Any, doc: str, *, vault: bool = False) -> Any:
    """One row of the table; *vault* = may stand in the vault's own file."""
    if isinstance(default, (dict, list)):
        return field(default_factory=lambda: type(default)(default), metadata={"doc": doc, "vault": vault})
    return field(default=default, metadata={"doc": doc, "vault": vault})


@dataclass(frozen=True, slots=True)
class Config:
    """Every setting. `vaultkit config` prints this table with its docs."""

    vault: str = _setting("", "the vault used when no other is named or found")

    inbox_folder: str = _setting("inbox", "where captures and research are filed", vault=True)
    inbox_tag: str = _setting("", "a tag that also marks a note as waiting in the inbox", vault=True)
    daily_folder: str = _setting("daily", "daily notes, when .obsidian/daily-notes.json does not say", vault=True)
    daily_format: str = _setting("YYYY-MM-DD", "moment.js format of daily note names, likewise", vault=True)
    daily_template: str = _setting("", "template of a daily note, likewise", vault=True)
    daily_heading: str = _setting("", "heading of the daily note under which captures are linked; empty: at its end", vault=True)
    learnings_folder: str = _setting("learnings", "session learnings", vault=True)
    people_folder: str = _setting("people", "one note a person", vault=True)
    projects_folder: str = _setting("projects", "one note or folder a project, where a vault has them", vault=True)
    templates_folder: str = _setting("templates", "templates, when .obsidian/templates.json does not say", vault=True)
    archive_folder: str = _setting("archive", "processed captures and records, by year and month", vault=True)
    runbooks_folder: str = _setting("runbooks", "runbooks", vault=True)
    trackers_folder: str = _setting("trackers", "trackers", vault=True)
    dashboards_folder: str = _setting("dashboards", "generated views", vault=True)
    skills_folder: str = _setting("skills", "skills that were drafted from notes, each in a folder of its own", vault=True)
    decisions_list: str = _setting("decisions.md", "the generated list of decisions; empty: none", vault=True)
    failures_list: str = _setting("failures.md", "the generated list of failures; empty: none", vault=True)
    ignore: list[str] = _setting([], "globs of vault paths that vaultkit never reads", vault=True)

    date_property: str = _setting("date", "property that holds the day a note was made", vault=True)
    due_property: str = _setting("due", "derived property: the soonest open date", vault=True)
    action_items_property: str = _setting("action_items", "field 1: things to do, in Tasks syntax", vault=True)
    trackers_property: str = _setting("trackers", "field 2: expiries, renewals, waiting-fors, events", vault=True)
    deadline_properties: list[str] = _setting([], "more property names that are read as deadlines", vault=True)

    day_first: bool = _setting(False, "read 3/4 as 3 April", vault=True)
    week_ends: int = _setting(4, "last day of a work week, Monday is 0", vault=True)
    fiscal_year_end: str = _setting("03-31", "last day of the fiscal year (年度末), MM-DD", vault=True)

    lexicon: dict[str, Any] = _setting({}, "words that decide a scope: a table of scope → list of words")
    compat: bool = _setting(
        False, "a PATCH of a heading or block id that stands twice means the last one, as in Obsidian's plugin; else an error"
    )
    intake_minutes: int = _setting(10, "an inbox note gets its fields after so many quiet minutes")
    write_cap: int = _setting(100, "rewrites and trashes allowed to one session or one command")
    undo_days: int = _setting(30, "how long replaced bytes are kept for undo")
    max_note_mb: int = _setting(10, "larger notes are reported and left out")
    workers: int = _setting(0, "parser processes of a large sync; 0: by the number of cores")
    lock_timeout: float = _setting(10.0, "seconds to wait for another vaultkit process that is writing")

    private_folders: list[str] = _setting([], "folders whose notes reach no digest")
    recall_scopes: dict[str, Any] = _setting({}, "scopes that may reach each harness: a table of harness → list of scopes; none named: all")
    record_prompts: bool = _setting(False, "keep the text of prompts in the local activity log, for `why`")

    backend: str = _setting(
        "auto", "who writes notes that are open in Obsidian: auto (Obsidian while it runs), files, or obsidian (an error without)"
    )
    live_minutes: int = _setting(10, "a note counts as being edited for so many minutes after its last change")
    obsidian_url: str = _setting("", "where the plugin Local REST API answers for the vault, when its own settings do not say it right")
    obsidian_key: str = _setting("", "its key, when the plugin's settings are not on this disk; better in VAULTKIT_OBSIDIAN_KEY")
    obsidian_timeout: float = _setting(10.0, "seconds to wait for Obsidian")
    capture_turns: bool = _setting(True, "keep what was asked and answered, secrets taken out, until the session's note is written")
    session_notes: bool = _setting(True, "write a note of each session, and what was learnt in it")
    counters: str = _setting("frontmatter", "where use is counted: frontmatter (of notes that vaultkit wrote), state or off")

    embedder: str = _setting("auto", "what embeds notes for semantic search: auto, ollama, embedded (the extra `embed`) or none")
    embed_model: str = _setting("", "Ollama's name of an embedding model, or use / e5 of the embedded ones; empty: the first there is")
    text_model: str = _setting("", "Ollama model that may propose titles, scope and dates; empty: none is asked")
    ollama_host: str = _setting("http://127.0.0.1:11434", "where Ollama listens")
    model_timeout: float = _setting(20.0, "seconds to wait for a model")
    hints: str = _setting(
        "off", "let text_model propose search terms at a prompt: off, next-turn (never waited for) or race (until hints_timeout)"
    )
    hints_timeout: float = _setting(0.15, "seconds that a prompt waits for proposed terms in a race; a later answer serves the next turn")
    fetch_allow: list[str] = _setting([], "host:port pairs that may be fetched although they are not public")
    fetch_timeout: float = _setting(30.0, "seconds for one page, redirects included")
    notify: bool = _setting(True, "let the schedule raise a desktop notice when a deadline is near")

    rules_lines: int = _setting(20, "how many lines the promoted rules may have in all")
    rules_files: list[str] = _setting([], "rules files of harnesses (CLAUDE.md, AGENTS.md) whose vaultkit block mirrors the promoted rules")
    published: list[str] = _setting([], "published articles that `overlap` looks at too: folders, files and URLs")

    scope_folders: dict[str, Any] = _setting({}, "which scope a working folder belongs to, for `context`: a table of folder → scope")
    recall_mode: dict[str, Any] = _setting({}, "a table of harness → always, off or on-demand; `*`: all that it does not name; else always")
    eval_threshold: int = _setting(80, "percent of the golden cases that have to pass")
    dream_at_start: int = _setting(3, "a session's start lets a dream begin when so many captures ripened; 0: never")
    dream_days: int = _setting(7, "a capture takes part in a dream when it is so many days old", vault=True)
    dream_types: list[str] = _setting(["braindump", "research", "learning"], "types of notes that a dream consolidates", vault=True)
    dream_skip: list[str] = _setting(
        [], "stages that a dream leaves out: consolidate, duplicates, links, atomicity, prune, hubs", vault=True
    )
    dream_links: int = _setting(3, "links that dreams write into one note, at most", vault=True)
    dream_group: int = _setting(8, "captures of one topic, at most: a larger group is a grab-bag", vault=True)
    spread: dict[str, Any] = _setting({}, "numbers of `recall --spread` that differ from its own, like { threshold = 0.8, tokens = 1000 }")


# Read by other parts (sockets, tests, harness scripts) from the environment, and no settings.
_NOT_SETTINGS = frozenset(
    {
        *("VAULTKIT_SOCKET", "VAULTKIT_VECTORS", "VAULTKIT_KILLS", "VAULTKIT_CONFIG", "VAULTKIT_SESSION", "VAULTKIT_DEBUG"),
        *("VAULTKIT_WARM_SECONDS", "VAULTKIT_COLD_SECONDS", "VAULTKIT_PYTHON", "VAULTKIT_INTERNAL"),
    }
)


@dataclass(frozen=True, slots=True)
class Places:
    """Where this vault's derived data and state stand; both outside the vault."""

    root: Path
    cache: Path  # deletable at any time
    state: Path  # journal, undo history, activity log

    @classmethod
    def remote(cls, url: str) -> Places:
        """The places of a vault behind an address; its root is an empty folder of our own that stands for the vault's."""
        import platformdirs  # noqa: PLC0415 - as below

        key = hashlib.sha256(url.rstrip("/").encode("utf-8", "surrogateescape")).hexdigest()[:16]
        state = platformdirs.user_state_path("vaultkit") / key
        return cls(state / "remote", platformdirs.user_cache_path("vaultkit") / key, state)

    @classmethod
    def of(cls, root: Path) -> Places:
        """The places of the vault at *root*."""
        import platformdirs  # noqa: PLC0415 - 18 ms, and commands that need no vault need it not

        key = vault_key(root)
        return cls(root, platformdirs.user_cache_path("vaultkit") / key, platformdirs.user_state_path("vaultkit") / key)


def vault_key(root: Path) -> str:
    """16 hex characters of the sha256 of the resolved path."""
    return hashlib.sha256(str(root.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:16]


def user_config_file(env: Mapping[str, str] = os.environ) -> Path:
    """`user_config/vaultkit/config.toml`, or what VAULTKIT_CONFIG names."""
    if named := env.get("VAULTKIT_CONFIG"):
        return Path(named).expanduser()
    import platformdirs  # noqa: PLC0415

    return platformdirs.user_config_path("vaultkit") / "config.toml"


def here() -> Path:
    """The working folder; the root when it was removed under us, which only matters to those who look for a vault around it."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        return Path("/")


def remote_vault(named: str | None, *, env: Mapping[str, str] = os.environ) -> str:
    """The address that `--vault` or `VAULTKIT_VAULT` names, "" when it is a folder."""
    word = named if named is not None else env.get("VAULTKIT_VAULT", "")
    return word if word.startswith(("https://", "http://")) else ""


def find_vault(named: str | None, *, cwd: Path, env: Mapping[str, str] = os.environ) -> Path:
    """`--vault` > `VAULTKIT_VAULT` > the nearest parent of *cwd* with `.vaultkit.toml` or `.obsidian/` > `vault` in the user config."""
    if named is not None:
        return _existing(named, "--vault")
    if env.get("VAULTKIT_VAULT"):
        return _existing(env["VAULTKIT_VAULT"], "VAULTKIT_VAULT")
    for folder in (cwd, *cwd.parents):
        # os.path asks without raising: a folder above that we may not look into is no vault
        if os.path.isfile(folder / VAULT_FILE) or os.path.isdir(folder / ".obsidian"):  # noqa: PTH112, PTH113
            return folder.resolve()
    if configured := _read_file(user_config_file(env), vault_file=False).get("vault"):
        return _existing(configured, "the setting `vault`")
    raise VaultNotFoundError("no vault here", hint="run `vaultkit init PATH`, or name one with --vault PATH or VAULTKIT_VAULT")


def load(root: Path | None, *, env: Mapping[str, str] = os.environ, flags: Mapping[str, Any] | None = None) -> Config:
    """The settings that hold for the vault at *root*."""
    values: dict[str, Any] = {}
    values.update(_read_file(user_config_file(env), vault_file=False))
    if root is not None:
        values.update(_read_file(root / VAULT_FILE, vault_file=True))
    for item in fields(Config):
        name = f"VAULTKIT_{item.name.upper()}"
        if name in env and name not in _NOT_SETTINGS:
            values[item.name] = _from_text(item.name, env[name])
    _check_env(env)
    for name, value in (flags or {}).items():
        if value is not None:
            values[name] = _checked(name, value, where="the command line")
    config = Config(**values)
    _check_distinct(config)
    return config


def from_text(name: str, text: str) -> Any:
    """A setting's value from a command line word; the nearest known name is told when *name* is none."""
    _known(name, where="config")
    return _from_text(name, text)


def check(name: str, value: Any, *, where: str, vault_file: bool) -> Any:
    """*value* if it may be set there, else ConfigError."""
    _known(name, where=where)
    if vault_file and not _META[name]["vault"]:
        raise ConfigError(
            f"{where}: {name} may not be set by a vault", hint=f"put it into {user_config_file()}, or set VAULTKIT_{name.upper()}"
        )
    return _checked(name, value, where=where)


def table() -> list[tuple[str, Any, bool, str]]:
    """Every setting: name, default, whether a vault may set it, doc."""
    blank = Config()
    return [(item.name, getattr(blank, item.name), bool(item.metadata["vault"]), str(item.metadata["doc"])) for item in fields(Config)]


_META: Mapping[str, Mapping[str, Any]] = {item.name: item.metadata for item in fields(Config)}
_CHOICES: Mapping[str, tuple[str, ...]] = {
    "embedder": ("auto", "ollama", "embedded", "none"),
    "hints": ("off", "next-turn", "race"),
    "backend": ("auto", "files", "obsidian"),
    "counters": ("frontmatter", "state", "off"),
}
_TYPES: Mapping[str, type] = {name: type(default) for name, default, _, _ in table()}

# What the values of a table must be, and an example.
_TABLES: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "scope_folders": (lambda value: isinstance(value, str), 'for example: scope_folders = { "~/src/shop" = "project/shop" }'),
    "recall_mode": (lambda value: value in ("always", "off", "on-demand"), 'for example: recall_mode = { codex = "on-demand" }'),
    "spread": (lambda value: type(value) in (int, float) and value >= 0, "for example: spread = { threshold = 0.8, tokens = 1000 }"),
}


def _existing(named: str, origin: str) -> Path:
    try:
        path = Path(named).expanduser()
    except RuntimeError:  # `~nobody`
        path = Path(named)
    if not named.strip() or not os.path.isdir(path):  # noqa: PTH112 - Path.is_dir raises for names that are too long
        raise VaultNotFoundError(
            f"{origin}: {named} is no folder" if named.strip() else f"{origin} is empty",
            hint="check the path, or run `vaultkit init PATH` to make a vault there",
        )
    return path.resolve()


def _read_file(path: Path, *, vault_file: bool) -> dict[str, Any]:
    try:
        data = settings_bytes(path, vault_file=vault_file)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}", hint="make it readable, or move it away") from error
    try:
        found = tomllib.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path}: {error}", hint="correct that line, or move the file away") from error
    return {name: check(name, value, where=str(path), vault_file=vault_file) for name, value in found.items()}


_MOST_BYTES = 1_000_000


def settings_bytes(path: Path, *, vault_file: bool) -> bytes:
    """A settings file: regular, of a sane size, and a vault's own one inside that vault: a hostile vault must neither hang us nor read for it."""
    if vault_file and path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(path.parent)):
        raise ConfigError(f"{path} is a symlink out of the vault", hint="put the file itself there")
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(fd, "rb") as file:
        found = os.fstat(fd)
        if not stat.S_ISREG(found.st_mode) or found.st_size > _MOST_BYTES:
            what = "larger than a settings file can be" if stat.S_ISREG(found.st_mode) else "no file"
            raise ConfigError(f"{path} is {what}", hint="move it away")
        return file.read(_MOST_BYTES)


def _known(name: str, *, where: str) -> None:
    if name not in _META:
        near = difflib.get_close_matches(name, _META, n=1, cutoff=0.3)
        hint = f"did you mean {near[0]}?" if near else "`vaultkit config` lists them"
        raise ConfigError(f"{where}: unknown setting {name}", hint=hint)


def _checked(name: str, value: Any, *, where: str) -> Any:
    wanted: Any = _TYPES[name]
    if wanted is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if type(value) is not wanted:
        raise ConfigError(f"{where}: {name} is {_WORDS[wanted]}, not {value!r}", hint=str(_META[name]["doc"]))
    if wanted is list and not all(isinstance(item, str) for item in value):
        raise ConfigError(f"{where}: {name} is a list of texts", hint=str(_META[name]["doc"]))
    if name in {"lexicon", "recall_scopes"} and not all(
        isinstance(words, list) and all(isinstance(word, str) for word in words) for words in value.values()
    ):
        raise ConfigError(f"{where}: {name} holds lists of words", hint='for example: lexicon = { work = ["standup"] }')
    if name in _TABLES and not all(_TABLES[name][0](item) for item in value.values()):
        raise ConfigError(f"{where}: {name} has a value that is none", hint=_TABLES[name][1])
    if wanted in {int, float} and not (math.isfinite(value) and value >= 0):
        raise ConfigError(f"{where}: {name} cannot be {'negative' if value < 0 else value}", hint=str(_META[name]["doc"]))
    if value not in _CHOICES.get(name, (value,)):
        raise ConfigError(f"{where}: {name} is one of {', '.join(_CHOICES[name])}, not {value!r}", hint=str(_META[name]["doc"]))
    for concerns, holds, what in _RULES:
        if concerns(name) and not holds(value):
            raise ConfigError(f"{where}: {name} must be {what}, not {value!r}", hint=str(_META[name]["doc"]))
    return value.strip("/") if name.endswith("_folder") else value


_CONTROL = re.compile(r"[\0-\x1f\x7f-\x9f]")


def _is_folder(value: str) -> bool:
    parts = value.rstrip("/").split("/")
    return not value or (all(part and not part.startswith(".") for part in parts) and not _CONTROL.search(value))


def _is_month_and_day(value: str) -> bool:
    month, _, day = value.partition("-")
    try:
        return bool(date(2001, int(month), int(day)))  # no leap year: the day has to come every year
    except ValueError:
        return False


# Which settings, what has to hold for their values, and that in words.
_RULES: tuple[tuple[Callable[[str], bool], Callable[[Any], bool], str], ...] = (
    (lambda name: name.endswith("_folder"), _is_folder, "a folder inside the vault, without dot-folders"),
    (
        lambda name: name.endswith("_list"),
        lambda value: not value or (_is_folder(value) and value.endswith(".md")),
        "a note inside the vault",
    ),
    (
        lambda name: name.endswith("_property"),
        lambda value: value == value.strip() != "" and not _CONTROL.search(value),
        "a property's name",
    ),
    (lambda name: _TYPES[name] is str, lambda value: not _CONTROL.search(value), "one line of text"),
    (lambda name: _TYPES[name] in {int, float}, lambda value: value <= 1_000_000, "1,000,000 at most"),
    (lambda name: name == "fiscal_year_end", _is_month_and_day, "a day like 03-31"),
    (lambda name: name == "week_ends", lambda value: value <= 6, "0 to 6"),
    (lambda name: name == "workers", lambda value: value <= 64, "64 at most"),
)
_WORDS: Mapping[type, str] = {
    bool: "yes or no (true or false)",
    int: "a whole number",
    float: "a number",
    str: "a text",
    list: "a list of texts",
    dict: "a table",
}


def _check_env(env: Mapping[str, str]) -> None:
    """A variable that looks like a setting misspelt would silently do nothing. Others of our prefix may be anyone's."""
    known = [f"VAULTKIT_{name.upper()}" for name in _META]
    for name in env:
        if name.startswith("VAULTKIT_") and name not in known and name not in _NOT_SETTINGS:
            near = difflib.get_close_matches(name, known, n=1, cutoff=0.93)
            if near:
                raise ConfigError(f"{name} is no setting", hint=f"did you mean {near[0]}?")


def _check_distinct(config: Config) -> None:
    """One property cannot hold two things."""
    named: dict[str, str] = {}
    for item in fields(Config):
        if item.name.endswith("_property"):
            other = named.setdefault(getattr(config, item.name), item.name)
            if other != item.name:
                raise ConfigError(f"{other} and {item.name} are both {getattr(config, item.name)!r}", hint="give each a name of its own")


def _from_text(name: str, text: str) -> Any:
    wanted = _TYPES[name]
    where = f"VAULTKIT_{name.upper()}"
    try:
        if wanted is bool:
            lowered = text.strip().lower()
            if lowered not in {"1", "true", "yes", "on", "0", "false", "no", "off", ""}:
                raise ValueError(text)
            return lowered in {"1", "true", "yes", "on"}
        if wanted is list:
            return [part.strip() for part in text.split(",") if part.strip()]
        if wanted is dict:
            parsed = tomllib.loads(f"x = {text}")["x"]  # a TOMLDecodeError is a ValueError
            return _checked(name, parsed, where=where)
        return _checked(name, wanted(text), where=where)
    except ValueError as error:
        raise ConfigError(f"{where}: {text!r} is not {_WORDS[wanted]}", hint=str(_META[name]["doc"])) from error
