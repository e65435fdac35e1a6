// Writes what the person said about all their projects to person.json, so that a session in another project reads one
// small file and opens no other store.
import { contradicts, isSameStatement } from '../../knowledge/compareRules.ts'
import type { MemoryId } from '../../model/id.ts'
import { FIRST_WORTH, type KnowledgeNote } from '../../model/knowledge.ts'
import type { Memory } from '../../model/memory.ts'
import { compareValues } from '../../model/sorting.ts'
import { writeJsonFile } from '../../store/disk/jsonFile.ts'
import { withLockOrThrow, withLockWaiting } from '../../store/disk/lock.ts'
import { readJsonIfIntact } from '../../store/disk/readJson.ts'
import { isFromTeam } from '../../text/sanitizeText.ts'
import type { Store } from '../open/openStore.ts'
import { toKnowledgeNote } from './knowledgeFile.ts'
import { findProvisional, withProvisional } from './openSessions.ts'
import { EMPTY_PERSON_FILE, type PersonFile, personFilePath, storeFolderName } from './personFile.ts'
import type { LoadedProjection } from './projection.ts'

/** Entries of one project, those that are first at a start and then the latest: a start shows fewer. */
const NOTES_MAX = 12

/** How long to wait for another project that writes the file, in milliseconds. */
const LOCK_WAIT_MS = 500

/**
 * Updates this project's part, with what was said in open sessions. If another process keeps the lock, the next worker
 * does it.
 */
export function publishPersonKnowledge(store: Store, loaded: LoadedProjection): void {
  const memories = withProvisional(loaded.projection.memories, findProvisional(loaded))
  const wanted = memories.select(
    ({ isOfPerson, isSuperseded, status }) => isOfPerson && (isSuperseded || status === 'active'),
  )
  const ended = wanted.filter((memory) => memory.supersededBy !== undefined && isForAllProjects(memory))
  publish(store, selectNotes(wanted), Object.fromEntries(ended.map(({ id, updated }) => [id, updated])))
}

function publish(store: Store, own: readonly KnowledgeNote[], ownEnded: Readonly<Record<MemoryId, string>>): void {
  const { files, home } = store
  const name = storeFolderName(store)
  if (home === undefined || name === undefined) return
  const before = readOrEmpty(store, home)
  const isSame = (now: object, then: object | undefined): boolean => JSON.stringify(now) === JSON.stringify(then)
  if (isSame(own, before.projects[name] ?? []) && isSame(ownEnded, before.ended?.[name] ?? {})) return
  withLockWaiting(files, `${personFilePath(home)}.lock`, LOCK_WAIT_MS, () => {
    const { projects, ended } = readOrEmpty(store, home)
    const existing = <T extends object>(parts: Readonly<Record<string, T>>): Record<string, T> =>
      Object.fromEntries(
        Object.entries(parts).filter(
          ([project, part]) => Object.keys(part).length > 0 && isStore(store, home, project),
        ),
      )
    writePersonFile(files, home, {
      projects: existing({ ...projects, [name]: own }),
      ended: existing({ ...ended, [name]: ownEnded }),
    })
  })
}

const writePersonFile = (files: Store['files'], home: string, { projects, ended }: Omit<PersonFile, 'superseded'>) =>
  writeJsonFile<PersonFile>(files, personFilePath(home), { projects, superseded: findSuperseded(projects), ended })

/** Removes a project's part. Returns how many statements it has; with `dryRun` it only counts. Throws STORE_BUSY. */
export function forgetPersonKnowledge({ files, home }: Store, name: string, dryRun: boolean): number {
  if (home === undefined || files.size(personFilePath(home)) === undefined) return 0
  const before = readOrEmpty({ files }, home)
  const count = before.projects[name]?.length ?? 0
  if (dryRun || (count === 0 && before.ended?.[name] === undefined)) return count
  withLockOrThrow(files, `${personFilePath(home)}.lock`, () => {
    const { projects, ended = {} } = readOrEmpty({ files }, home)
    const without = <T>({ [name]: _, ...kept }: Readonly<Record<string, T>>): Record<string, T> => kept
    writePersonFile(files, home, { projects: without(projects), ended: without(ended) })
  })
  return count
}

/** Only what a person has said, of the scope `person`; what a teammate said is for the projects of the team. */
function selectNotes(memories: readonly Memory[]): KnowledgeNote[] {
  const context = { sessionTimes: [], openSessions: new Set<string>() }
  const said = memories.filter((memory) => memory.status === 'active' && isForAllProjects(memory))
  const latest = said.sort((a, b) => compareValues(b.updated, a.updated) || compareValues(a.id, b.id))
  const notes = latest.flatMap((memory) => toKnowledgeNote(memory, context) ?? [])
  return notes.sort((a, b) => +(b.worth === FIRST_WORTH) - +(a.worth === FIRST_WORTH)).slice(0, NOTES_MAX)
}

const isForAllProjects = (memory: Memory): boolean =>
  memory.knowledge?.scope === 'person' &&
  memory.knowledge.author === 'person' &&
  memory.privacy === 'public' &&
  !isFromTeam(memory)

function findSuperseded(projects: PersonFile['projects']): MemoryId[] {
  const all = Object.entries(projects).flatMap(([project, notes]) => notes.map((note) => ({ project, note })))
  return all.flatMap(({ project, note }) => {
    const later = all.some(
      (other) =>
        other.project !== project &&
        other.note.id !== note.id &&
        other.note.lastMet > note.lastMet &&
        (isSameStatement(other.note, note) || contradicts(other.note, note)),
    )
    return later ? [note.id] : []
  })
}

const isStore = ({ files }: Store, home: string, project: string): boolean =>
  files.size(`${home}/projects/${project}/manifest.json`) !== undefined

const readOrEmpty = ({ files }: Pick<Store, 'files'>, home: string): PersonFile =>
  readJsonIfIntact(files, personFilePath(home)) ?? EMPTY_PERSON_FILE
