"""Timers that run vaultkit when nobody does: a systemd user timer, a launchd agent, or a crontab line, whatever this machine has.

Only entries that vaultkit made (marked with the vault's key) are ever changed or removed.
"""

from __future__ import annotations

import os
import plistlib
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Literal, NamedTuple

from vaultkit.config import vault_key
from vaultkit.errors import RefusedError, UnavailableError, UsageError

Kind = Literal["systemd", "launchd", "cron"]


_NO_CRONTAB: Final = re.compile("no f?crontab|no such file", re.IGNORECASE)  # cronie and Debian, fcron, busybox
_CONTROL: Final = re.compile(r"[\0-\x1f\x7f-\x9f]")


class Job(NamedTuple):
    """One timer: what it runs and how often. *minutes* 0 means daily at *at*, or weekly with a *weekday* (Monday is 1)."""

    name: str
    arguments: tuple[str, ...]
    minutes: int
    at: tuple[int, int]
    doc: str
    weekday: int = 0


JOBS: Final[Mapping[str, Job]] = {
    job.name: job
    for job in (
        Job("autocommit", ("autocommit",), 10, (0, 0), "commit the vault when anything changed"),
        Job("intake", ("intake",), 10, (0, 0), "give notes typed in the inbox their fields"),
        Job("dream", ("dream",), 60, (0, 0), "turn captures that ripened into linked notes"),
        Job(
            "lookahead",
            ("lookahead", "--to-daily", "--notify", "--quiet", "--exit-zero"),
            0,
            (8, 0),
            "write deadlines into the daily note and notify the desktop",
        ),
        Job("promote", ("promote", "propose"), 0, (8, 30), "propose rules and skills that notes speak for", weekday=1),
    )
}


class Timer(NamedTuple):
    """One timer of this vault. *where* is the file, or "crontab"."""

    job: str
    kind: Kind
    where: str
    installed: bool
    every: str


class Plan(NamedTuple):
    """What `install` or `remove` will do, before it does it."""

    kind: Kind
    lines: tuple[str, ...]
    files: tuple[tuple[Path, str], ...]  # path, content ("" removes it)
    crontab: str | None
    commands: tuple[tuple[str, ...], ...]


def detect() -> Kind:
    """The scheduler of this machine. Raises UnavailableError where there is none."""
    if sys.platform == "darwin":
        return "launchd"
    if shutil.which("systemctl") and _run(("systemctl", "--user", "show-environment")).returncode == 0:
        return "systemd"
    if shutil.which("crontab"):
        return "cron"
    raise UnavailableError(
        "no scheduler answers here (systemd user session, launchd, crontab)",
        hint="run `vaultkit autocommit`, `vaultkit intake` and `vaultkit lookahead --to-daily --notify` from whatever starts jobs on this machine",
    )


def plan_install(root: Path, names: Sequence[str], *, kind: Kind, home: Path, crontab: str = "") -> Plan:
    """The timers *names* (all when empty) for the vault at *root*; the same again changes nothing."""
    jobs = _jobs(names)
    if _CONTROL.search(str(root)):  # each scheduler's file is made of lines
        raise RefusedError(f"the vault's path {str(root)!r} holds control characters", hint="rename that folder, then install its timers")
    if kind == "cron":
        kept = _without(crontab, root, [job.name for job in jobs])
        lines = [_cron_line(root, job) for job in jobs]
        return Plan(kind, tuple(lines), (), "\n".join([*kept, *lines]) + "\n", ())
    if kind == "launchd":
        files = tuple((_plist(home, root, job), _plist_text(root, job)) for job in jobs)
        commands = tuple(("launchctl", "load", "-w", str(path)) for path, _ in files)
        return Plan(kind, tuple(f"write {path}" for path, _ in files), files, None, commands)
    files = tuple(pair for job in jobs for pair in _units(home, root, job))
    timers = tuple(path.name for path, _ in files if path.suffix == ".timer")
    enable = ("systemctl", "--user", "enable", "--now", *timers)
    return Plan(kind, tuple(f"write {path}" for path, _ in files), files, None, (("systemctl", "--user", "daemon-reload"), enable))


def plan_remove(root: Path, names: Sequence[str], *, kind: Kind, home: Path, crontab: str = "") -> Plan:
    """Take the timers *names* (all when empty) of this vault away again."""
    jobs = _jobs(names)
    if kind == "cron":
        kept = _without(crontab, root, [job.name for job in jobs])
        gone = [line for line in _lines(crontab) if line not in kept]
        return Plan(kind, tuple(f"remove {line}" for line in gone), (), "".join(f"{line}\n" for line in kept), ())
    paths = (
        [_plist(home, root, job) for job in jobs] if kind == "launchd" else [path for job in jobs for path, _ in _units(home, root, job)]
    )
    there = [path for path in paths if path.exists()]
    if kind == "launchd":
        commands: tuple[tuple[str, ...], ...] = tuple(("launchctl", "unload", "-w", str(path)) for path in there)
    else:
        timers = tuple(path.name for path in there if path.suffix == ".timer")
        commands = (("systemctl", "--user", "disable", "--now", *timers), ("systemctl", "--user", "daemon-reload")) if timers else ()
    return Plan(kind, tuple(f"remove {path}" for path in there), tuple((path, "") for path in there), None, commands)


def carry_out(plan: Plan) -> None:
    """Do what a plan says. Raises UnavailableError when the scheduler refuses."""
    unloading = [command for command in plan.commands if "disable" in command or "unload" in command]
    for command in unloading:
        _checked(command)
    for path, content in plan.files:
        if content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, "utf-8")
        else:
            path.unlink(missing_ok=True)
    if plan.crontab is not None:
        done = _run(("crontab", "-"), plan.crontab)
        if done.returncode:
            raise UnavailableError(f"crontab refused: {done.stderr.strip()}", hint="add the lines by hand with `crontab -e`")
    for command in plan.commands:
        if command not in unloading:
            _checked(command)


