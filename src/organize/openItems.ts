// What a session left open: failing checks, unfinished tasks, uncommitted changes, questions without an answer.
import { type CallResult, callCommand, type Event } from '../model/event.ts'
import { listCallResults, type SessionTask, type TaskList, updateTaskList } from '../model/sessionTask.ts'
import { commandFamily } from '../text/command.ts'
import { isGenericError, salientLine } from '../text/errorSignature.ts'
import { splitSentences, truncateAtWord } from '../text/excerpt.ts'
import { errorClass, isPlainCommand, isPlainName, NO_CLASS } from '../text/outsideText.ts'
import { isSubstantive, requestClause } from '../text/taskSentences.ts'
import { filesChangedBy } from './changedFiles.ts'
import { listCheckStates } from './checkStates.ts'
import type { WorkResults } from './workResults.ts'

const ITEMS_MAX = 5
const ITEM_CHARS_MAX = 140

/** Prompts after which a task list that nobody updated has been given up. */
const STALE_LIST_PROMPTS = 2

/** The last steps of a piece of work: if the last try failed, the work is not finished. */
const FINISHING = /^(?:git (?:commit|push|merge|rebase|cherry-pick)|gh (?:pr|release) create|\S+ (?:publish|deploy))\b/

/** An offer at the end of an answer that needs no reply. */
const POLITE_OFFER =
  /\b(?:anything else|commit|push|proceed|continue|go ahead|let me know|run (?:it|the)|start|clarify)\b/i

/** At most five items, the gravest first; each at most 140 characters. Only the main conversation counts. */
export function listOpenItems(events: readonly Event[], tasks: readonly SessionTask[], results: WorkResults): string[] {
  const calls = listCallResults(events)
  const items = [
    ...listFailures(calls),
    ...listUnfinishedTasks(tasks),
    ...listUncommitted(calls, results.lastCommitAt),
    ...listUnanswered(tasks, calls[results.lastCommitAt]),
  ]
  return [...new Set(items.map((item) => truncateAtWord(item, ITEM_CHARS_MAX)))].slice(0, ITEMS_MAX)
}

/** Checks that failed when they last ran, and finishing steps whose last try failed. */
function listFailures(calls: readonly CallResult[]): string[] {
  const checks = listCheckStates(calls).filter(({ passed }) => !passed)
  const steps = listFinishingSteps(calls).filter(({ call }) => call.kind === 'call.failed')
  return [...checks, ...steps].flatMap(({ name, call }) => {
    const report = call.kind === 'call.failed' ? call.error : call.output
    if (call.kind === 'call.failed' && (call.interrupted || isGenericError(report))) return []
    // The text of an error is outside text: only its name is shown. What a hook of a commit prints is the log of all
    // checks; no line of it can be trusted to be the cause.
    const named = name === 'git commit' ? '' : errorClass(salientLine(report))
    const line = named === NO_CLASS ? '' : named
    const verb = name === 'tests' || name === 'types' ? 'fail' : 'fails'
    if (!isPlainCommand(name)) return []
    return [line === '' ? `${name} ${verb}` : `${name} ${verb}: ${line}`]
  })
}

/** The last try of each finishing step, such as `git push`. */
export function listFinishingSteps(
  calls: readonly CallResult[],
): { readonly name: string; readonly call: CallResult }[] {
  const latest = new Map<string, CallResult>()
  for (const call of calls) {
    const family = commandFamily(callCommand(call))
    if (FINISHING.test(family)) latest.set(family, call)
  }
  return [...latest].map(([name, call]) => ({ name, call }))
}

/** The entries of the task list that are not done; none if the list is finished or has been given up. */
function listUnfinishedTasks(tasks: readonly SessionTask[]): string[] {
  const states: TaskList = new Map()
  let updatedIn = -1
  tasks.forEach((task, index) => {
    for (const call of listCallResults(task.events)) {
      if (call.agentId === undefined && updateTaskList(states, call)) updatedIn = index
    }
  })
  if (tasks.length - 1 - updatedIn > STALE_LIST_PROMPTS) return []
  const open = [...states.values()].filter(({ state }) => !/^(?:completed|deleted|cancelled)$/.test(state))
  // One entry in progress with an answer after it: the answer reports it, and only the list was not updated.
  const isReported = open.every(({ state }) => state === 'in_progress') && hasAnswer(tasks.at(-1))
  return isReported ? [] : open.map(({ text }) => `not done: ${text}`)
}

/** Files changed after the last commit, in a session that commits itself. */
function listUncommitted(calls: readonly CallResult[], lastCommitAt: number): string[] {
  if (lastCommitAt === -1) return []
  const files = [...new Set(calls.slice(lastCommitAt + 1).flatMap(filesChangedBy))]
  const names = files.filter(isPlainName).map((file) => file.slice(file.lastIndexOf('/') + 1))
  const more = names.length > 3 ? ` and ${names.length - 3} more` : ''
  return names.length === 0 ? [] : [`changed after the last commit: ${names.slice(0, 3).join(', ')}${more}`]
}

/** A last prompt with neither an answer nor a commit, or a question that ends the last answer. */
function listUnanswered(tasks: readonly SessionTask[], lastCommit: CallResult | undefined): string[] {
  const last = tasks.at(-1)
  if (!last || (lastCommit && last.events.includes(lastCommit) && !hasAnswer(last))) return []
  if (!hasAnswer(last)) {
    const request = requestClause(last.prompt?.text ?? '')
    return request === '' ? [] : [`not answered: ${request}`]
  }
  const answer = last.events.findLast((event) => event.kind === 'answer' && event.text !== '')
  const question = splitSentences(answer?.kind === 'answer' ? answer.text : '').at(-1) ?? ''
  const isOpen = /[?？]$/.test(question) && !POLITE_OFFER.test(question) && isSubstantive(question)
  return isOpen ? [`question to the person: ${question.replace(/\*\*/g, '')}`] : []
}

const hasAnswer = (task: SessionTask | undefined): boolean =>
  task?.events.some((event) => event.kind === 'answer' && event.text !== '') === true
