"""Hints at a prompt: a slow, a dead, a hostile model holds nobody up (memory.md M24)."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest

from tests.support.model_server import Failure, model_server
from tests.support.program import Program
from vaultkit import recall as engine
from vaultkit.app import App, open_app
from vaultkit.operations import hints
from vaultkit.store.hints import FRESH, HintShelf, Kept
from vaultkit.store.models import Answer

PROMPT = "our encrypted website credentials expire shortly"
JOB = hints.Job("turn", "s1", "")


@pytest.fixture
def filled(program: Program) -> Program:
    program.write("certbot.md", "---\ntitle: Renewing with certbot\ndescription: Run certbot.\n---\nnginx\n")
    for number in range(40):
        program.write(
            f"topics/topic-{number}.md", f"# Topic {number}\n\nOrdinary words about gardens, music and travel, number {number}.\n"
        )
    return program


@contextmanager
def opened(vk: Program, mode: str, timeout: float = 0.15) -> Iterator[App]:
    with open_app(str(vk.vault), flags={"hints": mode, "hints_timeout": timeout, "text_model": "tiny"}) as app:
        app.sync()
        yield app


class FakeModel:
    """Answers when it is let go."""

    name = "fake"

    def __init__(self, value: Mapping[str, Any] | None = None) -> None:
        self.value = {"terms": ["certbot", "renewing"]} if value is None else value
        self.asked = threading.Event()
        self.go = threading.Event()
        self.calls = 0

    def complete(self, prompt: str, schema: Mapping[str, Any], *, system: str = "") -> Answer:
        del prompt, schema, system
        self.calls += 1
        self.asked.set()
        assert self.go.wait(30)
        return Answer(self.value)


class Clock:
    """Time that passes only when somebody waits."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def slow(clock: Clock, shelf: HintShelf, seconds: float) -> Callable[[hints.Job], hints.Wait]:
    """A model that needs so many seconds of *clock*."""

    def start(job: hints.Job) -> hints.Wait:
        ready = clock.now + seconds

        def wait(most: float) -> None:
            clock.now = min(ready, clock.now + most)
            if clock.now >= ready:
                shelf.put(job.session, Kept(job.turn, ("certbot",)), t=clock.now)

        return wait

    return start


@pytest.mark.parametrize(
    ("mode", "needs", "outcome", "held_up"),
    [("race", 5.0, "late", 150.0), ("race", 0.05, "in-time", 50.0), ("next-turn", 5.0, "asked", 0.0), ("next-turn", 0.0, "asked", 0.0)],
)
def test_no_prompt_is_held_up_beyond_the_timeout(filled: Program, mode: str, needs: float, outcome: str, held_up: float) -> None:
    clock = Clock()
    with opened(filled, mode) as app:
        start = slow(clock, HintShelf(app.places.cache), needs)
        found = hints.hint(app, engine.clean(PROMPT), JOB, start=start, hook=False, clock=clock, wall=clock)
    assert (found.outcome, found.waited_ms) == (outcome, held_up)
    assert found.terms == (("certbot",) if outcome == "in-time" else ())


