// Whose words an event or a memory has, as far as it follows from its kind.
import { type Event, isAgentTool, isCallResult } from './event.ts'
import { isOfPerson } from './knowledge.ts'
import type { Memory, Provenance } from './memory.ts'
import { MemoryError } from './memoryError.ts'

/** Tools of the client that answer in its own words. */
const CLIENT_TOOLS: ReadonlySet<string> = new Set(
  'Edit MultiEdit Write NotebookEdit TodoWrite TaskCreate TaskUpdate ExitPlanMode EnterPlanMode'.split(' '),
)

/**
 * Whether an error of this tool that says that the person refused the call can only be the client's, which writes all
 * errors of these tools: a server, a page or an agent could write one that looks like a refusal.
 */
export const isRefusable = (tool: string): boolean =>
  /^(?:Bash|PowerShell|(?:Multi|Notebook)?Edit|Write|Read|Glob|Grep|LS|AskUserQuestion|ExitPlanMode)$/.test(tool)

/** Whose words an event has, from its kind. Of a call's result what came back counts, not what the model asked. */
export function provenanceOf(event: Event): Provenance {
  if (isCallResult(event)) {
    if (isAgentTool(event.tool)) return 'assistant'
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

type ProvenanceFields = Pick<Memory, 'kind' | 'trust' | 'provenance' | 'knowledge' | 'team'>

/** Whose words a memory has: its own field, or for memories of earlier versions what follows from its other fields. */
export function memoryProvenance(memory: ProvenanceFields): Provenance {
  const provenance = ownProvenance(memory)
  const isTheirs = memory.team?.own === false || memory.team?.isTheirs === true
  return provenance === 'person' && isTheirs ? 'team' : provenance
}

/** Of a teammate's memory: as it is on their machine. */
function ownProvenance(memory: ProvenanceFields): Provenance {
  const { kind, trust, provenance, knowledge } = memory
  if (provenance !== undefined) return provenance
  if (trust === 'outside') return 'outside'
  if (knowledge !== undefined) {
    const { author } = knowledge
    if (author === 'teammate') return knowledge.quote === undefined ? 'assistant' : 'team'
    return author === 'person' ? 'person' : author === 'rule' ? 'tool' : 'assistant'
  }
  if ((kind === 'preference' || kind === 'decision') && trust === 'user') return 'person'
  return kind === 'lesson' || kind === 'fact' ? 'tool' : 'assistant'
}

export const withProvenance = (memory: Memory): Memory => ({ ...memory, provenance: memoryProvenance(memory) })

/** Whether a person has said it, or asked for it: here or in the team. */
export const isInPersonsWords = (memory: Memory): boolean =>
  ['person', 'team'].includes(memoryProvenance(memory)) || (memory.knowledge ? isOfPerson(memory.knowledge) : false)

/** Throws NOT_ALLOWED where an agent would change, pin or delete what a person has said: it names all of these. */
export function assertMayChange(memories: Memory | readonly Memory[], isForAgent: boolean | undefined): void {
  const ids = [memories].flat().flatMap((memory) => (isInPersonsWords(memory) ? memory.id.slice(0, 8) : []))
  if (!isForAgent || ids.length === 0) return
  const id = ids.length > 1 ? 'ID' : ids[0]
  throw new MemoryError('NOT_ALLOWED', `Only a person may change what a person has said: ${ids.join(', ')}`, {
    hint: `The person can type \`/memctl:edit ${id} TEXT\`, \`/memctl:outdated ${id}\` or \`/memctl:forget ${id}\`.`,
  })
}
