// Before a call only what would change the call: a lesson whose command this is, with a step that must come first or
// another command that works; and notes that are surely about the file.
import type { RecallQuery } from '../model/recallQuery.ts'
import { type SessionCallHistory, wouldChangeCall } from './callBlocking.ts'
import type { RecallCandidate } from './recallCandidate.ts'
import type { RecallFocus } from './recallFocus.ts'

interface CallText {
  /** The complete command; empty for a tool without a command. */
  readonly command: string
  /** What this session has done. Called only for a lesson about the command. */
  readonly history: () => SessionCallHistory
  /** The least score of a note that is no lesson about the command. */
  readonly scoreMin: number
}

/** A command in common is evidence of this relevance. */
const COMMAND_RELEVANCE = 0.5

export function focusOnCall<Candidate extends RecallCandidate>(
  candidates: readonly Candidate[],
  query: RecallQuery,
  { command, history, scoreMin }: CallText,
): RecallFocus<Candidate> {
  let read: SessionCallHistory | undefined
  const readOnce = (): SessionCallHistory => {
    read ??= history()
    return read
  }
  return {
    candidates: candidates.filter(
      ({ memory, match }) => memory.kind !== 'lesson' || (query.commandShape !== undefined && match.command > 0),
    ),
    isWorth: (memory, score) =>
      memory.lesson === undefined ? score >= scoreMin : wouldChangeCall(memory, command, readOnce),
    limits: { relevanceMin: COMMAND_RELEVANCE },
  }
}
