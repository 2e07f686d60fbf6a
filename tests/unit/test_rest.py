"""The rules of the REST service, without a socket: what the recorded probes do not hold."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.rest import Caller, calling, home, write

TEXT = {"content_type": "text/markdown"}
NOTE = {"accept": "application/vnd.olrapi.note+json"}
FILES: dict[str, str | bytes] = {
    "A.md": "---\ntags: [x]\n# kept\nn: 1\n---\n# Top\n\nsee [[B]]\n\n## Kid\n\nkid text ^b1\n",
    "B.md": "# B\n\nhello\n",
    "Sub/C.md": "to [[A]] and [[../B]]\n",
    "crlf.md": "one\r\ntwo",
    ".obsidian/app.json": "{}",
    ".obsidian/daily-notes.json": '{"folder": "Daily", "format": "YYYY-MM-DD", "template": "T"}',
    "T.md": "# {{date}}\n\n## Log\n",
}


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Caller]:
    home(tmp_path / "home", monkeypatch.setenv)
    write(tmp_path / "vault", FILES)
    (tmp_path / "vault/Empty").mkdir()
    (tmp_path / "outside.md").write_text("secret")
    (tmp_path / "vault/link.md").symlink_to(tmp_path / "outside.md")
    (tmp_path / "vault/away").symlink_to(tmp_path)
    with calling(tmp_path / "vault") as caller:
        yield caller


@pytest.mark.parametrize(
    ("method", "path", "code"),
    [
        ("GET", "/vault/../outside.md", 40021),
        ("GET", "/vault/%2e%2e/outside.md", 40021),
        ("GET", "/vault/..%2Foutside.md", 40021),
        ("GET", "/vault/Sub/%2e%2e/%2e%2e/outside.md", 40021),
        ("GET", "/vault/..%5Coutside.md", 40021),
        ("GET", "/vault/%2Fetc%2Fpasswd", 40021),
        ("GET", "/vault/A.md%00", 40021),
        ("GET", "/vault/%ff.md", 40021),
        ("GET", "/vault/link.md", 40021),
        ("GET", "/vault/away/outside.md", 40021),
        ("GET", "/vault/.obsidian/app.json", 40400),
        ("GET", "/vault/.trash/", 40400),
        ("GET", "/vault//A.md", 40021),
        ("PUT", "/vault/.obsidian/app.json", 40021),
        ("PUT", "/vault/%2eobsidian/app.json", 40021),
        ("PUT", "/vault/Sub/.hidden.md", 40021),
        ("PUT", "/vault/link.md", 40021),
        ("PUT", "/vault/away/new.md", 40021),
        ("PUT", "/vault/..%2Fnew.md", 40021),
        ("POST", "/vault/away/outside.md", 40021),
        ("DELETE", "/vault/link.md", 40021),
        ("PATCH", "/vault/link.md", 40021),
        ("PATCH", "/vault/away/outside.md", 40021),
        ("MOVE", "/vault/link.md", 40021),
        ("COPY", "/vault/away/outside.md", 40021),
        ("DELETE", "/vault/Sub", 40510),
        ("DELETE", "/vault/Sub/", 40510),
        ("DELETE", "/vault/Empty", 40510),
        ("DELETE", "/vault/", 40510),
        ("PUT", "/vault/Sub", 40510),
        ("POST", "/open/..%2Fnew.md", 40021),
        ("POST", "/open/.obsidian/x.md", 40021),
        ("GET", "/periodic/hourly/", 40460),
        ("GET", "/periodic/weekly/", 40060),
        ("GET", "/periodic/daily/2026/13/1/", 40000),
    ],
)
def test_what_leads_out_or_hides_is_refused_and_nothing_changes(call: Caller, method: str, path: str, code: int) -> None:
    before = sorted(str(found) for found in call.vault.parent.rglob("*") if "home" not in found.parts)
    assert call.code(method, path, "x", **TEXT, destination="new.md", operation="append", target_type="", target="") == code
    assert sorted(str(found) for found in call.vault.parent.rglob("*") if "home" not in found.parts) == before
    assert (call.vault.parent / "outside.md").read_text() == "secret"


@pytest.mark.parametrize(
    ("named", "code"),
    [
        ("../x.md", 40021),
        ("/x.md", 40021),
        (".obsidian/x.md", 40021),
        ("..\\x.md", 40021),
        ("", 40020),
        ("a/./x.md", 40022),
        ("%zz", 40022),
        ("Sub", 40022),
        ("a:b.md", 40021),
        ("CON.md", 40021),
        ("a%0Ab.md", 40021),
    ],
)
def test_a_move_or_copy_out_of_the_vault_is_refused(call: Caller, named: str, code: int) -> None:
    assert call.code("MOVE", "/vault/B.md", destination=named) == code
    assert call.code("COPY", "/vault/B.md", destination=named) == code
    assert (call.vault / "B.md").exists()


def test_a_write_for_an_older_version_is_refused_by_if_match(call: Caller) -> None:
    tag = dict(call("GET", "/vault/B.md").headers)["etag"]
    (call.vault / "B.md").write_text("typed in Obsidian\n")
    for method, more in (("PUT", {}), ("POST", {}), ("DELETE", {}), ("MOVE", {"destination": "Z.md"}), ("COPY", {"destination": "Z.md"})):
        assert call.code(method, "/vault/B.md", "x", if_match=tag, **TEXT, **more) == 41200
    patch = {"operation": "append", "target_type": "heading", "target": "B"}
    assert call.code("PATCH", "/vault/B.md", "x", if_match=tag, **TEXT, **patch) == 41200
    assert (call.vault / "B.md").read_text() == "typed in Obsidian\n"
    now = dict(call("GET", "/vault/B.md").headers)["etag"]
    assert call("PUT", "/vault/B.md", "ours\n", if_match=now, **TEXT).status == 204
    assert call.code("PUT", "/vault/new.md", "x", if_match="*", **TEXT) == 41200
    assert call.code("PUT", "/vault/B.md", "x", if_none_match="*", **TEXT) == 41200


def test_a_note_that_changes_while_it_is_written_is_left_alone(call: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    library, commit = call.service.holdings, call.service.holdings.commit

    def typed_meanwhile(*arguments: object, **named: object) -> str:
        (call.vault / "B.md").write_text("typed meanwhile\n")
        return commit(*arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(library, "commit", typed_meanwhile)
    assert call.code("PUT", "/vault/B.md", "ours\n", **TEXT) == 40900
    assert (call.vault / "B.md").read_text() == "typed meanwhile\n"


def test_what_the_client_has_already_is_not_sent_again(call: Caller) -> None:
    for form in ({}, NOTE, {"accept": "application/vnd.olrapi.document-map+json"}):
        tag = dict(call("GET", "/vault/A.md", **form).headers)["etag"]
        assert call("GET", "/vault/A.md", if_none_match=tag, **form).status == 304


def test_a_file_goes_to_the_trash_even_when_asked_for_good(call: Caller) -> None:
    assert call("DELETE", "/vault/Sub/C.md?permanent=true").status == 204
    assert (call.vault / ".trash/Sub/C.md").exists()


def test_a_move_rewrites_links_and_keeps_what_it_replaces_in_the_trash(call: Caller) -> None:
    assert call.code("MOVE", "/vault/B.md", destination="T.md") == 40920
    answer = call("MOVE", "/vault/B.md", destination="Sub/New%20B.md")
    assert (answer.status, dict(answer.headers)["content-location"]) == (204, "Sub/New%20B.md")
    assert "see [[New B]]" in (call.vault / "A.md").read_text()
    assert "[[./New B]]" in (call.vault / "Sub/C.md").read_text()
    assert call("MOVE", "/vault/A.md", destination="T.md", allow_overwrite="true").status == 204
    assert (call.vault / "T.md").read_text().startswith("---\ntags: [x]")
    assert (call.vault / ".trash/T.md").read_text() == FILES["T.md"]


def test_an_append_keeps_the_notes_line_ends(call: Caller) -> None:
    assert call("POST", "/vault/crlf.md", "three", **TEXT).status == 204
    assert (call.vault / "crlf.md").read_bytes() == b"one\r\ntwo\r\nthree"


def test_bytes_are_stored_as_they_were_sent(call: Caller) -> None:
    data = bytes(range(256))
    assert call("PUT", "/vault/Att/x.bin", data, content_type="application/octet-stream").status == 204
    assert call("GET", "/vault/Att/x.bin").body == data
    canvas = b'{ "nodes":[ ],\n"edges":[] }'
    assert call("PUT", "/vault/c.canvas", canvas, content_type="application/json").status == 204
    assert (call.vault / "c.canvas").read_bytes() == canvas
    assert call.code("PUT", "/vault/z.md", "x", content_type="text/markdown; charset=nope") == 40012


def test_note_json_follows_what_others_change(call: Caller) -> None:
    assert call.json("GET", "/vault/B.md", **NOTE)["backlinks"] == ["A.md", "Sub/C.md"]
    (call.vault / "B.md").write_text("---\ntags: [new]\n---\n[[Nowhere]]\n")
    found = call.json("GET", "/vault/B.md", **NOTE)
    assert (found["tags"], found["links"], found["unresolvedLinks"]) == (["new"], [], ["Nowhere"])
    call("PUT", "/vault/Nowhere.md", "x", **TEXT)
    assert call.json("GET", "/vault/B.md", **NOTE)["links"] == ["Nowhere.md"]
    assert call.json("GET", "/vault/Nowhere.md", **NOTE)["backlinks"] == ["B.md"]


def test_empty_folders_are_listed_under_compat_only(call: Caller) -> None:
    assert "Empty/" in call.json("GET", "/vault/")["files"]
    assert call.json("GET", "/vault/Empty/") == {"files": []}
    assert call.code("GET", "/vault/Nope/") == 40400


def test_parts_are_read_and_written_by_url(call: Caller) -> None:
    assert call("GET", "/vault/A.md/block/b1").body == b"kid text"
    assert call("PUT", "/vault/A.md/frontmatter/n", "5", content_type="application/json").status == 200
    assert "# kept\nn: 5\n" in (call.vault / "A.md").read_text()
    assert call("POST", "/vault/A.md/heading/Top/Kid", "more", **TEXT).status == 200
    assert (call.vault / "A.md").read_text().endswith("kid text ^b1\n\nmore\n")
    instruction = {"targetType": "heading", "target": ["Top", "Kid"], "operation": "replace", "scope": "marker", "content": "Child"}
    assert call("PATCH", "/vault/A.md", json.dumps(instruction), content_type="application/json").status == 200
    assert "## Child\n" in (call.vault / "A.md").read_text()
    assert call.code("PATCH", "/vault/A.md", json.dumps(instruction), content_type="application/json") == 40400
    stale = {**instruction, "ifMatch": "0" * 64}
    assert call.code("PATCH", "/vault/A.md", json.dumps(stale), content_type="application/json") == 41200


def test_html_shows_raw_html_of_notes_as_text(call: Caller) -> None:
    call("PUT", "/vault/h.md", "# T\n\n<script>alert(1)</script> [x](javascript:alert(1))\n", **TEXT)
    answer = call("GET", "/vault/h.md", accept="text/html")
    assert b"<h1>T</h1>" in answer.body
    assert b"<script" not in answer.body
    assert b'href="javascript' not in answer.body
    assert "sandbox" in dict(answer.headers)["content-security-policy"]


def test_periodic_notes_are_made_from_their_template_for_their_own_day(call: Caller) -> None:
    assert call.code("GET", "/periodic/daily/2026/1/5/") == 40461
    answer = call("POST", "/periodic/daily/2026/1/5/", "done", **TEXT)
    assert (answer.status, dict(answer.headers)["content-location"]) == (204, "Daily/2026-01-05.md")
    assert (call.vault / "Daily/2026-01-05.md").read_text() == "# 2026-01-05\n\n## Log\ndone"
    assert call("GET", "/periodic/daily/2026/01/05/heading/2026-01-05/Log").body == b"done"
    recent = call.json("GET", "/periodic/daily/recent?limit=1&includeContent=True")
    assert [(row["path"], row["content"]) for row in recent] == [("Daily/2026-01-05.md", "# 2026-01-05\n\n## Log\ndone")]
    assert call("DELETE", "/periodic/daily/2026/1/5/").status == 204


def test_the_active_note_is_written_only_when_it_was_opened(call: Caller) -> None:
    assert call.code("PUT", "/active/", "x", **TEXT) == 40400
    assert call("POST", "/open/Sub%2FC.md").status == 200
    assert call("GET", "/active/").body == b"to [[A]] and [[../B]]\n"
    assert call("PUT", "/active/", "B.md", content_type="text/plain").status == 204  # a client's way to open
    assert (call.vault / "Sub/C.md").read_text() == "to [[A]] and [[../B]]\n"
    assert dict(call("GET", "/active/").headers)["content-location"] == "B.md"


def test_search_counts_in_utf_16_and_in_the_texts_own_characters(call: Caller) -> None:
    call("PUT", "/vault/İ.md", "🙂 İstanbul and ISTANBUL\n", **TEXT)
    found = call.json("POST", "/search/simple/?query=istanbul&contextLength=3")
    matches = [(hit["match"]["start"], hit["match"]["end"]) for hit in found[0]["matches"]]
    assert matches[-1] == (16, 24)
    call("PUT", "/vault/🙂 two.md", "no wide character\n", **TEXT)
    named = next(hit for hit in call.json("POST", "/search/simple/?query=two") if hit["filename"] == "🙂 two.md")
    assert named["matches"] == [{"match": {"start": 3, "end": 6, "source": "filename"}, "context": "🙂 two"}]
    assert call.json("POST", "/search/simple/?query=hello%20b")[0]["filename"] == "B.md"


@pytest.mark.parametrize(
    ("api", "expected"),
    [
        ("3", (400, 404, 404, 200, 404)),
        ("4", (400, 204, 404, 200, 404)),
        ("5", (404, 204, 204, 400, 404)),
        ("compat", (400, 204, 204, 200, 404)),
    ],
)
def test_each_version_serves_what_it_had(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, api: str, expected: tuple[int, ...]) -> None:
    home(tmp_path / "home", monkeypatch.setenv)
    write(tmp_path / "vault", FILES)
    with calling(tmp_path / "vault", api) as call:
        got = (
            call("GET", "/periodic/weekly/").status,
            call("MOVE", "/vault/B.md", destination="M.md").status,
            call("COPY", "/vault/A.md", destination="K.md").status,
            call(
                "PATCH",
                "/vault/A.md",
                "x\n",
                operation="append",
                target_type="heading",
                target="Top::Kid",
                apply_if_content_preexists="true",
                **TEXT,
            ).status,
            call("GET", "/nothing/").status,
        )
        assert got == expected
        assert call.json("GET", "/")["versions"]["self"] == call.service.dialect.version


def test_every_command_that_is_listed_runs_and_tells_what_it_did(call: Caller) -> None:
    for command in call.json("GET", "/commands/")["commands"]:
        assert call("POST", f"/commands/{command['id']}").status == 204
    assert call.json("GET", "/commands/vaultkit:sync/")["output"].endswith("removed")
    today = call.service.holdings.now().date().isoformat()
    assert dict(call("GET", "/active/").headers)["content-location"] == f"Daily/{today}.md"


def test_a_dataview_table_is_answered_and_any_other_query_is_refused(call: Caller) -> None:
    kind = {"content_type": "application/vnd.olrapi.dataview.dql+txt"}
    assert call.json("POST", "/search/", "TABLE n FROM #x", **kind) == [{"filename": "A.md", "result": {"n": 1}}]
    assert call.code("POST", "/search/", "LIST", **kind) == 40070
    assert call.code("POST", "/search/", "TABLE WHERE (", **kind) == 40070
