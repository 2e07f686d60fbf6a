"""Redaction over any text: idempotent, and no secret of a known form survives between any neighbours."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from vaultkit.text.secrets import redact

ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
token = st.text(ALPHABET, min_size=24, max_size=40)
secrets = st.one_of(
    token.map("ghp_{}".format),
    token.map("sk-ant-api03-0{}".format),
    token.map("xoxb-{}".format),
    st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", min_size=16, max_size=16).map("AKIA{}".format),
    st.tuples(token, token, token).map(lambda parts: f"eyJ{parts[0]}.eyJ{parts[1]}.{parts[2]}"),
)
edges = st.sampled_from(["", " ", "\n", '"', "'", "(", "=", ": ", ", ", "`", "。", "は"])
prose = st.text(max_size=60)


@settings(deadline=None, max_examples=150)
@given(prose, edges, secrets, edges, prose)
def test_no_secret_of_a_known_form_survives(before: str, left: str, secret: str, right: str, after: str) -> None:
    assert secret not in redact(f"{before} {left}{secret}{right} {after}")


@settings(deadline=None, max_examples=150)
@given(st.lists(st.one_of(prose, secrets, edges, st.sampled_from(["password", "API_KEY", "=", "https://a:b@c"]))).map(" ".join))
def test_the_same_again_changes_nothing(text: str) -> None:
    once = redact(text)
    assert redact(once) == once
