"""Is everything in place that the memory needs? Each line says what was found and, where something is missing, what to do (memory.md M44).

`health` asks whether the memory works; this asks whether the programs around it are wired to it: hooks, their trust, time limits, the daemon.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from vaultkit import __version__
from vaultkit.app import App
from vaultkit.errors import UnavailableError, VaultkitError
from vaultkit.sessions import hooks_log
from vaultkit.store import git
from vaultkit.upkeep import health, schedule
from vaultkit.upkeep.adapters import ledger, manifest
from vaultkit.upkeep.adapters.command import Program
from vaultkit.upkeep.adapters.manifest import EVENTS, Adapter, Surroundings
from vaultkit.upkeep.adapters.plan import Found, found_hooks
from vaultkit.upkeep.health import Check

ANSWER_SECONDS: Final = 10.0  # for a harness to tell its version, or its trust


def doctor(app: App, around: Surroundings, program: Program) -> list[Check]:
    """Every check, in the order in which one would look."""
    checks = list(installation(around))
    for part in (_vault, _git, health.daemon, _models, _coverage, _schedule):
        checks += _guarded(part.__name__.strip("_"), part, app)
    return checks + list(_adapters(app, around, program))


def installation(around: Surroundings) -> Iterator[Check]:
    """The program itself; asked also where there is no vault."""
    found = shutil.which("vaultkit", path=around.env.get("PATH", os.defpath))
    own = Path(sys.executable).with_name("vaultkit")
    text = f"vaultkit {__version__}, Python {sys.version.split()[0]}, {sys.executable}"
    if found is None:
        where = own if own.exists() else f"{sys.executable} -m vaultkit"
        yield Check(
            "program", "info", f"{text}; not on the PATH", f"hooks and skills name it by its path; for yourself: alias vaultkit='{where}'"
        )
    elif own.exists() and Path(found).resolve() != own.resolve():
        yield Check(
            "program", "info", f"{text}; the PATH leads to another one: {found}", "use one of the two, or `vaultkit install` from that one"
        )
    else:
        yield Check("program", "ok", text)


def _guarded(name: str, part: Callable[[App], Iterator[Check]], app: App) -> list[Check]:
    try:
        return list(part(app))
    except VaultkitError as error:
        return [Check(name, "red", error.message, error.hint)]


# -- the vault and what works on it


def _vault(app: App) -> Iterator[Check]:
    synced = app.sync()
    if synced.notes:
        yield Check("vault", "ok", f"{app.root}, {synced.notes:,} notes")
    else:
        yield Check("vault", "red", f"no note in {app.root}", "is this the right vault? name it with --vault PATH")


def _git(app: App) -> Iterator[Check]:
    if shutil.which("git") is None:
        yield Check("git", "info", "git is not installed: `vaultkit undo` still works", "install git to have the vault's history")
    elif git.find_repo(app.root) is None:
        yield Check("git", "info", "the vault is in no repository: `vaultkit undo` still works", f"git init {app.root}")
    else:
        yield Check("git", "ok", f"in the repository {git.find_repo(app.root)}")


def _models(app: App) -> Iterator[Check]:
    choice = app.embedder()
    asked = app.config.embedder not in {"auto", "none"}
    if choice.works:
        yield Check("embedding model", "ok", choice.embedder.name)
    elif app.config.embedder == "none":
        yield Check("embedding model", "ok", "none, as set: search is by words")
    else:
        why = "; ".join(choice.problems) or "nothing embeds here"
        todo = f"start Ollama at {app.config.ollama_host}, or pip install 'vaultkit[embed]'"
        yield Check("embedding model", "red" if asked else "info", f"{why}: search is by words", todo)
    if not app.config.text_model:
        yield Check(
            "text model",
            "info",
            "none is set: session notes and counters are written, learnings are not",
            "vaultkit config text_model NAME",
        )
        return
    from vaultkit.store.models import text_model  # noqa: PLC0415

    model = text_model(app.config.text_model, host=app.config.ollama_host, timeout=app.config.model_timeout)
    answer = model.complete('Answer with {"ok": true}', schema={"type": "object", "properties": {"ok": {"type": "boolean"}}})
    problem = answer.problem
    if problem:
        yield Check(
            "text model", "red", f"{app.config.text_model}: {problem}", f"ollama pull {app.config.text_model}, or set another text_model"
        )
    else:
        yield Check("text model", "ok", f"{app.config.text_model} answers")


def _coverage(app: App) -> Iterator[Check]:
    if not app.embedded:
        if app.config.embedder != "none":
            yield Check("embeddings", "info", "no note has a vector yet", "`vaultkit sync --embed`")
        return
    found = app.coverage()
    share = 100 * found.current // found.should if found.should else 100
    text = f"{found.current:,} of {found.should:,} notes have a current vector ({share} %)"
    yield Check(
        "embeddings",
        "ok" if found.current == found.should else "info",
        text,
        "" if found.current == found.should else "`vaultkit sync --embed`",
    )


def _schedule(app: App) -> Iterator[Check]:
    try:
        kind = schedule.detect()
        crontab = schedule.read_crontab() if kind == "cron" else ""
    except UnavailableError as error:
        yield Check("schedule", "info", error.message, error.hint)
        return
    timers = schedule.status(app.root, kind=kind, home=Path.home(), crontab=crontab)
    there = [timer.job for timer in timers if timer.installed]
    missing = [timer.job for timer in timers if not timer.installed]
    if missing:
        yield Check(
            "schedule", "info", f"{', '.join(there) or 'no timer'} installed; not: {', '.join(missing)}", "`vaultkit schedule install`"
        )
    else:
        yield Check("schedule", "ok", f"{', '.join(there)} ({kind})")


# -- the harnesses


class _Ask(NamedTuple):
    """One harness as it stands here."""

    adapter: Adapter
    program: str  # where it is; "" when it is not on the PATH
    version: str
    hooks: list[Found]
    trust: Mapping[str, str] | str  # command → status; else why that is not known


def _adapters(app: App, around: Surroundings, program: Program) -> Iterator[Check]:
    try:
        records = ledger.load()
    except VaultkitError as error:
        yield Check("record of what was installed", "red", error.message, error.hint)
        records = {}
    found = found_hooks(around, records)
    adapters = [adapter for adapter in manifest.every() if adapter.hooks is not None]
    with ThreadPoolExecutor(len(adapters)) as pool:
        asked = list(pool.map(lambda adapter: _ask(adapter, found, around), adapters))
    runs = _runs(app)
    for one in asked:
        yield from _harness(one, program, runs.get(one.adapter.name, ()))
    if not found:
        yield Check("hooks", "info", "none is installed: no agent has this memory yet", f"`vaultkit install {_example(asked)}`")
    yield from _doubles(asked, around)


def _example(asked: Sequence[_Ask]) -> str:
    return " ".join(one.adapter.name for one in asked if one.program) or "claude-code"


def _ask(adapter: Adapter, found: Sequence[Found], around: Surroundings) -> _Ask:
    path = around.env.get("PATH", os.defpath)
    place = next((where for name in adapter.programs if (where := shutil.which(name, path=path))), "")
    hooks = [one for one in found if one.adapter.name == adapter.name]
    version = _version(place) if place else ""
    trust: Mapping[str, str] | str = {}
    if adapter.trust and hooks:
        trust = _trust([place, *adapter.trust], around.project) if place else "the program is not on the PATH"
    return _Ask(adapter, place, version, hooks, trust)


def _version(program: str) -> str:
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run(
            [program, "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=ANSWER_SECONDS, check=False
        )
        words = [word.strip("v,().") for word in done.stdout.split()]
        return next((word for word in words if word[:1].isdigit()), "")
    return ""


def _harness(one: _Ask, program: Program, runs: Sequence[Mapping[str, Any]]) -> Iterator[Check]:
    name, adapter = one.adapter.name, one.adapter
    there = f"version {one.version or 'unknown'} (tried with {adapter.tested})" if one.program else "the program is not on the PATH"
    if not one.hooks:
        if one.program:
            yield Check(name, "info", f"{there}; no hook of vaultkit is installed", f"`vaultkit install {name}`")
        return
    wrong = list(_wrong(one, program))
    where = ", ".join(dict.fromkeys(str(hook.path) for hook in one.hooks))
    yield from (Check(name, "red", text, todo) for text, todo in wrong)
    if not wrong:
        yield Check(name, "ok" if one.program else "info", f"{there}; hooks in {where}", "" if one.program else f"install {adapter.title}")
    yield from _trusted(one)
    yield _fired(one, runs)


def _fired(one: _Ask, runs: Sequence[Mapping[str, Any]]) -> Check:
    """When a hook last ran, and how many were late."""
    name = f"{one.adapter.name} fired"
    if not runs:
        return Check(name, "info", "no hook has run yet", f"start a session in {one.adapter.title}, then look again")
    last, lately = runs[-1], runs[-_LATELY:]
    late = sum(1 for run in lately if run.get("outcome") == "late")
    took = f", {last['ms']:.0f} ms" if isinstance(last.get("ms"), (int, float)) else ""
    text = f"last on {str(last.get('t', ''))[:16].replace('T', ' ')} ({last.get('kind')}{took}: {last.get('outcome')})"
    if len(lately) >= _LATELY // 2 and late > len(lately) // 2:
        return Check(
            name,
            "red",
            f"{text}; {late} of the last {len(lately)} were late and gave nothing",
            "`vaultkit daemon run` in a terminal shows why",
        )
    return Check(name, "ok", text)


_LATELY: Final = 20


def _wrong(one: _Ask, program: Program) -> Iterator[tuple[str, str]]:
    """What is wrong with the hooks of one harness, and what to do."""
    again = f"`vaultkit install {one.adapter.name}` writes them anew"
    for path in dict.fromkeys(hook.path for hook in one.hooks):
        hooks = [hook.handler for hook in one.hooks if hook.path == path]
        events = {hook.words[-1] for hook in hooks} if hooks[0].event != "*" else set(EVENTS)
        if missing := [event for event in EVENTS if event not in events]:
            yield f"{path} lacks the hooks of {', '.join(missing)}", again
        words = hooks[0].words
        start = list(program.hook(one.adapter.name))
        wire_at = next((at for at, word in enumerate(words) if word.endswith("wire.py")), 0)
        if not os.access(words[0], os.X_OK):
            yield f"{path} runs {words[0]}, which is not there", again
        elif not Path(words[wire_at]).is_file():
            yield f"{path} runs {words[wire_at]}, which is not there", again
        elif list(words[wire_at + 2 : wire_at + 3]) != [program.vault]:
            vault = words[wire_at + 2] if len(words) > wire_at + 2 else "none"
            yield (
                f"{path} is for another vault: {vault}",
                f"`vaultkit --vault {program.vault} install {one.adapter.name}`, or ask with that --vault",
            )
        elif any(list(hook.words[: len(start)]) != start for hook in hooks):
            yield f"{path} runs another installation: {words[wire_at]}", again
        yield from _limits(one.adapter, path, [hook.handler for hook in one.hooks if hook.path == path])
        if one.adapter.hooks and one.adapter.hooks.off and _setting(path, one.adapter.hooks.off) is True:
            yield f"{one.adapter.hooks.off} in {path} turns all hooks off", "take it out"


def _setting(path: Path, name: str) -> Any:
    """A value at the top of a settings file; None where there is none."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        return json.loads(path.read_bytes().decode("utf-8-sig")).get(name)
    return None


