// The manifest: which files make the current view, and how far in the log it reaches. Replaced whole: the view's commit.
import type { LogPosition } from '../log/eventLog.ts'
import { LOG_START } from '../log/eventLog.ts'

/**
 * 2: rows tell when a memory was made and what kinds of things it says; words of one verb are one term.
 * 3: what memctl knows of a memory has typed fields, and is no longer in the user's metadata.
 */
export const STORE_VERSION = 3

/** One segment of memories: `<name>.txt`, `<name>.idx` and the row file named here. */
export interface SegmentEntry {
  readonly name: string
  readonly rows: string
  readonly memories: number
  /** Archived memories: out of recall, so no hook opens it; commands do. */
  readonly archive?: true
}

export interface Manifest {
  readonly version: number
  /** Counts up with every view written. */
  readonly generation: number
  readonly cursor: LogPosition
  /** Oldest first. A memory found in two segments stands in the later one; its row in the earlier says it is gone. */
  readonly segments: readonly SegmentEntry[]
  /** When this view was written, ISO; for people. */
  readonly written: string
}

export const NO_MANIFEST: Manifest = {
  version: STORE_VERSION,
  generation: 0,
  cursor: LOG_START,
  segments: [],
  written: '',
}
