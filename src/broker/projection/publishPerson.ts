// Writes what the person said about all their projects to person.json, so that a session in another project reads one
// small file and opens no other store.
import { contradicts, isSameStatement } from '../../knowledge/compareRules.ts'
import type { MemoryId } from '../../model/id.ts'
import type { KnowledgeNote } from '../../model/knowledge.ts'
import type { Memory } from '../../model/memory.ts'
import { compareValues } from '../../model/sorting.ts'
import { writeJsonFile } from '../../store/disk/jsonFile.ts'
import { storeBusyError, withLock } from '../../store/disk/lock.ts'
import { readJsonIfIntact } from '../../store/disk/readJson.ts'
import { isFromTeam } from '../../text/sanitizeText.ts'
import type { Store } from '../open/openStore.ts'
import { type KnowledgeContext, toKnowledgeNote } from './knowledgeFile.ts'
import { findProvisional, withProvisional } from './openSessions.ts'
import { EMPTY_PERSON_FILE, type PersonFile, personFilePath, storeFolderName } from './personFile.ts'
import type { LoadedProjection } from './projection.ts'

/** Entries of one project, the latest first: a start shows fewer. */
const NOTES_MAX = 12

/**
 * Updates this project's part, with what was said in open sessions. If another process does the same for its project
 * now, the next worker does it.
 */
export function publishPersonKnowledge(store: Store, loaded: LoadedProjection): void {
  const memories = withProvisional(loaded.projection.memories, findProvisional(loaded))
  const wanted = memories.select(({ isOfPerson, status }) => isOfPerson && status === 'active')
  // Without a clock, so that the file changes only when somebody says something.
  const context = { now: 0, sessionTimes: [], openSessions: new Set<string>() }
  publish(store, selectNotes(wanted, context))
}

function publish(store: Store, own: readonly KnowledgeNote[]): void {
  const { files, home } = store
  const name = storeFolderName(store)
  if (home === undefined || name === undefined) return
  const before = readOrEmpty(store, home)
  if (JSON.stringify(own) === JSON.stringify(before.projects[name] ?? [])) return
  withLock(files, `${personFilePath(home)}.lock`, () => {
    const { projects } = readOrEmpty(store, home)
    const all = Object.entries({ ...projects, [name]: own })
    const existing = all.filter(([project, memories]) => memories.length > 0 && isStore(store, home, project))
    writePersonFile(files, home, Object.fromEntries(existing))
  })
}

const writePersonFile = (files: Store['files'], home: string, projects: PersonFile['projects']): void =>
  writeJsonFile<PersonFile>(files, personFilePath(home), { projects, superseded: findSuperseded(projects) })

/** Removes a project's part. Returns how many statements it has; with `dryRun` it only counts. Throws STORE_BUSY. */
export function forgetPersonKnowledge({ files, home }: Store, name: string, dryRun: boolean): number {
  if (home === undefined || files.size(personFilePath(home)) === undefined) return 0
  const count = readOrEmpty({ files }, home).projects[name]?.length ?? 0
  if (dryRun || count === 0) return count
  const removed = withLock(files, `${personFilePath(home)}.lock`, () => {
    const { [name]: _, ...kept } = readOrEmpty({ files }, home).projects
    writePersonFile(files, home, kept)
    return count
  })
  if (removed === undefined) throw storeBusyError()
  return removed
}

/** Only what a person has said, of the scope `person`; what a teammate said is for the projects of the team. */
function selectNotes(memories: readonly Memory[], context: KnowledgeContext): KnowledgeNote[] {
  const said = memories.filter(
    (memory) =>
      memory.knowledge?.scope === 'person' &&
      memory.knowledge.author === 'person' &&
      memory.privacy === 'public' &&
      !isFromTeam(memory),
  )
  const latest = said.sort((a, b) => compareValues(b.updated, a.updated) || compareValues(a.id, b.id))
  return latest.slice(0, NOTES_MAX).flatMap((memory) => toKnowledgeNote(memory, context) ?? [])
}

/** The entries of one project that a later one of another project replaces. */
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