def _limits(adapter: Adapter, path: Path, hooks: Sequence[Any]) -> Iterator[tuple[str, str]]:
    """Time limits in the wrong unit are the commonest fault of hooks: 2000 for two seconds holds a prompt for half an hour."""
    if adapter.timeouts is None:
        return
    key, unit = adapter.timeouts.key, adapter.timeouts.unit
    for hook in hooks:
        limit = hook.entry.get(key)
        if not isinstance(limit, (int, float)):
            if hook.entry:
                yield f"{hook.event} in {path} has no {key}: the program's own limit may be minutes", f"`vaultkit install {adapter.name}`"
            continue
        seconds = limit / 1000 if unit == "ms" else limit
        most = adapter.timeouts.most.get(hook.event, _MOST)
        if not 1 <= seconds <= most:
            word = "milliseconds" if unit == "ms" else "seconds"
            todo = f"between {1000 if unit == 'ms' else 1} and {most * 1000 if unit == 'ms' else most:g}; `vaultkit install {adapter.name}` sets it"
            yield f"{key} {limit:g} of {hook.event} in {path} is in {word}", todo


_MOST: Final = 15.0  # seconds


def _trusted(one: _Ask) -> Iterator[Check]:
    name = f"{one.adapter.name} trust"
    if not one.adapter.trust:
        return
    if isinstance(one.trust, str):
        yield Check(name, "info", f"not asked: {one.trust}", one.adapter.next[0])
        return
    states = [status for command, status in one.trust.items() if "wire.py" in command]
    bad = sorted({status for status in states if status not in {"trusted", "managed"}})
    if not states:
        yield Check(name, "red", "it does not know these hooks", "is this folder one that it trusts? hooks of a project need that")
    elif bad:
        yield Check(name, "red", f"{len(states)} hooks, {', '.join(bad)}: they are skipped without a word", one.adapter.next[0])
    else:
        yield Check(name, "ok", f"{len(states)} hooks trusted")


