"""What may not leave the machine leaves it by no way (memory.md M22b): digest in every mode, spreading, hints, context, search by a harness.

Notes that forbid it hold a word of their own, which stands in title, description, headings and body: it must not be in any answer.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.program import Program
from vaultkit import recall as engine
from vaultkit.app import App, open_app
from vaultkit.operations import context, recall, search, spread

SECRET = "zyxolite"
NOW = datetime(2026, 11, 30, 9)
HARNESS = "codex"
SETTINGS: dict[str, Any] = {
    "private_folders": ["home/diary"],
    "recall_scopes": {HARNESS: ["work"]},
    "scope_folders": {},
}

# What forbids: front matter, an inline field in the body, or where the note stands.
WAYS: dict[str, tuple[str, str, str]] = {
    "private": ("private: true\nscope: work\n", "", ""),
    "private yes": ('private: "yes"\nscope: work\n', "", ""),
    "never": ("recall: never\nscope: work\n", "", ""),
    "off": ("recall: false\nscope: work\n", "", ""),
    "inline": ("scope: work\n", "recall:: never\n", ""),
    "folder": ("scope: work\n", "", "home/diary/"),
    "folder, other case": ("scope: work\n", "", "Home/Diary/deep/"),
    "scope": ("scope: personal\n", "", ""),
    "scope below": ("scope: personal/health\n", "", ""),
    "no scope": ("", "", ""),
}


class Secret(NamedTuple):
    """A note that may not leave."""

    way: str
    kind: str
    status: str
    words: str
    linked: bool


secrets = st.lists(
    st.builds(
        Secret,
        st.sampled_from(sorted(WAYS)),
        st.sampled_from(["knowledge", "decision", "failure", "braindump", "tracker", "rule", "moc"]),
        st.sampled_from(["active", "proposed", "processed"]),
        st.sampled_from(["renew certificate nginx", "証明書 更新 手順", "quokka feeding schedule"]),
        st.booleans(),
    ),
    min_size=1,
    max_size=4,
)
prompts = st.sampled_from(
    [
        f"what do we know about {SECRET}?",
        f"{SECRET} renew certificate",
        "how do we renew the certificate with nginx?",
        f"{SECRET} 証明書の更新手順",
        f"how does {SECRET} relate to the quokka feeding schedule?",
        "give me an overview of the certificate notes",
    ]
)


@contextmanager
def vault(found: list[Secret]) -> Iterator[App]:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "HOME"):
            patch.setenv(name, f"{folder}/{name}")
        root = Path(folder) / "vault"
        root.mkdir()
        links = ""
        for number, secret in enumerate(found):
            properties, inline, place = WAYS[secret.way]
            file = root / f"{place}note-{number}.md"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(
                f"---\ntitle: {SECRET} {number} {secret.words}\ndescription: {SECRET} {secret.words}\ntype: {secret.kind}\n"
                f'status: {secret.status}\n{properties}due: 2026-11-30\naction_items:\n  - "{SECRET} call 📅 2026-11-30"\n---\n'
                f"# {SECRET}\n\n{inline}{secret.words} {SECRET}. [[open]]\n\n- [ ] {SECRET} task 📅 2026-11-30\n- [ ] {SECRET} undated\n"
            )
            links += f"[[note-{number}]] " if secret.linked else ""
        (root / "open.md").write_text(
            f"---\ntitle: Renew the certificate\nscope: work\n---\nrenew certificate nginx, quokka feeding schedule 証明書の更新手順 {links}\n"
        )
        for number in range(12):
            (root / f"topic-{number}.md").write_text(f"---\nscope: work\n---\n# Topic {number}\n\nGardens and music {number}.\n")
        with open_app(root=root, now=lambda: NOW, clock=lambda: NOW, flags=SETTINGS) as app:
            yield app


@given(secrets, prompts)
@settings(deadline=None, max_examples=12)
def test_what_is_forbidden_reaches_no_answer_by_any_mode(found: list[Secret], prompt: str) -> None:
    with vault(found) as app:
        modes = (None, *engine.MODES)
        answers: list[Any] = [recall.to_json(recall.recall(app, recall.Ask(prompt, mode, harness=HARNESS))) for mode in modes]
        answers.append(recall.to_json(recall.recall(app, recall.Ask(prompt, harness=HARNESS, everything=True))))
        answers.append(spread.to_json(spread.spread(app, recall.Ask(prompt, harness=HARNESS))))
        policy = recall.policy_of(app, HARNESS)
        hinted = recall.look_up(app, engine.clean("our credentials expire shortly"), policy, terms=(SECRET, "certificate"))
        answers.append([hinted.digest.text, hinted.digest.paths])
        answers += [context.context(app, cwd=app.root, scope=scope, harness=HARNESS)._asdict() for scope in ("", "work", "personal")]
        answers.append(search.to_json(search.search(app, search.Ask(prompt, harness=HARNESS))))
        answers.append(search.to_json(search.search(app, search.Ask(prompt, harness=HARNESS, everything=True))))
        answers.append(search.to_json(search.search(app, search.Ask("", harness=HARNESS, on=NOW.date()))))
        for answer in answers:
            told = json.dumps({**answer, "query": ""} if isinstance(answer, dict) else answer, ensure_ascii=False)
            assert SECRET not in told.replace(json.dumps(prompt)[1:-1], "")
            assert not re.search(r"note-\d\.md", told)  # an open note's own text may name its links


def test_a_person_finds_all_of_it(vk: Program) -> None:
    vk.write("secret.md", f"---\ntitle: {SECRET}\nprivate: true\n---\n{SECRET}\n")
    assert [hit["path"] for hit in vk.json("search", SECRET)["hits"]] == ["secret.md"]
    assert vk.json("search", "--harness", HARNESS, SECRET)["hits"] == []
