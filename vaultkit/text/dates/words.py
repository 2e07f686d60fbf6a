"""Word lists by which the role of a date is told. Tables only."""

from __future__ import annotations

# What a person tells themselves to do.
EN_ACTIONS = frozenset(
    """submit send pay file call email mail text message dm book buy renew return finish ship reply respond answer review prepare prep order cancel fix write draft update
    schedule confirm complete get pick drop bring sign post register enrol enroll apply check ask remind ping chase follow hand deliver close clean water plan migrate
    deploy release publish merge back backup invite escalate find take make do give tell talk print upload download install upgrade test rotate move set put wash cook
    fetch transfer withdraw deposit claim approve let's please remember todo vote donate transcribe translate summarize summarise read study practice practise learn
    pack collect arrange contact reach notify inform request reserve replace repair change swap switch rewrite refactor proofread edit format record measure weigh feed
    walk mow vacuum sweep empty charge refill restock top settle reimburse expense invoice bill track log add remove delete archive export import sync resubmit
    rsvp unsubscribe decide choose select finalize finalise polish rehearse present share circulate distribute announce launch start begin stop end keep hold run go come
    see visit meet attend join leave catch watch work help support open lock turn shut cut build create design sketch paint sell ship trade negotiate interview hire
    onboard train assign delegate document investigate debug bisect revert patch rebase tag cherry-pick provision decommission retire sunset exercise terminate give
    unpack assemble mount hang iron sew bake thaw defrost plant prune harvest fertilize fertilise weed rake shovel inspect verify validate audit scan sketch pitch propose outline brainstorm interview record reschedule rebook revise rerun recheck recharge recycle refund replan refuse
    reject resolve restart restore return roll secure service sharpen sort stock strip submit swap tidy trim tune unblock upload wrap zip subscribe enter fill nail nudge loop ring bug grab
    hit shop tweak tick vet weigh wire touch""".split()
)
EN_OBLIGED = (
    r"\b(?:need(?:s)?|must|have to|has to|had better|should|got to|gotta|ought to|please|pls|remember|don't forget|do not forget|remind(?: me)?|todo|to-do|let's|want(?:s)?|"
    r"required|requires|supposed|responsible|can you|could you|would you|will you|we'll|i'll|asap|action|going to|gonna|waiting to)\b"
)
EN_EVENTS = frozenset(
    """meeting meetings call standup stand-up sync retro retrospective demo demos kickoff kick-off review reviews planning workshop offsite conference conf summit meetup
    webinar lecture class classes course seminar session talk panel exam exams test quiz finals interview interviews deadline cutoff appointment appt dentist doctor gp
    vet physio therapist haircut checkup check-up inspection viewing visit visits visitor lunch dinner breakfast brunch drinks coffee party birthday bday wedding funeral anniversary
    graduation ceremony concert gig show movie film-night theatre theater opera game match race marathon tournament practice training rehearsal flight flights train ferry bus-trip departs departure
    arrives arrival arriving leaves leaving trip travel holiday holidays vacation leave pto ooo delivery deliveries parcel package pickup pick-up collection maintenance outage-window downtime
    release launch launches freeze golive go-live cutover migration rollout audit hearing court election vote vigil festival fair market sale auction camp recital
    picnic bbq barbecue reunion hike excursion tour open-day openday enrollment enrolment registration renewal expiry expiration rehearsal dress-rehearsal potluck gym yoga pilates swim
    football soccer tennis babysitter nanny sitter plumber electrician cleaner handyman movers boiler surgery operation scan mri x-ray vaccination vaccine jab checkups bootcamp
    hackathon sprint 1:1 1-1 one-on-one townhall all-hands allhands ama briefing debrief hangout date playdate sleepover payday posting strike closure shutdown
    starts start begins begin opens open closes close ends end expires expire renews renew kicks comes drops airs premieres lands goes happens takes""".split()
)
EN_TRACK = (
    r"\b(?:expir\w+|renew(?:s|al|als)|auto-?renews|runs? out|lapses?|ends?|ending|closes?|closing|closed|valid|good (?:through|thru|until|till)|warranty|trial|lease|"
    r"up for renewal|waiting|awaiting|promised|owes|expect(?:s|ing|ed)?|eta|should (?:arrive|come|hear|get|be|land|show)|arriv\w+|appointment|appt|meeting|conference|flight|"
    r"departs?|opens?|starts?|starting|begins?|kick(?:s)?[ -]?off|birthday|bday|anniversary|wedding|dentist|doctor|interview|exam|trip|holiday|vacation|concert|delivery|"
    r"inspection|visit|webinar|workshop|offsite|party|freeze|cutoff|cut-off|last (?:day|posting|chance)|pricing|sale|offer|quote|coupon|promo|subscription|"
    r"moves? to|moved to|pushed to|postponed|rescheduled|on call|ooo|out of office|on leave|away|goes out|is coming|are coming|will (?:send|get back|come|arrive|be|call|deliver))\b"
)
EN_WAITING = r"\b(?:waiting|awaiting|promised|owes|hear back|heard back|will get back|should (?:arrive|come|hear|land)|expecting|eta)\b"
EN_FINITE_PAST = frozenset(
    """was were had did went came got took made saw met left sent paid wrote bought built broke began brought caught chose drove ate fell felt found flew forgot gave
    grew heard held kept knew led lost ran rang rose sat sold slept spoke spent stood stole swam taught thought threw understood woke won wore lent hung drew rode
    drank sang hid shook stuck swore tore fought sought meant dealt bent beat done gone didn't wasn't weren't hadn't wasnt""".split()
)
# Past in form, yet what they tell of lies ahead: "promised by Friday", "moved to the 17th".
EN_STILL_AHEAD = frozenset(
    """said told promised asked wanted agreed confirmed reminded requested decided planned scheduled arranged offered invited booked reserved postponed rescheduled delayed
    extended shifted announced expected supposed meant required needed signed proposed suggested committed hoped insisted demanded set due pencilled penciled slated slotted
    registered enrolled pushed bumped warned assigned tasked closed""".split()
)
# … unless "was" or "were" stands before these.
EN_OVER_WITH_WAS = frozenset("signed closed needed required announced registered enrolled invited assigned confirmed agreed decided reserved warned booked proposed suggested".split())
EN_MOVED = frozenset("moved changed switched slipped brought pushed bumped".split())
EN_NOT_PAST_ED = frozenset(
    """need feed speed seed bed red shed weed breed embed indeed exceed proceed succeed hundred sacred wed med ted fed reed greed creed deed heed bleed steed hatred naked wicked
    tired interested excited married limited unlimited related dedicated advanced animated mixed used biased sophisticated attached unpaid unread red fred jared""".split()
)
EN_PRESENT = frozenset(
    """is are am be will shall must need needs should can could would may might let's has have wants want expires expire ends closes starts opens begins arrives leaves departs
    renews comes goes gets makes takes runs does do please to won't can't don't doesn't isn't aren't i'll we'll he'll she'll they'll you'll it'll i'm we're you're they're he's
    she's it's that's there's gonna wanna hopefully if unless when once until""".split()
)
EN_BE = frozenset("is are be being am been get gets getting 's 're i'm we're you're they're he's she's it's that's needs need must".split())
EN_DETERMINERS = frozenset("the a an my our your his her their its this that these those any all each of some no every for with new".split())
EN_SUBJECTS = frozenset("i we he she they you it who everyone everybody someone somebody nobody team".split())
EN_BOUNDARIES = r"\s(?:but|so|then|because|since|while|whereas|although|though|which|who|that's why)\s"
# A weekday before one of these is no modifier of it.
EN_FREE_NEXT = frozenset(
    """at by on in to from for with about and or but so then if when because before after until till through thru is are was were will must should can may might i we you he she they
    it the a an my our your his her their this that these those there please not no latest morning afternoon evening night noon midnight midday lunchtime am pm around approx
    sharp if re via per w/ as unless since than while though too also instead again week onwards onward next last or/and onwards. only early late eod cob aoe utc
    everyone all both each some any just maybe probably possibly ideally hopefully tentatively works""".split()
)
EN_MACHINES = r"\b(?:cron(?:tab|job)?|scheduler|systemd|script|jobs?|pipeline|daemon|bot|(?:back-?up|sync|build|report|import|export|scan|check)s? runs?|automatically|alarm|lambda|trigger(?:s|ed)?)\b"
EN_HOURS = r"\b(?:open(?:ing)?|opens|closed|closes|hours|shop|store|office hours|business hours|mon-fri)\b"

