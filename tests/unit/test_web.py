"""Safe fetch, decoding and article extraction, all on loopback."""

from __future__ import annotations

import gzip
import io
from datetime import datetime

import pytest

from tests.support.pages import Page, serve
from vaultkit.capture.request import Article, is_url
from vaultkit.errors import UnsafeUrlError
from vaultkit.store.web import decode, fetch, read_article
from vaultkit.store.web.fetch import check_address

NOW = datetime(2026, 11, 30, 9, 0)

ARTICLE = """<!doctype html><html><head><title>Renewing certificates | Example blog</title><meta name="author" content="Ada Example">
<meta property="article:published_time" content="2026-03-01"></head><body>
<nav><a href="/">Home</a> <a href="/about">About us</a></nav><div class="cookie">We use cookies to improve your visit.</div>
<article><h1>Renewing certificates</h1><p>Certificates expire, and <strong>nobody</strong> remembers until the alarm rings at night.
This page tells how we renew ours <em>before</em> that happens, with a <a href="/guide/acme">small guide</a> and <code>certbot renew</code>.</p>
<h2>What to prepare</h2><ul><li>the list of host names<ul><li>with their owners</li></ul></li><li>a shell on the server</li></ul>
<ol><li>Stop the timer.</li><li>Run the renewal.</li><li>Start the timer again.</li></ol>
<pre><code class="language-python">def renew(host):
    if host.expires_soon():
        host.renew()
</code></pre>
<blockquote><p>A renewal that nobody tested is a hope.</p></blockquote>
<table><thead><tr><th>Host</th><th>Expires</th></tr></thead><tbody><tr><td>api</td><td>March</td></tr><tr><td>www</td><td>May</td></tr></tbody></table>
<p>Pictures: <img src="/img/flow.png" alt="the flow"> and words that were <del>struck</del>. The rest of the article repeats in many words
that tests are cheap, that outages are dear, and that a calendar entry is not a process.</p></article>
<footer>Imprint and privacy</footer></body></html>"""

JAPANESE = (
    "<html><head><title>証明書の更新</title></head><body><article><h1>証明書の更新</h1>"
    + "<p>証明書の期限が切れる前に更新の手順を確認し、担当者に連絡してください。</p>" * 12
    + "</article></body></html>"
)


def article_of(page: Page) -> Article:
    with serve({"/a": page}) as site:
        return read_article(fetch(f"{site.url}/a", allow=[site.host]), now=NOW)


@pytest.mark.parametrize(
    "wanted",
    [
        "# Renewing certificates",
        "## What to prepare",
        "**nobody**",
        "*before*",
        "`certbot renew`",
        "/guide/acme)",
        "- the list of host names",
        "  - with their owners",
        "1. Stop the timer.",
        "3. Start the timer again.",
        "```python\ndef renew(host):\n    if host.expires_soon():",
        "> A renewal that nobody tested is a hope.",
        "| Host | Expires |",
        "| api | March |",
        "/img/flow.png)",
        "~~struck~~",
    ],
)
def test_an_article_keeps_its_structure(wanted: str) -> None:
    assert wanted in article_of(Page(ARTICLE.encode())).markdown


def test_an_article_keeps_no_junk_and_knows_its_metadata() -> None:
    article = article_of(Page(ARTICLE.encode()))
    assert not any(junk in article.markdown for junk in ("About us", "cookies", "Imprint"))
    assert article.title.startswith("Renewing certificates")
    assert (article.author, article.published, article.problem) == ("Ada Example", "2026-03-01", "")
    assert "](http://127.0.0.1" in article.markdown
    assert "```" in article.markdown


@pytest.mark.parametrize("encoding", ["shift_jis", "euc_jp", "iso2022_jp", "utf-8", "utf-16"])
@pytest.mark.parametrize("declared", ["", "right", "utf-8"])
def test_japanese_pages_are_read_whatever_is_declared(encoding: str, declared: str) -> None:
    charset = {"": "", "right": f"; charset={encoding}", "utf-8": "; charset=utf-8"}[declared]
    article = article_of(Page(JAPANESE.encode(encoding), type=f"text/html{charset}"))
    assert article.title == "証明書の更新"
    assert "担当者に連絡してください" in article.markdown


@pytest.mark.parametrize("encoding", ["shift_jis", "euc_jp", "iso2022_jp"])
def test_six_characters_are_enough_to_tell_the_encoding(encoding: str) -> None:
    assert decode("更新のお知らせ".encode(encoding)) == "更新のお知らせ"


