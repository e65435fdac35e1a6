// Finds what a person said that is meant to last: clauses that a linear score selects, each with type, scope, strength.

import type { StatementNumbers, StatementScope, StatementType } from '../../model/statement.ts'
import { firstLine } from '../excerpt.ts'
import { pattern } from '../pattern.ts'
import { detectLanguage, findTraits } from './language.ts'
import { findQuestion } from './repliedQuestion.ts'
import { shortenStatement } from './shortForm.ts'
import { listStatementFeatures, type SpokenContext, type StatementFeatures } from './statementFeatures.ts'
import { STATEMENT_WEIGHTS } from './statementWeights.ts'
import { listSubjectTerms } from './subjectTerms.ts'
import type { Trait } from './traits.ts'
import { splitTypedSentences, type TypedSentence } from './typedText.ts'

export interface FoundStatement {
  /** The clauses in the person's words, with what they reply to where they mean nothing without it. */
  readonly content: string
  readonly short: string
  readonly type: StatementType
  /** Never `branch`: only the session knows the branch. `isInterim` says that it holds only for the current work. */
  readonly scope: Exclude<StatementScope, 'branch'>
  readonly isInterim: boolean
  readonly strength: 1 | 2 | 3
  readonly subject: readonly string[]
  /** Whether it forbids what it is about. */
  readonly isBan: boolean
  /** Terms that it says no longer hold: of "use X, not Y" those of Y, of "forget what I said about Y" those of Y. */
  readonly retired: readonly string[]
  /** It only withdraws what was said earlier. */
  readonly withdraws: boolean
  readonly reason?: string | undefined
  /** How surely it is meant to last, 0 to 1. */
  readonly certainty: number
}

const CONTENT_CHARS_MAX = 420
const SHORT_CHARS_MAX = 200
const STATEMENTS_MAX = 4

/** A prompt with the certainty of each of its sentences, 0 to 1. */
interface ScoredPrompt {
  readonly sentences: readonly TypedSentence[]
  readonly certainties: readonly number[]
  readonly context: SpokenContext
  readonly answer: string
}

/** The statements of a prompt or of the reason for a rejection, in order. `answer`: what it replies to. */
export function findStatements(
  text: string,
  context: SpokenContext & { readonly answer?: string },
  numbers: StatementNumbers,
): FoundStatement[] {
  const sentences = splitTypedSentences(text)
  const certainties = listStatementFeatures(sentences, context).map((features) => {
    if (isMereQuestion(features)) return 0
    const certainty = computeCertainty(features)
    // An uncertain question or request is not even perhaps a statement.
    return certainty < numbers.lastingFrom && (features['asking'] || features['request']) ? 0 : certainty
  })
  const prompt = { sentences, certainties, context, answer: context.answer ?? '' }
  const found = groupNeighbours(prompt, numbers).map((group) => describe(group, prompt, numbers))
  const withContent = found.filter(({ subject, withdraws }) => subject.length > 0 || withdraws)
  return withContent.sort((a, b) => b.certainty - a.certainty).slice(0, STATEMENTS_MAX)
}

/** A question that says nothing: "why aren't we using X" and "can we use X instead" do. */
const isMereQuestion = (features: StatementFeatures): boolean =>
  features['asking'] === 1 &&
  !['tag', 'rhetorical', 'negated', 'replacing', 'contrast'].some((trait) => features[trait])

/** The logistic function of the weighted sum of the features. */
function computeCertainty(features: StatementFeatures): number {
  let sum = STATEMENT_WEIGHTS['bias'] ?? 0
  for (const [name, value] of Object.entries(features)) sum += (STATEMENT_WEIGHTS[name] ?? 0) * value
  return 1 / (1 + Math.exp(-sum))
}

/** A sentence that is a rule of its own: not what explains the one before. */
function isWholeRule(clause: TypedSentence | undefined): boolean {
  if (!clause || clause.text !== clause.sentence) return false
  const traits = findTraits(clause.text)
  return !traits.has('vague') && (traits.has('always') || traits.has('ban')) && traits.has('rule')
}

