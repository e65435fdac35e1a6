// Lasting rules in Japanese sentences.
import { KNOWLEDGE_CHARS_MAX, type KnowledgeType } from '../model/knowledge.ts'
import { pattern } from '../text/pattern.ts'
import { correction, type Form, fact, preference, rule, ruleAlone } from './ruleSentences.ts'

export const isJapanese = (text: string): boolean => /[\u3040-\u30ff]|(?:禁止|厳禁|必須)$/.test(text)

/** A Japanese line of this length says as much as 25 words. */
const LINE_CHARS_MAX = 110

/** The kind of rule, or undefined. `isTalk`: the weaker forms count too. `isItem`: also those of a list of rules. */
export function findJapaneseRule(clause: string, isTalk = true, isItem = false): KnowledgeType | undefined {
  const text = stripJapanese(clause)
  if (text.length < 5 || isQuestion(text) || AT_HAND.test(text) || DOUBT.test(text)) return undefined
  const isWeak = isItem ? !AT_WORK.test(text) : isTalk && isOfWork(text)
  const forms = [...FORMS, ...(isWeak ? WORK_FORMS : []), ...(isItem ? ITEM_FORMS : [])]
  return forms.find(([, is]) => is.test(text))?.[0]
}

/** The line: without fillers and without a polite request around it. A sentence that belongs to it stays. */
export function shortenJapanese(clause: string): string | undefined {
  const text = stripJapanese(clause)
  if (ruleAlone(text).length <= LINE_CHARS_MAX && text.length <= KNOWLEDGE_CHARS_MAX) return text
  const cut = /^.+(?=[、。])/s.exec(text.slice(0, LINE_CHARS_MAX))?.[0] ?? ''
  return findJapaneseRule(cut) === undefined ? undefined : cut
}

/** What a sentence begins with that is no part of the rule. */
const OPENING = pattern(
  String.raw`^(?:(?:いや|いいえ|あと|それと|それから|ちなみに|はい|すみません(?:が)?|えっと|あ|ああ|うん|なお|また|で|では|
      それでは|じゃあ?|いえ|違います|違う|ごめん|すいません|念のため|一応)[、,。!！\s]+)+`,
)

const stripJapanese = (clause: string): string =>
  clause
    .replace(OPENING, '')
    .replace(/(?:[、,。.!！\s]|(?:お願いします|よろしく(?:お願いします)?|頼みます|ね)(?=[。!！\s]*$))+$/, (end) =>
      /^ね/.test(end) ? '' : end.replace(/[、,。.!！\s]+$/, ''),
    )
    .trim()

/** A question, except a polite request: 「やめてもらえますか」. */
const isQuestion = (text: string): boolean =>
  /(?:[?？]|(?:です|ます|ません|でしょう|べき|の)か|かな|のか|っけ)$/.test(text) &&
  !/(?:もらえ|くれ|いただけ|頂け|くださ)\S{0,5}[かね]?[?？]?$/.test(text)

/** Talk of the work at hand, a thing that happened, or a ban that ends. */
const AT_HAND =
  pattern(String.raw`^(?:それ|これ(?!から)|あれ|やっぱ|やはり|そのまま)|は「[^」]*」で$|今(?![後まのは週])|^(?:この|その|
      あの)(?:変更|修正|ファイル|PR|ブランチ|関数|テスト|コミット|画面)|とりあえず|いったん|一旦|ひとまず|まだ|今回|
      今は(?!後)|今日|明日|今だけ|さっき|先ほど|中は|この(?:ブランチ|PR|ファイル|コミット|変更|タスク|画面|関数)(?:だけ|
      では|は)|だけ先に|後で|あとで|まで(?:は|に)|^[^はがをもて、]{0,16}(?:ルール|規約|決まり|約束|方針)(?:です|だ|でお願いします)?$|調べて|教えて|確認してみて|どう思|
      禁止[^、。]{0,8}(?:取り消|撤回|取り下げ|解除|廃止|なし|いらない|いいです|やめ)`)

/** Whether the clause is about a product and not about how it is made, or one task. */
export const isTaskOrProduct = (clause: string): boolean =>
  ONE_TASK.test(clause) ||
  (!DECISION.test(clause) &&
    ((OF_PRODUCT.test(clause) && !OF_CODE.test(clause)) || (!LASTS.test(clause) && isWishOfProduct(clause))))

