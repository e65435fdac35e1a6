// The nearest words of an embedder, as far as they have been computed: vectors/neighbours.json. It has hashes only, so
// that what was forgotten from the log cannot be read here. With it and the keyword index a save writes the expansions
// without the embedder.
import type { Files } from '../disk/files.ts'
import { writeJsonFile } from '../disk/jsonFile.ts'
import { readJson } from '../disk/readJson.ts'
import type { StoreLayout } from '../disk/storeLayout.ts'
import type { WordMatches } from '../index/documentFinder.ts'
import type { TermHash } from '../index/indexSegment.ts'

export interface NeighbourFile {
  readonly version: number
  /** Id of the embedder whose vectors were compared. */
  readonly model: string
  /** The similarity above which two words are related, and a word and a memory. */
  readonly floors: { readonly word: number; readonly memory: number }
  /** Oldest first. */
  readonly words: readonly NeighbourWord[]
  /** Positions in `words` of the words of the project, in the order in which they were first seen. */
  readonly targets: readonly number[]
  /** By memory id. */
  readonly memories: Readonly<Record<string, MemoryNeighbours>>
}

export interface NeighbourWord {
  /** Hash of the word. */
  readonly id: string
  readonly keys: readonly TermHash[]
  readonly matches: WordMatches
  /** Its nearest targets, best first. */
  readonly near: readonly Neighbour[]
  /** How many targets it was compared with. */
  readonly compared: number
}

export interface MemoryNeighbours {
  /** Hash of the text that its vector was made from. */
  readonly key: string
  /** The number of words it was compared with. */
  readonly compared: number
  /** Its nearest words. */
  readonly near: readonly Neighbour[]
}

/** A position in `words`, and a similarity. */
export type Neighbour = readonly [word: number, similarity: number]

const NEIGHBOURS_VERSION = 1

export const NEIGHBOURS_NAME = 'neighbours.json'

/** The vectors of all words, and the index of the project's words. */
export const VOCABULARY_NAME = 'vocabulary'
export const TARGETS_NAME = 'targets'

const fileOf = (layout: StoreLayout): string => `${layout.vectors}/${NEIGHBOURS_NAME}`

/** The neighbours; undefined if there are none, or their file is damaged. */
export function readNeighbours(files: Files, layout: StoreLayout): NeighbourFile | undefined {
  try {
    const file = readJson<NeighbourFile>(files, fileOf(layout))
    return file?.version === NEIGHBOURS_VERSION ? file : undefined
  } catch {
    return undefined // They are computed again after a session.
  }
}

export function writeNeighbours(files: Files, layout: StoreLayout, file: Omit<NeighbourFile, 'version'>): void {
  writeJsonFile(files, fileOf(layout), { version: NEIGHBOURS_VERSION, ...file })
}