/** Selected sentences that follow one another are one statement, unless each is a rule. */
function groupNeighbours(
  { certainties, sentences }: ScoredPrompt,
  { perhapsFrom, lastingFrom }: StatementNumbers,
): readonly (readonly number[])[] {
  const groups: number[][] = []
  certainties.forEach((certainty, i) => {
    if (certainty < perhapsFrom) return
    const last = groups.at(-1)
    const before = last?.at(-1)
    const isAlike = before !== undefined && certainty >= lastingFrom === (certainties[before] ?? 0) >= lastingFrom
    const isNext = before !== undefined && i - before === 1 && sentences[i]?.marker === sentences[before]?.marker
    const areTwoRules = before !== undefined && isWholeRule(sentences[before]) && isWholeRule(sentences[i])
    if (last && isNext && isAlike && !areTwoRules) last.push(i)
    else groups.push([i])
  })
  return groups
}

function describe(
  group: readonly number[],
  prompt: ScoredPrompt,
  { lastingFrom, instructionFrom }: StatementNumbers,
): FoundStatement {
  const { sentences, certainties, context } = prompt
  const best = group.reduce((a, b) => ((certainties[b] ?? 0) > (certainties[a] ?? 0) ? b : a))
  const certainty = certainties[best] ?? 0
  const clauses = group.flatMap((i) => sentences[i] ?? [])
  const main = sentences[best]?.text ?? ''
  const traits = findTraits(main, detectLanguage(main))
  const own = joinClauses(clauses)
  const content = firstLine(withContext(own, group[0] ?? 0, traits, prompt).replaceAll('\n', ' '), CONTENT_CHARS_MAX)
  const strength = certainty >= instructionFrom ? 3 : certainty >= lastingFrom ? 2 : 1
  return {
    content,
    short: shortenStatement(main),
    type: findType(traits, context),
    scope: findScope(main, traits),
    isInterim: traits.has('interim'),
    strength,
    ...describeSubject(own, traits),
    reason: findReason(own),
    certainty,
  }
}

/** What a statement is about, and what it says about it: the fields by which statements are compared. */
export type StatementSubject = Pick<FoundStatement, 'subject' | 'isBan' | 'retired' | 'withdraws'>

function describeSubject(own: string, traits: ReadonlySet<Trait>): StatementSubject {
  const [rest, replaced, isContrast] = splitReplaced(own)
  const subject = listSubjectTerms(rest)
  // "Use X, not Y" is about X, and allows it.
  const about = isContrast && subject.length > 0 ? findTraits(rest, detectLanguage(own)) : traits
  return {
    subject: subject.length > 0 ? subject : listSubjectTerms(own),
    isBan: about.has('ban') || (about.has('rule') && about.has('negated')),
    retired: listSubjectTerms(traits.has('forget') ? own : replaced),
    withdraws: traits.has('forget'),
  }
}

/** Of a text that a person gave on purpose: all of it is one statement, about `file` if there is one. */
export const describeStatementText = (
  text: string,
  file?: string,
): StatementSubject & Pick<FoundStatement, 'short'> => ({
  short: firstLine(`${file === undefined ? '' : `${file}: `}${text.replace(/\s+/g, ' ')}`, SHORT_CHARS_MAX),
  ...describeSubject(text, findTraits(text, detectLanguage(text))),
})

/** The clauses as they stand in the prompt; a sentence that was split is joined again. */
const joinClauses = (clauses: readonly TypedSentence[]): string =>
  clauses.reduce((joined, { text, sentence }, i) => {
    const before = clauses[i - 1]
    if (!before) return text
    const between = before.sentence === sentence ? sentence.split(before.text)[1]?.split(text)[0] : undefined
    return `${joined}${between ?? (/[.!?。！？…]$/.test(joined) ? ' ' : '. ')}${text}`
  }, '')

/** What a clause needs in order to be understood: the question it answers, or the sentence before. */
function withContext(
  own: string,
  first: number,
  traits: ReadonlySet<Trait>,
  { sentences, answer }: ScoredPrompt,
): string {
  const question = answer === '' ? undefined : findQuestion(answer, sentences[first], own)
  if (question !== undefined) return `${own} (in reply to: ${firstLine(question, 200)})`
  const before = sentences[first - 1]
  const needsMore =
    traits.has('vague') ||
    own.length < (/[\u3040-\u9fff]/.test(own) ? 12 : 25) ||
    /^(?:and|but|so|since|because|only|just|like|which|that|then|でも|だから|なので|それ)\b/i.test(own)
  return needsMore && before && before.sentence.length <= 200
    ? joinClauses([before, { ...before, text: own, sentence: own }])
    : own
}

