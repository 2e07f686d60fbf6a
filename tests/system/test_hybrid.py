"""Semantic search and bullet entries through the real command line: the embedded model, and the same model behind the loopback model server."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from tests.support.embedder import embedded_model
from tests.support.model_server import Failure, Model, model_server
from tests.support.program import Program
from vaultkit.app import open_app
from vaultkit.operations import search as operations
from vaultkit.store.models import embedded as module
from vaultkit.store.models.embedded import UseEmbedder

NOTES = {
    "leave.md": "# Annual leave\n\nEvery employee may take twenty days off a year, and asks the manager first.\n",
    "bread.md": "# Sourdough\n\nMix flour and water, wait for a day, bake it in a hot oven.\n",
    "backup.md": "# Backups\n\nThe database is copied every night to another building.\n",
    "garden.md": "# Tomatoes\n\nWater the plants in the evening and cut the lower leaves.\n",
    "電車.md": "# 電車の遅れ\n\n大雪の日は鉄道が止まるので、家で仕事をする。\n",
    "old.md": "---\ntitle: Deploy by hand\nstatus: retired\nsuperseded_by: '[[new]]'\n---\nDeploy the shop by hand: copy, deploy, deploy again.\n",
    "middle.md": "---\ntitle: Deploy script\nsuperseded_by: '[[new]]'\n---\nDeploy the shop with the deploy script.\n",
    "new.md": "# Pipeline\n\nEvery push goes through the pipeline, which brings the shop to production: deploy.\n",
    "templates/daily.md": "# {{date}}\n",
}
TODAY = "2026-11-30T09:00"


@pytest.fixture(scope="session")
def model() -> UseEmbedder:
    found = embedded_model()
    assert isinstance(found, UseEmbedder)
    found.embed(["load"])
    return found


@pytest.fixture
def vault(program: Program, model: UseEmbedder, monkeypatch: pytest.MonkeyPatch) -> Program:
    """A small vault; the embedded model is loaded once for all tests."""
    monkeypatch.setattr(module, "_MODELS", (_Ready,))
    _Ready.model = model
    program.write(".vaultkit.toml", 'templates_folder = "templates"\n')
    for path, text in NOTES.items():
        program.write(path, text)
    monkeypatch.setenv("VAULTKIT_OLLAMA_HOST", "http://127.0.0.1:9")  # nothing listens there
    return program


class _Ready(UseEmbedder):
    """The embedded model as it is after it was loaded."""

    model: UseEmbedder

    def __init__(self) -> None:
        super().__init__()
        self._model = self.model._model


@pytest.fixture
def embedded(vault: Program) -> Program:
    vault.ok("sync", "--embed")
    return vault


def test_nothing_is_embedded_before_it_was_asked_for(vault: Program) -> None:
    found = vault.json("sync")
    assert (found["embedded"], found["coverage"]) == (0, {"should": 8, "current": 0})
    assert vault.json("search", "holidays")["degraded"] == []
    assert "--embed" in vault.json("search", "--hybrid", "holidays")["degraded"][0]


def test_sync_embeds_all_notes_but_templates_and_then_only_what_changed(embedded: Program) -> None:
    found = embedded.json("sync")
    assert (found["embedded"], found["coverage"]) == (0, {"should": 8, "current": 8})
    embedded.write("bread.md", "# Rye\n\nRye bread needs a longer time in the oven.\n")
    embedded.write("backup.md", "---\naccessed: 4\n---\n" + NOTES["backup.md"])  # use counters make no vector stale
    skipped = embedded.json("sync", "--no-embed")
    assert (skipped["embedded"], skipped["coverage"]) == (0, {"should": 8, "current": 7})
    assert embedded.json("sync")["embedded"] == 1
    (embedded.vault / "garden.md").rename(embedded.vault / "vegetables.md")
    found = embedded.json("sync")
    assert (found["embedded"], found["coverage"]) == (0, {"should": 8, "current": 8})


def test_a_limit_of_time_does_a_slice_and_the_next_run_goes_on(vault: Program) -> None:
    first = vault.json("sync", "--embed", "--limit-seconds", "0.000001")
    assert first["embedded"] == 1
    assert "to go" in first["problem"]
    assert vault.json("sync")["coverage"] == {"should": 8, "current": 8}


def test_a_note_is_found_by_what_it_means(embedded: Program) -> None:
    query = "how many vacation holidays do workers get"
    cold = embedded.json("search", query)
    assert [hit["path"] for hit in cold["hits"]] == []
    assert "--hybrid" in cold["degraded"][0]
    found = embedded.json("search", "--hybrid", query)
    assert found["degraded"] == []
    assert found["hits"][0]["path"] == "leave.md"
    why = found["hits"][0]["why"]
    assert (why["terms"], why["coverage"], why["rank"], why["bonus"]) == ([], 0.0, None, 0.0)
    assert why["cosine"] > 0.2
    assert embedded.json("search", "--hybrid", "雪で通勤できないときは在宅勤務")["hits"][0]["path"] == "電車.md"


def test_words_and_meaning_are_told_apart_in_why(embedded: Program) -> None:
    hit = embedded.json("search", "--hybrid", "copied database")["hits"][0]
    assert hit["path"] == "backup.md"
    assert (hit["why"]["rank"], hit["why"]["coverage"]) == (1, 1.0)
    assert hit["why"]["terms"] == ["copied", "database"]
    assert hit["score"] == pytest.approx(hit["why"]["lexical"] + 0.8 * hit["why"]["semantic"], abs=0.01)


def test_a_model_that_is_loaded_is_used_unasked(embedded: Program) -> None:
    with open_app(str(embedded.vault)) as app:
        query = "how many vacation holidays do workers get"
        assert operations.search(app, operations.Ask(query)).hits == ()
        assert operations.search(app, operations.Ask(query, hybrid=True)).hits[0].path == "leave.md"
        assert app.warm
        assert operations.search(app, operations.Ask(query)).hits[0].path == "leave.md"
        assert operations.search(app, operations.Ask(query, folder="nowhere")).hits == ()


@pytest.mark.parametrize("options", [(), ("--hybrid",)])
def test_what_was_superseded_never_stands_before_its_successor(embedded: Program, options: tuple[str, ...]) -> None:
    query = "deploy the shop by hand with the deploy script"
    paths = [hit["path"] for hit in embedded.json("search", *options, query)["hits"]]
    assert "new.md" in paths
    assert not {"old.md", "middle.md"} & set(paths)
    hits = embedded.json("search", "--all", *options, query)["hits"]
    order = [hit["path"] for hit in hits if hit["path"] in {"old.md", "middle.md", "new.md"}]
    assert (order[0], sorted(order)) == ("new.md", ["middle.md", "new.md", "old.md"])
    assert [hit["score"] for hit in hits] == sorted((hit["score"] for hit in hits), reverse=True)
    why = {hit["path"]: hit["why"] for hit in hits}
    assert (why["old.md"]["status"], why["old.md"]["superseded_by"]) == ("retired", "new.md")
    assert "retired, superseded by new.md" in embedded.ok("search", "--all", *options, query).out


def test_a_superseded_note_whose_successor_is_gone_is_still_found(embedded: Program) -> None:
    (embedded.vault / "new.md").unlink()
    hit = embedded.json("search", "deploy script")["hits"][0]
    assert (hit["path"], hit["why"]["superseded_by"]) == ("middle.md", "new")


def test_a_run_that_embeds_nothing_fails_and_says_why(vault: Program) -> None:
    found = vault.json("sync", "--embed", code=0)
    assert found["embedded"] == 8
    vault.write("more.md", "# More\n\nSomething else.\n")
    vault.ok("config", "embedder", "ollama")
    found = vault.json("sync", code=1)
    assert (found["embedded"], found["coverage"]) == (0, {"should": 9, "current": 8})
    assert "no model server answers at http://127.0.0.1:9" in found["problem"]
    assert "no model server answers" in vault("sync").err
    vault.ok("config", "embedder", "none")
    assert vault.json("sync", "--embed", code=1)["coverage"] == {"should": 9, "current": 8}  # and the vectors are still there
    assert vault.json("sync")["coverage"] == {"should": 9, "current": 8}


@pytest.fixture
def server_host(model: UseEmbedder, vault: Program) -> Iterator[str]:
    """A test fixture that speaks Ollama's API; the vectors come from the embedded model."""

    def embed(texts: Sequence[str]) -> object:
        if any("unembeddable" in text for text in texts):
            return Failure(500, "failed to encode response: json: unsupported value: NaN")
        return model.embed(texts).vectors.tolist()

    with model_server(models=[Model("use:latest", dimension=512, embed=embed)]) as server:
        vault.ok("config", "ollama_host", server.host)
        vault.ok("config", "embedder", "ollama")
        vault.ok("config", "embed_model", "use")
        yield server.host


