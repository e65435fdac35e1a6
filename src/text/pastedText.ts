// What a person pasted or quoted in a prompt: code, tags, quotations, logs, mail, chats, pages. Only the rest is in the
// person's own words. Where nothing marks the end of a pasted text, everything after its beginning counts as pasted.
import { pattern } from './pattern.ts'

/**
 * The prompt with its pasted parts blanked; it keeps its number of lines. With `keepsRequest` the part of a sentence
 * before a report stays ("fix what the log says"): what is asked for, not what is meant to last.
 */
export function removePasted(prompt: string, keepsRequest = false): string {
  const plain = removeQuotations(removeTags(removeFences(prompt)))
  const lines = plain.split('\n')
  const kept = lines.length === 1 ? [removeReported(plain, keepsRequest)] : removeBlocks(lines, keepsRequest)
  return kept.join('\n')
}

const blank = (text: string): string => '\n'.repeat(text.split('\n').length - 1)

/** Code between fences; without a closing fence to the end. */
const removeFences = (text: string): string =>
  text.includes('```') || text.includes('~~~') ? text.replace(/(```|~~~)[\s\S]*?(?:\1|$)/g, blank) : text

/** Elements such as `<document>…</document>`, whatever is inside; an element of a page or file also without its end. */
function removeTags(text: string): string {
  if (!text.includes('<')) return text
  const unclosed = new Set<string>()
  let kept = ''
  let from = 0
  for (const { index, 0: tag, 1: name = '' } of text.matchAll(/<([a-z][\w:.-]*)(?:\s[^<>]*)?>/gi)) {
    if (index < from || unclosed.has(name)) continue
    const end = tag.endsWith('/>') ? -1 : text.indexOf(`</${name}`, index)
    if (end === -1 && !PAGE_TAG.test(name)) {
      unclosed.add(name)
      continue
    }
    const close = end === -1 ? -1 : text.indexOf('>', end)
    const to = close === -1 ? text.length : close + 1
    kept += text.slice(from, index) + (blank(text.slice(index, to)) || ' ')
    from = to
  }
  return kept + text.slice(from)
}

const PAGE_TAG =
  /^(?:document|doc|page|web_?page|article|e?mail|message|file|content|log|output|context|quote|source)s?$/i

/** A quotation of this length is somebody's text; a shorter one is a name or a value. */
const QUOTATION = new RegExp(
  `“[^“”]{24,2000}”|「[^「」]{14,2000}」|『[^『』]{14,2000}』|«[^«»]{24,2000}»|` +
    String.raw`(?<![\w"])"(?:[^"]{36,2000}|(?=[^"]{0,40}[\u3040-\u9fff]{8})[^"]{14,2000})"(?![\w"])`,
  'g',
)

const removeQuotations = (text: string): string =>
  /["“「『«]/.test(text)
    ? text.replace(QUOTATION, (quotation) => `${quotation.charAt(0)}…${blank(quotation)}${quotation.at(-1)}`)
    : text

/** What somebody else's text is called. */
const TEXT_NOUN = `(?:page|web ?site|site|article|blog|post|document(?:ation)?|docs?|readme|file|comment|issue|ticket|
  thread|e-?mail|mail|message|error|log|output|trace|stack ?trace|traceback|response|reply|answer|result|report|text|
  snippet|paragraph|section|description|review|feedback|transcript|chat|conversation|note|warning|release notes?|
  changelog|commit(?: message)?|pr|pull request|tool|server|bot|linter|compiler|test|ci|job|build|console|terminal|
  screenshot|slide|spec|letter|quote|license|header|footer|tweet|advisory|notice|banner)s?`

/** A sentence that reports what a text says: what follows in it is not the person's. */
const REPORTED = pattern(
  String.raw`\b(?:the|this|that|their|its|a|my|our|your|it|which)\s+(?:[\w'-]+\s+){0,3}?${TEXT_NOUN}(?:\s+\w+){0,3}?\s+
    (?:just |also |now |always )*(?:says?|said|states?|stated|reads?|shows?|t(?:ells|old)|recommends?|
    suggests?|claims?|answer(?:s|ed)|repli(?:es|ed)|respond(?:s|ed)|returned|
    prints?|printed|mentions?|contains?|goes|asks?|wants?|writes?|wrote|has(?! no\b))\b(?:\s+(?:that|to|me|us|this|
      you|with))*[:,]?\s|
    \bit (?:says|reads|states|shows|prints|said|printed|answer(?:s|ed)|repli(?:es|ed)|respond(?:s|
      ed))\b(?: with)?[:,]?\s|
    \bits (?:error )?message(?: is:?|:)\s|\baccording to\b|
    (?:ページ|サイト|記事|ドキュメント|資料|説明書|コメント|イシュー|チケット|メール|メッセージ|ログ|出力|エラー|レビュー|README|本文|文章|
    テキスト)(?:に「|(?<!コメント|ログ)に(?:は|、)|
    に(?:は|、)(?!.*(?:て(?:ください|下さい|ね)?|こと|ないで(?:ください)?)[。！]?$)|によると|によれば)|と(?:書いて(?:あ|い)|書かれて|記載|表示され|出て(?:い|き)|出力され)`,
  'i',
)

/** Without sentences that report a text; of a request the part before the report stays. */
function removeReported(line: string, keepsRequest: boolean): string {
  if (!REPORTED.test(line.slice(0, LINE_CHARS_MAX))) return line
  let isQuoting = false
  const kept = line.split(/(?<=[.!?])\s+(?=\S)|(?<=[。！？])(?=\S)/).map((sentence) => {
    if (isQuoting) return ''
    const found = REPORTED.exec(sentence.slice(0, LINE_CHARS_MAX))
    if (found === null) return sentence
    // After a colon the text goes on to the end of the line.
    isQuoting = /[:：]\s*\S/.test(sentence)
    return keepsRequest ? sentence.slice(0, found.index) : ''
  })
  return kept.filter((sentence) => sentence !== '').join(' ')
}

/** A longer line is no typing; its beginning and end decide. */
const LINE_CHARS_MAX = 600

/** A line that hands over the text that follows: "Summarize the following text.", 「以下はログです」. */
const HANDS_OVER = pattern(
  String.raw`\b(?:following|below|attached|pasted)\b[^.?!]*[.:?!]?\s*$|
    \b(?:here(?:'s| is| are)|this is|got|received|found|see|look at|summari[sz]e|translate|explain|review|analy[sz]e|
    proofread|rewrite|shorten|reply to|respond to|answer|read|parse|check|paste[ds]?|quote[ds]?|copied)\b.*
    \b${TEXT_NOUN}\b[^.?!]*[.:?!]?(?:\s*(?:what do you think|what does (?:it|this|that) mean|any thoughts|thoughts|
    can you help|please)\b[^.?!\n]*[.?!]?)?\s*$|
    \b(?:what does|why does|is|what about|do you understand)\b.*\b(?:this|that|these|the)\b.*\b${TEXT_NOUN}\b.*[?:]\s*$|
    ^\s*(?:please |can you |could you )?(?:summari[sz]e|translate|explain|review|proofread|rewrite|
    analy[sz]e)\b.*[:.?!]?\s*$|
    \b(?:feedback|reviews?|comments?|errors?|output|logs?|says?|said|wrote|messages?|traceback|got|get|see|this|
    results?|suggestions?|findings?|report(?:ed|s)?|warnings?|failures?|todo|description|text|chat|conversation|
    mail|e-?mail|transcript|page|article|docs?|run|context|example)\b[^.?!]*:\s*$|
    (?:以下|次の|下記|貼り|引用|下の|この(?:ページ|記事|メール|文章|テキスト|内容|ログ|エラー|出力|コメント|本文|メッセージ|資料)).{0,24}
    (?:[:：]|(?:です|ます|ました)[。]?|要約.*|翻訳.*|訳して.*|説明して.*|確認して.*|読んで.*|見て.*|どう思.*|レビューして.*|直して.*|意味.*)\s*$|
    (?:エラー|ログ|指摘|レビュー|コメント|出力|メッセージ|メール|本文|文章|ページ|記事|テキスト|内容).{0,12}[:：]\s*$`,
  'i',
)

/** A line that says of the list below it that it has rules of the work, and not of a game: they are the person's. */
export const RULES_FOLLOW = pattern(
  String.raw`^\s*(?:please )?(?:follow |these are |here are )?(?:(?:the|these|some|all) )*
    (?:(?:my|our|project|coding|team|repo) (?:project |coding |team |repo )?(?:rules|conventions|guidelines)|
    (?:rules|conventions|guidelines)(?= (?:for|in|of) ))
    (?: (?:for|in|of) (?:this|our) (?:repo|project|codebase|team))?:\s*$|
    ^\s*(?:この|うちの|当)?(?:プロジェクト|リポジトリ|チーム|開発|コーディング|実装|命名|運用|作業|コミット|PR|テスト)
    (?:の|における|での)?(?:ルール|規約|(?:決まり|約束)(?:ごと)?)
    (?:で(?:お願い|進め)\S*|です|を(?:必ず)?守って(?:ください|下さい|ね)?)?[。:：]?\s*$|
    ^\s*(?:以下|次|下記)(?:の(?:こと|点|ルール|規約|決まり))?を(?:必ず)?(?:守って|徹底して)
    (?:ください|下さい|ね)?[。:：]?\s*$`,
  'i',
)

/** Lines that only mail, chats and logs have: from here on nothing is typed. */
const FOREIGN_LINE = pattern(
  String.raw`^\s*(?:From|To|Cc|Subject|Sent|Date|Reply-To|差出人|宛先|件名|送信日時|日時)\s*[:：]\s*\S|
    ^\s*-{2,}\s*(?:Original Message|Forwarded message|Begin forwarded)|^\s*(?:Begin forwarded message|
    On .{4,60} wrote):|
    ^[\s>*#_-]*(?:user|human|assistant|system|ai|bot|claude|chatgpt|developer|ユーザー|アシスタント|システム)[*_\s]*[:：]|
    ^\s*【(?:システム|ユーザー|アシスタント)】|
    ^\s*(?:note|message|instructions?|attention|notice|dear|hello|hi|important)?\s*(?:to|for)?[\s:,]*(?:all |the |any )*
    (?:(?:ai|coding|llm|language)[- ])+(?:assistants?|agents?|models?|tools?|bots?)\b|
    ^\s*(?:AI|エージェント|アシスタント)(?:アシスタント|エージェント)?\s*(?:へ|各位|向け)|
    ^\s*\[?\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?(?:\s*[AP]M)?\]?\s|^\s*\[?\d{4}-\d\d-\d\d[T ]`,
  'i',
)

/** A line of dashes or the like that sets a text apart. */
const SEPARATOR = /^\s*(?:-{3,}|={3,}|\*{3,}|_{3,}|#{3,}|~{3,}|…{2,}|─{3,})\s*$/

function removeBlocks(lines: readonly string[], keepsRequest: boolean): string[] {
  let isPasted = false
  let isApart = false
  return lines.map((line, at) => {
    if (isPasted) return ''
    if (SEPARATOR.test(line)) {
      isApart = !isApart
      return ''
    }
    if (isApart) return ''
    if (line.trim() === '') return line
    if (/^\s*[>＞]/.test(line)) return ''
    if (FOREIGN_LINE.test(line)) {
      isPasted = true
      return ''
    }
    const hasMore = lines.slice(at + 1).some((other) => other.trim() !== '')
    if (hasMore && !RULES_FOLLOW.test(line) && HANDS_OVER.test(line.slice(-LINE_CHARS_MAX / 2)))
      isPasted = isBlockAfter(lines, at)
    const typed = removeReported(line, keepsRequest)
    // A reported text that begins on this line goes on below.
    if (typed !== line && /[:：]\s*\S/.test(line) && lines[at + 1]?.trim() !== '') isPasted = true
    return typed
  })
}

/** Whether a text follows: after a colon at once, else after a blank line, or with more than one line. */
function isBlockAfter(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? ''
  if (/[:：]\s*$/.test(line)) return true
  return lines[at + 1]?.trim() === '' || lines.length - at > 3
}
