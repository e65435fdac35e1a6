// All projects of memctl's home: from the stores themselves, and from the folders that were recorded for them.
import { isAbsolute, resolve } from 'node:path'
import { MemoryError } from '../../model/memoryError.ts'
import { readTailLines } from '../../store/log/eventLog.ts'
import { readLink } from '../../store/project/earlierProject.ts'
import { readPlaces, readRecord, titleOfStore } from '../../store/project/folderEvidence.ts'
import { splitStoreName, storeNameOf } from '../../store/project/project.ts'
import { type Environment, openNamedStore, openStore, type Store } from '../open/openStore.ts'
import { ownStoreName } from '../open/projectTrust.ts'
import { countStored } from '../queries/storeStatus.ts'

export type ProjectSummary = Readonly<ReturnType<typeof summarizeProject>>

const TAIL_BYTES = 65_536

/** The names of all stores with a log. A store that is only a link has none. */
export const listStoreNames = ({ files, home }: Store): string[] =>
  files
    .list(`${home}/projects`)
    .filter((name) => !name.startsWith('.') && files.list(`${home}/projects/${name}/events`).length > 0)

/** All projects, the latest used first. `store` is that of the current folder. */
export function listProjects(store: Store): ProjectSummary[] {
  const all = listStoreNames(store).map((name) => summarizeProject(store, name))
  return all.sort((a, b) => ((a.lastUsed ?? '') < (b.lastUsed ?? '') ? 1 : -1))
}

/** One project, by the name of its store. */
export function summarizeProject(current: Store, name: string) {
  const store = openNamedStore(current, name)
  const { files, layout, project } = store
  const { title, places } = readRecord(files, layout.folder)
  const recorded = places.filter(({ kind }) => kind !== 'part').map(({ folder }) => folder)
  const lastFolder = recorded.length === 0 ? readLastFolder(store) : undefined
  const folders: readonly string[] = [...new Set((lastFolder === undefined ? recorded : [lastFolder]).reverse())]
  return {
    /** What the person calls it: the given name, else that of the store. */
    name: title ?? project.name,
    id: project.id,
    /** The name of its store's folder. */
    store: name,
    /** The folders in which it was used, the latest first. */
    folders,
    /** Whether one of them still exists; true if none is known. */
    exists: folders.length === 0 || folders.some((folder) => files.permissions(folder)?.kind === 'folder'),
    /** Now, without private ones; 0 for a store that cannot be read. */
    memories: countStored(store),
    /** ISO time; null without events. */
    lastUsed: readLastUse(store),
    bytes: sumBytes(files, layout.folder),
    /** The store that is used in place of this one; null without a link. */
    linkedTo: readLink(files, layout.folder) ?? null,
    /** Whether it is the project of the current folder. */
    current: name === storeNameOf(current.project),
  }
}

function readLastUse({ files, layout }: Store): string | null {
  for (const line of readTailLines(files, layout.events, { session: undefined, bytesMax: TAIL_BYTES })) {
    const at = /"at":"([^"]+)"/.exec(line.toString('utf8'))?.[1]
    if (at !== undefined) return at
  }
  return null
}

/** For stores of earlier versions, which have no record of folders. */
function readLastFolder({ files, layout }: Store): string | undefined {
  const query = { session: undefined, bytesMax: TAIL_BYTES * 16, kinds: ['session.started'] as const }
  for (const line of readTailLines(files, layout.events, query)) {
    const cwd = /"cwd":("(?:[^"\\]|\\.)*")/.exec(line.toString('utf8'))?.[1]
    if (cwd !== undefined) return JSON.parse(cwd) as string
  }
  return undefined
}

function sumBytes(files: Store['files'], path: string): number {
  if (files.permissions(path)?.kind !== 'folder') return files.size(path) ?? 0
  return files.list(path).reduce((sum, name) => sum + sumBytes(files, `${path}/${name}`), 0)
}

// Finds the project that a person means: by its name, the beginning of its id, or a folder.

/** Choices that an error names, at most. */
const CHOICES_MAX = 5

/** What a person typed, and where. */
export interface ProjectQuery {
  readonly word: string
  readonly cwd: string
  readonly env: Environment
  /** `own`: a folder means its own project, also if it uses the memory of another one by a link. */
  readonly which?: 'own'
  /** Whether the project of a folder may have no memory yet. */
  readonly mayBeEmpty?: boolean
}

/** The name of the store of that project. Throws NOT_FOUND if there is none, or more than one. */
export function selectProject(store: Store, query: ProjectQuery): string {
  const { word } = query
  const names = listStoreNames(store)
  const isPath = word === '.' || word === '..' || isAbsolute(word) || /[\\/]/.test(word)
  const found = isPath ? findByFolder(store, names, query) : findByName(store, names, word)
  const [first] = found
  if (first !== undefined && found.length === 1) return first
  if (first === undefined) {
    throw new MemoryError('NOT_FOUND', `No project with a memory is known as ${word}`, {
      hint: 'Run `memctl project list`, and give a name, the beginning of an id, or a folder.',
    })
  }
  const more = found.length > CHOICES_MAX ? ', …' : ''
  const choices = found.slice(0, CHOICES_MAX).join(', ') + more
  throw new MemoryError('NOT_FOUND', `${found.length} projects are known as ${word}: ${choices}`, {
    hint: 'Give one of these names.',
  })
}

/** The first of these that finds any: the store's name, the title, the name without the id, the id's beginning. */
function findByName(store: Store, names: readonly string[], word: string): string[] {
  const tests: readonly ((name: string) => boolean)[] = [
    (name) => name === word,
    (name) => titleOfStore(store.files, store.home, name) === word || splitStoreName(name).name === word,
    (name) => word !== '' && splitStoreName(name).id.startsWith(word.toLowerCase()),
  ]
  for (const test of tests) {
    const found = names.filter(test)
    if (found.length > 0) return found
  }
  return []
}

/**
 * The project that the folder has now. Only of a folder that is gone, the projects that were used there: in one that
 * exists, they went elsewhere.
 */
function findByFolder({ files, home }: Store, names: readonly string[], query: ProjectQuery): string[] {
  const { project } = openStore(resolve(query.cwd, query.word), query.env)
  const current = query.which === 'own' ? ownStoreName(project) : storeNameOf(project)
  if (names.includes(current)) return [current]
  if (files.permissions(project.root)?.kind !== 'folder') {
    const places = home === undefined ? {} : readPlaces(files, home)
    return names.filter((name) => places[name]?.places.some(({ folder }) => folder === project.root))
  }
  if (query.mayBeEmpty) return [current]
  throw new MemoryError('NOT_FOUND', `${current}, the project of ${query.word}, has no memory of its own`, {
    hint: 'Run `memctl project list` to see the projects that have one.',
  })
}