def test_another_embedder_makes_all_vectors_anew(embedded: Program, server_host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VAULTKIT_OLLAMA_HOST")
    degraded = embedded.json("search", "--hybrid", "holidays")["degraded"]
    assert "use-multilingual-v3, not of use:latest" in degraded[0]
    assert embedded.json("sync")["embedded"] == 8
    assert embedded.json("search", "--hybrid", "how many vacation holidays do workers get")["hits"][0]["path"] == "leave.md"


def test_a_note_that_cannot_be_embedded_leaves_coverage_short(vault: Program, server_host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VAULTKIT_OLLAMA_HOST")
    vault.write("odd.md", "# Odd\n\nunembeddable\n")
    found = vault.json("sync")
    assert (found["embedded"], found["coverage"]) == (8, {"should": 9, "current": 8})
    assert "NaN" in found["problem"]
    assert "1 notes have none yet" in vault.json("search", "--hybrid", "bread")["degraded"][0]
    assert vault.json("sync", code=1)["embedded"] == 0


def test_a_bullet_far_down_a_long_list_is_named_by_its_line(vault: Program) -> None:
    lines = [f"- entry {number} about errand {number * 7919 % 2000}" for number in range(2000)]
    lines[1900] = "- The GitLab runner ran out of disk"
    vault.write("list.md", "# List\n\n" + "\n".join(lines) + "\n")
    found = vault.json("search", "git lab runner")
    entry = found["entries"][0]
    assert (entry["path"], entry["line"]) == ("list.md", 1903)
    assert entry["text"].split("\n") == lines[1898:1903]
    assert found["saved"] > 0.99
    hit = found["hits"][0]
    assert (hit["path"], hit["why"]["line"]) == ("list.md", 1903)
    assert "list.md:1903" in vault.ok("search", "git lab runner").out
    vault.write("list.md", "# List\n\nno bullets any more\n")
    assert vault.json("search", "git lab runner")["entries"] == []


def test_a_day_finds_what_stands_under_it(vault: Program) -> None:
    vault.write("daily/2026-11-29.md", "- bought paint\n- called the plumber\n\nA quiet day.\n")
    vault.write(
        "log.md", "# Log\n\n## 2026-11-29\n- fixed the pump\n- cleaned the roof\n## 2026-11-28\n- painted the door\n- slept\n- read\n"
    )
    vault.write("dated.md", "---\ndate: 2026-11-29\n---\n# Dated\n")
    found = vault.json("search", "--on", "2026-11-29")
    assert [(entry["path"], entry["line"]) for entry in found["entries"]] == [
        ("daily/2026-11-29.md", 1),
        ("daily/2026-11-29.md", 2),
        ("daily/2026-11-29.md", 4),
        ("log.md", 4),
        ("log.md", 5),
    ]
    assert {entry["day"] for entry in found["entries"]} == {"2026-11-29"}
    assert [hit["path"] for hit in found["hits"]] == ["dated.md"]
    assert [hit["path"] for hit in vault.json("search", "--on", "2026-11-29", "--all")["hits"]] == ["daily/2026-11-29.md", "dated.md"]
    found = vault.json("search", "--on", "yesterday", "--today", TODAY, "pump")
    assert [(entry["path"], entry["line"]) for entry in found["entries"]] == [("log.md", 4)]
    assert [hit["path"] for hit in found["hits"]] == ["log.md"]
    assert "grep 2031-01-01" in vault.json("search", "--on", "2031-01-01")["hint"]
    assert vault("search", "--on", "someday").code == 2


def test_the_bullet_index_comes_back_when_it_was_lost(vault: Program) -> None:
    vault.write("log.md", "# Log\n\n" + "".join(f"- thing {number}\n" for number in range(6)) + "- fixed the pump\n")
    assert vault.json("search", "pump")["entries"]
    for file in next(vault.home.glob("XDG_CACHE_HOME/vaultkit/*/bullets-1")).iterdir():
        file.unlink()
    assert vault.json("search", "pump")["entries"][0]["line"] == 9
    (vault.vault / "log.md").unlink()
    assert vault.json("search", "pump")["entries"] == []


# -- spreading, floors, health -----------------------------------------------------------------------------------------


def test_spreading_starts_at_cosines_and_the_calibrated_threshold(embedded: Program) -> None:
    embedded.write("leave.md", NOTES["leave.md"] + "\nThe form: [[paper]]\n")
    embedded.write("paper.md", "# Paper for the printer\n\nA4, 80 grams. Kept in the cupboard.\n")
    embedded.write("daily-copy.md", "# Backups again\n\nThe database is copied every night to another building.\n")
    embedded.ok("sync")
    found = embedded.json("recall", "--spread", "how many vacation holidays do workers get")
    assert found["fallback"] == ""
    root = found["tree"][0]
    assert (root["path"], root["activation"]) == ("leave.md", 1.0)
    with open_app(str(embedded.vault)) as app:
        known = app.vectors.calibration
        assert known is not None
        assert root["similarity"] >= known.entry
        assert app.cache.meta("summaries") != ""
    paper = next(child for child in root["children"] if child["path"] == "paper.md")  # by the link: similarity ranks it nowhere
    assert (paper["inferred"], paper["activation"]) == (False, 0.7)
    twin = embedded.json("recall", "--spread", "night copies of the database")["tree"]
    inferred = [child for node in twin for child in node["children"] if child["inferred"]]
    assert all(child["activation"] < 0.7 for child in inferred)


def test_without_vectors_spreading_goes_by_words_and_says_so(vault: Program) -> None:
    assert vault.json("recall", "--spread", "annual leave days")["fallback"].startswith("similarity by words: ")


@pytest.mark.parametrize("query", ["xqzv blorf wug", "ふがほげぴよ", "plmokn ijbuhv", "zzz", "ぬるぽガッ"])
def test_a_query_about_nothing_finds_nothing_by_meaning(embedded: Program, query: str) -> None:
    assert embedded.json("search", "--hybrid", query)["hits"] == []


def test_health_counts_a_stale_vector_as_missing_and_shows_the_thresholds(embedded: Program) -> None:
    checks = {check["name"]: check for check in embedded.json("health")["checks"]}
    assert checks["vectors"]["level"] == "ok"
    assert checks["vectors"]["text"].startswith("8 of 8 notes have a current one (use-multilingual-v3")
    assert {"entry", "repetition", "duplicate"} <= set(checks["thresholds"]["text"].replace(":", " ").replace(",", " ").split())
    embedded.write("bread.md", "# Rye\n\nRye bread needs a longer time in the oven.\n")
    found = embedded.json("health", code=1)
    check = next(check for check in found["checks"] if check["name"] == "vectors")
    assert (check["level"], "7 of 8" in check["text"], "1 stale" in check["text"]) == ("red", True, True)


def test_health_names_a_note_that_cannot_be_embedded(vault: Program, server_host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VAULTKIT_OLLAMA_HOST")
    vault.write("odd.md", "# Odd\n\nall well\n")
    vault.ok("sync")
    vault.write("odd.md", "# Odd\n\nunembeddable\n")
    assert vault("sync").code == 1
    check = next(check for check in vault.json("health", code=1)["checks"] if check["name"] == "vectors")
    assert "1 stale" in check["text"]
    assert "odd.md (" in check["text"]


def test_health_prints_how_long_bullets_are(vault: Program) -> None:
    vault.write("list.md", "# List\n\n" + "".join(f"- {'word ' * number}end\n" for number in range(20)))
    check = next(check for check in vault.json("health")["checks"] if check["name"] == "bullets")
    assert "20 in 1 list-like notes: 53 characters (median), 93 (p90)" in check["text"]
    assert "100% of their keywords are indexed" in check["text"]


@pytest.mark.parametrize("value", ["[[new]]", '"[[new]]"', "\n  - [[new]]", "\n  - '[[new]]'", "[[new|the new way]]", "new"])
def test_a_successor_is_named_with_or_without_quotation_marks(vault: Program, value: str) -> None:
    vault.write("feeding.md", f"---\ntitle: Quokka feeding schedule\nsuperseded_by: {value}\n---\nQuokka feeding at eight.\n")
    vault.write("new.md", "---\ntitle: Quokka feeding\n---\nThe quokka feeding schedule: at nine.\n")
    query = "quokka feeding schedule"
    assert "feeding.md" not in [hit["path"] for hit in vault.json("search", query)["hits"]]
    everything = [hit["path"] for hit in vault.json("search", "--all", query)["hits"]]
    assert everything[:2] == ["new.md", "feeding.md"]
    assert [note["path"] for note in vault.json("recall", query)["notes"]] == ["new.md"]
    everything = [note["path"] for note in vault.json("recall", "--all", query)["notes"]]
    assert everything in (["new.md", "feeding.md"], ["new.md"])  # behind its successor, if it is not left out as a rival


def test_open_items_are_all_counted(vault: Program) -> None:
    for number in range(60):
        vault.write(f"shop/{number}.md", f"---\nscope: project/shop\n---\n- [ ] thing {number}\n")
    text = vault.json("context", "--scope", "project/shop")["text"]
    shown = text.count("- thing ")
    assert f"+{60 - shown} more" in text
