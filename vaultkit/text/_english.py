"""English words for search: a suffix-stripping stemmer in the manner of Porter, irregular forms, stop words. Pure."""

from __future__ import annotations

import re
from typing import Final

# What a question is made of and no note is about; `may` is a month and `us` a country as often as not.
_STOP_WORDS: Final = """
    a about after again all also am an and any anyone anything are arent as at be because been before being between both but by
    can cant cannot could couldnt did didnt do does doesnt doing done dont during each either else ever every few for from
    get gets getting give given go goes going gonna got had hadnt has hasnt have havent having he her here hers herself
    him himself his how however i if in into is isnt it its itself just let lets likely made make makes many me
    might more most much must my myself no nor not of off often oh ok okay on once or other others our ours
    ourselves out over own per please same say says shall she should shouldnt show so some someone something such tell than
    that the their theirs them themselves then there these they thing things this those though through to too under until up
    upon use used using very via was wasnt way we went were werent what whats when where whether which while who
    whom whose why will with within without wont would wouldnt yes yet you your yours yourself im ive id youre youve theyre
    theyve weve hes shes thats theres d ll m o re s t ve
    """
STOP_WORDS: Final = frozenset(_STOP_WORDS.split())  # dropped from queries only: the index keeps every word

# Irregular forms by their base form, which the stemmer then treats like any word.
_FORMS: Final = """
    awake awoke awoken; beat beaten; become became; begin began begun; bend bent; bind bound; bite bit bitten; bleed bled; blow blew blown;
    break broke broken; breed bred; bring brought; build built; burn burnt; buy bought; catch caught; choose chose chosen; cling clung;
    come came; creep crept; deal dealt; dig dug; draw drew drawn; dream dreamt; drink drank drunk; drive drove driven; eat ate eaten;
    fall fell fallen; feed fed; feel felt; fight fought; find found; flee fled; fly flew flown; forbid forbade forbidden; forget forgot forgotten;
    forgive forgave forgiven; freeze froze frozen; get got gotten; give gave given; go went gone; grind ground; grow grew grown; hang hung;
    hear heard; hide hid hidden; hold held; keep kept; kneel knelt; know knew known; lay laid; lead led; lean leant; leap leapt; learn learnt;
    leave left; lend lent; lie lay lain; light lit; lose lost; make made; mean meant; meet met; pay paid; prove proven; ride rode ridden;
    ring rang rung; rise rose risen; run ran; say said; see saw seen; seek sought; sell sold; send sent; sew sewn; shake shook shaken;
    shine shone; shoot shot; show shown; shrink shrank shrunk; sing sang sung; sink sank sunk; sit sat; sleep slept; slide slid; smell smelt;
    speak spoke spoken; speed sped; spell spelt; spend spent; spill spilt; spin spun; spit spat; spring sprang sprung; stand stood; steal stole stolen;
    stick stuck; sting stung; stink stank stunk; strike struck stricken; strive strove striven; swear swore sworn; sweep swept; swell swollen;
    swim swam swum; swing swung; take took taken; teach taught; tear tore torn; tell told; think thought; throw threw thrown;
    understand understood; wake woke woken; wear wore worn; weave wove woven; weep wept; win won; wind wound; wring wrung; write wrote written;
    child children; man men; woman women; person people; foot feet; tooth teeth; goose geese; mouse mice; knife knives; life lives; wife wives;
    leaf leaves; shelf shelves; half halves; self selves; wolf wolves; loaf loaves; calf calves; thief thieves; analysis analyses; basis bases;
    crisis crises; thesis theses; index indices; matrix matrices; vertex vertices; criterion criteria; phenomenon phenomena; datum data;
    good better best; bad worse worst
"""


def stem(word: str) -> str:
    """The stem of a lower-case ASCII *word*: `deadlines` → `deadlin`, `tried` → `tri`, `bought` → `buy`."""
    word = _BASE.get(word, word)
    if len(word) < 3 or word in _WHOLE:
        return word
    if len(word) > 3:
        if word[-1] == "s":
            word = _singular(word)
        if word[-1] in "dg":
            word = _present(word)
    if word[-1] == "y" and word[-2] not in _VOWELS:
        word = word[:-1] + "i"
    for _ in range(3):
        shorter, last = _without_suffix(word)
        word = shorter
        if last:
            break
    return _without_e(word)


