// The merged state of a project's memories on the hub: kept with every push, so that a search needs no operations.
import { mergeOperation, type TeamState } from '../../team/mergeOperation.ts'
import type { Operation } from '../../team/operation.ts'
import { visibleMemory } from '../../team/visibleMemory.ts'
import { extractTerms } from '../../text/terms/extractTerms.ts'
import type { Queryable } from '../database.ts'
import { CHANGE_STATES, ERASE_VECTORS, FIND_STATES, WRITE_MEMORIES } from './hubSql.ts'

export interface StateRow {
  readonly memory: string
  readonly state: TeamState
}

export interface MergeResult {
  readonly memoriesAdded: number
  /** Memories among these that are forgotten, by these operations or before. */
  readonly forgotten: readonly string[]
}

/** Merges the operations into the rows of their memories. The caller holds the project's lock. */
export async function mergeIntoMemories(
  connection: Queryable,
  project: string,
  { operations, hasVectors }: { readonly operations: readonly Operation[]; readonly hasVectors: boolean },
): Promise<MergeResult> {
  const touched = [...new Set<string>(operations.map(({ memory }) => memory))]
  const found = await connection.query<StateRow>(FIND_STATES, [project, touched])
  const before = new Map(found.rows.map(({ memory, state }) => [memory, state]))
  const after = new Map<string, TeamState | undefined>(before)
  for (const operation of operations) {
    after.set(operation.memory, mergeOperation(after.get(operation.memory), operation))
  }
  const rows = touched.map((memory) => toMemoryRow(memory, before.get(memory), after.get(memory) ?? {}))
  const rewritten = rows.filter(({ hasSameText }) => !hasSameText)
  await changeStates(
    connection,
    project,
    rows.filter(({ hasSameText }) => hasSameText),
  )
  await writeMemories(connection, project, rewritten)
  // A vector is a copy of its text: it goes when the text goes or changes.
  const stale = rewritten.map(({ memory }) => memory).filter((memory) => before.has(memory))
  if (hasVectors && stale.length > 0) await connection.query(ERASE_VECTORS, [project, stale])
  return {
    memoriesAdded: touched.length - before.size,
    forgotten: touched.filter((memory) => after.get(memory)?.forgotten === true),
  }
}

interface MemoryRow {
  readonly memory: string
  readonly state: TeamState
  readonly kind: string | null
  readonly text: string | undefined
  readonly hasSameText: boolean
}

function toMemoryRow(memory: string, before: TeamState | undefined, state: TeamState): MemoryRow {
  const text = visibleText(state)
  const kind = visibleMemory(state)?.fields.kind ?? null
  return { memory, state, kind, text, hasSameText: before !== undefined && visibleText(before) === text }
}

/** What is searched of a memory; undefined where nothing is to be seen. */
export function visibleText(state: TeamState): string | undefined {
  const fields = visibleMemory(state)?.fields
  return fields && [fields.content, ...fields.lessons].join('\n')
}

async function changeStates(connection: Queryable, project: string, rows: readonly MemoryRow[]): Promise<void> {
  if (rows.length > 0) await connection.query(CHANGE_STATES, [project, ...stateColumns(rows)])
}

async function writeMemories(connection: Queryable, project: string, rows: readonly MemoryRow[]): Promise<void> {
  if (rows.length === 0) return
  const kinds = rows.map(({ kind }) => kind)
  const terms = rows.map(({ text }) => (text === undefined ? null : termsOf(text)))
  await connection.query(WRITE_MEMORIES, [project, ...stateColumns(rows), kinds, terms])
}

const stateColumns = (rows: readonly MemoryRow[]): readonly unknown[] => [
  rows.map(({ memory }) => memory),
  rows.map(({ state }) => JSON.stringify(state)),
]

/** Each term once. None has a space, U+0000 or half a surrogate pair in it, which a text column could not hold. */
const termsOf = (text: string): string => [...new Set(extractTerms(text))].join(' ')
