// person.json in memctl's home: what the person said about all their projects, as each project's worker found it. Apart
// from the code that writes it, which hooks do not need in their bundles.
import { forbidsOther } from '../../knowledge/compareRules.ts'
import type { MemoryId } from '../../model/id.ts'
import { type KnowledgeNote, REQUEST_WORTH } from '../../model/knowledge.ts'
import { compareValues } from '../../model/sorting.ts'
import { readJsonAgain, readJsonIfIntact } from '../../store/disk/readJson.ts'
import type { Store } from '../open/openStore.ts'

export interface PersonFile {
  /** Entries of the scope `person`, by the name of the project's store folder. */
  readonly projects: Readonly<Record<string, readonly KnowledgeNote[]>>
  /** Those of one project that a later one of another project replaces. */
  readonly superseded: readonly MemoryId[]
  /** For each project, when an entry was superseded there, ISO: it ends what was said before in other projects. */
  readonly ended?: Readonly<Record<string, Readonly<Record<MemoryId, string>>>> | undefined
}

export const EMPTY_PERSON_FILE: PersonFile = { projects: {}, superseded: [] }

export const personFilePath = (home: string): string => `${home}/person.json`

/** The name of a project's store folder in memctl's home; undefined for a store elsewhere. */
export function storeFolderName({ home, layout }: Store): string | undefined {
  const projects = `${home}/projects/`
  return home !== undefined && layout.folder.startsWith(projects) ? layout.folder.slice(projects.length) : undefined
}

/**
 * These entries of a project, with what the person said in other projects, unless they said the opposite for this one.
 * A damaged file counts as missing.
 */
export function addPersonNotes(store: Store, own: readonly KnowledgeNote[]): readonly KnowledgeNote[] {
  const name = storeFolderName(store)
  if (store.home === undefined || name === undefined) return own
  const file = readJsonIfIntact<PersonFile>(store.files, personFilePath(store.home), readJsonAgain)
  const { projects, superseded, ended = {} } = file ?? EMPTY_PERSON_FILE
  const isEnded = ({ id, lastMet }: KnowledgeNote): boolean =>
    Object.values(ended).some((times) => (times[id] ?? '') > lastMet)
  const others = Object.entries(projects).flatMap(([project, notes]) =>
    project === name ? [] : notes.filter((note) => !isEnded(note)),
  )
  const known = new Set([...superseded, ...own.map(({ id }) => id)])
  const said = own.filter(({ id, voice }) => voice === 'said' && !superseded.includes(id))
  const added = others.filter(
    (note, i) =>
      // Earlier versions wrote whole memories.
      note.voice !== undefined &&
      !known.has(note.id) &&
      others.findIndex((other) => other.id === note.id) === i &&
      !said.some((rule) => forbidsOther(rule, note)),
  )
  const kept = own.filter(({ id }) => !superseded.includes(id))
  return added.length === 0 ? own : addNewestFirst(kept, added)
}

/** These notes with others, each before those that are older and no more asked for. */
export function addNewestFirst(known: readonly KnowledgeNote[], added: readonly KnowledgeNote[]): KnowledgeNote[] {
  const notes = [...known]
  for (const note of [...added].sort((a, b) => compareValues(a.lastMet, b.lastMet))) {
    const at = notes.findIndex((other) => {
      const order = startLevel(note) - startLevel(other)
      return order > 0 || (order === 0 && note.lastMet >= other.lastMet)
    })
    notes.splice(at === -1 ? notes.length : at, 0, note)
  }
  return notes
}

/** The order of a start: what is first there, what was asked for, what was said or understood, the rest. */
const startLevel = ({ worth, voice }: KnowledgeNote): number =>
  worth >= REQUEST_WORTH ? worth : +(voice === 'said' || voice === 'wanted')
