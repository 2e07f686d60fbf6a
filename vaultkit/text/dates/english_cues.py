"""The English words by which the role of a date is told. Tables only."""

from __future__ import annotations

from .atoms import words

# The deadline word that ends right before the date, with what may stand between.
DUE_BEFORE = (
    r"(?<![\w-])(?P<cue>no later than|not later than|on or before|by or before|before or on|by|due(?:\s+date)?|deadline|before|prior to|ahead of|"
    r"in advance of|until|till|til|within|latest|cut-?off|eta|expir\w+|payable|required|needed)"
    r"(?P<rest>(?:[\s:=(\[<-]*(?:is|was|were|date|on|by|in|at|of|for|the|about|around|approx|roughly|early|this|like|end of|latest|some ?time|at the latest|"
    r"no later than|moved to|set for|extended to|now|pay(?:able)?))*)[\s:=(\[<{\"'-]*$"
)
DUE_BEHIND = r"\s*[,(]?\s*(?:\S+\s)?(?:deadline|due\b(?! to| diligence)|cut-?off|at the latest|latest|or (?:else|get|lose|pay|they|we))"
PREPOSITION = (
    r"(?<![\w-])(?P<cue>on|in|at|for|from|starting|beginning|commencing|effective|through|thru|to|after|over|around|about|during|this|is|are|of|as of|since|"
    r"between|and|or|or by|@|sometime|some time|maybe|come|see you|latest by|probably|ideally|til|up to|falls on|lands on|next|towards?|w/c|week commencing)"
    r"(?:\s+(?:the|about|around|approx\.?|like|early|sometime|some time|on|in|of))*[\s:(~]*$"
)
# Something should have been over by then: the date is read backwards.
OVERDUE = (
    r"\b(?:overdue|past due|was due|were due|was supposed|were supposed|should've|should have been|was meant|was expected|were expected|"
    r"missed (?:the )?\w*\s?deadline|deadline was)\b"
)
SHOULD_HAVE = r"\b(?:was|were|should've|should have been) (?:due|supposed|meant|expected|\w+)"
# Something is still open.
STILL = (
    r"\bstill (?:need|not|no\b|haven't|hasn't|to\b|unpaid|open|waiting|outstanding|owe|pending|missing|undone)|"
    r"\b(?:haven't|hasn't|not yet|nothing yet|no (?:reply|answer|response)|unpaid|unanswered|outstanding|late)\b"
)
OWED = r"\b(?:due|from|deadline|supposed|promised|expected|invoice|bill)\b"

