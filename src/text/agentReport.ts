// What an agent's report says: the lessons under a heading such as "Lessons:", "## Lessons learned" or 「教訓」, and how
// its task ended, by a line such as "Status: blocked".
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

/** A heading of lessons: `## Lessons learned`, `3. Learnings:`, 【教訓】. Group 1 is a lesson behind it. */
const LESSONS = pattern(
  String.raw`^(?:#{1,6} |[-*•・] |\d+[.)] )?[*_【[]{0,3}[\p{Extended_Pictographic}\ufe0f ]*
    (?:(?:(?:key|main|some|our|the|new|important) )?(?:lessons?(?:[ -]learn(?:ed|t))?|learnings?)
    (?: (?:for|from|about|of|on|&|and) [^:：*]{1,60})?|
    (?:今回の|主な|得られた|得た)?(?:教訓|学び|学んだこと|学んだ点|得られた知見)(?:まとめ|一覧)?)
    ([*_】\]]{0,3} ?[:：][*_】\]]{0,3} ?|[*_】\]]{1,3}$|$)(.*)$`,
  'iu',
)

/** The next heading, which ends a section: in Markdown, bold, in 【】, or a label: `Next steps:`, `Status: done`. */
const HEADING = pattern(
  String.raw`^(?:#{1,6} |(?:\*\*|__)[^*_]+(?:\*\*|__) ?[:：]?|【[^】]+】$|
    [\p{Lu}\p{Script=Han}\p{Script=Katakana}][^:：。.]{0,30}[:：](?: |$))`,
  'u',
)

const BULLET = /^(\s*)(?:[-*+•・‣]|\d{1,2}[.)]|[①-⑳])\s*(?:\[[ x]\]\s+)?(?=\S)/u

/** Without such a word a report states no lesson, and a hook saves the milliseconds of all other patterns. */
const MAY_STATE = /lesson|learning|教訓|学/i

/** What a subagent's event has beside its text; nothing if the report states no lesson. */
export const readReport = (report: string): Partial<Pick<Event, 'lessons' | 'outcome'>> =>
  MAY_STATE.test(report) ? { lessons: findReportLessons(report), outcome: findReportedOutcome(report) } : {}

/** The lessons of a report, in its order, without markup; each at most 240 characters. */
export function findReportLessons(report: string): string[] {
  // Code in a report is an example: neither a heading nor a lesson.
  const lines = report.replace(/^[^\S\n]*(```|~~~)[\s\S]*?(?:^[^\S\n]*\1.*$|$(?![\s\S]))/gm, '').split('\n')
  const items = lines.flatMap((line, at) => {
    const [heading, , first] = LESSONS.exec(singleSpaces(line)) ?? []
    return heading === undefined ? [] : readSection(lines.slice(at + 1), first)
  })
  const clear = items.map(clean).filter(isSelfContained)
  const unique = new Map(clear.map((lesson) => [lesson.toLowerCase(), lesson]))
  return [...unique.values()].slice(0, LESSONS_MAX)
}

/** The pattern of a heading has several optional spaces in a row. */
const singleSpaces = (line: string): string => line.trim().replace(/\s{2,}/g, ' ')

/** The items of the list under a heading, or the lines of a paragraph; `first` is what stands behind the heading. */
function readSection(lines: readonly string[], first = ''): string[] {
  const items = first === '' ? [] : [first]
  /** The indentation of the list's items. A deeper list has the details of its item. */
  let indent: number | undefined
  let isDetail = false
  for (const [at, line] of lines.entries()) {
    if (line.trim() === '') continue
    const [marker, { length: depth } = ''] = BULLET.exec(line) ?? []
    const isAfterBlank = lines[at - 1]?.trim() === ''
    if (marker === undefined && (HEADING.test(singleSpaces(line)) || (isAfterBlank && items.length > 0))) break
    if (LESSONS.test(singleSpaces(line)) || (first !== '' && isAfterBlank)) break
    if (marker !== undefined) {
      indent ??= depth
      isDetail = depth > indent + 1
      if (!isDetail) items.push(line.slice(marker.length))
    } else if (items.length === 0) items.push(line)
    else if (!isDetail) items.push(joinLines(items.pop() ?? '', line))
  }
  return items
}

/** Japanese has no space between lines. */
const joinLines = (text: string, line: string): string =>
  `${text.trimEnd()}${/[\u3000-\u9fff]\s*$/.test(text) ? '' : ' '}${line.trim()}`

/** Without markup, as one line; a long one is cut to its first sentences. */
function clean(raw: string): string {
  const line = raw
    .replace(/\*\*|__/g, '')
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
    ^(?:it|they|he|she|this|that|these|those)(?:'s|'re)?\s|^(?:それ|これ|あれ)(?:は|が|を|で)|
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

/** What the last such line says; unknown without one. */
export function findReportedOutcome(report: string): 'failure' | 'success' | 'unknown' {
  const stated = [...report.matchAll(STATED)].at(-1)?.[1] ?? ''
  return FAILURE_WORD.test(stated) ? 'failure' : SUCCESS_WORD.test(stated) ? 'success' : 'unknown'
}