_JA_DUE_BEFORE = r"\s*[)」]?\s*(?:の?(?:午前中|午前|午後|朝一|朝イチ|朝|昼|夕方|夜|深夜|am|pm|中))?(?:[のにはがでをも]|とか|頃|ごろ)?\s*"
JA_DUE_RIGHT = _JA_DUE_BEFORE + (
    r"(?:まで|迄|〆|締め?切|締め|締日|しめきり|シメキリ|必着|厳守|消印|期限|期日|納期|以内|中に|中で|中まで|中締|内に|いっぱい|一杯|以前|前に|前まで|より前|限り|"
    r"リミット|デッドライン|deadline|due|マスト|必須|目処|めど|のうちに|目標(?:$|[、。で)]))"
)
# These ask for something by then, unless it has been done.
JA_DUE_SOFT = _JA_DUE_BEFORE + r"(?:納品|納入|納付|入稿|返却|支払|払い|振込|払込|引き?落と?し?|提出)"
JA_DUE_LEFT = (
    r"(?:締め?切り?日?|〆切り?日?|〆|しめきり|締日|期限日?|期日|納期|納品日?|提出日|返却日|支払い?日|振込日|回答日|最終日|デッドライン|deadline|due(?: date)?|リミット|遅くとも|遅くても|応募|申込|申し込み|提出|納品|入稿)"
    r"\s*(?:[はがをの:=・]|\s|\(|→|日は|まで)*$"
)
JA_TRACK = (
    r"切れ(?!てい?た)|失効|満了|終了|終わる|終わり|有効|届く|届け|届き|到着|着く|返事待ち|待ち|もらう約束|約束|予定|保証期間|面談|面接|会議|打ち合わせ|打合せ|会合|定例|朝会|歯医者|病院|健診|検診|受診|診察|通院|"
    r"予約|出張|旅行|便で|発の便|試験|開始|始まる|始まり|開催|開幕|開店|オープン|公開|発売|放送|配信|誕生日|記念日|結婚式|葬儀|法事|同窓会|飲み会|忘年会|新年会|懇親会|歓迎会|送別会|パーティ|ライブ|コンサート|"
    r"内見|引っ越し|引越し|キックオフ|セミナー|勉強会|発表会|運動会|参観|説明会|休暇|休み|休館|休業|不在|更新|車検|点検|工事|停電|断水|支給|給料日|入学|卒業|入社|異動|退職|墓参り|集合|荷物|納車|配達|宅配|返金|振り込まれ|リリース|合宿|宿泊|研修|イベント|展示|講演|講習|フェス|ツアー|遠足|キャンプ|見学|打ち上げ|発送|仕事始め|仕事納め|試合|大会|祭"
)
JA_ACTIONS = (
    r"送|出す|提出|返信|返事|返却|返す|連絡|電話|メール|予約|買|払|支払|振込|振り込|振替|申請|申し込|申込|登録|書く|書き|作る|作成|用意|準備|確認|チェック|レビュー|対応|修正|直す|更新|解約|退会|注文|発注|手配|入力|記入|"
    r"完了|終わらせ|仕上げ|片付け|片づけ|掃除|洗|捨て|ゴミ|持って|持参|渡す|届ける|取り|受け取|迎え|行く|行き|行って|参加|出席|会う|相談|話す|聞く|決める|決め|調べ|読む|勉強|練習|やる|する|して|しておく|見直|見積|提案|報告|共有|公開|"
    r"リリース|デプロイ|反映|移行|移す|設定|交換|交渉|催促|リマインド|お願い|ください|下さい|必要|要|べき|ねば|なきゃ|なければ|納品|納める|納付|入稿|投函|発送|郵送|応募|エントリー|申告|精算|集め|探す|選|手続|点検|処理|バックアップ|週報|日報|水やり|薬|服用|通う|撮る|仕込|焼く|煮る|編集|投稿|収録|録る|清書|推敲|印刷"
)
JA_STATEMENT = (
    r"(?:つらい|辛い|忙しい|楽しい|眠い|だるい|(?<!休)暇|ひま|好き|嫌い|苦手|憂鬱|寒い|暑い|涼しい|良い|いい|よい|厳しい|多い|少ない|長い|短い|早い|遅い|高い|安い|美味しい|おいしい|うれしい|嬉しい|悲しい|疲れる|混む|混んでいる|空いている|人気|"
    r"天気|雨|晴れ|雪|曇り|たい|だろう|らしい|みたい|感じ|気がする|思う|かもしれない|ようだ|同じ|普通|定番|名物|季節|気分|ずっと[^。]{0,8})(?:です|だ|な|ね|よ|よね|なあ|なぁ|と思う|とのこと)?[。!?!?…w笑)]*\s*$"
)
JA_PAST = (
    r"(?:(?<![まただかわうふあ])(?<!あし)た|(?:読|飲|住|休|込|頼|死|遊|呼|学|選|済|進|悩|望|叫|並|挟|運|組|積|包|摘|澄|噛|踏|盗|沈|編|慎|育|喜|飛|転|結|忍)んだ|だった|でした|ました|だ(?=った))"
    r"(?=$|[。!?)」、\s]|けど|が(?!る)|の(?!ため)|ので|から(?!で)|よ|ね|な|と|ばかり|まま|し|り|[一-龥ァ-ヶー])"
)
# Past in form, about what lies ahead.
JA_STILL_AHEAD = (
    r"予約した|予約し(?:て|まし)|予約が取れ|予約を取|決まった|決まりました|決めた|決定した|変わった|変更(?:に|と|され|した)|変更|延期|延び|延長|なった|なりました|ずれた|約束した|言われた|頼まれた|聞いた|指定された|申し込んだ|押さえた|"
    r"招待|入れた|組まれた|設定された|予定だった(?!が)|通知|案内(?:が|を)|とのこと|たら|だったら|誘われた|確定した|取れた|当選した|内定|届いた案内"
)
JA_OVERDUE = r"まだ|未だ|いまだ|過ぎ(?:て|た|ている)|遅れて|遅延|滞納|延滞|督促|未払|未提出|未返却|未対応|未回答|忘れて(?:い|た)|し忘れ|出し忘れ|期限切れ(?!の)|できていない|していない|出していない|出してない|返してない|してない"
JA_HABIT = r"営業(?!日|部|会議|報告|担当|さん)|始業|終業|定休|開館|休館|休診|閉店|開店|受付時間|診療|通常|いつも|普段"
JA_MACHINES = r"cron|バッチ|ジョブ|スクリプト|自動(?:で|的|実行)|タイマー|アラーム"