def status(root: Path, *, kind: Kind, home: Path, crontab: str = "") -> list[Timer]:
    """Every job, and whether its timer stands."""
    rows = []
    for job in JOBS.values():
        if kind == "cron":
            there = any(line.endswith(_mark(root, job.name)) for line in _lines(crontab))
            rows.append(Timer(job.name, kind, "crontab", there, _every(job)))
        else:
            path = _plist(home, root, job) if kind == "launchd" else _units(home, root, job)[1][0]
            rows.append(Timer(job.name, kind, str(path), path.exists(), _every(job)))
    return rows


def read_crontab() -> str:
    """The user's crontab, "" when there is none. Raises UnavailableError when it cannot be read: what is written back replaces it whole."""
    done = _run(("crontab", "-l"))
    if done.returncode == 0:
        return done.stdout
    if _NO_CRONTAB.search(done.stderr + done.stdout):
        return ""
    raise UnavailableError(
        f"the crontab cannot be read: {done.stderr.strip()[:300] or f'exit {done.returncode}'}",
        hint="see what `crontab -l` says; nothing was changed",
    )


def _jobs(names: Sequence[str]) -> list[Job]:
    unknown = [name for name in names if name not in JOBS]
    if unknown:
        raise UsageError(f"no job named {', '.join(unknown)}", hint=f"jobs are {', '.join(JOBS)}")
    return [JOBS[name] for name in names] if names else list(JOBS.values())


def _program(root: Path, job: Job) -> tuple[str, ...]:
    # The interpreter by absolute path: a timer has no PATH worth the name, and no shell profile. -P: no module from the folder it starts in.
    return (sys.executable, "-P", "-m", "vaultkit", *job.arguments, "--vault", str(root))


def _every(job: Job) -> str:
    if job.minutes:
        return f"every {job.minutes} minutes"
    return f"{f'every {_DAYS[job.weekday]}' if job.weekday else 'daily'} at {job.at[0]:02}:{job.at[1]:02}"


_DAYS: Final = ("", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def _mark(root: Path, job: str) -> str:
    return f"# vaultkit {vault_key(root)} {job}"


def _without(crontab: str, root: Path, jobs: Sequence[str]) -> list[str]:
    marks = tuple(_mark(root, job) for job in jobs)
    return [line for line in _lines(crontab) if not line.endswith(marks)]


def _lines(crontab: str) -> list[str]:
    """Its lines as cron reads them: only a line feed ends one."""
    return crontab.removesuffix("\n").split("\n") if crontab else []


def _cron_line(root: Path, job: Job) -> str:
    when = f"*/{job.minutes} * * * *" if job.minutes else f"{job.at[1]} {job.at[0]} * * {job.weekday or '*'}"
    command = shlex.join(_program(root, job)).replace("%", r"\%")  # cron takes a bare % for a line end
    return f"{when} {command} >/dev/null 2>&1 {_mark(root, job.name)}"


def _units(home: Path, root: Path, job: Job) -> tuple[tuple[Path, str], tuple[Path, str]]:
    folder = home / ".config" / "systemd" / "user"
    stem = f"vaultkit-{vault_key(root)}-{job.name}"
    command = " ".join(
        '"' + part.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$") + '"' for part in _program(root, job)
    )
    service = f"[Unit]\nDescription=vaultkit: {job.doc}\n\n[Service]\nType=oneshot\nExecStart={command}\n"
    when = (
        f"OnBootSec={job.minutes}min\nOnUnitActiveSec={job.minutes}min"
        if job.minutes
        else f"OnCalendar={_DAYS[job.weekday]}{' ' if job.weekday else ''}*-*-* {job.at[0]:02}:{job.at[1]:02}:00\nPersistent=true"
    )
    timer = f"[Unit]\nDescription=vaultkit: {job.doc}\n\n[Timer]\n{when}\n\n[Install]\nWantedBy=timers.target\n"
    return (folder / f"{stem}.service", service), (folder / f"{stem}.timer", timer)


def _plist(home: Path, root: Path, job: Job) -> Path:
    return home / "Library" / "LaunchAgents" / f"org.vaultkit.{vault_key(root)}.{job.name}.plist"


def _plist_text(root: Path, job: Job) -> str:
    content: dict[str, object] = {"Label": f"org.vaultkit.{vault_key(root)}.{job.name}", "ProgramArguments": list(_program(root, job))}
    if job.minutes:
        content["StartInterval"] = job.minutes * 60
    else:
        content["StartCalendarInterval"] = {"Hour": job.at[0], "Minute": job.at[1]} | ({"Weekday": job.weekday} if job.weekday else {})
    return plistlib.dumps(content).decode()


def _run(command: Sequence[str], text: str = "") -> subprocess.CompletedProcess[str]:
    try:
        # Messages in English; bytes that are no UTF-8 in someone's crontab come back as they were.
        return subprocess.run(
            command,
            input=text,
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",
            check=False,
            timeout=20,
            env={**os.environ, "LC_ALL": "C"},
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return subprocess.CompletedProcess(list(command), 127, "", str(error))


def _checked(command: Sequence[str]) -> None:
    done = _run(command)
    if done.returncode:
        raise UnavailableError(
            f"{shlex.join(command)} failed: {done.stderr.strip()[:300]}", hint="`vaultkit schedule status` shows what stands"
        )
