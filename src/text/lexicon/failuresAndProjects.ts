// Synonyms of what goes wrong, and of qualities, in English and Japanese. The format is in lexicon.ts.

export const FAILURES = `
fail failure break not_work fails | unsuccessful red down | 失敗 落ちる 失敗する こける 動かない 通らない しくじる
error fault mistake exception | problem bug wrong | エラー 誤り 間違い 異常 不具合 例外
bug defect issue glitch flaw fault | broken problem error | バグ 不具合 欠陥 問題 障害
problem issue trouble difficulty | matter pain | 問題 課題 困る トラブル 支障 困った
crash panic segfault blow_up die abort | core_dump terminate | クラッシュ 落ちる 異常終了 強制終了 死ぬ
freeze hang stuck deadlock unresponsive lock_up | block stall | 固まる フリーズ 止まる ハング 応答しない 停止 デッドロック
timeout time_out timed_out too_long | slow expire deadline | タイムアウト 時間切れ 遅い 制限時間
flaky unstable intermittent sporadic unreliable random | sometimes nondeterministic | 不安定 たまに フレーキー 時々 ランダム 偶発
slow sluggish latency lag | delay performance takes_long | 遅い 重い 低速 遅延 もたつく 時間がかかる 鈍い
fast quick speedy rapid | performance speed | 速い 高速 早い 素早い 迅速 軽い
performance speed throughput efficiency | fast slow | 性能 速度 パフォーマンス 効率 スループット
leak exhaustion run_out oom | memory grow | 漏れ リーク 枯渇 メモリ不足 流出
outage downtime incident unavailable | down failure | 障害 停止 ダウン 事故 インシデント 止まる
corrupt broken damaged garbled | invalid mojibake | 壊れる 破損 文字化け 壊れた 化ける
broken defective not_working damaged | fail | 壊れた 壊れる 動かない 故障
missing absent lacking not_found lost | none gone without | 見つからない 欠落 不足 欠ける 存在しない 抜け ない 足りない
lost vanish disappear gone | missing | 消える 失う 紛失 なくなる 消失
duplicate double twice repeated | redundant copy | 重複 二重 ダブる 重なる 二回
conflict clash collision | contradiction overlap | 競合 衝突 コンフリクト 矛盾 ぶつかる
race concurrency simultaneous parallel | thread lock | 競合状態 並行 同時 レース 並列
parallel concurrent simultaneous | multi worker | 並列 並行 同時 平行
sequential serial one_by_one in_order | single | 逐次 直列 順番 順次 一つずつ
incompatible mismatch differ | conflict | 非互換 不一致 合わない 互換性 食い違い
mismatch inconsistent differ discrepancy | unequal | 不一致 食い違い ずれ 差異 ずれる 合わない
inconsistent contradictory | differ | 矛盾 不整合 ばらばら 一貫しない
consistent uniform same | coherent | 一貫 統一 整合 揃える
invalid wrong incorrect bad illegal improper | malformed error | 不正 無効 誤り 間違い 正しくない 不適切
valid correct right proper legal | ok | 正しい 有効 適切 妥当 正当
wrong incorrect mistaken false | bad error | 間違い 誤り 違う 不正 誤った
unexpected surprising strange odd weird | unusual | 予期しない 想定外 意外 変 おかしい 奇妙
unknown unclear undefined | mystery | 不明 未知 未定義 わからない
empty blank null nil none | missing zero | 空 空白 空欄 無し ヌル 何もない
full overflow exceed too_many | limit exhausted | 満杯 溢れる 超過 いっぱい 一杯 オーバーフロー
exceed over surpass beyond | limit too_large | 超える 超過 上回る オーバー
large big huge great | heavy size | 大きい 巨大 大型 大量 大規模
small little tiny minor | short | 小さい 小型 少ない 些細 小規模
heavy expensive costly | slow large | 重い 高価 負荷 コスト
never not_ever must_not do_not don't | forbid | 決して 絶対に 禁止 しない 厳禁
safe secure harmless | protected | 安全 安心 無害 セキュア
dangerous risky unsafe hazardous harmful | careful | 危険 危ない リスク 有害
careful caution attention beware watch_out | warning | 注意 気を付ける 慎重 用心
important critical essential crucial vital key | major | 重要 大事 大切 肝心 必須
urgent immediate asap priority | hurry | 緊急 至急 急ぎ すぐ 急ぐ 優先
priority precedence importance | order | 優先 優先度 優先順位
optional voluntary | may | 任意 省略可能 オプション
mandatory required compulsory obligatory | must | 必須 強制 義務 必要
temporary interim provisional transient | short | 一時的 仮 暫定 当面 一時
permanent persistent lasting | forever | 恒久 永続 永久 ずっと
deprecated obsolete outdated legacy old | retired unused | 非推奨 廃止 古い 旧式 時代遅れ
legacy old former previous | outdated | 旧 古い レガシー 以前 従来
new fresh latest recent modern | current | 新しい 最新 新規 新 新型
stale outdated expired old | cache | 古い 期限切れ 陳腐化 古くなる
current present existing now | today | 現在 今 現行 既存 いま
previous former earlier prior last | old | 前 以前 前回 過去 先の
default standard initial usual | fallback preset | 既定 デフォルト 標準 初期値 規定
custom own special bespoke | personal | 独自 自作 特注 カスタム 特別
manual by_hand handmade | person | 手動 手作業 人手 手で
automatic auto self | bot unattended | 自動 オート ひとりでに
readable legible clear | understand | 読みやすい 可読性 わかりやすい 見やすい
quiet silent mute | noisy | 静か 無音 沈黙 黙る
noisy verbose chatty loud | spam | うるさい 冗長 騒がしい ノイズ
warning caution alert | notice | 警告 注意 ワーニング 警報
cause reason root_cause because why | origin source | 原因 理由 要因 根本原因 なぜ わけ
symptom sign indication | effect | 症状 兆候 現れ
effect impact influence consequence | result | 影響 効果 結果 作用
result outcome output | consequence | 結果 成果 出力
solution fix remedy answer cure resolution | workaround | 解決策 対策 解決 対処法 解決方法
workaround hack bypass trick detour | temporary fix | 回避策 応急処置 その場しのぎ 迂回 暫定対応 抜け道
measure countermeasure action | step | 対策 措置 手段
risk danger hazard threat | chance | リスク 危険 恐れ 脅威
limit maximum cap ceiling upper_bound quota | threshold most | 上限 限度 最大 制限 限界 クォータ
minimum least lower_bound floor | smallest | 下限 最小 最低
threshold limit cutoff | boundary | 閾値 しきい値 境界 基準値
range interval span scope | between | 範囲 区間 幅
precision accuracy exact | rounding decimal | 精度 正確 厳密
quality standard grade | good | 品質 質 水準
stability stable reliable robust | solid | 安定 信頼性 堅牢 頑健
security vulnerability hole exploit | attack safe | セキュリティ 脆弱性 安全 弱点 穴
compatible compatibility works_with | support | 互換 互換性 対応 両立
available usable accessible ready | up | 利用可能 使える 可用 空き
unavailable inaccessible unreachable | down | 利用不可 使えない 届かない 不通
unused dead obsolete idle | unneeded | 未使用 使われていない 不要 遊休
unnecessary needless redundant superfluous | unneeded | 不要 無駄 余計 要らない
waste squander | useless | 無駄 浪費 もったいない
`

/** Synonyms of how a project is run, and of everyday words around it, in English and Japanese. */
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
