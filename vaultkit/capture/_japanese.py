"""Japanese clauses: where one ends, and whether it is something that the writer has to do. Tables first; no morphological analysis."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from vaultkit.capture.clauses import Kind, Span, inside, protected


def _words(table: str) -> tuple[str, ...]:
    """The words of a table, longest first. Compared with `endswith`: a pattern of so many words would take longer to compile than to use."""
    return tuple(sorted(table.split(), key=len, reverse=True))


# Nouns that are deeds: 「本を注文」 is an order to oneself.
_DEEDS: Final = _words(
    "予約 再予約 提出 再提出 確認 再確認 送付 送信 返送 転送 発送 注文 再注文 発注 解約 退会 申請 申込 申し込み 申込み 連絡 返信 返事 回答 返答 報告 相談 準備 用意 手配 購入 支払い 支払 振込 振り込み 入金 "
    "納付 納税 更新 修正 修理 修繕 作成 共有 登録 解除 変更 検討 調査 調整 整理 掃除 大掃除 片付け 片づけ 買い出し 買い物 発送 投函 返却 返品 返金依頼 交換 設定 再設定 導入 移行 削除 追加 実装 テスト 検証 レビュー 依頼 催促 "
    "督促 打診 問い合わせ 見積もり依頼 請求 精算 清算 入稿 執筆 校正 推敲 翻訳 練習 復習 予習 応募 エントリー 投稿 配布 印刷 コピー 署名 サイン 捺印 押印 決定 選定 比較 計画 企画 下見 見学 見学予約 点検依頼 修理依頼 通知 周知 "
    "案内 招待 記入 入力 記録 計算 集計 分析 試算 見直し 書き直し 作り直し やり直し 仕分け 分別 洗濯 洗車 水やり 植え替え 剪定 草むしり 草刈り 片付 充電 補充 バックアップ リファクタ リファクタリング デプロイ マージ アップロード ダウンロード "
    "インストール アップデート 再起動 初期化 動作確認 下書き 清書 要約 仕上げ 対応 対処 処理 手続き 手続 受診 受験 通院 出願 願書提出 参加申込 キャンセル 中止連絡 延長申請 引き継ぎ 引継ぎ 面談設定 日程調整 スケジュール調整 出欠確認 出欠連絡 "
    "電話 メール 返電 折り返し 伝言 お礼 お詫び 謝罪 訂正 再送 差し替え 反映 公開準備 締結 契約手続き 解約手続き 更新手続き 住所変更 名義変更 引き取り 回収 返済 貯金 積立 積み立て 仕込み 下ごしらえ 予算化 棚卸し 棚卸 集金 清掃 消毒 充填 "
    "ストレッチ 宿題 読了 視聴 聴講 考察 検索 相見積もり 交渉 説得 承認 承認依頼 稟議 申告 更新作業 移行作業 設置 撤去 解体 組み立て 組立 取り付け 取付 取り外し 貼り替え 張り替え 塗装 補修 除去 駆除 はんだ付け 半田付け 味付け 荷造り 荷ほどき 採寸 試着 試食 試運転 配線 組付け 切り替え 入れ替え 貼り付け 受け入れ準備 下書き作成"
)
# Nouns that happen by themselves or on a day.
_HAPPENINGS: Final = _words(
    "公開 配信 開催 開始 終了 発売 発表 到着 入荷 失効 満了 満期 面接 面談 会議 来社 来訪 訪問 出張 引き落とし 引落し 引落 休業 休館 休暇 休診 受け取り 受取 打ち合わせ 打合せ キックオフ 締切 締め切り 期限 試験 検査 健診 検診 手術 入院 退院 "
    "出産 卒業 入学 結婚式 発表会 運動会 誕生日 記念日 納車 立会い 立ち会い 内見 見舞い 法事 帰省 旅行 出発 納品 検収 リリース ローンチ 放送 開店 閉店 開幕 閉幕 開店 試合 本番 ライブ 点検 工事 停電 断水 メンテナンス 配達 集荷 点検日 契約更新 値上げ 改定"
)
# Verbs that happen to one, and states: never an order to oneself.
_STATES: Final = _words(
    "ある いる なる できる 出来る わかる 分かる 見える 聞こえる 思う 思える 言う いう 違う 合う 似る 要る 足りる かかる 掛かる 過ぎる すぎる 困る される られる 切れる 壊れる 生まれる 遅れる 売れる 漏れる 流れる 汚れる 疲れる 倒れる 離れる "
    "終わる 始まる 決まる 変わる 閉まる 届く 着く 来る くる 上がる 下がる 増える 減る 続く 止まる 落ちる 起きる 消える 残る 載る 死ぬ 空く 混む 間に合う 整う 治る 直る 育つ 咲く 枯れる 冷める 温まる 溶ける 割れる 折れる 揃う そろう 揃える必要がない "
    "余る 足る 済む 潰れる 崩れる 膨らむ 縮む 伸びる 延びる ずれる 外れる 抜ける 漏る 詰まる 鳴る 光る 動く 回る 効く 利く 役立つ 目立つ 慣れる 飽きる 眠い 向く 属する 混同する 発生する 存在する 失効する 不足する 到着する 満了する 一致する 関係する "
    "見つかる 捕まる 助かる 儲かる 受かる 儲ける 懐く 痛む 痛い 疲れる 楽しめる 使える 読める 書ける 行ける 食べられる 買える 会える もらえる 取れる 撮れる 出せる 作れる 動ける 戻れる 入れる必要はない 整理される 更新される 自動更新される 引き落とされる 開かれる 行われる 開催される"
)
# Verbs of doing that need no object particle before them.
_DOINGS: Final = _words(
    "買う 直す 調べる 書く 読む 作る 払う 支払う 頼む 探す さがす 決める 確かめる 片付ける 片づける 申し込む 見直す 書き直す 作り直す やり直す 試す やる 出す 送る 返す 取る 撮る 測る 洗う 干す 捨てる 売る 替える 換える 変える 詰める 積む 貼る 塗る 磨く 植える 刈る "
    "行く 出かける 寄る 並ぶ 戻る 戻す 移す 上げる 上げておく 下げる 話す 話し合う 備える 伝える 渡す 入れる 任せる 尋ねる 聞く 訊く 謝る 答える 応える 応じる 参加する 返信する 連絡する 電話する 相談する 応募する 回す 配る 届ける 預ける 引き出す 下ろす 振り込む 納める 終える 終わらせる 済ませる 仕上げる "
    "まとめる 揃える 準備する 用意する 集める 分ける 整える 整理する 掃除する 洗濯する 予約する 注文する 確認する 提出する 送付する 解約する 更新する 申請する 登録する 修正する 削除する 追加する 実装する 検討する 検証する 報告する 共有する 発注する 手配する 始める 続ける必要 止める やめる 辞める "
    "通う 習う 学ぶ 覚える 練習する 復習する 勉強する 泳ぐ 走る 歩く 運ぶ 包む 縫う 編む 描く 組む 組み立てる 取り付ける 取り外す 外す 繋ぐ つなぐ 切る 切り替える 埋める 掘る 注文し直す 問い合わせる 打ち合わせる 呼ぶ 招く 誘う 祝う 訪ねる 見に行く 買いに行く 取りに行く 迎えに行く 受け取る 引き取る 受ける 受診する 投函する"
)
_NOT_YET: Final = r"(?:ないと(?:いけない|だめ|ダメ|まずい)?|なきゃ(?:いけない|だめ|ダメ)?|なくちゃ|なくては(?:いけない|ならない)?|なければ(?:ならない|いけない)|ねば(?:ならない)?|べき(?:だ|か)?|(?:する)?必要(?:がある|あり|だ)?)"
_ORDERS: Final = re.compile(
    rf"(?:{_NOT_YET}|(?:て|で)(?:おく|おこう|おきたい|おかないと|ください|下さい|ほしい|欲しい|もらう|もらいたい|いただく|みる|みよう|くる|こよう|いく)|(?:と|ど)(?:く|こう|かないと)|"
    r"こと|お願い(?:します|する|しておく)?|願います|忘れない(?:ように|こと)?|忘れずに|するつもり|する予定|したほうがいい|した方がいい|すべし|TODO|ToDo|todo)$"
)
_DEED_TAIL: Final = re.compile(r"(?:する|しよう|しとく|やる|をする|をやる|します|せよ|して|しに行く|の件|まで|のみ)$")
_HAPPENING_TAIL: Final = re.compile(r"(?:予定|日|する|です|になる|となる)$")
_DICTIONARY: Final = re.compile(r"[\u3041-\u3096\u4e00-\u9fff々][うくぐすつぬぶむる]$")
_VOLITIONAL: Final = re.compile(r"(?:しよう|[おこごそとのぼもろよ]う|[べめえけせてれ]よう)$")
_POLITE: Final = re.compile(r"(?:[きぎしちにびみりいえけせてねべめれ]ます)$")
_TE_END: Final = re.compile(r"(?:[っいえしきけせてねべめれり]て|[んい]で)$")
_PAST_END: Final = re.compile(
    r"(?:[っいしきけせてねべめれりえちみび]た|[んい]だ|だった|でした|ました|なかった|かった|てた|でた)(?:よ|ね|な|らしい|そうだ|とのこと|って)?$"
)
_PLAIN_END: Final = re.compile(
    r"(?:ている|てる|でいる|でる(?<!出る)|ない|ません|です|だ|である|らしい|そう|そうだ|よう|ようだ|みたい|みたいだ|かも|かもしれない|かな|だろう|でしょう|はず|はずだ|たい|たかった|しい|良い|いい|よい|悪い|高い|安い|多い|"
    r"少ない|長い|短い|薄い|重い|軽い|早い|遅い|強い|弱い|暑い|寒い|欲しい|ほしい|好き|嫌い|無理|問題なし|なし|あり|とのこと|と言われた|だって|という|って|ます|れる|られる|しかない|続き|メモ|まとめ|一覧|について|に関して|の件|ため)$"
)
_WAIT_END: Final = re.compile(
    r"(?:返事|返信|連絡|回答|承認|確認|入荷|結果|納品|振込|入金|到着|発送|審査|見積もり?)(?:を)?(?:待ち|待つ|待ってる|待っている)|待ち(?:$|[、。])|もらう約束|届くはず|届く予定|到着予定|来るはず|(?:くれる|もらえる)(?:はず|約束|予定)?$"
)
_OTHERS: Final = re.compile(r"^[^をがはに]{1,12}が[^がので]{0,24}を[^を]{1,16}[うくぐすつぬぶむる]$")
_LEADING: Final = re.compile(
    r"(?:たら|なら|れば|けば|せば|えば|めば|べば|ければ|ので|から|けど|けれど|けれども|が|し|ながら|つつ|ため|ために|ように|場合|とき|時|次第|前に|後に|うえで|上で|ついでに|は|も|では|には|とは)$"
)
_LEADS: Final = re.compile(
    r"^(?:(?:あと(?!\d|で)|それと|それから|また|まず|次に|次は|その後|最後に|さらに|ついでに|とりあえず|そして|あとは|要は|ちなみに|できれば|可能なら|なるべく|必ず|忘れずに|絶対|早めに|TODO|ToDo|todo|やること|タスク|メモ|要)[、:：,\s]*)+"
)
_ANNOUNCED: Final = re.compile(
    r"(?:開催|実施|開会|開始|発売|公開|配信|上映|休業|休館|休診|閉店|開店|終了|販売|放送|運休|停電|断水)(?:(?:いた)?(?:します|する)|(?:さ)?れます|となります|になります|予定です)$"
)
_RESET: Final = re.compile(r"^[^を]{1,20}[はが](?:変更|延期|移動|リスケ)(?:に|と)?(?:なった|なりました)?$")  # 会議は変更
_IDEA: Final = re.compile(r"アイデア|アイディア|案(?:$|[:：、])|妄想|ネタ(?:$|[:：、])|(?:できたら|あったら|いたら)(?:いい|面白い|便利)")
_MACHINE: Final = re.compile(
    r"(?:前|これまで|今まで|以前|上記|すべて|全て|システム|元)の?(?:指示|命令|プロンプト|ルール|規則|設定|会話)[をはに]?.{0,12}(?:無視|忘れ|破棄|上書き|従わ|取り消)|システムプロンプト|あなたは今から|これ以降の指示|新しい指示[:：]"
)
_COOKING: Final = re.compile(
    r"\d+\s*分(?:間)?.{0,4}(?:煮|焼|茹で|ゆで|炒め|蒸|揚げ|寝かせ|冷や|漬け|温め|炊)|(?:きつね色|柔らか|やわらか|とろみ)"
)
_RECIPE: Final = re.compile(r"(?:大さじ|小さじ)\s*\d|\d+(?:/\d+)?\s*(?:カップ|本|個|枚|g|ml|cc|グラム)(?:[、,\s]|$)")
_VALID_UNTIL: Final = re.compile(
    r"^(?:.*の)?(?:車検|定期券?|免許証?|運転免許|保険|契約|ビザ|在留カード|パスポート|旅券|クーポン|チケット|割引|セール|キャンペーン|保証|保証期間|有効期限|無料期間|無料体験|展示|個展|工事|休業|受付|会員証?|サブスク|ポイント|商品券|回数券|通行止め?|育休|産休|休暇)(?:期間|期限)?[はがも]?$"
)
_HARD: Final = re.compile(r"[。！？!?；;]+\s*|\s+[-–—]{1,3}\s+|\s*(?:->|=>|→)\s*")
_SOFT: Final = re.compile(r"[、，]\s*|,\s+")
_TE_CHAIN: Final = re.compile(r"(?P<te>(?:[っいえしきけせてねべめれり]て|[んい]で)(?:から)?)、?(?=[^、。]{1,24}を)")
_LABEL: Final = re.compile(r"(?P<label>[^:：、。\n]{1,20}?)\s?(?:[:：](?:\s+|(?<=：)))(?=\S)")

_TE_VERBS: Final = {
    "っ": {"買": "う", "送": "る", "取": "る", "撮": "る", "作": "る", "言": "う", "使": "う", "持": "つ", "待": "つ", "打": "つ", "行": "く", "払": "う", "洗": "う", "貼": "る", "塗": "る", "売": "る", "切": "る", "張": "る", "測": "る", "計": "る",
          "図": "る", "練": "る", "刈": "る", "立": "つ", "会": "う", "拾": "う", "習": "う", "もら": "う", "知": "る", "配": "る", "終わ": "る", "やる": "", "や": "る", "縫": "う", "祝": "う", "乗": "る", "寄": "る", "戻": "る", "語": "る", "受け取": "る"},
    "ん": {"読": "む", "頼": "む", "飲": "む", "運": "ぶ", "呼": "ぶ", "選": "ぶ", "学": "ぶ", "遊": "ぶ", "並": "ぶ", "包": "む", "込": "む", "組": "む", "積": "む", "結": "ぶ", "編": "む", "踏": "む", "挟": "む", "休": "む"},
}  # fmt: skip


def hard_splits(text: str, dates: Sequence[Span]) -> list[Span]:
    """Sentences."""
    return _between(text, [match.span() for match in _HARD.finditer(text) if not inside(match.start(), [*dates, *protected(text)])])


def label_of(text: str, dates: Sequence[Span]) -> tuple[str, int]:
    """The label before a colon, with the offset of what follows; ("", 0) when there is none."""
    match = _LABEL.match(text)
    if match is None or inside(match.end("label"), dates) or re.search(r"[0-9０-９]$", match["label"]):
        return "", 0
    label = match["label"].strip()
    if re.search(r"(?:期限|期日|締切|締め切り|〆切?|納期|日時|日程|開催日|有効期限|due|deadline|by)$", label, re.IGNORECASE):
        return "", 0
    return label, match.end()


def soft_splits(text: str, dates: Sequence[Span], blank: Sequence[Span]) -> list[Span]:
    """Clauses of one sentence: at 「、」, and at a て-form whose sequel has an object of its own; what cannot stand alone stays with what follows.

    *blank* are the same dates with the particles that go with them.
    """
    keep = [*dates, *protected(text)]
    cuts = [match.span() for match in _SOFT.finditer(text) if not inside(match.start(), keep)]
    pieces = [piece for span in _between(text, cuts) for piece in _chain(text, span, keep)]
    return _merged(text, pieces, dates, blank)


def kind_of(text: str, *, dated: bool) -> Kind:
    """What a clause says; *text* is without its date phrases, *dated* tells that it had one."""
    if is_machine(text):
        return "machine"
    bare = _strip(text)
    if not bare or _DATE_LEFTOVER.fullmatch(bare):
        return "date"
    needed = bool(re.match(r"要(?:確認|返信|対応|連絡|検討|修正|提出|返却|予約|相談|準備|申請)", bare)) or bool(
        re.match(r"(?:TODO|ToDo|todo|やること|タスク)[、:：,\s]", bare)
    )
    core = _strip(_LEADS.sub("", bare))
    if not core:
        return "noun"
    if core.endswith(("？", "?", "か？", "っけ")) or _IDEA.search(core) or _COOKING.search(core):
        return "fact"
    if needed or _ORDERS.search(core):
        return "action"
    if _WAIT_END.search(core) or _OTHERS.match(core):
        return "wait"
    if (_VOLITIONAL.search(core) and not core.endswith(("そう", "よう"))) or (
        core.endswith(("しよう", "よう")) and re.search(r"[しべめえけせてれ]よう$", core)
    ):
        return "action"
    if _PAST_END.search(core) and not core.endswith(("しかた", "やりかた", "使いかた", "ひと肌", "あした", "また")):
        return "past"
    if _ANNOUNCED.search(core) or (_RESET.search(core) and not re.search(r"期限|締切|締め切り|〆切|納期|期日", core)):
        return "event"
    verdict = _verb(core)
    if verdict is not None:
        return verdict
    if _ends_in_own_deed(core):
        return "action"
    if _LEADING.search(core) and not dated:
        return "leading"
    if core.endswith(_HAPPENINGS) or _HAPPENING_TAIL.sub("", core).endswith(_HAPPENINGS):
        return "event"
    if _PLAIN_END.search(core):
        return "fact"
    if _TE_END.search(core) and ("を" in core or len(core) > 6):
        return "action"
    return "noun"


def is_machine(text: str) -> bool:
    """Whether *text* tries to give orders to whatever program reads it."""
    return bool(_MACHINE.search(text))


def is_idea(text: str) -> bool:
    """Whether *text* is an idea, not a plan."""
    return bool(_IDEA.search(text))


def is_recipe(text: str) -> bool:
    """Whether *text* lists ingredients."""
    return bool(_RECIPE.search(text)) and bool(_COOKING.search(text))


def is_release(text: str) -> bool:
    """Whether the clause is about something that comes out on a day."""
    return bool(
        re.search(r"v?\d+(?:\.\d+)*[をの]?(?:出す|リリース|公開)(?:する)?$|(?:リリース|公開|配信|ローンチ)(?:する)?$", _strip(text))
    )


def is_meeting(text: str) -> bool:
    """Whether the clause is about being somewhere."""
    return bool(re.search(r"(?:に参加(?:する)?|に出席(?:する)?|と会う|に会う|を受ける|に出る|受験(?:する)?)$", _strip(text)))


def holds_until(text: str) -> bool:
    """Whether the clause names a thing that is valid or goes on until its date ("車検は…まで"): something to watch, not to do."""
    bare = _strip(text)
    return bool(_VALID_UNTIL.match(bare) or re.search(r"(?:早割|割引|セール|特典|限定|有効|販売|上映|開催|営業)(?:中|期間)?$", bare))


def cleaned(text: str) -> str:
    """The item that an action clause stands for."""
    text = _strip(text)
    text = _LEADS.sub("", text) if not text.startswith("要") else text
    text = re.sub(r"(?:は|が|を|に|の|も|へ)$", "", _strip(text)) or text
    return _plain_form(text)


def is_vague(text: str) -> bool:
    """Whether *text* says too little on its own (「解約」, 「提出」)."""
    bare = _strip(text)
    return len(bare) <= 3 or bare in _DEEDS or bare.removesuffix("する") in _DEEDS


def topic(text: str) -> str:
    """What a clause is about: up to its subject or topic particle, else up to its object."""
    bare = _strip(text)
    match = re.match(r"(.{2,24}?)(?:(?:は|が)(?!$)|を(?![^、]{0,2}$))", bare)
    return match[1] if match is not None else bare


_DATE_LEFTOVER: Final = re.compile(
    r"(?:[\u4e00-\u9fff]{0,4}(?:期限|締切|締め切り|期日|納期)|までに|まで|迄|中に|以内に?|頃|ごろ|締切|締め切り|〆切?|必着|厳守|いっぱい|できれば|可能なら|なるべく|遅くとも|には|に|は|で|の|から|だ|です|予定|期限|期日|納期|ので|あたり|くらい|ぐらい|希望|目標|[、。,.:：\s()（）])+"
)


def _verb(core: str) -> Kind | None:
    """The verdict of a clause that ends in a verb's dictionary or polite form; None when it ends otherwise."""
    polite = _POLITE.search(core)
    if not (polite or _DICTIONARY.search(core)) or core.endswith(
        (
            "だろう",
            "でしょう",
            "ありがとう",
            "おめでとう",
            "ようです",
            "です",
            "そう",
            "ほう",
            "もう",
            "ごちそう",
            "ふつう",
            "ている",
            "でいる",
            "てる",
            "まいる",
            "いわゆる",
        )
    ):
        return None
    if core.endswith(_STATES) and not core.endswith(_DOINGS):
        # 「を…る」 with a state verb still happens to somebody: 「雨が続く」, 「時間を過ぎる」
        return "event"
    last = _last_particle(re.split(r"(?:ので|から|けれど|けど|れば|たら|ても|のに)(?=.)", core)[-1])
    if last == "が":
        return "event"
    if last == "を" or core.endswith(_DOINGS):
        return "action"
    if core.endswith("する"):
        return "action" if _ends_in_own_deed(core) else "event"
    return "action" if polite and last in {"に", "へ", "と"} else "event"


