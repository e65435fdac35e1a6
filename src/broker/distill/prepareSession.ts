// What is sent about a session: the digest of what the model has not read yet, and the entries that fit it.
import { buildModelRequest, type ModelRequest } from '../../distill/instructions.ts'
import { type KnownEntry, selectKnown } from '../../distill/knownEntries.ts'
import { buildSessionDigest, type SessionDigest } from '../../distill/sessionDigest.ts'
import type { Event } from '../../model/event.ts'
import type { SessionId } from '../../model/id.ts'
import type { MemoryMap } from '../../model/memory.ts'
import { removePrivateParts } from '../../record/redact/privateTags.ts'
import { redactThoroughly } from '../../record/redact/secondPass.ts'
import type { Store } from '../open/openStore.ts'
import { applyLogTail } from '../projection/applyLogTail.ts'
import { loadProjection } from '../projection/projectionFiles.ts'
import { readUndistilledEvents } from './dueSessions.ts'

export interface PreparedSession {
  readonly session: SessionId
  /** The events that the digest was made of, and no others. */
  readonly events: readonly Event[]
  readonly digest: SessionDigest
  /** The entries that the request shows. */
  readonly known: readonly KnownEntry[]
  readonly request: ModelRequest
}

/** Undefined if there is nothing to read: the person said nothing, or the model has read it. */
export function prepareSession(store: Store, session: SessionId, tokensMax: number): PreparedSession | undefined {
  const events = readUndistilledEvents(store, session)
  const digest = buildSessionDigest(events, { redact: removeSecrets, tokensMax })
  if (!digest) return undefined
  const known = selectKnown(readCommittedMemories(store).values(), events, digest.text)
  return { session, events, digest, known, request: buildModelRequest(digest, known) }
}

/** The memories of the log, without what open sessions would keep if they ended now. */
export function readCommittedMemories(store: Store): MemoryMap {
  const loaded = loadProjection(store)
  applyLogTail(store, loaded)
  return loaded.projection.memories
}

/** The events were cleaned when they were recorded. A later version of memctl may know more kinds of secrets. */
const removeSecrets = (text: string): string => redactThoroughly(removePrivateParts(text))
