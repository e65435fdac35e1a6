// An operation as a row of hub_operations, and back. The payload is what the operation says; a forgotten one has none.
import type { Operation } from '../../team/operation.ts'

interface OperationRow {
  readonly position: string | number
  readonly id: string
  readonly replica: string
  readonly n: string | number
  readonly at: string
  readonly kind: string
  readonly memory: string
  /** Any JSON. */
  readonly payload: unknown
}

/** A row of a page of operations. */
export interface PageRow extends OperationRow {
  /** Rows that there were for this page; fewer come if they are long. */
  readonly found: string | number
}

/** Milliseconds and counter of a hybrid time; the replica behind them has a column of its own. */
const TIME_CHARS = 19

/** The hybrid time without the operation's own replica: 37 bytes less per row. */
export const shortenTime = ({ at, replica }: Pick<Operation, 'at' | 'replica'>): string =>
  at.length > TIME_CHARS && at.slice(TIME_CHARS + 1) === replica ? at.slice(0, TIME_CHARS) : at

/** What the columns of the row do not say. */
export function payloadOf(operation: Operation): string {
  const { id: _id, replica: _replica, n: _n, at: _at, memory: _memory, kind: _kind, ...payload } = operation
  return JSON.stringify(payload)
}

/** Checked by whoever reads it (src/team/checkOperation.ts): a hub is another program's data. Never throws. */
export function toOperation(row: OperationRow): Operation {
  const { id, replica, kind, memory, payload } = row
  const at = row.at.length === TIME_CHARS ? `${row.at}-${replica}` : row.at
  // A text or a list would become an object with a key per character or item.
  const said = typeof payload === 'object' && !Array.isArray(payload) ? payload : {}
  return { ...said, id, replica, n: Number(row.n), at, memory, kind } as Operation
}
