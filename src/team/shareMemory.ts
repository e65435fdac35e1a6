// What of a machine's memories is shared, and how a memory is compared with the team's version of it.
import { type Memory, type MemoryKind, PERSONAL_TAG } from '../model/memory.ts'
import { InvalidField, type ReadMode } from './fieldReaders.ts'
import type { SharedFields, TotalCounts } from './operation.ts'
import { readSharedFields } from './sharedFields.ts'

export interface SharePolicy {
  readonly kinds: readonly MemoryKind[]
  /** Shares agent-only memories too. */
  readonly agentOnly: boolean
  /** Shares what a person said about themselves, which holds in every project: for one person with several machines. */
  readonly personal: boolean
}

/**
 * Whether the policy lets it leave the machine. Private memories and working memories never do. Archived ones do so
 * only if they were shared before: `isShared`.
 */
export function canShare(memory: Memory, policy: SharePolicy, isShared: boolean): boolean {
  const { privacy, retention, kind, status, knowledge, originProject, entrySource } = memory
  if (privacy === 'private' || retention === 'working' || originProject !== undefined) return false
  // git carries the entries of a repository, and a branch that does not have one deletes nothing for others.
  if (entrySource !== undefined) return false
  if (privacy === 'agent-only' && !policy.agentOnly) return false
  if ((knowledge?.scope === 'person' || memory.tags.includes(PERSONAL_TAG)) && !policy.personal) return false
  return policy.kinds.includes(kind) && (status === 'active' || isShared)
}

/** Removes secrets from a text, the same way each time. */
export type CleanText = NonNullable<ReadMode['cleanText']>

/** The shared part of one's own memory, clean and within the limits; undefined if it has a value that none may have. */
export const readOwnFields = (memory: Memory, cleanText: CleanText): SharedFields | undefined =>
  readFields(memory, { clips: true, cleanText })

/**
 * Whether a memory has these fields. What differs between machines does not count: importance, and `updated`, which
 * also changes with what is not shared.
 */
export function hasFields(memory: Memory, fields: SharedFields, cleanText: CleanText): boolean {
  // Nearly every memory is as it was received or sent: then nothing has to be redacted.
  const asItIs = readFields(memory, { clips: false })
  if (asItIs !== undefined && isSameText(asItIs, fields)) return true
  const clean = readOwnFields(memory, cleanText)
  return clean !== undefined && isSameText(clean, fields)
}

function readFields(memory: Memory, mode: ReadMode): SharedFields | undefined {
  try {
    return readSharedFields(memory, mode)
  } catch (error) {
    if (error instanceof InvalidField) return undefined
    throw error
  }
}

const isSameText = (a: SharedFields, b: SharedFields): boolean =>
  isEqual({ ...a, importance: 0, updated: '' }, { ...b, importance: 0, updated: '' })

/** Deep equality of JSON. An undefined field is an absent one; the order of keys does not count. */
function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>]
  for (const key in left) if (!isEqual(left[key], right[key])) return false
  for (const key in right) if (right[key] !== undefined && left[key] === undefined) return false
  return true
}

/** A memory's counts as they are shared. */
export const countsOf = ({ knowledge, ...memory }: Memory): TotalCounts => ({
  uses: memory.accessCount,
  candidates: memory.candidateCount,
  impact: memory.impactScore,
  meetings: memory.meetings,
  sessions: memory.sessionCount,
  met: knowledge?.record.met ?? 0,
  shown: knowledge?.record.shown ?? 0,
  obeyed: knowledge?.record.obeyed ?? 0,
  broken: knowledge?.record.broken ?? 0,
})
