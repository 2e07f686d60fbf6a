"""English clauses: where one ends, and whether it is something that the writer has to do. Tables first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from vaultkit.capture.clauses import Kind, Span, inside, phrases, protected, word_set

# A clause that begins with one of these is an order to oneself.
_PLAIN_VERBS: Final = word_set(
    """abandon accelerate acquire activate adapt admit adopt advertise advise allocate allow amend anonymise anonymize archive argue assess assume assure
    attempt audit authorise authorize award balance ban batch beat benchmark bind blend boost bootstrap brief broadcast buff bundle bury calibrate
    camp cap carve cater chain challenge chop circulate claim classify climb clip clone close coat combine commission commit communicate compensate
    compose compute concentrate condense conduct confront consult contest continue control convince crop cross curate dampen date deactivate decline
    decommission deduct deduplicate deepen deflate delay deny deposit derive descale deselect detect dig dilute dim disassemble discard disconnect
    discover dismantle display dispatch dissolve distribute ditch divert dock dress drill dry dump dye earn ease elect eliminate embed embroider
    empower emulate encode encourage end endorse enforce engage enhance enjoy enlarge entertain equip erase escape examine exclude execute exempt
    expand expect expedite expose extinguish fasten fertilise fertilize filter finance fit flag flash flatten flip flush focus forgive format forage
    formulate frame free fry fund furnish garnish glaze glue graft grate grease greenlight grind guard guide hack halve hammer harvest haul heat
    highlight hoover host hug hunt hydrate illustrate incorporate increase index indicate influence initiate inject innovate inquire inspire
    insulate insure interpret interview intervene inventory involve isolate issue itemise itemize jog judge juggle jump justify knit launch lay
    leave legalise lengthen level lift limit line link liquidate litigate live loosen lower maintain marinate master match max maximise maximize
    mediate mentor mock model modify moisturise motivate mute name navigate neaten negotiate nominate normalise normalize notarise note nurture
    obtain offer offload oil omit operate oppose orient oversee own pair parallelise park parse participate partition paste patch pause peel perform
    permit persuade photocopy photograph pickle pin pivot poll pop populate port position pour praise pray pre-order preheat preorder prescribe
    preserve press pressure-wash prevent price prime probe proceed project promise prolong promote prompt proofread propagate provide provision
    pursue qualify quantify query queue quit quote race rank rate re-enable realign rearrange reassign rebalance reboot rebrand recalculate recall
    recap recommend recover recruit redact redecorate redeem redesign redirect refinance refine reflect reformat refuse regenerate regrout regulate
    rehang reheat reimburse reinforce relabel relax relay relist relocate rely remake remix remodel render renegotiate renovate reopen repaint repay
    repot represent rescan rescue reseed resell reshoot resize restock restrict restructure restyle resubmit retain retake rethink retire retrain
    retrieve retouch rewire rinse risk roll rotate route rub salvage sample sanitise satisfy scale scold scrape scratch screen screenshot scrub
    sculpt secure select serve settle shadow shape shave shelve shift shoot shorten shout shred shrink shut shuffle simulate sing size skip slice
    slim smoke smooth snooze soften specify spellcheck spin spray squash squeeze stabilise stack stage stamp standardise staple stash steam steer
    stick stir stitch straighten stream strengthen stress stretch structure sublet subtract supply support suppress surprise survey sustain sweeten
    swim tabulate tailor tape taste tend terminate thin tie tighten tile tint toast tow toughen trace trade transition trap travel trigger truncate
    trust tweak twist uncover undergo unfollow unify unlock unmute unpin unwind untangle urge utilise utilize vacate varnish vary verify vet view
    visualise visualize volunteer warm warn waterproof wean wear weave weld widen win wire wish wrap zip zoom decompose spring-clean
    accept add address adjust agree align analyse analyze announce apologise apologize appeal apply approve arrange ask assemble assign attach
    attend automate avoid backup bake become begin borrow bring brush build buy calculate call cancel capture celebrate chase check choose clarify
    clean clear collect combine compare compile complete compress configure confirm congratulate connect consider consolidate contact contribute
    convert cook coordinate correct create customise cut deal debug decide declutter decorate define defrost delegate delete deliver deploy describe
    design detach determine develop digitise digitize disable discuss dispose divide donate double-check download draft draw drive drop duplicate
    dust eat edit email empty enable encrypt enroll enrol ensure enter escalate establish evaluate exchange exercise experiment explain explore export extend
    extract feed fetch figure file fill finalise finalize find finish fix fold follow forward freeze gather generate get give go grab greet grill
    groom grow handle hang harden help hide hire identify implement import improve inform inspect install integrate introduce invest investigate
    invite invoice iron join keep label learn lend let list listen load locate lock look lubricate mail make manage map mark measure meditate meet
    memorise memorize mend merge message migrate minimise mix monitor mount move mow nag negotiate notify nudge onboard open optimise optimize order
    organise organize outline pack paint pay phone pick ping pitch place plan plant play plug polish post postpone practise practice prep prepare
    present print prioritise prioritize process procure produce profile propose protect prototype prove prune publish pull purchase push put raise
    rake re-read reach read rebase rebook rebuild recharge reconcile record recycle redo reduce refactor refill refresh register rehearse reinstall
    reject release remind remove rename renew reorder repair repeat replace reply report reproduce request research reschedule reserve reset resolve
    respond restart restore retry return reuse revert review revise revisit revoke rework rewrite ring rotate rsvp run sand save scan schedule seal search
    see seed sell send separate service set settle sew share sharpen ship shop shovel show sign simplify sketch solder solve sort speak spend split
    stain start stop store streamline strip study submit subscribe summarise summarize sweep swap switch sync tackle tag take talk teach tell test text
    thank think throw tidy top train transcribe transfer transform translate transplant treat triage trim troubleshoot try tune turn type unblock undo
    uninstall unpack unplug unsubscribe update upgrade upload use vacuum validate verify visit vote wait wake walk wash watch water wax weed weigh
    whitelist wind wipe withdraw work wrap write zip"""
)
# Also nouns: an order only when what follows is its object, see `_is_order`.
_NOUNS_TOO: Final = word_set("""archive audit award balance ban batch beat benchmark boost brief broadcast bundle camp cap chain challenge claim climb clip clone close coat
    commission commit contest control crop cross date delay deposit display dispatch dock dress drill dump dye ease end escape filter finance fit
    flag flash flip focus format frame free fund graft grease guard guide hack hammer harvest haul heat highlight host hug hunt increase index
    influence interview inventory issue jog judge jump launch leave level lift limit line link live lower master match max mentor mock model name
    note offer oil own pair park partition paste patch pause permit photograph pickle pin pivot poll pop port position praise press price prime
    probe project promise prompt query queue quote race rank rate recall recap relay remix rescue risk roll route sample scale scratch screen
    screenshot secure shadow shape shave shift shuffle size skip slice slim smoke smooth spin spray squash squeeze stack stage stamp staple stash
    steam stick stir stitch stream stress stretch structure supply support surprise survey swim tailor tape taste tile tint toast trace trade
    transition trap travel trigger trust tweak twist view volunteer warm wear win wire wish wrap zoom
    address appeal backup bake book brush call cancel change charge check clean clear coach complete contact cook copy cover cut deal demo design
    draft draw drive drop dust email empty exchange exercise experiment export extract feed figure file fill finish fix fold follow freeze go grill groom
    handle help hire import invoice iron join label learn lease let list load lock look mail map mark meet mend merge message mix monitor mount move
    open order outline pack paint park pay phone pick ping pitch place plan plant play plug polish post practice present print process produce profile prototype
    publish pull purchase push put raise rake reach read record refill refresh register release rent repair repeat report request research reset return
    review ride ring rotate run sand save scan schedule seal search seed service set share ship shop show sign sketch sort split stain start stop store strip
    study sweep swap switch tag talk test text throw top train transfer transplant treat trim try tune turn type update upgrade use visit vote wait wake
    walk wash watch water wax weed wind wipe work wrap zip""")
VERBS: Final = _PLAIN_VERBS | _NOUNS_TOO
# Of these, mostly nouns: an order only with a word behind that no compound has.
_MOSTLY_NOUNS: Final = word_set(
    """audit award balance ban batch beat benchmark boost brief bundle camp cap chain challenge climb coat commission contest control crop cross date delay deposit display dock dress drill dye ease end escape filter finance fine
    fit flag flash focus format frame free fund graft grease guard guide hammer harvest heat highlight host hunt index influence interview inventory issue judge jump launch leave level light limit line live lower master match max mentor mock model
    name note own park partition permit pickle pin pivot plot poll pool pop port position praise press price prime probe produce profile project promise prompt query queue quote race rank rate recall recap relay remix rescue ride ring
    risk roll round route sample sand scale scratch screen secure seed service set shadow shape shop show size slice smoke smooth spin spray stack stage stain stamp staple stash steam stick store stream stress
    stretch structure supply support surprise survey tag talk tape taste tile tint toast top trace trade train transition trap travel treat trigger trust tune turn twist type use view volunteer warm wax wear weed weigh win wind wire wish work wrap"""
)
# A noun of two words, though the first is a verb too.
_PAIRS: Final = phrases(
    """address book, appeal hearing, book club, book fair, book review, book idea, call center, call centre, call window, call log,
    call sheet, check list, check engine, test result, test results, test suite, test coverage, test drive, test run, test
    environment, test flight, plan a, plan b, order number, order form, order confirmation, draft beer, review meeting, review
    call, review session, review board, review comments, report card, email thread, email address, email list, mail server, mail
    room, text file, phone call, phone number, phone bill, phone contract, phone plan, phone screen, post office, watch strap,
    water bill, water heater, water bottle, water meter, name tag, list price, log file, note to, design review, design doc,
    design system, design sprint, demo day, demo video, pitch deck, pitch meeting, release notes, release train, release party,
    release date, release candidate, launch party, launch date, record player, research paper, study group, study notes, work
    trip, work laptop, work from, work party, schedule change, update meeting, change request, charge cable, copy machine, cover
    letter, cover art, exchange rate, exchange student, file server, paint job, park run, plant pot, plant sale, print shop,
    process documentation, rent contract, rent increase, lease agreement, rate limit, return window, return label, return flight,
    return ticket, run time, run club, sand paper, search engine, set list, show notes, show time, sign language, stock options,
    store hours, support ticket, survey results, tag line, talk proposal, tax return, tax office, trade fair, train ticket, train
    tickets, train ride, train station, train strike, trial period, trip report, use case, use cases, visit report, wash bag, open
    source, open house, open day, open issues, open questions, open mic, clean code, clean energy, answer key, request form, start
    date, start time, finish line, share price, transfer window, pick list, bug report, experiment notes, help desk, help center,
    land registry, leave request, look book, market research, match day, mind map, play date, play rehearsal, press release,
    purchase order, push notifications, push notification, push ups, register office, risk register, root cause, service desk,
    service charge, ship date, shop hours, sort order, split second, start up, swap meet, switch statement, top shelf, top floor,
    type error, type hints, visit times, wake up, walk in, wind turbine, work order, pay slip, pay day, pay gap, pay rise, play
    store, check up, meet up, clear sky, clear skies, clear day, complete mess, complete disaster, complete list, fix for, present
    day, present value, drop off, drive train, cut off, cover band, load balancer, load test, lock screen, map reduce, mark down,
    merge conflict, merge freeze, merge queue, message queue, mix tape, monitor stand, move day, moving day, pack size, place of,
    profile picture, pull request, ring tone, run book, save game, scan code, search index, seed round, seed money, show case,
    stain remover, strip mall, sweep stakes, text editor, throw away, treat for, tune up"""
)
# With these behind it, a word that is also a noun is an order.
_OBJECTS: Final = word_set("""the a an my our your his her their its this that these those some all any both each every new old more another one two three four five ten it them him
    us me everyone everybody people mum mom dad up out off down away back through into whether if how why what which""")
_WITH: Final = {
    "for": word_set("look search shop apply ask pay plan register prepare wait vote watch check call"),
    "with": word_set("check talk share work start help align deal follow meet sync speak"),
    "to": word_set("talk speak switch move return reach respond listen go reply write add contribute"),
    "on": word_set("work turn check vote follow focus decide put"),
    "in": word_set("check hand fill turn put"),
    "about": word_set("ask talk think read write learn"),
    "over": word_set("go hand look talk read"),
    "at": word_set("look"),
}
_LABEL_NOUNS: Final = word_set(
    "date dates number no id ref reference name period total amount status type code address title time place venue fee price deadline"
)
_PREPOSITIONS: Final = word_set("for with to on in about over at of from by before until till during after between and or vs")
_TEMPORAL: Final = word_set("before after by until during this next first today tomorrow tonight")

_FINITE: Final = word_set("""is are was were isn't aren't wasn't weren't am has had hasn't hadn't will won't would can can't cannot could couldn't may might shall does doesn't did didn't
    goes gets comes starts begins ends opens closes expires renews runs meets arrives leaves lands moves needs wants keeps says said told asked promised promises
    thinks seems looks feels works breaks fails costs takes makes gives went came got gave made broke took sent arrived failed passed crashed started ended
    finished closed opened changed moved expired landed left fell became happened kept increased decreased grew rose increased doubled stopped worked liked loved
    hated found lost won wrote read's hit bought paid learned learnt saw heard met sat spent forgot missed""")
