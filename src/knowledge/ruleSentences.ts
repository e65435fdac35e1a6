// The sentences in which rules stand. What a sentence says to do instead of what it forbids belongs to it: "Never use
// var; use const" is one sentence. In Japanese also the reason that follows, and what is said without a subject. And
// the forms by which typedRulesEnglish.ts and typedRulesJapanese.ts know a rule.
import type { KnowledgeType } from '../model/knowledge.ts'
import { keepByText, pattern } from '../text/pattern.ts'

export function splitSentences(line: string): string[] {
  const sentences: string[] = []
  let start = 0
  for (const { index, 0: gap } of line.matchAll(SENTENCE_END)) {
    const [before, after] = [line.slice(start, index), line.slice(index + gap.length)]
    if (saysInstead(before, gap, after) || needsBefore(before, after) || isReproach(before, after)) continue
    sentences.push(before)
    start = index + gap.length
  }
  return [...sentences, line.slice(start)]
}

/** A rule without what to do instead of what it forbids. */
export const withoutAlternative = /* @__PURE__ */ keepByText((rule) => {
  for (const { index, 0: gap } of rule.matchAll(SENTENCE_END)) {
    const before = rule.slice(0, index)
    if (saysInstead(before, gap, rule.slice(index + gap.length))) return before
  }
  return rule
})

/** The same, and without what else follows a Japanese rule, such as its reason. Too much code for a hook. */
export function ruleAlone(rule: string): string {
  const said = withoutAlternative(rule)
  const follows = [...said.matchAll(SENTENCE_END)].find(({ index, 0: gap }) => {
    const before = said.slice(0, index)
    return needsBefore(before, said.slice(index + gap.length)) && !NAMES_SUBJECT.test(before)
  })
  return said.slice(0, follows?.index)
}

/** "You keep adding comments. Don't.": only both sentences say what is wanted. */
const isReproach = (before: string, after: string): boolean =>
  REPROACH.test(before) && new RegExp(`^\\s*${STOP}(?:,? please)?\\s*(?:[.!]|$)`, 'i').test(after)
const REPROACH = /\byou (?:keep|always|constantly|still) /i
export const STOP = "(?:please )?(?:don['’]t|do not|stop|cut (?:it|that) out|never)(?: (?:do )?(?:it|that))?"

/** Whether the next Japanese sentence is the reason of the one before, or lacks the subject that stands there. */
function needsBefore(before: string, after: string): boolean {
  const [next = ''] = /^[^。！]*/.exec(after) ?? []
  if (next === '' || !/[\u3040-\u30ff].*[。！]$/.test(before)) return false
  return NAMES_SUBJECT.test(before) || IS_REASON.test(next) || LACKS_SUBJECT.test(next)
}

/** A sentence that only names what the next one is about: 「テストの件です。」「勝手に消されると困ります。」 */
const NAMES_SUBJECT = /^[^。]{2,40}(?:について|に関して|の件|の話|と困(?:る|ります))(?:です|ですが)?。$/

/** A reason; and something to do in that case, or always, that does not say what it is about. */
const IS_REASON = /^\s*(?:理由は|なぜなら|というのも)|(?:ので|(?<!て)から|ため)(?:です|だ|ね|な)?\s*$/
const LACKS_SUBJECT =
  /^\s*(?:[^、はがをにのァ-ヶA-Za-z]{0,8}(?:とき|時|場合|なら)(?:は|に|には|も)?|(?:必ず|常に|毎回|絶対に?|代わりに|かわりに)[^はを]*$)/

// Not after e.g., i.e., etc., vs., titles and initials, nor inside Japanese brackets.
const SENTENCE_END = pattern(
  String.raw`(?<!\b(?:e\.g|i\.e|etc|vs|cf|approx|incl|Mrs?|Ms|Dr|Prof|Sr|Jr|St|Inc|Ltd|Corp|[A-Z])\.)
      (?<=[.!?…]["')]?)\s+(?=\S)|(?<=[。！？])(?![」』）。！？])|(?<=[!?])(?=[\u3040-\u9fff])|[;；]\s+|
      \s[-–—]{1,2}\s`,
  'g',
)

/** Whether the text after the gap begins with what to do instead: it says so, or it wants the forbidden verb's use. */
function saysInstead(before: string, gap: string, after: string): boolean {
  const [next = ''] = /^[^.;。!?！？]*/.exec(after) ?? []
  const isClause = gap.trim() !== ''
  const [ban, verb = 'us'] = BAN.exec(before) ?? []
  if (ban !== undefined)
    return /\binstead\b(?! of)/i.test(next) || (isClause && next.toLowerCase().startsWith(verb.toLowerCase()))
  const [banned, kanji = '使'] = JAPANESE_BAN.exec(before) ?? []
  return banned !== undefined && (/(?:代わり|かわり)に/.test(next) || (isClause && next.includes(`を${kanji}`)))
}

/** The verb that is forbidden, without `ing`; none where a thing is: "avoid X", "no X". */
const BAN = /\b(?:(?:don['’]?t|do not|never|not|stop|quit) (?:ever )?([a-z]+?)(?:ing)?|avoid|no(?: more)?)\s/i

const JAPANESE_BAN = /(\p{Script=Han})\p{Script=Hiragana}{1,2}(?:ない|ず)|禁止|厳禁|やめ|避け|NG|ダメ|だめ/u

/** How a rule is said, and what it is not said with. */
export type Form = readonly [type: KnowledgeType, is: RegExp, not: RegExp | undefined]
const form =
  (type: KnowledgeType) =>
  (is: string, not?: string): Form => [type, pattern(is), not === undefined ? undefined : pattern(not)]
export const rule = /* @__PURE__ */ form('rule')
export const preference = /* @__PURE__ */ form('preference')
export const fact = /* @__PURE__ */ form('fact')
export const correction = /* @__PURE__ */ form('correction')
