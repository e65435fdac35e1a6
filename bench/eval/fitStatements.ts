// Fits the weights of statements: logistic regression on labelled sentences, pulled to weights set by hand.

import { listStatementFeatures, type SpokenAfter } from '../../src/text/statement/statementFeatures.ts'
import { splitTypedSentences } from '../../src/text/statement/typedText.ts'
import { TRAINING_SENTENCES } from './statementSentences.ts'

/** A sentence with its features, and whether it is lasting. */
export interface LabelledSentence {
  readonly features: Readonly<Record<string, number>>
  readonly isLasting: boolean
  /** How much it counts. */
  readonly worth: number
}

export type StatementWeights = Readonly<Record<string, number>>

/** Weights set by hand, for what labelled sessions seldom have. A fit starts from them and is pulled to them. */
const STATEMENT_PRIORS: Readonly<Record<string, number>> = {
  bias: -3,
  rule: 0.8,
  'rule+always': 0.8,
  'rule+ban': 0.6,
  keep: 1.2,
  forget: 1.5,
  always: 0.3,
  duty: 0.5,
  ban: 0.4,
  denial: 0.6,
  definition: 0.4,
  asking: -1,
  request: -0.6,
  'words<5': -0.8,
  formal: -1.5,
  report: -0.3,
  'after:rejection': 0.6,
  replacing: 0.5,
  task: -0.4,
  'signal:remember': 4,
  'signal:preference': 3,
  'signal:decision': 1.5,
  'signal:correction': 0.5,
  'signal:thanks': -1,
  'signal:complaint': -0.5,
  general: 0.3,
  'general+duty': 0.4,
  'always+definition': 0.3,
  onceOnly: -0.3,
}

const PASSES = 300
const RATE = 4
/** How strongly weights are pulled to those set by hand. */
const PULL = 0.05
/** How much an invented sentence counts: there are many, and they are clear. */
const INVENTED_WORTH = 0.3
/** Lasting sentences are rare: each counts more. */
const LASTING_WORTH = 2

/** What a person reacts to, in turn, because an invented sentence has no session. */
const AFTER: readonly SpokenAfter[] = ['answer', 'answer', 'start', 'question', 'work', 'interruption', 'rejection']

export function listInventedSentences(): LabelledSentence[] {
  let count = 0
  return Object.values(TRAINING_SENTENCES).flatMap((blocks) =>
    (['lasting', 'passing'] as const).flatMap((kind) =>
      blocks[kind]
        .split('\n')
        .filter((line) => line.trim() !== '')
        .flatMap((line) => {
          const after = AFTER[++count % AFTER.length] ?? 'answer'
          const isLasting = kind === 'lasting'
          return listStatementFeatures(splitTypedSentences(line.trim()), { after }).map((features) => ({
            features,
            isLasting,
            worth: INVENTED_WORTH * (isLasting ? LASTING_WORTH : 1),
          }))
        }),
    ),
  )
}

/** The weights, those of less than 0.05 left out. */
export function fitStatementWeights(sentences: readonly LabelledSentence[]): StatementWeights {
  const weights: Record<string, number> = { ...STATEMENT_PRIORS }
  const names = new Set([...Object.keys(weights), ...sentences.flatMap(({ features }) => Object.keys(features))])
  for (let pass = 0; pass < PASSES; pass++) {
    const gradient: Record<string, number> = {}
    for (const { features, isLasting, worth } of sentences) {
      const error = ((isLasting ? 1 : 0) - certaintyOf(features, weights)) * worth
      gradient['bias'] = (gradient['bias'] ?? 0) + error
      for (const [name, value] of Object.entries(features)) gradient[name] = (gradient[name] ?? 0) + error * value
    }
    for (const name of names) {
      const weight = weights[name] ?? 0
      const pull = name === 'bias' ? 0 : PULL * (weight - (STATEMENT_PRIORS[name] ?? 0))
      weights[name] = weight + (RATE * (gradient[name] ?? 0)) / sentences.length - pull
    }
  }
  return Object.fromEntries(
    Object.entries(weights)
      .filter(([, weight]) => Math.abs(weight) >= 0.05)
      .map(([name, weight]) => [name, Math.round(100 * weight) / 100] as const)
      .sort((a, b) => b[1] - a[1]),
  )
}

function certaintyOf(features: Readonly<Record<string, number>>, weights: Readonly<Record<string, number>>): number {
  let sum = weights['bias'] ?? 0
  for (const [name, value] of Object.entries(features)) sum += (weights[name] ?? 0) * value
  return 1 / (1 + Math.exp(-sum))
}
