// The merged state of a memory as a hub keeps it: untrusted input too, for whoever may write a project may also write
// its tables. What is no state is told from one, so that the hub can merge the memory's operations again.
import { hybridTime, isUuid, operationNumber } from './checkOperation.ts'
import { InvalidField, object, oneOf, optional, type Reader, type ReadMode } from './fieldReaders.ts'
import type { PutState, TeamState } from './mergeOperation.ts'
import { personName, readSharedCounts, readSharedFields } from './sharedFields.ts'
import type { CleanText } from './shareMemory.ts'
import { isSuccessor } from './successor.ts'

/**
 * A clean copy with known fields only; undefined for what is no state, or has nothing in it. Never throws for a value
 * that comes from JSON. `cleanText` is as for checkOperation.
 */
export function checkState(value: unknown, cleanText: CleanText | undefined): TeamState | undefined {
  const mode: ReadMode = { clips: false, cleanText }
  try {
    const state = readState(value, mode)
    if (Object.keys(state).length === 0) return undefined
    return state.forgotten === true ? { forgotten: true } : state
  } catch (error) {
    if (error instanceof InvalidField) return undefined
    throw error
  }
}

/** An object with replicas as keys, sorted. */
const byReplica =
  <Value>(item: (replica: string) => Reader<Value>): Reader<Readonly<Record<string, Value>>> =>
  (value, mode) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new InvalidField('')
    const entries = Object.entries<unknown>({ ...value }).map(([replica, each]) => {
      if (!isUuid(replica)) throw new InvalidField('')
      return [replica, item(replica)(each, mode)] as const
    })
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
  }

const put = object<PutState>({
  n: operationNumber,
  at: hybridTime,
  by: personName,
  fields: readSharedFields,
  after: optional(hybridTime),
})

const putOf =
  (replica: string): Reader<PutState> =>
  (value, mode) => {
    const read = put(value, mode)
    if (!read.at.endsWith(replica)) throw new InvalidField('at')
    return read
  }

const successor: Reader<string | null> = (value) => {
  if ((value !== null && typeof value !== 'string') || !isSuccessor(value)) throw new InvalidField('')
  return value
}

const readState = object<TeamState>({
  puts: optional(byReplica(putOf)),
  withdrawn: optional(byReplica(() => operationNumber)),
  counts: optional(byReplica(() => readSharedCounts)),
  superseded: optional(object<{ at: string; by: string | null }>({ at: hybridTime, by: successor })),
  deleted: optional(hybridTime),
  forgotten: optional(oneOf([true] as const)),
})
