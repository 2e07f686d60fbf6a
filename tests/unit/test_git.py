from __future__ import annotations

import os
import stat
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from vaultkit.store.git import Commit, autocommit, find_repo, init_repo

NOW = datetime(2026, 11, 30, 9, 5, 7, tzinfo=UTC)
CONFLICT = "one\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> other\n"


@pytest.fixture(autouse=True)
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Git's own settings, empty: nobody's name, no signing key, no hooks."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    home = tmp_path / "home"
    home.mkdir()
    config = home / ".gitconfig"
    config.write_text("[init]\ndefaultBranch = main\n")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    return config


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    """A vault that is a repository, with one committed note."""
    folder = tmp_path / "vault"
    folder.mkdir()
    git(folder, "init", "--quiet")
    write(folder / "note.md", "text\n")
    assert autocommit(folder, now=NOW).committed
    return folder


def git(folder: Path, *arguments: str, check: bool = True) -> str:
    identity = ("-c", "user.name=Owner", "-c", "user.email=owner@example.org")
    done = subprocess.run(["git", *identity, *arguments], cwd=folder, check=False, capture_output=True)
    assert not check or done.returncode == 0, done.stderr
    return done.stdout.decode("utf-8", "surrogateescape")


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def committed(folder: Path) -> list[str]:
    return git(folder, "ls-tree", "-r", "-z", "--name-only", "--full-tree", "HEAD").split("\0")[:-1]


def commits(folder: Path) -> int:
    return int(git(folder, "rev-list", "--count", "--all"))


def assert_refused(folder: Path, said: str, *, allow_outer: bool = False) -> None:
    """Nothing is committed or staged, and one line says why."""
    before, staged = commits(folder), git(folder, "diff", "--cached", "--raw")
    result = autocommit(folder, now=NOW, allow_outer=allow_outer)
    assert not result.committed
    assert (result.files, result.commit) == (0, "")
    assert said in result.reason
    assert "\n" not in result.reason
    assert commits(folder) == before
    assert git(folder, "diff", "--cached", "--raw") == staged


# ── what is committed ────────────────────────────────────────────────────────────────────────────────────────────────


def test_everything_that_changed_is_committed(vault: Path) -> None:
    write(vault / "gone.md", "x")
    write(vault / "moved.md", "a note that moves\n" * 5)
    autocommit(vault, now=NOW)
    write(vault / "note.md", "changed\n")
    write(vault / "inbox/new.md", "new\n")
    (vault / "gone.md").unlink()
    (vault / "moved.md").rename(vault / "inbox/moved.md")
    result = autocommit(vault, now=NOW)
    assert result.committed
    assert result.files == 5  # changed, new, gone, and a move is one gone and one new
    assert result.commit == git(vault, "rev-parse", "HEAD").strip()
    assert committed(vault) == ["inbox/moved.md", "inbox/new.md", "note.md"]
    assert git(vault, "status", "--porcelain") == ""


def test_a_second_commit_with_nothing_new_is_not_made(vault: Path) -> None:
    assert_refused(vault, "nothing changed")


def test_a_file_that_is_only_touched_is_nothing_new(vault: Path) -> None:
    os.utime(vault / "note.md", (1, 1))
    assert_refused(vault, "nothing changed")


def test_the_first_commit_of_an_empty_repository_is_made(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "v")
    assert "nothing changed" in autocommit(tmp_path / "v", now=NOW).reason
    write(tmp_path / "v/a.md", "x")
    assert autocommit(tmp_path / "v", now=NOW).files == 1


def test_paths_of_every_kind_are_committed(vault: Path) -> None:
    names = ["会議 メモ.md", "line\nbreak.md", ' lead "quoted".md', "-dash.md", ":(top)x.md", "*.md", "back\\slash.md"]
    for name in names:
        write(vault / name, "x")
    (vault / os.fsdecode(b"\x83\x41.md")).write_text("x")
    assert autocommit(vault, now=NOW).files == len(names) + 1
    assert set(names) < set(committed(vault))
    assert git(vault, "status", "--porcelain") == ""


def test_what_git_ignores_stays_out(vault: Path) -> None:
    write(vault / ".gitignore", ".trash/\n")
    write(vault / ".trash/x.md", "x")
    assert autocommit(vault, now=NOW).files == 1
    assert committed(vault) == [".gitignore", "note.md"]


