// A role that may write a project puts anything into its rows, without memctl. Honest machines go on.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Queryable } from '../../../src/database/database.ts'
import { grantAccess } from '../../../src/database/hub/hubAccess.ts'
import { createPostgresHub } from '../../../src/database/hub/postgresHub.ts'
import { checkOperation } from '../../../src/team/checkOperation.ts'
import type { Hub } from '../../../src/team/hub.ts'
import { mergeOperation, type TeamState } from '../../../src/team/mergeOperation.ts'
import { extractTerms } from '../../../src/text/terms/extractTerms.ts'
import { cleanText, ModelMachine, syncUntilRest } from '../../team/modelMachine.ts'
import { BEGIN, MINUTE, testMemoryId } from '../../testData.ts'
import { asRole } from './databaseRole.ts'
import { DIMENSION, machine, memoryOf, operationOf, putOf, startTestHub, type TestHub, uuid } from './hubServer.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const embedder = { model: 'm', embed: async (texts: readonly string[]) => texts.map(() => Array(DIMENSION).fill(0.5)) }
const VECTOR = Array<number>(DIMENSION).fill(0.5)
/** SQL: more than is read of one value, and more than half of what is read at once. */
const HUGE = `to_json(repeat('x', ${9 * 2 ** 20}))`
const LONG = `to_json(repeat('x', ${6 * 2 ** 20}))`

let team: TestHub
beforeAll(async () => {
  team = await startTestHub()
  await team.database.query('create role eve')
})
afterAll(() => team?.close())

/** What the hostile role runs. It may write the project. */
async function asEve(project: string): Promise<Queryable> {
  await grantAccess(team.database, { project, role: 'eve', canWrite: true })
  return asRole(team.database, 'eve')
}

/** The hub as a machine uses it: with one project, and what is no operation is left out. */
const hubOf = (project: string): Hub => ({
  ...team.hub,
  lastPushed: (_, replica) => team.hub.lastPushed(project, replica),
  push: (_, operations, newEpoch) => team.hub.push(project, operations, newEpoch),
  async pull(_, after, limit) {
    const batch = await team.hub.pull(project, after, limit)
    return { ...batch, operations: batch.operations.filter((each) => 'operation' in checkOperation(each, cleanText)) }
  },
})

const find = async (project: string, text: string, limit = 20): Promise<readonly string[]> =>
  ((await team.hub.search?.(project, { terms: extractTerms(text), limit })) ?? []).map(({ memory }) => memory.content)

/** JSON that is no state and no payload. */
const PUT = `{"n": 1, "at": "${'1'.repeat(13)}-00000-${machine(7)}", "by": "Eve", "fields": {"content": 5}}`
const GARBAGE: readonly string[] = [
  ...['null', '7', 'true', '"text"', '[]', '[[1], {"puts": {}}]', JSON.stringify('x'.repeat(1_000_000))],
  ...['{"puts": null, "counts": []}', '{"puts": "text"}', `{"puts": {"${machine(7)}": null}}`],
  ...[`{"puts": {"${machine(7)}": ${PUT}}}`, `{"puts": {"__proto__": ${PUT}}}`, '{"superseded": {"at": {}, "by": 1}}'],
  ...['{"__proto__": {"forgotten": true}, "withdrawn": {"constructor": 9}}', '{"deleted": 7}', '{"forgotten": true}'],
  ...[`{"counts": {"${machine(7)}": {"uses": 1e400}}}`, `${'['.repeat(3000)}${']'.repeat(3000)}`],
  ...[`{"puts": ${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}}`, '{"kind": "forget", "n": -1, "fields": [null]}'],
]

/** Two machines that know the same memories, one for each piece of garbage. */
async function startTeam(project: string): Promise<readonly ModelMachine[]> {
  const machines = [1, 2].map((n) => new ModelMachine(n).at(BEGIN))
  for (const each of machines) each.join()
  for (const n of GARBAGE.keys()) machines[0]?.learn(n + 1, `written before, number${n}`)
  await syncUntilRest(hubOf(project), machines)
  return machines
}

