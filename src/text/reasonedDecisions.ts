// Decisions with their reason in what an assistant writes: "I kept X since …", "Y instead of Z, so that …",
// 「…ため、X ではなく Y を使いました」. Precision before recall: a running commentary gives none.
import { splitSentences } from './excerpt.ts'

export interface ReasonedDecision {
  /** The whole sentence, without the marks of Markdown. */
  readonly sentence: string
  readonly decision: string
  readonly reason: string
  /** It names what was not chosen. */
  readonly hasAlternative: boolean
}

/** Sentences of other lengths, in characters, are labels or paragraphs. */
const SENTENCE_CHARS = { min: 12, max: 360 }

/** A reason has at least this many words, and a decision too. */
const WORDS_MIN = 3

/** The decisions of a text, in its order. Questions, proposals, conditions and descriptions of errors give none. */
export const findReasonedDecisions = (text: string): ReasonedDecision[] =>
  splitSentences(joinReasons(text)).flatMap((raw) => {
    const sentence = raw.replace(/\*\*|__/g, '').trim()
    if (sentence.length < SENTENCE_CHARS.min || sentence.length > SENTENCE_CHARS.max) return []
    if (/[?？:：]$|^[|#]/.test(sentence)) return []
    return (JAPANESE.test(sentence) ? splitJapanese(sentence) : splitEnglish(sentence)) ?? []
  })

/** A reason in a sentence of its own belongs to the one before it. */
const joinReasons = (text: string): string =>
  text.replace(/\.\s+(?:The )?reason(?: is(?: that)?|:)\s+/gi, ' because ').replace(/。\s*理由は/g, '、理由は')

const JAPANESE = /[\u3040-\u30ff]/

/** A pattern of these words; spaces in a list separate alternatives, `_` stands for a space. */
const anyWord = (...lists: readonly string[]): RegExp =>
  new RegExp(`\\b(?:${lists.join(' ').replaceAll(' ', '|').replaceAll('_', ' ')})\\b`, 'i')

/** Verbs that choose between alternatives by themselves. */
const CHOOSES = anyWord(
  'ke(?:pt|eps?|eping) left leaving chose chosen picked decided opted went_with settled_on switch(?:ed|ing)? replaced?',
  'swapped avoid(?:ed|ing|s)? skip(?:ped)? drop(?:ped)? reverted removed? moved? split merged stuck_with rewrote',
  'renamed? disabled? pinned intentional(?:ly)? deliberate(?:ly)? on_purpose by_design',
)
/** Verbs that choose only beside an alternative. */
const ACTS = anyWord(
  'us(?:e[sd]?|ing) ma[dk]es? add(?:ed)? change[sd]? set put return(?:s|ed)? store[sd]? call(?:s|ed)?',
  'pass(?:es|ed)? extract(?:ed)? wrap(?:ped)? update[sd]? reads? runs?',
)
const STARTS_AS_COMMIT = /^(?:Use|Add|Make|Change|Return|Store|Pass|Call|Set|Run|Read|Allow|Require)\b/
const ALTERNATIVE = anyWord('instead_of rather_than as_opposed_to')
/** What begins the reason. "Since" must not be a time. */
const REASON = new RegExp(
  [
    String.raw`\bbecause\b`,
    String.raw`\bsince (?!then\b|last\b|yesterday\b|the last\b|v?\d)`,
    String.raw`\bso (?:that )?(?=(?:it|they|we|the|users?|tests?|both|each|every|all|this|that|existing|no)\b)`,
    String.raw`\b(?=to (?:avoid|keep|prevent|preserve|stay|ensure|make sure|reduce|minimi[sz]e)\b)`,
    String.raw`\bas (?=(?:it|they|this|that|there)\b)`,
  ].join('|'),
  'i',
)
/** Before the reason: conditions and questions at its beginning. */
const STARTS_OTHERWISE = new RegExp(
  String.raw`^\W*(?:if|when|whether|let me|you|why|how|before|previously|currently|note|alternatively|option|however|` +
    String.raw`but|this (?:means|happens))\b`,
  'i',
)
/** Anywhere before the reason: proposals, the description of an error, what others did. */
const NO_DECISION = anyWord(
  'would could might should may can must want needs? let_me fail(?:s|ed|ing)? crash\\w* bugs? wrong broken occurr?\\w*',
  "happen\\w* caused?s? was_not wasn't were_not didn't doesn't problem issues? recent_commit suggest recommend",
  "i'll i'd i_will we'd",
)

function splitEnglish(sentence: string): ReasonedDecision | undefined {
  const first = /^(?:Because|Since) (?!then\b|last\b|v?\d)([^,]+), (.+)$/.exec(sentence)
  const found = REASON.exec(sentence)
  const [decision = '', reason = ''] = first
    ? [first[2], first[1]]
    : found
      ? [sentence.slice(0, found.index), sentence.slice(found.index + found[0].length)]
      : []
  if (countWords(decision) < WORDS_MIN || countWords(reason) < WORDS_MIN) return undefined
  if (STARTS_OTHERWISE.test(decision) || NO_DECISION.test(decision)) return undefined
  const hasAlternative = ALTERNATIVE.test(sentence)
  const acts =
    STARTS_AS_COMMIT.test(decision) || (hasAlternative && (ACTS.test(decision) || /^(?:I|We) /.test(decision)))
  return CHOOSES.test(decision) || acts ? build(sentence, decision, reason, hasAlternative) : undefined
}

/** A pattern of these parts of a text; spaces in a list separate alternatives. */
const anyPart = (...lists: readonly string[]): RegExp => new RegExp(lists.join(' ').replaceAll(' ', '|'))

const JAPANESE_ALTERNATIVE = anyPart('ではなく でなく の代わりに せずに?、 よりも?、?')
const JAPANESE_CHOOSES = anyPart(
  '採用 選択 選定 統一 維持 変更 切り替え 置き換え 移動 分離 分割 削除 省略 除外 据え置 見送 避け 残し やめ 使い 使う 使って 使用',
  '利用 選び にしました にしています にした。?$ とします としました としています のままに',
)
/** The reason comes first; 「のため」 at the end of a word such as 念のため gives none. */
const JAPANESE_REASON = /^(.{6,}?)(?:(?<!念の)ため(?:に)?、|ので、|ことから、|理由で、)(.{6,})$/
/** The reason comes last: 「…した。理由は…」「…しました（…ため）」「…のは…からです」. */
const JAPANESE_REASON_LAST =
  /^(.{6,}?)(?:[。、]?理由は、?|[（(](?=.{6,}(?:ため|から)[)）])|のは、?)(.{6,}?)(?:ため|から)?(?:です|だ)?[)）]?。?$/
const JAPANESE_NO_DECISION = anyPart(
  'ください でしょうか ますか べき かもしれ 必要があります 失敗し エラー できませんでした 提案 検討 予定 場合は すれば',
  'と思います ましょう',
)

function splitJapanese(sentence: string): ReasonedDecision | undefined {
  const first = JAPANESE_REASON.exec(sentence)
  const last = first ? null : JAPANESE_REASON_LAST.exec(sentence)
  const [reason = '', decision = ''] = first ? [first[1], first[2]] : last ? [last[2], last[1]] : []
  if (decision === '' || JAPANESE_NO_DECISION.test(decision) || !JAPANESE_CHOOSES.test(decision)) return undefined
  return build(sentence, decision, reason, JAPANESE_ALTERNATIVE.test(sentence))
}

const build = (sentence: string, decision: string, reason: string, hasAlternative: boolean): ReasonedDecision => ({
  sentence,
  decision: trimEnds(decision),
  reason: trimEnds(reason).replace(/な$/, ''),
  hasAlternative,
})

const trimEnds = (text: string): string => text.replace(/^[\s,;:—–-]+|[\s,;:—–.。(（-]+$/g, '')

const countWords = (text: string): number => text.split(/\s+/).filter(Boolean).length