def test_a_repository_inside_the_vault_stays_out(vault: Path) -> None:
    git(vault, "init", "--quiet", "plugin [x]")
    write(vault / "plugin [x]/main.js", "x")
    git(vault / "plugin [x]", "add", ".")
    git(vault / "plugin [x]", "commit", "--quiet", "-m", "x")
    assert_refused(vault, "nothing changed")
    write(vault / "other.md", "x")
    assert autocommit(vault, now=NOW).files == 1
    assert committed(vault) == ["note.md", "other.md"]


def test_what_the_owner_staged_is_committed_with_the_rest(vault: Path) -> None:
    write(vault / "note.md", "staged\n")
    git(vault, "add", "note.md")
    write(vault / "note.md", "staged, then changed\n")
    assert autocommit(vault, now=NOW).files == 1
    assert git(vault, "show", "HEAD:note.md") == "staged, then changed\n"


def test_a_symlink_is_committed_as_a_link(vault: Path, tmp_path: Path) -> None:
    write(tmp_path / "outside", CONFLICT)
    (vault / "link.md").symlink_to(tmp_path / "outside")
    assert autocommit(vault, now=NOW).files == 1
    assert git(vault, "ls-tree", "HEAD", "link.md").startswith("120000")


def test_the_message_and_the_date_are_the_given_ones(vault: Path) -> None:
    write(vault / "a.md", "x")
    autocommit(vault, now=NOW)
    assert (
        git(vault, "log", "-1", "--format=%s|%at|%ct").strip()
        == f"vaultkit: 1 file, 2026-11-30 09:05|{int(NOW.timestamp())}|{int(NOW.timestamp())}"
    )
    write(vault / "a.md", "y")
    autocommit(vault, now=NOW.replace(tzinfo=None), message="# mine\n\nwith a body")
    assert git(vault, "log", "-1", "--format=%B").strip() == "# mine\n\nwith a body"


# ── unattended ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_somebody_without_a_name_gets_one(vault: Path) -> None:
    assert git(vault, "log", "-1", "--format=%an <%ae> %cn <%ce>").strip() == "vaultkit <vaultkit@localhost> vaultkit <vaultkit@localhost>"


def test_the_owner_keeps_the_own_name(vault: Path, settings: Path) -> None:
    settings.write_text("[user]\nname = Mari\nemail = mari@example.org\nuseConfigOnly = true\n")
    write(vault / "a.md", "x")
    autocommit(vault, now=NOW)
    assert git(vault, "log", "-1", "--format=%an <%ae>").strip() == "Mari <mari@example.org>"


def test_nothing_is_signed_and_no_hook_runs(vault: Path, settings: Path, tmp_path: Path) -> None:
    settings.write_text("[commit]\ngpgSign = true\n[gpg]\nprogram = /bin/false\n")
    trace = tmp_path / "hooks-ran"
    for name in ("pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"):
        hook = vault / ".git/hooks" / name
        write(hook, f"#!/bin/sh\necho {name} >> '{trace}'\nexit 1\n")
        hook.chmod(hook.stat().st_mode | stat.S_IXUSR)
    write(vault / "a.md", "x")
    assert autocommit(vault, now=NOW).committed
    assert not trace.exists()


def test_nothing_is_pushed(vault: Path, tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "--bare", "remote.git")
    git(vault, "remote", "add", "origin", str(tmp_path / "remote.git"))
    git(vault, "push", "--quiet", "--set-upstream", "origin", "main")
    write(vault / "a.md", "x")
    assert autocommit(vault, now=NOW).committed
    assert commits(tmp_path / "remote.git") == 1


