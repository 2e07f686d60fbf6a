"""Hints in use: who asks the model, how long a prompt waits, what was kept for the next turn (memory.md M24).

    next-turn   the model is asked and not waited for; what it says serves the session's next prompt
    race        the prompt waits until the timeout; in time the terms serve it, later the next one

In the daemon a thread asks; elsewhere a detached process, because this one is about to end. The model's answer goes through the shelf of
`store/hints` in both cases, so that neither a dead server nor a slow one can reach the prompt.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from vaultkit import wire
from vaultkit.errors import VaultkitError
from vaultkit.recall import hints as engine
from vaultkit.store.hints import HintShelf, Kept

if TYPE_CHECKING:
    from vaultkit.app import App
    from vaultkit.recall import Prompt
    from vaultkit.store.models import TextModel

log = logging.getLogger(__name__)

_MARGIN: Final = 0.1  # seconds of a hook client's patience that are left for all the rest
_STEP: Final = 0.005


class Job(NamedTuple):
    """One question. *session* is whose next turn a late answer serves."""

    turn: str
    session: str
    text: str


Wait = Callable[[float], None]
Start = Callable[[Job], Wait]  # asks, and gives what waits at most so many seconds for the answer to be on the shelf


class Hint(NamedTuple):
    """What a prompt got. *outcome* of this turn's own question: in-time, late, asked (next-turn); *served*: an earlier turn's answer was used."""

    terms: tuple[str, ...]
    outcome: str
    served: bool
    waited_ms: float

    def as_dict(self, mode: str) -> dict[str, Any]:
        """For the activity log: no term, for terms are made of the prompt."""
        return {"mode": mode, "outcome": self.outcome, "served": self.served, "terms": len(self.terms), "waited_ms": self.waited_ms}


def hint(
    app: App,
    prompt: Prompt,
    job: Job,
    *,
    start: Start,
    hook: bool,
    clock: Callable[[], float] = time.monotonic,
    wall: Callable[[], float] = time.time,
) -> Hint:
    """The terms for this prompt, after candidates exist. Waits at most the setting hints_timeout, and in next-turn mode not at all."""
    shelf = HintShelf(app.places.cache)
    kept = shelf.take(job.session, t=wall())
    began = clock()
    try:
        wait = start(job._replace(text=engine.question(prompt)))
    except (OSError, VaultkitError) as error:
        log.warning("no hint was asked for: %s", error)
        return Hint(kept.terms if kept else (), "failed", kept is not None, _ms(clock() - began))
    own: Kept | None = None
    if app.config.hints == "race":
        timeout = app.config.hints_timeout
        if hook:  # its client does not wait for longer
            timeout = min(timeout, max(0.0, wire.warm_seconds() - _MARGIN))
        with app.waiting():
            wait(timeout)
        own = shelf.take(job.session, t=wall(), turn=job.turn)
    outcome = "in-time" if own else "late" if app.config.hints == "race" else "asked"
    terms = dict.fromkeys((*(own.terms if own else ()), *(kept.terms if kept else ())))
    return Hint(tuple(terms)[: engine.MOST], outcome, kept is not None, _ms(clock() - began))


def propose(shelf: HintShelf, model: TextModel, job: Job, *, wall: Callable[[], float] = time.time) -> None:
    """Ask the model, and put what it says on the shelf; nothing when another question is being asked, or there is no usable answer."""
    with shelf.asking() as alone:
        if not alone:
            return
        answer = model.complete(job.text, engine.SCHEMA, system=engine.SYSTEM)
        if answer.value is None:
            log.warning("no hint: %s", answer.problem)
        elif terms := engine.terms_of(answer.value):
            shelf.put(job.session, Kept(job.turn, terms), t=wall())


def model_of(app: App) -> TextModel:
    """The configured text model."""
    from vaultkit.store.models import text_model

    return text_model(app.config.text_model, host=app.config.ollama_host, timeout=app.config.model_timeout)


def in_thread(app: App, model: Callable[[App], TextModel] = model_of) -> Start:
    """A thread of this process asks: in the daemon, which lives on."""
    shelf = HintShelf(app.places.cache)

    def start(job: Job) -> Wait:
        done = threading.Event()
        asked = model(app)

        def ask() -> None:
            try:
                propose(shelf, asked, job)
            except Exception:  # a thread has nobody to raise to; the prompt goes on without
                log.exception("no hint")
            finally:
                done.set()

        threading.Thread(target=ask, daemon=True, name="hint").start()

        def wait(seconds: float) -> None:
            done.wait(seconds)

        return wait

    return start


def in_process(app: App) -> Start:
    """A detached process asks, and this one may end before it."""

    def start(job: Job) -> Wait:
        give, take = os.pipe()  # a question is far shorter than a pipe holds
        os.set_inheritable(take, False)
        null = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        try:
            program = [sys.executable, "-P", "-m", "vaultkit", "daemon", "once", "hint", "--", str(app.root)]
            actions = [(os.POSIX_SPAWN_DUP2, give, 0), (os.POSIX_SPAWN_DUP2, null, 1), (os.POSIX_SPAWN_DUP2, null, 2)]
            asking = os.posix_spawn(sys.executable, program, dict(os.environ), file_actions=actions, setsid=True)
            os.write(take, json.dumps(job._asdict()).encode())
        finally:
            for descriptor in (give, take, null):
                os.close(descriptor)

        def wait(seconds: float) -> None:
            end = time.monotonic() + seconds
            while os.waitpid(asking, os.WNOHANG)[0] == 0 and (left := end - time.monotonic()) > 0:
                time.sleep(min(_STEP, left))

        return wait

    return start


def answer_job(app: App, payload: bytes) -> None:
    """What that process does."""
    found = json.loads(payload)
    propose(HintShelf(app.places.cache), model_of(app), Job(*(str(found[name]) for name in Job._fields)))


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 2)
