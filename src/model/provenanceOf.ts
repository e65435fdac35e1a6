// Whose words an event or a memory has, as far as it follows from its kind.
import { type Event, isCallResult } from './event.ts'
import type { Memory } from './memory.ts'
import type { Provenance } from './provenance.ts'

/** Tools of the client that answer in its own words. */
const CLIENT_TOOLS: ReadonlySet<string> = new Set(
  'Edit MultiEdit Write NotebookEdit TodoWrite TaskCreate TaskUpdate ExitPlanMode EnterPlanMode'.split(' '),
)

/** Whose words an event has, from its kind. Of a call's result what came back counts, not what the model asked. */
export function provenanceOf(event: Event): Provenance {
  if (isCallResult(event)) {
    if (event.tool === 'Agent' || event.tool === 'Task') return 'assistant'
    return CLIENT_TOOLS.has(event.tool) ? 'tool' : 'outside'
  }
  switch (event.kind) {
    case 'prompt':
      return event.text.trimStart().startsWith('<') ? 'outside' : 'person'
    case 'answer':
    case 'agent.stopped':
    case 'call.started':
    case 'compaction':
      return 'assistant'
    case 'memory.stored':
      return memoryProvenance(event.memory)
    case 'other':
      return 'outside'
    default:
      return 'tool'
  }
}

type ProvenanceFields = Pick<Memory, 'kind' | 'trust' | 'provenance' | 'statement' | 'lesson' | 'fact' | 'team'>

/** Whose words a memory has: its own field, or for memories of earlier versions what follows from its other fields. */
export function memoryProvenance(memory: ProvenanceFields): Provenance {
  const provenance = ownProvenance(memory)
  const isTheirs = memory.team?.own === false || memory.team?.isTheirs === true
  return provenance === 'person' && isTheirs ? 'team' : provenance
}

/** Of a teammate's memory: as it is on their machine. */
function ownProvenance(memory: ProvenanceFields): Provenance {
  const { kind, trust, provenance, statement, lesson, fact } = memory
  if (provenance !== undefined) return provenance
  if (trust === 'outside') return 'outside'
  if (statement !== undefined) {
    const { origin } = statement
    return origin === 'assistant' || origin === 'model' || origin === 'plan' ? 'assistant' : 'person'
  }
  if (lesson !== undefined && lesson.error !== '') return 'outside'
  if (fact !== undefined) return fact.topic === 'rule' ? 'outside' : 'tool'
  if ((kind === 'preference' || kind === 'decision') && trust === 'user') return 'person'
  return kind === 'lesson' || kind === 'fact' ? 'tool' : 'assistant'
}

/** The memory with its provenance as a field, for output. */
export const withProvenance = (memory: Memory): Memory => ({ ...memory, provenance: memoryProvenance(memory) })
