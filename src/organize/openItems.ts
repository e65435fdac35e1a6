// What a session left open: failing checks, questions, tasks; and what a later session closes.
import { type CallResult, callCommand, type Event } from '../model/event.ts'
import type { Memory } from '../model/memory.ts'
import { listCallResults, type SessionTask, type TaskList, updateTaskList } from '../model/sessionTask.ts'
import { commandFamily, isCheckCommand } from '../text/command.ts'
import { listUncommittedFiles, showPushed } from '../text/commitCommands.ts'
import { isGenericError, salientLine } from '../text/errorSignature.ts'
import { splitSentences, truncateAtWord } from '../text/excerpt.ts'
import { baseName } from '../text/filePaths.ts'
import { reportsFailures } from '../text/hiddenFailure.ts'
import { errorName, isPlainCommand, isPlainName } from '../text/outsideText.ts'
import { DONE, findPutOff, isSubstantive, missingStep, readOpenLine, requestClause } from '../text/taskSentences.ts'
import type { MemoryTable } from './memoryTable.ts'
import { filesChangedBy, type WorkResults } from './workResults.ts'

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
    ...listPutOff(tasks),
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
    const error = name === 'git commit' ? undefined : errorName(salientLine(report))
    const verb = name === 'tests' || name === 'types' ? 'fail' : 'fails'
    if (!isPlainCommand(name)) return []
    return [error === undefined ? `${name} ${verb}` : `${name} ${verb}: ${error}`]
  })
}

/** What a merge with conflicts ends with. */
const AFTER_MERGE = /^git (?:commit|push)\b/