_PAST: Final = word_set("""was were had did went came got gave made broke took sent arrived failed passed crashed started ended finished closed opened changed moved expired landed
    left fell became happened kept grew rose stopped worked liked loved hated found lost won wrote bought paid learned learnt saw heard met sat spent forgot missed
    shipped launched released merged deployed fixed called emailed talked tried told said asked reported completed delivered signed submitted sold shown showed
    talked visited watched decided agreed noticed realized realised discovered""")
_PREDICATES: Final = word_set(
    "valid expires expire ends starts begins opens closes renews auto-renews renewing runs lands arrives kicks goes takes lasts continues is was will needs must has"
)
_CONTRACTED: Final = re.compile(r"(?:he|she|it|that|who|they|we|you)['’](?:s|re|ll)\b", re.IGNORECASE)
_APPOINTMENTS: Final = word_set(
    "appointment meeting interview exam deadline flight train party dinner lunch concert wedding birthday anniversary class lesson event demo launch kickoff delivery hearing surgery viewing"
)
_PRONOUNS: Final = word_set("he she they we i it you who which")
_LEADS: Final = re.compile(
    r"^(?:(?:and|also|then|but|so|plus|oh|btw|fyi|please|pls|plz|maybe|ok|okay|next|first|finally|lastly|again|just|quick(?:ly)?|asap|urgent(?:ly)?|important|"
    r"reminder|remember|note to self|todo|to-do|to do|action|action item|ai|task|fixme)\b[,:!.\s-]*)+",
    re.IGNORECASE,
)
_NEED: Final = re.compile(
    r"\b(?:needs? to|needs (?!no\b|nothing)\w|must(?! have been)\b|ha(?:ve|s) (?:got )?to\b(?! be honest)|gotta\b|got to\b|should(?!n't)\b|ought to\b|remember to\b|"
    r"don'?t forget\b|do not forget\b|make sure\b|be sure to\b|remind me\b|let'?s\b|(?:i|we)(?:'ll| will)\b|(?:i|we) (?:still |also |really )?need\b|"
    r"time to\b|supposed to\b|to-?do\b|worth \w+ing\b(?= (?:before|by))|had better\b|better \w+ (?:the|a|my)\b)",
    re.IGNORECASE,
)
_NEED_START: Final = re.compile(
    r"^(?:still |also |we |i )*(?:need|needs|must|should|have to|gotta|remember|don'?t forget|do not forget|please|remind me|make sure|todo|let'?s)\b",
    re.IGNORECASE,
)
_NOT_NEED: Final = re.compile(
    r"\b(?:you|he|she) (?:should|must|ha[sv]e? to|need)|should (?:arrive|come|get here|land|take|work|be (?:fine|ok|okay|enough|there|here|easy|ready|good|possible))|"
    r"\b(?:i|we)(?:'ll| will) be\b|must be (?:a |the )?\w+(?:$| joke)|no need|needs? (?:no|not)\b|didn'?t need|don'?t need|as needed|if needed|should have|had to\b",
    re.IGNORECASE,
)
_STRIP_NEED: Final = re.compile(
    r"^(?:(?:i|we) (?:still |also |really )?)?(?:need to|needs to|must(?! not forget)|have to|have got to|gotta|got to|(?:must|should|can)(?:n'?t| not) forget to|never forget to|should|ought to|remember to|don'?t forget to|do not forget to|"
    r"make sure to|be sure to|remind me to|let'?s|time to|going to|gonna|will|'ll|i'll|we'll|had better)\s+(?=\w)",
    re.IGNORECASE,
)
_WAIT: Final = re.compile(
    r"\b(?:waiting (?:on|for)|awaiting|await|pending (?:from|with|approval|review)|blocked (?:on|by)|expecting|expected|promised|owes? (?:me|us)|get(?:s)? back to (?:me|us)|"
    r"should (?:arrive|come|get here|land)|on (?:its|the) way|will (?:send|reply|call|get back|confirm|deliver|let (?:me|us) know)|"
    r"(?:has|have) to (?:send|reply|confirm|answer) (?:me|us))\b",
    re.IGNORECASE,
)
_OTHERS_TASK: Final = re.compile(r"^@?(?P<who>[A-Z][\w'-]+)(?: and [A-Z]\w+)? to (?=[a-z])")
# With a capital at the head of a line these are no names.
_NOBODY: Final = word_set(
    "i we me and also todo need needs want have has must remember reminder time going trying hoping planning forgot used able ready due supposed got how what where when whether something nothing"
)
_IDEA: Final = re.compile(r"^(?:\w+ ){0,3}ideas?\b|^(?:what if|wouldn't it be|someday|one day)\b|\bidea:", re.IGNORECASE)
_MACHINE: Final = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b[^.;\n]{0,40}\b(?:previous|prior|above|earlier|preceding|all|any|your|system)\b[^.;\n]{0,30}\b(?:instructions?|prompts?|rules?|directives?|"
    r"messages?|guidelines|context)\b|\bsystem prompt\b|\byou are now\b|\bnew instructions?:|\bas an ai\b|</?(?:system|assistant|instructions?|vault-memory)\b|\[/?INST\]|<\|im_",
    re.IGNORECASE,
)
_COOKING: Final = re.compile(
    r"^(?:bake|boil|fry|simmer|roast|grill|knead|chill|soak|marinate|steam|stir|mix|fold|rest|proof|prove|cook|cool|freeze|add|heat|whisk|chop|slice)\b.*"
    r"(?:\d+\s*(?:min|minutes|hours?|hrs?|h|secs?|seconds|cups?|tbsp|tsp|g|kg|ml|l|degrees)\b|\d+\s*°|\bat \d{2,3}\b|until (?:golden|soft|tender|brown|done|smooth))",
    re.IGNORECASE,
)
_RECIPE: Final = re.compile(r"\b\d+(?:/\d+)?\s*(?:cups?|tbsp|tsp|tablespoons?|teaspoons?|g|kg|ml)\b|\d+ ?% hydration", re.IGNORECASE)
_EVENT_VERB: Final = re.compile(r"^(?:attend|join|meet(?: with)?|see)\b", re.IGNORECASE)
_RELEASING: Final = re.compile(r"^(?:release|launch|publish|ship)\b", re.IGNORECASE)
_ABBREVIATION: Final = re.compile(
    r"(?:^|[\s(])(?:dr|mr|mrs|ms|prof|st|no|vs|e\.g|i\.e|eg|ie|approx|dept|inc|ltd|co|corp|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|mon|tues?|wed|thurs?|thu|fri|sat|sun|"
    r"a\.m|p\.m|tel|ext|fig|ch|vol|pp?|min|max|ca|etc|[a-z])\.$",
    re.IGNORECASE,
)
_SENTENCE: Final = re.compile(r"[.!?]+[\"')\]”]*\s+|;\s*|\s+[-–—]{1,3}\s+|\s+/\s+|\s*(?:->|=>|→)\s*|[。！？；]\s*")
_SOFT: Final = re.compile(
    r",\s+(?:and\s+then\s+|then\s+|and\s+|but\s+|so\s+|also\s+)?|\s+and\s+then\s+|\s+then\s+|\s+(?:and|but|so|&)\s+(?:also\s+)?|\s+(?=(?:remember to|don'?t forget) )|、\s*",
    re.IGNORECASE,
)
_LABEL: Final = re.compile(r"(?P<label>[^:：\n]{1,48}?)\s?[:：](?:\s+|(?<=：))(?=\S)")
_WORDS: Final = re.compile(r"[A-Za-z0-9\u00c0-\u024f][\w'’.+-]*")