def _last_particle(core: str) -> str:
    """The last case particle that has the verb behind it."""
    match = re.search(r"([をがにへともは])(?=[^をがにへ]{1,10}$)", core)
    return match[1] if match is not None else ""


def _ends_in_own_deed(core: str) -> bool:
    """Whether a clause ends in a deed of the writer, not in one that something does by itself (「Aが更新」) or that came (「顧客から問い合わせ」)."""
    for end in (core, _DEED_TAIL.sub("", core)):
        deed = next((word for word in _DEEDS if end.endswith(word)), None)
        if deed is not None:
            before = end.removesuffix(deed)
            return not re.search(r"(?:が|から)$|から(?:の)?[^をに]{0,10}$", before)
    return False


def _plain_form(text: str) -> str:
    """A clause cut at its て-form, put into dictionary form where that is certain."""
    match = re.search(r"(?P<stem>[^、。]{1,3}?)(?P<te>って|んで|いて|いで|して|[えけせてねべめれげき]て)(?:から)?$", text)
    if match is None:
        return text
    head, te = text[: match.start("te")], match["te"]
    if te in {"って", "んで"}:
        table = _TE_VERBS[te[0]]
        ending = next((ending for stem, ending in table.items() if ending and head.endswith(stem)), None)
        return head + ending if ending is not None else text
    if te == "して":
        return head + ("す" if re.search(r"[出話渡返直消貸探押指示回写移越崩起下戻試残申足]$", head) else "する")
    if te in {"いて", "いで"}:
        return head + {"いて": "く", "いで": "ぐ"}[te]
    return head + te[0] + "る"


