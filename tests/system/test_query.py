"""query: the real program."""

from __future__ import annotations

import csv
import io
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import obsidian, rest, vectors
from tests.support.program import TODAY, Program

SHARED = Path(__file__).resolve().parents[2].parent / "shared"


@pytest.fixture
def books(vk: Program) -> Program:
    """A vault with a few notes."""
    vk.write(
        "books/dune.md",
        "---\ntags: [book]\nrating: 9\nyear: 1965\n---\n# Dune\nby [[Frank Herbert]]\n- [ ] reread 📅 2026-12-05\n- [x] lend\n",
    )
    vk.write("books/emma.md", "---\ntags: [book/classic]\nrating: 7\nyear: soon\n---\n# Emma\nmood:: [[home]]\n")
    vk.write("log.md", "# Log\nseen:: 2026-11-29\n")
    return vk


def test_a_table_goes_to_the_terminal_as_markdown_json_or_csv(books: Program) -> None:
    dql = "TABLE rating, year FROM #book SORT rating DESC"
    table = books.ok("query", dql).out.splitlines()
    assert [line.split() for line in table[:3]] == [
        ["File", "rating", "year"],
        ["-------------", "------", "----"],
        ["books/dune.md", "9", "1965"],
    ]
    markdown = books.ok("query", dql, "--format", "markdown").out
    assert markdown.splitlines()[2] == "| [[books/dune.md\\|dune]] | 9      | 1965 |"
    answer = books.json("query", dql)
    assert answer == books.ok("query", dql, "--format", "json").json
    assert answer["headers"] == ["File", "rating", "year"]
    assert answer["values"][1] == [{"$link": {"path": "books/emma.md", "type": "file", "embed": False}}, 7, "soon"]
    assert list(csv.reader(io.StringIO(books.ok("query", dql, "--format", "csv").out)))[1] == ["books/dune.md", "9", "1965"]


def test_rows_that_fail_are_left_out_and_told(books: Program) -> None:
    done = books.ok("query", "LIST year + 1 - 1 FROM #book")
    assert "books/dune.md" in done.out
    assert "1 of 2 rows left out at COLUMNS: No implementation found for 'string - number' (1)" in done.err
    lost = books.json("query", "LIST year - 1 FROM #book")["dropped"]
    assert [(one["step"], one["rows"], one["of"]) for one in lost] == [("columns", 1, 2)]


def test_a_query_that_cannot_be_read_shows_the_place(books: Program) -> None:
    done = books("query", "LIST FROM #book WHERE rating == 9")
    assert done.code == 2
    assert done.err.splitlines()[:3] == [
        "vaultkit: line 1, column 31: expected a name or a value",
        "  LIST FROM #book WHERE rating == 9",
        "                                ^",
    ]
    error = books.json("query", "LIST FROM #book WHERE rating == 9", code=2)["error"]
    assert error["message"].splitlines()[-1].index("^") - 2 == 30
    assert books.json("query", "LIST WHERE nosuch(rating)", code=1)["error"]["code"] == "query-failed"
    assert "containsword" in books("query", "LIST WHERE containword(a, b)").err


def test_this_is_the_origin(books: Program) -> None:
    answer = books.json("query", "LIST FROM [[]] WHERE file.path != this.file.path", "--origin", "home")
    assert "books/emma.md" in [value["$link"]["path"] for value in answer["values"]]
    assert books("query", "LIST", "--origin", "nowhere").code == 3


def test_tasks_come_with_their_dates(books: Program) -> None:
    answer = books.json("query", 'TASK FROM "books" WHERE !completed AND due <= date(today) + dur(7 days)', "--today", TODAY)
    assert [(task["text"], task["due"]["$date"][:10]) for task in answer["values"]] == [("reread 📅 2026-12-05", "2026-12-05")]
    assert "books/dune.md" in books.ok("query", 'TASK FROM "books"').out


def test_a_new_note_is_in_the_next_answer(books: Program) -> None:
    assert len(books.json("query", "LIST FROM #book")["values"]) == 2
    books.write("books/hobbit.md", "---\ntags: [book]\n---\nrating:: 10\n")
    assert books.json("query", "LIST rating FROM #book WHERE rating > 9")["values"][0]["value"] == 10
    books.write("books/hobbit.md", "---\ntags: [book]\n---\nrating:: 11 \n")
    assert books.json("query", "LIST rating FROM #book WHERE rating > 9")["values"][0]["value"] == 11


