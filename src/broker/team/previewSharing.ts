// What a project would share now: for the question that a person answers before anything leaves the machine.
import type { Memory, MemoryKind } from '../../model/memory.ts'
import { redactThoroughly } from '../../record/redact/secondPass.ts'
import { canShare, readOwnFields } from '../../team/shareMemory.ts'
import { firstLine } from '../../text/excerpt.ts'
import type { Store } from '../open/openStore.ts'
import { readActivePolicy } from '../policy/activePolicy.ts'
import { listMemories } from '../queries/browse.ts'

/** Characters of a memory's line. */
const TEXT_CHARS = 200

export interface SharingPreview {
  /** What the team would get, the most important first; the text as it would be sent. */
  readonly shared: readonly { readonly id: string; readonly kind: MemoryKind; readonly text: string }[]
  readonly byKind: Readonly<Partial<Record<MemoryKind, number>>>
  /** Memories that stay: private ones, and those of kinds that are not shared, archived or about the person. */
  readonly kept: { readonly private: number; readonly others: number }
}

/** Reads the memories; changes nothing. */
export function previewSharing(store: Store): SharingPreview {
  const { kinds, shareAgentOnly, sharePersonal } = readActivePolicy(store).policy.team
  const policy = { kinds, agentOnly: shareAgentOnly === 1, personal: sharePersonal === 1 }
  const memories = listMemories(store, { withPrivate: true }, 'importance')
  const shared = memories.flatMap((memory) => {
    const fields = canShare(memory, policy, false) ? readOwnFields(memory, redactThoroughly) : undefined
    return fields ? [{ id: memory.id, kind: memory.kind, text: firstLine(fields.content, TEXT_CHARS) }] : []
  })
  const hidden = memories.filter(({ privacy }) => privacy === 'private').length
  return {
    shared,
    byKind: countKinds(shared),
    kept: { private: hidden, others: memories.length - shared.length - hidden },
  }
}

function countKinds(memories: readonly Pick<Memory, 'kind'>[]): SharingPreview['byKind'] {
  const counts: Partial<Record<MemoryKind, number>> = {}
  for (const { kind } of memories) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}