def _strip(text: str) -> str:
    return re.sub(r"[\s、。，,.!！:：;；・…]+$", "", re.sub(r"^[\s、。，,.:：;；・…]+", "", text)).strip()


def _chain(text: str, span: Span, keep: Sequence[Span]) -> Iterable[Span]:
    """A clause cut at its て-forms, where both halves have an object of their own."""
    start = span.start
    for match in _TE_CHAIN.finditer(text, span.start, span.end):
        head = text[start : match.start()]
        if (
            inside(match.start(), keep)
            or not re.search(r"を[^をはが]{1,8}$", head)
            or text[match.end() : match.end() + 1] in "いくおみもほあ"
        ):
            continue
        yield Span(start, match.end())
        start = match.end()
    yield Span(start, span.end)


def _merged(text: str, pieces: Sequence[Span], dates: Sequence[Span], blank: Sequence[Span]) -> list[Span]:
    """What cannot stand alone stays with what follows: a condition, a topic, the things of a list."""
    kinds = [kind_of(_without(text, piece, blank), dated=_holds(piece, dates)) for piece in pieces]
    out: list[Span] = []
    held: Span | None = None
    for index, piece in enumerate(pieces):
        span = Span(held.start, piece.end) if held is not None else piece
        held = None
        if index + 1 < len(pieces) and (
            kinds[index] == "leading" or (span.end - span.start <= 30 and _is_topic(text, pieces, kinds, index, dates))
        ):
            held = span
        else:
            out.append(span)
    return out


