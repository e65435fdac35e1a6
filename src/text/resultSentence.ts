// The sentence of an answer that says what came of the work: not a greeting, not a question, not what comes next.
import { splitSentences, truncateAtWord } from './excerpt.ts'
import { phrasePattern } from './phrasePattern.ts'

const SENTENCE_CHARS_MAX = 180

/** Sentences looked at: an answer says first what was done, then the details. */
const SENTENCES_MAX = 24

/** Sentences of substance in which a deed is preferred to a state or a cause. */
const DEED_SENTENCES_MAX = 3

/** What is planned, offered or announced, and what only opens an answer. */
const NO_RESULT = phrasePattern(String.raw`
  (?:(?:now|ok(?:ay)?|first|next|then|good)[,.!]? )?(?:let me|let's|i'll|i will|i'm going to|i need to|i should)\b
  i can\b|i could\b|i see\b|i understand\b|i now understand\b|my guess\b|i (?:think|believe|guess|suspect)\b
  (?:we|you) (?:could|can|should)\b|if you\b|want me\b|would you\b|shall\b|should i\b|do you\b|feel free\b|please\b
  next steps?\b|now (?:i|let|update|add|fix|create|the (?:next|last))\b|waiting\b|options?\b|note\b|before:|line \d+
  (?:committed|pushed|the (?:commit|branch|push)|commit (?:successful|created)|all pre-commit)\b
  looking at\b|this is (?:strange|odd|interesting)|here(?:'s| is| are)\b|below\b
  you(?:'re| are) (?:absolutely |totally )?(?:right|welcome)|(?:good|great) (?:question|idea|point|catch|news)
  it (?:looks|seems)\b|maybe\b|perhaps\b|probably\b|sorry\b|sure\b|thanks?\b
  to (?:test|rebuild|try|use|verify|run)\b|rebuild\b|try\b|run\b
`)

const DOER = "(?:(?:i|we)(?:'ve| have)? )?(?:(?:also|successfully|now|just) )*"

/** What passes or is done. */
const CHECKED =
  String.raw`(?:all |both |everything |and |the )*(?:\d+ )?(?:tests?|lint(?:ing|er)?|checks?|builds?|done|clean|good|` +
  'green|set|code|unit|integration|types?|typecheck|validations?|pipelines?|ci|todos?|tasks?)'

/** A sentence that only says that the work is over, or that the checks pass: the state of the checks is known. */
const ONLY_STATE = phrasePattern(String.raw`
  ${CHECKED}\b[^.]{0,40}\b(?:pass(?:e[sd]|ing)?|clean|green|succeed(?:ed|s)?|completed?|good|works?|ok)\b
  ${DOER}(?:fixed|resolved|addressed) the (?:issue|bug|problem|error)s?(?: and\b.*)?[.!]?$
  (?:all )?(?:done|fixed|perfect|great|excellent|completed?|committed|pushed|finished|good|clean)\b[^\p{L}]*$
  the (?:implementation|work|task|plan|change|fix|build) (?:is|has been) (?:now )?(?:completed?|done|finished)\b
`)

/** The heading of a list: the list itself has the details. */
const LIST_HEADING =
  /\b(?:summary|changes|what (?:i|was|has|it|changed)|following|fix|results?|details)\b[^,]{0,300}[:：]$/i

/** Something was done, in English: a verb in the past tense at the beginning. */
const DEED = phrasePattern(String.raw`
  ${DOER}(?:(?!need|indeed|speed|embed|feed|proceed|exceed|shed|red\b)[a-z]+ed)\b
  ${DOER}(?:made|wrote|rewrote|built|rebuilt|split|set|put|kept|found|ran|cut|went)\b
  [^.]{3,60} (?:has|have) been [a-z]+ed\b
`)

/** A new state, or a cause. */
const RESULT = [
  /\b(?:(?:is|are) now|no longer|(?:has|have) been|root cause|because)\b|\bnow \w+(?:s|ed)\b/i,
  /\b(?:was|were) (?:\w+ed|missing|caused|due)\b/i,
]

