// The nearest words of an embedder, as far as they have been computed: vectors/neighbours.json. It has hashes only, so
// that what was forgotten from the log cannot be read here. With it and the keyword index a save writes the expansions
// without the embedder.
import type { Files } from '../disk/files.ts'
import { readJson } from '../disk/readJson.ts'
import type { StoreLayout } from '../disk/storeLayout.ts'
import type { WordMatches } from '../index/buildExpansions.ts'
import type { TermHash } from '../index/indexSegment.ts'

export interface NeighbourFile {
  readonly version: number
  /** Id of the embedder whose vectors were compared. */
  readonly model: string
  readonly words: readonly NeighbourWord[]
  /** By memory id: its nearest words, as positions in `words`, with their weights. */
  readonly memories: Readonly<Record<string, readonly Neighbour[]>>
}

export interface NeighbourWord {
  /** Hash of the word. */
  readonly id: string
  readonly keys: readonly TermHash[]
  readonly matches: WordMatches
  readonly near: readonly Neighbour[]
}

/** A position in `words`, and a weight from 0 to 1. */
export type Neighbour = readonly [word: number, weight: number]

const NEIGHBOURS_VERSION = 1

export const NEIGHBOURS_NAME = 'neighbours.json'

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
