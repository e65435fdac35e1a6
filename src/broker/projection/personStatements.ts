// Writes what the person said about every project to person.json, so that a session in another project reads one small
// file and opens no other store.
import type { MemoryId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import { canBeInjected } from '../../model/statement.ts'
import { isReplacedBy } from '../../organize/supersededStatements.ts'
import { writeJsonFile } from '../../store/disk/jsonFile.ts'
import { acquireLock, storeBusyError } from '../../store/disk/lock.ts'
import { readJson } from '../../store/disk/readJson.ts'
import { isFromTeam } from '../../text/teamText.ts'
import type { Store } from '../open/openStore.ts'
import { EMPTY_PERSON_FILE, type PersonFile, personFilePath, storeFolderName } from './personFile.ts'
import { findProvisional } from './provisionalMemories.ts'
import type { LoadedProjection } from './saveMemories.ts'

/** Statements of one project, the latest first: a start shows fewer. */
const STATEMENTS_MAX = 12

/** Only a standing instruction is passed on to other projects. */
const STRENGTH_MIN = 3

/**
 * Updates this project's part, with what was said in open sessions. If another process does the same for its project
 * now, the next worker does it.
 */
export function publishPersonStatements(store: Store, loaded: LoadedProjection): void {
  const provisional = findProvisional(loaded)
  const known = loaded.projection.memories.listStatements().filter(({ id }) => !provisional.has(id))
  publishStatements(store, [...known, ...[...provisional.values()].filter(isCurrentStatement)])
}

/** Said by a person, neither archived nor superseded. */
const isCurrentStatement = ({ statement, status }: Memory): boolean =>
  status === 'active' && statement !== undefined && statement.origin !== 'assistant'

function publishStatements(store: Store, statements: readonly Memory[]): void {
  const { files, home } = store
  const name = storeFolderName(store)
  if (home === undefined || name === undefined) return
  const own = selectStatements(store, statements)
  const before = readOrEmpty(store, home)
  if (JSON.stringify(own) === JSON.stringify(before.projects[name] ?? [])) return
  const lock = acquireLock(files, `${personFilePath(home)}.lock`)
  if (!lock) return
  try {
    const { projects } = readOrEmpty(store, home)
    const all = Object.entries({ ...projects, [name]: own })
    const existing = all.filter(([project, memories]) => memories.length > 0 && isStore(store, home, project))
    const kept = Object.fromEntries(existing)
    writeJsonFile<PersonFile>(files, personFilePath(home), { projects: kept, superseded: findSuperseded(kept) })
  } finally {
    lock.release()
  }
}

/** Removes a project's part. Returns how many statements it has; with `dryRun` it only counts. Throws STORE_BUSY. */
export function forgetPersonStatements({ files, home }: Store, name: string, dryRun: boolean): number {
  if (home === undefined || files.size(personFilePath(home)) === undefined) return 0
  const count = readOrEmpty({ files }, home).projects[name]?.length ?? 0
  if (dryRun || count === 0) return count
  const lock = acquireLock(files, `${personFilePath(home)}.lock`)
  if (!lock) throw storeBusyError()
  try {
    const { [name]: _, ...kept } = readOrEmpty({ files }, home).projects
    writeJsonFile<PersonFile>(files, personFilePath(home), { projects: kept, superseded: findSuperseded(kept) })
  } finally {
    lock.release()
  }
  return count
}

function selectStatements({ project }: Store, statements: readonly Memory[]): Memory[] {
  const standing = statements.filter((memory) => {
    const { statement, privacy } = memory
    // What a teammate said is for the projects of the team.
    if (statement?.scope !== 'person' || privacy !== 'public' || isFromTeam(memory)) return false
    return canBeInjected(statement) && statement.strength >= STRENGTH_MIN
  })
  const latest = standing.sort((a, b) =>
    a.updated < b.updated ? 1 : a.updated > b.updated ? -1 : a.id < b.id ? -1 : 1,
  )
  // Without what belongs to that project alone.
  return latest.slice(0, STATEMENTS_MAX).map((memory) => ({
    ...memory,
    files: [],
    branch: undefined,
    taskId: undefined,
    metadata: {},
    events: [],
    originProject: project.id,
  }))
}

/** The statements of one project that a later one of another project replaces. */
function findSuperseded(projects: PersonFile['projects']): MemoryId[] {
  const all = Object.entries(projects).flatMap(([project, memories]) => memories.map((memory) => ({ project, memory })))
  return all.flatMap(({ project, memory }) => {
    const later = all.some(
      (other) =>
        other.project !== project &&
        other.memory.id !== memory.id &&
        other.memory.updated > memory.updated &&
        isReplacedBy(memory, other.memory),
    )
    return later ? [memory.id] : []
  })
}

const isStore = ({ files }: Store, home: string, project: string): boolean =>
  files.size(`${home}/projects/${project}/manifest.json`) !== undefined

function readOrEmpty({ files }: Pick<Store, 'files'>, home: string): PersonFile {
  try {
    return readJson<PersonFile>(files, personFilePath(home)) ?? EMPTY_PERSON_FILE
  } catch {
    return EMPTY_PERSON_FILE // A damaged file is replaced.
  }
}