def hard_splits(text: str, dates: Sequence[Span]) -> list[Span]:
    """Sentences, also those cut by a semicolon, a dash or an arrow."""
    keep = [*dates, *protected(text)]
    cuts = [match.span() for match in _SENTENCE.finditer(text) if not inside(match.start(), keep) and not _abbreviated(text, match)]
    return _between(text, cuts)


def label_of(text: str, dates: Sequence[Span]) -> tuple[str, int]:
    """The label before a colon ("Dr. Meyer: blood test"), with the offset of what follows; ("", 0) when there is none."""
    match = _LABEL.match(text)
    if match is None or inside(match.end("label"), dates) or inside(match.end("label"), protected(text)):
        return "", 0
    label = match["label"].strip()
    if (
        len(label.split()) > 6
        or (re.search(r"\d$", label) and not any(date.end == match.end("label") for date in dates))
        or re.fullmatch(r"(?:https?|due|deadline|by|until|eta|when|date)", label, re.IGNORECASE)
    ):
        return "", 0
    return label, match.end()


def soft_splits(text: str, dates: Sequence[Span]) -> list[Span]:
    """Clauses of one sentence: a comma or "and" ends one only when a clause of its own follows."""
    keep = [*dates, *protected(text)]
    cuts: list[tuple[int, int]] = []
    found = [match for match in _SOFT.finditer(text) if not inside(match.start(), keep) or match.start() in {span.start for span in dates}]
    start = 0
    for index, match in enumerate(found):
        if inside(match.start(), keep):
            continue
        end = found[index + 1].start() if index + 1 < len(found) else len(text)
        left, right = Span(start, match.start()), Span(match.end(), end)
        if _begins_clause(text, left, right, match[0], dates):
            cuts.append(match.span())
            start = match.end()
    return _between(text, cuts)


