// Keeping entries: saving, reading and deleting them by their keys. A save is a file written whole, then taken up.
import type { Entry, EntryLayer } from '../../entries/entry.ts'
import { type EntryDir, isSessionDirName, ownEntryDir } from '../../entries/entryDirs.ts'
import { entryFileName } from '../../entries/entryFileName.ts'
import { findKeyProblem, formatEntry, isInvalidEntry, parseEntry } from '../../entries/entryFormat.ts'
import { entrySourceOf } from '../../entries/entrySource.ts'
import { listEntryFiles } from '../../entries/mtimeCache.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { entryMemoryId } from '../../text/entryMemoryId.ts'
import { sanitize } from '../commands/newMemory.ts'
import type { LiveStore } from '../live/liveStore.ts'
import type { Store } from '../open/openStore.ts'
import { entryLabel, isInsideProject } from './entryPaths.ts'
import type { EntryWriter } from './entryWriter.ts'
import { entryFilePath, syncEntries } from './syncEntries.ts'

/** Whose entries: a layer's, or one session's of the project. */
export interface EntryScope {
  readonly layer: EntryLayer
  readonly session?: string | undefined
}

interface EntryInput {
  readonly key: string
  readonly content: string
  /** Those it has stay where left out; a new one has none. */
  readonly tags?: readonly string[] | undefined
  /** When it was first made, where that was in another place. */
  readonly createdAt?: string | undefined
  /** The file it comes from: what of its front matter is not ours comes along. */
  readonly frontMatterFrom?: string | undefined
}

/** The layer's active entries, by key; a project's with those of its sessions, unless one is named. */
export function listEntries(liveStore: LiveStore, { layer, session }: EntryScope): Memory[] {
  const found = [...liveStore.memories().values()].filter((memory) => {
    const mark = memory.status === 'active' ? memory.entrySource : undefined
    return mark?.layer === layer && (session === undefined || mark.session === session)
  })
  return found.sort((a, b) => compare(entrySourceOf(a).key, entrySourceOf(b).key))
}

/** The active entry of a key; without a session the project's own, else the one of a session that was made first. */
export function findEntry(liveStore: LiveStore, { layer, session }: EntryScope, key: string): Memory | undefined {
  const wanted = key.normalize('NFC')
  const own = liveStore.memories().get(entryMemoryId(layer, session, wanted))
  if (own?.status === 'active' && own.entrySource) return own
  return session === undefined
    ? listEntries(liveStore, { layer }).find((one) => entrySourceOf(one).key === wanted)
    : undefined
}

/** Saves an entry under its key, a new one or in the place of the one there is. Throws INPUT_INVALID. */
export function saveEntry(writer: EntryWriter, scope: EntryScope, saving: EntryInput): Memory {
  const { liveStore, now } = writer
  const { createdAt, frontMatterFrom, ...said } = saving
  const { key, content, tags } = wellFormed(sanitize({ ...said, key: said.key.normalize('NFC') }))
  assertEntryScope(scope)
  const fault = findKeyProblem(key)
  if (fault) throw new MemoryError('INPUT_INVALID', `The key ${fault}`, { hint: 'Use a short name of one line.' })
  const id = entryMemoryId(scope.layer, scope.session, key)
  const memory = liveStore.memories().get(id)
  const known = memory?.status === 'active' ? memory : undefined
  const dir = ownEntryDir(liveStore.store, scope.layer, scope.session)
  const { path, before } = fileFor(liveStore.store, dir, key, known)
  assertInsideProject(liveStore.store, dir, path)
  const mark = known?.entrySource
  const at = new Date(now).toISOString()
  const entry: Entry = {
    ...{ key, content, tags: tags ?? known?.tags ?? [] },
    ...{ createdAt: mark?.created_at ?? known?.created ?? createdAt ?? at, updatedAt: at },
  }
  liveStore.store.files.replace(path, Buffer.from(formatEntry(entry, before ?? frontMatterFrom, sanitize)))
  syncEntries(writer, path)
  return liveStore.memories().get(id)!
}

/** Where an entry is written, and what stands there. A file that cannot be read is not written over. */
function fileFor(
  store: Store,
  dir: EntryDir,
  key: string,
  known: Memory | undefined,
): { path: string; before?: string } {
  const at = known && entryFilePath(store, known)
  if (at?.startsWith(`${dir.folder}/`)) return { path: at, ...beforeIn(store, at) }
  for (const apart of [false, true]) {
    const path = `${dir.folder}/${entryFileName(key, apart)}`
    const before = store.files.read(path)?.toString('utf8')
    if (before === undefined) return { path }
    const read = parseEntry(before, path, key)
    if (isInvalidEntry(read)) throw unreadable(path, read)
    if (read.key === key) return { path, before }
  }
  throw new MemoryError('INPUT_INVALID', `The files of ${key} hold entries of other keys`, {
    hint: `Look into ${dir.folder}, and give them the names of their keys.`,
  })
}

function beforeIn(store: Store, path: string): { before?: string } {
  const before = store.files.read(path)?.toString('utf8')
  if (before === undefined) return {}
  const read = parseEntry(before, path, '')
  if (isInvalidEntry(read)) throw unreadable(path, read)
  return { before }
}

const unreadable = (path: string, { line, what, hint }: { line: number; what: string; hint: string }): MemoryError =>
  new MemoryError('INPUT_INVALID', `${path}, line ${line}: ${what}. It is left as it is`, { hint })

/** Deletes an entry, not to the archive: its file and its memory. Says whether there was one. */
export function deleteEntry(writer: EntryWriter, scope: EntryScope, key: string): boolean {
  const { liveStore } = writer
  const wanted = key.normalize('NFC')
  const memory = liveStore.memories().get(entryMemoryId(scope.layer, scope.session, wanted))
  if (memory?.status !== 'active') return false
  const { files } = liveStore.store
  // Of the same key in another program's folder too: else that one would stand in its place at once.
  for (const file of listEntryFiles(liveStore.store)) {
    const { dir, path, name } = file
    if (dir.layer !== scope.layer || dir.session !== scope.session) continue
    if (entryLabel(file) !== entrySourceOf(memory).file) {
      if (dir.isOwn) continue
      const read = parseEntry(files.read(path)?.toString('utf8') ?? '', path, name.slice(0, -'.md'.length))
      if (isInvalidEntry(read) || read.key !== wanted) continue
    }
    files.remove(path)
  }
  writer.commit({ kind: 'memory.deleted', memories: [memory.id] })
  syncEntries(writer)
  return true
}

/** Throws INPUT_INVALID for a session whose name cannot be a folder's. */
export function assertEntryScope({ session }: EntryScope): void {
  if (session === undefined || isSessionDirName(session)) return
  throw new MemoryError('INPUT_INVALID', `session_id cannot name a folder: ${JSON.stringify(session)}`, {
    hint: 'Use letters, digits, - and _.',
  })
}

/** Throws INPUT_INVALID where a link leads out of the project. */
export function assertInsideProject(store: Store, dir: EntryDir, path: string): void {
  if (isInsideProject(store, dir, path)) return
  throw new MemoryError('INPUT_INVALID', `${path} leads out of the project by a link`, {
    hint: `Make ${dir.label} a folder of the project.`,
  })
}

/** Half a character of two units has no place in a file. */
function wellFormed(saving: EntryInput): EntryInput {
  const whole = (text: string): string => text.replace(/\p{Cs}/gu, '\ufffd')
  return { ...saving, content: whole(saving.content), ...(saving.tags && { tags: saving.tags.map(whole) }) }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
