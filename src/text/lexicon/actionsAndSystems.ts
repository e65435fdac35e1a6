// Synonyms of what developers do, in English and Japanese. The format is in lexicon.ts.

export const ACTIONS = `
delete remove erase drop purge discard wipe unlink eliminate get_rid clear_out | cleanup prune | 削除 消す 消去 除去 取り除く 破棄 抹消
add insert append include | introduce put_in | 追加 加える 足す 挿入 付け加える
create make generate produce | build new | 作成 作る 生成 新規作成
change modify edit alter adjust update amend | tweak revise | 変更 変える 修正 編集 直す 改変 書き換える いじる
update upgrade bump refresh renew | newer latest | 更新 アップデート アップグレード バージョンアップ 上げる 新しく
downgrade roll_back rollback revert undo | restore back_out | ダウングレード ロールバック 戻す 元に戻す 差し戻し 取り消す 巻き戻す
restore recover bring_back | retrieve undelete | 復元 復旧 復帰 リストア 回復
cancel abort stop_it interrupt | end | キャンセル 中止 取り消す 中断 取りやめ
start launch boot run begin startup start_up spin_up bring_up | kick_off open | 起動 開始 始める 立ち上げる スタート 始動
stop halt terminate kill shut_down shutdown quit | end exit tear_down | 停止 止める 終了 落とす 中止 ストップ 終わる
restart reboot relaunch | bounce reload reset | 再起動 リスタート 再始動 立ち上げ直す
execute run invoke perform | call trigger | 実行 走らせる 動かす 回す 呼び出す 起動
repeat retry again rerun redo try_again | attempt | 再試行 リトライ やり直す 繰り返す 再実行 もう一度
wait pause sleep delay hold_off | block | 待つ 待機 待ち 一時停止 ポーズ
skip omit ignore bypass leave_out | exclude without | スキップ 飛ばす 省略 無視 除外 省く とばす
exclude except ignore | omit filter_out leave_out | 除外 対象外 除く 例外
fix repair correct resolve solve | patch | 修正 直す 修理 解決 修復 対処 直る
check verify validate confirm inspect examine | ensure make_sure audit | 確認 検証 チェック 検査 点検 確かめる 調べる
investigate debug diagnose trace troubleshoot look_into find_out | figure_out analyze | 調査 調べる デバッグ 原因調査 解析 追跡 切り分け
search find look_up lookup query seek locate | discover | 検索 探す 見つける 調べる 捜す サーチ
replace substitute swap exchange switch_out | instead | 置換 置き換える 差し替える 入れ替える 交換 代わり 取り替える
rename call_it retitle | name | 改名 リネーム 名前変更 名称変更
move relocate transfer migrate | shift | 移動 移す 移行 移転 動かす 引っ越し
migrate migration port convert move_over | upgrade | 移行 マイグレーション 移植 乗り換え
copy duplicate clone replicate | mirror | コピー 複製 写す 複写 クローン
merge combine join integrate unify consolidate | squash | マージ 統合 結合 合流 併合 まとめる 取り込む
split divide separate break_up partition | shard | 分割 分ける 分離 区切る 切り分ける
extract pull_out factor_out | separate | 抽出 切り出す 抜き出す 取り出す
import load read_in ingest pull_in | consume | インポート 取り込む 読み込む 取込 取り込み
export dump output save_as | emit | エクスポート 出力 書き出す ダンプ 書き出し
download fetch pull get retrieve obtain | grab | ダウンロード 取得 落とす 引く 取ってくる 取り寄せ
upload send push submit post | deliver | アップロード 送信 送る 投稿 上げる 提出
send deliver dispatch transmit | emit | 送信 送る 配信 送付 発送
receive accept get | obtain | 受信 受け取る 受け付ける 受領 受け入れ
read load parse scan | fetch | 読む 読み込む 読み取る 参照 読み出す
write save store persist record | put | 書く 保存 書き込む 記録 格納 永続化 残す
save store keep persist retain | remember archive | 保存 保管 残す 格納 保持 とっておく
show display render present print | output view | 表示 見せる 描画 出す 表す 映す
hide conceal suppress mask | mute invisible | 隠す 非表示 伏せる マスク 見えなく
print output log echo | stdout | 出力 表示 印刷 プリント
open launch | unlock | 開く オープン 開ける
close shut | finish | 閉じる クローズ 閉める
enable activate turn_on switch_on | allow on | 有効 有効化 オン 使えるように 許可
disable deactivate turn_off switch_off | off suppress | 無効 無効化 オフ 切る 使えなく 停止
allow permit grant authorize let | accept whitelist allowlist | 許可 認める 許す 許容 承認
forbid prohibit deny block disallow ban reject refuse | never must_not prevent | 禁止 拒否 却下 不可 ブロック 許さない 禁じる 弾く
prevent avoid guard protect | stop | 防ぐ 避ける 防止 回避 保護 守る
avoid shun refrain bypass workaround | never | 避ける 回避 控える 使わない
require need must demand | necessary mandatory | 必要 必須 要る 要求 必ず
use utilize employ adopt apply | using usage | 使う 利用 使用 採用 適用 用いる
choose select pick opt decide | prefer | 選ぶ 選択 決める 選定 採択
prefer favor like rather | favourite better | 好む 優先 好き 望ましい 推奨
recommend suggest advise | propose | 推奨 勧める 提案 おすすめ お勧め
decide determine agree | decision conclude | 決める 決定 判断 合意 決まる
assign allocate delegate | attribute give | 割り当て 割り当てる 担当 委任 割り振る
connect link attach join bind | hook_up | 接続 つなぐ 繋ぐ 連携 結ぶ 紐付け 結び付け
disconnect detach unplug unlink | drop | 切断 切る 切り離す 外す
install set_up setup | add provision | インストール 導入 入れる セットアップ 設置
uninstall remove | drop | アンインストール 外す 取り除く
configure set_up setup customize | adjust tune | 設定 構成 調整 セットアップ 仕込む
register sign_up enroll subscribe | join | 登録 申し込む サインアップ 会員登録
unsubscribe deregister opt_out | leave | 解除 退会 登録解除 配信停止
login sign_in signin log_in logon authenticate | session | ログイン サインイン 認証 ログオン
logout sign_out log_out | leave | ログアウト サインアウト
compress zip gzip pack shrink | minify squeeze | 圧縮 縮める 詰める 固める
extract unzip decompress unpack | inflate | 解凍 展開 伸長
encrypt cipher encode | scramble | 暗号化 暗号
decrypt decipher decode | plain | 復号 復号化 解読
encode serialize marshal | stringify | エンコード 符号化 直列化 シリアライズ
decode deserialize unmarshal parse | read | デコード 復号 逆直列化 デシリアライズ
parse analyze tokenize | read interpret | 解析 パース 構文解析 読み解く
format style prettify reformat | indent lint | 整形 フォーマット 書式 体裁 整える 清書
sort order arrange rank | sequence | 並び替え 並べる ソート 整列 並べ替え 順番
filter narrow select | exclude | 絞り込む フィルタ 絞る 抽出 ふるい フィルター
group aggregate cluster bundle | batch | 集約 まとめる グループ 集計 束ねる
count tally number total | sum | 数える 件数 集計 個数 カウント
calculate compute | sum evaluate | 計算 算出 演算 求める
measure benchmark profile gauge | time | 計測 測定 測る ベンチマーク 計る
compare diff contrast | difference versus | 比較 比べる 差分 対比 見比べる
limit restrict cap constrain throttle | bound maximum | 制限 限る 絞る 抑える 上限 限定
extend expand enlarge widen lengthen | grow increase | 拡張 広げる 延ばす 延長 伸ばす 拡大
increase raise grow enlarge | more higher bump | 増やす 上げる 増加 増える 引き上げ 高くする
decrease reduce lower shrink lessen cut_down | fewer less smaller | 減らす 下げる 減少 削減 縮小 減る 引き下げ 小さくする
improve enhance optimize better | refine polish | 改善 向上 最適化 良くする 改良
simplify streamline clean_up tidy | refactor | 簡素化 単純化 整理 簡潔 片付け
refactor restructure rework reorganize clean_up | rewrite | リファクタリング 整理 再構成 作り直す 書き直す 組み直す
rewrite redo reimplement | overhaul | 書き直す 書き換え 作り直し 作り直す
clean cleanup clean_up tidy sweep clear purge | wash | 掃除 片付ける 整理 クリーンアップ 消去 きれい
share distribute publish | spread | 共有 配布 分かち合う シェア 公開
publish release ship issue put_out | announce | 公開 発行 リリース 出す 出版 発表
deploy deployment release ship roll_out rollout go_live | publish launch production | デプロイ リリース 配備 公開 出荷 展開 反映 本番反映
build compile make bundle | assemble transpile | ビルド コンパイル 構築 組み立て ビルドする
test try verify exercise | check spec | テスト 試験 検証 試す 試し
mock stub fake dummy double | simulate | モック スタブ 偽物 ダミー 代役 見せかけ
simulate emulate imitate | mimic | 模擬 シミュレーション エミュレート 再現
reproduce recreate replicate repro | repeat | 再現 再現手順
monitor watch observe track | alert | 監視 見張る モニタリング 観測 追跡 モニター
notify alert inform tell warn | message announce | 通知 知らせる 連絡 警告 伝える お知らせ アラート
report tell announce | summary file | 報告 レポート 知らせる 届け出
ask request inquire | question | 尋ねる 依頼 聞く 質問 要求 問い合わせ 頼む
answer reply respond | response | 答える 返信 回答 応答 返事
explain describe clarify document | tell | 説明 述べる 解説 記述
document write_up describe | docs note | 文書化 記述 書き残す ドキュメント
review inspect approve look_over | feedback | レビュー 査読 確認 見直し 見直す
approve accept sign_off | ok allow | 承認 認可 許可 了承 承諾
reject decline refuse deny turn_down | dismiss | 却下 拒否 断る 棄却 不採用
commit check_in record | save | コミット 記録 確定
push upload publish | send | プッシュ 送る 押す
pull fetch sync | get | プル 取得 引く 取り込む
sync synchronize align | match | 同期 合わせる シンク そろえる
schedule plan arrange | cron timetable | 予定 スケジュール 予約 計画 定期
plan design intend | roadmap | 計画 予定 設計 企画
automate script | automatic bot | 自動化 自動 スクリプト
generate codegen scaffold produce | auto | 自動生成 生成 作り出す 雛形
render draw paint display | view | 描画 レンダリング 表示 描く
click press tap push hit | select | クリック 押す タップ 押下
type enter input key_in fill_in | keyboard | 入力 打つ 打ち込む 記入 タイプ
scroll swipe pan | move | スクロール めくる 送る
drag drop move | pull | ドラッグ 引っ張る
lock freeze pin hold | fix exclusive | ロック 固定 凍結 鍵 排他
unlock release free | open | 解除 開放 ロック解除 解放
pin fix freeze hold lock | exact version | 固定 ピン留め 据え置き 固定する
wrap enclose surround | envelope | 包む 囲む ラップ 覆う
nest embed inline | inside | 入れ子 埋め込む ネスト 埋め込み
inject insert | dependency | 注入 差し込む インジェクション
override overwrite replace | supersede | 上書き オーバーライド 置き換え
inherit derive extend | subclass | 継承 派生 引き継ぐ
implement code develop build write | realize | 実装 開発 作る 組み込む
design architect model | draft | 設計 デザイン 構想
support handle cope deal_with | compatible | 対応 サポート 扱う 処理 対処
handle process treat deal_with | manage | 処理 扱う 取り扱い ハンドリング
manage administer control | handle run | 管理 運用 制御 運営
maintain keep_up service | support | 保守 維持 メンテナンス 手入れ
operate run | maintain | 運用 操作 動かす
escape quote | encode | エスケープ 引用符 逃がす
trim strip cut truncate | shorten | 切り詰める 切る 削る トリム 短く
truncate cut_off shorten | abbreviate | 切り詰め 切り捨て 短縮 途中で切れる
round rounding round_up round_down | truncate ceil floor | 丸め 四捨五入 端数 切り上げ 切り捨て 丸める
convert transform translate turn_into cast | change | 変換 変える 換算 置き換え 変形
translate localize | language i18n l10n | 翻訳 訳す ローカライズ 多言語
quote cite refer | mention | 引用 言及 参照
reference refer point_to link | mention | 参照 指す 言及
return give_back yield | result | 返す 戻す 返却 戻り値
throw raise | exception | 投げる 送出 スロー 発生
catch rescue trap handle | except | 捕まえる 捕捉 キャッチ 受け止める
emit fire trigger dispatch raise | event | 発火 発生 送出 引き金 トリガー
listen subscribe await | port handler | 待ち受け 購読 待つ リッスン 監視
cache memoize store | buffer | キャッシュ 一時保存 溜める
flush drain empty | clear | フラッシュ 吐き出す 空にする 流す
seed populate fill prefill | initial fixture | 初期データ 投入 仕込む 埋める シード
reset reinitialize clear | default zero | リセット 初期化 戻す 元に戻す
initialize init bootstrap set_up | initial | 初期化 準備 立ち上げ 初期設定
finish complete end conclude wrap_up | done | 終わる 完了 終える 完成 終了 仕上げる
continue resume carry_on proceed | go_on | 続ける 再開 継続 続行 続き
pass succeed go_through | green ok | 通る 成功 合格 パス 通過
upgrade modernize | newest | 刷新 更新 新しく アップグレード
archive back_up store | cold | 保管 アーカイブ 退避 書庫
backup back_up snapshot | copy safety | バックアップ 退避 控え 予備
expire lapse run_out time_out | end obsolete | 期限切れ 失効 切れる 満了
invalidate revoke void cancel | expire | 無効化 失効 取り消し 破棄
rotate cycle renew | replace | ローテーション 交換 更新 入れ替え 回転
distribute spread balance | share | 分散 配る 割り振る 配布
collect gather accumulate | aggregate | 収集 集める 溜める 回収
learn study | train | 学ぶ 学習 勉強 覚える
remember memorize recall keep | note | 覚える 記憶 思い出す 覚えておく
forget drop | erase | 忘れる 忘却 失念
`

