// Questions: neighbours, speaker and time of a memory count; at work moments none of that is computed.
import { expect, test } from 'vitest'
import { type CorpusDocument, importCorpus } from '../../../bench/eval/importCorpus.ts'
import { rankQuestion } from '../../../bench/eval/rankQuestion.ts'
import type { Store } from '../../../src/broker/open/openStore.ts'
import { recallMemories } from '../../../src/broker/search/recallMemories.ts'
import { QUESTION_FEATURES } from '../../../src/model/rankingScore.ts'
import { BEGIN, createTestStore, DAY } from '../../testData.ts'

const NOW = BEGIN + 90 * DAY
const said = (session: string, speaker: string, text: string, days = 0): Omit<CorpusDocument, 'id'> => ({
  ...{ conv: 'talk', session, at: BEGIN + days * DAY, speaker, text },
})

function storeOf(...lines: readonly Omit<CorpusDocument, 'id'>[]): { store: Store; texts: Map<string, string> } {
  const store = createTestStore()
  const ids = importCorpus(
    store,
    lines.map((line, i) => ({ ...line, id: String(i) })),
    NOW,
  )
  return { store, texts: new Map([...ids].map(([memory, id]) => [memory as string, lines[Number(id)]!.text])) }
}
const answers = ({ store, texts }: ReturnType<typeof storeOf>, text: string): string[] =>
  rankQuestion(store, { text, now: NOW }).map(({ id }) => texts.get(id)!)

const FILLERS = Array.from({ length: 12 }, (_, i) => said(`s${i}`, 'Ada', `Something else about matter ${i}.`))

test('recall: an answer that shares no term with the question is found by its question', () => {
  const talk = storeOf(
    ...FILLERS,
    said('x', 'Ben', 'Where did you buy the kayak?'),
    said('x', 'Ada', 'In Lisbon, near the harbour, Bjorn told me about it.'),
  )
  expect(answers(talk, 'Where did Ada buy the kayak?')[0]).toContain('Lisbon')
})

test('recall: of two equal statements, that of the named speaker comes first, in any letter case', () => {
  const talk = storeOf(
    ...FILLERS,
    said('x', 'Ada', 'I repaired the garden fence yesterday.'),
    said('y', 'Ben', 'I repaired the garden fence last week.'),
  )
  expect(answers(talk, 'When did Ben repair the garden fence?')[0]).toContain('last week')
  expect(answers(talk, 'when did ada repair the garden fence')[0]).toContain('yesterday')
})

test('recall: of two equal statements, that of the queried month comes first', () => {
  const talk = storeOf(
    ...FILLERS,
    said('x', 'Ada', 'I read the pirate novel again.', 2),
    said('y', 'Ada', 'I read the detective novel again.', 62),
  )
  const month = new Date(BEGIN + 2 * DAY).toLocaleDateString('en-US', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  expect(answers(talk, `Which novel did Ada read in ${month}?`)[0]).toContain('pirate')
})

test('recall: at work moments no question features are computed', () => {
  const { store } = storeOf(...FILLERS, said('x', 'Ada', 'I repaired the garden fence yesterday.'))
  const { shown } = recallMemories(store, { text: 'repair the garden fence', moment: 'prompt', now: NOW })
  for (const { features } of shown) for (const name of QUESTION_FEATURES) expect(features[name]).toBeUndefined()
})
