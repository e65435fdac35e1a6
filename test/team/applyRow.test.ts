// A row of the hub and the memory of a machine: what each keeps, and what is sent after it.
import { describe, expect, test } from 'vitest'
import { type Knowledge, type KnownWay, newKnowledgeRecord } from '../../src/model/knowledge.ts'
import { type Memory, newMemory } from '../../src/model/memory.ts'
import { applyRow, leaveTeam } from '../../src/team/applyRow.ts'
import { collectChanges, toTeamChanges } from '../../src/team/collectChanges.ts'
import { canShare, hashMemory, readOwnFields } from '../../src/team/shareMemory.ts'
import type { TeamEntry, TeamRow } from '../../src/team/teamRow.ts'
import { BEGIN, DAY, iso, testMemoryId } from '../testData.ts'

const ID = testMemoryId(1)
const cleanText = (text: string): string => text.replaceAll('hunter2', '…')
const policy = { kinds: ['lesson', 'preference'] as const, agentOnly: false, personal: false }
const settings = { policy, cleanText }

const way = (name: string, sessions = 2): KnownWay => ({
  ...{ way: `Run \`${name}\``, line: `Run \`${name}\` before \`npm test\``, when: [], sessions, sessionsMin: 1 },
  last: iso(BEGIN),
})

const lesson = (ways: readonly KnownWay[], given: Partial<Knowledge> = {}): Memory => {
  const line = ways[0]?.line ?? '`npm test` failed. No fix is known yet'
  return newMemory({
    ...{ id: ID, kind: 'lesson', content: line, created: iso(BEGIN) },
    knowledge: {
      ...{ type: 'lesson', scope: 'project', author: 'rule', state: 'proposed', line, when: [] },
      record: { ...newKnowledgeRecord(iso(BEGIN), 's1'), met: 1 },
      ...(ways.length > 0 && { ways }),
      ...given,
    },
  })
}

const rule = (text: string, at = BEGIN): Memory => ({
  ...lesson([], { type: 'rule', author: 'person', state: 'standing', line: text, quote: text, asked: true }),
  ...{ kind: 'preference', content: text, updated: iso(at) },
})

const rowOf = (memory: Memory, given: Partial<TeamRow> = {}): TeamRow => ({
  ...{ memory: ID, revision: 1, state: 'active', fields: readOwnFields(memory, cleanText), successor: null, by: 'Aki' },
  ...{ people: 1, copies: 1, counts: { sessions: 1, met: 1 }, sent: {}, own: false },
  ...given,
})

const apply = (local: Memory | undefined, row: TeamRow, entry?: TeamEntry, isDeleted = false) =>
  applyRow({ local, row, entry, isDeleted, settings })

/** What is left to send. */
const collect = (memory: Memory | undefined, entry: TeamEntry) =>
  toTeamChanges(
    collectChanges({
      ...{ memories: new Map(memory ? [[ID, memory]] : []), candidates: memory ? [memory] : [] },
      ...{ entries: new Map([[ID, entry]]), deleted: [], forgotten: [] },
      ...settings,
    }),
  )

describe('team: lessons', () => {
  test('team: a fix beats none, on whichever side it is, and the ways of both are kept', () => {
    const theirs = apply(lesson([]), rowOf(lesson([way('make')])))
    expect(theirs.memory).toMatchObject({ content: 'Run `make` before `npm test`', team: { by: 'Aki', own: true } })
    expect(collect(theirs.memory, theirs.entry).rows).toEqual([])
    const ours = apply(lesson([way('make')]), rowOf(lesson([])))
    expect(ours.memory?.content).toBe('Run `make` before `npm test`')
    expect(collect(ours.memory, ours.entry).rows).toMatchObject([
      { base: 1, fields: { content: ours.memory?.content } },
    ])
    const both = apply(lesson([way('make', 5), way('npm i')]), rowOf(lesson([way('gulp'), way('make')])))
    expect(both.memory?.knowledge?.ways?.map((each) => `${each.way} ${each.sessions}`)).toEqual([
      ...['Run `gulp` 2', 'Run `make` 5', 'Run `npm i` 2'],
    ])
    expect(collect(both.memory, both.entry).rows).toHaveLength(1)
  })

  test('team: two machines that have learned the same send no text twice', () => {
    const later = { ...lesson([way('make', 9)]), created: iso(BEGIN + DAY), updated: iso(BEGIN + DAY), importance: 0.9 }
    const { memory, entry } = apply(later, rowOf(lesson([way('make')])))
    expect(collect(memory, entry)).toMatchObject({ rows: [], counts: [{ counts: { sessions: 1 }, own: true }] })
  })

  test('team: what calls have shown stands when the team has met it in two sessions', () => {
    const received = apply(undefined, rowOf(lesson([way('make')])))
    expect(received.memory?.knowledge).toMatchObject({ state: 'proposed', author: 'teammate' })
    const twice = rowOf(lesson([way('make')]), { counts: { sessions: 2, met: 2 } })
    expect(apply(undefined, twice).memory?.knowledge).toMatchObject({ state: 'standing', record: { met: 2 } })
  })
})

