// Records the payloads of one transcript as the hooks would have: the same event, with its novelty and its repeats. It
// appends nothing and recalls nothing. Secrets are removed by both passes, before anything is stored.
import type { Event, EventKind } from '../../model/event.ts'
import type { ImportanceWeights } from '../../model/importance.ts'
import { RECENT_TAIL_BYTES } from '../../model/limits.ts'
import { getTextField } from '../../record/hookPayload.ts'
import { NOVELTY_EVENTS_MAX } from '../../record/initialImportance.ts'
import { recordPayload } from '../../record/recordPayload.ts'
import { redactStoredEvent } from '../../record/redact/secondPass.ts'
import { detectUserSignals } from '../../text/intent/userSignals.ts'
import type { TimedPayload } from './convertTranscript.ts'

/** What imported events have as their origin. */
export const TRANSCRIPT_ORIGIN = 'import:transcript'

/** With which of the session's latest events the hook of an event compares it. */
const COMPARED_KINDS: Readonly<Record<string, readonly EventKind[]>> = {
  UserPromptSubmit: ['prompt'],
  PostToolUse: ['call.succeeded', 'call.failed'],
  PostToolUseFailure: ['call.failed'],
}

/** Earlier calls of the same input or command that are compared, at most. */
const SAME_CALLS_MAX = 8

interface RecorderOptions {
  /** The root of the project. */
  readonly root: string
  readonly weights: ImportanceWeights
}

/** Records the payloads of one session, one after the other. */
export class TranscriptRecorder {
  readonly #options: RecorderOptions
  /** The session's latest events that others are compared with, oldest first, and the bytes of their lines. */
  readonly #recent: { readonly event: Event; readonly bytes: number }[] = []
  #recentBytes = 0

  constructor(options: RecorderOptions) {
    this.#options = options
  }

  /** The event of a payload; undefined for what hooks do not record. */
  record({ at, payload }: TimedPayload): Event | undefined {
    const kinds = COMPARED_KINDS[payload.hook_event_name] ?? []
    const recorded = recordPayload(payload, {
      now: at,
      root: this.#options.root,
      branch: getTextField(payload, 'git_branch'),
      recent: (event) => this.#findCompared(event, kinds),
      weights: this.#options.weights,
      detectSignals: payload.hook_event_name === 'UserPromptSubmit' ? detectUserSignals : undefined,
    })
    if (!recorded) return undefined
    const event = redactStoredEvent({ ...recorded, origin: TRANSCRIPT_ORIGIN })
    this.#keep(event)
    return event
  }

  /** As hooks read them from the log's tail: the newest of the first kind, and calls of the same input or command. */
  #findCompared(event: Event, kinds: readonly EventKind[]): Event[] {
    const found: Event[] = []
    let newestLeft = NOVELTY_EVENTS_MAX + 1
    let sameLeft = 'input' in event ? SAME_CALLS_MAX : 0
    for (const { event: other } of this.#recent.toReversed()) {
      if (newestLeft <= 0 && sameLeft <= 0) break
      if (!kinds.includes(other.kind)) continue
      if (newestLeft <= 0) {
        if (!isSameCall(event, other)) continue
        sameLeft--
      }
      found.push(other)
      if (other.kind === kinds[0]) newestLeft--
    }
    return found.reverse()
  }

  #keep(event: Event): void {
    const bytes = Buffer.byteLength(JSON.stringify(event))
    this.#recentBytes += bytes
    this.#recent.push({ event, bytes })
    while (this.#recentBytes > RECENT_TAIL_BYTES) this.#recentBytes -= this.#recent.shift()?.bytes ?? 0
  }
}

function isSameCall(event: Event, other: Event): boolean {
  if (!('input' in event) || !('input' in other)) return false
  if (event.commandShape !== undefined && event.commandShape === other.commandShape) return true
  return JSON.stringify(event.input) === JSON.stringify(other.input)
}
