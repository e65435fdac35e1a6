// What an agent's report says: the lessons under a heading such as "Lessons:", "## Lessons learned" or 「教訓」, and how
// its task ended, by a line such as "Status: blocked" or a sentence about the work.
//
// A lesson is shown to a later agent that has not read the report. So only what is short and makes sense by itself
// counts; the rest stays in the report.
import type { Event } from '../model/event.ts'
import { splitSentences, truncateAtWord } from './excerpt.ts'
import { pattern } from './pattern.ts'

/** Lessons of one report: more are a list of details. */
const LESSONS_MAX = 6

/** A longer lesson is cut to its first sentences. */
const LESSON_CHARS_MAX = 240

const NAMES = String.raw`(?:(?:key|main|some|our|the|new|important) )?(?:lessons?(?:[ -]learn(?:ed|t))?|learnings?)
  (?: (?:for|from|about|of|on) [^:：*\n]{1,60})?|
  (?:今回の|主な|得られた|得た)?(?:教訓|学び|学んだこと|学んだ点|得られた知見)(?:(?:まとめ|一覧))?`

/** A heading alone on its line: `## Lessons learned`, `**Lessons:**`, `3. Learnings:`, 【教訓】. */
const SECTION = pattern(
  String.raw`^\s*(?:#{1,6}\s*)?(?:\d+[.)]\s+)?[*_【[]{0,3}[\p{Extended_Pictographic}\ufe0f\s]*(?:${NAMES})
    (?: (?:&|and) [\w ]{1,30})?\s*[:：]?[*_】\]]{0,3}\s*[:：]?\s*#*\s*$`,
  'iu',
)

/** The one-line form: `Lessons: …`, `- **Lesson learned:** …`, 教訓：…. */
const INLINE = pattern(
  String.raw`^\s*(?:#{1,6}\s+|[-*•・]\s+|\d+[.)]\s+)?[*_【[]{0,3}(?:${NAMES})\s*
    (?:[:：]\s*[*_】\]]{0,3}|[*_】\]]{1,3}\s*[:：]?|\s[—–-]\s)\s*(\S.*)$`,
  'i',
)

/** The next heading, which ends a section: in Markdown, bold, in 【】, or a short label that ends with a colon. */
const HEADING =
  /^\s*(?:#{1,6}\s+\S|(?:\*\*|__)[^*_]+(?:\*\*|__)\s*[:：]?\s*$|【[^】]+】\s*$|[\p{L}\d][^:：。.]{0,40}[:：]\s*$)/u

/** The next section in the one-line form: `Outcome: …`, `**Status:** …`. */
const LABELLED = /^(?:\*\*|__)?(?:\p{Lu}[\p{L} ]{2,30}|[\p{Script=Han}\p{Script=Katakana}]{2,10})(?:\*\*|__)?[:：]/u

const BULLET = /^(\s*)(?:[-*+•・‣]|\d{1,2}[.)]|[①-⑳])\s*(?:\[[ x]\]\s+)?(?=\S)/u

/** Without such a word a report states no lesson, and a hook saves the milliseconds of all other patterns. */
const MAY_STATE = /lesson|learning|教訓|学/i

/** What a subagent's event has beside its text; nothing if the report states no lesson. */
export const readReport = (report: string): Partial<Pick<Event, 'lessons' | 'outcome'>> =>
  MAY_STATE.test(report) ? { lessons: findReportLessons(report), outcome: findReportedOutcome(report) } : {}

/** The lessons of a report, in its order, without markup; each at most 240 characters. */
export function findReportLessons(report: string): string[] {
  const lessons = listItems(report).flatMap(({ text, isProse }) => (isProse ? splitProse(text) : [text]))
  const clear = lessons.map(clean).filter(isSelfContained)
  const unique = new Map(clear.map((lesson) => [lesson.toLowerCase(), lesson]))
  return [...unique.values()].slice(0, LESSONS_MAX)
}

/** A list's item, or a paragraph, which may have several lessons. */
interface Item {
  text: string
  readonly isProse: boolean
}