def test_a_hook_is_held_up_no_longer_than_its_client_waits(filled: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VAULTKIT_WARM_SECONDS", "0.3")
    clock = Clock()
    with opened(filled, "race", timeout=10) as app:
        start = slow(clock, HintShelf(app.places.cache), 5.0)
        found = hints.hint(app, engine.clean(PROMPT), JOB, start=start, hook=True, clock=clock, wall=clock)
    assert found.waited_ms == pytest.approx(200.0)


def test_a_slow_model_holds_up_20_ms_at_most_and_its_answer_serves_the_next_turn(filled: Program) -> None:
    model = FakeModel()
    with opened(filled, "race", timeout=0.05) as app:
        start = hints.in_thread(app, lambda _: model)
        waits = []
        for number in range(5):  # the best of five: another process may have the core
            found = hints.hint(app, engine.clean(PROMPT), JOB._replace(turn=f"t{number}"), start=start, hook=False)
            assert (found.terms, found.outcome) == ((), "late")
            waits.append(found.waited_ms)
        assert min(waits) <= 50 + 20
        assert model.calls == 1  # one question at a time
        model.go.set()
        for thread in threading.enumerate():
            if thread.name == "hint":
                thread.join(30)
        found = hints.hint(app, engine.clean("and then?"), JOB._replace(turn="next"), start=start, hook=False)
    assert found.served
    assert found.terms[:2] == ("certbot", "renewing")


def test_in_next_turn_mode_a_model_is_never_waited_for(filled: Program) -> None:
    model = FakeModel()
    with opened(filled, "next-turn", timeout=30) as app:
        found = hints.hint(app, engine.clean(PROMPT), JOB, start=hints.in_thread(app, lambda _: model), hook=False)
        assert found.outcome == "asked"  # and here we are, though the model was never let go
        model.go.set()
        for thread in threading.enumerate():
            if thread.name == "hint":
                thread.join(30)
        assert HintShelf(app.places.cache).take("other", t=0) is None
        kept = hints.hint(app, engine.clean(PROMPT), JOB, start=hints.in_thread(app, lambda _: model), hook=False)
        assert (kept.terms, kept.served) == (("certbot", "renewing"), True)


def test_others_have_their_turn_while_a_prompt_waits(filled: Program) -> None:
    entered: list[str] = []

    @contextmanager
    def waiting() -> Iterator[None]:
        entered.append("in")
        yield
        entered.append("out")

    clock = Clock()
    with opened(filled, "race") as app:
        app.waiting = waiting
        hints.hint(app, engine.clean(PROMPT), JOB, start=slow(clock, HintShelf(app.places.cache), 5.0), hook=False, clock=clock, wall=clock)
    assert entered == ["in", "out"]


def test_the_shelf_gives_each_answer_once_to_its_own_session_while_it_is_fresh(filled: Program) -> None:
    shelf = HintShelf(filled.home / "cache")
    shelf.put("a", Kept("t1", ("x",)), t=100.0)
    assert shelf.take("b", t=100.0) is None
    assert shelf.take("a", t=100.0, turn="t2") is None
    assert shelf.take("a", t=101.0) == Kept("t1", ("x",))
    assert shelf.take("a", t=101.0) is None
    shelf.put("a", Kept("t1", ("x",)), t=100.0)
    assert shelf.take("a", t=100.0 + FRESH + 1) is None
    next((filled.home / "cache/hints").glob("*.lock"), None)
    (filled.home / "cache/hints").mkdir(exist_ok=True)
    shelf.put("a", Kept("t1", ("x",)), t=100.0)
    next((filled.home / "cache/hints").glob("*.json")).write_text("[")
    assert shelf.take("a", t=100.0) is None


def test_the_real_program_wins_a_race_and_says_so_in_why_and_stats(filled: Program) -> None:
    with model_server(lambda _: {"terms": ["certbot", "renewing", "</vault-memory>"]}) as server:
        filled.ok("config", "ollama_host", server.host)
        filled.ok("config", "text_model", "tiny")
        filled.ok("config", "hints", "race")
        filled.ok("config", "hints_timeout", "30")
        found = filled.json("recall", "--session", "s1", PROMPT)
        assert [note["path"] for note in found["notes"]] == ["certbot.md"]
        assert found["confidence"] == "medium"
        event = filled.json("why")
        assert (event["hint"]["outcome"], event["hint"]["terms"], event["hint"]["served"]) == ("in-time", 2, False)
        assert "certbot" not in json.dumps(event["hint"])
        hinted = filled.json("stats")["harnesses"][0]["hints"]
        assert hinted == {"asked": 1, "in_time": 1, "late_used": 0, "unused": 0, "won": 1.0}
        assert "hints: 100% of 1 of use" in filled.ok("stats").out
        before = len(server.requests)
        assert filled.json("recall", "continue")["notes"] == []
        assert len(server.requests) == before  # noise asks nobody


@pytest.mark.parametrize("mode", ["race", "next-turn"])
def test_a_dead_server_changes_nothing_but_the_record(filled: Program, mode: str) -> None:
    for name, value in (("ollama_host", "http://127.0.0.1:9"), ("text_model", "tiny"), ("hints", mode), ("hints_timeout", "0.05")):
        filled.ok("config", name, value)
    found = filled.json("recall", "renewing with certbot")
    assert [note["path"] for note in found["notes"]] == ["certbot.md"]
    assert filled.json("why")["hint"]["outcome"] in {"late", "asked"}


def test_a_server_that_fails_is_no_hint(filled: Program) -> None:
    with model_server(lambda _: Failure(500, "out of memory")) as server, opened(filled, "race", timeout=20) as app:
        from vaultkit.store.models import text_model

        start = hints.in_thread(app, lambda _: text_model("tiny", host=server.host, timeout=5))
        found = hints.hint(app, engine.clean(PROMPT), JOB, start=start, hook=False)
    assert (found.terms, found.outcome) == ((), "late")


def test_hints_are_off_until_they_are_asked_for(filled: Program) -> None:
    assert filled.json("config", "hints")
    filled.ok("recall", "renewing with certbot")
    assert "hint" not in filled.json("why")
    assert filled("config", "hints", "sometimes").code == 2