DASHBOARD = """# Books

```dataview
TABLE rating FROM #book SORT rating DESC
```

Text `= this.file.name` and `= nosuch(1)`.

```dataviewjs
dv.list()
```

> ```dataview
> TASK FROM "books"
> ```
"""


def test_a_notes_queries_are_run_in_its_place(books: Program) -> None:
    books.write("board.md", DASHBOARD)
    done = books("query", "--file", "board")
    assert done.code == 1  # one inline query fails
    assert "board.md:3" in done.out
    assert "this.file.name = board" in done.out
    assert "board.md:9: dataviewjs block: JavaScript is not supported" in done.err
    answer = books.json("query", "--file", "board", code=1)
    assert [block["kind"] for block in answer["blocks"]] == ["dataview", "dataviewjs", "dataview"]
    assert answer["inline"][0]["value"] == "board"


def test_results_are_written_once_and_undone(books: Program) -> None:
    books.write("board.md", DASHBOARD)
    assert "+| [[books/dune.md" in books("query", "--file", "board", "--write", "--dry-run").out
    assert books.read("board.md") == DASHBOARD
    assert "2 results written" in books("query", "--file", "board", "--write").out
    written = books.read("board.md")
    assert "| [[books/dune.md\\|dune]] | 9" in written
    assert "> - ☐ reread 📅 2026-12-05" in written
    assert "nothing to change" in books("query", "--file", "board", "--write").out
    # What was written is no source of other queries.
    assert [value["path"] for value in books.json("query", "TASK")["values"]] == ["books/dune.md"] * 2
    assert "board.md" not in [value["$link"]["path"] for value in books.json("query", "LIST FROM [[dune]]")["values"]]
    books.write("books/emma.md", books.read("books/emma.md").replace("rating: 7", "rating: 8"))
    books("query", "--file", "board", "--write")
    assert books.read("board.md") == written.replace("| 7 ", "| 8 ")
    books.ok("undo")
    assert books.read("board.md") == written
    books.ok("undo")
    assert books.read("board.md") == DASHBOARD


def test_hostile_queries_end_in_time(books: Program) -> None:
    books.write("long.md", "x:: " + "a" * 5000 + "!\n")
    for dql in ('LIST WHERE regextest("(a+)+$", x)', 'LIST WHERE length(split(x * 900, "(a|a)*b")) > 0'):
        assert books("query", dql, "--seconds", "0.5").code in {0, 1, 6}
    assert books("query", "LIST WHERE " + "(" * 5000 + "1" + ")" * 5000).code == 2
    assert books.ok("query", "LIST WHERE " + " + ".join(["1"] * 5000)).code == 0
    assert books("query", 'LIST "ab" * 1000000000').code == 1


def test_answers_that_only_memory_or_time_without_end_could_hold_are_refused(books: Program) -> None:
    double = f"reduce([{'1,' * 60}1], (a, b) => [a, a])"
    twice = f"reduce([{'1,' * 60}1], (a, b) => {{a: a, b: a}})"
    long = 'padleft("a", 900000)'
    for expression in (
        double,
        twice,
        f"{double} = {double}",
        f'"" + {double}',
        f"display({double})",
        f'extract({double}, "x")',
        f'map(split({long}, ""), (x) => split({long}, ""))',
        f"map(list(1, 2, 3, 4, 5, 6), (x) => {long})",
        f'regexreplace({long}, " ", "$`")',
    ):
        assert books("query", f"LIST {expression}", "--seconds", "0.2").code in {1, 6}, expression


def test_json_keeps_half_a_character(books: Program) -> None:
    assert books.json("query", 'LIST WITHOUT ID reverse("👍a") FROM "log"')["values"] == ["a\udc4d\ud83d"]


def test_options_that_do_not_go_together_are_refused(books: Program) -> None:
    for words in (
        (),
        ("LIST", "--file", "home"),
        ("LIST", "--write"),
        ("--file", "home", "--dry-run"),
        ("--file", "home", "--origin", "home"),
    ):
        assert books("query", *words).code == 2


