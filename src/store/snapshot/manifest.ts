// The manifest names the files of the current snapshot and the log position it covers. Replacing it commits a snapshot.
import { LOG_START, type LogPosition } from '../log/eventLog.ts'

/**
 * Version of snapshots.
 * 2: rows have a memory's creation time and answer types; all forms of a verb are one term.
 * 3: what memctl knows about a memory is in typed fields, no longer in the user's metadata.
 */
export const STORE_VERSION = 3

/** One segment of memories: `<name>.txt`, `<name>.idx` and the row file named here. */
export interface SegmentEntry {
  readonly name: string
  readonly rows: string
  readonly memories: number
  /** Archived memories are not recalled: no hook opens this segment, only commands do. */
  readonly archive?: true
}

export interface Manifest {
  readonly version: number
  /** Increases by one with every snapshot. */
  readonly generation: number
  readonly cursor: LogPosition
  /** One segment of active memories and one of archived ones; a part without memories has no segment. */
  readonly segments: readonly SegmentEntry[]
  /** When this snapshot was written, ISO 8601. Only for people. */
  readonly written: string
}

export const NO_MANIFEST: Manifest = {
  version: STORE_VERSION,
  generation: 0,
  cursor: LOG_START,
  segments: [],
  written: '',
}
