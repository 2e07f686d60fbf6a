"""Secrets in text, taken out before anything of it is stored: keys, tokens, private keys, passwords in addresses, lines of .env files. Linear.

What looks alike and is none stays: hashes, UUIDs, base64 of images, ordinary prose. Known forms are matched by their own prefix; a secret
without one is only seen where a name says so (`password: …`, `API_KEY=…`).
"""

from __future__ import annotations

import re
from typing import Final

REDACTED: Final = "[redacted]"


def redact(text: str) -> str:
    """*text* with `[redacted]` in the place of each secret. The same again changes nothing."""
    for pattern, instead in _RULES:
        text = pattern.sub(instead, text)
    return _NAMED.sub(_named, text)


def _named(found: re.Match[str]) -> str:
    value = found["value"]
    return found[0] if _is_no_secret(found["name"], value, found["sign"]) else f"{found['name']}{found['sign']}{REDACTED}"


_RULES: Final[tuple[tuple[re.Pattern[str], str], ...]] = (
    (
        re.compile(r"-----BEGIN ([A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?)-----[\s\S]*?(?:-----END \1-----|\Z)"),
        REDACTED,
    ),
    (
        re.compile(r"(?<![A-Za-z0-9])([a-z][a-z0-9+.-]{1,20}://[^\s:/@\"'<>]{0,100}):(?!\[redacted\])[^\s/@\"'<>]{1,200}@", re.IGNORECASE),
        rf"\1:{REDACTED}@",
    ),
    # Anthropic, OpenAI and others of `sk-`; Stripe
    (re.compile(r"(?<![A-Za-z0-9-])sk-(?=[A-Za-z0-9_-]*\d)(?=[A-Za-z0-9_-]*[A-Za-z0-9]{12})[A-Za-z0-9_-]{16,}"), REDACTED),
    (re.compile(r"(?<![A-Za-z0-9])(?:sk|rk|pk|whsec)_(?:live_|test_)?[A-Za-z0-9]{16,}"), REDACTED),
    (re.compile(r"(?<![A-Za-z0-9])(?:gh[opusr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,})"), REDACTED),
    (re.compile(r"(?<![A-Za-z0-9])(?:AKIA|ASIA|AGPA|AIDA|AROA)[A-Z0-9]{16}(?![A-Z0-9])"), REDACTED),
    (re.compile(r"(?<![A-Za-z0-9])xox[abeoprs]-[A-Za-z0-9-]{10,}|(?<![A-Za-z0-9])xapp-[A-Za-z0-9-]{10,}"), REDACTED),
    (re.compile(r"https://hooks\.slack\.com/services/[A-Za-z0-9/_-]+"), REDACTED),
    (re.compile(r"(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{30,}|(?<![A-Za-z0-9])ya29\.[A-Za-z0-9_-]{20,}"), REDACTED),
    (re.compile(r"(?<![A-Za-z0-9])(?:hf|npm|pypi|dop_v1|r8|lin_api|figd|shpat)[_-][A-Za-z0-9_-]{24,}"), REDACTED),
    (re.compile(r"(?<![A-Za-z0-9])SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"), REDACTED),
    # JSON Web Tokens: two objects in base64 and a signature
    (re.compile(r"(?<![A-Za-z0-9])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?"), REDACTED),
    (
        re.compile(
            r"(?<![A-Za-z0-9])(Bearer|Basic|Token)([ \t]+)(?=[A-Za-z0-9._~+/=-]*[0-9._~+/=])[A-Za-z0-9._~+/-]{16,}={0,2}", re.IGNORECASE
        ),
        rf"\1\2{REDACTED}",
    ),
)

_WORDS: Final = (
    r"pass(?:word|wd|phrase|code)?|pwd|secret|token|api[_-]?key|apikey|access[_-]?key|secret[_-]?key|auth[_-]?token|private[_-]?key|"
    r"client[_-]?secret|credentials?|connection[_-]?string|パスワード|暗証番号|秘密鍵|トークン"
)
# `PASSWORD=…`, `"api_key": "…"`, `password: …`, `--token …`, `パスワードは…`
_NAMED: Final = re.compile(
    rf"(?P<name>(?<![A-Za-z0-9])(?:[A-Za-z0-9]{{1,40}}[_-]){{0,6}}(?:{_WORDS})(?:[_-][A-Za-z0-9]{{1,20}}){{0,3}}[\"']?)"
    r"(?P<sign>[ \t]{0,4}(?:=>|:=|=|:|：|は)[ \t]{0,4}[\"'「`]?)"
    r"(?P<value>[^\s\"'`,;「」。、（）()<>{}]{3,400}[^\s\"'`,;「」。、（）()<>{}.!?])",
    re.IGNORECASE,
)
_PLACEHOLDER: Final = re.compile(
    r"\[redacted\].*|\$.*|%.*|<.*|\*+|x{3,}|\.{3,}|…|your[_-].*|changeme|example.*|none|null|true|false|undefined|required|optional|string|str|int|os\.environ.*|process\.env.*|getenv.*",
    re.IGNORECASE,
)


def _is_no_secret(name: str, value: str, sign: str) -> bool:
    """A placeholder, a name of where the secret is, or a word of prose."""
    if _PLACEHOLDER.fullmatch(value):
        return True
    spelled = name.isupper() or '"' in name or "'" in name or "=" in sign or "「" in sign or '"' in sign or "'" in sign or "`" in sign
    if spelled and not _is_word(value):
        return False
    # `password: hunter2` is one, `token: the smallest unit` is none
    return _is_word(value) and not (name.isupper() and "=" in sign)


def _is_word(value: str) -> bool:
    bare = value.strip(".!?:*_-/")
    if not bare.isascii():
        return not any(char.isdigit() for char in bare)
    return bare.isalpha() and (bare.islower() or bare.istitle() or (bare.isupper() and len(bare) < 6))
