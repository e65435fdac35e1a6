// Universal memories and those of a domain, beyond the project they were made in: copies in the store beside the global entries.
//
// The project keeps its own, for its hooks and tools; the copy is what every project's library sees and counts on. Deleted or changed at home
// by another door, it is so for all when a library next looks at that project.
import type { LiveStore } from '../../broker/live/liveStore.ts'
import type { EventBody } from '../../model/event.ts'
import type { MemoryId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'

/** Where things are told: at a project's desk, or at the one of all projects. */
export interface SharedCopies {
  readonly liveStore: LiveStore
  readonly commit: (body: EventBody) => void
}

/** Whether a memory is for more than its own project. What is not public leaves its project for nobody. */
export const isShared = ({ scope, privacy }: Memory): boolean => scope !== 'project' && privacy === 'public'

/** A project's memories with the others' copies among them; of its own the copy stands for both, for all projects count on it. */
export function mergeCopies(
  own: ReadonlyMap<MemoryId, Memory>,
  copies: ReadonlyMap<MemoryId, Memory>,
): ReadonlyMap<MemoryId, Memory> {
  return copies.size === 0 ? own : new Map([...own, ...copies])
}

/** Keeps the copy in step with what has just been kept at home: made anew, or taken back where it is for its project alone. */
export function publishCopy(memory: Memory, home: string, { liveStore, commit }: SharedCopies): void {
  const before = liveStore.memories().get(memory.id)
  if (isShared(memory)) {
    const originProject = before?.originProject ?? home
    commit({ kind: 'memory.stored', memory: { ...memory, originProject } })
  } else if (before) commit({ kind: 'memory.deleted', memories: [memory.id] })
}

/** A memory as its project keeps it: nothing in it says that there are copies. */
export const stripOrigin = ({ originProject: _, ...memory }: Memory): Memory => memory

/** Whether a copy comes from another project than this: then it is kept there, and not here. */
export const isFromOtherProject = (memory: Memory | undefined, home: string): boolean =>
  memory?.originProject !== undefined && memory.originProject !== home

/** What use in all projects has come to. */
const countsOf = (copy: Memory): Partial<Memory> => ({
  strength: copy.strength,
  strengthByPerspective: copy.strengthByPerspective,
  accessCount: copy.accessCount,
  candidateCount: copy.candidateCount,
  impactScore: copy.impactScore,
  consolidationLevel: copy.consolidationLevel,
  lastUsed: copy.lastUsed,
  lastDecayed: copy.lastDecayed,
})

/** Brings a project's copies in line with what other doors have done to the memories at home since. */
export function syncCopies(own: ReadonlyMap<MemoryId, Memory>, home: string, copies: SharedCopies): void {
  for (const copy of [...copies.liveStore.memories().values()]) {
    if (copy.originProject !== home) continue
    const now = own.get(copy.id)
    if (!now) copies.commit({ kind: 'memory.deleted', memories: [copy.id] })
    else if (now.updated > copy.updated) publishCopy({ ...now, ...countsOf(copy) }, home, copies)
  }
}
