// What the next sync would send. Reads the store, and changes nothing.
import type { MemoryId } from '../../model/id.ts'
import type { Operation } from '../../team/operation.ts'
import { firstLine } from '../../text/excerpt.ts'
import { loadOrRebuild } from '../maintenance/loadFromLog.ts'
import type { Store } from '../open/openStore.ts'
import { applyLogTail } from '../projection/projectionFiles.ts'
import { listOperations } from './listOperations.ts'

export interface WaitingChange {
  readonly kind: Operation['kind']
  readonly memory: MemoryId
  /** The first line of the text that is sent, 120 characters at most; empty for other changes. */
  readonly text: string
}

const TEXT_CHARS = 120

/** The changes that wait, and those that would be added now. `now` is in milliseconds since 1970. */
export function previewSync(store: Store, now: number): readonly WaitingChange[] {
  const { loaded } = loadOrRebuild(store)
  applyLogTail(store, loaded)
  const operations = [...(loaded.projection.team?.outbox ?? []), ...listOperations(loaded, now)]
  return operations.map((operation) => ({
    kind: operation.kind,
    memory: operation.memory,
    text: operation.kind === 'put' ? firstLine(operation.fields.content, TEXT_CHARS) : '',
  }))
}