/** What a product does for its users; unless it is about how it is made. */
const OF_PRODUCT =
  /ユーザー|会員|お客|利用者|管理者|ゲスト|プレイヤー|アカウント|ログ(?:イン|アウト)|パスワード|入力欄|画面|ボタン|フォーム|モーダル|ダイアログ|メール|通知|注文|在庫|請求/
const OF_CODE =
  /コミット|プッシュ|push|(?<![ァ-ヶー])コード|ソース|テスト|ブランチ|実装|関数|変数|コンポーネント|ファイル|ログ(?!イン|アウト)|命名/i

/** What is to happen, and not what is to be done; or what always holds. Names in Latin letters are those of code. */
const isWishOfProduct = (clause: string): boolean =>
  (/^[^A-Za-z]*よう(?:にして(?:ほしい|ください|下さい|ね)?|にお願いします)[。!！\s]*$/.test(clause) &&
    !DEED.test(clause)) ||
  (/^[^、。A-Za-z]*[はが][^、。A-Za-z]*(?:必ず|いつも|常に|毎回|絶対|都度)/.test(clause) && !WORK.test(clause))

/** Said of the work from now on, or of this project. */
const LASTS = /今後|これから|以後|以降|次(?:回)?から|うち|(?:プロジェクト|リポジトリ|チーム)で?は/

/** What somebody does who writes a program. What can or cannot happen is none. */
const DEED = pattern(
  String.raw`(?:書く|使う|置く|入れる|つける|付ける|追加する|追記する|更新する|実行する|確認する|通す|分ける|揃える|合わせる|従う|
      守る|避ける|報告する|保存する|まとめる|(?:入れ|付け|つけ|分け|変え|(?<!でき|[れえけせてねべめげ]))ない)ように`,
)

/** One thing to do, with care; what should have been; irony. */
const ONE_TASK = pattern(
  String.raw`(?:よう(?:に|な)\S*|忘れずに|そのまま(?:で|に)?、?\S*)(?:直し|修正し|実装し|対応し|変更し|まとめ|
      追加し)(?:て|と)|はず(?:なの|です|だ|が)|^(?:はいはい|へえ|
      ふーん)|(?:について|に関する|という)\S{0,12}(?:文章?|記事|詩|俳句|投稿|作文|ポスト)を?書いて|^(?:必ず|毎回|
      絶対に?)[^はをがにで、。\s]*(?:て|てください)[。!！]?$`,
)

/** What was decided, by the name of what was chosen. */
const DECISION = pattern(
  String.raw`は[^、。]*[A-Za-z][^、。]*(?:(?:に|ことに)(?:決め(?:ました|た|て)|決まりました|決まった|決定)|(?:に(?:する)?|使う|
      使わない|で(?:いく|行く))ことに(?:する|します|しました|した)|を採用(?:する|します|しました|$)|
      (?:ではなく|じゃなく)て?、?\S+(?:にし|を使い)ます(?:$|。))`,
)

const DOUBT =
  /かもしれ|と思う|と思い|そう思|気がする|みたい|らしい|ようです$|んだけど|のですが$|けど$|んですが$|って何|なぜ|なんで|エラーにな|落ちるん|(?:して|なって)(?:しま|た|いた)$|なってる$/

