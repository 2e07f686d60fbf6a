"""Timers: what is written, that it is ours alone, and that paths are quoted."""

from __future__ import annotations

import plistlib
import sys
from pathlib import Path

import pytest

from vaultkit.errors import UsageError
from vaultkit.upkeep import schedule


def test_cron_lines_are_replaced_and_removed_and_others_are_kept(tmp_path: Path) -> None:
    mine = "0 1 * * * backup # mine\n"
    first = schedule.plan_install(tmp_path, [], kind="cron", home=tmp_path, crontab=mine)
    assert first.crontab is not None
    assert first.crontab.startswith(mine)
    assert first.crontab.count("vaultkit") >= len(schedule.JOBS)
    again = schedule.plan_install(tmp_path, [], kind="cron", home=tmp_path, crontab=first.crontab)
    assert again.crontab == first.crontab
    assert all(timer.installed for timer in schedule.status(tmp_path, kind="cron", home=tmp_path, crontab=first.crontab))
    gone = schedule.plan_remove(tmp_path, [], kind="cron", home=tmp_path, crontab=first.crontab)
    assert gone.crontab == mine
    assert len(gone.lines) == len(schedule.JOBS)


def test_two_vaults_have_timers_of_their_own(tmp_path: Path) -> None:
    one = schedule.plan_install(tmp_path / "one", ["autocommit"], kind="cron", home=tmp_path)
    both = schedule.plan_install(tmp_path / "two", ["autocommit"], kind="cron", home=tmp_path, crontab=one.crontab or "")
    assert (both.crontab or "").count("\n") == 2


def test_odd_paths_are_quoted_for_each_scheduler(tmp_path: Path) -> None:
    root = tmp_path / 'my "notes" 100% 日本'
    cron = schedule.plan_install(root, ["autocommit"], kind="cron", home=tmp_path).lines[0]
    assert "100\\%" in cron
    assert " -P -m vaultkit " in cron  # whatever folder it starts in gives no module to it
    units = dict(schedule.plan_install(root, ["autocommit"], kind="systemd", home=tmp_path).files)
    service = next(text for path, text in units.items() if path.suffix == ".service")
    assert '\\"notes\\" 100%% 日本' in service
    (_, plist), *_ = schedule.plan_install(root, ["lookahead"], kind="launchd", home=tmp_path).files
    content = plistlib.loads(plist.encode())
    assert content["ProgramArguments"][0] == sys.executable
    assert content["ProgramArguments"][-1] == str(root)
    assert content["StartCalendarInterval"] == {"Hour": 8, "Minute": 0}


def test_files_are_written_and_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedule, "_checked", lambda _: None)
    schedule.carry_out(schedule.plan_install(tmp_path, [], kind="systemd", home=tmp_path))
    assert all(timer.installed for timer in schedule.status(tmp_path, kind="systemd", home=tmp_path))
    assert len(list((tmp_path / ".config/systemd/user").iterdir())) == 2 * len(schedule.JOBS)
    schedule.carry_out(schedule.plan_remove(tmp_path, [], kind="systemd", home=tmp_path))
    assert list((tmp_path / ".config/systemd/user").iterdir()) == []


def test_an_unknown_job_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        schedule.plan_install(tmp_path, ["dance"], kind="cron", home=tmp_path)
