// Stamps: when each entry's file was written, as it was last taken up. By them a session's start sees whether anything has changed,
// without reading any entry.
import type { MemoryId } from '../model/id.ts'
import { readJson } from '../store/jsonRead.ts'
import { basesOf, hasBase, type Owner, type Place, placesOf } from './places.ts'

/** Stands for when a file was written that may be written again in the same tick of the disk's clock: it is read anew. */
export const UNSURE = -1

/** By a file's path: when it was written, in milliseconds since 1970, and the memory it is. */
export type Stamps = Readonly<Record<string, readonly [written: number, memory: MemoryId]>>

export interface EntryFile {
  readonly place: Place
  readonly name: string
  readonly path: string
  readonly written: number
}

interface StampedOwner extends Owner {
  readonly layout: { readonly folder: string; readonly entries: string }
}

/** Every entry's file there is, ours before the others. */
export function entryFiles(owner: Owner): EntryFile[] {
  const { files } = owner
  return placesOf(owner).flatMap((place) =>
    files.list(place.folder).flatMap((name) => {
      if (!name.endsWith('.md') || name[0] === '.') return []
      const path = `${place.folder}/${name}`
      const written = files.written(path)
      return written === undefined ? [] : [{ place, name, path, written }]
    }),
  )
}

/** The stamps kept; none where there are none, or where they cannot be read: then all is looked at anew. */
export function stampsOf({ files, layout }: StampedOwner): Stamps {
  if (files.size(layout.entries) === undefined) return {}
  try {
    return readJson<Stamps>(files, layout.entries) ?? {}
  } catch {
    return {}
  }
}

/** Which of these memories a file says no more, or says otherwise since. What was taken up from no file here is not among them. */
export function outdatedAmong(owner: StampedOwner, ids: ReadonlySet<MemoryId>): ReadonlySet<MemoryId> {
  const current = new Set<MemoryId>()
  const outdated = new Set<MemoryId>()
  const stamps = ids.size > 0 ? stampsOf(owner) : {}
  for (const path in stamps) {
    const [written, id] = stamps[path]!
    if (!ids.has(id)) continue
    const now = owner.files.written(path)
    if (now !== undefined && (now === written || written === UNSURE)) current.add(id)
    else outdated.add(id)
  }
  for (const id of current) outdated.delete(id)
  return outdated
}

/** Whether a file has come, gone or been written since all were taken up. */
export function haveChanged(owner: StampedOwner): boolean {
  if (!mayHaveEntries(owner)) return false
  const files = entryFiles(owner)
  const stamps = stampsOf(owner)
  if (files.some(({ path, written }) => stamps[path]?.[0] !== written)) return true
  const paths = Object.keys(stamps)
  if (paths.length === files.length) return false
  // A work tree's files are no matter of another one of the same project.
  const bases = basesOf(owner)
  const there = new Set(files.map(({ path }) => path))
  return paths.some((path) => !there.has(path) && bases.some((base) => path.startsWith(base)))
}

/** Whether there is a folder that entries could lie in, or were some. Asked of most projects, where there is none: five questions to the disk. */
const mayHaveEntries = (owner: StampedOwner): boolean =>
  owner.files.size(owner.layout.entries) !== undefined || hasBase(owner)

/** Whether there are entries, or were when they were last taken up. */
export const hasEntries = (owner: StampedOwner): boolean =>
  owner.files.size(owner.layout.entries) !== undefined || (hasBase(owner) && entryFiles(owner).length > 0)