def _trust(command: Sequence[str], project: Path) -> Mapping[str, str] | str:
    """Command → trust status, as the program itself tells it; nothing is changed. Else why that is not known."""
    messages = (
        {"id": 1, "method": "initialize", "params": {"clientInfo": {"name": "vaultkit", "title": "vaultkit", "version": __version__}}},
        {"method": "initialized"},
        {"id": 2, "method": "hooks/list", "params": {"cwds": [str(project)]}},
    )
    try:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=project, start_new_session=True
        )
    except OSError as error:
        return str(error)
    assert process.stdin is not None
    assert process.stdout is not None
    lines: queue.Queue[bytes] = queue.Queue()
    reader = threading.Thread(target=_pump, args=(process.stdout, lines), daemon=True)
    reader.start()
    try:
        process.stdin.write("".join(json.dumps(message) + "\n" for message in messages).encode())
        process.stdin.flush()
        return _answer(lines)
    except OSError as error:
        return str(error)
    finally:
        with contextlib.suppress(OSError):
            process.stdin.close()
        try:
            process.wait(1.0)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        reader.join(1.0)
        process.stdout.close()


def _pump(stream: Any, lines: queue.Queue[bytes]) -> None:
    for line in stream:
        lines.put(line)
    lines.put(b"")


def _answer(lines: queue.Queue[bytes]) -> Mapping[str, str] | str:
    end = datetime.now().timestamp() + ANSWER_SECONDS
    while (left := end - datetime.now().timestamp()) > 0:
        try:
            line = lines.get(timeout=left)
        except queue.Empty:
            break
        if not line:
            return "its server ended without an answer"
        try:
            message = json.loads(line)
            if message.get("id") != 2:
                continue
            hooks = [hook for place in message["result"]["data"] for hook in place["hooks"]]
            return {str(hook["command"]): str(hook["trustStatus"]) if hook.get("enabled", True) else "disabled" for hook in hooks}
        except (ValueError, KeyError, TypeError, AttributeError):
            return f"its server answered something else: {line[:200].decode('utf-8', 'replace').strip()}"
    return f"its server did not answer within {ANSWER_SECONDS:g} s"


