// The merged state of a project's memories on the hub: kept with every push, so that a search needs no operations.
//
// Whoever may write the project may have put anything into its rows. Only operations that pass the check are merged,
// and a state that is none, or says without an operation that its memory is forgotten, is merged again from them.
import { checkOperation } from '../../team/checkOperation.ts'
import { checkState } from '../../team/checkState.ts'
import { mergeOperation, type TeamState } from '../../team/mergeOperation.ts'
import type { Operation } from '../../team/operation.ts'
import { visibleMemory } from '../../team/visibleMemory.ts'
import { extractTerms } from '../../text/terms/extractTerms.ts'
import type { Queryable } from '../database.ts'
import { CHANGE_STATES, ERASE_VECTORS, FIND_STATES, PULL_MEMORIES, WRITE_MEMORIES } from './hubSql.ts'
import { type PageRow, toOperation } from './operationRow.ts'

export interface StateRow {
  readonly memory: string
  /** What is stored as its state: any JSON. */
  readonly state: unknown
}

/** Operations that are read at once to merge a state again. */
const PAGE_ROWS = 1000

export interface MergeResult {
  readonly memoriesAdded: number
  /** Memories among these that are forgotten, by these operations or before. */
  readonly forgotten: readonly string[]
}

/** Merges operations that are stored into the rows of their memories. The caller holds the project's lock. */
export async function mergeIntoMemories(
  connection: Queryable,
  project: string,
  { operations, hasVectors }: { readonly operations: readonly Operation[]; readonly hasVectors: boolean },
): Promise<MergeResult> {
  const touched = [...new Set<string>(operations.map(({ memory }) => memory))]
  const found = await connection.query<StateRow>(FIND_STATES, [project, touched])
  const stored = new Set(found.rows.map(({ memory }) => memory))
  const before = new Map(found.rows.map(({ memory, state }) => [memory, checkState(state, undefined)]))
  const doubtful = [...before].flatMap(([memory, state]) => (state === undefined || state.forgotten ? [memory] : []))
  for (const memory of doubtful) before.delete(memory)
  const after: States = new Map(before)
  await mergeAgain(connection, project, { memories: doubtful, states: after })
  for (const operation of operations) mergeChecked(after, operation)
  // One of that no operation is valid: with a row it gets a state that shows nothing, else it needs none.
  const rows = touched.flatMap((memory) => {
    const state = after.get(memory) ?? (stored.has(memory) ? {} : undefined)
    return state === undefined ? [] : [toMemoryRow(memory, before.get(memory), state)]
  })
  const [same, rewritten] = [true, false].map((is) => rows.filter(({ hasSameText }) => hasSameText === is))
  await changeStates(connection, project, same ?? [])
  await writeMemories(connection, project, rewritten ?? [])
  // A vector is a copy of its text: it goes when the text goes or changes.
  const stale = (rewritten ?? []).map(({ memory }) => memory).filter((memory) => stored.has(memory))
  if (hasVectors && stale.length > 0) await connection.query(ERASE_VECTORS, [project, stale])
  return {
    memoriesAdded: rows.length - stored.size,
    forgotten: touched.filter((memory) => after.get(memory)?.forgotten === true),
  }
}

type States = Map<string, TeamState | undefined>

function mergeChecked(states: States, operation: unknown): void {
  const checked = checkOperation(operation, undefined)
  if (!('operation' in checked)) return
  const { memory } = checked.operation
  states.set(memory, mergeOperation(states.get(memory), checked.operation))
}

/** Merges all operations of these memories that the project has. */
async function mergeAgain(
  connection: Queryable,
  project: string,
  { memories, states }: { readonly memories: readonly string[]; readonly states: States },
): Promise<void> {
  let after: string | number = 0
  while (memories.length > 0) {
    const { rows }: { readonly rows: readonly PageRow[] } = await connection.query<PageRow>(PULL_MEMORIES, [
      project,
      after,
      PAGE_ROWS,
      memories,
    ])
    for (const row of rows) mergeChecked(states, toOperation(row))
    if (rows.length === 0) return
    after = rows.at(-1)?.position ?? after
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
export function visibleText(state: TeamState | undefined): string | undefined {
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
