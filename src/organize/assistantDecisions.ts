// What the assistant decided and why: from its answers, its commit messages and the plans that a person approved. For
// `memctl why` and for search; never injected at a start. Only decisions with a reason, about files that were edited.
import { callCommand, EDIT_TOOLS, type Event, isCallResult } from '../model/event.ts'
import { type Memory, newMemory } from '../model/memory.ts'
import { listCallResults, type SessionTask } from '../model/sessionTask.ts'
import type { Statement } from '../model/statement.ts'
import { findCommitMessages } from '../text/commitMessage.ts'
import { firstLine, splitSentences } from '../text/excerpt.ts'
import { findFilePaths } from '../text/filePaths.ts'
import { findReasonedDecisions, type ReasonedDecision } from '../text/reasonedDecisions.ts'
import { extractTerms } from '../text/terms/extractTerms.ts'
import { deriveMemoryId } from './derivedId.ts'
import { listEditedFiles } from './taskFacts.ts'

/** Decisions kept: those with an alternative first, then the earlier ones. More of them are a commentary. */
const PER_TASK_MAX = 2
const PER_SESSION_MAX = 6

/** Without a hint at its files, a decision is about all edited files, if they are no more than this. */
const UNNAMED_FILES_MAX = 5
const FILES_MAX = 12

/** A text in which the assistant explains, and the event that has it. */
interface Explanation {
  readonly event: Event
  readonly text: string
}

/** The decisions of a session's tasks, in order. */
export function extractAssistantDecisions(tasks: readonly SessionTask[]): Memory[] {
  const plans = tasks.flatMap((task, i) => extractPlan(task, tasks.slice(i)))
  const reasoned = tasks.flatMap((task) => {
    const found = listExplanations(task).flatMap(({ event, text }) =>
      findReasonedDecisions(text).flatMap((decision) => toMemory(decision, event, task) ?? []),
    )
    return found.sort((a, b) => strengthOf(b) - strengthOf(a)).slice(0, PER_TASK_MAX)
  })
  return [...plans, ...reasoned].slice(0, PER_SESSION_MAX)
}

const strengthOf = (memory: Memory): number => memory.statement?.strength ?? 1

/** Answers and commit messages of the main conversation. */
function listExplanations(task: SessionTask): Explanation[] {
  return task.events.flatMap((event): Explanation[] => {
    if (event.role !== 'main') return []
    if (event.kind === 'answer') return [{ event, text: event.text }]
    if (event.kind !== 'call.succeeded') return []
    return findCommitMessages(callCommand(event)).map((text) => ({ event, text }))
  })
}

/** A reasoned decision as a memory; undefined if it is not clear which files it is about. */
function toMemory(found: ReasonedDecision, event: Event, task: SessionTask): Memory | undefined {
  const { sentence, decision, reason, hasAlternative } = found
  const files = findConcernedFiles(sentence, task.events)
  if (files.length === 0) return undefined
  return buildDecision({ content: sentence, short: decision, reason, strength: hasAlternative ? 2 : 1 }, files, {
    event,
    task,
  })
}

/** The edited files that a sentence names, or into which its names in backticks were written; else all, if few. */
function findConcernedFiles(sentence: string, events: readonly Event[]): string[] {
  const edited = listEditedFiles(events)
  const named = edited.filter((file) => sentence.includes(file.slice(file.lastIndexOf('/') + 1)))
  if (named.length > 0) return named.slice(0, FILES_MAX)
  const names = [...sentence.matchAll(/`([^`]{3,})`/g)].map(([, name = '']) => name.replace(/\(.*$/, ''))
  const edits = listCallResults(events).filter((call) => call.kind === 'call.succeeded' && EDIT_TOOLS.has(call.tool))
  const written = edits.filter(({ input }) => names.some((name) => JSON.stringify(input).includes(name)))
  const found = [...new Set(written.flatMap((call) => call.files))]
  if (found.length > 0) return found.slice(0, FILES_MAX)
  return edited.length <= UNNAMED_FILES_MAX ? edited : []
}

/** The plan that a person approved in this task, by its title and purpose; about the files edited from then on. */
function extractPlan(task: SessionTask, from: readonly SessionTask[]): Memory[] {
  const approved = task.events.findLast(
    (event) => isCallResult(event) && event.tool === 'ExitPlanMode' && event.kind === 'call.succeeded',
  )
  const plan = approved && 'input' in approved ? approved.input['plan'] : undefined
  if (!approved || typeof plan !== 'string') return []
  const title = firstLine(/^#+\s*(.+)$/m.exec(plan)?.[1] ?? '', 160).replace(/^(?:implementation )?plan:\s*/i, '')
  const edited = listEditedFiles(from.flatMap(({ events }) => events))
  const mentioned = findFilePaths(plan)
  const concerned = edited.filter((file) => mentioned.some((name) => file === name || file.endsWith(`/${name}`)))
  const files = (concerned.length > 0 ? concerned : edited).slice(0, FILES_MAX)
  if (title === '' || files.length === 0) return []
  const section = PURPOSE.exec(plan)
  const reason = firstLine(splitSentences(section?.[1] ?? '')[0] ?? '', 300) || undefined
  const content = reason === undefined ? `Plan: ${title}` : `Plan: ${title}. ${reason}`
  return [buildDecision({ content, short: title, reason, strength: 2 }, files, { event: approved, task })]
}

/** The section of a plan that says what it is for. */
const PURPOSE = new RegExp(
  String.raw`^#+\s*(?:\d+\.\s*)?(?:problem|goal|context|why|background|purpose|overview|motivation|目的|背景|課題|概要)` +
    String.raw`[^\n]*\n([\s\S]+?)(?=\n#|$(?![\s\S]))`,
  'im',
)

interface DecisionText {
  readonly content: string
  readonly short: string
  readonly reason: string | undefined
  readonly strength: Statement['strength']
}

function buildDecision(
  { content, short, reason, strength }: DecisionText,
  files: readonly string[],
  { event, task }: { readonly event: Event; readonly task: SessionTask },
): Memory {
  const subject = [...new Set(extractTerms(short))].slice(0, 12)
  return newMemory({
    id: deriveMemoryId('decided', extractTerms(content).join(' ')),
    kind: 'decision',
    content,
    created: event.at,
    session: event.session,
    taskId: task.id,
    files,
    branch: task.prompt?.branch,
    tags: ['assistant'],
    events: [event.id],
    statement: {
      type: 'decision',
      scope: files.length === 1 ? 'file' : 'project',
      strength,
      origin: 'assistant',
      short: firstLine(short, 200),
      subject,
      reason,
    },
  })
}
