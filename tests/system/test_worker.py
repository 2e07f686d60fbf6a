"""After a session: its note, what was learnt, what was of use, the counters; once, whatever is killed or comes twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.support.hooks import SESSION, Hooks
from tests.support.model_server import Failure, model_server
from tests.support.program import Program
from vaultkit.app import open_app

NOTE = f"archive/{datetime.now():%Y/%m}/SESS-{datetime.now():%Y-%m-%d}-0190aaaa.md"
FINDING = {
    "title": "Certbot needs port 80 open for the HTTP challenge",
    "description": "Renewal fails behind a closed port 80; the DNS challenge does not need it.",
    "body": "Certbot renewal failed since port 80 was closed. The DNS challenge works without it.",
    "type": "learning",
    "tags": ["TLS", "certbot"],
}


@pytest.fixture
def fire(vk: Program, monkeypatch: pytest.MonkeyPatch) -> Hooks:
    """A session on a vault; the worker is run by hand."""
    vk.write("renew.md", "---\ntitle: Renewing the TLS certificate\ndescription: Run certbot.\n---\ncertbot and nginx\n")
    for number in range(20):
        vk.write(f"t/{number}.md", f"# Topic {number}\n\nGardens, music and travel {number}.\n")
    vk.ok("sync")
    monkeypatch.setattr("vaultkit.sessions.detached.start", lambda _app: None)
    return Hooks(vk, monkeypatch)


def work(fire: Hooks) -> Any:
    return fire.vk.json("session", "work")


def talk(fire: Hooks) -> None:
    fire("start", source="startup")
    fire("prompt", prompt="renew the TLS certificate with certbot, the key is ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8")
    fire("tool", tool_name="Read", tool_input={"file_path": str(fire.vk.vault / "renew.md")})
    answer = (
        "Certbot renewal failed since port 80 was closed. We decided to use the DNS challenge. Still need to check the [[timer]] #soon."
    )
    fire("turn", last_assistant_message=answer)


def test_a_session_becomes_a_note_without_a_model_and_says_so(fire: Hooks) -> None:
    talk(fire)
    fire("end", reason="other")
    done = work(fire)
    assert (done["notes"], done["learnings"]) == ([NOTE], [])
    assert any("no text model" in line for line in done["told"])
    note = fire.vk.read(NOTE)
    assert note.startswith("---\nid: SESS-")
    assert f"session: {SESSION}\n" in note
    assert "type: session\nstatus: active\n" in note
    assert "## Asked\n- renew the TLS certificate with certbot, the key is [redacted]\n" in note
    assert "## Decided\n- We decided to use the DNS challenge.\n" in note
    assert "## Open\n- Still need to check the [ [timer]] \\#soon.\n" in note
    assert "- [[renew]]\n" in note
    assert "without a model" in note
    assert "ghp_" not in note
    assert fire.vk.json("unresolved") == []
    assert fire.vk.json("search", "DNS challenge", "--type", "session")["hits"][0]["path"] == NOTE


def test_the_same_again_changes_nothing_and_more_said_brings_the_note_up_to_date(fire: Hooks) -> None:
    talk(fire)
    fire("end")
    work(fire)
    before = fire.vk.read(NOTE)
    fire("end")
    assert work(fire)["notes"] == []
    assert fire.vk.read(NOTE) == before
    fire("start", source="resume")
    fire("prompt", prompt="and what about the gardens?")
    fire("end")
    assert work(fire)["notes"] == [NOTE]
    assert "- and what about the gardens?\n" in fire.vk.read(NOTE)
    assert "Not answered: and what about the gardens?" in fire.vk.read(NOTE)


def test_a_note_that_a_person_changed_or_removed_is_left_alone(fire: Hooks) -> None:
    talk(fire)
    fire("end")
    work(fire)
    mine = fire.vk.read(NOTE) + "\nmine\n"
    fire.vk.write(NOTE, mine)
    fire("prompt", prompt="and what about the gardens?")
    fire("end")
    done = work(fire)
    assert done["notes"] == []
    assert any("left as it is" in line for line in done["told"])
    assert fire.vk.read(NOTE) == mine
    (fire.vk.vault / NOTE).unlink()
    fire("prompt", prompt="and what about the music?")
    fire("end")
    assert work(fire)["notes"] == []
    assert not (fire.vk.vault / NOTE).exists()


def test_undo_of_the_session_takes_back_what_the_worker_wrote(fire: Hooks) -> None:
    talk(fire)
    fire("end")
    work(fire)
    assert NOTE in fire.vk.json("undo", "--session", SESSION)["restored"]
    assert not (fire.vk.vault / NOTE).exists()
    fire("end")
    assert work(fire)["notes"] == []


def test_nothing_asked_is_no_note_and_a_session_at_work_waits(fire: Hooks) -> None:
    fire("start", source="startup")
    fire("end")
    assert work(fire)["notes"] == []
    talk(fire)
    assert work(fire)["notes"] == []
    for path in (fire.state / "sessions" / "claude-code").glob("*.jsonl"):
        os.utime(path, (time.time() - 7200,) * 2)  # nobody has said anything since
    assert work(fire)["notes"] == [NOTE]


def answers(**by_key: Any) -> Any:
    """A model that answers by the shape that it is asked for."""

    def chat(request: dict[str, Any]) -> Any:
        wanted = request["format"]["properties"]
        return next(value for key, value in by_key.items() if key in wanted)

    return chat


SUMMARY = {
    "title": "Renew the TLS certificate",
    "description": "Renewal moved to the DNS challenge.",
    "done": ["Certbot renewal failed since port 80 was closed"],
    "decided": ["use the DNS challenge"],
    "open": ["check the timer", "buy forty elephants for the zoo"],
}


def with_model(fire: Hooks, monkeypatch: pytest.MonkeyPatch, chat: Any) -> tuple[Any, list[dict[str, Any]]]:
    with model_server(chat) as server:
        monkeypatch.setenv("VAULTKIT_TEXT_MODEL", "tiny")
        monkeypatch.setenv("VAULTKIT_OLLAMA_HOST", server.host)
        monkeypatch.setenv("VAULTKIT_EMBEDDER", "none")
        return work(fire), server.requests


def test_with_a_model_findings_become_learnings_and_only_what_was_said_counts(fire: Hooks, monkeypatch: pytest.MonkeyPatch) -> None:
    talk(fire)
    fire("end")
    invented = {"title": "Elephants", "description": "x", "body": "Elephants never forget where the savannah begins.", "type": "learning"}
    broken: list[Any] = [5, None, {"title": "x"}, {"title": 7, "body": []}]
    chat = answers(findings={"findings": [FINDING, invented, FINDING, *broken]}, notes={"notes": []}, decided=SUMMARY)
    done, requests = with_model(fire, monkeypatch, chat)
    assert done["learnings"] == ["learnings/certbot-needs-port-80-open-for-the-http-challenge.md"]
    learnt = fire.vk.read(done["learnings"][0])
    assert "type: learning\nstatus: active\n" in learnt
    assert f'source: "[[{Path(NOTE).stem}]]"\n' in learnt
    assert "  - tls\n" in learnt
    note = fire.vk.read(NOTE)
    assert "title: Renew the TLS certificate\n" in note
    assert "- [[certbot-needs-port-80-open-for-the-http-challenge]]\n" in note
    assert "elephants" not in note
    assert "without a model" not in note
    assert all(request["options"]["temperature"] == 0 for request in requests)
    assert not any("ghp_" in json.dumps(request) for request in requests)
    assert not list((fire.vk.vault / "inbox").glob("*certbot*"))


def test_what_the_vault_has_already_is_not_learnt_again(fire: Hooks, monkeypatch: pytest.MonkeyPatch) -> None:
    fire.vk.write("learnings/old.md", f"---\ntitle: {FINDING['title']}\ntype: learning\n---\n{FINDING['body']}\n")
    talk(fire)
    fire("end")
    chat = answers(findings={"findings": [FINDING]}, notes={"notes": []}, decided=SUMMARY)
    assert with_model(fire, monkeypatch, chat)[0]["learnings"] == []


def test_usefulness_is_judged_among_what_was_shown_and_nothing_else(fire: Hooks, monkeypatch: pytest.MonkeyPatch) -> None:
    talk(fire)
    fire("end")
    verdicts = [{"path": "renew.md", "used": "applied"}, {"path": "t/1.md", "used": "quoted"}, {"path": "renew.md", "used": "no"}, 7]
    chat = answers(findings={"findings": []}, notes={"notes": verdicts}, decided=SUMMARY)
    done, _ = with_model(fire, monkeypatch, chat)
    assert done["judged"] == 1
    assert [(row["path"], row["useful"], row["session"]) for row in fire.activity("judged")] == [("renew.md", True, SESSION)]


@pytest.mark.parametrize("answer", [Failure(500, "boom"), "no JSON", {}, {"findings": 5, "notes": "x", "title": None}, []])
def test_a_model_that_fails_costs_the_summary_and_not_the_note(fire: Hooks, monkeypatch: pytest.MonkeyPatch, answer: Any) -> None:
    talk(fire)
    fire("end")
    done, _ = with_model(fire, monkeypatch, lambda _: answer)
    assert (done["notes"], done["learnings"]) == ([NOTE], [])
    assert "- We decided to use the DNS challenge.\n" in fire.vk.read(NOTE)


def counted(fire: Hooks, path: str, *, minutes: int) -> str:
    old = time.time() - 60 * minutes
    os.utime(fire.vk.vault / path, (old, old))
    return fire.vk.read(path)


def test_counters_are_folded_only_into_notes_of_ours_that_nobody_touched(fire: Hooks) -> None:
    mine = fire.vk.json("capture", "The load test ran with four workers", "--as", "work")["path"]
    fresh = fire.vk.json("capture", "Gardens need water in July", "--as", "personal")["path"]
    counted(fire, mine, minutes=20)
    theirs = counted(fire, "renew.md", minutes=20)
    for path in (mine, mine, fresh, "renew.md"):
        fire("tool", tool_name="Read", tool_input={"file_path": str(fire.vk.vault / path)})
    untouched = fire.vk.read(fresh)
    assert work(fire)["folded"] == 1
    assert f"accessed: 2\nlast_accessed: {datetime.now():%Y-%m-%d}\nuseful: 0\n" in fire.vk.read(mine)
    assert fire.vk.read("renew.md") == theirs
    assert fire.vk.read(fresh) == untouched
    counted(fire, fresh, minutes=20)
    counted(fire, mine, minutes=20)
    assert work(fire)["folded"] == 1
    assert "accessed: 1\n" in fire.vk.read(fresh)
    assert "accessed: 2\n" in fire.vk.read(mine)


@pytest.mark.parametrize("setting", ["state", "off"])
def test_counters_stay_out_of_notes_where_the_setting_says_so(fire: Hooks, monkeypatch: pytest.MonkeyPatch, setting: str) -> None:
    monkeypatch.setenv("VAULTKIT_COUNTERS", setting)
    mine = fire.vk.json("capture", "The load test ran with four workers", "--as", "work")["path"]
    before = counted(fire, mine, minutes=20)
    fire("tool", tool_name="Read", tool_input={"file_path": str(fire.vk.vault / mine)})
    assert work(fire)["folded"] == 0
    assert fire.vk.read(mine) == before


def rows_of_claude(*said: tuple[str, str]) -> str:
    rows = [
        {"type": role, "uuid": str(number), "sessionId": SESSION, "cwd": "/tmp", "message": {"content": text}}
        for number, (role, text) in enumerate(said)
    ]
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_what_hooks_did_not_tell_is_read_from_the_transcript(fire: Hooks) -> None:
    path = fire.vk.home / ".claude/projects/-tmp" / f"{SESSION}.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text(rows_of_claude(("user", "renew the certificate"), ("assistant", "We decided to use DNS."), ("user", "thanks a lot")))
    fire("prompt", prompt="renew the certificate")
    fire("end", transcript_path=str(path))
    work(fire)
    note = fire.vk.read(NOTE)
    assert note.count("- renew the certificate\n") == 1
    assert "- thanks a lot\n" in note
    assert "We decided to use DNS." in note


def test_a_session_whose_hooks_never_fired_is_found_in_known_folders_only(fire: Hooks) -> None:
    fire("start", source="startup")  # in /tmp: so that the folder is known
    for name, cwd in (("here", "/tmp"), ("elsewhere", "/srv/other")):
        path = fire.vk.home / ".claude/projects" / name / f"{name}.jsonl"
        path.parent.mkdir(parents=True)
        row = {
            "type": "user",
            "sessionId": name,
            "cwd": cwd,
            "message": {"content": f"what about {name}?"},
            "timestamp": "2026-03-02T12:00:00Z",
        }
        path.write_text(json.dumps(row) + "\n")
        soon = time.time() + 5
        os.utime(path, (soon, soon))
    from vaultkit.app import open_app
    from vaultkit.sessions import sweep

    with open_app(root=fire.vk.vault, clock=lambda: datetime.now() + timedelta(hours=1)) as app:
        assert sweep.sweep(app) == 1
        assert sweep.sweep(app) == 0
    assert [(row["text"], row["t"][:10]) for row in fire.rows("asked")] == [("what about here?", "2026-03-02")]
    (path,) = work(fire)["notes"]
    assert path.startswith("archive/2026/03/SESS-2026-03-02-")


def test_one_worker_at_a_time(fire: Hooks) -> None:
    from vaultkit.app import open_app

    talk(fire)
    fire("end")
    with open_app(root=fire.vk.vault) as app, app.sessions.worker() as ours:
        assert ours
        assert work(fire)["busy"] is True
    assert work(fire)["notes"] == [NOTE]


def test_a_worker_that_was_killed_after_writing_does_it_once(fire: Hooks, monkeypatch: pytest.MonkeyPatch) -> None:
    talk(fire)
    fire("end")
    with monkeypatch.context() as patched:
        patched.setattr("vaultkit.store.sessions.SessionFiles.unqueue", _killed)
        patched.setattr("vaultkit.sessions.worker._judge", _killed)  # after the commit, before it is noted
        assert fire.vk("session", "work").code == 130
    assert (fire.vk.vault / NOTE).exists()
    assert work(fire)["notes"] == []
    assert [path.name for path in (fire.vk.vault / NOTE).parent.iterdir()] == [Path(NOTE).name]
    assert fire.vk.json("session", "list")[0]["note"] == NOTE


def _killed(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_start_takes_up_what_a_killed_worker_left(fire: Hooks, monkeypatch: pytest.MonkeyPatch) -> None:
    talk(fire)
    fire("end")
    started: list[object] = []
    monkeypatch.setattr("vaultkit.sessions.detached.start", started.append)
    Hooks(fire.vk, monkeypatch, session="next")("start", source="startup")
    assert len(started) == 1


def test_the_real_worker_is_detached_and_outlives_the_hook(vk: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    payload = {"session_id": SESSION, "cwd": "/tmp"}
    hook = [sys.executable, "-m", "vaultkit", "--vault", str(vk.vault), "hook", "codex"]
    for kind, more in (("prompt", {"prompt": "renew the TLS certificate"}), ("end", {"reason": "other"})):
        done = subprocess.run([*hook, kind], input=json.dumps({**payload, **more}).encode(), capture_output=True, check=True, timeout=60)
        assert done.stderr == b""
    deadline = time.monotonic() + 60
    while not (vk.vault / NOTE).exists():
        assert time.monotonic() < deadline
        time.sleep(0.1)
    fire = Hooks(vk, monkeypatch, "codex")
    while not fire.rows("worked"):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_a_worker_that_is_killed_at_any_moment_leaves_a_whole_vault(fire: Hooks) -> None:
    talk(fire)
    fire("end")
    command = [sys.executable, "-m", "vaultkit", "--vault", str(fire.vk.vault), "session", "work"]
    for seconds in (0.15, 0.3, 0.45):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        process.wait()
    work(fire)
    assert [path.name for path in (fire.vk.vault / NOTE).parent.iterdir()] == [Path(NOTE).name]
    assert fire.vk.read(NOTE).count("## Asked\n") == 1


def test_enough_captures_that_ripened_let_the_worker_dream_and_fewer_do_not(fire: Hooks, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VAULTKIT_EMBEDDER", "none")
    old = (datetime.now() - timedelta(days=12)).timestamp()

    def capture(number: int) -> None:
        text = f"The gateway certificate is renewed by a timer, gateway certificate note {number}."
        os.utime(fire.vk.write(f"inbox/cert-{number}.md", f"---\ntype: braindump\nscope: work\n---\n{text}\n"), (old, old))

    capture(0)
    capture(1)
    assert not any("dream" in line for line in work(fire)["told"])
    capture(2)
    monkeypatch.setenv("VAULTKIT_DREAM_AT_START", "0")
    assert not any("dream" in line for line in work(fire)["told"])
    monkeypatch.delenv("VAULTKIT_DREAM_AT_START")
    assert any(line.startswith("dream ") for line in work(fire)["told"])
    assert not (fire.vk.vault / "inbox/cert-0.md").exists()
    assert len(fire.vk.json("dream", "log")) == 1


def test_a_dream_that_fails_costs_the_session_nothing(fire: Hooks, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("vaultkit.operations.dream.eligible", full)
    talk(fire)
    fire("end")
    assert any("no dream" in line for line in work(fire)["told"])
    assert (fire.vk.vault / NOTE).exists()
    assert fire.rows("worked")


def test_a_promoted_rule_that_a_session_followed_is_counted_once(fire: Hooks) -> None:
    rules = fire.vk.read("rules.md")
    block = "<!-- vaultkit:rules:start -->\n- Use the DNS challenge when renewing certificates. ^PROP-001\n<!-- vaultkit:rules:end -->\n"
    fire.vk.write("rules.md", rules.split("<!-- vaultkit")[0] + block if "<!-- vaultkit" in rules else rules + "\n" + block)
    talk(fire)
    fire("end")
    work(fire)
    work(fire)
    with open_app(root=fire.vk.vault) as app:
        assert [row["rule"] for row in app.activity.read(events=("applied",))] == ["PROP-001"]
