// Imports that were made, as the log has them, and how to undo one: what it added is deleted.
import type { EventOf } from '../../model/event.ts'
import type { MemoryId } from '../../model/id.ts'
import type { ImportMark, Memory, MemoryChange } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { commitEvents, systemEvent } from '../commit/commitEvents.ts'
import { openLiveStore } from '../live/liveStore.ts'
import type { Store } from '../open/openStore.ts'
import { eventsNewestFirst } from '../queries/browse.ts'
import { isMetHere } from './planImport.ts'

/** One run of an import. */
export interface MadeImport extends Pick<ImportMark, 'id' | 'origin' | 'location'> {
  readonly at: string
  /** What it added and is still there, without what sessions have met since; how many it changed. */
  readonly memories: readonly Memory[]
  readonly changed: number
}

/** The imports of a project, the latest first. */
export function listImports(store: Store): MadeImport[] {
  const known = openLiveStore(store).memories()
  const imports = new Map<string, { readonly event: ImportEvent; readonly added: Set<MemoryId>; changed: number }>()
  for (const event of eventsNewestFirst(store)) {
    if (event.kind !== 'memory.batch' || event.import === undefined) continue
    const found = imports.get(event.import.id) ?? { event, added: new Set<MemoryId>(), changed: 0 }
    imports.set(event.import.id, found)
    if (event.import.known) found.changed += event.stored.length
    else for (const { id } of event.stored) found.added.add(id)
  }
  return [...imports].map(([id, { event, added, changed }]) => ({
    id,
    origin: event.import?.origin ?? 'import:memctl',
    location: event.import?.location ?? '',
    at: event.at,
    memories: [...added]
      .reverse()
      .flatMap((memory) => known.get(memory) ?? [])
      .filter((memory) => !isKept(event, memory)),
    changed,
  }))
}

type ImportEvent = EventOf<'memory.batch'>

/** A memory of an export names the events of where it was made. */
const isKept = (event: ImportEvent, memory: Memory): boolean =>
  event.import?.origin !== 'import:memctl' && isMetHere(memory)

/** What an undo deletes. */
export interface ImportUndo {
  readonly imports: readonly MadeImport[]
  readonly memories: readonly Memory[]
  /** Statements that these had superseded, and that stand again. */
  readonly restored: readonly MemoryChange[]
}

/** The undo of an import by its id (or its beginning), or of all imports of a source by its name. Throws NOT_FOUND. */
export function planUndo(store: Store, name: string): ImportUndo {
  const all = listImports(store)
  const origin = name.startsWith('import:') ? name : `import:${name}`
  const ofSource = all.filter((each) => each.origin === origin)
  const imports = ofSource.length > 0 ? ofSource : all.filter(({ id }) => id.startsWith(name.toLowerCase()))
  if (imports.length === 0 || (ofSource.length === 0 && imports.length > 1)) {
    throw new MemoryError('NOT_FOUND', `${imports.length === 0 ? 'No' : 'More than one'} import is named "${name}"`, {
      hint: 'Run `memctl import list` for their ids and sources.',
    })
  }
  const memories = [...new Map(imports.flatMap((each) => each.memories).map((memory) => [memory.id, memory])).values()]
  const deleted = new Set<string>(memories.map(({ id }) => id))
  const restored = [...openLiveStore(store).memories().values()].flatMap(({ id, supersededBy }) =>
    supersededBy !== undefined && deleted.has(supersededBy) && !deleted.has(id)
      ? [{ memory: id, supersededBy: null }]
      : [],
  )
  return { imports, memories, restored }
}

/** Deletes what a plan names. The log still has the texts: `memctl forget --origin` erases them. */
export function undoImport(store: Store, { imports, memories, restored }: ImportUndo, now: number): void {
  const key = imports.map(({ id }) => id)
  commitEvents(store, [
    ...(restored.length > 0
      ? [systemEvent({ kind: 'memory.batch', stored: [], changes: restored } as const, { now, key })]
      : []),
    systemEvent({ kind: 'memory.deleted', memories: memories.map(({ id }) => id) } as const, { now, key }),
  ])
}
