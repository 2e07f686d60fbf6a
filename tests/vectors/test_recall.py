"""Recall on a vault of about 800 notes: prompts about nothing bring nothing, queries bring their notes. The full bars: tools/eval_recall.py."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support import vectors
from tools import eval_recall
from tools.eval_recall import Figures, Vault
from vaultkit.app import open_app

SIZE = 700


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Vault]:
    root = tmp_path_factory.mktemp("recall") / "vault"
    with pytest.MonkeyPatch.context() as patch:
        for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
            patch.setenv(name, str(root.parent / name))
        eval_recall.build(root, SIZE, vectors.load("ja_queries"))
        with open_app(root=root) as app:
            app.sync()
            yield Vault(app)


@pytest.mark.parametrize("name", ["recall_noise", "recall_blind"])
def test_prompts_about_nothing_bring_nothing_and_queries_bring_their_notes(vault: Vault, name: str) -> None:
    cases = vectors.load(name)
    silent = eval_recall.measure(vault, eval_recall.noise(cases))
    asked = eval_recall.measure(vault, eval_recall.queries(cases))
    vectors.report(name, silent.prompts - silent.injected + asked.top3, silent.prompts + asked.prompts)
    assert silent.injected <= 2, silent.wrong
    _fits(asked)


def test_japanese_queries_bring_their_notes_and_what_is_sure_is_right(vault: Vault) -> None:
    asked = eval_recall.measure(vault, eval_recall.queries(vectors.load("ja_queries")))
    assert asked.prompts
    _fits(asked)


def _fits(asked: Figures) -> None:
    assert asked.top3 >= 0.75 * asked.prompts
    assert asked.high >= 0.5 * asked.prompts  # and not by never being sure
    assert asked.precision >= 0.95, asked.wrong
