// Glance: what a row alone says of a memory, enough to admit and rank it without reading its text.
//
// Names stand in a row as hashes. Those the question knows (its branch, its role, its task) are given back as they are, all
// others as `#` and the hash: equal names stay equal, and that is all ranking asks. What is not public is never admitted by
// a glance: its reader is checked against the text.
import type { Memory } from '../model/memory.ts'
import { KINDS, OUTCOMES, RETENTIONS, STATUSES } from '../model/memory.ts'
import { PRIVACIES } from '../model/privacy.ts'
import { idOfRow, nameHash, ROW_BYTES } from './row.ts'

export type Glance = Pick<
  Memory,
  | 'id'
  | 'kind'
  | 'status'
  | 'privacy'
  | 'retention'
  | 'outcome'
  | 'role'
  | 'branch'
  | 'taskId'
  | 'session'
  | 'importance'
  | 'strength'
  | 'consolidationLevel'
  | 'updated'
  | 'lastUsed'
  | 'lastDecayed'
  | 'expires'
  | 'help'
>

/** Names by their hash. */
export type Names = ReadonlyMap<number, string>

export const namesOf = (...names: readonly (string | undefined)[]): Names =>
  new Map(names.flatMap((name) => (name === undefined ? [] : [[nameHash(name), name]])))

export function glanceAt(rows: DataView, row: number, names: Names): Glance {
  const at = row * ROW_BYTES
  const named = (offset: number): string | undefined => {
    const hash = rows.getUint32(at + offset)
    return hash === 0 ? undefined : (names.get(hash) ?? `#${hash}`)
  }
  return {
    id: idOfRow(rows, row),
    kind: KINDS[rows.getUint8(at + 1)] ?? 'experience',
    status: STATUSES[rows.getUint8(at)] ?? 'archived',
    privacy: PRIVACIES[rows.getUint8(at + 2)] ?? 'private',
    retention: RETENTIONS[rows.getUint8(at + 4)] ?? 'working',
    consolidationLevel: rows.getUint8(at + 5),
    outcome: OUTCOMES[rows.getUint8(at + 6)] ?? 'unknown',
    session: named(8) as Glance['session'],
    role: named(12) ?? 'main',
    branch: named(132),
    taskId: named(136),
    importance: rows.getFloat64(at + 32),
    strength: rows.getFloat64(at + 40),
    help: { contribution: rows.getFloat64(at + 56), shown: rows.getUint32(at + 104), used: rows.getUint32(at + 108) },
    updated: isoAt(rows, at + 64) ?? '',
    lastUsed: isoAt(rows, at + 72),
    lastDecayed: isoAt(rows, at + 80),
    expires: isoAt(rows, at + 88),
  }
}

function isoAt(rows: DataView, at: number): string | undefined {
  const ms = rows.getFloat64(at)
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}
