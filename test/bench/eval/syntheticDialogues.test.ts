// Synthetic dialogues: reproducible by seed, and every question has its answers in its own dialogue.
import { expect, test } from 'vitest'
import { fitWeights, type LabelledCandidates, measureRanking } from '../../../bench/eval/fitWeights.ts'
import { generateDialogues } from '../../../bench/eval/syntheticDialogues.ts'

test('eval: the same seed gives the same dialogues, another seed different dialogues', () => {
  expect(generateDialogues(3, 1)).toEqual(generateDialogues(3, 1))
  expect(generateDialogues(3, 1)).not.toEqual(generateDialogues(3, 2))
})

test('eval: every question has its answers in its own dialogue, and no placeholder is left', () => {
  const { corpus, queries } = generateDialogues(6, 3)
  const convOf = new Map(corpus.map((line) => [line.id, line.conv]))
  expect(convOf.size).toBe(corpus.length)
  expect(new Set(queries.map((query) => query.id)).size).toBe(queries.length)
  for (const { relevant, conv, query } of queries) {
    expect(relevant.length).toBeGreaterThan(0)
    for (const id of relevant) expect(convOf.get(id)).toBe(conv)
    expect(query).not.toMatch(/[{}]/)
  }
  for (const { text } of corpus) expect(text).not.toMatch(/[{}]/)
})

test('eval: fitting raises the weight of an informative feature and keeps that of an uninformative one', () => {
  const questions: LabelledCandidates[] = Array.from({ length: 60 }, (_, i) => ({
    conv: 'c',
    relevantCount: 1,
    candidates: [0, 1, 2].map((n) => ({
      features: { informative: n === i % 3 ? 1 : 0, constant: 0.5 },
      relevant: n === i % 3,
    })),
  }))
  const begin = { informative: 0, constant: 0.3 }
  const weights = fitWeights(questions, begin, ['informative', 'constant'])
  expect(weights['informative']).toBeGreaterThan(0.2)
  expect(weights['constant']).toBeCloseTo(0.3, 5)
  expect(measureRanking(questions, weights)).toEqual({ r5: 100, r10: 100, ndcg10: 100 })
})