def _doubles(asked: Sequence[_Ask], around: Surroundings) -> Iterator[Check]:
    """Hooks that would run twice for one event."""
    by_name = {one.adapter.name: one for one in asked}
    for one in asked:
        paths = list(dict.fromkeys(str(hook.path) for hook in one.hooks if hook.scope == "user" or _in(hook.path, around.project)))
        if len(paths) > 1:
            text = f"hooks stand in {' and '.join(paths)}: every one runs twice"
            yield Check(f"{one.adapter.name} double", "red", text, f"`vaultkit uninstall {one.adapter.name}`, then install it once")
        words = [(hook.path, hook.handler.words) for hook in one.hooks]
        if len(words) > len(set(words)):
            text = f"the same hook stands twice in {paths[0]}"
            yield Check(f"{one.adapter.name} double", "red", text, f"`vaultkit uninstall {one.adapter.name}`, then install it once")
        if one.adapter.hooks is None or not one.hooks:
            continue
        if plugin := _plugin(one, around):
            text = f"the plugin {plugin} is in use beside the hooks in {one.hooks[0].path}: every hook runs twice"
            yield Check(f"{one.adapter.name} double", "red", text, f"remove the plugin, or `vaultkit uninstall {one.adapter.name}`")
        for other, files in one.adapter.hooks.runs.items():
            read = {str(one.adapter.resolve(file, around)) for file in files}
            shell = [hook for hook in by_name[other].hooks if str(hook.path) in read and "args" not in hook.handler.entry]
            if shell:
                text = f"it also runs the {other} hooks in {shell[0].path}"
                yield Check(
                    f"{one.adapter.name} double",
                    "red",
                    text,
                    f"`vaultkit install {other} --project` writes them in a form that it does not run",
                )


def _plugin(one: _Ask, around: Surroundings) -> str:
    """Our plugin in this harness, where it is in use."""
    hooks = one.adapter.hooks
    if hooks is None or not hooks.plugins:
        return ""
    for written in (hooks.user, hooks.project, *hooks.also):
        used = _setting(one.adapter.resolve(written, around), hooks.plugins)
        if isinstance(used, dict) and (found := next((name for name, on in used.items() if name.startswith("vaultkit@") and on), "")):
            return found
    return ""


def _in(path: Path, folder: Path) -> bool:
    return folder in path.parents


def _runs(app: App) -> dict[str, list[Mapping[str, Any]]]:
    """The hook runs of each harness that are still in the log, oldest first."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for row in hooks_log(app.places.state).read(events=("hook",)):
        found.setdefault(str(row.get("harness")), []).append(row)
    return found
