// Generated changes of a team, and texts with vectors: the same for the same seed.
import { createBuiltinEmbedder } from '../../src/embed/builtinEmbedder.ts'
import type { EventId, MemoryId } from '../../src/model/id.ts'
import type { Operation, OperationBody, SharedFields } from '../../src/team/operation.ts'
import type { Random } from '../fixture/seededRandom.ts'
import { randomCommand, randomFilePath, randomSentence } from '../fixture/syntheticText.ts'

/** Of the vectors that the bench makes: words only, so that every machine makes the same. */
export const benchEmbedder = createBuiltinEmbedder()

/** Share of a team's changes, in tenths: a new memory, a text that changed, and the rest are counts. */
const NEW = 2
const CHANGED = 2

const START_MS = Date.UTC(2026, 0, 5)

export const randomUuid = (random: Random): string =>
  `${random.hex(8)}-${random.hex(4)}-4${random.hex(3)}-8${random.hex(3)}-${random.hex(12)}`

/** What a machine learns: a lesson with its error, its fix and some words, about 300 characters. */
export function randomLesson(random: Random): SharedFields {
  const file = randomFilePath(random)
  const created = new Date(START_MS + random.below(1e9)).toISOString()
  return {
    kind: 'lesson',
    outcome: 'success',
    scope: 'project',
    role: '*',
    trust: 'tools',
    privacy: 'public',
    contentType: 'text',
    source: 'task',
    retention: 'long_term',
    learnings: {},
    importance: 0.6,
    content: `${randomSentence(random, 12)} ${randomCommand(random, file)}: ${randomSentence(random, 18)}`,
    lessons: [randomSentence(random, 10)],
    tags: ['test', 'billing'],
    files: [file],
    commandShape: randomCommand(random, file),
    created,
    updated: created,
  }
}

/** The changes 1 … `count` of one machine. */
export function generateOperations(random: Random, count: number): readonly Operation[] {
  const replica = randomUuid(random)
  const known: MemoryId[] = []
  return Array.from({ length: count }, (_, i): Operation => {
    const draw = random.below(10)
    const isNew = known.length === 0 || draw < NEW
    const memory = isNew ? (randomUuid(random) as MemoryId) : random.pick(known)
    if (isNew) known.push(memory)
    const body: OperationBody =
      isNew || draw < NEW + CHANGED
        ? { kind: 'put', by: 'Bench', fields: randomLesson(random) }
        : { kind: 'count', counts: { uses: i, candidates: i, impact: i / 10, meetings: i, sessions: i } }
    const at = `${START_MS + i * 1000}-00000-${replica}`
    return { id: randomUuid(random) as EventId, replica, n: i + 1, at, memory, ...body }
  })
}
