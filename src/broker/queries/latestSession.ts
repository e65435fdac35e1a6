// The session that wrote last to the log: the one a person means without naming one.
import type { SessionId } from '../../model/id.ts'
import { readTailLines } from '../../store/log/eventLog.ts'
import { decodeUnverified } from '../../store/log/logLine.ts'
import type { Store } from '../open/openStore.ts'

/** How much of the log is read, from its end. */
const TAIL_BYTES = 4_194_304

/** Events that only the client's hooks write: those of memctl and its tools belong to no conversation. */
const KINDS = ['session.started', 'prompt', 'recalled', 'session.ended'] as const

/** Undefined if no hook has recorded anything there. */
export function findLatestSession({ files, layout }: Store): SessionId | undefined {
  for (const line of readTailLines(files, layout.events, { session: undefined, bytesMax: TAIL_BYTES, kinds: KINDS })) {
    const event = decodeUnverified(line)
    if (event && (KINDS as readonly string[]).includes(event.kind)) return event.session
  }
  return undefined
}
