// One task as a memory: what identifies it, what it touched, and how it is described.

import { callCommand, EDIT_TOOLS, type Event, type EventOf } from '../model/event.ts'
import { type Memory, newMemory, type Outcome } from '../model/memory.ts'
import {
  findActiveEntry,
  listCallResults,
  type SessionTask,
  type TaskList,
  updateTaskList,
} from '../model/sessionTask.ts'
import { countEach } from '../model/sorting.ts'
import { isCheckCommand } from '../text/command.ts'
import { firstLine, splitSentences } from '../text/excerpt.ts'
import { removePasted } from '../text/pastedText.ts'
import { findBranchReference, findTaskReference, nameListedTask } from '../text/taskReference.ts'
import { findAnswerSentence, findResultSentence, offeredClause, requestClause } from '../text/taskSentences.ts'
import { deriveMemoryId } from './derivedId.ts'
import { describeChecks, findLastAnswer, listCheckStates } from './openItems.ts'
import { describeFiles, describeProducts, lineOf, listChangedFiles, listWorkResults } from './workResults.ts'

/** A prompt up to this length ("yes", "go on") means nothing by itself. */
const SHORT_PROMPT_CHARS = 15

/**
 * The memory of a task of the main conversation; undefined for a prompt that means nothing by itself. A "yes" accepts
 * what the task before it has offered, and the task after it may judge it.
 */
export function extractExperience(task: SessionTask, before?: SessionTask, next?: SessionTask): Memory | undefined {
  const prompt = task.prompt
  const calls = listCallResults(task.events)
  if (!prompt || (prompt.text.trim().length <= SHORT_PROMPT_CHARS && calls.length === 0)) return undefined
  const { request, result, files } = describeTask(task, before)
  const results = listWorkResults(task.events)
  const produced = describeProducts(results)
  const failing = listCheckStates(calls).filter(({ passed }) => !passed)
  const said = [request, produced || result].filter(Boolean).join(' → ')
  const details = [...lineOf('Changed ', describeFiles(files)), ...lineOf('At its end: ', describeChecks(failing))]
  const lines = [...(said ? [said] : []), ...details]
  // "commit this", or talk that neither changed nor answered anything, helps nobody later: only a search finds it.
  const isAnswer = /[?？]$/.test(request) && result !== ''
  const isWorth = files.length > 0 ? said !== '' : isAnswer || results.requests.length > 0
  return newMemory({
    id: deriveMemoryId('experience', prompt.session, prompt.id),
    kind: 'experience',
    content: lines.join('\n') || firstLine(removePasted(prompt.text), 80) || 'A prompt without words of its own',
    searchText: `${firstLine(prompt.text.trim().replace(/\s+/g, ' '), 400)}\n${answerBeginning(task.events)}`.trim(),
    searchOnly: isWorth ? undefined : true,
    questionOnly: produced || result || details.length > 0 ? undefined : true,
    created: prompt.at,
    session: prompt.session,
    taskId: task.id,
    role: prompt.role,
    files: listTouchedFiles(task.events).slice(0, 20),
    commandShape: calls.findLast((call) => call.commandShape !== undefined)?.commandShape,
    branch: prompt.branch,
    outcome: inferOutcome(task.events, next?.prompt),
    privacy: prompt.privacy,
    trust: 'user',
    editedFiles: listEditedFiles(task.events).slice(0, 20),
    events: task.events.slice(-20).map((event) => event.id),
  })
}

/**
 * Files edited with the tools for it, in the order of their first edit. The search for related sessions compares them;
 * what commands moved or formatted as well made it worse (changedFiles.ts has those, for notes).
 */
export function listEditedFiles(events: readonly Event[]): string[] {
  const edits = listCallResults(events).filter((call) => call.kind === 'call.succeeded' && EDIT_TOOLS.has(call.tool))
  return [...new Set(edits.flatMap((call) => call.files))]
}

/** Files named by any call, changed files first. */
export function listTouchedFiles(events: readonly Event[]): string[] {
  return [...new Set([...listEditedFiles(events), ...listCallResults(events).flatMap((call) => call.files)])]
}

/** How it ended: by what the user says in the next prompt, else by the last check command (test, build, lint). */
export function inferOutcome(events: readonly Event[], nextPrompt?: EventOf<'prompt'>): Outcome {
  const signals = new Set(nextPrompt?.signals.map((signal) => signal.kind))
  if (signals.has('correction') || signals.has('complaint')) return 'failure'
  if (signals.has('thanks')) return 'success'
  const check = listCallResults(events).findLast((call) => isCheckCommand(callCommand(call)))
  return check?.outcome ?? 'unknown'
}

/** The first two sentences of the last answer, at most 300 characters: words to search for. */
export const answerBeginning = (events: readonly Event[]): string =>
  firstLine(splitSentences(findLastAnswer(events)).slice(0, 2).join(' '), 300)

/** A prompt up to this length that names nothing ("yes", "go on") belongs to the task before it. */
const REPLY_CHARS_MAX = 40

/** The tasks of a session by the id of their prompt. A prompt that names no task has none. */
type TaskIdentities = ReadonlyMap<string, string>

/** The identity of each task, in this order: the prompt, the task list, the branch, the task before a short reply. */
export function identifyTasks(tasks: readonly SessionTask[]): TaskIdentities {
  const identities = new Map<string, string>()
  const list: TaskList = new Map()
  let before: string | undefined
  for (const task of tasks) {
    const { text = '', branch } = task.prompt ?? {}
    // What was worked on last is what a later session goes on with.
    let entry = findActiveEntry(list) ?? ''
    for (const call of listCallResults(task.events)) {
      if (call.agentId === undefined && updateTaskList(list, call)) entry = findActiveEntry(list) ?? entry
    }
    const isReply = text.trim().length <= REPLY_CHARS_MAX
    const identity =
      findTaskReference(text) ??
      findTaskReference(entry) ??
      findBranchReference(branch) ??
      (entry === '' ? undefined : nameListedTask(entry)) ??
      (isReply ? before : undefined)
    if (identity !== undefined) identities.set(task.id, identity)
    before = identity
  }
  return identities
}

/** The identity of most tasks of a session, of equally frequent ones the first; undefined if none has any. */
export const findMainTask = (identities: TaskIdentities): string | undefined =>
  countByFrequency([...identities.values()])[0]?.[0]

/** The distinct names with their numbers, the most frequent first; equally frequent ones in their original order. */
export const countByFrequency = (names: readonly string[]): [name: string, count: number][] =>
  [...countEach(names)].sort((a, b) => b[1] - a[1])

export type TaskReport = ReturnType<typeof describeTask>

/**
 * The report of a task: what was asked, empty if nobody typed it, and what the answer says of a task that changed
 * nothing. `before` is the task before it: a "yes" accepts what it offered.
 */
export function describeTask(task: SessionTask, before: SessionTask | undefined) {
  const files = listChangedFiles(task.events)
  const answer = findLastAnswer(task.events)
  const request = task.prompt ? requestClause(task.prompt.text) : ''
  const accepted = request === '' && before ? offeredClause(findLastAnswer(before.events)) : ''
  const result = findResultSentence(answer) || (files.length === 0 ? findAnswerSentence(answer) : '')
  return { request: request || accepted, result, files }
}
