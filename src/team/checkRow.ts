// Rows of a hub are untrusted: another version or another program wrote them. What is no row is left out; what is one
// comes back as a clean copy with known fields only.
import { isMemoryId, type MemoryId } from '../model/id.ts'
import { NO_SUCCESSOR } from '../model/knowledge.ts'
import type { Memory, MemoryMap } from '../model/memory.ts'
import { AMOUNT_MAX } from '../model/strength.ts'
import { InvalidField, number, object, oneOf, optional, type Reader, readIfValid, whole } from './fieldReaders.ts'
import { personName, readSharedFields } from './sharedFields.ts'
import type { CleanText } from './shareMemory.ts'
import { COUNT_NAMES, type CountName, type Counts, type SharedFields, type TeamRow } from './teamRow.ts'

/** Undefined for what is no row. Never throws for a value that comes from JSON, and reads no other object. */
export function checkRow(value: unknown, cleanText: CleanText): TeamRow | undefined {
  const row = readIfValid(readRow, value, { clips: false, cleanText })
  return row && { ...row, successor: row.successor ?? null }
}

/** Characters that one teammate's memories may take of a store. A short one counts as 160: 100,000 memories. */
const TEAMMATE_CHARS_MAX = 16_000_000
const MEMORY_CHARS_MIN = 160

/** With all that belongs to the text; a rule has the same sentence in three fields. */
function charsOf(memory: Memory | SharedFields): number {
  const { content, lessons, learnings, tags, files, knowledge } = memory
  const { commandShape, errorSignature, branch, scopeDomain } = memory
  const { line, quote, reason, when, ways } = knowledge ?? {}
  const names = [tags, files, commandShape, errorSignature, branch, scopeDomain]
  const said = [line, quote].filter((text) => text !== content)
  const others = JSON.stringify([names, lessons, learnings, said, reason, when, ways])
  return Math.max(MEMORY_CHARS_MIN, content.length + others.length)
}

/** `checkRow` for a store: who has filled their part of it can shorten and delete what is there, and add nothing. */
export function createRowCheck(memories: () => MemoryMap, cleanText: CleanText) {
  // Counted when a new text comes: an exchange without one reads no memories.
  let counted: Map<string, number> | undefined
  const countTaken = (): Map<string, number> => {
    const taken = new Map<string, number>()
    for (const memory of memories().values()) {
      const { team } = memory
      if (team?.own === false) taken.set(team.by, (taken.get(team.by) ?? 0) + charsOf(memory))
    }
    return taken
  }
  let isFull = false
  const hasRoom = ({ memory, fields, by, own }: TeamRow): boolean => {
    if (fields === undefined || own) return true
    const local = memories().get(memory)
    if (local && local.team?.own !== false) return true
    counted ??= countTaken()
    const added = charsOf(fields) - (local ? charsOf(local) : 0)
    const taken = (counted.get(by) ?? 0) + added
    if (added > 0 && taken > TEAMMATE_CHARS_MAX) {
      isFull = true
      return false
    }
    counted.set(by, taken)
    return true
  }
  return (value: unknown): TeamRow | undefined => {
    // The search for secrets takes most of the time. Once a teammate's part is full, the room is measured first.
    const row = checkRow(value, isFull ? (text) => text : cleanText)
    if (row === undefined || !hasRoom(row)) return undefined
    return isFull ? checkRow(value, cleanText) : row
  }
}

const memoryId: Reader<MemoryId> = (value) => {
  if (typeof value !== 'string' || !isMemoryId(value)) throw new InvalidField()
  return value.toLowerCase() as MemoryId
}

/** A memory's id, or `outdated`. */
export const isSuccessor = (name: string): boolean => name === NO_SUCCESSOR || isMemoryId(name)

const successor: Reader<string> = (value) => {
  if (typeof value !== 'string' || !isSuccessor(value)) throw new InvalidField()
  return value
}

/** A sum may be more than a memory can have. */
const count: Reader<number> = (value, mode) => Math.min(AMOUNT_MAX, number(0, Number.MAX_SAFE_INTEGER)(value, mode))

const counts = object<Counts>(
  Object.fromEntries(COUNT_NAMES.map((name) => [name, optional(count)])) as {
    readonly [Name in CountName]: Reader<number | undefined>
  },
)

const readRow = object<Omit<TeamRow, 'successor'> & { readonly successor?: string | undefined }>({
  memory: memoryId,
  revision: whole(Number.MAX_SAFE_INTEGER),
  state: oneOf(['active', 'deleted', 'forgotten'] as const),
  fields: optional(readSharedFields),
  successor: optional(successor),
  pinned: optional(oneOf([true] as const)),
  by: personName,
  people: whole(AMOUNT_MAX),
  copies: whole(AMOUNT_MAX),
  counts,
  sent: counts,
  own: oneOf([true, false] as const),
})