def kind_of(text: str, *, dated: bool) -> Kind:
    """What a clause says; *text* is without its date phrases, *dated* tells that it had one."""
    if is_machine(text):
        return "machine"
    bare = text.strip(" ,.;:!-–—")
    if not bare or _DATE_LEFTOVER.fullmatch(bare):
        return "date"
    core = _core(bare)
    pushed = core != bare and bool(
        re.match(r"(?:and |also |please |pls )*(?:remember|reminder|todo|to-do|to do|action|task|please|pls)\b", bare, re.IGNORECASE)
    )
    if not core:
        return "noun"
    if bare.endswith("?"):
        return "fact"
    if _IDEA.search(bare):
        return "fact"
    if _WAIT.search(core) or _is_others(core):
        return "wait"
    if _COOKING.match(core):
        return "fact"
    if pushed or ((_NEED.search(core) or _NEED_START.match(core)) and not _NOT_NEED.search(core)):
        return "past" if _is_past(core) and not _NEED_START.match(core) else "action"
    if is_order(core, dated=dated):
        return "action"
    if _is_past(core):
        return "past"
    words = [word.lower() for word in _WORDS.findall(core)]
    told = any(word in _FINITE or word in _PREDICATES for word in words) or any(
        verb in _PLURAL_VERBS and noun.endswith("s") for noun, verb in pairwise(words)
    )
    return "event" if told or _CONTRACTED.match(core) else "noun"