/** Every item of every section, as it is written. Code in a report is an example: neither a heading nor a lesson. */
function listItems(report: string): Item[] {
  const lines = report.replace(/^[^\S\n]*(```|~~~)[\s\S]*?(?:^[^\S\n]*\1.*$|$(?![\s\S]))/gm, '').split('\n')
  return lines.flatMap((line, at) => {
    const bare = singleSpaces(line)
    const inline = INLINE.exec(bare)?.[1]
    return SECTION.test(bare) || inline !== undefined ? readSection(lines.slice(at + 1), inline) : []
  })
}

/** The patterns of headings have several optional spaces in a row. */
const singleSpaces = (line: string): string => line.trim().replace(/\s{2,}/g, ' ')

/** The items under a heading, or after the one-line form with the text `first`: a list, or paragraphs. */
function readSection(lines: readonly string[], first?: string): Item[] {
  const items: Item[] = first === undefined ? [] : [{ text: first, isProse: true }]
  /** The item that the next line may continue. */
  let item = items[0]
  const add = (text: string, isProse: boolean): void => {
    item = { text, isProse }
    items.push(item)
  }
  /** The indentation of the list's items. */
  let indent: number | undefined
  let isAfterBlank = false
  for (const line of lines) {
    const wasBlank = isAfterBlank
    isAfterBlank = line.trim() === ''
    if (isAfterBlank) continue
    const [marker, space = ''] = BULLET.exec(line) ?? []
    const bare = singleSpaces(line)
    if (SECTION.test(bare) || INLINE.test(bare)) break
    if (marker !== undefined) {
      if (first !== undefined && wasBlank && indent === undefined) break
      indent ??= space.length
      // A deeper list has the details of its item.
      if (space.length <= indent + 1) add(line.slice(marker.length), false)
      else item = undefined
    } else if (HEADING.test(bare) || LABELLED.test(line)) break
    else if (wasBlank && (indent === undefined ? first !== undefined : !/^\s{2,}/.test(line))) break
    else if (indent === undefined && (wasBlank || item === undefined)) add(line, true)
    else if (item && !wasBlank) item.text = joinLines(item.text, line)
  }
  return items
}

/** Japanese has no space between lines. */
const joinLines = (text: string, line: string): string =>
  `${text.trimEnd()}${/[\u3000-\u9fff]\s*$/.test(text) ? '' : ' '}${line.trim()}`

/** A sentence that continues the one before it. */
const CONTINUES = pattern(
  String.raw`^(?:otherwise|else|so|then|but|and|because|since|therefore|thus|hence|also|this|that|these|those|it|they|
    its|which|if not|even)\b|^(?:そう|また|しかし|ただし|そのため|それ|これ|なお|でない|さもない|だから|よって)`,
  'i',
)

/** `(1) … (2) …` and several sentences are several lessons; a sentence that only continues another is part of it. */
function splitProse(text: string): string[] {
  const numbered = text.split(/(?:^|\s)\(?\d[.)]\s+/).filter((part) => part.trim() !== '')
  if (numbered.length > 1) return numbered
  const lessons: string[] = []
  for (const sentence of splitSentences(text)) {
    const before = lessons.at(-1)
    if (before !== undefined && CONTINUES.test(sentence)) lessons[lessons.length - 1] = joinLines(before, sentence)
    else lessons.push(sentence)
  }
  return lessons
}

/** Without markup, as one line; a long one is cut to its first sentences. */
function clean(raw: string): string {
  const line = raw
    .replace(/\*\*|__/g, '')
    .replace(/(?<![\w*])[*_](\S[^*_]*\S)[*_](?![\w*])/g, '$1')
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
  if (line.length <= LESSON_CHARS_MAX) return line
  const [first = line] = splitSentences(line)
  return truncateAtWord(first, LESSON_CHARS_MAX)
}

/** Nothing was learned, or the sentence is about something that only the report names. */
const SAYS_NOTHING = pattern(
  String.raw`^(?:none|nothing|no (?:new |particular |special )?(?:lessons?|learnings?)|n/?a|not applicable|tbd|todo)\b|
    ^(?:特に)?(?:なし|ありません|ない|無し|該当なし)|^特に(?:な|あ)|
    ^(?:it|they|he|she)(?:'s|'re)?\s|
    ^(?:this|that|these|those)(?:'s|\s(?:is|was|are|were|did|does|has|had|made|works?|worked|failed|took|means?|can|
      could|should|will|would)\b)|^(?:それ|これ|あれ)(?:は|が|を|で)|
    \b(?:see|as (?:described|mentioned|noted|explained|shown)) (?:above|below|earlier)\b|上記|前述|下記`,
  'i',
)

/** A lesson has at least three words, or eight characters of Japanese. */
function isSelfContained(lesson: string): boolean {
  if (SAYS_NOTHING.test(lesson) || /[?？:：]$/.test(lesson)) return false
  if (/[\u3040-\u30ff\u3400-\u9fff]{3}/.test(lesson)) return lesson.length >= 8
  return lesson.split(/\s+/).length >= 3 && lesson.length >= 12
}

/** A line that states the outcome: `Outcome: failure`, `**Status:** done`, 結果：成功. */
const STATED =
  /^[^\S\n]{0,20}[ *_#>-]{0,40}(?:outcome|status|result|結果|状態|ステータス)[*_\s]{0,9}[:：][\s*_]{0,9}(\S[^\n]{0,60})/gim

const FAILURE_WORD = pattern(
  String.raw`^\W*(?:fail(?:ed|ure|ing|s)?|error|blocked|incomplete|not (?:done|complete[d]?|fixed|solved|possible)|
    unresolved|partial(?:ly)?|aborted|unsuccessful)\b|^[^\p{L}]*(?:失敗|未完了|未解決|中断|ブロック|エラー)|❌`,
  'iu',
)
const SUCCESS_WORD = pattern(
  String.raw`^\W*(?:success(?:ful(?:ly)?)?|succeeded|done|complete[d]?|fixed|passed|passing|resolved|ok|green)\b|
    ^[^\p{L}]*(?:成功|完了|解決|修正済|合格)|✅`,
  'iu',
)

/** A sentence that says that the work itself did not succeed; a bug that "failed to load" is its subject. */
const FAILED = pattern(
  String.raw`\b(?:i|we)(?:'m| am| have)? (?:could ?n[o']t|could not|was(?: not|n't) able|were(?: not|n't) able|was unable|
    unable|failed to|gave up|cannot|can't) |\b(?:tests?|build|lint|checks?|it) (?:still|now) (?:fails?|failing|broken)\b|
    (?:でき|修正し|解決し)(?:ませんでした|なかった)|に失敗(?:し(?:ました|た)|。|$)`,
  'i',
)

const SUCCEEDED = pattern(
  String.raw`\b(?:all )?(?:\d+ )?(?:tests?|checks?|build|lint) (?:(?:now|all) )*pass(?:es|ed)?\b|
    (?:^|\n)\W{0,20}(?:done|completed?|finished|fixed|implemented)\b|
    \b(?:i|we)(?:'ve| have)? (?:fixed|implemented|completed|finished|resolved|added|updated|renamed|removed)\b|
    (?:完了|修正|実装|解決|追加|更新)しました`,
  'i',
)

/** failure, success, or unknown if the report does not say it. What failed counts before what was done. */
export function findReportedOutcome(report: string): 'failure' | 'success' | 'unknown' {
  const stated = [...report.matchAll(STATED)].at(-1)?.[1]
  if (stated !== undefined) {
    if (FAILURE_WORD.test(stated)) return 'failure'
    if (SUCCESS_WORD.test(stated)) return 'success'
  }
  const prose = report.replace(/(```|~~~)[\s\S]*?(?:\1|$)/g, '\n').replaceAll('’', "'")
  return FAILED.test(prose) ? 'failure' : SUCCEEDED.test(prose) ? 'success' : 'unknown'
}