def test_an_outer_git_does_not_lead_ours_astray(vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git(tmp_path, "init", "--quiet", "other")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "other/.git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(tmp_path / "other"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "other/.git/index"))
    monkeypatch.setenv("GIT_AUTHOR_DATE", "2001-01-01T00:00:00Z")
    monkeypatch.setenv("GIT_LITERAL_PATHSPECS", "1")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.bare")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "true")
    write(vault / "a.md", "x")
    result = autocommit(vault, now=NOW)
    for name in [name for name in os.environ if name.startswith("GIT_") and "GLOBAL" not in name and "NOSYSTEM" not in name]:
        monkeypatch.delenv(name)
    assert result.committed
    assert commits(vault) == 2
    assert commits(tmp_path / "other") == 0
    assert git(vault, "log", "-1", "--format=%at").strip() == str(int(NOW.timestamp()))


def test_a_slow_git_is_stopped_and_leaves_no_lock(vault: Path, settings: Path) -> None:
    write(vault / ".gitattributes", "*.md filter=slow\n")
    git(vault, "add", ".gitattributes")
    git(vault, "commit", "--quiet", "-m", "x")
    write(vault / "a.md", "x")
    settings.write_text('[filter "slow"]\nclean = sleep 60\n')
    result = autocommit(vault, now=NOW, timeout=0.5)
    settings.write_text("")
    assert result == Commit(committed=False, reason="not committed: git took longer than 0.5 seconds")
    assert not (vault / ".git/index.lock").exists()
    assert autocommit(vault, now=NOW).files == 1


# ── what stands in the way ───────────────────────────────────────────────────────────────────────────────────────────


def test_without_git_nothing_is_committed(vault: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert autocommit(vault, now=NOW) == Commit(committed=False, reason="not committed: git is not installed")
    assert "git is not installed" in init_repo(tmp_path)


def test_a_vault_in_no_repository_is_not_committed(tmp_path: Path) -> None:
    assert find_repo(tmp_path) is None
    assert "not in a git repository" in autocommit(tmp_path, now=NOW).reason
    assert "not in a git repository" in autocommit(tmp_path / "missing", now=NOW).reason


def test_a_broken_repository_is_a_reason(tmp_path: Path) -> None:
    write(tmp_path / ".git", "gitdir: nowhere\n")
    assert "git says" in autocommit(tmp_path, now=NOW).reason


@pytest.fixture
def forked(vault: Path) -> Path:
    """Two branches that disagree about note.md."""
    git(vault, "checkout", "--quiet", "-b", "other")
    write(vault / "note.md", "theirs\n")
    git(vault, "commit", "--quiet", "-am", "theirs")
    git(vault, "checkout", "--quiet", "main")
    write(vault / "note.md", "ours\n")
    git(vault, "commit", "--quiet", "-am", "ours")
    return vault


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["merge", "other"], "a merge is in progress"),
        (["rebase", "other"], "a rebase is in progress"),
        (["cherry-pick", "other"], "a cherry-pick is in progress"),
        (["revert", "HEAD~1"], "a revert is in progress"),
        (["bisect", "start"], "a bisect is in progress"),
        (["stash", "apply"], "note.md has an unresolved conflict"),
    ],
)
def test_an_owner_in_the_middle_of_something_is_left_alone(forked: Path, command: list[str], said: str) -> None:
    if command[0] == "stash":
        write(forked / "note.md", "stashed\n")
        git(forked, "stash")
        write(forked / "note.md", "more\n")
        git(forked, "commit", "--quiet", "-am", "more")
    git(forked, *command, check=False)
    write(forked / "new.md", "x")
    assert_refused(forked, said)
    write(forked / "note.md", "resolved\n")
    assert_refused(forked, said)


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        (CONFLICT, True),
        (CONFLICT.replace("\n", "\r\n"), True),
        ("<<<<<<< HEAD\nhalf resolved\n", True),
        ("half resolved\n=======\ntheirs\n>>>>>>> other\n", True),
        ("<<<<<<<\n", True),
        ("A heading\n=======\n\ntext\n", False),
        (">>>>>>> a quote in a quote\n", False),
        ("see `<<<<<<< HEAD`\n    <<<<<<< indented\n", False),
        ("<<<<<<<<< nine\n", False),
    ],
)
def test_conflict_markers_are_never_committed(vault: Path, text: str, refused: bool) -> None:
    write(vault / "日本/marked.md", text)
    write(vault / "fine.md", "x")
    if refused:
        assert_refused(vault, "日本/marked.md holds conflict markers")
    else:
        assert autocommit(vault, now=NOW).files == 2


def test_binary_files_are_not_searched_for_markers(vault: Path) -> None:
    (vault / "image.png").write_bytes(b"\x89PNG\0\n" + CONFLICT.encode())
    assert autocommit(vault, now=NOW).files == 1


