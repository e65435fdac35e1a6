// What a prompt narrows a recall to, and how many notes of one session are shown.
import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import type { Memory } from '../../src/model/memory.ts'
import type { Policy } from '../../src/model/policy.ts'
import type { RecallQuery } from '../../src/model/recallQuery.ts'
import { focusOnPrompt } from '../../src/recall/promptFocus.ts'
import { recall } from '../../src/recall/recall.ts'
import type { RecallCandidate, RecallFocus } from '../../src/recall/recallCandidate.ts'
import { buildMatch, buildMemory, buildQuery, sessionId } from '../testData.ts'

type LoadedCandidate = RecallCandidate & { readonly load: () => Memory }

const candidateOf = (memory: Memory, match = buildMatch({ error: 1, command: 1 })): LoadedCandidate => ({
  memory,
  match,
  load: () => memory,
})

const { recall: recallPolicy } = DEFAULT_POLICY

/** With room for four notes at a prompt. */
const POLICY: Policy = {
  ...DEFAULT_POLICY,
  recall: {
    ...recallPolicy,
    moments: { ...recallPolicy.moments, prompt: { ...recallPolicy.moments.prompt, topK: 4, budgetTokens: 500 } },
  },
}

/** The numbers of the memories that are shown. */
const shownWith = (query: RecallQuery, focus: RecallFocus, alreadyShown: readonly Memory[] = []): Memory['id'][] =>
  recall({
    query,
    candidates: focus.candidates,
    focus,
    policy: POLICY,
    alreadyShown: () => new Set(alreadyShown.map(({ id }) => id)),
  }).shown.map(({ memory }) => memory.id)

describe('recall focus at a prompt', () => {
  const PROMPTS = [
    'Round the total of each order to whole cents before the receipt is printed, please',
    '注文の合計を四捨五入してから、領収書に税込みの金額を印刷するようにしてください',
  ]

  test('recall: a prompt that repeats an earlier one is shown what that task came to, and nothing else', () => {
    for (const text of PROMPTS) {
      const query = buildQuery('prompt', { text, session: sessionId('now') })
      const task = buildMemory(1, { kind: 'experience', content: `${text}\nChanged src/cart.js.` })
      const other = buildMemory(2, { importance: 1, outcome: 'success' })
      const focus = focusOnPrompt([candidateOf(other), candidateOf(task)], query)
      expect(shownWith(query, focus), text).toEqual([task.id])
      const changed = buildMemory(3, { kind: 'experience', content: 'Print the tax on the receipt of an order' })
      expect(focusOnPrompt([candidateOf(changed)], query).candidates).toEqual([])
      expect(focusOnPrompt([candidateOf(changed)], query).limits).toBeUndefined()
    }
  })

  test('recall: at another prompt an earlier task is shown only if it is pinned or the same task', () => {
    const query = buildQuery('prompt', { text: 'Round the receipt', taskId: '#42' })
    const other = buildMemory(1, { kind: 'experience', importance: 0.5, taskId: '#41' })
    const same = buildMemory(2, { kind: 'experience', importance: 0.5, taskId: '#42' })
    const pinned = buildMemory(3, { kind: 'experience', importance: 1 })
    const session = buildMemory(4, { kind: 'summary', importance: 0.5 })
    const all = [other, same, pinned, session].map((memory) => candidateOf(memory))
    const ids = focusOnPrompt(all, query).candidates.map(({ memory }) => memory.id)
    expect(ids).toEqual([same.id, pinned.id, session.id])
  })

  test('recall: a wish or decision that nobody asked to remember is not ranked at a prompt', () => {
    const query = buildQuery('prompt', { text: 'Round the receipt' })
    const learned = (['decision', 'preference', 'lesson', 'summary'] as const).map((kind, i) =>
      candidateOf(buildMemory(i, { kind, importance: 0.5 })),
    )
    const rowOf = ({ memory, ...others }: LoadedCandidate): LoadedCandidate => ({
      ...others,
      memory: { ...memory, isLearned: true },
    })
    expect(focusOnPrompt(learned, query).candidates).toEqual(learned)
    const kinds = focusOnPrompt(learned.map(rowOf), query).candidates.map(({ memory }) => memory.kind)
    expect(kinds).toEqual(['lesson', 'summary'])
  })

  test('recall: a short phrase that people repeat is no repeated task', () => {
    const query = buildQuery('prompt', { text: 'Please run the tests again' })
    const task = buildMemory(1, { kind: 'experience', content: 'Please run the tests again\nAll passed.' })
    expect(focusOnPrompt([candidateOf(task)], query).limits).toBeUndefined()
  })
})

describe('recall of one session', () => {
  const query = buildQuery('prompt', { text: 'the total' })
  const show = (...memories: readonly Memory[]) =>
    shownWith(query, { candidates: memories.map((memory) => candidateOf(memory)) })

  test('recall: one injection has one note of an earlier session, and everything that the person said there', () => {
    const given = { session: sessionId('earlier'), outcome: 'success' } as const
    const summary = buildMemory(1, { ...given, kind: 'summary', importance: 0.9 })
    const task = buildMemory(2, { ...given, kind: 'experience', importance: 0.8 })
    const wish = buildMemory(3, { ...given, kind: 'preference', importance: 0.7 })
    const rule = buildMemory(4, { ...given, kind: 'decision', importance: 0.6 })
    expect(show(summary, task).length).toBe(1)
    expect(show(task, wish, rule).length).toBe(3)
  })

  test('recall: two memories with the same text are one note', () => {
    const content = 'Prices are integer cents.'
    expect(
      show(buildMemory(1, { content, outcome: 'success' }), buildMemory(2, { content, outcome: 'success' })),
    ).toHaveLength(1)
  })
})
