// Approved plans as decisions: the title, what the plan is for, and what it decides explicitly.
import type { Event } from '../model/event.ts'
import { type Memory, newMemory } from '../model/memory.ts'
import type { SessionTask } from '../model/sessionTask.ts'
import { firstLine, splitSentences } from '../text/excerpt.ts'
import { findTraits } from '../text/statement/language.ts'
import { listSubjectTerms } from '../text/statement/subjectTerms.ts'
import { PLAN_PROMPT } from '../text/statement/typedText.ts'
import { deriveMemoryId } from './derivedId.ts'

const DECISIONS_MAX = 3
const CONTENT_CHARS_MAX = 480
const SENTENCE_CHARS_MAX = 200

/** The plans that a person approved in these tasks, one memory for each title. */
export function extractApprovedPlans(tasks: readonly SessionTask[]): Memory[] {
  return tasks.flatMap((task) =>
    task.events.flatMap((event) => {
      const plan = readApprovedPlan(event)
      const memory = plan === undefined ? undefined : toMemory(plan, event, task)
      return memory ? [memory] : []
    }),
  )
}

/** The text of a plan that was approved in this event: the call that ends planning, or the prompt of a new context. */
function readApprovedPlan(event: Event): string | undefined {
  if (event.role !== 'main') return undefined
  if (event.kind === 'prompt' && PLAN_PROMPT.test(event.text)) return event.text.replace(PLAN_PROMPT, '')
  if (event.kind !== 'call.succeeded' || event.tool !== 'ExitPlanMode') return undefined
  const plan = event.input['plan']
  return typeof plan === 'string' ? plan : undefined
}

function toMemory(plan: string, event: Event, task: SessionTask): Memory | undefined {
  const title = /^#{1,3}\s+(?:(?:implementation )?plan:?\s*|計画[:：]\s*)?(.+)$/im.exec(plan)?.[1]?.trim()
  if (title === undefined || listSubjectTerms(title).length === 0) return undefined
  const sentences = splitSentences(plan.replace(/\*\*|__/g, '')).filter((sentence) => /\s/.test(sentence))
  const decisions = sentences.slice(1).filter(isDecision).slice(0, DECISIONS_MAX)
  const parts = [...new Set([...sentences.slice(0, 1), ...decisions])].map((part) =>
    firstLine(part, SENTENCE_CHARS_MAX),
  )
  const branch = task.prompt?.branch
  return newMemory({
    id: deriveMemoryId('said', 'plan', listSubjectTerms(title).join(' ')),
    kind: 'decision',
    content: firstLine(`Approved plan: ${title}. ${parts.join(' ')}`, CONTENT_CHARS_MAX),
    created: event.at,
    session: event.session,
    taskId: task.id,
    role: event.role,
    branch,
    trust: 'user',
    tags: ['decision'],
    events: [event.id],
    statement: {
      type: 'decision',
      scope: branch === undefined ? 'project' : 'branch',
      // Most plans describe one piece of work and are true of nothing afterwards.
      strength: 1,
      origin: 'plan',
      short: firstLine(`Approved plan: ${title}`, 140),
      subject: listSubjectTerms(title),
    },
  })
}

/** A sentence of a plan that replaces, forbids or limits something. */
function isDecision(sentence: string): boolean {
  const isCodeChange = /\w\(|:\d+|\blines? ~?\d/i.test(sentence)
  if (isCodeChange || sentence.length > SENTENCE_CHARS_MAX) return false
  const traits = findTraits(sentence)
  return (
    /\s(?:→|->|=>|=)\s|\binstead of\b|\brather than\b|ではなく/.test(sentence) ||
    traits.has('ban') ||
    (traits.has('duty') && traits.has('always'))
  )
}
