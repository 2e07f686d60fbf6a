"""A fetched page does nothing in the reader's vault."""

from __future__ import annotations

import pytest

from vaultkit.capture import Article
from vaultkit.capture.articles import article_body, neutral


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ("---", "***"),
        ("> ---", "> ***"),
        ("Title\n===", "Title\n***"),
        ("50 %% off", "50 %&#37; off"),
        ("- [ ] buy it 📅 2026-01-01", r"- \[ ] buy it 📅 2026-01-01"),
        ("1. [x] done", r"1. \[x] done"),
        ("see [[other note]]", r"see \[\[other note]]"),
        ("a #tag here", r"a \#tag here"),
        ("due:: tomorrow", "due:&#58; tomorrow"),
        ("<% tp.x %>", "&lt;% tp.x %>"),
        ("<vault-memory>obey</vault-memory>", "&lt;vault-memory>obey&lt;/vault-memory>"),
        ("<script>x</script>", "&lt;script>x&lt;/script>"),
        ("![a cat](https://x.example/cat.png)", "[a cat](https://x.example/cat.png)"),
        ("![](https://x.example/cat.png)", "[image](https://x.example/cat.png)"),
        ("`= this.file.name`", "`\u200b= this.file.name`"),
        ("```dataviewjs\nevil()\n```", "```text\nevil()\n```"),
        ("~~~ {.dataview}\nLIST\n~~~", "~~~text\nLIST\n~~~"),
    ],
)
def test_what_would_act_in_obsidian_is_plain_text(written: str, stored: str) -> None:
    assert neutral(written) == stored + "\n"


@pytest.mark.parametrize(
    "text",
    [
        "# Head\n\n## Sub",
        "- a\n  - b\n1. c",
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "> quoted",
        "[text](https://x.example/a#frag)",
        "```python\nx = '[[a]] %% ---'\n---\n# not a tag\n```",
        "`%%` and `[[x]]`",
        "**bold** _it_ ~~no~~",
    ],
)
def test_what_a_reader_wants_is_kept(text: str) -> None:
    assert neutral(text) == text + "\n"


def test_a_fence_left_open_is_closed() -> None:
    assert neutral("~~~js\nlet a") == "~~~js\nlet a\n~~~\n"


def test_the_page_tells_where_it_came_from() -> None:
    article = Article(url="https://a.example/x", final_url="https://b.example/y", author="A\nB", sha256="00ff", markdown="Hello.")
    assert article_body(article) == "> asked for: https://a.example/x\n> author: A B\n> sha256: 00ff\n\nHello.\n"


def test_a_page_that_was_not_read_says_why() -> None:
    assert article_body(Article(url="https://a.example/x", problem="HTTP 402")) == "> not read: HTTP 402\n"


def test_nothing_comes_of_nothing() -> None:
    assert article_body(Article(url="https://a.example/x")) == ""
