// The entries that a request shows: at most twenty, those that fit the session first, never one that no longer holds.
import { expect, test } from 'vitest'
import { buildModelRequest } from '../../src/distill/instructions.ts'
import { selectKnown } from '../../src/distill/knownEntries.ts'
import { buildSessionDigest } from '../../src/distill/sessionDigest.ts'
import { type Knowledge, newKnowledgeRecord } from '../../src/model/knowledge.ts'
import type { Memory } from '../../src/model/memory.ts'
import { buildMemory, exampleSession, recordEvents } from '../testData.ts'

const events = recordEvents(
  exampleSession().asks('Show the discount in the cart.').runs('go test -race ./cart').recorded,
)
const digest = buildSessionDigest(events, { redact: (text) => text, tokensMax: 5_000 })!

/** Ids differ from their beginning on. */
const entry = (n: number, line: string, given: Partial<Knowledge> = {}, more: Partial<Memory> = {}): Memory =>
  buildMemory(n, {
    id: `${n.toString(16).padStart(3, '0')}${'0'.repeat(5)}-0000-8000-8000-000000000000` as Memory['id'],
    knowledge: {
      ...{ type: 'lesson', scope: 'project', author: 'model', state: 'standing', line, when: [] },
      record: newKnowledgeRecord('2026-03-01T09:00:00.000Z', undefined),
      ...given,
    },
    ...more,
  })

const linesOf = (...memories: Memory[]) =>
  selectKnown(memories, events, digest.text).map(({ knowledge }) => knowledge.line)

test('distill: what fired in the session or shares its words comes before what is only new', () => {
  const race = entry(1, 'Wait: it is slow.', { when: [{ at: 'call', has: ['-race'] }] })
  const kept = entry(2, 'Use bun.', { when: [{ at: 'call', has: ['npm'], unless: ['go test'] }] })
  const cart = entry(3, 'The cart shows each discount.')
  const other = entry(4, 'Deploys need approval.')
  expect(linesOf(other, cart, kept, race).at(-1)).toBe('Deploys need approval.')
})

test('distill: what is superseded, retired or private is not shown, and never more than twenty', () => {
  const retired = entry(1, 'Old.', { state: 'retired' })
  const superseded = entry(2, 'Older.', { state: 'superseded' })
  const secret = entry(3, 'Mine.', {}, { privacy: 'private' })
  expect(linesOf(retired, superseded, secret, buildMemory(9))).toEqual([])
  expect(linesOf(...Array.from({ length: 400 }, (_, i) => entry(i, `Entry ${i}.`)))).toHaveLength(20)
})

test('distill: the request names each known entry by its key, and says which are of the person', () => {
  // Of two with the same key only one is shown: an answer must not name both.
  const twin = { ...entry(1, 'Wait.'), id: '00100000-1111-8000-8000-000000000000' as Memory['id'] }
  const mine = entry(1, 'Use tabs.', { type: 'rule', author: 'person' })
  const known = selectKnown([mine, twin], events, digest.text)
  expect(known).toHaveLength(1)
  expect(buildModelRequest(digest, known).user).toMatch(/^k00100 rule of the person: Use tabs\.$/m)
  const typed = { ...mine, session: events[0]!.session }
  const here = selectKnown([typed], events, digest.text)
  expect(buildModelRequest(digest, here).user).toMatch(/^k00100 rule typed in this session: Use tabs\.$/m)
})
