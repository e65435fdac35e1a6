// Machines work and sync; the hub is stopped in the middle of their syncs, at random points of a fixed seed.
import { expect } from 'vitest'
import type { Database } from '../../../src/database/database.ts'
import { createPostgresHub } from '../../../src/database/hub/postgresHub.ts'
import type { Hub } from '../../../src/team/hub.ts'
import { mergeOperation, type TeamState } from '../../../src/team/mergeOperation.ts'
import { createRandom } from '../../random.ts'
import { ModelMachine, PROJECT, syncUntilRest } from '../../team/modelMachine.ts'
import { BEGIN, MINUTE, testMemoryId } from '../../testData.ts'
import type { CuttingProxy } from './cuttingProxy.ts'

export interface CrashRun {
  readonly proxy: CuttingProxy
  readonly database: Database
  readonly stops: number
  readonly seed: number
  /** What stops the server, besides the connections; by number of the stop. */
  readonly stop?: (index: number) => void
  /** Before the next sync: the server runs again. */
  readonly start?: () => void | Promise<void>
}

export interface CrashResult {
  /** Syncs that a stop ended with an error; the others were tried again below, or had the answer already. */
  readonly failed: number
  readonly operations: number
}

const SUBJECTS = 12

/** Fails if anything is lost or there twice, or if the machines do not end with the same. */
export async function runCrashes({ proxy, database, stops, seed, stop, start }: CrashRun): Promise<CrashResult> {
  const hub = createPostgresHub(database)
  const random = createRandom(seed)
  const draw = (max: number): number => Math.floor(random() * max)
  const machines = [1, 2, 3].map((n) => new ModelMachine(n))
  for (const machine of machines) machine.join()
  let minute = 0
  const work = (machine: ModelMachine): void => {
    machine.at(BEGIN + ++minute * MINUTE)
    for (let i = 0; i < 8; i++) act(machine, draw, `${machine.name} wrote this in minute ${minute}, line ${i}`)
  }
  // How many bytes one sync is: the range of the random points.
  for (const machine of machines) work(machine)
  const before = proxy.bytes()
  for (const machine of machines) await machine.sync(hub)
  const bytesOfSync = (proxy.bytes() - before) / machines.length

  let done = 0
  let failed = 0
  while (done < stops) {
    const machine = machines[draw(machines.length)] as ModelMachine
    work(machine)
    let isStopped = false
    proxy.cutAfter(1 + draw(bytesOfSync), () => {
      isStopped = true
      stop?.(done)
    })
    try {
      await machine.sync(hub)
    } catch (error) {
      expect((error as { code?: string }).code).toBe('DATABASE_UNREACHABLE')
      failed += 1
    }
    proxy.cutAfter(undefined)
    if (!isStopped) continue
    done += 1
    await start?.()
  }
  await restAfterRestart(hub, machines)
  await expectEachOnce(database, machines)
  await expectAgreement(database, machines)
  return { failed, operations: machines.reduce((sum, { outbox }) => sum + outbox.length, 0) }
}

/** A server that lost a process closes its connections some time later, so the first syncs after it may fail too. */
async function restAfterRestart(hub: Hub, machines: readonly ModelMachine[]): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await syncUntilRest(hub, machines)
    } catch (error) {
      if (tries === 20 || (error as { code?: string }).code !== 'DATABASE_UNREACHABLE') throw error
      await new Promise((done) => setTimeout(done, 250))
    }
  }
}

function act(machine: ModelMachine, draw: (max: number) => number, text: string): void {
  const id = testMemoryId(1 + draw(SUBJECTS))
  const kind = draw(20)
  if (kind < 8) machine.learn(1 + draw(SUBJECTS), text)
  else if (kind < 11) machine.edit(id, text)
  else if (kind < 16) machine.use(id)
  else if (kind < 17) machine.supersede(id, draw(2) === 0 ? testMemoryId(SUBJECTS + 1) : null)
  else if (kind < 18) machine.makePrivate(id, draw(2) === 0 ? 'private' : 'public')
  else if (kind < 19) machine.delete(id)
  else if (draw(6) === 0) machine.forget(id)
}

/** Every change of every machine is on the hub once, and the positions have no gap. */
async function expectEachOnce(database: Database, machines: readonly ModelMachine[]): Promise<void> {
  const { rows } = await database.query<{ id: string; replica: string; n: string; position: string }>(
    `select o.id::text as id, o.replica::text as replica, o.n, o.position from hub_operations o
      where o.project_id = $1 order by o.position`,
    [PROJECT],
  )
  expect(rows.map(({ position }) => Number(position))).toEqual(rows.map((_, i) => i + 1))
  for (const { replica, outbox } of machines) {
    const stored = rows.filter((row) => row.replica === replica)
    expect(stored.map(({ id, n }) => [Number(n), id])).toEqual(outbox.map(({ n, id }) => [n, id]))
  }
  expect(rows).toHaveLength(machines.reduce((sum, { outbox }) => sum + outbox.length, 0))
}

/** All machines, and the hub's merged memories, have the state that all changes together come to. */
async function expectAgreement(database: Database, machines: readonly ModelMachine[]): Promise<void> {
  const expected = new Map<string, TeamState>()
  for (const operation of machines.flatMap(({ outbox }) => outbox)) {
    expected.set(operation.memory, mergeOperation(expected.get(operation.memory), operation))
  }
  const sorted = (states: Iterable<readonly [string, TeamState]>) => Object.fromEntries([...states].sort(byId))
  for (const { states } of machines) expect(sorted(states)).toEqual(sorted(expected))
  const { rows } = await database.query<{ memory: string; state: TeamState }>(
    'select m.memory::text as memory, m.state from hub_memories m where m.project_id = $1',
    [PROJECT],
  )
  expect(sorted(rows.map(({ memory, state }) => [memory, state]))).toEqual(sorted(expected))
  const count = await database.query<{ count: string }>(
    'select p.memory_count as count from hub_projects p where p.project_id = $1',
    [PROJECT],
  )
  expect(Number(count.rows[0]?.count)).toBe(expected.size)
}

const byId = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1)
