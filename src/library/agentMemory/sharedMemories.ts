// Memories shared between projects, those of scope universal or domain: copies in the store next to the global entries.
//
// The origin project keeps its own, for its hooks and tools; the library of every project reads and changes the copy.
// If hooks or tools delete or change the origin's memory, the copy follows when the library next opens that project.
import type { LiveStore } from '../../broker/live/liveStore.ts'
import type { EventBody } from '../../model/event.ts'
import type { MemoryId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'

/** The store of the copies, and how to write events to it. */
export interface SharedCopies {
  readonly liveStore: LiveStore
  readonly commit: (body: EventBody) => void
}

/** Whether a memory is shared with other projects. A memory that is not public never is. */
export const isShared = ({ scope, privacy }: Memory): boolean => scope !== 'project' && privacy === 'public'

/** A project's memories and all copies; a copy replaces the project's own memory: all projects update the copy. */
export function mergeCopies(
  own: ReadonlyMap<MemoryId, Memory>,
  copies: ReadonlyMap<MemoryId, Memory>,
): ReadonlyMap<MemoryId, Memory> {
  return copies.size === 0 ? own : new Map([...own, ...copies])
}

/** Writes or updates the copy of a memory that `origin` stored, or deletes it if the memory is no longer shared. */
export function publishCopy(memory: Memory, origin: string, { liveStore, commit }: SharedCopies): void {
  const before = liveStore.memories().get(memory.id)
  if (isShared(memory)) {
    const originProject = before?.originProject ?? origin
    commit({ kind: 'memory.stored', memory: { ...memory, originProject } })
  } else if (before) commit({ kind: 'memory.deleted', memories: [memory.id] })
}

/** A memory as its own project stores it: without a trace of copies. */
export const stripOrigin = ({ originProject: _, ...memory }: Memory): Memory => memory

/** Whether a copy comes from another project: then that project stores it, not this one. */
export const isFromOtherProject = (memory: Memory | undefined, project: string): boolean =>
  memory?.originProject !== undefined && memory.originProject !== project

/** The fields that use in any project changes. */
const usageFields = (copy: Memory): Partial<Memory> => ({
  strength: copy.strength,
  strengthByPerspective: copy.strengthByPerspective,
  accessCount: copy.accessCount,
  candidateCount: copy.candidateCount,
  impactScore: copy.impactScore,
  consolidationLevel: copy.consolidationLevel,
  lastUsed: copy.lastUsed,
  lastDecayed: copy.lastDecayed,
})

/** Updates a project's copies after hooks and tools have changed its own memories. */
export function syncCopies(own: ReadonlyMap<MemoryId, Memory>, project: string, copies: SharedCopies): void {
  for (const copy of [...copies.liveStore.memories().values()]) {
    if (copy.originProject !== project) continue
    const now = own.get(copy.id)
    if (!now) copies.commit({ kind: 'memory.deleted', memories: [copy.id] })
    else if (now.updated > copy.updated) publishCopy({ ...now, ...usageFields(copy) }, project, copies)
  }
}