_VOWELS: Final = "aeiou"
_VOWEL: Final = re.compile("[aeiouy]")
_SYLLABLE: Final = re.compile("[aeiouy][aeiou]*[^aeiou][^aeiouy]*")  # what Porter counts: the m in [C](VC)^m[V]
_SHORT: Final = re.compile("[^aeiouy][aeiouy][^aeiouwxy]$")  # hop(e), fil(e): a final e belongs to the word
_BASE: Final[dict[str, str]] = {form: base for base, *forms in (row.split() for row in _FORMS.split(";")) for form in forms}

_WHOLE: Final = frozenset(("news", "lens", "series", "species", "always"))  # no plurals

# ending, what stands in its place, how many syllables must remain; (x) stays. After a 2 nothing more is taken off.
_ENDINGS: Final = """
    ational ate 1; tional tion 1; ical ic 1; ional ion 1; al - 2;
    ization ize 1; isation ise 1; ation ate 1; (s)ion - 2; (t)ion - 2;
    enci ence 1; anci ance 1; ance - 2; ence - 2; iti - 2; aliti al 1; iviti ive 1; biliti ble 1; iciti ic 1; logi log 1;
    ousli ous 1; entli ent 1; alli al 1; bli ble 1; eli e 1; fulli ful 1; li - 2; (c)li - 1; (d)li - 1; (h)li - 1; (k)li - 1; (m)li - 1; (t)li - 1;
    izer ize 1; iser ise 1; er - 2; ator ate 1; alism al 1; ism - 2; alist al 1; ist - 2;
    iveness ive 1; fulness ful 1; ousness ous 1; ness - 1; ful - 1;
    icate ic 1; ate - 2; ative - 1; ive - 2; alize al 1; alise al 1; ize - 2; ise - 2;
    able - 2; ible - 2; ement - 2; ment - 2; ent - 2; ant - 2; ic - 2; ous - 2
"""


def _table(rows: str) -> dict[str, tuple[tuple[str, int, str, int], ...]]:
    groups: dict[str, list[tuple[str, int, str, int]]] = {}
    for row in rows.split(";"):
        pattern, instead, syllables = row.split()
        before, _, cut = pattern.rpartition(")")
        groups.setdefault(pattern[-2:], []).append((before[1:] + cut, len(cut), instead.replace("-", ""), int(syllables)))
    return {last: tuple(sorted(group, key=lambda rule: -len(rule[0]))) for last, group in groups.items()}


_RULES: Final = _table(_ENDINGS)


def _singular(word: str) -> str:
    if word.endswith("ies"):
        return word[:-2] if len(word) > 4 else word[:-1]  # parties → parti, ties → tie
    if word.endswith("sses"):
        return word[:-2]
    return word if word[-2] in "su" or word.endswith("is") else word[:-1]


def _present(word: str) -> str:
    """Without `-ed` or `-ing`, where a vowel is left."""
    if word.endswith("eed"):
        return word[:-1] if len(word) > 4 else word
    head = word[:-2] if word.endswith("ed") else word[:-3] if word.endswith("ing") else ""
    if not _VOWEL.search(head):
        return word
    if len(head) < 3:
        return head + "e" if word[-1] == "d" or head[0] in _VOWELS else word  # tied, used, using; but king
    if head.endswith(("at", "bl", "iz", "is")):
        return head + "e"
    if head[-1] == head[-2] and head[-1] not in "aeioulsz":
        return head[:-1] if len(head) > 3 else head  # planned → plan, added → add
    return head + "e" if _SHORT.search(head) and len(_SYLLABLE.findall(head)) == 1 else head


def _without_suffix(word: str) -> tuple[str, bool]:
    """*word* without its longest known ending; True when nothing more may be taken off."""
    for ending, cut, instead, syllables in _RULES.get(word[-2:], ()):
        if word.endswith(ending):
            head = word[:-cut]
            if len(_SYLLABLE.findall(head)) >= syllables:
                return head + instead, syllables > 1
    return word, True


def _without_e(word: str) -> str:
    if word[-1] == "e" and len(word) > 3:
        head = word[:-1]
        syllables = len(_SYLLABLE.findall(head))
        if syllables > 1 or (syllables == 1 and not _SHORT.search(head)):
            word = head
    return word[:-1] if word.endswith("ll") and len(_SYLLABLE.findall(word)) > 1 else word