# What a person tells themselves to do.
ACTIONS = words(
    """submit send pay file call email mail text message dm book buy renew return finish ship reply respond answer review prepare prep order cancel fix write
    draft update schedule confirm complete get pick drop bring sign post register enrol enroll apply check ask remind ping chase follow hand deliver close clean
    water plan migrate deploy release publish merge back backup invite escalate find take make do give tell talk print upload download install upgrade test
    rotate move set put wash cook fetch transfer withdraw deposit claim approve let's please remember todo vote donate transcribe translate summarize summarise
    read study practice practise learn pack collect arrange contact reach notify inform request reserve replace repair change swap switch rewrite refactor
    proofread edit format record measure weigh feed walk mow vacuum sweep empty charge refill restock top settle reimburse expense invoice bill track log add
    remove delete archive export import sync resubmit rsvp unsubscribe decide choose select finalize finalise polish rehearse present share circulate
    distribute announce launch start begin stop end keep hold run go come see visit meet attend join leave catch watch work help support open lock turn shut cut
    build create design sketch paint sell trade negotiate interview hire onboard train assign delegate document investigate debug bisect revert patch rebase tag
    cherry-pick provision decommission retire sunset exercise terminate unpack assemble mount hang iron sew bake thaw defrost plant prune harvest fertilize
    fertilise weed rake shovel inspect verify validate audit scan pitch propose outline brainstorm reschedule rebook revise rerun recheck recharge recycle refund
    replan refuse reject resolve restart restore roll secure service sharpen sort stock strip tidy trim tune unblock wrap zip subscribe enter fill nail nudge
    loop ring bug grab hit shop tweak tick vet wire touch"""
)
# Things to attend rather than to do by then.
ATTENDED = words("meet visit see attend join start begin end")
OBLIGED = (
    r"\b(?:need(?:s)?|must|have to|has to|had better|should|got to|gotta|ought to|please|pls|remember|don't forget|do not forget|remind(?: me)?|todo|to-do|let's|"
    r"want(?:s)?|required|requires|supposed|responsible|(?:can|could|would|will) (?:you|we|someone|somebody|anyone)|we'll|i'll|asap|action|going to|gonna|waiting to)\b"
)
EVENTS = words(
    """meeting meetings call standup stand-up sync retro retrospective demo demos kickoff kick-off review reviews planning workshop offsite conference conf summit
    meetup webinar lecture class classes course seminar session talk panel exam exams test quiz finals interview interviews deadline cutoff appointment appt
    dentist doctor gp vet physio therapist haircut checkup check-up checkups inspection viewing visit visits visitor lunch dinner breakfast brunch drinks coffee
    party birthday bday wedding funeral anniversary graduation ceremony concert gig show movie theatre theater opera game match race marathon tournament practice
    training rehearsal flight flights train ferry departs departure arrives arrival arriving leaves leaving trip travel holiday holidays vacation leave pto ooo
    delivery deliveries parcel package pickup pick-up collection maintenance downtime release launch launches freeze golive go-live cutover migration rollout
    audit hearing court election vigil festival fair market sale auction camp recital picnic bbq barbecue reunion hike excursion tour openday enrollment
    enrolment registration renewal expiry expiration potluck gym yoga pilates swim football soccer tennis babysitter nanny sitter plumber electrician cleaner
    handyman movers boiler surgery operation scan mri x-ray vaccination vaccine jab bootcamp hackathon sprint 1:1 1-1 one-on-one townhall all-hands allhands ama
    briefing debrief hangout date playdate sleepover payday posting strike closure shutdown shift shifts surgery reservation picture dismissal starts start begins begin opens open closes close ends end expires
    expire renews renew kicks comes drops airs premieres lands goes happens takes"""
)
TRACKED = (
    r"\b(?:expir\w+|renew(?:s|al|als)|auto-?renews|runs? out|lapses?|ends?|ending|closes?|closing|closed|valid|good (?:through|thru|until|till)|warranty|trial|lease|"
    r"up for renewal|waiting|awaiting|promised|owes|expect(?:s|ing|ed)?|eta|should (?:arrive|come|hear|get|be|land|show)|arriv\w+|appointment|appt|meeting|"
    r"conference|flight|departs?|opens?|starts?|starting|begins?|kick(?:s)?[ -]?off|birthday|bday|anniversary|wedding|dentist|doctor|interview|exam|trip|holiday|"
    r"vacation|concert|delivery|inspection|visit|webinar|workshop|offsite|party|freeze|cutoff|cut-off|last (?:day|posting|chance)|pricing|sale|offer|quote|coupon|"
    r"promo|subscription|moves? to|moved to|pushed to|postponed|rescheduled|on call|ooo|out of office|on leave|away|goes out|is coming|are coming|"
    r"will (?:send|get back|come|arrive|be|call|deliver))\b"
)
# A state that ends by itself, although a deadline word stands beside its date.
STATED = r"\b(?:expir\w+|valid|ends?|closes?|trial|warranty|lease|renew(?:s|al)|pricing|offer|freeze|closed)\b"
LASTING = r"\b(?:valid|warranty|certificate|validity|good for|cert)\b"
WAITING = r"\b(?:waiting|awaiting|promised|owes|hear back|heard back|will get back|should (?:arrive|come|hear|land)|expecting|eta)\b"
BILLS = r"\b(?:rent|mortgage|bill|payment|invoice|insurance|salary|payday)\b"

# -- verbs

FINITE_PAST = words(
    """was were had did went came got took made saw met left sent paid wrote bought built broke began brought caught chose drove ate fell felt found flew forgot
    gave grew heard held kept knew led lost ran rang rose sat sold slept spoke spent stood stole swam taught thought threw understood woke won wore lent hung drew
    rode drank sang hid shook stuck swore tore fought sought meant dealt bent beat done gone didn't wasn't weren't hadn't wasnt"""
)
# Past in form, yet what they tell of lies ahead: "promised by Friday", "moved to the 17th".
STILL_AHEAD = words(
    """said told promised asked wanted agreed confirmed reminded requested decided planned scheduled arranged offered invited booked reserved postponed
    rescheduled delayed extended shifted announced expected supposed meant required needed signed proposed suggested committed hoped insisted demanded set due
    pencilled penciled slated slotted registered enrolled pushed bumped warned assigned tasked closed"""
)
# … unless "was" or "were" stands before these.
OVER_WITH_WAS = words(
    "signed closed needed required announced registered enrolled invited assigned confirmed agreed decided reserved warned booked proposed suggested"
)
SAT_ON = words("down in on at through with there by around out back next beside behind alone")  # else "sat" is a day
MOVED = words("moved changed switched slipped brought pushed bumped")
MOVED_ON = words("to from back out up forward")
NOT_PAST = words(  # end in -ed
    """need feed speed seed bed red shed weed breed embed indeed exceed proceed succeed hundred sacred wed med ted fed reed greed creed deed heed bleed steed
    hatred naked wicked tired interested excited married limited unlimited related dedicated advanced animated mixed used biased sophisticated attached unpaid
    unread fred jared"""
)
PRESENT = words(
    """is are am be will shall must need needs should can could would may might let's has have wants want expires expire ends closes starts opens begins arrives
    leaves departs renews comes goes gets makes takes runs does do please to won't can't don't doesn't isn't aren't i'll we'll he'll she'll they'll you'll it'll
    i'm we're you're they're he's she's it's that's there's gonna wanna hopefully if unless when once until"""
)
BE = words("is are be being am been get gets getting 's 're i'm we're you're they're he's she's it's that's needs need must")
DETERMINERS = words("the a an my our your his her their its this that these those any all each of some no every for with new")
SUBJECTS = words("i we he she they you it who everyone everybody someone somebody nobody team already just")
TOLD_TO = words("to and please must should will can then also")
OBJECTS = words("me us him them you")

