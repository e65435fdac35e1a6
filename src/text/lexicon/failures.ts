// Synonyms of what goes wrong, and of qualities, in English and Japanese. The format is in parseLexicon.ts.

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