def _core(text: str) -> str:
    """A clause without the words that only lead into it: "also", "remember to", the "to" of "reminder: to fix it"."""
    core = _LEADS.sub("", text.strip()).strip()
    order = re.match(r"to\s+(?P<verb>[a-z-]+)\b(?=\s|$)", core)
    return core[order.start("verb") :] if order is not None and order["verb"] in VERBS else core


def _is_others(core: str) -> bool:
    """Whether *core* hands the task to somebody: "Tom to send the file"."""
    match = _OTHERS_TASK.match(core)
    return match is not None and match["who"].lower() not in _NOBODY and match["who"].lower() not in VERBS


def is_machine(text: str) -> bool:
    """Whether *text* tries to give orders to whatever program reads it."""
    return bool(_MACHINE.search(text))


def is_idea(text: str) -> bool:
    """Whether *text* is an idea, not a plan."""
    return bool(_IDEA.search(text))


def is_recipe(text: str) -> bool:
    """Whether *text* lists ingredients: its imperatives are steps, not things to do."""
    return bool(_RECIPE.search(text))


def is_release(text: str) -> bool:
    """Whether the clause is about something that comes out on a day: an event, though its verb is an order."""
    return bool(_RELEASING.match(_core(text)))


def is_meeting(text: str) -> bool:
    """Whether the clause is about being somewhere."""
    return bool(_EVENT_VERB.match(_core(text)))