def test_settings_of_the_plugin_hold(books: Program) -> None:
    books.write(
        ".obsidian/plugins/dataview/data.json", '{"tableIdColumnName": "Note", "renderNullAs": "(none)", "defaultDateFormat": "yyyy-MM-dd"}'
    )
    markdown = books.ok("query", 'TABLE seen, missing FROM "log"', "--format", "markdown").out
    assert markdown.splitlines()[0].split(" | ")[0].strip("| ") == "Note"
    assert "| 2026-11-29 | (none)" in markdown


def test_the_deadlines_dashboard_has_the_rows_of_lookahead(vk: Program) -> None:
    vk.ok("--today", TODAY, "capture", "Send the slides to Priya by Friday")
    vk.ok("--today", TODAY, "capture", "The TLS certificate expires on 2026-12-20")
    vk.ok("--today", TODAY, "capture", "Nothing to do here at all")
    items = vk("--json", "lookahead", "--level", "month", "--today", TODAY).json["items"]
    block = vk.json("query", "--file", "dashboards/deadlines.md", "--today", TODAY)["blocks"][0]
    rows = [(row[0]["$link"]["path"], row[1]["$date"][:10]) for row in block["result"]["values"]]
    assert rows == [(item["path"], item["due"]) for item in items]
    assert len(rows) == 2


def test_the_inbox_dashboard_has_the_captures(vk: Program) -> None:
    vk.ok("--today", TODAY, "capture", "Buy paint for the fence")
    block = vk.json("query", "--file", "dashboards/inbox.md")["blocks"][0]
    assert len(block["result"]["values"]) == 1
    assert block["problem"] is None


def test_the_health_dashboard_has_the_notes_that_health_counts(vk: Program) -> None:
    vk.write("bare.md", "# Bare\n")
    vk.write("told.md", "---\ndescription: It says what it is about.\n---\nabout\n")
    vk.write("gone.md", "---\nstatus: retired\n---\n")
    vk.write("daily/2026-11-29.md", "went for a walk\n")
    vk.write("maybe.md", "---\nstatus: proposed\ndate: 2026-11-30\n---\n")
    blocks = vk.json("query", "--file", "dashboards/health.md")["blocks"]
    without = [row[0]["$link"]["path"] for row in blocks[0]["result"]["values"]]
    (counted,) = [check for check in vk.json("health", code=vk("--json", "health").code)["checks"] if check["name"] == "descriptions"]
    have, of = (int(word.replace(",", "")) for word in re.findall(r"[\d,]+", counted["text"])[:2])
    assert len(without) == of - have
    assert "bare.md" in without
    assert not {"told.md", "gone.md", "maybe.md"} & set(without)
    assert [row[0]["$link"]["path"] for row in blocks[1]["result"]["values"]] == ["maybe.md"]


def test_the_vectors_vault_answers_through_the_program(vk: Program) -> None:
    shutil.copytree(vectors.folder("dql_vault"), vk.home / "small")
    done = vk(
        "--vault",
        str(vk.home / "small"),
        "--json",
        "query",
        'TABLE length(file.tasks) AS n FROM "Projects" SORT n DESC LIMIT 1',
        vault=False,
    )
    assert done.json["values"][0][1] == 8


@pytest.mark.skipif(not SHARED.is_dir(), reason="../shared is not there")
@pytest.mark.parametrize("name", ["tasks-demo", "kepano"])
def test_every_block_of_real_vaults_has_an_answer(vk: Program, name: str) -> None:
    shutil.copytree(SHARED / "vaults" / name, vk.home / name)
    notes = [path for path in (vk.home / name).rglob("*.md") if "```dataview" in path.read_text("utf-8", "replace")]
    for path in notes:
        path.chmod(0o644)
        relative = path.relative_to(vk.home / name).as_posix()
        done = vk("--vault", str(vk.home / name), "--json", "query", "--file", relative, vault=False)
        assert done.code == 0, (relative, done.err)
        assert all(block["result"] for block in done.json["blocks"])
        if relative.endswith("numbered_tasks_issue_3481_searches.md"):  # its text says how many the plugin finds
            assert len(done.json["blocks"][0]["result"]["values"]) == 4


