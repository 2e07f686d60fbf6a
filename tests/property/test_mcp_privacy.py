"""Whatever a vault holds: what is private reaches no MCP answer, by any tool, resource or error (memory.md M22b)."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp import Client
from mcp.shared.exceptions import MCPError

from tests.support.clients import inside
from vaultkit.mcp.tools import _page, _start

SECRET = "zirkonium"  # stands in every private note, in its name, title, alias, tag and text, and nowhere else
SECRET_JA = "極秘事項"

PRIVATE = [
    ("{name}.md", "private: true"),
    ("{name}.md", "recall: never"),
    ("{name}.md", "Private: yes"),
    ("{name}.md", "scope: personal"),
    ("{name}.md", "scope: Personal/Health"),
    ("{name}.md", "private: true\nbroken: [\n"),
    ("diary/{name}.md", ""),
    ("Diary/deep/{name}.md", "status: processed"),
    ("{name}.md", "private: true\ntype: template"),
    ("{name}.md", "private: true\nstatus: proposed"),
    ("diary/{name}.canvas", "canvas"),
    ("{name}.md", "inline"),
]


def secret_note(path: str, header: str) -> str:
    if header == "canvas":
        return f'{{"nodes":[{{"id":"1","type":"text","text":"[[open]] {SECRET}","x":0,"y":0,"width":1,"height":1}}],"edges":[]}}'
    inline = "private:: true\n" if header == "inline" else ""
    header = "" if header == "inline" else header
    return (
        f"---\n{header}\ntitle: {SECRET} plan\naliases:\n  - {SECRET_JA}\ntags:\n  - {SECRET}\n"
        f'action_items:\n  - "Pay {SECRET} 📅 2026-12-01 🆔 sec{abs(hash(path)) % 1000}"\n---\n# {SECRET}\n\n{inline}'
        f"Common words about {SECRET_JA} and {SECRET}, due by Friday. [[open]] [[home]]\n\n- 2026-11-30 bullet {SECRET}\n"
    )


async def everything(client: Client, paths: list[str]) -> str:
    """All that a client can get, asked with the private names themselves."""
    told: list[str] = []
    calls: list[tuple[str, dict[str, Any]]] = [
        *(
            ("search", {"query": query, "everything": every, "limit": 50})
            for query in ("common words", "bullet", "friday")
            for every in (True, False)
        ),
        ("search", {"query": "", "on": "2026-11-30", "everything": True}),
        ("search", {"query": "common", "type": "knowledge"}),
        ("recall", {"prompt": "how do the common words about the open plan go together?"}),
        ("lookahead", {"level": "month", "limit": 200}),
        ("links", {"note": "open"}),
        ("links", {"note": "open", "direction": "in"}),
        ("links", {"note": "home", "direction": "in"}),
        ("graph", {"limit": 200}),
        ("graph", {"note": "open", "hops": 4, "limit": 200}),
        ("daily", {}),
        ("query", {"dql": "LIST", "limit": 200}),
        ("query", {"dql": "TASK", "limit": 200}),
        ("query", {"dql": "TABLE title, tags, file.inlinks, file.lists, action_items", "limit": 200}),
        ("query", {"dql": "TABLE rows.file.link FROM [[open]] OR outgoing([[open]]) GROUP BY file.folder"}),
        ("record", {"kind": "decision", "draft": "## Decision\nCommon words about the open plan\n", "scope": "work", "dry_run": True}),
        ("capture", {"text": "Common words about the open plan, by Friday", "dry_run": True}),
        ("capture", {"text": "Common words about the open plan, by Friday"}),
    ]
    for name, arguments in calls:
        answer = await client.call_tool(name, arguments)
        told.append(answer.model_dump_json())
        assert SECRET not in told[-1].casefold(), (name, arguments)
    # Names that are near: an error must not suggest what is private.
    for guess in ("zirkoniun", "zirk", "極秘"):
        told += [(await client.call_tool(name, {"note": guess})).model_dump_json() for name in ("read_note", "links", "graph")]
        patch = {"note": guess, "operation": "append", "target_type": "heading", "target": "x", "content": "x"}
        told += [
            (await client.call_tool(name, arguments)).model_dump_json()
            for name, arguments in (("query", {"dql": "LIST", "origin": guess}), ("note_patch", patch))
        ]
    for path in paths:
        for name in (path, path.rsplit("/", 1)[-1].rsplit(".", 1)[0], f"[[{path}]]"):
            for tool in ("read_note", "links", "graph"):
                answer = await client.call_tool(tool, {"note": name})
                assert answer.is_error, (tool, name)
        with pytest.raises(MCPError):
            await client.read_resource(f"vault://note/{path}")
    for uri in ("vault://context", "vault://daily"):
        try:
            told.append((await client.read_resource(uri)).model_dump_json())
        except MCPError as error:
            told.append(str(error))
    return "\n".join(told)


@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    chosen=st.lists(st.sampled_from(PRIVATE), min_size=1, max_size=5),
    japanese=st.booleans(),
    linked=st.booleans(),
)
def test_what_is_private_reaches_no_answer(
    chosen: list[tuple[str, str]], japanese: bool, linked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VAULTKIT_PRIVATE_FOLDERS", "diary")
    monkeypatch.setenv("VAULTKIT_RECALL_SCOPES", '{ mcp = ["work", "inbox"] }')
    with tempfile.TemporaryDirectory() as folder:
        for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
            monkeypatch.setenv(name, f"{folder}/{name}")
        root = Path(folder) / "vault"
        paths = []
        for number, (shape, header) in enumerate(chosen):
            path = shape.format(name=f"{SECRET_JA if japanese else SECRET}-{number}")
            file = root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(secret_note(path, header))
            paths.append(path)
        # A private note named by an open one, through an alias that gives nothing away in its text.
        link = f"[[{paths[0].removesuffix('.md')}|that]]" if linked else ""
        (root / "open.md").write_text("---\ntitle: Open plan\nscope: work\n---\nCommon words, a bullet. [[home]]\n")
        (root / "home.md").write_text(f"---\nscope: work\n---\n[[open]]\n{link}\n")
        (root / "daily").mkdir()
        (root / "daily/2026-11-30.md").write_text("- an ordinary bullet\n")
        told = inside(root, lambda client: everything(client, paths))
        assert SECRET not in told.casefold()
        assert SECRET_JA not in told


def test_a_note_that_turns_private_between_sync_and_read_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from vaultkit.app import App

    for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    note = tmp_path / "vault" / "note.md"
    note.parent.mkdir()
    note.write_text("open words\n")
    sync = App.sync

    def late(app: App, *arguments: Any) -> Any:
        found = sync(app, *arguments)
        note.write_text("---\nprivate: true\n---\nsecret words\n")
        return found

    monkeypatch.setattr(App, "sync", late)
    answer = inside(note.parent, lambda client: client.call_tool("read_note", {"note": "note"}))
    assert answer.is_error


@given(rows=st.integers(0, 20_000), limit=st.integers(1, 200))
@settings(max_examples=60, deadline=None)
def test_pages_of_any_size_hold_every_row_once(rows: int, limit: int) -> None:
    wanted = list(range(rows))
    found: list[int] = []
    cursor: str | None = ""
    turns = 0
    while cursor is not None:
        page, cursor = _page(wanted, _start(cursor), limit)
        assert len(page) <= limit
        found += page
        turns += 1
    assert found == wanted
    assert turns == max(1, -(-rows // limit))
