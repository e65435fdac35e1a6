// What one session shows of a project fact. Detectors find sightings; `updateFacts` adds them up over sessions.
import type { CallResult, Event } from '../../model/event.ts'
import type { FactTopic, FactTrigger, NameCounts, ProjectFact } from '../../model/fact.ts'
import type { EventId } from '../../model/id.ts'
import type { SessionTask } from '../../model/sessionTask.ts'

export interface SessionEvidence {
  readonly session: string
  readonly branch?: string | undefined
  readonly events: readonly Event[]
  readonly tasks: readonly SessionTask[]
  /** The role whose agents may see all of this; '' or absent: everyone may. */
  readonly audience?: string | undefined
  /** The calls that ended, of all agents, in order. */
  readonly calls: readonly CallResult[]
}

export interface FactSighting {
  readonly topic: FactTopic
  /** Identifies the fact over sessions: the same key is the same fact. Without session, times or line numbers. */
  readonly key: string
  /** One sentence without the remedy and without a full stop. */
  readonly claim: string
  /** Of a fact whose claim depends on all sessions: the claim from their triggers, counts and number. */
  readonly toClaim?: ((triggers: readonly FactTrigger[], counts: NameCounts, sessions: number) => string) | undefined
  /** Names that are counted over sessions, each once. */
  readonly countedNames?: readonly string[] | undefined
  /** One clause in the imperative, lower case, without a full stop; undefined if this session found none. */
  readonly remedy?: string | undefined
  readonly triggers: readonly FactTrigger[]
  /** Paths inside the repository that it is about. */
  readonly files?: readonly string[] | undefined
  /** Failed calls in this session that it explains. */
  readonly failures: number
  /** When it was last met in this session, ISO. */
  readonly at: string
  readonly events: readonly EventId[]
  readonly routine?: ProjectFact['routine']
}

/** Finds the facts that a session shows. Pure. */
export type FactDetector = (evidence: SessionEvidence) => readonly FactSighting[]