@pytest.fixture
def living(books: Program, monkeypatch: pytest.MonkeyPatch) -> Iterator[Program]:
    """Our own server in the plugin's 3.x dialect, as what answers for Obsidian; the vault that asks is only its address."""
    with rest.listening(books.vault, api="3") as url:
        monkeypatch.setenv("VAULTKIT_VAULT", url)
        monkeypatch.setenv("VAULTKIT_OBSIDIAN_KEY", rest.KEY)
        yield books


def test_live_dataview_answers_when_it_is_asked(living: Program) -> None:
    dql = 'TABLE rating, mood AS "M", file.day, [[home]] AS l FROM #book SORT rating DESC'
    done = living("--json", "query", "--live", dql, vault=False)
    assert done.code == 0, done
    assert done.json["headers"] == ["File", "rating", "M", "file.day", "l"]
    assert [row[0]["$link"]["path"] for row in done.json["values"]] == ["books/dune.md", "books/emma.md"]
    assert [row[1] for row in done.json["values"]] == [9, 7]
    assert done.json["values"][1][2]["$link"]["path"] == "home.md"
    own = living("query", dql, "--format", "markdown").out
    assert living("query", "--live", dql, "--format", "markdown", vault=False).out == own


@pytest.mark.parametrize(
    "dql", ["LIST", "TASK", "CALENDAR file.day", "TABLE WITHOUT ID file.name", "TABLE rows GROUP BY rating", "TABLE ("]
)
def test_live_dataview_answers_tables_alone(books: Program, dql: str) -> None:
    done = books("query", "--live", dql)
    assert done.code == 2
    assert "TABLE" in done.err or "column" in done.err


def test_live_dataview_that_is_not_there_is_said_so(books: Program) -> None:
    assert books("query", "--live", "TABLE rating").code == 6  # the plugin is not set up
    for plugin in ("4.0.0", "5.1.0"):
        with obsidian.running(books.vault, plugin=plugin) as app:
            app.search = 40012
            done = books("query", "--live", "TABLE rating")
            assert done.code == 6
            assert plugin in done.err
            assert "leave --live out" in done.err
    done = books("query", "--live", "TABLE rating")  # its settings are there, and no Obsidian
    assert done.code == 6
    assert "nothing answers" in done.err
    with rest.listening(books.vault, api="3") as url:
        ended = books.process("query", "--live", "TABLE rating", env={"VAULTKIT_OBSIDIAN_URL": url, "VAULTKIT_OBSIDIAN_KEY": rest.KEY})
    assert ended.returncode == 6
    assert b"not Obsidian" in ended.stderr


def test_live_goes_with_the_query_alone(books: Program) -> None:
    for words in (("--origin", "home"), ("--today", TODAY)):
        assert books("query", "--live", "TABLE rating", *words).code == 2
    assert books("query", "--live", "--file", "home").code == 2


def test_a_result_whose_last_mark_is_gone_costs_no_text(books: Program) -> None:
    books.write("board.md", '```dataview\nLIST FROM #book\n```\n\nMy own words\n\n```dataview\nLIST FROM "log"\n```\nMore words\n')
    assert "2 results written" in books.ok("query", "--file", "board", "--write").out
    edited = books.read("board.md").replace("<!-- vaultkit:query:end -->\n", "", 1)
    for text in (edited, edited[: edited.index('```dataview\nLIST FROM "log"')]):
        books.write("board.md", text)
        done = books("query", "--file", "board", "--write")
        assert done.code == 1
        assert "is gone" in done.err
        assert books.read("board.md") == text


def test_text_of_other_notes_makes_no_marks_and_no_blocks(books: Program) -> None:
    books.write("evil.md", '---\nx: "a\\n<!-- vaultkit:query:end -->\\n```dataview\\nLIST\\n```"\n---\n')
    books.write("board.md", '```dataview\nLIST WITHOUT ID x FROM "evil"\n```\nMy own words\n')
    books.ok("query", "--file", "board", "--write")
    once = books.read("board.md")
    assert once.count("<!-- vaultkit:query:end -->") == 1
    assert "nothing to change" in books.ok("query", "--file", "board", "--write").out
    assert books.read("board.md") == once