const FORMS: readonly Form[] = [
  ['decision', DECISION, undefined],
  correction(String.raw`(?:じゃなく(?:て|、)|ではなく(?:て)?)\S+(?:です|だ|を使|で(?:お願い|書|や|いき|統一)|に(?:して|統一|しま)|使(?:って|う))|
      直\S{0,6}ず.*(?:経由|で)|経由(?:で(?:す|お願い|実行)?)?$`),
  rule(String.raw`覚え(?:と|てお)いて|今後|これから(?:は|も)|以後|以降(?:は|も)|次(?:回)?からは?|(?:方針|運用|
      ルール|決まり|規約|慣習|約束|前提|流儀)(?:です|だ|なの|になって|にして|で(?:す|お願い|いき)|$)|統一(?:して|する|
      です|で|$)|禁止|NG(?:です|ね|で|$)|厳禁|必須|ことになって|一択|主義|忘れずに|(?:気をつけ|気を付け|注意し)て|
      (?:使わ|残さ|外さ|混ぜ|触ら|叩か|いじら)ない$|(?:必ず|いつも|常に|毎回|絶対(?:に)?|決して|基本(?:的に)?(?:は|
      、)?|原則(?:として)?|都度|二度と)(?:\S|(?<=[!-~]) | (?=[!-~]))*(?:して|しない|する(?!と)|使|書|入れ|付け|つけ|通|実行|確認|
      [いえきしちにびみりぎっ]て(?:から|ください|ね|ほしい)?|ない(?:で|こと|よう)?|ください|こと|です$)|
      (?:ない(?:で(?:ください|下さい|ほしい|欲しい|ね|くれ|もらえ|いただ|お願い|$)|よう(?:に|お願い)|こと|方向で)|
      (?:の|は|を)?(?:やめて|避けて|控えて)(?:、|ください|下さい|ほしい|欲しい|ね|もら|くれ|$))|
      ^(?=.*[A-Za-z]).*(?:ないと(?:だめ|ダメ|駄目|いけない|いけません)(?:です|だ|よ|ね|な)*(?:$|、)|[\w-]+\/\S* ?(?:に|へ|の下に|
      配下に)(?:置く|保存する|入れる|まとめる)(?:ように(?:して|し|お願い)|こと))`),
  preference(String.raw`(?:ほうが|方が)好(?:き|み)|派(?:です|なの?で|なんで|だから|$)|好み(?:です|なので)|(?:てほしい|て欲しい)(?:です|$)|(?:返事|回答|説明|返答|
      報告|要約)は?.{0,6}(?:短く|簡潔|手短|いらない|不要)|(?:嫌い|苦手)(?:です|なので|$)|
      ^(?:今後|これから|基本的に|いつも|常に|必ず|[私僕俺]に|は|、)*(?:日本語|英語|敬語|タメ口)で(?:答え|話し|回答し|返答し)て(?:ください|下さい|ね|ほしい|くれ|$)`),
  rule(String.raw`(?:うち|弊社|この(?:プロジェクト|リポジトリ|レポジトリ|[Rr]epo|チーム)|当プロジェクト|チーム|ここ)(?:では|は|の).*
      (?:使|統一|書|して(?:い|る|ます)|です|ます|る)$|
      ^(?:(?:これから|今後)、?)?(?:コミット(?:メッセージ|ログ)?|(?:PR|pr)(?:の(?:タイトル|説明|本文))?|プルリク\S*|ブランチ名?|
      ブランチの名前|変数名|関数名|コメント|テスト(?:名|コード|ファイル)?|ドキュメント|ログ|エラーメッセージ|回答|
      返答|返信|説明|命名|インデント|import\S*|型|日付|日時|時刻|文言|(?:README|readme)の?\S*)(?:の\S{1,6})?は\S+(?:で(?:書いて|
      お願い|統一|す)?|に(?:して|統一)|から切|を(?:使|付|つけ)|書いて|使って|して)(?:ください|下さい|ね|ほしい|
      お願いします|ます|です|いる)?`),
]

/** How work is done, not what a product does. */
const WORK = pattern(
  String.raw`\`[^\`]+\`|コミット|ブランチ|PR|プルリク|マージ|リベース|rebase|merge|push|プッシュ|テスト|test|spec|
      lint|フォーマット|型|any|import|インポート|export|エクスポート|コメント|ログ(?!イン|アウト)|マイグレーション|migration|
      スキーマ|依存|ライブラリ|パッケージ|ロックファイル|CI|デプロイ|deploy|リリース|本番|ステージング|環境変数|env|
      シークレット|ファイル|フォルダ|ディレクトリ|配下|コンポーネント|関数|変数|クラス|class|フック|hook|モジュール|
      エンドポイント|例外|エラー|クエリ|SQL|スタイル|CSS|tailwind|インデント|命名|README|ドキュメント|スクリプト|
      docker|node|python|git|main|master|develop|DB|テーブル|カラム|フィクスチャ|モック|mock|翻訳|文言|チケット|issue|
      レビュー|コード|API|生成|dist|ビルド|build|日付|日時|金額|float|小数|説明|回答|返答|敬語|日本語|英語|設計|実装|
      修正|リファクタ|バグ|npm|pnpm|yarn|bun|pip|uv|jest|vitest|eslint|prettier|biome|make|コマンド|ツール|バージョン|
      絵文字|要約|サマリ|確認|\w\/|@\/|\w\.(?:ts|js|tsx|py|go|rb|md|json|ya?ml|lock|sql)|手元|ローカル|タイムゾーン|
      UTC|JST|キャッシュ|定数|マジックナンバー|console|ts-ignore|eslint|規約|workspace`,
  'i',
)

