// What detectors ask of a session's calls: what came next, what a call printed, whether its failure was hidden.
import type { CallResult } from '../../model/event.ts'

/** The next `count` calls of the same agent after `calls[index]`. */
export function nextCalls(calls: readonly CallResult[], index: number, count: number): readonly CallResult[] {
  const agent = calls[index]?.agentId
  const next: CallResult[] = []
  for (let i = index + 1; i < calls.length && next.length < count; i++) {
    const call = calls[i]
    if (call !== undefined && call.agentId === agent) next.push(call)
  }
  return next
}

/** What the call printed: its output, or its error. */
export const callText = (call: CallResult): string => (call.kind === 'call.failed' ? call.error : call.output)

/** A person or the client stopped it, or it failed with its neighbour: its error says nothing about the project. */
export const isRefusedCall = (call: CallResult): boolean =>
  call.kind === 'call.failed' && (call.interrupted || REFUSED.test(call.error))

const REFUSED = new RegExp(
  [
    "user doesn't want to|tool use was rejected|sibling tool call errored|request interrupted|requested permissions",
    "permission to use|has been denied|has not been read yet|aborted by (?:the )?user|hook error|haven't granted",
  ].join('|'),
  'i',
)
