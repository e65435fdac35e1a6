// Received operations are untrusted: another machine, another version or another program wrote them. What is not an
// operation is left out; what is one comes back as a clean copy with known fields only.
//
// A time far in the future is no error: clocks may be wrong, and the order of operations has to be the same on every
// machine. It cannot hold a memory: the next change of that memory comes after it (hybridClock.ts).
import { type EventId, isMemoryId, type MemoryId } from '../model/id.ts'
import { InvalidField, name, object, oneOf, optional, type Reader, type ReadMode, whole } from './fieldReaders.ts'
import { isHybridTime } from './hybridClock.ts'
import type {
  CountBody,
  HybridTime,
  Operation,
  OperationBody,
  PutBody,
  RemovalBody,
  SupersedeBody,
} from './operation.ts'
import { personName, readSharedCounts, readSharedFields } from './sharedFields.ts'
import type { CleanText } from './shareMemory.ts'
import { isSuccessor } from './successor.ts'

/** The operation, or the field that is wrong. */
export type CheckedOperation = { readonly operation: Operation } | { readonly problem: string }

/**
 * A value from a hub as an operation. Never throws for a value that comes from JSON, and reads no other object. With
 * `undefined` texts stay as they are: for a hub, which merges what the machines have cleaned and will clean again.
 */
export function checkOperation(value: unknown, cleanText: CleanText | undefined): CheckedOperation {
  const mode: ReadMode = { clips: false, cleanText }
  try {
    const envelope = readEnvelope(value, mode)
    if (!envelope.at.endsWith(envelope.replica)) return { problem: 'at' }
    return { operation: { ...envelope, ...readBody(envelope.kind)(value, mode) } }
  } catch (error) {
    if (error instanceof InvalidField) return { problem: error.message || 'operation' }
    throw error
  }
}

export const isUuid = (text: string): boolean => isMemoryId(text) && text === text.toLowerCase()
const uuid = textThat<string>(isUuid)

/** A text as it is, if it passes. */
function textThat<Text extends string>(isValid: (text: string) => boolean): Reader<Text> {
  return (value) => {
    if (typeof value !== 'string' || value.length > 100 || !isValid(value)) throw new InvalidField('')
    return value as Text
  }
}

export const hybridTime = textThat<HybridTime>(isHybridTime)
const KINDS = ['put', 'count', 'supersede', 'withdraw', 'delete', 'forget'] as const

/** Of a replica's operations: 1, 2, 3 … */
export const operationNumber: Reader<number> = (value, mode) => {
  if (value === 0) throw new InvalidField('')
  return whole(Number.MAX_SAFE_INTEGER)(value, mode)
}

const readEnvelope = object<Pick<Operation, 'id' | 'replica' | 'n' | 'at' | 'memory' | 'kind'>>({
  id: uuid as Reader<string> as Reader<EventId>,
  replica: uuid,
  n: operationNumber,
  at: hybridTime,
  memory: uuid as Reader<string> as Reader<MemoryId>,
  kind: oneOf(KINDS),
})

function readBody(kind: Operation['kind']): Reader<OperationBody> {
  switch (kind) {
    case 'put':
      return object<PutBody>({
        kind: oneOf(['put'] as const),
        fields: readSharedFields,
        by: personName,
        after: optional(hybridTime),
      })
    case 'count':
      return object<CountBody>({ kind: oneOf(['count'] as const), counts: readSharedCounts })
    case 'supersede':
      return readSupersede
    case 'withdraw':
    case 'delete':
    case 'forget':
      return object<RemovalBody>({ kind: oneOf([kind]) })
  }
}

const readSupersede: Reader<SupersedeBody> = (value, mode) => {
  const { memoryBy } = object<{ memoryBy: string | undefined }>({ memoryBy: optional(name(50)) })(value, mode)
  const successor = memoryBy ?? null
  if (!isSuccessor(successor)) throw new InvalidField('memoryBy')
  return { kind: 'supersede', memoryBy: successor }
}