/** The last try of each finishing step, such as `git push`. A commit ends the merges before it. */
function listFinishingSteps(calls: readonly CallResult[]): { readonly name: string; readonly call: CallResult }[] {
  const latest = new Map<string, CallResult>()
  for (const call of calls) {
    const family = commandFamily(callCommand(call))
    if (call.kind === 'call.succeeded' && AFTER_MERGE.test(family))
      for (const merge of ['git merge', 'git rebase', 'git cherry-pick']) latest.delete(merge)
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
  const isReported =
    open.every(({ state }) => state === 'in_progress') && findLastAnswer(tasks.at(-1)?.events ?? []) !== ''
  return isReported ? [] : open.map(({ text }) => `not done: ${text}`)
}

const PUT_OFF = 'left for later: '

/** What the person leaves for later in words after the last work: a request that is worked on is none. */
function listPutOff(tasks: readonly SessionTask[]): string[] {
  const lastWork = tasks.findLastIndex(({ events }) => listCallResults(events).some((call) => !isGitCall(call)))
  if (lastWork === -1) return []
  const prompts = tasks.slice(lastWork + 1).flatMap(({ prompt }) => prompt?.text ?? [])
  return prompts.flatMap(findPutOff).map((sentence) => PUT_OFF + sentence)
}

const isGitCall = (call: CallResult): boolean => /\bgit\b/.test(callCommand(call))

/** Whether an item is what a person left for later. */
export const isPutOff = (item: string): boolean => item.startsWith(PUT_OFF)

/** Files changed after the last commit, in a session that commits itself. */
function listUncommitted(calls: readonly CallResult[], lastCommitAt: number): string[] {
  if (lastCommitAt === -1) return []
  const files = [...new Set(calls.slice(lastCommitAt + 1).flatMap(filesChangedBy))]
  const names = files.filter(isPlainName).map(baseName)
  const more = names.length > 3 ? ` and ${names.length - 3} more` : ''
  return names.length === 0 ? [] : [`changed after the last commit: ${names.slice(0, 3).join(', ')}${more}`]
}

/** A last prompt with neither an answer nor a commit, or a question that ends the last answer. */
function listUnanswered(tasks: readonly SessionTask[], lastCommit: CallResult | undefined): string[] {
  const last = tasks.at(-1)
  if (!last) return []
  const answer = findLastAnswer(last.events)
  if (answer === '') {
    const isCommitted = lastCommit !== undefined && last.events.includes(lastCommit)
    const request = isCommitted ? '' : requestClause(last.prompt?.text ?? '')
    return request === '' ? [] : [`not answered: ${request}`]
  }
  const question = splitSentences(answer).at(-1) ?? ''
  const isOpen = /[?？]$/.test(question) && !POLITE_OFFER.test(question) && isSubstantive(question)
  return isOpen ? [`question to the person: ${question.replace(/\*\*/g, '')}`] : []
}

/** The last answer of the main conversation; empty if there is none. */
export const findLastAnswer = (events: readonly Event[]): string =>
  events.filter((event) => event.kind === 'answer').findLast(({ text }) => text !== '')?.text ?? ''

/** Earlier sessions of which summaries are looked at: what they left is listed for weeks. */
const SUMMARIES_MAX = 50

/** The summaries of other sessions with an item that this session closes, each complete. */
export function closeOpenItems(session: string, tasks: readonly SessionTask[], known: MemoryTable): Memory[] {
  const calls = tasks.flatMap(({ events }) => listCallResults(events))
  const done = new Set([
    ...listCheckStates(calls).flatMap(({ name, passed }) => (passed ? [name] : [])),
    ...listFinishingSteps(calls).flatMap(({ name, call }) => (call.kind === 'call.succeeded' ? [name] : [])),
  ])
  const hasGit = calls.some(isGitCall)
  const isWork = calls.some((call) => filesChangedBy(call).length > 0)
  if (done.size === 0 && !hasGit && !isWork) return []
  const branch = tasks.at(-1)?.prompt?.branch
  return known.listRecent('summary', SUMMARIES_MAX, new Set()).flatMap((memory) => {
    const { content, leftOpen: open = [], metadata } = memory
    const areMade = (clauses: readonly string[]): boolean =>
      hasGit && clauses.length > 0 && clauses.every((clause) => isStepMade(missingStep(clause), memory, tasks))
    // What was left for later is for the next session with work: after it nobody knows what is left.
    const isTakenUp = (item: string): boolean => isWork && memory.branch === branch && isPutOff(item)
    const left = open.filter((item) => !isDone(item, done) && !areMade(item.split('; ')) && !isTakenUp(item))
    // What the first line calls open is one of the items, or a step that no item names.
    const { line, clauses } = readOpenLine(memory)
    const isListed = open.length > 0 && left.length === 0
    const steps = clauses.filter((clause) => !isListed || missingStep(clause) !== undefined)
    const isLineDone = clauses.length > 0 && (steps.length > 0 ? areMade(steps) : isListed)
    if (memory.session === session || (left.length === open.length && !isLineDone)) return []
    const more = isLineDone && { metadata: { ...metadata, [DONE]: [line] } }
    return { ...memory, leftOpen: left, content: withOpenTasks(content, left), ...more }
  })
}

/** Whether a commit or push that a session waits for was made later on its branch, as far as the log shows it. */
function isStepMade(
  step: string | undefined,
  { branch, updated, editedFiles = [] }: Memory,
  tasks: readonly SessionTask[],
): boolean {
  const lines = tasks
    .filter(({ prompt }) => prompt?.branch === branch)
    .flatMap(({ events }) => listCallResults(events))
    .flatMap((call) =>
      call.at > updated && call.kind === 'call.succeeded' && call.agentId === undefined
        ? { command: callCommand(call), output: call.output }
        : [],
    )
  if (step === 'push') return branch !== undefined && showPushed(lines, branch)
  const isCommit = step === 'commit' && editedFiles.length > 0
  return isCommit && listUncommittedFiles(editedFiles, lines, branch).length === 0
}

const FAILS = /^(.+?) fails?(?::|$)/

/** Whether an item is a check or a last step that fails. */
export const isFailingItem = (item: string): boolean => FAILS.test(item)

const isDone = (item: string, done: ReadonlySet<string>): boolean => done.has(FAILS.exec(item)?.[1] ?? '')

/** The text of a summary with these open tasks, behind its first line, in place of those that it names. */
export function withOpenTasks(content: string, open: readonly string[]): string {
  const [first = '', ...lines] = content.replace(/^([^\n]*?); open: [^\n]*/, '$1').split('\n')
  const others = lines.filter((line) => !line.startsWith('Open: '))
  return [first, ...open.map((item) => `Open: ${item}`), ...others].join('\n')
}

interface CheckState {
  /** tests, lint, types, build or format; else the command's family. */
  readonly name: string
  readonly passed: boolean
  /** Files were changed after it ran. */
  readonly isStale: boolean
  readonly call: CallResult
}

/** What a check is called, by the words of its command.  */
const NAMES: Readonly<Record<string, string>> = {
  tests: 'tests? spec e2e jest vitest mocha ava pytest phpunit rspec ctest nextest gotestsum',
  lint: 'lint(?:er)? eslint biome oxlint ruff flake8 pylint clippy golangci-lint vet rubocop shellcheck',
  types: 'types? typecheck type-check tsc vue-tsc mypy pyright phpstan',
  build: 'build compile assemble webpack rollup esbuild tsup package',
  format: 'fmt format prettier gofmt rustfmt black',
}
const PATTERNS = Object.entries(NAMES).map(([name, words]) => ({
  name,
  pattern: new RegExp(`(?:^|[\\s:_.-])(?:${words.replaceAll(' ', '|')})(?:$|[\\s:_.-])`),
}))

/** The last state of each check, in the order of the last runs. */
export function listCheckStates(calls: readonly CallResult[]): CheckState[] {
  const states = new Map<string, CheckState>()
  const lastChange = calls.findLastIndex((call) => filesChangedBy(call).length > 0)
  calls.forEach((call, index) => {
    const command = callCommand(call)
    // A call that the person stopped or refused says nothing.
    if (!isCheckCommand(command) || (call.kind === 'call.failed' && call.interrupted)) return
    const passed = call.kind === 'call.succeeded' && !reportsFailures(call)
    for (const name of checksOf(command, passed)) {
      states.delete(name) // Deleted first, so that the map is in the order of the last runs.
      states.set(name, { name, passed, isStale: index < lastChange, call })
    }
  })
  return [...states.values()]
}

/** A chain that passes has passed each of its checks; of one that fails only the first is known to have run. */
function checksOf(command: string, passed: boolean): string[] {
  const parts = passed ? command.split('&&').filter(isCheckCommand) : []
  return (parts.length > 1 ? parts : [command]).map((part) => checkName(commandFamily(part)))
}

/** Checks that all passed or all failed: "tests and build pass", "lint fails"; may be empty. */
export function describeChecks(states: readonly CheckState[]): string {
  const list = states
    .map(({ name }) => name)
    .join(', ')
    .replace(/, ([^,]*)$/, ' and $1')
  const isPlural = states.length > 1 || /^(?:tests|types)$/.test(list)
  return list && `${list} ${states[0]?.passed ? `pass${isPlural ? '' : 'es'}` : `fail${isPlural ? '' : 's'}`}`
}

const checkName = (family: string): string =>
  PATTERNS.find(({ pattern }) => pattern.test(family))?.name ?? `\`${family}\``
