// Answer types, as bits: what a text contains (a time, a name …) and what a question asks for. English and Japanese.

/** A date, a duration, a point in time. */
export const HAS_TIME = 1
export const HAS_NUMBER = 2
/** A proper name. */
export const HAS_NAME = 4
export const HAS_REASON = 8
export const HAS_PLACE = 16
export const ENDS_WITH_QUESTION = 32
export const CONTAINS_QUESTION = 64

const TIME =
  /\b(?:yesterday|today|tonight|tomorrow|ago|recently|soon|since|last (?:night|week|weekend|month|year|summer|winter|spring|fall|autumn)|next (?:week|weekend|month|year|summer)|(?:this|these|few|couple of|two|three|four|five|six|several) (?:days?|weeks?|weekends?|months?|years?|mornings?)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october|november|december|in may|may \d|\d may|(?:19|20)\d\d)\b|[年月日週]|きのう|おととい|あした|さっき|先ほど|最近|\d時/i
const NUMBER =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|once|twice|several|couple|hundred|thousand)\b|[一二三四五六七八九十百千万]/i
/** A capital inside a sentence or a quoted title; not `I`. */
const NAME = /[a-z,;'’] (?!I\b|I['’])[A-Z][\w'’&-]|["“][A-Z]|「|『/
const REASON =
  /\b(?:because|since|so that|in order to|reasons?|inspired|motivated|made me|helps? me|wanted to|that's why|due to)\b|ので|から|ため|理由|おかげ|せいで/i
const PLACE = /\b(?:in|at|to|from|near|around|visited) (?:the )?[A-Z][a-z]|[都道府県市区町村駅国]|に(?:行|来|着)/

/** What a text contains, as bits. */
export function detectAnswerTypes(text: string): number {
  let types = 0
  if (TIME.test(text)) types |= HAS_TIME
  if (NUMBER.test(text)) types |= HAS_NUMBER
  if (NAME.test(text)) types |= HAS_NAME
  if (REASON.test(text)) types |= HAS_REASON
  if (PLACE.test(text)) types |= HAS_PLACE
  if (/[?？]/.test(text)) types |= CONTAINS_QUESTION
  if (/[?？]["”'’」）)\s]*$/.test(text)) types |= ENDS_WITH_QUESTION
  return types
}

const QUESTION_PATTERNS: readonly (readonly [RegExp, number])[] = [
  [
    /^\W*when\b|\b(?:what|which) (?:date|day|month|year|time|week|season)|how long|since when|いつ|何[年月日時曜週]|どの(?:くらい|期間)/i,
    HAS_TIME,
  ],
  [
    /\bhow (?:many|much|often|old|far|tall)|number of|how long|いくつ|何[人個回歳本枚度台]|どれくらい|いくら/i,
    HAS_NUMBER,
  ],
  [
    /\b(?:who|whose|whom|name of|named|called|titled?)\b|\b(?:what|which) (?:book|movie|film|song|band|artist|author|game|team|company|brand|city|country|state|place|school|show|series|library|tool|package)|誰|だれ|名前|何という/i,
    HAS_NAME,
  ],
  [/^\W*why\b|\b(?:reason|motivat|inspired?)|なぜ|どうして|なんで|理由/i, HAS_REASON],
  [/^\W*where\b|\b(?:what|which) (?:city|country|state|place|town)|どこ|どちら/i, HAS_PLACE],
]

/** What a question asks for, as bits; 0 for none of these. */
export function detectExpectedAnswerTypes(question: string): number {
  let types = 0
  for (const [pattern, type] of QUESTION_PATTERNS) if (pattern.test(question)) types |= type
  return types
}
