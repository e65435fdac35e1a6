// Facts: what kinds of things a text says, as bits, and which kinds a question asks for. Told at a glance, in English and Japanese.

/** A day, a month, a while: when something was. */
export const SAYS_TIME = 1
export const SAYS_NUMBER = 2
/** Somebody or something by its name. */
export const SAYS_NAME = 4
export const SAYS_REASON = 8
export const SAYS_PLACE = 16
/** It ends by asking. */
export const ENDS_WITH_QUESTION = 32
/** It asks somewhere. */
export const CONTAINS_QUESTION = 64

const TIME =
  /\b(?:yesterday|today|tonight|tomorrow|ago|recently|soon|since|last (?:night|week|weekend|month|year|summer|winter|spring|fall|autumn)|next (?:week|weekend|month|year|summer)|(?:this|these|few|couple of|two|three|four|five|six|several) (?:days?|weeks?|weekends?|months?|years?|mornings?)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october|november|december|in may|may \d|\d may|(?:19|20)\d\d)\b|[年月日週]|きのう|おととい|あした|さっき|先ほど|最近|\d時/i
const NUMBER =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|once|twice|several|couple|hundred|thousand)\b|[一二三四五六七八九十百千万]/i
/** A capital inside a sentence, a quoted title; `I` and its kin are no names. */
const NAME = /[a-z,;'’] (?!I\b|I['’])[A-Z][\w'’&-]|["“][A-Z]|「|『/
const REASON =
  /\b(?:because|since|so that|in order to|reasons?|inspired|motivated|made me|helps? me|wanted to|that's why|due to)\b|ので|から|ため|理由|おかげ|せいで/i
const PLACE = /\b(?:in|at|to|from|near|around|visited) (?:the )?[A-Z][a-z]|[都道府県市区町村駅国]|に(?:行|来|着)/

/** The facts of a text, as bits. */
export function detectAnswerTypes(text: string): number {
  let facts = 0
  if (TIME.test(text)) facts |= SAYS_TIME
  if (NUMBER.test(text)) facts |= SAYS_NUMBER
  if (NAME.test(text)) facts |= SAYS_NAME
  if (REASON.test(text)) facts |= SAYS_REASON
  if (PLACE.test(text)) facts |= SAYS_PLACE
  if (/[?？]/.test(text)) facts |= CONTAINS_QUESTION
  if (/[?？]["”'’」）)\s]*$/.test(text)) facts |= ENDS_WITH_QUESTION
  return facts
}

/** Questions by their beginning or their kind of thing, and the facts they ask for. */
const WANTS: readonly (readonly [RegExp, number])[] = [
  [
    /^\W*when\b|\b(?:what|which) (?:date|day|month|year|time|week|season)|how long|since when|いつ|何[年月日時曜週]|どの(?:くらい|期間)/i,
    SAYS_TIME,
  ],
  [
    /\bhow (?:many|much|often|old|far|tall)|number of|how long|いくつ|何[人個回歳本枚度台]|どれくらい|いくら/i,
    SAYS_NUMBER,
  ],
  [
    /\b(?:who|whose|whom|name of|named|called|titled?)\b|\b(?:what|which) (?:book|movie|film|song|band|artist|author|game|team|company|brand|city|country|state|place|school|show|series|library|tool|package)|誰|だれ|名前|何という/i,
    SAYS_NAME,
  ],
  [/^\W*why\b|\b(?:reason|motivat|inspired?)|なぜ|どうして|なんで|理由/i, SAYS_REASON],
  [/^\W*where\b|\b(?:what|which) (?:city|country|state|place|town)|どこ|どちら/i, SAYS_PLACE],
]

/** The facts a question asks for, as bits; 0 where it asks for none of these. */
export function detectExpectedAnswerTypes(question: string): number {
  let wants = 0
  for (const [asks, facts] of WANTS) if (asks.test(question)) wants |= facts
  return wants
}
