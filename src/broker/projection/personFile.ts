// person.json in memctl's home: what the person said about every project, as each project's worker found it. Apart from
// the code that writes it, which hooks do not need in their bundles.
import type { MemoryId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import { readJson } from '../../store/disk/readJson.ts'
import type { Store } from '../open/openStore.ts'

export interface PersonFile {
  /** Standing instructions of the scope `person`, by the name of the project's store folder. */
  readonly projects: Readonly<Record<string, readonly Memory[]>>
  /** Those of one project that a later one of another project replaces. */
  readonly superseded: readonly MemoryId[]
}

export const EMPTY_PERSON_FILE: PersonFile = { projects: {}, superseded: [] }

export const personFilePath = (home: string): string => `${home}/person.json`

/** The name of a project's store folder in memctl's home; undefined for a store elsewhere. */
export function storeFolderName({ home, layout }: Store): string | undefined {
  const projects = `${home}/projects/`
  return home !== undefined && layout.folder.startsWith(projects) ? layout.folder.slice(projects.length) : undefined
}

/** These memories of a project, with what the person said in other projects. A damaged file counts as missing. */
export function addPersonStatements(store: Store, own: readonly Memory[]): readonly Memory[] {
  const name = storeFolderName(store)
  if (store.home === undefined || name === undefined) return own
  // Most persons have none: this check takes some microseconds, a failed read more.
  if (store.files.size(personFilePath(store.home)) === undefined) return own
  const { projects, superseded } = readPersonFile(store, store.home)
  const others = Object.entries(projects).flatMap(([project, memories]) => (project === name ? [] : memories))
  if (others.length === 0) return own
  const known = new Set([...superseded, ...own.map(({ id }) => id)])
  return [
    ...own.filter(({ id }) => !superseded.includes(id)),
    ...others.filter(({ id }, i) => !known.has(id) && others.findIndex((other) => other.id === id) === i),
  ]
}

function readPersonFile({ files }: Store, home: string): PersonFile {
  try {
    return readJson<PersonFile>(files, personFilePath(home)) ?? EMPTY_PERSON_FILE
  } catch {
    return EMPTY_PERSON_FILE // The next worker replaces it.
  }
}
