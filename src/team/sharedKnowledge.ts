// Knowledge as it is shared: the text of its author, without what a machine counts or observes. Operations of earlier
// versions have a lesson, a fact or a statement instead; they are read as knowledge.
import type { MemoryId } from '../model/id.ts'
import {
  FRAGMENT_CHARS_MAX,
  FRAGMENTS_MAX,
  KNOWLEDGE_CHARS_MAX,
  KNOWLEDGE_SCOPES,
  KNOWLEDGE_STATES,
  KNOWLEDGE_TYPES,
  type KnownWay,
  TRIGGER_MOMENTS,
  TRIGGERS_MAX,
  type Trigger,
} from '../model/knowledge.ts'
import { newMemory } from '../model/memory.ts'
import { AMOUNT_MAX } from '../model/strength.ts'
import {
  type LegacyFact,
  type LegacyFields,
  type LegacyLesson,
  type LegacyStatement,
  type LegacyStep,
  upgradeKnowledge,
} from '../text/upgradeKnowledge.ts'
import {
  InvalidField,
  isoTimeText,
  list,
  name,
  number,
  object,
  oneOf,
  optional,
  prose,
  type Reader,
  whole,
} from './fieldReaders.ts'
import type { SharedFields, SharedKnowledge } from './operation.ts'

/** Whether an entry is proposed or standing follows from the sessions of all; what replaced it is an operation. */
const state: Reader<SharedKnowledge['state']> = (value, mode) =>
  oneOf(KNOWLEDGE_STATES)(value, mode) === 'retired' ? 'retired' : 'standing'

/** Ways of a failure, the best first; a machine counts fewer. */
const WAYS_MAX = 8

/** Triggers of earlier versions have longer and more fragments; without one of them a trigger would mean more. */
const fragments = list(name(5 * FRAGMENT_CHARS_MAX), 4 * FRAGMENTS_MAX)

const triggers = list(
  object<Trigger>({
    at: oneOf(TRIGGER_MOMENTS),
    tool: optional(name(400)),
    has: optional(fragments),
    unless: optional(fragments),
    signature: optional(name(600)),
  }),
  TRIGGERS_MAX,
)

const count = whole(AMOUNT_MAX)

const way = object<KnownWay>({
  way: prose(KNOWLEDGE_CHARS_MAX),
  line: prose(KNOWLEDGE_CHARS_MAX),
  when: triggers,
  sessions: count,
  sessionsMin: oneOf([1, 2] as const),
  last: isoTimeText,
})

export const readSharedKnowledge: Reader<SharedKnowledge> = object<SharedKnowledge>({
  type: oneOf(KNOWLEDGE_TYPES),
  scope: oneOf(KNOWLEDGE_SCOPES),
  state,
  line: prose(KNOWLEDGE_CHARS_MAX),
  quote: optional(prose(800)),
  asked: optional(oneOf([true] as const)),
  reason: optional(prose(800)),
  when: triggers,
  expected: optional(number(0, 1)),
  ways: optional(list(way, WAYS_MAX)),
})

/** The fields of any version. */
export type AnyFields = SharedFields & LegacyFields

/** The fields with knowledge in place of the old ones, the same as a machine upgrades its own memory. */
export function upgradeSharedFields(fields: AnyFields): SharedFields {
  const { lesson, fact, statement, ...rest } = fields
  if (lesson === undefined && fact === undefined && statement === undefined) return fields
  if (rest.knowledge !== undefined) return rest
  const memory = newMemory({ ...rest, id: NO_ID, knowledge: undefined })
  const { knowledge, searchOnly } = upgradeKnowledge({ ...memory, lesson, fact, statement })
  return {
    ...rest,
    ...(searchOnly && { searchOnly }),
    ...(knowledge && { knowledge: readSharedKnowledge(knowledge, { clips: true }) }),
  }
}

const NO_ID = '' as MemoryId

/** What another version wrote is no reason to refuse the memory. */
const lenient =
  <Value>(reader: Reader<Value>): Reader<Value | undefined> =>
  (value, mode) => {
    try {
      return optional(reader)(value, mode)
    } catch (error) {
      if (error instanceof InvalidField) return undefined
      throw error
    }
  }

const texts = list(name(400), 20)

export const readLegacyLesson = lenient(
  object<LegacyLesson>({
    command: optional(prose(400)),
    error: prose(600),
    fix: optional(
      object<NonNullable<LegacyLesson['fix']>>({
        kind: oneOf(['steps', 'instead', 'again'] as const),
        steps: list(object<LegacyStep>({ kind: oneOf(['edit', 'command'] as const), what: prose(400) }), 20),
      }),
    ),
    lastMet: optional(isoTimeText),
    failures: optional(count),
  }),
)

export const readLegacyFact = lenient(
  object<LegacyFact>({
    topic: name(40),
    claim: prose(600),
    remedies: list(object<LegacyFact['remedies'][number]>({ text: prose(600) }), 8),
    state: oneOf(['proposed', 'standing', 'retired'] as const),
    failures: count,
    lastMet: isoTimeText,
    triggers: list(
      object<LegacyFact['triggers'][number]>({
        tools: optional(texts),
        paths: optional(texts),
        command: optional(name(400)),
        parts: optional(texts),
        errors: optional(texts),
        code: optional(texts),
      }),
      16,
    ),
  }),
)

export const readLegacyStatement = lenient(
  object<Omit<LegacyStatement, 'supersededBy'>>({
    type: oneOf(KNOWLEDGE_TYPES),
    scope: oneOf(['person', 'project', 'branch', 'file'] as const),
    strength: oneOf([1, 2, 3] as const),
    origin: name(40),
    short: prose(800),
    reason: optional(prose(800)),
  }),
)