describe('team: words', () => {
  test('team: of two who changed the same text the later one counts; the earlier one is not sent over it', () => {
    const before = apply(undefined, rowOf(rule('as it was'))).entry
    const mine = rule('ours', BEGIN + DAY)
    const newer = apply(mine, rowOf(rule('theirs', BEGIN + 2 * DAY), { revision: 2 }), before)
    expect(newer.memory).toMatchObject({
      content: 'theirs',
      knowledge: { author: 'teammate' },
      team: { isTheirs: true },
    })
    expect(collect(newer.memory, newer.entry).rows).toEqual([])
    const older = apply(mine, rowOf(rule('theirs'), { revision: 2 }), before)
    expect(older.memory?.content).toBe('ours')
    expect(collect(older.memory, older.entry).rows).toMatchObject([{ base: 2, fields: { content: 'ours' } }])
  })

  test('team: a secret that is removed on the way is no change, and nothing of it is sent', () => {
    const local = rule('the password is hunter2')
    const { memory, entry } = apply(local, rowOf(local))
    expect(memory?.content).toBe('the password is hunter2')
    expect(collect(memory, entry).rows).toEqual([])
    const changed = collect({ ...local, content: 'the password is still hunter2' }, entry)
    expect(changed.rows).toHaveLength(1)
    expect(JSON.stringify(changed)).not.toContain('hunter2')
  })

  test('team: a replacement that nobody has sent yet is kept, and one of the team is taken', () => {
    const { memory, entry } = apply(undefined, rowOf(rule('old')))
    const taken = apply(memory, rowOf(rule('old'), { revision: 2, successor: testMemoryId(2) }), entry)
    expect(taken.memory).toMatchObject({ supersededBy: testMemoryId(2), status: 'archived' })
    const ours: Memory = { ...memory!, supersededBy: testMemoryId(3) }
    const kept = apply(ours, rowOf(rule('new', BEGIN + DAY), { revision: 2 }), entry)
    expect(kept.memory).toMatchObject({ content: 'new', supersededBy: testMemoryId(3) })
    expect(collect(kept.memory, kept.entry).rows).toMatchObject([{ successor: testMemoryId(3) }])
  })
})

describe('team: what is gone, and what is counted', () => {
  test('team: deleted is deleted, unless it was learned again or is private now; forgotten is forgotten', () => {
    const { memory, entry } = apply(undefined, rowOf(rule('text')))
    const deleted = rowOf(rule('text'), { state: 'deleted', fields: undefined, revision: 2 })
    const gone = apply(memory, deleted, entry)
    expect(gone.memory).toBeUndefined()
    expect(apply(rule('again'), deleted, gone.entry).memory?.content).toBe('again')
    expect(apply({ ...memory!, privacy: 'private' }, deleted, entry).memory?.privacy).toBe('private')
    expect(apply(rule('again'), { ...deleted, state: 'forgotten' }, gone.entry).memory).toBeUndefined()
    expect(apply(undefined, rowOf(rule('text'), { revision: 2 }), entry, true).memory).toBeUndefined()
  })

  test('team: each counts once: what is here and not sent, what others have sent, and what the hub knows of here', () => {
    const local = { ...rule('text'), accessCount: 3 }
    const first = apply(local, rowOf(rule('text'), { counts: { uses: 5, sessions: 1 } }))
    expect(first.memory?.accessCount).toBe(8)
    expect(collect(first.memory, first.entry).counts).toMatchObject([{ counts: { uses: 3 } }])
    const used = { ...first.memory!, accessCount: 9 }
    const counts = { uses: 5 + 4 + 3, sessions: 2 }
    const second = apply(used, rowOf(rule('text'), { counts, sent: { uses: 3, sessions: 1 }, own: true }), first.entry)
    expect(second.memory?.accessCount).toBe(4 + 9)
    const restored = apply({ ...used, accessCount: 5 }, rowOf(rule('text'), { counts, sent: { uses: 3 } }), first.entry)
    expect(restored.memory?.accessCount).toBe(9 + 3)
  })

  test('team: private, working, imported, personal, doubtful and archived memories stay here', () => {
    const shared = rule('text')
    expect(canShare(shared, policy, false)).toBe(true)
    const knowledge = shared.knowledge!
    const kept: readonly Partial<Memory>[] = [
      ...[{ privacy: 'private' } as const, { privacy: 'agent-only' } as const, { retention: 'working' } as const],
      ...[{ source: 'import' } as const, { kind: 'summary' } as const, { status: 'archived' } as const],
      ...[
        { tags: ['personal'] },
        { originProject: 'other' },
        { knowledge: { ...knowledge, scope: 'person' } } as const,
      ],
      { knowledge: { ...knowledge, state: 'proposed', asked: undefined } },
    ]
    expect(kept.filter((given) => canShare({ ...shared, ...given }, policy, false))).toEqual([])
    expect(canShare({ ...shared, status: 'archived' }, policy, true)).toBe(true)
  })

  test('team: times and importance are no change; a text, a trigger, a scope and a tag are', () => {
    const hash = (given: Partial<Memory>) => hashMemory({ ...rule('text'), ...given }, cleanText)
    const knowledge = rule('text').knowledge!
    const same = hash({})
    expect([hash({ updated: iso(BEGIN + DAY) }), hash({ importance: 0.5, strength: 3 })]).toEqual([same, same])
    const others = [
      ...[hash({ content: 'other' }), hash({ tags: ['a'] }), hash({ knowledge: { ...knowledge, scope: 'branch' } })],
      hash({ knowledge: { ...knowledge, when: [{ at: 'start' }] } }),
    ]
    expect(new Set([same, ...others]).size).toBe(5)
  })
})

