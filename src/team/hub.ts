// The hub: the database that keeps the operations of a team's machines, in one order per project.
import type { Memory } from '../model/memory.ts'
import type { Operation } from './operation.ts'

/** The epoch of a project whose hub was never restored from a backup. */
export const FIRST_EPOCH = '00000000-0000-0000-0000-000000000000'

/** Every method fails with a MemoryError that has a code and a hint. */
export interface Hub {
  /** `hub` is the UUID of the database's hub, `version` that of its tables. */
  describe(): Promise<HubDescription>

  /** The highest `n` that the hub has of this replica; 0 for none. */
  lastPushed(project: string, replica: string): Promise<number>

  /**
   * Stores operations in order, all or none of them. One that is there already is skipped. A `forget` also erases the
   * payloads of the memory's operations, earlier and later ones. `newEpoch`, a random UUID, becomes the project's epoch
   * with them.
   */
  push(project: string, operations: readonly Operation[], newEpoch?: string): Promise<HubPush>

  /**
   * At most `limit` operations after a position, oldest first, in the order of their commits without gaps. `through` is
   * the position after the last, or `after` if there are none. Of a forgotten memory only the `forget` comes.
   */
  pull(project: string, after: number, limit: number): Promise<HubBatch>

  /** Memories of the project by words, and by a vector where the hub has vectors; the best first. */
  search?(project: string, query: HubQuery): Promise<readonly HubFinding[]>

  close(): Promise<void>
}

export interface HubDescription {
  readonly hub: string
  readonly version: number
  readonly canWrite: boolean
}

export interface HubPush {
  readonly stored: number
  readonly skipped: number
  readonly epoch: string
}

export interface HubBatch {
  readonly operations: readonly Operation[]
  readonly through: number
  readonly more: boolean
  /** A UUID. Positions of another epoch are those of the hub before it was restored from a backup. */
  readonly epoch: string
  /** The project's last position: lower than `after` only if the hub was restored. */
  readonly last: number
}

export interface HubQuery {
  readonly terms: readonly string[]
  readonly vector?: readonly number[] | undefined
  readonly limit: number
}

/** A memory that a search on the hub found, as the team sees it. */
export interface HubFinding {
  readonly memory: Memory
  /** Higher is better; comparable within one answer only. */
  readonly score: number
}