def is_order(text: str, *, dated: bool = False) -> bool:
    """Whether *text* begins with a verb in the imperative."""
    words = [word.lower().replace("’", "'") for word in _WORDS.findall(text)]
    if not words or text.lstrip()[0] in "#@":
        return False
    first = words[0]
    if first not in VERBS:
        return bool(re.fullmatch(r"re-?[a-z]{3,}", first)) and first.removeprefix("re").removeprefix("-") in VERBS
    if first not in _NOUNS_TOO:
        return True
    if len(first) > 3 and text.lstrip().startswith(first.upper()) and (not text.isupper() or any(map(str.isdecimal, text))):
        return False  # "INVOICE INV-2291"
    if len(words) == 1:
        return dated
    second = words[1]
    if f"{first} {second}" in _PAIRS:
        return False
    if second in _LABEL_NOUNS and (len(words) == 2 or re.match(r"\S+\s+\S+?\s*[:#]", text)):
        return False  # "Invoice date: …"
    if second in _OBJECTS:
        return True
    if second in _TEMPORAL:
        return dated
    if second in _PREPOSITIONS:
        return first in _WITH.get(second, frozenset())
    if first in _MOSTLY_NOUNS:
        return bool(re.match(r"\S+\s+(?:[A-Z]\w*['’]s\b|@|\[\[|\"|v?\d)", text)) and not text[:1].isupper()
    # "order arrived", "book club meets": a verb right behind makes the first word its subject
    return not any(word in _FINITE or word in _PREDICATES for word in words[1:4])


