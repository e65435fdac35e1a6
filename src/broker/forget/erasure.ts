// What is to be erased, and what an erasure changes or would change. A preview and the erasure itself report the same.
import type { EventKind } from '../../model/event.ts'
import type { MemoryId } from '../../model/id.ts'
import type { MemoryKind } from '../../model/memory.ts'
import type { ErasedFile } from '../../store/log/eraseLog.ts'

/** What to erase: memories and a session, by their ids or the beginnings of them, and a text. */
export interface ErasureRequest {
  readonly memories?: readonly string[]
  readonly session?: string
  /** With all its copies: shortened, escaped and encoded ones too. */
  readonly text?: string
  /** Also in the entry files of this project, which belong to its repository. */
  readonly entries?: boolean
}

export interface ErasureOptions {
  /** Milliseconds since 1970. */
  readonly now: number
  /** Only report what would be erased. */
  readonly dryRun?: boolean
}

/** removed: as a whole. redacted: the text in it is replaced by asterisks. */
export type ErasureAction = 'removed' | 'redacted'

export interface ErasedEvent {
  /** The folder of the store in memctl's home; the log's file in it. */
  readonly store: string
  readonly file: string
  readonly kind: EventKind
  readonly at: string
  readonly session: string
  readonly action: ErasureAction
  /** The text around what is erased, 100 characters at most; empty for what is private. */
  readonly text: string
}

export interface ErasedMemory {
  readonly store: string
  readonly id: MemoryId
  readonly kind: MemoryKind
  /** redacted: its text changes, because some of its events are erased. */
  readonly action: ErasureAction
  /** Its beginning, 100 characters at most; empty for what is private. */
  readonly text: string
}

/** A file beside the logs. */
export interface ErasedOtherFile {
  readonly file: string
  readonly action: ErasureAction
}

/** A file of a log, with the store that it belongs to. */
export interface ErasedLogFile extends ErasedFile {
  readonly store: string
}

export interface ErasureResult {
  readonly dryRun: boolean
  /** Numbers of events. */
  readonly removed: number
  readonly redacted: number
  readonly files: readonly ErasedLogFile[]
  /** The first 200. */
  readonly events: readonly ErasedEvent[]
  readonly memories: readonly ErasedMemory[]
  /** Damaged parts of logs, faults, temporary files, and entries for all projects. */
  readonly otherFiles: readonly ErasedOtherFile[]
  /** Entry files of this project; they are only changed if the request says so. */
  readonly entries: readonly ErasedOtherFile[]
  /** Files that still contain it, such as a config that the person wrote; of a preview: that would contain it. */
  readonly left: readonly string[]
}
