// The sentences in which rules stand. What a sentence says to do instead of what it forbids belongs to it: "Never use
// var; use const" is one sentence.
import { keepByText, pattern } from '../text/pattern.ts'

/** The sentences of a line, in order and as typed. */
export function splitSentences(line: string): string[] {
  const sentences: string[] = []
  let start = 0
  for (const { index, 0: gap } of line.matchAll(SENTENCE_END)) {
    if (saysInstead(line.slice(start, index), gap, line.slice(index + gap.length))) continue
    sentences.push(line.slice(start, index))
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