def cleaned(text: str) -> str:
    """The item that an action clause stands for: without "need to", "please", "also"."""
    text = re.sub(r"\bto\s*,[\s,]*(?=[a-z])", "to ", _core(text))
    for _ in range(3):  # "I gotta remember to"
        stripped = _core(_STRIP_NEED.sub("", text)).strip()
        if not stripped or stripped == text:
            break
        text = stripped
    return re.sub(r"(?<=\w) (?:to|or|and)$", "", text)  # "postponed to" a date that was taken out


def is_vague(text: str) -> bool:
    """Whether *text* says too little on its own ("rotate", "draft", "reply"): then the item borrows what it is about."""
    return sum(1 for word in _WORDS.findall(text) if word.lower() not in _EMPTY and not word[0].isdigit()) < 2


def subjectless(text: str) -> bool:
    """Whether *text* starts with its verb or a pronoun, so that what it is about stands in the clause before."""
    words = [word.lower() for word in _WORDS.findall(text)]
    return not words or words[0] in _PREDICATES or words[0] in _PRONOUNS


def topic(text: str) -> str:
    """What a clause is about: without a leading verb or need, without its own predicate."""
    text = cleaned(text)
    words = text.split()
    if len(words) > 1 and is_order(text):
        text = " ".join(words[1:])
    at = next(
        (word.start() for word in list(_WORDS.finditer(text))[1:] if word[0].lower() in _FINITE or word[0].lower() in _PREDICATES),
        len(text),
    )
    return text[:at].strip() or text


