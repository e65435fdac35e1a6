// What a replay teaches: at a session's end, how far the earlier sessions that its prompt's recall pointed to had edited what it edited
// afterwards. Revealed there, and so known only to sessions that begin later. Or something worse, to see what noise does.

import { eventOf, visitTo } from '../../src/broker/hook/visit.ts'
import type { Recorded } from '../../src/broker/replay.ts'
import type { Store } from '../../src/broker/store.ts'
import { type Chance, seeded } from '../../src/cli/bench/seededRandom.ts'
import type { MemoryId, SessionId } from '../../src/model/id.ts'
import { agreedBy, logUnshown, logVerdict, type Unshown } from './logFeedback.ts'
import type { Pointed } from './rankSessions.ts'

/** What is told of help: what was, another session's, nothing, or what was with a share of all verdicts turned round. */
export type Feedback =
  | { readonly kind: 'real' | 'shuffled' | 'none' }
  | { readonly kind: 'flipped'; readonly share: number }

export interface Teacher {
  /** A session was asked what its prompt points to; nobody is shown it. */
  asked(session: SessionId, pointed: readonly Pointed[], now: number): void
  /** Told of every payload. */
  saw(recorded: Recorded): void
  /** Its last payload has come. */
  ended(session: SessionId, now: number): void
}

const EDITING = new Set(['Edit', 'MultiEdit', 'Write'])

export function teacherOf(store: Store, feedback: Feedback, seed: number): Teacher {
  const chance = seeded(seed)
  const recalls = new Map<SessionId, { recall: Unshown; pointed: readonly Pointed[]; earlier: readonly SessionId[] }>()
  const edits = new Map<SessionId, Set<string>>()
  const over: SessionId[] = []
  return {
    asked(session, pointed, now) {
      if (feedback.kind === 'none' || pointed.length === 0) return
      recalls.set(session, { recall: logUnshown(store, session, pointed, now), pointed, earlier: [...over] })
    },
    saw({ at, payload }) {
      const tool = payload['tool_name']
      if (payload.hook_event_name !== 'PostToolUse' || typeof tool !== 'string' || !EDITING.has(tool)) return
      const event = eventOf(payload, visitTo(store, at))
      if (event?.kind !== 'call.succeeded') return
      const known = edits.get(event.session) ?? new Set()
      for (const file of event.files) known.add(file)
      edits.set(event.session, known)
    },
    ended(session, now) {
      over.push(session)
      const asked = recalls.get(session)
      if (!asked) return
      const told = feedback.kind === 'shuffled' ? chance.one(over) : session
      const earlier = new Map(asked.earlier.map((one) => [one, edits.get(one) ?? new Set<string>()]))
      const help = new Map<MemoryId, number>()
      for (const [memory, agreed] of agreedBy(asked.pointed, edits.get(told) ?? new Set(), earlier)) {
        const share = flipped(agreed, feedback, chance)
        if (share > 0) help.set(memory, share)
      }
      logVerdict(store, asked.recall, help, now)
    },
  }
}

function flipped(share: number, feedback: Feedback, chance: Chance): number {
  return feedback.kind === 'flipped' && chance.next() < feedback.share ? 1 - share : share
}
