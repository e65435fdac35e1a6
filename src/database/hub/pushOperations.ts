// Push: operations are stored in order and merged into the project's memories, all of it in one transaction.
import { MemoryError } from '../../model/memoryError.ts'
import { FIRST_EPOCH, type HubPush } from '../../team/hub.ts'
import type { Operation } from '../../team/operation.ts'
import type { Database, Queryable } from '../database.ts'
import {
  ADD_OPERATIONS,
  ADD_PROJECT,
  ADVANCE_PROJECT,
  ERASE_PAYLOADS,
  FIND_STORED,
  LOCK_PROJECT,
  SET_EPOCH,
} from './hubSql.ts'
import { mergeIntoMemories } from './mergedMemories.ts'
import { payloadOf, shortenTime } from './operationRow.ts'

export interface PushInput {
  readonly project: string
  readonly operations: readonly Operation[]
  /** Whether the server has vectors, which a change of a text makes wrong. */
  readonly hasVectors: boolean
  /** The project's epoch from now on; as before if absent. */
  readonly newEpoch?: string | undefined
}

/** Throws HUB_CONFLICT if another operation has the same replica and n: then nothing is stored. */
export async function pushOperations(
  database: Database,
  { project, operations, hasVectors, newEpoch }: PushInput,
): Promise<HubPush> {
  return database.transaction(async (connection) => {
    // From here on, other pushes of this project wait. So what is read below is still true when it is written.
    const { lastPosition, epoch } = await lockProject(connection, project)
    const added = await selectNew(connection, project, operations)
    if (added.length > 0) {
      await addOperations(connection, project, { operations: added, lastPosition })
      const { memoriesAdded, forgotten } = await mergeIntoMemories(connection, project, {
        operations: added,
        hasVectors,
      })
      if (forgotten.length > 0) await connection.query(ERASE_PAYLOADS, [project, forgotten])
      await connection.query(ADVANCE_PROJECT, [project, lastPosition + added.length, memoriesAdded])
    }
    if (newEpoch !== undefined) await connection.query(SET_EPOCH, [project, newEpoch])
    return { stored: added.length, skipped: operations.length - added.length, epoch: newEpoch ?? epoch }
  })
}

export interface ProjectRow {
  readonly lastPosition: string
  readonly epoch: string
}

async function lockProject(
  connection: Queryable,
  project: string,
): Promise<{ readonly lastPosition: number; readonly epoch: string }> {
  const lock = () => connection.query<ProjectRow>(LOCK_PROJECT, [project])
  const [found] = (await lock()).rows
  if (found !== undefined) return { ...found, lastPosition: Number(found.lastPosition) }
  // The project's first push. If two machines do it at the same time, the second one finds the row of the first.
  await connection.query(ADD_PROJECT, [project])
  const [added] = (await lock()).rows
  return { epoch: added?.epoch ?? FIRST_EPOCH, lastPosition: Number(added?.lastPosition ?? 0) }
}

/** The operations that the hub does not have, each once, in their order. */
async function selectNew(
  connection: Queryable,
  project: string,
  operations: readonly Operation[],
): Promise<readonly Operation[]> {
  const ranges = new Map<string, { low: number; high: number }>()
  for (const { replica, n } of operations) {
    const range = ranges.get(replica) ?? { low: n, high: n }
    ranges.set(replica, { low: Math.min(range.low, n), high: Math.max(range.high, n) })
  }
  const found = await connection.query<{ replica: string; n: string; id: string }>(FIND_STORED, [
    project,
    [...ranges.keys()],
    [...ranges.values()].map(({ low }) => low),
    [...ranges.values()].map(({ high }) => high),
  ])
  const known = new Map(found.rows.map(({ replica, n, id }) => [`${replica} ${n}`, id]))
  const added: Operation[] = []
  for (const operation of operations) {
    const key = `${operation.replica} ${operation.n}`
    const before = known.get(key)
    if (before === undefined) added.push(operation)
    else if (before !== operation.id) throw conflict(operation)
    known.set(key, operation.id)
  }
  return added
}

async function addOperations(
  connection: Queryable,
  project: string,
  { operations, lastPosition }: { readonly operations: readonly Operation[]; readonly lastPosition: number },
): Promise<void> {
  await connection.query(ADD_OPERATIONS, [
    project,
    operations.map((_, i) => lastPosition + 1 + i),
    operations.map(({ id }) => id),
    operations.map(({ replica }) => replica),
    operations.map(({ n }) => n),
    operations.map(shortenTime),
    operations.map(({ kind }) => kind),
    operations.map(({ memory }) => memory),
    operations.map(payloadOf),
  ])
}

const conflict = ({ replica, n }: Operation): MemoryError =>
  new MemoryError('HUB_CONFLICT', `the hub has another change ${n} of the machine ${replica}`, {
    hint: 'This copy of the project is older than the hub, or a copy of another machine. Run `memctl hub sync` again.',
  })
