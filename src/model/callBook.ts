// The book of calls: what a project's earlier sessions tell of a call before it is made. How often its like failed in a way that was known,
// which files are there, and which failures there were.
import type { SessionId } from './id.ts'

/** A failure of an earlier session, as far as it is needed to know its like. */
export interface EarlierFailure {
  /** Claude Code's tool_use_id. */
  readonly call: string
  readonly session: SessionId
  /** Milliseconds since 1970. */
  readonly at: number
  readonly tool: string
  readonly signature: string
  /** Of a command; '' for other tools. */
  readonly family: string
  readonly shape: string
  /** The file or command itself. */
  readonly about: string
  /** The input's words, at most 24. */
  readonly words: readonly string[]
}

export interface CallBook {
  /** By tool, family, shape and command: calls and how many of them failed as one before had, both fading with every call. */
  readonly rates: Readonly<Record<string, readonly [calls: number, failed: number]>>
  /** Files that were there (`src/a.ts`), their folders (`src/`) and their names (`*a.ts`). */
  readonly seen: ReadonlySet<string>
  /** Error signatures, with the session that met each first. */
  readonly signatures: Readonly<Record<string, SessionId>>
  /** Oldest first. */
  readonly failures: readonly EarlierFailure[]
}

export const NO_CALLS: CallBook = { rates: {}, seen: new Set(), signatures: {}, failures: [] }

/** The keys under which a call's like is counted, from the broadest to the call itself. */
export function rateKeys(tool: string, family: string, shape: string, command: string): readonly string[] {
  if (tool !== 'Bash') return ['all', `T:${tool}`]
  return ['all', 'T:Bash', `P:${family.split(' ')[0]}`, `F:${family}`, `B:${shape}`, `X:${command.slice(0, 200)}`]
}

/** How much a count keeps when another call of its key comes. */
export const RATE_KEEPS = 0.985
