// Memories of earlier versions had a lesson, a project fact or a statement; now all three are knowledge. The old fields
// are read here and nowhere else. What is no longer derived stays, as an entry with the triggers it had.
import {
  type Knowledge,
  type KnowledgeRecord,
  type KnowledgeType,
  newKnowledgeRecord,
  TRIGGERS_MAX,
  type Trigger,
} from '../model/knowledge.ts'
import { type Memory, PERSONAL_TAG } from '../model/memory.ts'
import { capitalize, firstLine } from './excerpt.ts'

export type LegacyStep = Readonly<{ kind: 'edit' | 'command'; what: string }>

export interface LegacyLesson {
  readonly command?: string
  readonly error: string
  readonly fix?: { readonly kind: 'steps' | 'instead' | 'again'; readonly steps: readonly LegacyStep[] }
  readonly lastMet?: string
  readonly failures?: number
}

interface LegacyTrigger {
  readonly tools?: readonly string[]
  readonly paths?: readonly string[]
  readonly command?: string
  readonly parts?: readonly string[]
  readonly errors?: readonly string[]
  readonly code?: readonly string[]
}

export interface LegacyFact {
  readonly topic: string
  readonly claim: string
  readonly remedies: readonly { readonly text: string }[]
  readonly state: 'proposed' | 'standing' | 'retired'
  readonly failures: number
  readonly lastMet: string
  readonly triggers: readonly LegacyTrigger[]
}

export interface LegacyStatement {
  readonly type: KnowledgeType
  readonly scope: 'person' | 'project' | 'branch' | 'file'
  readonly strength: 1 | 2 | 3
  readonly origin: string
  readonly short: string
  readonly reason?: string
  readonly supersededBy?: string
}

/** The fields that memories of earlier versions may have. */
export interface LegacyFields {
  readonly lesson?: LegacyLesson | undefined
  readonly fact?: LegacyFact | undefined
  readonly statement?: LegacyStatement | undefined
}

/** The memory with knowledge in place of the old fields; itself if it has none of them. */
export function upgradeKnowledge(stored: Memory & LegacyFields): Memory {
  const { lesson, fact, statement, ...memory } = stored
  if (lesson === undefined && fact === undefined && statement === undefined) return stored
  if (memory.knowledge !== undefined) return memory
  if (statement) return { ...memory, ...fromStatement(statement, memory) }
  const knowledge = fact ? fromFact(fact, memory) : lesson && fromLesson(lesson, memory)
  return knowledge ? { ...memory, knowledge } : memory
}

function fromStatement(
  statement: LegacyStatement,
  memory: Memory,
): Pick<Memory, 'knowledge' | 'searchOnly' | 'supersededBy'> & Partial<Pick<Memory, 'tags'>> {
  const { type, scope, strength, origin, short, reason, supersededBy } = statement
  const isOfModel = origin === 'model' || origin === 'assistant' || origin === 'plan'
  const knowledge: Knowledge = {
    type,
    // Earlier versions took rules about commits or languages for rules of the person in all projects.
    scope: scope === 'person' && origin !== 'command' ? 'project' : scope === 'file' ? 'path' : scope,
    author: memory.team?.own === false ? 'teammate' : isOfModel ? 'model' : 'person',
    state: supersededBy === undefined ? 'standing' : 'superseded',
    line: short,
    ...(isOfModel ? {} : { quote: firstLine(memory.content, 300) }),
    ...(origin === 'command' && { asked: true }),
    ...(reason !== undefined && { reason }),
    when: [],
    record: recordOf(memory, { lastMet: memory.updated }),
  }
  const isUncertain = strength < 3 || origin === 'assistant'
  return {
    knowledge,
    ...(isUncertain && { searchOnly: true as const }),
    ...(supersededBy !== undefined && { supersededBy }),
    // Perhaps about the person after all: it never leaves the machine.
    ...(scope === 'person' && { tags: [...memory.tags, PERSONAL_TAG] }),
  }
}

function fromFact(fact: LegacyFact, memory: Memory): Knowledge {
  const [remedy] = fact.remedies
  return {
    type: 'fact',
    scope: 'project',
    author: memory.tags.includes('model') ? 'model' : 'rule',
    // What costs nothing to know, such as where tests are, was never worth a note.
    state: fact.topic === 'routine' || remedy === undefined ? 'retired' : fact.state,
    line: firstLine(remedy ? `${capitalize(remedy.text)}: ${fact.claim}` : fact.claim, 240),
    when: fact.triggers.flatMap(fromTrigger).slice(0, TRIGGERS_MAX),
    record: recordOf(memory, { lastMet: fact.lastMet, met: memory.sessionCount, failed: fact.failures }),
  }
}

/** A field that matched any of its parts gives a trigger for each of them. */
function fromTrigger({ tools, paths, command, parts = [], errors, code }: LegacyTrigger): Trigger[] {
  const tool = tools?.join('|')
  const has = command === undefined ? parts : [command, ...parts]
  if (errors !== undefined) return errors.map((error) => ({ at: 'failure', tool, has: [error] }))
  const alternatives = paths ?? code
  if (alternatives === undefined) return has.length > 0 ? [{ at: 'call', tool, has }] : []
  return alternatives.map((part) => ({ at: 'call', tool, has: [...has, part] }))
}

/** A failure without a known fix was never shown. */
function fromLesson(lesson: LegacyLesson, memory: Memory): Knowledge | undefined {
  const line = lesson.fix && describeFix(lesson.fix, lesson.command)
  const signature = memory.errorSignature
  if (line === undefined || signature === undefined) return undefined
  return {
    type: 'lesson',
    scope: 'project',
    author: memory.tags.includes('model') ? 'model' : 'rule',
    state: memory.sessionCount > 1 ? 'standing' : 'proposed',
    line: firstLine(line, 240),
    when: [{ at: 'failure', signature }],
    record: recordOf(memory, {
      lastMet: lesson.lastMet ?? memory.updated,
      met: memory.sessionCount,
      failed: lesson.failures ?? memory.sessionCount,
    }),
  }
}

function describeFix({ kind, steps }: NonNullable<LegacyLesson['fix']>, command = 'it'): string | undefined {
  const failed = command === 'it' ? 'it' : `\`${command}\``
  const what = steps.map((step) => (step.kind === 'command' ? `\`${step.what}\`` : step.what)).join(', then ')
  if (kind === 'again') return `Run ${failed} again: it passed unchanged last time`
  if (what === '') return undefined
  if (kind === 'instead') return `Use ${what} instead of ${failed}`
  return steps.every((step) => step.kind === 'command') ? `Run ${what} before ${failed}` : undefined
}

const recordOf = (memory: Memory, counts: Partial<KnowledgeRecord>): KnowledgeRecord => ({
  ...newKnowledgeRecord(memory.updated, memory.session),
  ...counts,
})