/** What is pointed at, what was just done or seen, what a product shows. */
const AT_WORK = pattern(
  `^(?:この(?!リポジトリ|プロジェクト|repo|チーム)|その|あの|次は|さっき|今の|これ|それ|あれ|こっち|そっち|また)|失敗|
      壊れ|動か(?:ない|ず)|通ら(?:ない|ず)|出(?:ない|てる|ます|る)$|遅い|おかし|できてい?ない|終わ[っり]|直っ|済[みん]|
      ^(?:対象|変更点|残り|担当|締切)は|見つから|わから|分から|ユーザー|ボタン|画面|モーダル|表示|ページ|
      クリック|押し|てしまう|ちゃう|ちゃった|ました$|(?<!決まっ|なっ|決め)た$|たい(?:です)?$|られない|れません|戻して$|(?<!ない)ようにして$|ありがと|お疲れ`,
)

const isOfWork = (text: string): boolean => text.length <= LINE_CHARS_MAX && WORK.test(text) && !AT_WORK.test(text)

/** Weaker forms, which count where the sentence is about work. */
const WORK_FORMS: readonly Form[] = [
  rule(String.raw`(?:は|も|には|では|とか|を|の)?[^、。が]{0,12}(?<!でき|られ|え|け|せ|め|れ|なら|い|く|
      少)ない(?:です|ね|で|$|、)|しなくて(?:も)?(?:いい|OK|大丈夫|よい)|なくていい|(?:は|も)(?:いらない|不要|
      いりません|要らない)|(?:は|も)(?:ダメ|だめ|駄目|無し|なし|NG)|のなし|直\S{1,6}(?:ダメ|なし)|に(?:任せ|まかせ)|
      (?:だけ|のみ)(?:を?(?:使|書|残)|で|です|に|$)|(?:から|で)(?:始め|切っ|はじめ)て|ずつ|順(?:番)?(?:で|に)|
      先に.+(?:て|から)|てから(?:にし)?.*(?:て|する)$|小さく|短め|短く|簡潔|を優先|に従っ|に準拠|に合わせ|[がを]基本|
      揃え|[うくすつむるぶ]な(?:よ)?$|(?:が|は|と)(?:いい|良い|ありがたい|嬉しい|助かる|助かります)(?:です|な|ね)?$|
      ^[^、。]{1,24}(?:なので|だから|ですから|ですので)|(?:とき|時|場合|際|する前|前|後|たら|なら)(?!の)(?:は|に|には|も)?、?
      .{2,}(?:て|ください|下さい|こと|する|ないで|で|ほしい|です|ます|もらえますか)$`),
  fact(String.raw`(?:使っ|書い|置い|持っ|管理し|運用し|分け|固定し|揃え|そろえ|固め|決め|やっ|寄せ|生成し|回し|走らせ|動かし|にし)て
      (?:る|ます|いる|います|おり)(?:から|ので|ん(?:で|だ))?`),
  rule(String.raw`^[^、。]{1,24}(?:は|って)(?!.*(?:ある|あります|いる|どう|何|どこ)$).{2,40}(?:で|です|だ|よ|
      ください|下さい|て|こと|のみ|だけ|する|てね|ね|経由|宛|準拠|厳守|もの|にする|ます|ので|から|く)$|
      ^(?!.*(?:原因|結果|対象|変更点|残り|担当|締切|期限|エラー|問題|理由|状況|件|箇所|場所|さっき|修正|対応)は)[^、。はが]{1,16}は(?:全部|すべて|
      毎週)?[^、。はがを]{1,20}[\u4e00-\u9fff\u30a0-\u30ffA-Za-z0-9つ](?:、|$)`),
]

/** In a list of rules also what there is none of, and a limit. */
const ITEM_FORMS: readonly Form[] = [rule(String.raw`^[^、。をが]{1,24}(?:[な無]し|まで|以内|以下)$`)]