describe('team: memories that others have shared', () => {
  const own = { policy: { ...policy, kinds: ['lesson'] as const }, cleanText }

  test('team: whoever does not share a kind gets its changes and deletions all the same', () => {
    const { memory, entry } = apply(undefined, rowOf(rule('old')))
    const edited = applyRow({
      ...{ local: memory, entry, isDeleted: false, settings: own },
      row: rowOf(rule('new', BEGIN + DAY), { revision: 2 }),
    })
    expect(edited.memory?.content).toBe('new')
    const gone = rowOf(rule('new'), { revision: 3, state: 'deleted', fields: undefined })
    const removed = applyRow({ local: edited.memory, entry: edited.entry, isDeleted: false, settings: own, row: gone })
    expect(removed.memory).toBeUndefined()
  })

  test('team: nobody forgets for others what they have never shared, although its id can be guessed', () => {
    const mine: Memory = { ...rule('Prices are integers'), privacy: 'private' }
    const row = rowOf(mine, { state: 'forgotten', fields: undefined })
    const { memory, entry } = apply(mine, row)
    expect(memory).toBe(mine)
    expect(collect(memory, entry).rows).toEqual([])
    expect(apply(rule('Prices are integers'), row).memory).toBeUndefined()
  })

  test('team: words that stand beside the text count: who changed them is named, and the person is told', () => {
    const mine = rule('Ask before you push')
    const { memory, entry } = apply(mine, rowOf(mine))
    const theirs = rule('Ask before you push', BEGIN + DAY)
    const row = rowOf(
      { ...theirs, knowledge: { ...theirs.knowledge!, line: 'Push straight to main' } },
      { revision: 2 },
    )
    const applied = apply(memory, row, entry)
    expect(applied.memory?.team?.isTheirs).toBe(true)
    expect(applied.lost).toBe('Ask before you push')
  })

  test('team: after leaving, the words of a teammate stay theirs and are shared with no other team', () => {
    const mine = rule('in euros')
    const { memory, entry } = apply(mine, rowOf(mine, { own: true }))
    const applied = apply(memory, rowOf(rule('in yen', BEGIN + DAY), { revision: 2, own: true }), entry)
    const left = leaveTeam(applied.memory!, applied.entry, settings)!
    expect(left).toMatchObject({ content: 'in yen', team: { by: 'Aki', isTheirs: true } })
    expect(canShare(left, policy, false)).toBe(false)
  })

  test('team: who has met a lesson of somebody else counts as one who has met it', () => {
    const { memory, entry } = apply(undefined, rowOf(lesson([way('make')])))
    const { knowledge } = memory!
    const met = { ...memory!, knowledge: { ...knowledge!, record: { ...knowledge!.record, met: 2 } } }
    expect(collect(met, entry).counts).toMatchObject([{ own: true, counts: { met: 1 } }])
  })
})
