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
    for named in (_QUOTED, _NAMED, _OPTION, _BARE):
        text = named.sub(_named, text)
    return text


def _named(found: re.Match[str]) -> str:
    value = found["value"]
    return found[0] if _is_no_secret(found["name"], value, found["sign"]) else f"{found['name']}{found['sign']}{REDACTED}"


_RULES: Final[tuple[tuple[re.Pattern[str], str], ...]] = (
    (
        re.compile(r"-----BEGIN ([A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?)-----[\s\S]*?(?:-----END \1-----|\Z)"),
        REDACTED,
    ),
    (
        re.compile(r"(?<![A-Za-z0-9])([a-z][a-z0-9+.-]{1,20}://[^\s:/@\"'<>]{0,100}):(?!\[redacted\])[^\s/\"'<>]{1,200}@", re.IGNORECASE),
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
    # curl -u name:password; not docker's -u 1000:1000
    (
        re.compile(r"(?<!\S)((?:-u|--user)[ =]{1,3}[\"']?[^\s:\"']{1,100}):(?!\d{1,6}(?![^\s\"']))(?!\[redacted\])[^\s\"']{1,200}"),
        rf"\1:{REDACTED}",
    ),
)

_JAPANESE: Final = "パスワード|パスフレーズ|パスコード|暗証番号|合言葉|秘密鍵|トークン|シークレット(?:キー)?|アクセスキー|認証キー|(?:api|ＡＰＩ)[ \t]?キー"
_WORDS: Final = (
    r"pass(?:word|wd|phrase|code)?|pwd|pw|secret|token|api[_-]?key|apikey|access[_-]?key|secret[_-]?key|auth[_-]?token|private[_-]?key|"
    rf"client[_-]?secret|credentials?|connection[_-]?string|{_JAPANESE}"
)
# `DB_PASSWORD`, `dbPassword`, `"api_key"`, `\"token\"`
_NAME: Final = (
    rf"(?P<name>(?<![A-Za-z0-9])(?:(?:[A-Za-z0-9]{{1,40}}[_-]){{0,6}}(?:{_WORDS})(?:[_-][A-Za-z0-9]{{1,20}}){{0,3}}"
    r"|[A-Za-z]{1,20}(?:password|passwd|secret|token|apikey))(?:\\?[\"'])?)"
)
_SIGN: Final = r"[ \t]{0,4}(?:=>|:=|=|＝|:|：|は|が|を)[ \t]{0,4}"
_CHARS: Final = r"[^\s\"'`,;「」。、（）()<>{}]"
_VALUE: Final = rf"(?P<value>{_CHARS}{{3,400}}{_CHARS[:-1]}.!?])"
# `PASSWORD="two words"`: to the end of the quotation
_QUOTED: Final = re.compile(rf"{_NAME}(?P<sign>{_SIGN}(?P<quote>[\"'`]))(?P<value>[^\n\"'`]{{4,400}}?)(?=(?P=quote))", re.IGNORECASE)
# `PASSWORD=…`, `"api_key": "…"`, `password: …`, `パスワードは…`
_NAMED: Final = re.compile(rf"{_NAME}(?P<sign>{_SIGN}(?:\\?[\"'「`])?){_VALUE}", re.IGNORECASE)
# `--token …`
_OPTION: Final = re.compile(rf"(?P<name>(?<![\w-])--(?:[a-z0-9]{{1,20}}-){{0,3}}(?:{_WORDS}))(?P<sign>[ \t]{{1,4}}){_VALUE}", re.IGNORECASE)
# `パスワード hunter2`: letters and digits, straight behind the word
_BARE: Final = re.compile(
    rf"(?P<name>{_JAPANESE})(?P<sign>[ \t\u3000]{{0,4}})(?P<value>(?=[!-~]{{0,60}}\d)(?=[!-~]{{0,60}}[A-Za-z])[A-Za-z0-9][!-~]{{5,400}})",
    re.IGNORECASE,
)
# `パスワードは8文字以上`: a number of something
_COUNT: Final = re.compile(r"\d{1,6}(?:文字|桁|回|個|つ|本|件|種類|人|行|週|日|年|か?ヶ?月|時間|分|秒|%|％|円|以上|以下)")
_PLACEHOLDER: Final = re.compile(
    r"\[redacted\].*|\$.*|%.*|<.*|\*+|x{3,}|\.{3,}|…|your[_-].*|changeme|example.*|none|null|true|false|undefined|required|optional|string|str|int|os\.environ.*|process\.env.*|getenv.*",
    re.IGNORECASE,
)


def _is_no_secret(name: str, value: str, sign: str) -> bool:
    """A placeholder, a name of where the secret is, or a word of prose."""
    if _PLACEHOLDER.fullmatch(value) or (sign.strip() in {"は", "が", "を"} and _COUNT.match(value)):
        return True
    spelled = name.isupper() or '"' in name or "'" in name or "=" in sign or "「" in sign or '"' in sign or "'" in sign or "`" in sign
    if spelled and not _is_word(value):
        return False
    # `password: hunter2` is one, `token: the smallest unit` is none
    return _is_word(value) and not (name.isupper() and "=" in sign)


def _is_word(value: str) -> bool:
    """Words of prose, one or several."""
    return all(map(_is_one_word, value.split()))


def _is_one_word(value: str) -> bool:
    bare = value.strip(".!?:*_-/")
    if not bare.isascii():
        return not any(char.isdigit() for char in bare)
    return bare.isalpha() and (bare.islower() or bare.istitle() or (bare.isupper() and len(bare) < 6))