_DATE_LEFTOVER: Final = re.compile(
    r"(?:(?:and|by|on|at|in|due|before|until|till|from|is|the|deadline|latest|at the latest|no later than|every|each|again|sharp|or|it|that|this|then|hard|if possible|ideally|preferably|"
    r"maybe|probably|eod|eow|asap)\b[\s,:]*)+",
    re.IGNORECASE,
)
# What ends so goes on behind a date that stands between commas: "I need to, by Friday, send the form".
_UNFINISHED: Final = re.compile(r"\b(?:to|must|should|will|gotta|can|please|and|or|the|an?|of|for|with)\s*$", re.IGNORECASE)
_NEED_ONLY: Final = re.compile(
    r"(?:(?:i|we|you|also|and|please|pls|just|gotta|must|should|need to|have to|got to|todo|reminder)[\s:,-]*)+", re.IGNORECASE
)
# After a plural these are its verb: "prices go up".
_PLURAL_VERBS: Final = word_set(
    "are go come start begin end open close expire renew run leave arrive land move need want keep rise drop fall change stop return"
)
_EMPTY: Final = word_set(
    "a an the it them this that all some up out off back in on to of for and or again first then also too asap please today"
)


def _begins_clause(text: str, left: Span, right: Span, separator: str, dates: Sequence[Span]) -> bool:
    tail = text[right.start : right.end]
    bare = _without(text, right, dates)
    if not bare.strip(" ,.;:!") or _DATE_LEFTOVER.fullmatch(bare.strip(" ,.;:!-")):
        return False
    head = _without(text, left, dates)
    left_dated = _holds(left, dates)
    right_dated = _holds(right, dates)
    joined = "and" in separator or "&" in separator
    if _UNFINISHED.search(head.rstrip(" ,")):
        return False
    if _NEED_START.match(bare.strip()):
        return bool(head.split()) and _NEED_ONLY.fullmatch(head.strip()) is None
    if is_order(_core(bare), dated=right_dated):
        if joined and "," not in separator:
            # "wash and fold the towels" is one thing; "buy milk and call mum" are two
            return (
                (is_order(_core(head)) and not is_vague(head))
                or _is_statement(head)
                or bool(_NEED.search(head))
                or (left_dated and right_dated)
            )
        return True
    if joined and "," not in separator:
        return left_dated and right_dated and not is_vague(bare + " x")
    words = [word.lower() for word in _WORDS.findall(bare)]
    if "," in separator or "、" in separator:
        if _WAIT.search(tail) or (words[:1] and (words[0] in _PREDICATES or words[0].replace("’", "'").split("'")[0] in _PRONOUNS)):
            return True
        if any(verb in _PLURAL_VERBS and re.fullmatch(r"[a-z]{3,}(?<!s)s", noun) for noun, verb in pairwise(words[:5])):
            return True
        finite = any(word in _FINITE or word in _PREDICATES for word in words)
        if finite:
            return True
        if right_dated and words and words[0] in _APPOINTMENTS:
            return True
        # "call Ana, Bob and Carl by Friday": names go on, a dated clause of its own does not begin
        return right_dated and left_dated
    return False


def _is_statement(text: str) -> bool:
    return any(word.lower() in _FINITE for word in _WORDS.findall(text))


def _is_past(text: str) -> bool:
    words = [word.lower().replace("’", "'") for word in _WORDS.findall(text)]
    return any(word in _PAST for word in words[:7]) and not any(word in {"still", "overdue"} for word in words)


def _holds(span: Span, dates: Sequence[Span]) -> bool:
    return any(span.start <= date.start < span.end for date in dates)


def _without(text: str, span: Span, dates: Sequence[Span]) -> str:
    """The stretch without the date phrases in it."""
    out: list[str] = []
    position = span.start
    for date in dates:
        if span.start <= date.start < span.end:
            out.append(text[position : date.start])
            position = max(position, date.end)
    out.append(text[position : span.end])
    return " ".join(out)


def _abbreviated(text: str, match: re.Match[str]) -> bool:
    return match[0][0] == "." and bool(_ABBREVIATION.search(text[: match.start() + 1]))


def _between(text: str, cuts: Sequence[tuple[int, int]]) -> list[Span]:
    spans: list[Span] = []
    position = 0
    for start, end in cuts:
        if text[position:start].strip():
            spans.append(Span(position, start))
        position = end
    if text[position:].strip():
        spans.append(Span(position, len(text)))
    return spans
