// The fields of a memory that are shared: which, how long, and how they are cleaned. The same readers take them from
// one's own memory and from an operation of another machine, so what one machine sends the others read unchanged.
import {
  FACT_STATES,
  FACT_TOPICS,
  type FactRemedy,
  type FactState,
  type FactTrigger,
  type Routine,
  type RoutineForm,
} from '../model/fact.ts'
import type { FixCandidate, LessonFix, LessonStep } from '../model/lesson.ts'
import { CONTENT_TYPES, MEMORY_KINDS, MEMORY_SCOPES, MEMORY_SOURCES, OUTCOMES, TRUST_LEVELS } from '../model/memory.ts'
import { AMOUNT_MAX } from '../model/memoryNumbers.ts'
import { PROVENANCES } from '../model/provenance.ts'
import { STATEMENT_ORIGINS, STATEMENT_SCOPES, STATEMENT_TYPES } from '../model/statement.ts'
import {
  isoTimeText,
  list,
  name,
  number,
  object,
  oneOf,
  optional,
  prose,
  type Reader,
  record,
  whole,
} from './fieldReaders.ts'
import type { SharedCounts, SharedFact, SharedFields, SharedLesson, SharedStatement } from './operation.ts'

const count = whole(AMOUNT_MAX)
const names = (max: number) => list(name(300), max)

const step = object<LessonStep>({
  kind: oneOf(['edit', 'command'] as const),
  what: prose(400),
  detail: optional(prose(400)),
})

const fix = object<LessonFix>({
  kind: oneOf(['steps', 'instead', 'again'] as const),
  steps: list(step, 20),
  isGuess: optional(oneOf([true] as const)),
})

const lesson = object<SharedLesson>({
  command: optional(prose(400)),
  target: optional(prose(400)),
  error: prose(600),
  fix: optional(fix),
  candidates: optional(
    list(object<Omit<FixCandidate, 'lastSession' | 'lastAgentId'>>({ fix, sessions: count, last: isoTimeText }), 8),
  ),
  lastMet: optional(isoTimeText),
  subject: optional(prose(400)),
  failedAttempts: list(step, 20),
  failures: optional(count),
  costMs: number(0, Number.MAX_SAFE_INTEGER),
  falseAlarms: count,
})

/** Whether it stands follows from the sessions of all machines together (visibleMemory.ts). */
const factState: Reader<FactState> = (value, mode) =>
  oneOf(FACT_STATES)(value, mode) === 'retired' ? 'retired' : 'proposed'

const fact = object<SharedFact>({
  topic: oneOf(FACT_TOPICS),
  claim: prose(600),
  remedies: list(object<FactRemedy>({ text: prose(600), sessions: count, last: isoTimeText }), 8),
  state: factState,
  failures: count,
  lastMet: isoTimeText,
  refutations: count,
  triggers: list(
    object<FactTrigger>({
      tools: optional(names(20)),
      paths: optional(names(20)),
      command: optional(name(400)),
      parts: optional(names(20)),
      errors: optional(names(20)),
      code: optional(names(20)),
    }),
    16,
  ),
  routine: optional(
    object<Routine>({
      purpose: prose(60),
      medianMs: number(0, Number.MAX_SAFE_INTEGER),
      passed: number(0, 1),
      runs: optional(count),
      timesMs: optional(list(number(0, Number.MAX_SAFE_INTEGER), 30)),
      forms: optional(list(object<RoutineForm>({ text: prose(400), sessions: count }), 12)),
    }),
  ),
  counts: optional(record(count, 300, 300)),
})

const statement = object<SharedStatement>({
  type: oneOf(STATEMENT_TYPES),
  scope: oneOf(STATEMENT_SCOPES),
  strength: oneOf([1, 2, 3] as const),
  origin: oneOf(STATEMENT_ORIGINS),
  short: prose(800),
  subject: names(60),
  reason: optional(prose(800)),
})

/** The shared part of a memory, or of what another machine sent as such. Throws InvalidField. */
export const readSharedFields: Reader<SharedFields> = object<SharedFields>({
  kind: oneOf(MEMORY_KINDS),
  content: prose(8_000),
  lessons: list(prose(1_000), 20),
  tags: list(prose(100), 50),
  files: names(50),
  commandShape: optional(name(400)),
  errorSignature: optional(name(600)),
  branch: optional(name(200)),
  outcome: oneOf(OUTCOMES),
  scope: oneOf(MEMORY_SCOPES),
  scopeDomain: optional(name(200)),
  role: name(200),
  trust: oneOf(TRUST_LEVELS),
  provenance: optional(oneOf(PROVENANCES)),
  contentType: oneOf(CONTENT_TYPES),
  source: oneOf(MEMORY_SOURCES),
  created: isoTimeText,
  updated: isoTimeText,
  expires: optional(isoTimeText),
  learnings: record(prose(1_000), 20, 200),
  searchOnly: optional(oneOf([true] as const)),
  privacy: oneOf(['agent-only', 'public'] as const),
  retention: oneOf(['long_term', 'short_term'] as const),
  importance: number(0, 1),
  lesson: optional(lesson),
  fact: optional(fact),
  statement: optional(statement),
})

export const readSharedCounts: Reader<SharedCounts> = object<SharedCounts>({
  uses: count,
  candidates: count,
  impact: number(0, AMOUNT_MAX),
  meetings: count,
  sessions: count,
})

/** Letters, digits, spaces and . _ ' -: a name stands in the notes of others, so it has no room for a sentence's signs. */
const NOT_IN_NAMES = /[^\p{L}\p{M}\p{N} ._'-]+/gu
const NAME_CHARS_MAX = 40

/** The name that is shown to the team, without other signs; `someone` if nothing is left. */
export const personName: Reader<string> = (value, mode) => {
  const letters = prose(80)(value, mode).replace(NOT_IN_NAMES, '')
  return [...letters].slice(0, NAME_CHARS_MAX).join('').trim() || 'someone'
}