function findType(traits: ReadonlySet<Trait>, { after }: SpokenContext): StatementType {
  if (traits.has('denial') && after !== 'start') return 'correction'
  if (traits.has('ban') || traits.has('always') || traits.has('duty') || traits.has('rule')) return 'rule'
  if (traits.has('choice') || traits.has('proposal') || traits.has('replacing')) return 'decision'
  if (traits.has('wish') || traits.has('opinion')) return 'preference'
  return traits.has('definition') || traits.has('others') ? 'fact' : 'decision'
}

/** How the assistant works, writes and answers, in any project. */
const WORKING = pattern(
  String.raw`\b(?:commit(?:s|ting)?|push|stash|branch|pull requests?|prs?|subagents?|ask|asking|answers?|repl(?:y|
    ies|ying)|explain|verbose|concise|language|english|japanese|german|french|spanish|chinese|emojis?|
    tests? first|tdd|comments?|summar(?:y|ies|ize)|todo|plans?|confirm|permission|guess|assum\w+|
    root cause)\b|コミット|プッシュ|ブランチ|日本語|英語|敬語|返事|返信|回答|説明|確認|質問|絵文字|簡潔|テストを先|勝手に|中文|英文|回答|提交|antwort\w*|
    deutsch|francais|français|espanol|español`,
  'i',
)

function findScope(clause: string, traits: ReadonlySet<Trait>): FoundStatement['scope'] {
  const files = clause.match(/\b[\w./-]+\.(?:[a-z]{1,4})\b/g) ?? []
  const isAboutWork = WORKING.test(clause)
  if (
    isAboutWork &&
    !traits.has('we') &&
    !traits.has('definition') &&
    (traits.has('ban') || traits.has('rule') || traits.has('you') || traits.has('wish') || traits.has('keep'))
  )
    return 'person'
  if (files.length === 1 && /\b(?:this|that) file\b|このファイル/.test(clause)) return 'file'
  return 'project'
}

/** What "not X", "instead of X" and their like replace. */
const REPLACED = pattern(
  String.raw`(?:,? (?:and |but )?(?:not|instead of|rather than|no longer|in place of)|\b(?:don't|do not|never|
    stop) (?:use|using)|\breplaces?|,? (?:statt|anstatt|nicht)|,? (?:au lieu de|plutôt que|pas)|
    ,? (?:en vez de|en lugar de|no)) (?<western>[^,.;:!?()]{2,40})|(?<japanese>[^、。\s]{2,30}?) ?(?:ではなく|
    じゃなく|の代わりに|をやめて)|(?:而不是|代替|不要(?:再)?用)(?<chinese>[^，。；,.;]{1,20})`,
  'i',
)

/** The end of a clause that says what holds: "…, not Y", "… instead of Y". */
const CONTRAST = pattern(
  String.raw`^(?:,? (?:and |but )not|,(?: and| but)? (?:not|nicht|pas|no)|,? (?:instead of|rather than|no longer|
    in place of|statt|anstatt|au lieu de|plutôt que|en vez de|en lugar de))\b|(?:ではなく|じゃなく|の代わりに)$|^(?:而不是|代替)`,
  'i',
)

/** The clause without what it replaces, what that is, and whether the rest says what to do instead. */
function splitReplaced(clause: string): readonly [rest: string, replaced: string, isContrast: boolean] {
  const match = REPLACED.exec(clause)
  if (!match) return [clause, '', false]
  const { western, japanese, chinese } = match.groups ?? {}
  const rest = `${clause.slice(0, match.index)} ${clause.slice(match.index + match[0].length)}`
  const named = western?.split(/ (?:in|for|when|if|because|so|to|and|on) /)[0] ?? japanese ?? chinese ?? ''
  return [rest, named, CONTRAST.test(match[0])]
}

const REASON = pattern(
  String.raw`(?:\b(?:because|since(?! (?:yesterday|last|the (?:last|first)))|so that|otherwise)\b|からです|なぜなら|
    \b(?:weil|sonst)\b|parce qu['’e]|porque|因为|否则) *(?<reason>[^.;]{8,200})`,
  'i',
)
const findReason = (clause: string): string | undefined => REASON.exec(clause)?.groups?.['reason']?.trim()