const RESULT_JAPANESE = /(?:ました|した|なりました|済み(?:です)?|原因(?:は|です)[^。]*)[。！]?$/
const NO_RESULT_JAPANESE = [
  /(?:(?:し|い|き|り|ち|び|み|え|れ|せ|て)ます|ください|でしょう|予定です|思います)[。！]?$/,
  /(?:コミット|プッシュ)(?:し|され)ました[。！]?$/,
  /^(?:完了しました|承知(?:いた)?しました|了解しました|わかりました|はい|以下|ありがとう)[^、]*[。！：:]?$/,
]

/** What came of the work by this answer, at most 180 characters; empty if the answer does not say it. */
export const findResultSentence = (answer: string): string =>
  findSentence(answer, isDeed, DEED_SENTENCES_MAX) || findSentence(answer, isResult)

/** What the answer says first of substance, for a question that changed nothing; empty if there is no such sentence. */
export const findAnswerSentence = (answer: string): string => findSentence(answer, () => true)

function findSentence(answer: string, isWanted: (sentence: string) => boolean, max = SENTENCES_MAX): string {
  const sentence = splitSentences(answer)
    .slice(0, SENTENCES_MAX)
    .map(clean)
    .filter(isSubstantial)
    .slice(0, max)
    .find(isWanted)
  return sentence === undefined ? '' : truncateAtWord(shorten(sentence), SENTENCE_CHARS_MAX)
}

const isDeed = (sentence: string): boolean => DEED.test(sentence) || RESULT_JAPANESE.test(sentence)

const isResult = (sentence: string): boolean =>
  RESULT.some((pattern) => pattern.test(sentence)) || RESULT_JAPANESE.test(sentence)

function isSubstantial(sentence: string): boolean {
  if (/[?？]$/.test(sentence) || NO_RESULT.test(sentence) || ONLY_STATE.test(sentence)) return false
  if (LIST_HEADING.test(sentence) || NO_RESULT_JAPANESE.some((pattern) => pattern.test(sentence))) return false
  const isJapanese = /[\u3040-\u30ff\u3400-\u9fff]{4}/.test(sentence)
  if (isJapanese) return sentence.length >= 8
  const words = shorten(sentence).split(/\s+/).length
  // "I've fixed the bug." says no more than that there was one.
  const wordsMin = /[:：]$/.test(sentence) ? 6 : /[`/\d]|[a-z][A-Z]/.test(sentence) ? 3 : 4
  return words >= wordsMin
}

/** Without emphasis, pictures and a label at the beginning ("Done — …"). */
const clean = (sentence: string): string =>
  sentence
    .replace(/\*\*|__|^\[[ x]\] /g, '')
    .replace(/\p{Extended_Pictographic}|\ufe0f/gu, '')
    .replace(
      /^(?:summary(?: of (?:the )?changes)?|tl;dr|results?|(?:the )?(?:fix|solution|cause)|what changed)\s*[:：]\s*/i,
      '',
    )
    .replace(/^(?:done|fixed|perfect|great|excellent|found it|yes|no)\s*(?:[-—–:,.!]+)\s+(?=\S)/i, '')
    .replace(/^(?:looking at|based on|from) [^,]{3,60}, (?:i can see (?:that )?)?/i, '')
    .trim()

/** "I've successfully added X:" as "Added X". */
function shorten(sentence: string): string {
  const bare = sentence.replace(
    /^(?:I|We)(?:'ve| have)? (?:(?:successfully|also|now|just) )*(?=[a-z]+ed\b|made\b|wrote\b)/,
    '',
  )
  // A file or an identifier at the beginning keeps its case.
  const capitalized = /^[a-z]+(?:\s|$)/.test(bare) ? bare.charAt(0).toUpperCase() + bare.slice(1) : bare
  return capitalized.replace(/[\s:：.。!！]+$/, '')
}
