// An error with a hint: what is wrong, where, and what to do next. Callers branch on `code`, never on the message.

/** Every code memctl throws. Documented in docs/errors.md; a code never changes its meaning. */
export type ErrorCode =
  | 'USAGE' // wrong arguments or options of a command
  | 'INPUT_INVALID' // a value is out of its range or of the wrong shape
  | 'NOT_ALLOWED' // a tool or an option that is not for the caller
  | 'NOT_CONFIRMED' // a deletion that nobody has confirmed; nothing was deleted
  | 'NOT_FOUND' // an id, a file or a session that is not there
  | 'RECORDING_INVALID' // a line of a recording is not a payload with its time
  | 'SETTINGS_INVALID' // Claude Code's settings.json cannot be read, so it is not written
  | 'POLICY_INVALID' // a policy's YAML breaks its schema
  | 'CONFIG_INVALID' // config.yaml breaks its schema
  | 'STORE_INVALID' // a derived file is damaged: rebuild repairs it
  | 'STORE_NEWER' // written by a newer version of memctl
  | 'STORE_UNWRITABLE' // the folder cannot be written
  | 'STORE_BUSY' // another process holds the lock for derived files
  | 'EMBEDDER_UNAVAILABLE' // no model, no network or no key: keyword recall still works
  | 'MODEL_UNAVAILABLE' // no model, no network, no key or no time: the built-in result stands
  | 'ANSWER_INVALID' // a model's answer is not JSON or breaks its schema
  | 'CANCELLED' // the client of the MCP server, or the signal of a program, cancelled the call
  | 'PAYLOAD_INCOMPLETE' // a hook did not get all of its input in time
  | 'WORKER_ENDED' // a worker took too long, or too much memory
  | 'DATABASE_DRIVER_MISSING' // the package pg is not installed
  | 'DATABASE_UNREACHABLE' // no server at this address, or the connection was lost
  | 'DATABASE_ACCESS' // wrong password, unknown user or database, no right, no encryption
  | 'DATABASE_FULL' // no space, no memory or no free connection on the server
  | 'DATABASE_READ_ONLY' // a copy of the server, or one that is switched to read-only
  | 'DATABASE_TIMEOUT' // a statement or a lock took too long
  | 'DATABASE_VERSION' // the tables are of an older or a newer version of memctl
  | 'DATABASE_ERROR' // any other error of the server
  | 'HUB_CHANGED' // the configured database is another hub than the one that the project joined
  | 'CLIENT_MISSING' // the Claude Code client is not installed

/** What an error says beside its code and its message. */
export interface ErrorDetails {
  /** What to do about it. */
  readonly hint: string
  /** The error behind it. */
  readonly cause?: unknown
}

/** An error that the user can act on. `hint` is required: an error without one does not compile. */
export class MemoryError extends Error {
  /** What is wrong, for programs. */
  readonly code: ErrorCode
  /** What to do about it, for people. */
  readonly hint: string

  /** `message` says what is wrong and where. */
  constructor(code: ErrorCode, message: string, how: ErrorDetails) {
    super(message, how.cause === undefined ? undefined : { cause: how.cause })
    this.name = 'MemoryError'
    this.code = code
    this.hint = how.hint
  }
}

/** What an error says, of any type: JavaScript can throw everything. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
