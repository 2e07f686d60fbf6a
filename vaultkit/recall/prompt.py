"""What is left of a prompt when everything is gone that its writer did not write; whether that asks for anything; in which mode. Pure, linear."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Final, Literal, NamedTuple

from vaultkit.recall.words import Word, words_of

Mode = Literal["light", "targeted", "graph-overview"]
MODES: Final[tuple[Mode, ...]] = ("light", "targeted", "graph-overview")

GENERIC: Final = 0.2  # what a word of any work weighs beside another
LONGEST: Final = 8_000  # characters that are looked at: three quarters from the beginning, the rest from the end


class Prompt(NamedTuple):
    """A prompt, cleaned. *reason* says why it is noise: empty, command, pasted, short, generic."""

    text: str
    words: tuple[Word, ...] = ()
    noise: bool = False
    reason: str = ""
    bare: bool = False  # nothing but a few words of a subject, as one types them into a search box
    overview: bool = False  # asks how things hang together
    asks: bool = False  # asks for what was written, decided, done

    @property
    def telling(self) -> frozenset[str]:
        """The keys of the words that say what it is about. Where a few words of any work are all there is, it is them."""
        return frozenset(word.key for word in _telling(self.words, bare=self.bare))

    @property
    def tokens(self) -> dict[str, float]:
        """What to ask the search index for, each token with its weight."""
        found: dict[str, float] = {}
        for word in self.words:
            for token in word.tokens:
                weight = word.weight * (GENERIC if word.generic else 1.0)
                found[token] = max(found.get(token, 0.0), weight if word.latin else weight / len(word.tokens))
        return found


def clean(prompt: str) -> Prompt:
    """The part of *prompt* that a person typed in their own words, and whether it could be about a note at all."""
    typed = prompt.strip()
    if not typed:
        return Prompt("", noise=True, reason="empty")
    if _COMMAND.match(typed):
        return Prompt("", noise=True, reason="command")
    text = _own_words(_within(typed))
    if not text:
        return Prompt("", noise=True, reason="pasted")
    words = words_of(text)
    bare = _is_bare(text, words)
    reason = _why_noise(text, words, bare=bare)
    overview = _overview().search(text) is not None and not _HERE.search(text)
    return Prompt(text, words, bool(reason), reason, bare, overview, _asks_memory().search(text) is not None)


def mode_of(prompt: Prompt) -> Mode:
    """How to look: overview of how things hang together, a subject that is named, or an ordinary turn."""
    if prompt.overview:
        return "graph-overview"
    if prompt.asks or prompt.bare or _NAMED.search(prompt.text):
        return "targeted"
    return "light"


# -- taking away -------------------------------------------------------------------------------------------------------

# `/compact`, `/review the last commit`, `!ls`; but /etc/hosts is a path
_COMMAND: Final = re.compile(r"/[A-Za-z][\w:-]*(?=\s|$)|!\s*[a-z]")


def _within(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    head = LONGEST * 3 // 4
    return f"{text[:head]}\n\n{text[head + 2 - LONGEST :]}"


def _own_words(text: str) -> str:
    """*text* without marked blocks, code, quotations, pasted output and addresses; lines that remain, joined by newlines."""
    for pattern in _BLOCKS:
        text = pattern.sub("\n", text)
    kept = _typed_lines(text.splitlines())
    text = "\n".join(kept)
    for pattern, instead in _INLINE:
        text = pattern.sub(instead, text)
    return "\n".join(filter(None, (" ".join(line.split()) for line in text.splitlines())))


_BLOCKS: Final = (
    # Our own digest, whatever became of its end.
    re.compile(r"<vault-memory\b[^<>]{0,80}>(?:(?!</vault-memory)[\s\S])*(?:</vault-memory\s*>|\Z)", re.IGNORECASE),
    # What harnesses wrap around a prompt: <system-reminder>, <environment_context>, <ide_selection> …: a tag with - or _ is nobody's HTML.
    re.compile(r"<([a-z]+(?:[-_][a-z]+)+)(?:\s[^<>]{0,200})?>(?:(?!</\1>)[\s\S])*</\1>", re.IGNORECASE),
    re.compile(r"^[ \t]*(```+|~~~+)[^\n]*\n(?:(?![ \t]*\1)[^\n]*\n?)*(?:[ \t]*\1[^\n]*)?", re.MULTILINE),
    re.compile(
        r"^-{3,} ?(?:Original Message|Forwarded message|Weitergeleitete Nachricht|元のメッセージ|転送) ?-{3,}[\s\S]*",
        re.MULTILINE | re.IGNORECASE,
    ),
    re.compile(r"\[(?:Image|Pasted text|Request interrupted)[^\[\]]{0,80}\]"),
)
_INLINE: Final = (
    (re.compile(r"\b[a-z][a-z0-9+.-]{1,12}://\S+", re.IGNORECASE), " "),
    (re.compile(r"\bwww\.\S+", re.IGNORECASE), " "),
    (re.compile(r"(?<!\S)@[\w./-]*/[\w./-]+"), " "),  # a mentioned file of the repository
    (re.compile(r"(?<![\w/.])(?:~|\.{1,2})?(?:/[\w.@+-]+){2,}/?"), " "),  # a path
    (re.compile(r"\b[0-9a-f]{7,40}\b(?<![a-f]{7})"), " "),  # a commit, an address in memory
    (re.compile(r"</?[A-Za-z][^<>\n]{0,200}>"), " "),
)


def _typed_lines(lines: Sequence[str]) -> list[str]:
    """The lines that look typed. Where most of a paragraph is pasted, the rest of it is as well."""
    kept: list[str] = []
    for paragraph in _paragraphs(lines):
        typed = [line for line in paragraph if not _is_pasted(line)]
        pasted = len(paragraph) - len(typed)
        if pasted == 0:
            kept += typed
        elif pasted < len(paragraph) / 2:
            kept += (line for line in typed if _is_prose(line))
        elif _is_prose(paragraph[0]) and not _is_pasted(paragraph[0]) and not _INDENTED.match(paragraph[0]):
            kept.append(paragraph[0])  # "fix this:" above what it is about
    return kept


def _paragraphs(lines: Sequence[str]) -> list[list[str]]:
    found: list[list[str]] = [[]]
    for line in lines:
        if line.strip():
            found[-1].append(line)
        elif found[-1]:
            found.append([])
    return [paragraph for paragraph in found if paragraph]


def _is_pasted(line: str) -> bool:
    """Is *line* what a program wrote: log, stack frame, diff, test report, code, a quoted mail?"""
    text = line.strip()
    if _output().search(line):
        return True
    if len(text) > _LONG_LINE and " " not in text[:_LONG_LINE] and text.isascii():
        return True
    signs = sum(1 for char in text if not char.isalnum() and not char.isspace())
    return len(text) >= _SHORT_LINE and text.isascii() and signs / len(text) > _MANY_SIGNS


_LONG_LINE: Final = 200
_SHORT_LINE: Final = 12
_MANY_SIGNS: Final = 0.28
_INDENTED: Final = re.compile(r"\s{2,}|\t")


def _is_prose(line: str) -> bool:
    """Words in a row, and no more signs than a sentence has."""
    text = line.strip()
    signs = sum(1 for char in text if not char.isalnum() and not char.isspace() and char.isascii())
    return signs <= max(2, len(text) // 8)


@cache
def _output() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in _OUTPUT), re.IGNORECASE)


_OUTPUT: Final = (
    r"^\s*>",  # a quotation
    r"^\s*(?:On|Am|Le) .{4,80}(?:wrote|schrieb|a écrit)\s*:\s*$",
    r"^\s*(?:From|To|Cc|Sent|Subject|Date|差出人|宛先|送信日時|件名)\s*[:：]\s*\S",
    r"^\s*\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d",  # logs
    r"^\s*\[?\d\d:\d\d:\d\d",
    r"^\s*(?:\w{3} \d{1,2} \d\d:\d\d:\d\d) ",
    r"^\s*\[?(?-i:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL)\b[\]:|\s-]\s*\S",
    r"^\s*(?:\S+\s+)?(?:error|warning|fatal|panic|exception|note|hint)(?:\[\w+\])?:\s",
    r"^\s*(?:[\w.$]+\.)?\w*(?:Error|Exception|Warning|Interrupt|Failure)\b(?::|\s*$|\s+at\b)",
    r"^\s*Caused by:|^\s*Exception in thread\b",
    r"^\s*Traceback \(most recent call last\)|^\s*File \"[^\"]+\", line \d+",
    r"^\s*at\s+[\w.$<>\[\] ]+\(.*\)\s*$|^\s*at\s+\S+:\d+:\d+",
    r"^\s*#\d+\s+0x|^\s*0x[0-9a-f]{6,}",
    r"\S+\.\w{1,5}[:(]\d+(?:[:,]\d+)?\)?:?\s*(?:error|warning|$)",
    r"^\s*-->\s|^\s*\d*\s*\|\s",  # compilers' excerpts
    r"^\s*(?:npm|yarn|pnpm) (?:ERR!|error|WARN)",
    r"^\s*(?:diff --git|index [0-9a-f]{6,}\.\.|@@ |\+\+\+ |--- [ab]/|new file mode|[+-]\s{2,}\S|[+-]\w+[ (=.])",
    r"^\s*(?:FAILED|PASSED|ERROR|ok|not ok|FAIL|PASS|✓|✗|✘|×|●)\s+\S*[/:.]\S",
    r"^\s*[=_*#~+-]{6,}",
    r"^\s*\d+ (?:passed|failed|errors?|warnings?|tests?)\b.*\d",
    r"^\s*(?:\$|%|>>>|❯|#!)\s*\S|^\s*[\w.-]+@[\w.-]+[:~].*[$#]\s",  # a shell
    r"^\s*!\s*\[|^\s*(?:To|remote:)\s",
    r"^\s*(?:segmentation fault|killed|aborted|core dumped|command not found)\b",
    r"\b(?:core dumped|command not found|exit(?:ed with)? (?:code|status) \d+|No such file or directory|Permission denied)\b",
    r"^\s*(?:import|from|export|const|let|var|def|class|function|public|private|return|if|for|while|func|fn|use|#include|SELECT)\b.*[{};=()]\s*$",
    r"^\s*[\w.\[\]\"']+\s*(?:[-+*/]?=|:=)\s*\S.*$(?<=[\w)\]}\"';,])",
    r"[;{}]\s*$",
    r"^\s*[\"'\w-]+\"?\s*:\s*[\"'\[{].*[,\]}\"']\s*$",
    r"^\s*</?\w+[^>]*>",
)

# -- noise -------------------------------------------------------------------------------------------------------------


def _why_noise(text: str, words: Sequence[Word], *, bare: bool) -> str:
    """Why nothing is to be looked up, "" when something is."""
    if not words or (len(text) == 1 and text.isascii()):
        return "short"
    return "" if _telling(words, bare=bare) else "generic"


def is_telling(word: Word) -> bool:
    """Is it neither of any work nor a number, a sign, a letter, an inflected verb?"""
    return not word.generic and word.weight >= _LITTLE


def _telling(words: Sequence[Word], *, bare: bool) -> list[Word]:
    own = [word for word in words if is_telling(word)]
    if own or not bare:
        return own
    weighty = [word for word in words if word.weight >= _LITTLE]
    return [word for word in weighty if not word.idle] if len(weighty) > 1 or (weighty and not weighty[0].latin) else []


_LITTLE: Final = 0.45

# -- mode --------------------------------------------------------------------------------------------------------------


def _is_bare(text: str, words: Sequence[Word]) -> bool:
    return (
        0 < len(words) <= _TITLE_WORDS
        and "\n" not in text
        and len(text) <= _TITLE_LENGTH
        and len(text.split()) <= len(words) + 1  # "how do we back up the database" is a sentence, short as it is
        and not (words[0].idle and words[0].latin)
        and not _SENTENCE.search(text)
    )


_TITLE_WORDS: Final = 4
_TITLE_LENGTH: Final = 40
_SENTENCE: Final = re.compile(r"[.!?。！？]|(?:です|ます|せん|した|する|ください|なさい|ほしい|ない|たい|[てでよねか])$")

# How the code before one hangs together is no question to the vault.
_HERE: Final = re.compile(
    r"\b(?:this|these|that) (?:file|function|class|method|module|code|component|repo|repository|package|diff|pr|script|schema|table|query)s?\b"
    r"|この(?:ファイル|関数|クラス|メソッド|モジュール|コード|リポジトリ|スクリプト|テーブル|クエリ|変数)",
    re.IGNORECASE,
)

# A wikilink, a record's id, something in quotation marks.
_NAMED: Final = re.compile(r"\[\[[^\[\]]+\]\]|\b(?:DEC|FAIL|IDEA|SESS)-\d|[「『“\"][^「」『』“”\"\n]{2,60}[」』”\"]|\b[\w./-]+\.md\b")


@cache
def _overview() -> re.Pattern[str]:
    return re.compile("|".join((*_OVERVIEW_EN, *_OVERVIEW_JA)), re.IGNORECASE)


@cache
def _asks_memory() -> re.Pattern[str]:
    return re.compile("|".join((*_MEMORY_EN, *_MEMORY_JA)), re.IGNORECASE)


_OVERVIEW_EN: Final = (
    r"\bhang together\b|\bfit(?:s)? together\b|\bbig picture\b|\bbird'?s[- ]eye\b|\bmind ?map\b|\bknowledge (?:graph|map)\b",
    r"\boverview (?:of|on|over)\b.{0,80}\b(?:notes?|vault|know|wrote|written|have|everything|topics?|area)\b",
    r"\b(?:give|show|need|want|get)\b.{0,20}\b(?:an? )?(?:overview|map)\b(?! of (?:the|this|that) (?:code|repo|function|class|file|diff))",
    r"\b(?:everything|all) (?:that )?(?:we|i) (?:know|have|wrote|noted|learn(?:ed|t)|collected)\b|\bwhat (?:all )?do (?:we|i) (?:know|have) (?:about|on)\b",
    r"\bhow (?:do|does|are|is|did)\b.{1,80}\b(?:relate|related|connect|connected|linked|tie|depend on each other|interact|belong together)\b",
    r"\b(?:relationships?|connections?|links) (?:between|among)\b|\b(?:backlinks?|linked (?:notes|from|to)|related notes|neighbou?rhood of)\b",
    r"\b(?:which|what) notes (?:link|connect|relate|belong|mention)\b|\b(?:map|landscape) of\b",
)
_OVERVIEW_JA: Final = (
    r"全体像|俯瞰|鳥瞰|相関|体系的|マインドマップ|知識グラフ|関係図|概観|見取り図",
    r"(?:どう|どのように|どんな風に|互いに).{0,12}(?:関係|関連|つなが|繋が|結びつ|かかわ|関わ)",
    r"(?:つながり|繋がり|関係性|関連性|関係|関連)(?:を|が|は|について)?.{0,8}(?:教え|知り|見せ|整理|まとめ|説明|示し|図|見たい|ある)",
    r"どの(?:ノート|メモ).{0,30}(?:リンク|つなが|繋が|関連|関係)",
    r"(?:関連|関係)(?:する|した|の)?(?:ノート|メモ)|バックリンク|リンク元|被リンク",
    r"について(?:の|は)?(?:知って|分かって|わかって|書いて|持って)いること|(?:ノート|メモ|知識)(?:の)?(?:全部|すべて|全体|一覧)",
)
_MEMORY_EN: Final = (
    r"\b(?:my|our|the|any|old|earlier) (?:\w+ ){0,2}(?:notes?|vault|memor(?:y|ies)|decisions?|records?|journal|diary|learnings|meeting minutes|captures?)\b",
    r"\b(?:did|have|had|what|when|where|why|how|which|who) (?:\w+ ){0,3}(?:we|i) (?:\w+ ){0,2}(?:decid|agre|cho(?:o|se)|pick|write|wrot|writ|not(?:e|ed)|discuss|plan|learn|settl|set ?up|solv|fix|handl|do|did|done|say|said|use|put|configur|record|mention|conclud|find|found|promis|schedul|store|keep|kept|rul|reject)",
    r"\bremind me\b|\b(?:do you )?remember (?:when|what|how|that|the|our|my)\b|\blast time\b|\bpreviously\b|\bback then\b|\bas (?:we|i) (?:decided|agreed|noted)\b|\blike (?:we|i) did\b",
    r"\baccording to\b|\bsearch (?:for|my|the notes)\b|\blook up\b|\bfind (?:the|my|our) notes?\b",
)
_MEMORY_JA: Final = (
    r"以前|この前|前に|前回|昔|先日|こないだ|この間|いつだった|だったっけ|だっけ|でしたっけ|たっけ|でしたか|覚えて|思い出",
    r"(?<![ァ-ヺー])(?:ノート|メモ)(?![ァ-ヺー])|議事録|記録|決定事項|決めた|決まった|経緯|書いておいた|残して(?:あ|お)|過去の|うちの|私の|僕の|我々の|私たちの",
    r"について(?:教えて|知りたい|は[?？]|何か)|の件(?:で|は|に|を|$)|とは(?:何|$)|はどこ|はいつ",
)
