// Synonyms of how a project is run, and of everyday words around it, in English and Japanese. The format is in
// parseLexicon.ts.

export const PROJECT_WORDS = `
project product work | repo | プロジェクト 案件 製品 企画
task ticket issue job todo | work | タスク 課題 作業 チケット 仕事
issue ticket problem | bug | 課題 問題 チケット 案件
story requirement need | feature | 要件 要求 ストーリー
requirement specification spec | need | 要件 仕様 要求仕様
specification spec definition | standard | 仕様 仕様書 規格 定義
pull_request pr merge_request review | branch | プルリクエスト プルリク マージ依頼
review feedback comment | approve | レビュー 指摘 意見
code_review pr_review reviewer | approve | コードレビュー 査読
commit_message commit_log | changelog | コミットメッセージ 変更の説明
message text wording | words | 文言 文面 メッセージ
changelog release_notes history | changes | 変更履歴 更新履歴 リリースノート
documentation docs manual readme guide handbook | document wiki | ドキュメント 文書 資料 説明書 手引き マニュアル
guide tutorial howto instructions | manual | 手引き 案内 手順 解説
procedure steps instructions runbook process | how | 手順 手続き やり方 流れ 手順書
example sample demo | illustration | 例 見本 サンプル 実例
note memo remark | comment | メモ 覚え書き 備考 注記
diagram figure chart drawing | graph | 図 図表 ダイアグラム 絵
meeting call conference standup sync | discussion | 会議 打ち合わせ ミーティング 打合せ
discussion talk debate conversation | meeting | 議論 話し合い 相談 会話
agreement consensus contract | decision | 合意 契約 取り決め 約束
decision choice conclusion | decided | 決定 判断 結論 選択
team group members crew | people | チーム 班 仲間 組
owner maintainer responsible in_charge | contact | 担当 責任者 所有者 担当者 管理者 持ち主
responsible charge accountable | owner | 責任 担当
developer engineer programmer coder | dev | 開発者 技術者 エンジニア プログラマ
designer design | ui | デザイナー 設計者
tester qa quality_assurance | test | テスター 品質保証 検証担当
customer client buyer consumer | user tenant | 顧客 お客様 客 取引先 得意先 お客
tenant organization organisation company workspace | customer | テナント 組織 会社 企業 団体
company firm business corporation | enterprise | 会社 企業 事業 法人
partner vendor supplier third_party | external | 取引先 業者 仕入先 外部
external third-party outside | foreign | 外部 社外 外
internal inhouse in-house own | private | 内部 社内 自社
support helpdesk help assistance | service | サポート 支援 窓口 手助け
help assist aid | support | 助ける 手伝う 支援 ヘルプ
question inquiry doubt | ask | 質問 疑問 問い
unit_test unit_tests | spec test | 単体テスト ユニットテスト
integration_test e2e end-to-end system_test | test | 結合テスト 統合テスト
test_suite tests specs | test | テスト一式 試験
test_runner jest vitest pytest mocha rspec | test | テストランナー テストツール
coverage cover | test percentage | カバレッジ 網羅率 網羅
fixture test_data sample_data seed | mock | テストデータ 固定データ 初期データ
snapshot golden baseline | test | スナップショット 基準 写し
assertion assert expectation expect | test | 期待 検証 表明
regression setback degrade | bug | デグレ 後退 退行 悪化
benchmark performance_test load_test | measure | 負荷試験 性能試験 ベンチマーク 負荷テスト
load traffic burden stress | heavy | 負荷 通信量 混雑 アクセス数
quality_check ci_check gate | pass | 品質検査 関門
release shipment rollout | version deploy | リリース 出荷 公開 発売
deadline due due_date time_limit | date | 締め切り 期限 納期 締切 期日
schedule timetable calendar plan | date | 予定 日程 スケジュール 予定表
milestone goal target | plan | 目標 節目 到達点
goal aim purpose objective target | intention | 目的 目標 狙い
purpose reason intent | why | 目的 意図 理由
scope extent range | limit | 範囲 対象 領域
estimate guess approximation forecast | about | 見積もり 概算 推定 予測 見積
cost price expense fee charge | money | 費用 価格 料金 値段 コスト 金額
price amount fee | cost | 価格 値段 料金 金額
money currency cash funds | yen dollar | お金 通貨 金額 現金
currency yen dollar euro jpy usd | money | 通貨 円 ドル 為替
tax vat duty consumption_tax | rate | 税 消費税 税金 税率
rate ratio percentage share proportion | percent | 割合 率 比率 レート
discount reduction coupon sale | price | 割引 値引き クーポン 安売り
invoice bill billing statement | payment | 請求書 請求 インボイス 明細
receipt proof slip | invoice | 領収書 受領 レシート 伝票
refund reimbursement money_back | return payment | 返金 払い戻し 返品
order purchase buy | checkout cart | 注文 購入 発注 買う オーダー
cart basket | order | カート 買い物かご 籠
shop store retail ecommerce | mall | 店 店舗 商店 通販
product item goods article merchandise | sku | 商品 品物 製品 品目
stock inventory supply | warehouse | 在庫 棚卸 備蓄
warehouse storehouse depot | stock | 倉庫 保管場所
shipping delivery shipment transport | parcel | 配送 発送 出荷 配達 輸送
contract subscription plan | agreement | 契約 購読 プラン 定期購入
reservation booking appointment | schedule | 予約 申込 取り置き
account balance ledger bookkeeping | money | 口座 残高 帳簿 会計
accounting finance bookkeeping | money | 会計 経理 財務
sales revenue turnover income | money | 売上 収益 収入 営業
profit gain margin | money | 利益 儲け 利潤
report summary statement | document | レポート 報告書 要約 帳票
summary overview digest abstract | outline | 要約 概要 まとめ 概略
statistics analytics numbers | metrics | 統計 分析 解析
time hour clock moment | date | 時間 時刻 時
date day calendar | time | 日付 日 日時 年月日
timezone time_zone utc jst | time | タイムゾーン 時間帯 時差 標準時
month monthly | date | 月 毎月 月次
daily every_day everyday | day | 毎日 日次 日々
night nightly midnight overnight | evening | 夜 夜間 深夜 夜中
weekend saturday sunday holiday | friday | 週末 土日 休日
holiday vacation day_off | leave | 休暇 休日 祝日 休み
weekday business_day workday | week | 平日 営業日
period duration term span | time | 期間 間 長さ
retention keep_for storage_period | expire | 保持期間 保存期間 保管期間
interval frequency every | period | 間隔 頻度 周期
first initial primary | beginning | 最初 初め 一番 第一
total sum overall | all | 合計 総計 全体
alternative substitute option other | instead | 代替 代わり 選択肢 別案
instead rather in_place | replace | 代わりに 替わり
language tongue locale | english japanese | 言語 言葉 ロケール 語
word term vocabulary | name | 単語 語 用語 言葉
title heading headline subject | name | 題名 見出し タイトル 件名
name label title | call | 名前 名称 氏名
address residence location | place | 住所 所在地 宛先
photo picture photograph image | camera | 写真 画像
privacy personal_data pii gdpr | secret | 個人情報 プライバシー 秘匿
legal law license licence terms | contract | 法律 法的 ライセンス 規約 法
license licence copyright | mit open_source | ライセンス 著作権 使用許諾
open_source oss free_software | public | オープンソース 公開
public open published | visible | 公開 公共 一般
private closed hidden secret | personal | 非公開 私的 秘密 個人
idea thought concept | proposal | 案 考え アイデア 発想
proposal suggestion plan | idea | 提案 企画 案
reason why cause because grounds | motive | 理由 訳 なぜ わけ 根拠
method way approach means how technique | procedure | 方法 やり方 手段 手法 仕方
tool instrument utility | software | 道具 ツール 用具
kind type sort category | class | 種類 種別 分類 類
category class group classification | kind | 分類 カテゴリ 区分 部類
size dimension magnitude | large | 大きさ サイズ 寸法 容量
amount quantity volume number | count | 量 数量 分量
order sequence turn arrangement | sort | 順番 順序 順 並び
state status condition situation | mode | 状態 状況 ステータス 様子
situation circumstances context case | state | 状況 場合 事情 場面
context background setting | situation | 文脈 背景 前提
assumption premise prerequisite precondition | condition | 前提 仮定 条件
mode state | setting | モード 様式 状態
success succeed win | pass | 成功 うまくいく 達成
progress advance status | done | 進捗 進行 経過 進み
done finished complete completed | ready | 完了 済み 終わった 完成
ready prepared | available | 準備 用意 準備完了
prepare preparation ready set_up | arrange | 準備 用意 支度 下準備
draft rough outline unfinished | wip | 下書き 草案 原案 たたき台
`
