"""The activity log: whole lines whatever happens, counters by events, bounded size."""

from __future__ import annotations

import multiprocessing
from datetime import datetime
from pathlib import Path

from vaultkit.store.activity import KEEP, ActivityLog, Counter

T = datetime(2026, 11, 30, 9, 0)


def test_events_come_back_in_order_and_filtered(tmp_path: Path) -> None:
    log = ActivityLog(tmp_path / "state")
    log.append("prompt", t=T, session="s", mode="light")
    log.append("shown", t=T.replace(hour=10), path="日本.md")
    assert [row["event"] for row in log.read()] == ["prompt", "shown"]
    assert [row["path"] for row in log.read(events=("shown",))] == ["日本.md"]
    assert list(log.read(since="2026-11-30T09:30")) == list(log.read(events=("shown",)))


def test_shown_counts_for_nothing_but_opened_and_judged_do(tmp_path: Path) -> None:
    log = ActivityLog(tmp_path)
    for event, more in (("shown", {}), ("opened", {}), ("judged", {"useful": True}), ("judged", {"useful": False})):
        log.append(event, t=T, path="a.md", **more)
    assert log.counters() == {"a.md": Counter(accessed=1, last_accessed="2026-11-30", useful=1, shown=1)}
    log.append("opened", t=T, path="a.md")
    assert log.counters()["a.md"].accessed == 2
    assert ActivityLog(tmp_path).counters() == log.counters()


def test_a_line_cut_off_by_a_crash_is_passed_over_and_harms_no_other(tmp_path: Path) -> None:
    log = ActivityLog(tmp_path)
    log.append("opened", t=T, path="a.md")
    with log.path.open("ab") as file:
        file.write(b'{"t":"2026-11-30T09:00","event":"ope')
    log.append("opened", t=T, path="b.md")
    assert set(ActivityLog(tmp_path).counters()) == {"a.md", "b.md"}


def test_the_log_is_rotated_and_bounded(tmp_path: Path) -> None:
    log = ActivityLog(tmp_path, max_bytes=2000)
    for number in range(300):
        log.append("opened", t=T, path=f"{number}.md")
    files = list(tmp_path.glob("activity*.jsonl"))
    assert len(files) == KEEP + 1
    assert sum(file.stat().st_size for file in files) <= 2000 * (KEEP + 1)
    assert [row["path"] for row in log.read()][-1] == "299.md"


def _many(folder: Path, name: str) -> None:
    log = ActivityLog(folder, max_bytes=1_000_000)
    for number in range(200):
        log.append("opened", t=T, path=f"{name}-{number}.md")


def test_processes_do_not_tear_each_others_lines(tmp_path: Path) -> None:
    workers = [multiprocessing.get_context("spawn").Process(target=_many, args=(tmp_path, name)) for name in "abc"]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(list(ActivityLog(tmp_path).read())) == 600


def test_a_state_folder_that_cannot_be_written_loses_the_event_only(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    ActivityLog(tmp_path / "file" / "below").append("opened", t=T, path="a.md")