/** The machines work on; all of them, and the states of the hub, agree, and the search finds every memory. */
async function expectAgreement(project: string, machines: readonly ModelMachine[]): Promise<void> {
  for (const [i, each] of machines.entries()) {
    each.at(BEGIN + (i + 1) * MINUTE)
    for (const n of GARBAGE.keys()) {
      each.use(testMemoryId(n + 1))
      if (i === 1) each.edit(testMemoryId(n + 1), `written later, number${n}`)
    }
  }
  await syncUntilRest(hubOf(project), machines)
  const expected = new Map<string, TeamState>()
  for (const operation of machines.flatMap(({ outbox }) => outbox))
    expected.set(operation.memory, mergeOperation(expected.get(operation.memory), operation))
  for (const { states } of machines) expect(Object.fromEntries(states)).toEqual(Object.fromEntries(expected))
  const { rows } = await team.database.query<{ memory: string; state: unknown }>(
    'select memory::text as memory, state from hub_memories where project_id = $1 and memory = any($2::uuid[])',
    [project, [...expected.keys()]],
  )
  expect(Object.fromEntries(rows.map(({ memory, state }) => [memory, state]))).toEqual(Object.fromEntries(expected))
  for (const n of GARBAGE.keys()) expect(await find(project, `number${n}`)).toContain(`written later, number${n}`)
}

const WRITE_STATES = `
  update hub_memories m set state = s.state::json, kind = 'x', terms = array[null, 'number1', '']
  from unnest($2::uuid[], $3::text[]) as s(memory, state) where m.project_id = $1 and m.memory = s.memory`

const WRITE_OPERATIONS = `
  insert into hub_operations (project_id, position, id, replica, n, at, kind, memory, payload)
  select $1, p.last_position + s.i, gen_random_uuid(), $2::uuid, s.i, s.at, s.kind, s.memory, s.payload::json
  from hub_projects p, unnest($3::text[], $4::text[], $5::uuid[], $6::text[])
    with ordinality as s(at, kind, memory, payload, i) where p.project_id = $1`

