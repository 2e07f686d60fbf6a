"""dream: captures become linked notes, and every byte can be had back."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.support.model_server import model_server
from tests.support.program import Program
from vaultkit.app import open_app
from vaultkit.errors import VaultBusyError
from vaultkit.operations import dream as dreams
from vaultkit.store import lease

TODAY = ("--today", "2026-11-30T09:00")
GOLDEN = Path(__file__).parents[1] / "golden" / "dream.tsv"
KILLS = int(os.environ.get("VAULTKIT_KILLS", "20"))
OLD = datetime(2026, 11, 18).timestamp()
CERTIFICATES = (
    "Renew the gateway certificate from a timer, the certificate lasts ninety days.",
    "The gateway certificate chain wants the intermediate certificate before the root.",
    "Watch the expiry that the gateway certificate really serves, not the file of the certificate.",
)


def put(vk: Program, name: str, body: str, **properties: str) -> None:
    """A capture of last week."""
    values = {"title": name, "date": "2026-11-18", "scope": "work", "type": "braindump", "status": "active", **properties}
    head = "".join(f"{key}: {value}\n" for key, value in values.items())
    file = vk.write(f"inbox/{name}.md", f"---\n{head}---\n{body}\n")
    os.utime(file, (OLD, OLD))


def hashes(vk: Program) -> dict[str, str]:
    files = [path for path in sorted(vk.vault.rglob("*")) if path.is_file() and ".git" not in path.parts]
    return {path.relative_to(vk.vault).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def certificates(vk: Program) -> None:
    for number, body in enumerate(CERTIFICATES):
        put(vk, f"cert-{number}", body)


def test_a_dream_makes_one_note_of_a_topic_and_undo_gives_every_byte_back(vk: Program) -> None:
    certificates(vk)
    put(vk, "link-only", "[[home]] https://example.org/x")
    put(vk, "lonely", "Whales sing in dialects that travel eastwards over two years.")
    vk.write("inbox/young.md", "---\ndate: 2026-11-29\ntype: braindump\n---\nThe gateway certificate was renewed by the timer today.\n")
    vk.write("other.md", "See [[cert-0|the first]] and [[inbox/cert-1]].\n")
    before = hashes(vk)

    planned = vk.json(*TODAY, "dream", "--dry-run")
    assert hashes(vk) == before
    assert "+processed_into" in planned["diff"]
    done = vk.json(*TODAY, "dream")

    (cluster,) = done["clusters"]
    assert [Path(path).name for path in cluster["captures"]] == ["cert-0.md", "cert-1.md", "cert-2.md"]
    text = vk.read(cluster["path"])
    assert "status: proposed" in text
    for number, body in enumerate(CERTIFICATES):
        assert f"[[cert-{number}]]" in text.partition("## Sources")[2]
        archived = vk.read(f"archive/2026/11/cert-{number}.md")
        assert body in archived
        assert "status: processed\n" in archived
        assert f'processed_into: "[[{Path(cluster["path"]).stem}]]"' in archived
    assert "[[cert-0|the first]]" in vk.read("other.md")
    assert "archive/2026/11/cert-1" in vk.read("other.md")
    reasons = {Path(kept["path"]).stem: kept["reason"] for kept in done["skipped"]}
    assert reasons["link-only"] == "holds nothing but links"
    assert reasons["lonely"] == "has no other of its topic yet"
    assert "younger than 7 days" in reasons["young"]
    assert vk.json("unresolved") == []

    assert vk.json(*TODAY, "dream")["edits"] == []
    vk.ok("dream", "undo", done["run"])
    assert hashes(vk) == before
    assert vk.json(*TODAY, "dream")["clusters"] == []  # what was taken back does not come back by itself
    for path in vk.vault.glob("inbox/*.md"):
        os.utime(path, (OLD, OLD))
    assert vk.json(*TODAY, "dream")["clusters"] == []
    assert len(vk.json(*TODAY, "dream", "--again")["clusters"]) == 1
    assert [row["undone"] for row in vk.json("dream", "log")] == [False, True]


def test_every_open_deadline_is_still_warned_about(vk: Program) -> None:
    for number, body in enumerate(CERTIFICATES):
        field = f'action_items:\n  - "Renew certificate {number} 📅 2026-12-0{number + 1} 🆔 abc{number}"\n'
        put(vk, f"cert-{number}", f"- [ ] Renew certificate {number} 📅 2026-12-0{number + 1} 🆔 abc{number}\n\n{body}")
        file = vk.vault / f"inbox/cert-{number}.md"
        file.write_text(file.read_text().replace("status: active\n", f"status: active\n{field}"))
        os.utime(file, (OLD, OLD))
    put(vk, "cert-x", CERTIFICATES[0] + "\n- [ ] ask for the gateway certificate 📅 2026-12-05")

    def items() -> list[Any]:
        found = vk.json(*TODAY, "lookahead", code=1)["items"]
        return sorted([item["text"], item["due"], item["tier"]] for item in found)

    before = items()
    assert len(before) == 4
    assert vk.json(*TODAY, "dream")["clusters"]
    assert items() == before


def test_captures_of_two_scopes_and_private_ones_never_meet_in_one_note(vk: Program) -> None:
    certificates(vk)
    for number, body in enumerate(CERTIFICATES):
        put(vk, f"mine-{number}", body.replace("gateway", "home gateway"), scope="personal")
        put(vk, f"secret-{number}", body, private="true")
    done = vk.json(*TODAY, "dream")
    assert len(done["clusters"]) == 2
    for cluster in done["clusters"]:
        names = {Path(path).stem.split("-")[0] for path in cluster["captures"]}
        assert names in ({"cert"}, {"mine"})
        assert "secret" not in vk.read(cluster["path"])
    assert {kept["reason"] for kept in done["skipped"] if "secret" in kept["path"]} == {"is private"}


def test_accepting_a_digest_makes_it_active_and_turning_it_down_reactivates_its_originals(vk: Program) -> None:
    certificates(vk)
    (cluster,) = vk.json(*TODAY, "dream")["clusters"]
    name = Path(cluster["path"]).stem
    assert [one["id"] for one in vk.json("dream", "review")["open"]] == [name]
    assert vk.json("dream", "review", "--reject", name, code=2)["error"]["code"] == "usage"
    assert vk.json("dream", "review", "--accept", "nothing", code=3)["error"]["hint"]

    done = vk.json("dream", "review", "--reject", name, "--why", "two gateways")
    assert "status: discarded" in vk.read(cluster["path"])
    assert "reason: two gateways" in vk.read(cluster["path"])
    assert "status: active" in vk.read("archive/2026/11/cert-0.md")
    vk.ok("undo", "--run", done["run"])
    vk.ok("dream", "review", "--accept", "all")
    assert "status: active" in vk.read(cluster["path"])
    assert "proposal" not in vk.read(cluster["path"])
    assert vk.json("dream", "review")["open"] == []


def test_a_digest_that_was_turned_down_is_not_made_again(vk: Program) -> None:
    certificates(vk)
    (cluster,) = vk.json(*TODAY, "dream")["clusters"]
    vk.json(*TODAY, "dream", "review", "--reject", Path(cluster["path"]).stem, "--why", "no topic")
    for path in vk.vault.rglob("cert-*.md"):
        os.utime(path, (OLD, OLD))
    assert not vk.json(*TODAY, "dream")["clusters"]
    assert vk.json(*TODAY, "dream", "--again", "--dry-run")["clusters"]


def test_a_stage_that_was_left_out_is_done_by_the_next_dream(vk: Program) -> None:
    certificates(vk)
    assert not vk.json(*TODAY, "dream", "--skip", "consolidate")["clusters"]
    assert vk.json(*TODAY, "dream")["clusters"]


def test_a_capture_that_no_link_can_name_stays_where_it_is(vk: Program) -> None:
    certificates(vk)
    put(vk, "cert#3[x]", CERTIFICATES[0].replace("timer", "clock"))
    done = vk.json(*TODAY, "dream")
    assert len(done["clusters"][0]["captures"]) == 3
    assert any("no link can name" in kept["reason"] for kept in done["skipped"])


def test_links_of_a_dream_call_for_no_others_and_none_is_taken_back_while_nothing_changed(vk: Program) -> None:
    words = ("timer", "chain", "expiry", "root", "proxy", "backup", "mirror", "cable")
    for number, word in enumerate(words):
        other = words[(number * 3 + 1) % len(words)]
        vk.write(
            f"note-{word}.md",
            f"---\ntitle: The {word}\ntype: knowledge\ndate: 2026-10-01\ntags: [t{number % 2}, u{number % 3}]\n---\n"
            f"The {word} of the gateway certificate and the {other}: read the {word} log, then the {other} log.\n",
        )
    vk.write("maps.md", "---\ntype: moc\n---\n" + "".join(f"- [[note-{word}]]\n" for word in words[::2]))
    first = vk.json(*TODAY, "dream", "--skip", "duplicates")
    assert first["links"]
    second = vk.json(*TODAY, "dream", "--skip", "duplicates")
    assert not second["edits"]


def test_a_link_is_taken_back_when_the_notes_no_longer_fit_and_a_persons_link_stays(vk: Program) -> None:
    def note(name: str, body: str, more: str = "") -> None:
        vk.write(f"{name}.md", f"---\ntype: knowledge\ndate: 2026-10-01\ntags: [gateway]\n---\n{body}\n{more}")

    for name in "abcd":
        note(name, f"Gateway certificate {name}: timer, chain, expiry and root {name * 4}.")
    vk.write("map.md", "---\ntype: moc\n---\n[[a]] [[b]] [[c]] [[d]]\n")
    (link, *_) = vk.json(*TODAY, "dream", "--skip", "duplicates")["links"]
    assert f"- [[{link['target'][:-3]}]]" in vk.read(link["source"])
    text = vk.read(link["source"])
    vk.write("elsewhere.md", "What a person linked.\n")
    vk.write(
        link["source"],
        text.replace("Gateway certificate", "Whales sing").replace("[gateway]", "[sea]").replace("timer, chain, expiry and root", "songs")
        + "- [[elsewhere]]\n",
    )
    vk.write("map.md", "---\ntype: moc\n---\nNothing.\n")
    changed = vk.json(*TODAY, "dream", "--skip", "duplicates")
    assert [link["source"], link["target"]] in [[one["source"], one["target"]] for one in changed["pruned"]]
    assert "- [[elsewhere]]" in vk.read(link["source"])


def test_proposals_that_share_a_note_are_accepted_one_after_the_other(vk: Program) -> None:
    for name in "abc":
        vk.write(f"{name}.md", f"---\ntype: knowledge\ndate: 2026-11-01\n---\nNote {name} says the same about the gateway certificate.\n")
    for left, right in ("ab", "bc"):
        vk.write(
            f"merge-{left}{right}.md",
            f'---\ntype: proposal\nstatus: proposed\nproposal: merge\nnotes: ["[[{left}]]", "[[{right}]]"]\n---\nx\n',
        )
    done = vk.json(*TODAY, "dream", "review", "--accept", "all")
    assert done["accepted"] == ["merge-ab"]
    (left,) = vk.json(*TODAY, "dream", "review")["open"]
    assert left["notes"] == ["a.md", "c.md"]  # b went into a, and the proposal's link with it
    assert vk.json(*TODAY, "dream", "review", "--accept", left["id"])["accepted"] == ["merge-bc"]


def test_near_duplicates_are_proposed_once_and_merged_on_request(vk: Program) -> None:
    body = "Backups of the database run nightly at two and are kept for thirty days on the second disk."
    for name, extra in (("backup-a", ""), ("backup-b", "\nRestoring takes twenty minutes.")):
        file = vk.write(f"{name}.md", f"---\ntitle: {name}\ndate: 2026-11-01\ntype: knowledge\n---\n{body}{extra}\n")
        os.utime(file, (OLD, OLD))
    vk.write("index.md", "[[backup-b]] [[backup-b#^x|b]] ![[backup-b]]\n[md](backup-b.md)\n[[backup-a]]\n")
    before = hashes(vk)

    first = vk.json(*TODAY, "dream")
    assert [one["kind"] for one in first["proposals"]] == ["merge"]
    note = first["proposals"][0]["path"]
    assert "status: proposed" in vk.read(note)
    assert vk.json(*TODAY, "dream")["edits"] == []

    (one,) = vk.json("dream", "review")["open"]
    vk.ok(*TODAY, "dream", "review", "--accept", one["id"])
    winner, loser = one["notes"]
    assert "Restoring takes twenty minutes." in vk.read(winner)
    archived = f"archive/2026/11/{loser}"
    assert body in vk.read(archived)
    assert f'merged_into: "[[{winner.removesuffix(".md")}]]"' in vk.read(archived)
    name = winner.removesuffix(".md")
    assert vk.read("index.md").count(f"[[{name}]]") == 3
    assert f"({winner})" in vk.read("index.md")
    vk.ok("undo", "--since", "1d")
    assert {path: digest for path, digest in hashes(vk).items() if path in before} == before


def test_a_second_dream_at_the_same_time_says_so(vk: Program) -> None:
    certificates(vk)
    with open_app(root=vk.vault) as app, dreams.held(app):
        assert vk.json(*TODAY, "dream", code=6)["error"]["code"] == "vault-busy"
    assert vk.json(*TODAY, "dream")["run"]


def test_another_machine_holds_the_lease_until_it_runs_out(tmp_path: Path) -> None:
    now = datetime(2026, 11, 30, 9)
    one, two = tmp_path / "one", tmp_path / "two"
    with (
        lease.held(tmp_path, one, now=now),
        pytest.raises(VaultBusyError, match="holds the dream lease until"),
        lease.held(tmp_path, two, now=now + timedelta(hours=1)),
    ):
        pass
    assert lease.read(tmp_path) is None
    (tmp_path / lease.FILE).write_text(json.dumps({"machine": "x", "name": "old", "until": "2026-11-30T08:00:00"}))
    with lease.held(tmp_path, tmp_path / "two", now=now):
        assert lease.read(tmp_path) is not None
    for damaged in ("", "[", "[]", '{"machine": 1}', "[" * 100_000):
        (tmp_path / lease.FILE).write_text(damaged)
        with lease.held(tmp_path, tmp_path / "two", now=now):
            pass


def test_a_note_that_is_edited_while_the_dream_is_planned_is_left_alone(vk: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    certificates(vk)
    kept, meddled = dreams.Planner.run, list[str]()

    def meddle(self: dreams.Planner) -> dreams.Dreamed:
        planned = kept(self)
        if not meddled:
            meddled.append("x")
            vk.write("inbox/cert-1.md", "---\ndate: 2026-11-18\ntype: braindump\n---\ntyped by a person\n")
        return planned

    monkeypatch.setattr(dreams.Planner, "run", meddle)
    done = vk.json(*TODAY, "dream")
    assert vk.read("inbox/cert-1.md").endswith("typed by a person\n")
    assert [Path(path).stem for path in done["clusters"][0]["captures"]] == ["cert-0", "cert-2"]
    assert any("left alone" in kept["reason"] for kept in done["skipped"])


def test_a_model_writes_what_the_sources_say_and_nothing_else(vk: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    certificates(vk)
    put(vk, "bread-0", "Sourdough needs an hour of rest before the oven, the dough gets calm.")
    said: list[Any] = []

    def chat(body: dict[str, Any]) -> Any:
        shown = json.loads(body["messages"][-1]["content"])
        if "title" in shown[0] and "text" not in shown[0]:
            numbers: dict[str, list[int]] = {entry["title"].split("-")[0]: [] for entry in shown}
            for entry in shown:
                numbers[entry["title"].split("-")[0]].append(entry["number"])
            return {"groups": list(numbers.values())}
        return said[0]

    good = {
        "title": "Gateway certificate",
        "description": "How the gateway certificate is renewed and watched.",
        "statements": [
            {"text": "Renew the gateway certificate from a timer.", "sources": [1]},
            {"text": "Watch the expiry that the gateway certificate serves.", "sources": [3]},
        ],
    }
    bad = {**good, "statements": [{"text": "Renew the gateway certificate at https://evil.example/x now.", "sources": [1]}]}
    with model_server(chat) as server:
        monkeypatch.setenv("VAULTKIT_OLLAMA_HOST", server.host)
        monkeypatch.setenv("VAULTKIT_TEXT_MODEL", "tiny")
        said.append(bad)
        planned = vk.json(*TODAY, "dream", "--dry-run")
        assert planned["clusters"][0]["by"] == "extract"
        assert any("evil.example" in note for note in planned["notes"])
        said[0] = good
        (cluster,) = vk.json(*TODAY, "dream")["clusters"]
    assert cluster["by"] == "model"
    text = vk.read("gateway-certificate.md")
    assert "status: active" in text
    assert "- Renew the gateway certificate from a timer. ([[cert-0]])" in text


@contextlib.contextmanager
def _dreaming(vk: Program) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "vaultkit", "--vault", str(vk.vault), *TODAY, "dream", "--again"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
        yield child


def test_a_dream_that_is_killed_leaves_a_whole_vault(vk: Program) -> None:
    """Before or after, never between: the journal of the store is finished or rolled back when the vault is opened next."""
    certificates(vk)
    for topic in ("bread", "tea"):
        for number in range(3):
            put(vk, f"{topic}-{number}", f"The {topic} recipe wants slow {topic} water, number {number} of the {topic} notes.")
    vk.ok("sync")
    before = hashes(vk)
    started = time.monotonic()
    with _dreaming(vk) as child:
        assert child.wait(60) == 0
    length = time.monotonic() - started
    (row,) = vk.json("dream", "log")
    after = hashes(vk)
    assert after != before
    vk.ok("dream", "undo", row["run"])
    assert hashes(vk) == before
    ends = set()
    for number in range(KILLS):
        with _dreaming(vk) as child:
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(length * (0.5 + 0.6 * number / KILLS))
            child.send_signal(signal.SIGKILL)
        vk.ok("sync")
        (vk.vault / lease.FILE).unlink(missing_ok=True)
        found = hashes(vk)
        assert found in (before, after)
        ends.add(found == after)
        if found == after:
            vk.ok("undo")
            assert hashes(vk) == before


def test_two_dreams_at_once_are_one(vk: Program) -> None:
    certificates(vk)
    codes: list[int] = []

    def one() -> None:
        with _dreaming(vk) as child:
            codes.append(child.wait(60))

    threads = [threading.Thread(target=one) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert codes.count(0) >= 1
    assert set(codes) <= {0, 6}
    assert len(vk.json("dream", "log")) == 1