# -- no deadlines

CALLED_OFF = (
    r"\bcancel+ed\b|\bcalled off\b|\b(?:postponed|delayed|pushed back|put off)(?=\s*(?:$|[.,;!)]|indefinitely|until further|for now))|"
    r"\bno longer (?:applies|valid|needed|required|necessary|on|relevant|happening|takes)\b|\b(?:was|is|has been|were) (?:dropped|scrapped|withdrawn|waived|lifted)\b"
)
NOT_BEFORE = (
    r"(?:\bnot|\bnever|\bno earlier than|n't)\s+(?:(?:do|send|open|start|pay|submit|ship|release|publish|call|post|book|tell|share|touch|reply|renew|merge|deploy|use|"
    r"eat|come|go|leave|move|change|sign|buy|sell|ask|write|email|mail|plant|announce)\s+(?:[a-z]+\s+){0,3})?(?:before|prior to|until|till)\s+(?:the\s+)?$"
)
LASTED_UNTIL = r"\b(?:took|lasted|stayed|waited|worked|slept|danced|partied|talked|sat|stood|was stuck|dragged on)\b(?:\s+[a-z']+){0,3}\s+(?:until|till)\s+$"

# A weekday before one of these is no modifier of it.
FREE_NEXT = words(
    """at by on in to from for with about and or but so then if when because before after until till through thru is are was were will must should can may might
    i we you he she they it the a an my our your his her their this that these those there please not no latest morning afternoon evening night noon midnight
    midday lunchtime am pm around approx sharp if re via per as unless since than while though too also instead again week onwards onward next last only early
    late between against near eod cob aoe utc everyone all both each some any just maybe probably possibly ideally hopefully tentatively works"""
)
MACHINES = (
    r"\b(?:cron(?:tab|job)?|scheduler|systemd|script|jobs?|pipeline|daemon|bot|(?:back-?up|sync|build|report|import|export|scan|check)s? runs?|automatically|alarm|"
    r"lambda|trigger(?:s|ed)?)\b"
)
HOURS = r"\b(?:open(?:ing)?|opens|closed|closes|hours|shop|store|office hours|business hours|mon-fri)\b"
REMARK = (
    r"\s*(?:is|'s|looks?|seems?|feels?|will be|sounds?|works?)\s+(?:\w+\s+){0,2}(?:busy|another day|good|bad|fine|free|off|great|crazy|packed|quiet|slow|nice|sunny|"
    r"cold|hot|hectic|full|the same|the worst|the best|my favou?rite|a bad day|a good day|rainy|warm|wet|windy|weird|tight|light|open|clear)\b"
)
TEST_DATA = r"\b(?:tests?|edge|case|cases|handling|parser|bug|rollover|fixture|example|sample|regex|logic)\b"
WEEKDAY_FEELING = r"\s*(?:standards|vibes|mood|blues|feeling|motivation|energy|morning blues)\b"
USUALLY = r"\b(?:usually|typically|always|often|normally|generally|mostly)\b"
SOME_WEEKDAY = (
    r"\b(?:any|no)\s+$|\b(?:an?|that|some|one|another|every single|like|than|typical|average|lazy|quiet|rainy|busy)\s+(?:\w+\s+)?$"
)
COUNTED_NOUNS = (  # nouns that an ordinal counts
    r"\s*-?\s*(?:place|floor|time|edition|attempt|try|grade|century|line|row|column|chapter|draft|version|item|option|step|person|people|round|quarter|half|street|"
    r"st\b|avenue|ave\b|anniversary|birthday|generation|gen\b|party|degree|class|year|season|episode|movement|symphony|amendment|percentile|iteration|run|page|"
    r"paragraph|house|level|door|point|reason|rule|law|hour|minute|kid|child|baby|book|film|movie|album|song|track|team|player|base|inning|period|lap|stage|phase|"
    r"part|section|article|commandment|dimension|son|daughter|wife|husband|most|best|largest|biggest|highest|hand|dose|shot|interview|date\b|week|weekend|month|"
    r"sprint|release|review|pass|copy|call|reminder|notice|warning|commit|bug|issue|ticket|one\b|grader|world|order|rate|aid|name|lady|cousin|finger|gear|slot|"
    r"wave|fret|string|note|of the (?:two|three|four|five))s?\b"
)