/** Synonyms of the parts of software and machines, in English and Japanese. */
export const SYSTEMS = `
config configuration settings setup preference option | conf options env | 設定 構成 コンフィグ 環境設定 設定値
option flag switch parameter argument | setting | オプション フラグ 引数 選択肢 スイッチ
parameter argument arg param | input | 引数 パラメータ パラメーター
environment env stage | setting | 環境 環境変数 動作環境
variable var field | value | 変数 フィールド 値
constant literal fixed | const | 定数 固定値
value amount | number | 値 数値 バリュー
function method procedure routine subroutine | call | 関数 メソッド 手続き ルーチン ファンクション
class type struct | object | クラス 型 構造体 種類
object instance entity | thing | オブジェクト 実体 インスタンス
interface contract api protocol | boundary | インターフェース 契約 取り決め 境界
module package library component | unit part | モジュール パッケージ 部品 ライブラリ コンポーネント 単位
library package dependency framework | lib | ライブラリ パッケージ 依存 依存関係
dependency dependencies deps requirement | library package | 依存 依存関係 依存先 依存性
component widget part element | module | 部品 コンポーネント 要素 ウィジェット
plugin extension addon add-on | module | プラグイン 拡張 拡張機能 アドオン
code source program implementation | script | コード ソース プログラム 実装 ソースコード
script program batch | shell | スクリプト プログラム バッチ
file document | path | ファイル 書類 文書
folder directory dir | path location | フォルダ ディレクトリ 場所 フォルダー
path route location | place | パス 経路 場所
location place position where | address | 場所 位置 所在 置き場 どこ
root top base | home | ルート 根 最上位 根元
repository repo codebase | project source | リポジトリ レポジトリ コードベース 倉庫
branch fork line | trunk | ブランチ 枝 分岐 系統
main master trunk | default | 本流 幹 メイン 主
tag label marker | version | タグ 札 ラベル 目印
server host machine backend | service node | サーバ サーバー ホスト 機械 マシン
client frontend caller | browser user | クライアント フロント 呼び出し側 利用側
frontend ui screen view | browser page | フロントエンド 画面 表側 フロント
backend server-side api | service | バックエンド 裏側 サーバ側 サーバー側
service daemon process | server | サービス 常駐 デーモン
process task program | pid | プロセス 処理 工程
job task batch work | queue cron | ジョブ 仕事 バッチ 作業 タスク
worker background daemon consumer | job | ワーカー 裏 背後 バックグラウンド 常駐
queue backlog line | job message | キュー 待ち行列 行列 待ち
message notification event | mail | メッセージ 通知 伝言 電文
event happening occurrence | trigger | イベント 出来事 事象
schedule cron timer periodic regular nightly | job | 定期 スケジュール 定時 定期実行 タイマー
thread concurrency parallel | worker | スレッド 並列 並行
memory ram heap | usage | メモリ メモリー 記憶 記憶域
disk storage volume drive | space | ディスク ストレージ 容量 記憶装置 保存先
cpu processor core | load | プロセッサ 計算機 演算
space capacity room | size | 容量 空き 余裕 空間
database db datastore persistence | table postgres mysql sqlite | データベース 永続化 保管 蓄積
table relation | row column | テーブル 表
row record entry line | tuple | 行 レコード 項目 列
column field attribute | property | 列 カラム 項目 欄 属性
schema structure layout model | table definition | スキーマ 構造 定義 形
index key lookup | search | 索引 インデックス 見出し
key identifier id | primary | キー 鍵 識別子 主キー
identifier id name | key | 識別子 名前 番号
query sql select | search | クエリ 問い合わせ 検索 照会
transaction atomic commit | rollback | トランザクション 取引 一括
migration schema_change alter | upgrade | マイグレーション 移行 スキーマ変更
data information records | content | データ 情報 資料
information info details | data | 情報 詳細 内容
content body text | data | 内容 中身 本文
text string characters | words | 文字列 文字 文章 テキスト
character letter char | glyph | 文字 字 キャラクタ
number digit numeral figure | count integer | 数字 数 番号 数値
list array sequence collection | items | 一覧 リスト 配列 列 並び
map dictionary hash table | object | 辞書 連想配列 対応表 マップ
set group collection | unique | 集合 組 群
tree hierarchy nested | node | 木 階層 ツリー
graph network chart | node | グラフ 図 網
loop iteration repeat | while for | ループ 繰り返し 反復
condition if criterion predicate | when | 条件 判定 場合
rule regulation policy convention | must | 規則 ルール 決まり 規約 方針
convention style guideline standard custom | naming rule | 規約 慣例 作法 流儀 ルール 決まり 習慣
policy principle guideline | rule | 方針 ポリシー 原則
naming name title | identifier | 命名 名前 名称 名付け
prefix beginning start | leading | 接頭辞 先頭 頭 前置
suffix ending end extension | trailing | 接尾辞 末尾 後ろ 拡張子 語尾
case uppercase lowercase capital | camel snake kebab | 大文字 小文字 キャメル スネーク
indentation indent tab whitespace | space | 字下げ インデント 空白 段下げ
whitespace blank space | indent | 空白 スペース 余白
newline line_break eol | crlf lf | 改行 行末
line row | text | 行 線
comment remark annotation note | doc | コメント 注釈 注記 備考
encoding charset utf-8 unicode | character | 文字コード 符号化 エンコーディング
network net connection | internet | ネットワーク 回線 通信 網
connection link session | socket | 接続 つながり コネクション 連結
socket port connection | network | ソケット 口
port number socket | listen | ポート 番号 待ち受け
address url uri link endpoint | location | アドレス 住所 宛先 リンク
endpoint api route url | path | エンドポイント 経路 接続先 窓口
host hostname domain | server | ホスト ドメイン 名前
request call query | ask | リクエスト 要求 依頼 呼び出し
response reply answer | result | 応答 返答 レスポンス 返り
header heading title | top | ヘッダ 見出し 題名 ヘッダー
payload body data | content | 本体 中身 ペイロード
proxy gateway relay | forward | プロキシ 中継 代理 ゲートウェイ
firewall acl security_group | block | ファイアウォール 防火壁 遮断
certificate cert tls ssl https | secure | 証明書 暗号 サーティフィケート
password passphrase secret pin | credential login | パスワード 暗証番号 合言葉
secret credential credentials token api_key key password | private vault | 秘密 機密 認証情報 鍵 資格情報 トークン シークレット
token key ticket | session credential | トークン 鍵 証
permission privilege right access authorization role | allow acl | 権限 許可 アクセス権 認可
authentication auth login sso identity | session oauth jwt | 認証 ログイン 本人確認
access reach entry | permission | アクセス 到達 接近 出入り
user account member person | customer login | ユーザー 利用者 使用者 会員 アカウント ユーザ
admin administrator operator superuser root | owner | 管理者 運営 担当者 アドミン
session login conversation | cookie | セッション 接続
cookie session | browser | クッキー
cache buffer store | memoize redis | キャッシュ 一時保存 貯め
log logging record journal trail | trace audit | ログ 記録 履歴 ジャーナル
history past log | changelog | 履歴 過去 歴史 経緯
audit trail history | log | 監査 証跡 履歴
metric metrics measurement statistics indicator | dashboard monitoring | 指標 計測 統計 メトリクス 測定値
dashboard monitor panel | graph | ダッシュボード 監視画面 盤
alert alarm notification pager | warning | アラート 警報 通知 警告
container docker image pod | kubernetes | コンテナ 容器 コンテナー
image picture photo icon graphic | img | 画像 絵 写真 イメージ アイコン
cluster kubernetes k8s nodes | container | クラスタ 群 集団
cloud aws gcp azure hosting | server | クラウド
production prod live | release deploy customers | 本番 本番環境 稼働 実環境
staging preprod test_environment sandbox | environment | 検証環境 ステージング テスト環境 試験環境 砂場
development dev local | environment | 開発 開発環境 手元 ローカル
local localhost laptop own_machine | dev | ローカル 手元 自分の環境
remote distant origin | server | リモート 遠隔 遠い
pipeline ci workflow github_actions continuous_integration | build job | パイプライン 流れ 継続的インテグレーション
workflow process flow procedure | steps | ワークフロー 手順 流れ 工程
build_tool bundler webpack vite esbuild | build | ビルドツール 束ねる
compiler compile tsc gcc | build | コンパイラ コンパイル
linter lint static_analysis eslint biome | format | リンター 静的解析 構文検査
formatter prettier gofmt black | format style | 整形 フォーマッタ
package_manager npm pnpm yarn pip cargo | install | パッケージ管理 パッケージマネージャ
lockfile lock_file package-lock yarn.lock | pin | ロックファイル 固定
shell terminal console command_line cli bash | prompt | シェル 端末 コンソール ターミナル コマンドライン
command instruction | cli | コマンド 命令 指示
editor ide vscode vim | edit | エディタ 編集 エディター
browser chrome firefox safari | web | ブラウザ ブラウザー 閲覧
web site page website homepage | html | ウェブ サイト ページ ホームページ
page screen view | web | 画面 ページ 頁
screen display view ui | page monitor | 画面 表示 スクリーン
button click | ui control | ボタン 押す
form input field | submit | フォーム 入力欄 入力 申込
menu navigation sidebar | header | メニュー 品書き 案内
dialog modal popup window | overlay | ダイアログ 小窓 ポップアップ 窓 モーダル
window pane | screen | 窓 ウィンドウ 画面
theme skin appearance dark_mode light_mode | color style | テーマ 見た目 外観 配色 ダークモード
color colour palette | theme | 色 カラー 配色
font typeface lettering | text | フォント 書体 字体
layout arrangement placement | design grid | 配置 レイアウト 割付 並び
style css stylesheet | look | スタイル 見た目 装飾
animation motion transition | effect | アニメーション 動き 動画
mobile phone smartphone ios android | app device | 携帯 スマホ スマートフォン モバイル
app application program | software | アプリ アプリケーション 応用
device machine hardware | equipment | 端末 機器 装置 機械
platform os operating_system | windows linux macos | 基盤 プラットフォーム
version release revision | number tag | バージョン 版 リビジョン
template pattern boilerplate scaffold | skeleton | テンプレート 雛形 ひな型 型
pattern regex regexp regular_expression | match | 正規表現 パターン 型 模様
format layout form | style json yaml | 形式 書式 フォーマット 様式
json yaml toml xml | format data | 形式 データ形式
csv spreadsheet excel tsv | table | 表計算 エクセル カンマ区切り
pdf document report | print | 書類 帳票
attachment file enclosure | mail | 添付 付属
email mail e-mail message | smtp inbox | メール 電子メール 郵便
chat slack message | talk | チャット 会話 対話
webhook callback hook notification | http | コールバック 通知 フック
callback handler listener hook | event | コールバック 呼び返し 処理
hook trigger pre-commit | callback | フック 引っ掛け 契機
feature_flag toggle feature_switch | enable rollout | 機能フラグ 切り替え 切替
feature function capability | ability | 機能 特徴 能力
abstraction layer | wrapper | 抽象化 層 抽象
layer tier level | stack | 層 階層 段
architecture structure design | system | 構造 設計 構成 アーキテクチャ 全体像
structure organization layout | shape | 構造 構成 組織
monorepo workspace packages | repo | ワークスペース 単一リポジトリ
microservice service distributed | split | 分散 小さなサービス
stream flow pipe | data | 流れ ストリーム
buffer queue temporary | memory | 緩衝 バッファ 溜め
batch bulk mass | job | 一括 まとめて バッチ
pagination paging page_size | next limit | ページ送り ページング ページ分割 改ページ
sorting order ascending descending | sort | 並び順 昇順 降順 順序
search_engine elasticsearch index | search | 検索 全文検索
payment pay billing checkout charge | card stripe invoice | 支払い 決済 課金 支払 請求 精算
`