def test_markers_in_a_note_that_did_not_change_do_not_matter(vault: Path) -> None:
    write(vault / "about git.md", CONFLICT)
    git(vault, "add", ".")
    git(vault, "commit", "--quiet", "-m", "meant so")
    write(vault / "a.md", "x")
    assert autocommit(vault, now=NOW).files == 1


def test_a_locked_index_is_left_alone(vault: Path) -> None:
    write(vault / "a.md", "x")
    write(vault / ".git/index.lock", "")
    assert_refused(vault, "index.lock")
    assert (vault / ".git/index.lock").exists()


def test_a_detached_head_gets_no_commit(vault: Path) -> None:
    git(vault, "checkout", "--quiet", "--detach")
    write(vault / "a.md", "x")
    assert_refused(vault, "HEAD is detached")


def test_an_unreadable_note_is_a_reason(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, mode: str = "r") -> object:
        raise PermissionError(13, "Permission denied", str(self))

    write(vault / "a.md", "x")
    monkeypatch.setattr(Path, "open", refuse)
    assert "a.md cannot be read (Permission denied)" in autocommit(vault, now=NOW).reason


# ── a repository above the vault ─────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def inner(vault: Path) -> Path:
    """A vault that is a folder of a larger repository."""
    write(vault / "notes/in.md", "in\n")
    write(vault / "out.md", "out\n")
    return vault / "notes"


def test_a_larger_repository_is_left_alone(inner: Path) -> None:
    assert find_repo(inner) == inner.parent
    assert_refused(inner, "--yes")


def test_only_the_vault_is_committed_when_the_owner_says_so(inner: Path) -> None:
    write(inner.parent / "staged.md", "staged\n")
    git(inner.parent, "add", "staged.md")
    write(inner / "子/new.md", "x")
    result = autocommit(inner, now=NOW, allow_outer=True)
    assert result.committed
    assert result.files == 2
    assert committed(inner.parent) == ["note.md", "notes/in.md", "notes/子/new.md"]
    assert git(inner.parent, "status", "--porcelain").split("\n") == ["A  staged.md", "?? out.md", ""]
    assert_refused(inner, "nothing changed", allow_outer=True)


def test_the_first_commit_of_a_larger_repository_holds_the_vault_only(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "r")
    write(tmp_path / "r/notes/in.md", "x")
    write(tmp_path / "r/out.md", "x")
    assert autocommit(tmp_path / "r/notes", now=NOW, allow_outer=True).files == 1
    assert committed(tmp_path / "r") == ["notes/in.md"]


def test_markers_outside_the_vault_do_not_matter(inner: Path) -> None:
    write(inner.parent / "out.md", CONFLICT)
    assert autocommit(inner, now=NOW, allow_outer=True).committed


def test_a_vault_that_is_a_worktree_is_committed_on_its_branch(vault: Path, tmp_path: Path) -> None:
    git(vault, "worktree", "add", "--quiet", "-b", "phone", str(tmp_path / "phone"))
    write(tmp_path / "phone/a.md", "x")
    assert find_repo(tmp_path / "phone") == tmp_path / "phone"
    assert autocommit(tmp_path / "phone", now=NOW).committed
    assert committed(vault) == ["note.md"]


def test_a_vault_behind_a_symlink_is_the_repository_itself(vault: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(vault)
    write(vault / "a.md", "x")
    assert autocommit(tmp_path / "link", now=NOW).files == 1


# ── a new repository ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_new_vault_becomes_a_repository_with_a_first_commit(tmp_path: Path, settings: Path) -> None:
    settings.write_text("")
    folder = tmp_path / "new"
    write(folder / ".gitignore", ".trash/\n")
    write(folder / ".trash/x", "x")
    assert init_repo(folder, now=NOW) == "in git, with a first commit"
    assert committed(folder) == [".gitignore"]
    assert git(folder, "branch", "--show-current").strip() == "main"
    assert init_repo(folder, now=NOW) == "a git repository already"
    assert commits(folder) == 1


def test_the_owner_names_the_first_branch(tmp_path: Path, settings: Path) -> None:
    settings.write_text("[init]\ndefaultBranch = trunk\n")
    write(tmp_path / "new/a.md", "x")
    init_repo(tmp_path / "new")
    assert git(tmp_path / "new", "branch", "--show-current").strip() == "trunk"