describe('a hostile writer', () => {
  test('hub: a state that is none is merged again from the operations, with the next push', async () => {
    const machines = await startTeam('states')
    const ids = GARBAGE.map((_, n) => testMemoryId(n + 1))
    await (await asEve('states')).query(WRITE_STATES, ['states', ids, GARBAGE])
    await expectAgreement('states', machines)
  })

  test('hub: operations that are none change nothing, in a push and where a state is merged again', async () => {
    const machines = await startTeam('operations')
    const eve = await asEve('operations')
    const kinds = ['put', 'count', 'supersede', 'delete', 'withdraw', 'forget']
    const rows = kinds.flatMap((kind) => GARBAGE.map((payload, n) => ({ kind, payload, memory: testMemoryId(n + 1) })))
    await eve.query(WRITE_OPERATIONS, [
      ...['operations', machine(8)],
      // A time of another machine, or none: else `delete` would be one, whatever else is in it.
      rows.map((_, i) => (i % 2 === 0 ? `${'9'.repeat(13)}-00000-${machine(1)}` : '__proto__ 💥 no time')),
      rows.map(({ kind }) => kind),
      rows.map(({ memory }) => memory),
      rows.map(({ payload }) => payload),
    ])
    const ids = GARBAGE.map((_, n) => testMemoryId(n + 1))
    await eve.query(WRITE_STATES, ['operations', ids, ids.map(() => '[]')])
    await expectAgreement('operations', machines)
  })

  test('hub: a pull gives every row and never fails; what is too long to be read comes without its text', async () => {
    await team.hub.push('pull', [operationOf(1, 1, 1, putOf('first'))])
    const payloads = [...GARBAGE, ...[1, 2, 3, 4].map(() => '1')]
    const eve = await asEve('pull')
    const sizes = `case s.payload when '1' then case s.i when ${payloads.length} then ${HUGE} else ${LONG} end`
    await eve.query(WRITE_OPERATIONS.replace('s.payload::json', `${sizes} else s.payload::json end`), [
      ...['pull', machine(8), payloads.map(() => 'x'.repeat(20)), payloads.map(() => 'put')],
      ...[payloads.map(() => memoryOf(1)), payloads],
    ])
    const last = operationOf(1, 2, 1, putOf('last'))
    await team.hub.push('pull', [last])
    const first = await team.hub.pull('pull', 0, 1000)
    expect(first).toMatchObject({ more: true, through: GARBAGE.length + 3 })
    const rest = await team.hub.pull('pull', first.through, 1000)
    expect(rest.more).toBe(false)
    expect(first.operations.length + rest.operations.length).toBe(payloads.length + 2)
    expect(JSON.stringify(rest).length).toBeLessThan(1_000_000)
    expect(rest.operations.at(-1)).toEqual(last)
    expect(Object.keys(first.operations[4] ?? {})).toHaveLength(6)
  })

  test('hub: numbers at the end of their range, and positions that are taken, stop no push', async () => {
    await team.hub.push('numbers', [operationOf(1, 1, 1, putOf('first'))])
    const eve = await asEve('numbers')
    const end = '9223372036854775807'
    for (const lastPosition of [end, '0']) {
      await eve.query(
        `update hub_projects set last_position = ${lastPosition}, memory_count = ${end} where project_id = 'numbers'`,
      )
      await eve.query(`update hub_memories set text_version = 2147483647 where project_id = 'numbers'`)
      const n = lastPosition === end ? 2 : 3
      const operation = operationOf(1, n, 1, putOf(`text ${n}`))
      expect(await team.hub.push('numbers', [operation, operationOf(2, n, n, putOf('new'))])).toMatchObject({
        stored: 2,
      })
    }
    await eve.query(
      `insert into hub_operations select project_id, ${end}, id, replica, ${end}, at, kind, memory, payload
        from hub_operations where project_id = 'numbers' and position = 1`,
    )
    await team.hub.push('numbers', [operationOf(1, 4, 1, putOf('text 4'))])
    expect(await team.hub.pull('numbers', 0, 100)).toMatchObject({ through: 6, more: false })
    expect(await find('numbers', 'text')).toEqual(['text 4'])
  })

  test('hub: a search leaves out what it cannot read, and finds as many others', async () => {
    const hub = createPostgresHub(team.database, { embedder })
    await hub.push(
      'search',
      [1, 2, 3].map((n) => operationOf(1, n, n, putOf(`docker \u001b[31mport ${n}`))),
    )
    const eve = await asEve('search')
    const states = [...GARBAGE, '1']
    const ids = states.map((_, i) => uuid('c', i))
    await eve.query(
      `insert into hub_memories (project_id, memory, state, kind, terms)
        select 'search', s.memory, case s.state when '1' then ${HUGE} else s.state::json end, '', $3
        from unnest($1::uuid[], $2::text[]) as s(memory, state)`,
      [ids, states, extractTerms('docker port 1')],
    )
    await eve.query(
      `insert into hub_vectors select 'search', memory, 'm', embedding::vector
        from unnest($1::uuid[], $2::text[]) as s(memory, embedding)`,
      [ids, ids.map((_, i) => `[${VECTOR.map(() => (i % 2 === 0 ? 0.5 : 0))}]`)],
    )
    await eve.query(`update hub_vectors set embedding = '[${VECTOR}]' where project_id = 'search'`)
    const found = await hub.search?.('search', { terms: extractTerms('docker port'), vector: VECTOR, limit: 12 })
    expect(found?.map(({ memory }) => memory.content).sort()).toEqual([1, 2, 3].map((n) => `docker port ${n}`))
    expect(await hub.search?.('search', { terms: [], vector: VECTOR, limit: 12 })).toHaveLength(3)
  })

  test('hub: texts get their vectors though states before them cannot be read', async () => {
    await (await asEve('vectors')).query(
      `insert into hub_memories (project_id, memory, state, kind)
        select 'vectors', ('00000000-0000-4000-8000-' || lpad(i::text, 12, '0'))::uuid, '[{}]', 'lesson'
        from generate_series(1, 450) as i`,
    )
    const hub = createPostgresHub(team.database, { embedder })
    await hub.push('vectors', [operationOf(1, 1, 1, putOf('docker'))])
    const { rows } = await team.database.query(`select memory::text from hub_vectors where project_id = 'vectors'`)
    expect(rows).toEqual([{ memory: memoryOf(1) }])
  })
})
