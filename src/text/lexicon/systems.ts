// Synonyms of the parts of software and machines, in English and Japanese. The format is in parseLexicon.ts.

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
dependency dependencies requirement | library package | 依存 依存関係 依存先 依存性
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
authorization permission access | role | 認可 権限 許可
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
