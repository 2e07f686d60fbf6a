"""The scanner's grammar: what a line or a piece of text must look like to mean something.

Every pattern is linear in the text it reads: possessive quantifiers (`*+`) never give back what they took. They
stand on single characters and classes only: on groups they match wrongly in Python 3.11 before 3.11.5 (CPython gh-106052).
"""

from __future__ import annotations

import re
from typing import Final

from vaultkit.text._links import ESCAPABLE, WIKILINK_BODY

_EOL: Final = r"(?=\n|\Z)"
_TAG: Final = r"[^\s\u2000-\u206f\u2e00-\u2e7f'!\"\#$%&()*+,.:;<=>?@^`{|}~\[\]\\]++"
_VALUE: Final = r"[^\s\"'=<>`]++|'[^'\n]*+'|\"[^\"\n]*+\""
# Every alternative starts with a literal character, so that `re` skips all other characters in one tight loop.
# Possessive quantifiers (`*+`) keep each attempt linear. The named group that closes last tells what was found.
TOKEN: Final = re.compile(
    rf"""
      \n\ufeff?(?P<ws>[ \t>]*+)(?:
          (?P<atx>\#{{1,6}}+)(?=[ \t\n]|\Z)
        | (?P<fence>`{{3,}}+(?=[^`\n]*+{_EOL})|~{{3,}}+)
        | (?P<underline>(?:=++|-++)[ \t]*+{_EOL})
        | (?P<rule>(?:\*(?:[ \t]*+\*){{2,}}|-(?:[ \t]*+-){{2,}}|_(?:[ \t]*+_){{2,}})[ \t]*+{_EOL})
        | (?P<bullet>(?:[-*+]|(?P<number>[0-9]{{1,9}}+)[.)])(?:(?P<gap>[ \t]++)(?:\[(?P<box>[^\n])\](?=[ \t\n]|\Z))?|{_EOL}))
        | (?P<block>%%(?!%)|<!--|\$\$(?!\$))
        | (?P<quoted>(?<=>)\#{_TAG})
      )
    | \\(?P<escape>{ESCAPABLE})
    | `(?P<span>[^`\n]++`(?!`))
    | `(?P<ticks>`*+)
    | \$(?P<dollars>\$*+)
    | <(?P<comment>!--)
    | <(?P<html>/?+[A-Za-z][A-Za-z0-9-]*+(?:[ \t]++[A-Za-z_:@][\w.:-]*+(?:[ \t]*+=[ \t]*+(?:{_VALUE}))?){{0,16}}[ \t]*+/?+>)
    | \[(?P<wikilink>\[(?!\[)(?P<body>{WIKILINK_BODY})\]\])
    | \[(?P<open>)
    | \](?P<close>\(?+)
    | \#(?P<tag>(?<![^\s\ufeff]\#){_TAG})
    | \^(?P<id>(?<=\s\^)[A-Za-z0-9-]++(?=[ \t]*+{_EOL}))
    """,
    re.VERBOSE,
)
# Where a paragraph, a table row or a heading ends: no inline syntax reaches across.
_BOUNDARY: Final = rf"""
    \n | \Z | \#{{1,6}}+[ \t\n] | [-*+][ \t] | [0-9]{{1,9}}+[.)][ \t] | `{{3,}}+[^`\n]*+{_EOL} | ~~~ | \| | <!-- | \$\$
    | (?:-++|=++|\*{{3,}}+|_{{3,}}+)[ \t]*+{_EOL}
"""
PARAGRAPH_END: Final = re.compile(rf"\n(?=[ \t]*+(?:{_BOUNDARY}|>))", re.VERBOSE)
QUOTED_PARAGRAPH_END: Final = re.compile(rf"\n(?=[ \t>]*+(?:{_BOUNDARY}))", re.VERBOSE)
TICKS: Final = re.compile(r"`+")
MATH_END: Final = re.compile(r"\$(?<![\s\\$]\$)(?![0-9$])")
NESTED_FENCE: Final = re.compile(rf"((?:(?:[-*+]|[0-9]{{1,9}}+[.)])[ \t]++|>[ \t]*+)*)(`{{3,}}+(?=[^`\n]*+{_EOL})|~{{3,}}+)")
QUOTE: Final = re.compile(r"[ \t]*+>")
UNQUOTED: Final = re.compile(r"\n(?![ \t]*+>)")
PREFIX: Final = re.compile(r"\n([ \t>]*+)")
FENCE_END: Final = {mark: re.compile(rf"\n[ \t]*+({mark}{{3,}}+)[ \t]*+{_EOL}") for mark in "`~"}
FENCE_LINE: Final = re.compile(rf"\n([ \t>]*+)(?:(`{{3,}}+|~{{3,}}+)[ \t]*+{_EOL})?")
BLANK: Final = re.compile(rf"\n[ \t>]*+{_EOL}")
BLANK_OR_QUOTE: Final = re.compile(rf"\n[ \t]*+(?:{_EOL}|(?=>))")
AFTER_BLANK: Final = re.compile(r"\n(?:[ \t>]*+\n)+([ \t>]*+)")
BLANK_BEFORE_LINE_END: Final = re.compile(r"[ \t]++\n")
INDENT: Final = re.compile(r"[ \t]*+")
NO_PARAGRAPH: Final = re.compile(r" {4}| *\t|[ \t]*+(?:[>|]|<(?!http)|%%|\$\$|\[[^\]\n]*+\]:)")
MAY_NEST: Final = frozenset("`~>-+*0123456789")
CLOSING_HASHES: Final = re.compile(r"(?:^|[ \t]++)#++$")
