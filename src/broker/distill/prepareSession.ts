// What is sent about a session: the digest of what the model has not read yet, and the request around it.
import { buildModelRequest, type ModelRequest } from '../../distill/instructions.ts'
import { buildSessionDigest, type SessionDigest } from '../../distill/sessionDigest.ts'
import type { Event } from '../../model/event.ts'
import type { SessionId } from '../../model/id.ts'
import { removePrivateParts } from '../../record/redact/privateTags.ts'
import { redactThoroughly } from '../../record/redact/secondPass.ts'
import type { Store } from '../open/openStore.ts'
import { readUndistilledEvents } from './dueSessions.ts'

export interface PreparedSession {
  readonly session: SessionId
  /** The events that the digest was made of, and no others. */
  readonly events: readonly Event[]
  readonly digest: SessionDigest
  readonly request: ModelRequest
}

/** Undefined if there is nothing to read: the person said nothing, or the model has read it. */
export function prepareSession(store: Store, session: SessionId, tokensMax: number): PreparedSession | undefined {
  const events = readUndistilledEvents(store, session)
  const digest = buildSessionDigest(events, { redact: removeSecrets, tokensMax })
  return digest && { session, events, digest, request: buildModelRequest(digest) }
}

/** The events were cleaned when they were recorded. A later version of memctl may know more kinds of secrets. */
const removeSecrets = (text: string): string => redactThoroughly(removePrivateParts(text))