@pytest.mark.parametrize(
    ("text", "encoding"), [("Größe und Maß, naïve café", "cp1252"), ("Größe", "utf-8-sig"), ("한국어 문장입니다", "cp949")]
)
def test_other_encodings_are_read_as_declared(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding), encoding) == text


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "2130706433", "0x7f.1", "127.1", "0177.0.0.1", "①②⑦.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0"]
)
def test_no_spelling_of_loopback_is_fetched(host: str) -> None:
    with pytest.raises(UnsafeUrlError):
        fetch(f"http://{host}/", timeout=5)


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "ftp://example.com/x",
        "http://user@example.com/",
        "http://user:pw@example.com/",
        "http://example.com:22/",
        "http:///x",
        "gopher://example.com/",
        "http://a b/",
    ],
)
def test_urls_that_are_never_tried(url: str) -> None:
    with pytest.raises(UnsafeUrlError):
        fetch(url, timeout=5)


@pytest.mark.parametrize(
    "address",
    [
        "10.0.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "224.0.0.1",
        "::1",
        "fe80::1",
        "fc00::1",
        "::ffff:10.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "0.0.0.0",
        "::",
    ],
)
def test_addresses_that_are_not_public(address: str) -> None:
    with pytest.raises(UnsafeUrlError):
        check_address(address)


@pytest.mark.parametrize(
    "target",
    ["http://127.0.0.1:1/", "http://localhost/", "file:///etc/passwd", "http://2130706433/", "http://[::1]/", "http://u:p@127.0.0.1/"],
)
def test_each_redirect_is_checked(target: str) -> None:
    with serve({"/a": Page(status=302, headers={"Location": target})}) as site, pytest.raises(UnsafeUrlError):
        fetch(f"{site.url}/a", allow=[site.host], timeout=5)


def test_redirects_are_followed_but_not_for_ever() -> None:
    with serve(
        {
            "/a": Page(status=301, headers={"Location": "/b"}),
            "/b": Page(ARTICLE.encode()),
            "/loop": Page(status=302, headers={"Location": "/loop"}),
        }
    ) as site:
        assert fetch(f"{site.url}/a", allow=[site.host]).final_url == f"{site.url}/b"
        assert "redirects" in fetch(f"{site.url}/loop", allow=[site.host]).problem


def test_a_decompression_bomb_is_refused() -> None:
    bomb = gzip.compress(b"\0" * 50_000_000)
    with serve({"/a": Page(bomb, headers={"Content-Encoding": "gzip"})}) as site, pytest.raises(UnsafeUrlError, match="unpacks"):
        fetch(f"{site.url}/a", allow=[site.host])


def test_a_page_that_is_merely_large_is_a_problem() -> None:
    assert "larger than 5 MB" in article_of(Page(bytes(range(32, 127)) * 60_000)).problem


@pytest.mark.parametrize(
    ("status", "word"), [(401, "log-in"), (402, "payment"), (403, "forbids"), (404, "404"), (451, "legal"), (500, "500")]
)
def test_a_refusal_of_the_site_is_told(status: int, word: str) -> None:
    assert word in article_of(Page(ARTICLE.encode(), status=status)).problem


def test_a_script_shell_a_picture_and_an_empty_page_are_problems() -> None:
    assert "scripts" in article_of(Page(b"<html><body><div id=root></div><script>boot()</script></body></html>")).problem
    assert "image/png" in article_of(Page(b"x", type="image/png")).problem
    assert "empty" in article_of(Page(b"", type="text/plain")).problem


def test_a_slow_site_and_a_dead_one_are_problems() -> None:
    with serve({"/slow": Page(b"x" * 100, delay=0.2)}) as site:
        assert "slow" in fetch(f"{site.url}/slow", allow=[site.host], timeout=0.5).problem
        host = site.host
    assert "connection" in fetch(f"http://{host}/", allow=[host], timeout=2).problem


def test_a_pdf_gives_its_text() -> None:
    article = article_of(Page(make_pdf("Renew the passport before the trip"), type="application/pdf"))
    assert "Renew the passport" in article.markdown
    assert article.extractor == "pypdfium2"


def test_a_broken_pdf_is_a_problem() -> None:
    assert "cannot be opened" in article_of(Page(b"%PDF-1.4 nonsense", type="application/pdf")).problem


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("https://example.com/a", True),
        ("file:///x", True),
        (" https://a.b ", True),
        ("see https://a.b", False),
        ("", False),
        ("a:b", False),
    ],
)
def test_what_is_a_url(text: str, answer: bool) -> None:
    assert is_url(text) is answer


def make_pdf(text: str) -> bytes:
    """A one-page PDF by hand."""
    stream = f"BT /F1 18 Tf 40 700 Td ({text}) Tj ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    out = io.BytesIO()
    out.write(b"%PDF-1.4\n")
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
    start = out.tell()
    out.write(b"xref\n0 6\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % offset for offset in offsets))
    out.write(b"trailer << /Size 6 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % start)
    return out.getvalue()
