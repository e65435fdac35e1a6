// The features of a sentence that a score weighs: its traits, its form, its place, and what came before the prompt.
import { detectUserSignals } from '../intent/userSignals.ts'
import { detectLanguage, findTraits } from './language.ts'
import type { Trait } from './traits.ts'
import type { TypedSentence } from './typedText.ts'

/** What a person reacts to. `work`: the assistant was still working. */
export type SpokenAfter = 'start' | 'answer' | 'question' | 'work' | 'interruption' | 'rejection'

export interface SpokenContext {
  readonly after: SpokenAfter
  /** The plan of a new context: the assistant wrote it, the person approved it. */
  readonly isPlan?: boolean | undefined
  /** What the assistant did next. */
  readonly effects?: readonly SpokenEffect[] | undefined
}

/** agrees: it said that the person is right. asks: its answer was a question. The others: what it did. */
export type SpokenEffect = 'agrees' | 'asks' | 'edits' | 'documents' | 'commits' | 'nothing'

export type StatementFeatures = Readonly<Record<string, number>>

/** Pairs of traits that say more together than alone. */
const PAIRS: readonly (readonly [Trait, Trait])[] = [
  ['asking', 'duty'],
  ['asking', 'negated'],
  ['asking', 'replacing'],
  ['asking', 'able'],
  ['asking', 'why'],
  ['request', 'asking'],
  ['request', 'always'],
  ['request', 'duty'],
  ['task', 'always'],
  ['task', 'replacing'],
  ['we', 'duty'],
  ['we', 'negated'],
  ['we', 'definition'],
  ['me', 'wish'],
  ['ban', 'task'],
  ['reason', 'negated'],
  ['contrast', 'definition'],
  ['contrast', 'negated'],
  ['condition', 'duty'],
  ['condition', 'others'],
  ['others', 'definition'],
  ['others', 'able'],
  ['opinion', 'duty'],
  ['opinion', 'negated'],
  ['report', 'past'],
  ['report', 'me'],
  ['denial', 'definition'],
  ['denial', 'reason'],
  ['me', 'past'],
  ['interim', 'proposal'],
  ['onlyOne', 'duty'],
  ['always', 'negated'],
  ['always', 'duty'],
  ['rule', 'always'],
  ['rule', 'onceOnly'],
  ['always', 'definition'],
  ['general', 'duty'],
  ['ban', 'onceOnly'],
  ['report', 'negated'],
  ['report', 'denial'],
  ['rule', 'ban'],
  ['rule', 'request'],
  ['you', 'negated'],
  ['you', 'past'],
  ['tag', 'definition'],
  ['tag', 'duty'],
  ['rhetorical', 'we'],
  ['definition', 'past'],
  ['proposal', 'replacing'],
  ['proposal', 'task'],
]

/** The features of each sentence, in order: 1 where it has them, or a share from 0 to 1. */
export function listStatementFeatures(
  sentences: readonly TypedSentence[],
  context: SpokenContext,
): readonly StatementFeatures[] {
  const traits = sentences.map(({ text }) => findTraits(text, detectLanguage(text)))
  const words = sentences.map(({ text }) => countWords(text))
  const all = words.reduce((sum, count) => sum + count, 0)
  return sentences.map(({ text, sentence, marker, formal }, i) => {
    const own = traits[i] ?? new Set<Trait>()
    const length = words[i] ?? 0
    const features: Record<string, number> = { formal, [`after:${context.after}`]: 1 }
    const set = (name: string, has: boolean) => {
      if (has) features[name] = 1
    }
    for (const trait of own) features[trait] = 1
    for (const [a, b] of PAIRS) set(`${a}+${b}`, own.has(a) && own.has(b))
    set('noTrait', own.size === 0)
    set('words<5', length < 5)
    set('words<9', length < 9)
    set('words>15', length > 15)
    set('words>25', length > 25)
    set('words>40', length > 40)
    set('first', i === 0)
    set('last', i === sentences.length - 1 && i > 0)
    set('alone', sentences.length === 1)
    set('many', sentences.length > 6)
    set('prompt>20', all > 20)
    set('prompt>60', all > 60)
    set('prompt>150', all > 150)
    set('item', marker !== undefined)
    set('code', /`[^`]+`|\b\w+\(\)|\b[a-z]+[A-Z]\w+|\b\w+_\w+\b/.test(text))
    set('path', /[\w.-]+\/[\w./-]+|\b[\w-]+\.(?:[a-z]{1,4})\b/.test(text))
    set('link', /https?:|#\d+|\b[0-9a-f]{7,40}\b|:\d+\b/.test(text))
    set('quote', /["“”「『]/.test(text))
    set('brackets', /\([^)]{8,}\)/.test(text))
    set('beforeAsking', traits[i + 1]?.has('asking') === true)
    set('beforeReason', traits[i + 1]?.has('reason') === true || traits[i + 1]?.has('contrast') === true)
    set('afterDenial', traits[i - 1]?.has('denial') === true)
    set('afterReport', traits[i - 1]?.has('report') === true)
    set(
      'subordinate',
      /^(?:because|since|if|when|unless|which|so that|weil|wenn|si|porque|parce que)\b[^,]*$/i.test(text),
    )
    set('unbalanced', (text.match(/"/g)?.length ?? 0) % 2 === 1 || /^[^(]*\)/.test(text))
    set('plan', context.isPlan === true)
    for (const { kind } of detectUserSignals(sentence)) features[`signal:${kind}`] = 1
    set('partOfSentence', text !== sentence)
    for (const effect of context.effects ?? []) features[`then:${effect}`] = 1
    return features
  })
}

/** Words; two Japanese or Chinese characters count as one. */
const countWords = (text: string): number =>
  Math.round((text.match(/[\u3040-\u30ff\u4e00-\u9fff]/g)?.length ?? 0) / 2) +
  (text.match(/[\p{Script=Latin}\d][\p{Script=Latin}\d'’_./-]*/gu)?.length ?? 0)