def _is_topic(text: str, pieces: Sequence[Span], kinds: Sequence[Kind], index: int, dates: Sequence[Span]) -> bool:
    """Whether a clause only names what the next one is about (「自作キーボード、スイッチを注文」, 「保険の見直し、FPに相談する」)."""
    piece, sequel = pieces[index], pieces[index + 1]
    if _holds(piece, dates):
        return False
    if kinds[index] == "noun":
        after = next((at for at in range(index + 1, len(pieces)) if kinds[at] != "noun" or _holds(pieces[at], dates)), index)
        return kinds[after] == "action"
    if kinds[index] != "action" or not _is_bare(text[piece.start : piece.end]):
        return False
    if kinds[index + 1] == "action":
        return not _is_bare(text[sequel.start : sequel.end])
    return kinds[index + 1] == "noun" and _holds(sequel, dates)


def _is_bare(text: str) -> bool:
    """Whether a clause is only a noun for a deed, without object or particle."""
    return not re.search(r"[をにへと]", text) and _strip(text).endswith(_DEEDS)


def _holds(span: Span, dates: Sequence[Span]) -> bool:
    return any(span.start <= date.start < span.end for date in dates)


def _without(text: str, span: Span, blank: Sequence[Span]) -> str:
    out: list[str] = []
    position = span.start
    for date in blank:
        if span.start <= date.start < span.end:
            out.append(text[position : max(position, date.start)])
            position = max(position, date.end)
    out.append(text[position : span.end])
    return "".join(out)


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
