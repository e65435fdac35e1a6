// The manifest names the files of the current snapshot and the log position it covers. Replacing it commits a snapshot.
import type { SessionId } from '../../model/id.ts'
import type { Steps } from '../../model/longCall.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { Files } from '../disk/files.ts'
import { checksum } from '../disk/jsonFile.ts'
import { LOG_START, type LogPosition } from '../log/eventLog.ts'
import type { LogChain } from '../log/logChain.ts'

/**
 * Version of snapshots.
 * 2: rows have a memory's creation time and answer types; all forms of a verb are one term.
 * 3: what memctl knows about a memory is in typed fields, no longer in the user's metadata.
 */
export const STORE_VERSION = 3

/** One segment of memories: `<name>.txt`, `<name>.idx` and the files named here. */
export interface SegmentEntry {
  readonly name: string
  readonly rows: string
  /** Rows of a large segment that have changed since that file was written: memoryRow.ts. Absent if there are none. */
  readonly patch?: string | undefined
  /** Number of rows. */
  readonly memories: number
  /** Rows that are out of date: these memories are in a later segment, or deleted. Absent if there are none. */
  readonly removed?: readonly number[] | undefined
  /** Its expansions: what a query means beside what it says. Absent in stores of earlier versions. */
  readonly expansions?: string | undefined
  /** Archived memories are not recalled: no hook opens this segment, only commands do. */
  readonly archive?: true
  /** Checksums of its files. Absent in stores of earlier versions. */
  readonly sums?: SegmentSums | undefined
}

/** CRC-32 of each file of a segment. */
export interface SegmentSums {
  readonly text: number
  readonly index: number
  readonly rows: number
  readonly patch?: number | undefined
  readonly expansions?: number | undefined
}

/**
 * What changed since the snapshot was written, and what open sessions have learned: one small segment more. It is
 * written anew each time. Without it a reader has the snapshot, which is older and complete.
 */
export interface RecentSegment extends Omit<SegmentEntry, 'archive'> {
  /** The log position that it covers. */
  readonly cursor: LogPosition
  /**
   * Rows of active memories that are out of date: these memories are in this segment, or deleted. The rows are counted
   * through all segments of active memories.
   */
  readonly replaced: readonly number[]
  /** Size of the text file, so that a truncated one is noticed without reading it. */
  readonly textBytes: number
}

export interface Manifest {
  readonly version: number
  /** Increases by one with every snapshot. */
  readonly generation: number
  readonly cursor: LogPosition
  /** The active memories and the archived ones, each in the order in which their segments were written. */
  readonly segments: readonly SegmentEntry[]
  /** Absent if there is nothing newer, and in snapshots of earlier versions. */
  readonly recent?: RecentSegment | undefined
  /** The sessions that have not ended, as far as the snapshot knows. */
  readonly open?: readonly SessionId[] | undefined
  /** When the main thread of each recent session was last compacted, ISO; only of sessions that were. */
  readonly compacted?: Readonly<Record<SessionId, string>> | undefined
  /** Checksums of the log up to `coveredPosition`. Absent in snapshots of earlier versions. */
  readonly log?: LogChain | undefined
  /** Logs that did not belong to this store and were moved away: paths in the store's folder, oldest first. */
  readonly aside?: readonly string[] | undefined
  /** When this snapshot was written, ISO 8601. Only for people. */
  readonly written: string
}

/** The log position that a reader of the snapshot and its recent segment sees. */
export const coveredPosition = ({ cursor, recent }: Manifest): LogPosition => recent?.cursor ?? cursor

/** The number of active memories that a reader of the snapshot and its recent segment sees, private ones included. */
export function countActive({ segments, recent }: Manifest): number {
  const active = segments.filter(({ archive }) => !archive)
  const saved = active.reduce((sum, { memories, removed = [] }) => sum + memories - removed.length, 0)
  return saved + (recent ? recent.memories - recent.replaced.length : 0)
}

export const NO_MANIFEST: Manifest = {
  version: STORE_VERSION,
  generation: 0,
  cursor: LOG_START,
  segments: [],
  written: '',
}

// Checksums of the files of a segment, which the manifest has. Whoever reads a segment as a whole verifies them; hooks,
// which read parts, do not.

/** The files of a segment with their checksums; undefined for those of earlier versions. */
const listSums = ({ name, rows, patch, expansions, sums }: SegmentEntry): [file: string, sum: number | undefined][] => [
  [`${name}.txt`, sums?.text],
  [`${name}.idx`, sums?.index],
  [rows, sums?.rows],
  ...(patch === undefined ? [] : [[patch, sums?.patch] as [string, number | undefined]]),
  ...(expansions === undefined ? [] : [[expansions, sums?.expansions] as [string, number | undefined]]),
]

/** The names of the segment's files that differ from their checksums. A missing one counts as empty. */
export const findChangedSegmentFiles = (files: Files, folder: string, entry: SegmentEntry): string[] =>
  listSums(entry).flatMap(([file, sum]) =>
    sum === undefined || checksum(files.read(`${folder}/${file}`) ?? Buffer.alloc(0)) === sum ? [] : [file],
  )

/** Bytes that are read at once. */
const WINDOW_BYTES = 1_048_576

/**
 * Throws STORE_INVALID if a file of the segment is not as it was written; with `onlyRows` it reads no others. Without
 * its expansions it is complete.
 */
export function* assertSegmentUnchanged(
  files: Files,
  folder: string,
  entry: SegmentEntry,
  onlyRows = false,
): Steps<void> {
  for (const [name, expected] of listSums(entry)) {
    const isRows = name === entry.rows || name === entry.patch
    if (expected === undefined || name === entry.expansions || (onlyRows && !isRows)) continue
    const file = files.open(`${folder}/${name}`)
    try {
      let sum = 0
      for (let at = 0; file && at < file.size; at += WINDOW_BYTES) {
        sum = checksum(file.readAt(at, WINDOW_BYTES), sum)
        yield
      }
      if (sum !== expected) throw changedFileError(`${folder}/${name}`)
    } finally {
      file?.close()
    }
  }
}

/** Says that a file of a snapshot is damaged. */
export const changedFileError = (file: string): MemoryError =>
  new MemoryError('STORE_INVALID', `${file} is not as it was written`, {
    hint: 'Run `memctl rebuild`: it rewrites the snapshot from the log, nothing is lost.',
  })
