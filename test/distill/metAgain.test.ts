// What a request asks for by name: failures, and rules of a check, that earlier sessions met and no entry is about.
import { expect, test } from 'vitest'
import { listMetAgain, MET_AGAIN_MAX } from '../../src/distill/metAgain.ts'
import type { NumberedItem } from '../../src/distill/sessionDigest.ts'
import { callOccasion, failureOccasion } from '../../src/knowledge/when.ts'
import type { EventId, SessionId } from '../../src/model/id.ts'
import { type Knowledge, newKnowledgeRecord } from '../../src/model/knowledge.ts'

const AT = '2026-03-02T10:00:00.000Z'

const failed = (number: number, over: Partial<NumberedItem> = {}): NumberedItem => ({
  kind: 'failed',
  subject: '`make check`',
  text: 'no rule',
  events: [`e${number}` as EventId],
  at: AT,
  number,
  sessions: 0,
  ...over,
})

/** A failed call of a session that was over before. */
const pastCall = (session: string, command: string, error: string, id = `${session}-1`) => {
  const call = { tool: 'Bash', input: { command } }
  return {
    id: id as EventId,
    session: session as SessionId,
    at: '2026-03-01T10:00:00.000Z',
    call: callOccasion(call),
    failure: failureOccasion(call, error, undefined),
  }
}

const entry = (line: string, when: Knowledge['when'] = []): Knowledge => ({
  type: 'lesson',
  scope: 'project',
  author: 'model',
  state: 'standing',
  line,
  when,
  record: newKnowledgeRecord(AT, 's0' as SessionId),
})

const past = { calls: [], session: 's9' as SessionId, began: AT, known: [] }

test('distill: a failure that earlier sessions met is asked for, the most frequent first', () => {
  const items = [failed(1), failed(2, { sessions: 1 }), failed(3, { sessions: 4 })]
  expect(listMetAgain(items, past)).toEqual([
    { number: 3, sessions: 4 },
    { number: 2, sessions: 1 },
  ])
})

test('distill: a failure at which an entry is shown is not asked for again', () => {
  const calls = [pastCall('s9', 'make check', 'no rule', 'e1')]
  const known = [entry('Run `make setup` first.', [{ at: 'call', tool: 'Bash', has: ['make check'] }])]
  expect(listMetAgain([failed(1, { sessions: 2 })], { ...past, calls, known })).toEqual([])
  expect(listMetAgain([failed(1, { sessions: 2 })], { ...past, calls })).toHaveLength(1)
})

test('distill: a rule of a check is counted over sessions, whatever file it complained about', () => {
  const calls = [
    pastCall('s1', 'lint', 'a.go:1:2: error is nil (nilerr)'),
    pastCall('s2', 'lint', 'b.go:9:1: error is nil (nilerr)'),
    pastCall('s2', 'lint', 'b.go:9:1: nilerrors'),
  ]
  const items = [failed(5, { rules: ['nilerr', 'dupl'] }), failed(6, { rules: ['nilerr'] })]
  expect(listMetAgain(items, { ...past, calls })).toEqual([{ number: 5, rule: 'nilerr', sessions: 2 }])
  expect(listMetAgain(items, { ...past, calls, known: [entry('Mark it `//nolint:nilerr`.')] })).toEqual([])
})

test('distill: only sessions before this one count, and only so many failures are asked for', () => {
  const later = { ...pastCall('s10', 'lint', '(nilerr)'), at: '2026-03-03T10:00:00.000Z' }
  const own = pastCall('s9', 'lint', '(nilerr)')
  expect(listMetAgain([failed(1, { rules: ['nilerr'] })], { ...past, calls: [later, own] })).toEqual([])
  const many = Array.from({ length: 20 }, (_, i) => failed(i + 1, { sessions: i + 1 }))
  expect(listMetAgain(many, past)).toHaveLength(MET_AGAIN_MAX)
})
