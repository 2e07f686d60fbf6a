"""Words that tell nothing about a subject: those of any work at a computer, of courtesy, and Japanese grammar. Tables only.

They are no list of prompts: a prompt is judged by what is left of it without them, and what is left is weighed by the vault itself.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from vaultkit.text._english import STOP_WORDS
from vaultkit.text.tokens import index_tokens

# What one asks an agent to do, and with what: weighs little, whatever note it matches.
_VERBS: Final = """
    accept add adjust allow answer append apply approve ask assert attach avoid begin bring build bump call cancel catch change check choose
    clean clear click close combine commit compare compile complete compute confirm connect consider continue convert copy correct count
    create cut debug declare decide define delete deploy describe detect diff disable display document download draft drop edit elaborate enable
    end ensure enter evaluate exclude execute exit expand explain export extend extract fail fetch fill filter finalise finalize find finish fix
    follow format generate git grep guess handle happen help hide highlight ignore implement import improve include increase indent inline input
    insert inspect install invoke join keep kill leave lint list load log look lower make mark match measure merge mock modify move need nest
    open optimise optimize order output parse paste patch pick ping polish prefer prepare print proceed process produce proofread propose provide pull
    push put raise read rebase rebuild receive recheck recommend record reduce refactor refer refine reformat regenerate remind remove rename
    render repeat replace reply report request rerun reset resize resolve restart restore restructure retry return revert review revise rewrite
    run save scan scroll seem select send separate set ship shorten show simplify skip sort speed split start stash stop store structure
    submit suggest summarise summarize support swap switch take test tidy toggle touch transform translate trim try turn type
    understand undo unify update upgrade upload validate verify wait walk warn watch wire work wrap write
    """
_NOUNS: Final = """
    ability app application approach argument array article aspect assertion attempt attribute background base behavior behaviour bit body boolean bottom
    branch browser bug bullet button case cause chapter char character chat checklist class clause cli code codebase column command comment
    complexity component concept condition config configuration constant constraint constructor content context conversation copy crash data
    dependency description detail dictionary difference dir directory docs documentation docstring draft element email endpoint entry enum error
    essay example exception explanation expression fact failure feature field file fix flag flow folder form formatting fragment frontend
    function generic goal grammar guideline hash header hint host idea image impl implementation index info information input instance instruction
    integer interface issue item iteration job key kind label language layer length letter level library line link literal local logic loop
    main matter mean message method mistake mode module moment name note number object one operation operator option output outline overview
    package page pair paragraph parameter parser part pass path pattern people person phrase piece pipeline place plan plugin point pointer port
    post pr practice prefix problem program programmer programming project prompt property purpose query question range reason refactoring regex
    repo repository requirement response result role root route row rule script section sentence server service session shape signature singleton
    site size snippet software solution source spec statement status step story string stuff style subject subset suffix suggestion suite summary
    syntax system table tag target task template term text thing time timestamp title todo tone tool top topic trace traceback translation typo
    unit url usage user util utility value variable variant version view warning way website whitespace word wording world writing yaml json csv
    xml html css http https api sdk ide os ui ux pdf readme changelog markdown
    """
_QUALITIES: Final = """
    able accurate actual additional advanced alternative available average bad basic beautiful best better big both brief broken certain cheap clean
    clear cleaner close common complete complex concise concrete consistent correct current cute dead deep default detailed different difficult
    easy efficient elegant empty enough entire exact existing extra failing fair famous fancy fast faster favourite favorite few final fine first free
    fresh full fun funny general generic global good great green happy hard helpful high idiomatic important inner instead interesting internal
    large last late latest least less long longer loose low main maximum maybe minimal minimum minor missing modern multiple nested new next
    nice normal obvious odd old only open optional original outer own particular perfect plain pleasant plus polite popular possible practical pretty previous
    private proper public quick random rather raw ready real recent red regular related relevant right rough running sad safe same second
    separate several shared short shorter significant silly similar simple simpler single slow small smart sorted sound special specific standard static
    strange strict strong stupid suitable sure technical third tiny total true false typical ugly undefined unique unknown unnecessary unused
    usual valid various weird whole wide wrong young null none nil
    zero one two three four five six seven eight nine ten eleven twelve dozen hundred thousand million half twice
    really everywhere somewhere anywhere fewer mostly mainly merely nearly almost another rather quite
    back forward away
    always never sometimes often usually actually currently probably basically properly exactly simply directly exist
    """
_COURTESY: Final = """
    ack afternoon ahead alright amazing anyway appreciate ask awesome bye cheers chat congrats cool dear evening excellent feel forget goodbye guy
    hello hey hi hmm hooray joke know lgtm lol love luck mind morning nah night nope okay ooh oops pardon please remember sir sorry sounds super
    talk tell thank thanks think thx today tomorrow tonight ty uh um wait weekend welcome well wow yay yeah yep yesterday you yo yup
    happy hope glad wish like nice worry guess imagine pretend suppose assume expect assistant ai bot model
    hang together bigger picture relate relation relationship connection interplay map landscape decide decision discuss agree remind recall
    earlier before past previously wondering since everything
    monday tuesday wednesday thursday friday saturday sunday minute hour day week month year
    """

# Things of any work: typed alone, or in pairs, they may be what is looked for after all.
_JA_THINGS: Final = """
    関数 変数 変数名 配列 引数 戻値 返値 文字列 文字 文章 文 段落 項目 単語 英語 日本語 中国語 韓国語 仏語 独語 言語 最新 最大 最小 最適 最高 全部 全体 全員 一部 一覧 部分 箇所 場所 重複
    問題 問題点 課題 原因 理由 方法 手順 手段 仕組 内容 結果 例 具体例 例文 概要 詳細 解決策 解決方法 型 値 行 列 数 個 件 名前 番号 機能 仕様 動作 挙動 状態 状況 情報 画面 環境 構造 構成 設計
    規約 形式 書式 種類 単位 時 間 方 物 事 者 人 日 月 年 週 本文 件名 題名 題材 箇条 箇条書 敬語 英文 和文 作文 小説 物語 読者 初心者 大人 初級 中級 上級 本日 毎日 毎週 週末 失敗 成功
    全体像 関係 関連 関係性 関連性 経緯 過去 書き方 作り方 使い方 直し方 考え方 やり方 読み方
    テスト エラー バグ コード コーディング ファイル フォルダ フォルダー ディレクトリ クラス メソッド コミットメッセージ ブランチ スクリプト ログ メッセージ コメント リスト パラメータ パラメーター ループ
    プログラム プログラミング サンプル サンプルコード ドキュメント コンポーネント モジュール ライブラリ パッケージ オブジェクト インスタンス プロパティ インターフェース インターフェイス クエリ テーブル カラム
    レコード キー フラグ オプション コマンド バージョン タスク プロジェクト データ タイプ ケース パターン ステップ ポイント チェックリスト タイトル テキスト ページ ボタン リンク アイデア アプローチ ユニットテスト
    ビルド エラーメッセージ フォーマット ルール スタイル メリット デメリット ユーモア フランス語 ドイツ語 スペイン語 ノート メモ つながり かかわり まとまり まとめ
    """
# What is done with them, when, how, and what people say to each other: never a subject.
_JA_DEEDS: Final = """
    修正 追加 削除 作成 作業 実装 確認 説明 実行 変更 更新 整理 要約 翻訳 英訳 和訳 記述 表示 出力 入力 処理 対応 改善 検討 質問 回答 返事 返信 相談 依頼 指示 指定 指摘 提案 使用 利用 活用
    開始 終了 継続 続行 再開 再度 了解 承知 感謝 完了 下記 以下 以上 上記 前述 次 次回 今 今回 前回 今日 明日 昨日 今週 今月 今年 来週 来月 来年 先週 先月 先日 最近 最初 最後
    最適化 場合 必要 可能 不要 分割 移動 統一 統合 変換 生成 置換 複製 保存 読込 書込 比較 分類 分析 解説 解決 仕方 簡単 簡潔 複雑 丁寧 正確 適切 適当 自然 普通 同様 同じ 別 他
    上 下 中 前 後 先 彼 彼女 私 僕 俺 君 皆 何 誰 良 悪 大 小 高 低 長 短 新 古 早 速 遅 多 少 正 誤 一 二 三 四 五 六 七 八 九 十 百 千 万 零 一度 一回 一番 一個 二個 三個 一人 二人 三人
    見 書 読 言 話 聞 行 来 出 入 使 思 考 作 直 教 続 進 動 消 変 分 知 持 取 送 待 始 終 止 戻 開 閉 押 引 打 切 付 決 選 探 調 試 困 助 願 頼 頂 致 申 伺 合 違 要 足
    書き直 書き換 書き加 見直 読み直 作り直 考え直 言い換 置き換 差し替 付け加 取り除 取り出 取り消 組み込 読み込 書き込 立ち上 繰り返 進め方
    修复 测试 代码 文件 继续 谢谢 帮忙 解释 翻译 运行 添加 删除 更新 编写 实现 函数
    相関 俯瞰 概観 以前 昔 覚 繋 関 結 残 頑張 頑 疲 嬉 楽 面白 元気 挨拶 大丈夫 結構 無理 無事 本当 絶対 多分 勿論 一緒 教えて
    コミット プッシュ プル マージ レビュー リファクタ リファクタリング チェック デバッグ コピー ペースト アドバイス シンプル ベスト ベター オーケー サンキュー つながる つながって まとめて
    これ それ あれ どれ ここ そこ あそこ どこ こちら そちら あちら どちら この その あの どの こう そう ああ どう なぜ なに なん いつ だれ どなた いくつ いくら どうやって どうすれば
    はい いいえ どうぞ うん ううん ええ おお ありがとう ありがとうございます すみません ごめん ごめんなさい おねがい おはよう おはようございます こんにちは こんばんは おやすみ さようなら よろしく
    わかりやすく わかり やすい やすく にくい きれい ちゃんと しっかり はっきり すごい すばらしい おもしろい いただき くださり ください さい もっと もう まだ また もし すぐ まず つぎ ほか ほう ところ くらい ぐらい
    ひとつ ふたつ みっつ すべて みんな たくさん いろいろ さまざま できる だけ ずつ ごと
    """

# Grammar between and after words, longest first where it matters; matched without going back, so that any text is linear.
_GRAMMAR: Final = """
    でしょうか ましょうか ませんか てください でください くださいませ ください なさい もらえますか もらえる くれますか くれる いただけますか いただけ いただき いただく
    ございます ございました でございます しています していました している していた しておいて しておく してある してほしい してから しました します しません しない して した する すると すれば しろ しよう
    されています されている されて された される させて させる させ できますか できました できます できません できない できるだけ できるように できる できた でき てしまう てしまった てしまい ちゃった
    られる られて られた られない られ なりました なります なければ ならない なって なった なる なら なく ない なかった ません ましょう ました ます まして でした です でしょう だった だろう だから だけど だけ だ
    ている ていた ています てある ておく ており ておき てから ても ては てみて てみる て た
    という といった として とって とっても とは とも とか と によって により による について に関する に対して にして には にも にて に では でも での で からの から までに までの まで より よりも ほど ばかり
    などの など しか のは のが のを のに のか のような のように ような ように ようで よう みたい らしい そうな そうだ そうで そう っていう って っけ の は が を も へ や か ね よ な ば し さ わ ぞ
    たいです たいと たい たく たら たり ほしい ほしく べき はず つもり ながら つつ ために ため わけ こと もの とき ところ うち まま とおり どおり
    あります ありました ある あって あった あり います いました いて いた いる いない おく おいて おり いき いく いって いった きて くる きた みて みる みた みたら
    お ご いい よい よく いかが けれども けれど けど しかし そして それで また もう もっと まだ まず ちょっと すぐ とても かなり すごく たぶん やはり やっぱり どうか どうも ぜひ
    """
_GRAMMAR_WORDS: Final = sorted(_GRAMMAR.split(), key=len, reverse=True)
_ALL_GRAMMAR: Final = re.compile(f"(?:{'|'.join(_GRAMMAR_WORDS)})+")
_AT_END: Final = re.compile(f"(?:{'|'.join(word for word in _GRAMMAR_WORDS if len(word) > 1)}|[のはがをもへにでとかねよ])$")
PARTICLE: Final = re.compile(
    r"(?:から|まで|より|など|だけ|とは|には|では|での|への|からの|という|について|って|の|は|が|を|に|で|と|も|へ|や)"
)
CHINESE_GRAMMAR: Final = re.compile("(?:请问|什么|怎么|为什么|[的了吗呢吧是和与我你您他她它们这那哪不没也就都很太把被给谁几让个])+")
_STRONG: Final = re.compile("[のはがをにへ]")
_LONGEST_RUN: Final = 24  # hiragana: more is a sentence for children, of which no two characters are a word


def is_generic(word: str) -> bool:
    """Is *word* (as a prompt has it, folded, or its stem) one of any work? A kanji compound of such words is one as well."""
    return word in _GENERIC or (len(word) > 2 and "\u3400" <= word[0] <= "\u9fff" and _composed(word))


def is_idle(word: str) -> bool:
    """Is it one of those that are no subject even when typed alone?"""
    return word in _IDLE


def is_stop(word: str) -> bool:
    """Is it one that the search drops from queries?"""
    return word in STOP_WORDS


def without_grammar(run: str, before: str) -> str:
    """What a run of hiragana holds beside particles and endings; "" for nothing. *before*: what kind of word it follows, "" for none."""
    if len(run) > _LONGEST_RUN or _ALL_GRAMMAR.fullmatch(run) or run in _GENERIC:
        return ""
    shortest = 2
    particle = PARTICLE.match(run) if before else None
    if before == "kanji":  # then it may be the kanji's own ending
        if particle is None:
            return ""
        if not _STRONG.match(run):
            shortest = 3
    if particle:
        run = run[particle.end() :]
    while found := _AT_END.search(run):
        run = run[: found.start()]
    return run if len(run) >= shortest and not _ALL_GRAMMAR.fullmatch(run) else ""


def _spellings(words: str) -> frozenset[str]:
    """The words as prompts have them, folded: with their stems, and without a last ー."""
    found = set(words.split())
    found |= {word.rstrip("ー") for word in found if len(word) > 2 and not word.isascii()}
    return frozenset(found | {index_tokens(word)[0] for word in found if word.isascii()})


_IDLE: Final = _spellings(f"{_VERBS} {_QUALITIES} {_COURTESY} {_JA_DEEDS}")
_GENERIC: Final = _IDLE | _spellings(f"{_NOUNS} {_JA_THINGS}")
_KANJI: Final = frozenset(word for word in _GENERIC if len(word) > 1 and "\u3400" <= word[0] <= "\u9fff")


@lru_cache(maxsize=4096)
def _composed(word: str) -> bool:
    """実装方法 is 実装 and 方法."""
    return any(word[:at] in _KANJI and word[at:] in _GENERIC for at in range(2, len(word)))
