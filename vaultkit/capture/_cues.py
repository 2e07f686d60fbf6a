"""Words that tell a scope: what people write down about work, their private life, and things that they build or learn. A table.

Weight 3: decides alone. 2: clear. 1: leans. A longer cue hides a shorter one inside it ("book club" hides "book").
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

Table = Mapping[str, Mapping[int, str]]

ENGLISH: Final[Table] = {
    "work": {
        3: """client, customer, manager, my boss, the boss, coworker, co-worker, colleague, standup, stand-up, sprint planning, sprint review,
            okr, kpi, postmortem, post-mortem, expense report, expenses report, performance review, self review, peer review form, timesheet,
            payroll, procurement, purchase order, vendor, nda, dpa, sow, rfp, rfq, msa, sla, one-on-one, skip level, all-hands, all hands, town hall,
            offsite, off-site, stakeholder, headcount, new hire, onboarding, job candidate, hiring, recruiter, sre, on-call, oncall,
            escalation, support ticket, sales team, sales call, account manager, quarterly review, business review, qbr, board meeting, board deck,
            steering committee, business trip, per diem, change request, status report, weekly report, annual leave, parental leave, pto request,
            vacation request, sick note, work council, works council, company laptop, company car, corporate card, cost center, cost centre,
            compliance training, security review, soc 2, soc2, gdpr, iso 27001, data protection officer, job description, probation, notice period,
            production outage, prod outage, incident report, runbook, vp, cto, ceo, cfo, coo""",
        2: """hr, legal team, finance team, from finance, marketing team, sales, marketing, facilities, it support, helpdesk,
            help desk, the team, my team, our team, team meeting, project manager, product manager, pm wants, product owner, scrum, sprint, retro,
            retrospective, backlog, jira, confluence, salesforce, hubspot, sharepoint, ms teams, slack channel, zendesk, servicenow, workday, sap,
            quotation, proposal, contract, renewal, tender, statement of work, kickoff, kick-off, workshop with, minutes, slide deck,
            slides, presentation, deck, invoice, budget, forecast, revenue, quarter, quarterly, q1, q2, q3, q4, fiscal year, audit, auditor, sso,
            incident, outage, rollout, roll-out, prod, production, staging, hotfix, deploy, deployment, release train, tls cert, certificate, server room,
            data center, datacenter, conference room, meeting room, office, branch office, headquarters, hq, department, intern, trainee, candidate,
            cv, resume screening, interview, job offer, promotion packet, promotion, appraisal, salary, bonus, raise, shift, roster, union, memo,
            press release, campaign, leads, pipeline, crm, erp, billing, pricing page, churn, trial users, enterprise, account, partner company,
            supplier, shipment, warehouse, stock count, inventory, factory, customer support, helpline, webinar, trade fair, trade show, demo for,
            team lunch, team building, status meeting, steering, roadmap, regression suite, ci pipeline, architecture review,
            design review, code review, pull request, pr review, data warehouse, airflow, kubernetes cluster, terraform, sev1, sev2, rca, postgres upgrade""",
        1: """meeting, agenda, report, team, project plan, milestone, deadline, ticket, release, migration, migrate, api, bug report, feature request,
            requirements, spec, specification, approval, approve, sign-off, sign off, policy, training, workshop, conference, speaker, travel,
            expenses, reimbursement, receipts for, review, feedback, survey, metrics, dashboard, analytics, monitoring, alert, logs, vpn, laptop,
            server, database, cluster, legal, finance, accounting, tax office, compliance, security, vendor list, order form,
            ship, users complain, features, feature, frontend, backend, staging server, merge freeze, code freeze, freeze,
            jenkins, ci, deploys, pr, pto, ooo, calendar invite, invite, call with, sync with, catch up with, follow up with, ping, loop in""",
    },
    "personal": {
        3: """mum, mom, mother, dad, father, parents, grandma, grandpa, granny, grandmother, grandfather, my wife, my husband, my girlfriend,
            my boyfriend, sister, brother, aunt, uncle, cousin, niece, nephew, daughter, son, kids, kid, children, toddler, baby,
            nanny, babysitter, family, in-laws, godchild, birthday, anniversary, wedding, funeral, baby shower, christening, dentist, doctor, gp,
            dr, pediatrician, paediatrician, orthodontist, dermatologist, optician, eye doctor, eye exam, physio, physiotherapist, therapist, therapy,
            hospital, clinic, blood test, blood pressure, prescription, pharmacy, antibiotics, vaccine, vaccination, flu shot, jab, check-up, checkup,
            mammogram, allergy, vitamin, gym, yoga, pilates, rent, landlord, lease, mortgage, flatmate, roommate, plumber,
            electrician, handyman, boiler, council tax, tax return, income tax, income taxes, my taxes, passport, driving licence, driver's license,
            driving license, school play, parents evening, parent-teacher, pta, kindergarten, nursery, daycare, day care, preschool, school trip,
            playdate, play date, haircut, hairdresser, barber, dry cleaning, groceries, grocery, supermarket, milk, eggs, bread, butter, sourdough,
            recipe, lasagna, lasagne, soup, curry, dinner, breakfast, casserole, vet, the dog, the cat, dog food, cat food, puppy, kitten,
            car inspection, oil change, winter tyres, winter tires, summer tyres, tyres, car insurance, health insurance, life insurance, home insurance,
            pension, savings account, credit card, direct debit, standing order, electricity bill, gas bill, water bill, phone bill, netflix, spotify plan,
            disney+, prune, compost, lawn, hedge, tomatoes, roses, seedlings""",
        2: """house, flat, apartment, home, kitchen, bathroom, bedroom, living room, basement, attic, balcony, garage, garden, gardening, roof, gutter,
            gutters, heating, radiator, dishwasher, washing machine, fridge, freezer, oven, vacuum cleaner, hoover, mattress, sofa, couch, curtains,
            wardrobe, shelf, ikea, paint the, wallpaper, smoke detector, light bulb, lightbulbs, laundry, ironing, dishes, chores, declutter, recycling,
            bins, neighbour, neighbor, neighbours, neighbors, removal company, moving boxes, moving house, new flat, find a flat, internet provider,
            phone contract, phone plan, broadband, insurance, warranty, bank, bank account, loan, savings, donation, charity, tax, taxes, utilities,
            electricity, energy provider, meter reading, car, bike, bicycle, scooter, train tickets, flight, flights, hotel for, airbnb, holiday, holidays,
            vacation, road trip, camping, beach, ski, skiing, museum, concert, theatre, theater, cinema, movie, film night, restaurant, brunch,
            gift, present, presents, christmas, easter, thanksgiving, halloween, party, bbq, barbecue, friend, friends, rsvp, postcard, greeting card,
            holiday card, thank-you note, library book, library books, library card, book club, parcel, package for, school, teacher, homework help,
            football practice, soccer practice, ballet, piano lesson for, scout, summer camp, run 5k, running shoes, marathon, jogging, workout, workouts,
            training plan, weight, diet, calories, sleep, insomnia, headache, migraine, knee, back pain, meditate, meditation, habit, walk the, hike, hiking,
            bake, baking, cook, cooking, starter, flour, sugar, salt, oat milk, coffee beans, lentils, vegetables, fruit, meal plan, meal prep, shopping list,
            buy, subscription, free trial, gym trial, membership, church, volunteer, visa, embassy, registry office, election, vote, ballot, jury duty,
            glasses, contact lenses, shoes, jacket, coat, dress, clothes, wallet, keys, spare key, pet, rabbit, aquarium, plants, water the plants,
            mow, rake, leaves, firewood, chimney, sauna, pool""",
        1: """doctor's note, appointment, pick up, drop off, weekend, evening, picnic, wine, beer, tea, cake, cup, tablespoon, teaspoon, tbsp, tsp, minutes at,
            celsius, euro, euros, dollars, cash, refund, return the, ticket, tickets, photos, photo album, album of photos, camera, movie ticket, series, tv,
            inspection, permit, parking, fine, notice, deposit, key, lock, repair, fix the sink, sink, tap, leak, drain, toilet, shower, mirror,
            furniture, rug, lamp, candle, blanket, pillow, towel, soap, shampoo, detergent, cleaning, clean the, sunscreen, umbrella""",
    },
    "project": {
        3: """side project, side-project, pet project, hobby project, weekend project, side hustle, open source, open-source, oss, hackathon, podcast,
            podcast episode, newsletter, youtube, my blog, blog post, blogpost, blog, my novel, the novel, novel, short story, screenplay, poem, poetry, zine,
            fanzine, manuscript, chapter, cfp, call for papers, conference talk, lightning talk, meetup talk, game jam, gamedev, godot, unity, unreal,
            pygame, pixel art, sprite, shader, mechanical keyboard, keycaps, soldering, solder, pcb, breadboard, arduino, raspberry pi, esp32, microcontroller,
            3d print, 3d printer, 3d-printed, home assistant, homelab, home lab, self-host, self-hosted, selfhost, dotfiles, neovim, nixos, emacs config,
            advent of code, leetcode, kaggle, coursera, udemy, mooc, online course, anki, duolingo, flashcards, language exchange, learn, learning,
            my app, app idea, app that, idea for an app, startup idea, indie, indie game, itch.io, synth, synthesizer, eurorack, guitar, ukulele, bass line,
            demo tape, track list, ep release, mixtape, songwriting, song, lyrics, melody, drum loop, watercolour, watercolor, illustration, sketchbook, oil painting,
            comic, webcomic, manga, pottery, ceramics, woodworking, knitting, knit, crochet, sewing pattern, telescope build, model railway, drone build,
            crdt, toy compiler, compiler, interpreter, parser, scraper, crawler, chatbot, discord bot, telegram bot, browser extension, chrome extension, plugin,
            vaultkit, obsidian, zettelkasten, bm25, embeddings, rag, fine-tune, local llm, ollama""",
        2: """idea, prototype, mvp, proof of concept, repo, github, gitlab repo, readme, changelog, pypi, npm, crate, cargo, homebrew formula, library, lib,
            package, cli, tui, sdk, framework, sqlite, rust, haskell, zig, elixir, clojure, ocaml, lisp, wasm, webassembly, typescript, python 3, python script,
            lint, linter, tokenizer, regex, unit tests, fuzz, benchmark, refactor, rewrite, algorithm, neural net, dataset, landing page, domain name, portfolio,
            personal site, website, static site, rss, theme, app, episode, intro music, video, video essay, script, storyboard, animation, render, blender, cover art, album,
            ep, song demo, mix, master the, practice piano, piano, violin, cello, drums, choir piece, drawing, paint, painting, sketch, photo series,
            exhibition, keyboard, switches, firmware, cnc, laser cutter, lathe, sensor, led strip, lora, homework, course, class notes, lecture, tutorial, textbook,
            exam prep, study, paper, papers, thesis, essay, article draft, draft, write chapter, editor wants, publisher, beta readers, talk, talk proposal, abstract,
            pitch, meetup, study group, workshop idea, mentor, v0, v1, v2, feature branch, issue tracker, pull requests, contributors, maintainers,
            sponsor, patreon, kickstarter, discord server, mastodon, bluesky, japanese vocabulary, spanish vocabulary, kanji deck, level design, boss fight, hitbox, high score, physics engine""",
        1: """tool, script, code, coding, bug, feature, test, tests, docs, documentation, design, ui, ux, server-side, commit, branch, merge, build, tag, release,
            publish, post, write, writing, read, notes on, experiment, try, play with, hack, tinker, config, sync, local-first, offline-first, markdown, lecture notes,
            workshop, art, music, sound, photo, camera lens, tutorial video, lock screen, shows, sort by, hash, json, yaml, csv, api client, function, module""",
    },
}

JAPANESE: Final[Table] = {
    "work": {
        3: """顧客, お客様, 客先, クライアント, 取引先, 得意先, 先方, 上司, 部長, 課長, 係長, 社長, 役員, 同僚, 部下, 新入社員, 新人研修, 弊社, 御社, 社内, 社外, 全社, 他部署, 部署,
            人事, 総務, 経理, 法務, 営業部, 営業, 情シス, 稟議, 決裁, 見積書, 見積もり, 見積り, 見積, 請求書, 発注書, 納品書, 契約書, 仕様書, 提案書, 企画書, 報告書, 週報, 日報, 月報,
            議事録, 経費, 経費精算, 勤怠, 有給, 有休, 年末調整, 出張, 打ち合わせ, 打合せ, 商談, 会議, 会議室, 定例, 朝会, 夕会, 全体会, キックオフ, 採用, 職務経歴書, 中途, 内定, 人事評価, 評価面談,
            目標設定, 1on1, 障害対応, 障害報告, 障害, 本番環境, 本番, リリース判定, 検収, 納期, 稼働, 工数, 要件定義, 基本設計, 受注, 失注, 売上, 予算, 決算, 四半期, 株主, 監査, コンプライアンス, 情報セキュリティ研修,
            DPA, NDA, OKR, KPI, SLA, RFP, 業務委託, 派遣, 退職届, 異動, 昇進, 昇格, 名刺, 来社, 訪問先, 展示会, 社員, 労務, 就業規則, 在宅勤務, テレワーク申請, 合宿""",
        2: """面接, 候補者, 面談, プレゼン, 資料, スライド, 会社, 職場, 仕事, 業務, 案件, 担当者, 担当, 顧客対応, 問い合わせ, クレーム, 契約, 契約更新, 入札, 納品, 発注, 請求, 入金確認, 支払条件, 共有会, 引き継ぎ, 引継ぎ,
            マニュアル, 手順書, 研修, セミナー, 懇親会, 歓迎会, 送別会, 忘年会の幹事, シフト, 出社, 退勤, 残業, 会計, 税理士, 社労士, 弁護士, 広報, プレスリリース, マーケ, 広告, キャンペーン, サーバー, サーバ, 証明書, デプロイ,
            ステージング, 監視, アラート, インシデント, 移行, 移行作業, 改修, 不具合, 仕様, 要件, 進捗, スケジュール調整, チケット, バックログ, スプリント, レビュー依頼, コードレビュー, プルリク, 承認, 申請書, 押印, 捺印, 社判, ワークスペース,
            オンボーディング, ダッシュボード, 在庫, 出荷, 工場, 倉庫, 物流, 代理店, 仕入れ, 仕入先, 棚卸, 棚卸し, 給与処理, 採用計画, ロードマップ, 四半期末, 年度末""",
        1: """会議, 報告, 共有, 確認, 提出, レビュー, リリース, 調整, 連絡, 対応, 検討, 資料作成, メール, 電話会議, オンライン会議, チーム, メンバー, プロジェクト, システム, データ, 分析, 数字, 目標, 計画, 設計, テスト, 承諾, 返答, 機能""",
    },
    "personal": {
        3: """母, 父, 夫の, 夫に, 夫と, 絵本, 電車賃, 両親, 祖母, 祖父, おばあちゃん, おじいちゃん, 妻, 嫁, 旦那, 息子, 娘, 子ども, 子供, こども, 赤ちゃん, 家族, 実家, 義母, 義父, 姉, 妹, 兄, 弟, 甥, 姪, 叔母, 叔父, 孫, 誕生日, 結婚式, 結婚記念日, 法事, 葬儀, お墓, 墓参り,
            歯医者, 歯科, 病院, 医者, 眼科, 皮膚科, 内科, 小児科, 耳鼻科, 整骨院, 整体, 健康診断, 人間ドック, 予防接種, ワクチン, 薬, 処方箋, 薬局, 血圧, 花粉症, 見舞い, お見舞い, ジム, ヨガ, ランニング, 散歩, 筋トレ, ダイエット, 睡眠,
            家賃, 大家さん, 大家, 賃貸, 引っ越し, 引越し, 引越, 内見, 住宅ローン, マンションの, 電気代, ガス代, 水道代, 光熱費, 火災保険, 生命保険, 医療保険, 自動車保険, 車検, 免許, 免許証, パスポート, マイナンバー, 確定申告, ふるさと納税, 住民税, 固定資産税, 自動車税,
            年金, 保育園, 幼稚園, 小学校, 中学校, 学校の, 参観日, 授業参観, 運動会, 発表会, 三者面談, 習い事, 学童, PTA, 美容院, 床屋, 散髪, クリーニング, 牛乳, 卵, 豆腐, 味噌, 味噌汁, 醤油, 玉ねぎ, 大根, にんじん, じゃがいも, カレー, レシピ, 弁当, 夕飯, 晩ご飯, 晩ごはん,
            朝ごはん, 献立, 料理, 煮込む, 炒める, 大さじ, 小さじ, 犬, 猫, ペット, 動物病院, 灯油, 大掃除, 粗大ごみ, 粗大ゴミ, ゴミ出し, ごみ出し, 洗濯, 洗濯機, 冷蔵庫, 掃除機, 年賀状, お歳暮, お中元, お年玉, 七五三, ひな祭り, 初詣""",
        2: """家の, 家に, 家で, 自宅, 部屋, 台所, キッチン, 風呂, 浴室, トイレ, 庭, ベランダ, 玄関, 寝室, 布団, 家具, カーテン, 照明, エアコン, 水道, ガス, 電球, 掃除, 片付け, 片づけ, 買い物, スーパー, 食材, 野菜, 果物, 砂糖, 小麦粉, 油揚げ, カップ, 肉, 魚, お米, コーヒー豆, お茶, おやつ,
            お菓子, ケーキ, プレゼント, 贈り物, 手土産, お土産, 旅行, 温泉, 帰省, 新幹線, 航空券, 飛行機, ホテル予約, 宿, キャンプ, 花見, 花火, 映画, コンサート, ライブのチケット, 美術館, 動物園, 遊園地, 外食, 飲み会, 友達, 友人, 同窓会, 図書館, 図書カード, 本屋, 荷物, 宅配, 再配達, 郵便局,
            銀行, 口座, 振込, 振り込む, 振り込み, 引き落とし, クレジットカード, 家計, 家計簿, 貯金, 投資信託, NISA, iDeCo, 保険, 解約, サブスク, 無料期間, 無料体験, スマホの機種変, 携帯代, 格安SIM, 車, 自転車, タイヤ, 洗車, ガソリン, 駐車場, 定期券, 定期を, 区役所, 市役所, 役所, 住民票, 印鑑証明, 選挙, 投票,
            寄付, 体重, 体調, 頭痛, 腰痛, 肩こり, 風邪, 健康, 習慣, 早起き, 休み, 土日, 連休, 休日, 週末, ママ友, パパ, ママ, 先生に, 宿題, 塾, ピアノの発表会, 水やり, 植え替え, 花, 苗, 野球, サッカー, プール, スキー, 靴, 服, 眼鏡, メガネ, コンタクト""",
        1: """買う, 食べる, 飲む, 寝る, 作り置き, 予約, 注文, 写真, 領収書, チケット, 届く, 病, 医, 税, 更新, カード, 電話する, 夜, 朝, 分煮る, 煮る, 焼く, 茹でる, 枚, 個""",
    },
    "project": {
        3: """個人開発, 個人プロジェクト, サイドプロジェクト, 副業, 趣味の, 自作, 同人誌, 同人, 入稿, コミケ, 即売会, 小説の, 短編, 長編, 執筆, 脚本, 詩, 句集, ポッドキャスト, ニュースレター, メルマガ, ブログ, ブログ記事, note記事, 技術記事, Zenn, Qiita, ユーチューブ, YouTube,
            動画編集, 登壇, LT, CFP, ハッカソン, 勉強会, もくもく会, 読書会, 輪読, オープンソース, OSS, リポジトリ, GitHub, 自作ゲーム, ゲーム制作, ゲームジャム, Unity, Godot, ドット絵, 当たり判定, シェーダー, 電子工作, はんだ, 基板, Arduino, ラズパイ, ラズベリーパイ, ESP32, マイコン, 3Dプリンタ, 3Dプリンター,
            自作キーボード, 自作PC, 自宅サーバー, 自宅サーバ, 家庭内サーバー, スクレイパー, スクレイピング, クローラー, パーサ, パーサー, コンパイラ, インタプリタ, Rust, Haskell, Zig, 言語処理系, 競プロ, AtCoder, Kaggle, 作曲, 編曲, 作詞, DTM, シンセ, ギター, ベースの, ピアノの練習, バンド, 弾き語り, イラスト, 水彩,
            油絵, スケッチ, デッサン, 陶芸, 木工, 編み物, 刺繍, ミシン, 手芸, 写真展, 個展, 英語の勉強, 英語学習, 資格, 資格試験, 簿記, TOEIC, 放送大学, オンライン講座, 通信講座, 独学, 勉強, 学習, アイデア, ボイロ, vaultkit, Obsidian, ローカルLLM, 埋め込みベクトル""",
        2: """アプリ, プロトタイプ, 試作, プラグイン, 拡張機能, ライブラリ, ツール, スクリプト, コード, リファクタ, リファクタリング, 実装, 書き直す, 書き直し, sqlite, CLI, bot, ボット, README, v0, v1, v2, ゲーム, ステージ, レベルデザイン, キーボード, スイッチ, ファームウェア, センサー, LED, 記事, 下書き, 原稿, 表紙, 挿絵, 章,
            小説, エッセイ, レポート課題, 論文, 輪講, 講座, 講義, 授業, 教科書, 教材, 単語帳, 語学, フランス語, スペイン語, 中国語, 韓国語, 動画, 撮影, 編集, 収録, オープニング, エピソード, 公開, 配信, ドメイン, サイト, ホームページ, LP, デザイン, ロゴ, 曲, 楽譜, 練習, 絵, 描く, 作品, 展示, 応募, コンテスト, コンペ, 登録者, 支援者,
            クラウドファンディング, ベンチマーク, アルゴリズム, データセット, 機械学習, リンター, lint, 正規表現, ロック画面, issue, ワークショップ""",
        1: """作る, 書く, 試す, 学ぶ, 読む, 調べる, 機能, テスト, バグ, 設計, デバッグ, コミット, ビルド, リリース, ノート, メモ, 工作, 部品, 配線, 写真""",
    },
}

# Words that only look like a cue from inside: they hide it.
NEUTRAL: Final = (
    "営業日, 営業時間, 営業中, 工夫, 大丈夫, 丈夫, 全部, 部分, 日本, 母集団, 母数, 作家, 専門家, 国家, 欧米, 加熱, 熱心, 会社員, 家電量販店, 本当, 基本, 見本, 根本, "
    "学校教育, 仕事帰り, 休日出勤, car park, paper towel, test drive, house style, home page, homepage, family of, bank holiday, parent class, "
    "parent folder, child process, gift of, present day, kitchen sink, garden path, in general, key value, key-value, dish, the present, at present, "
    "lock screen, lock file, lockfile, leaves us, leaves the, party to, third party, third-party, cat file, milk run, milestone"
)

# Hosts of a captured address: the page's own words say more, these only help when it could not be read.
HOSTS: Final[Mapping[str, str]] = {
    "atlassian.net": "work", "salesforce.com": "work", "sharepoint.com": "work", "office.com": "work", "servicenow.com": "work",
    "github.com": "project", "gitlab.com": "project", "codeberg.org": "project", "arxiv.org": "project", "pypi.org": "project",
    "crates.io": "project", "npmjs.com": "project", "zenn.dev": "project", "qiita.com": "project", "stackoverflow.com": "project",
    "news.ycombinator.com": "project", "lobste.rs": "project", "itch.io": "project", "hackaday.com": "project",
    "cookpad.com": "personal", "kurashiru.com": "personal", "allrecipes.com": "personal", "booking.com": "personal",
    "airbnb.com": "personal", "ikea.com": "personal", "tripadvisor.com": "personal",
}  # fmt: skip
