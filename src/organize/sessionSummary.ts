// A session's summary: extractive and deterministic; what was done, what is open, what was changed, what was asked.
//
//   Committed "Round half up" and 2 more; tests pass; open: lint fails     the short form, for a session's start
//   Commits: …   - results   Open: …   Changed: …   Asked: …               the details
import type { Event, EventOf } from '../model/event.ts'
import type { SessionId } from '../model/id.ts'
import { CONTENT_CHARS_MAX } from '../model/limits.ts'
import { type Memory, newMemory } from '../model/memory.ts'
import { listCallResults, type SessionTask } from '../model/sessionTask.ts'
import { capitalize, firstLine, truncateAtWord, truncateMiddle } from '../text/excerpt.ts'
import { deriveMemoryId } from './derivedId.ts'
import {
  answerBeginning,
  describeTask,
  inferOutcome,
  listEditedFiles,
  listTouchedFiles,
  type TaskReport,
} from './experience.ts'
import { findCentralText } from './extractiveSummary.ts'
import { describeChecks, isPutOff, listCheckStates, listOpenItems, withOpenTasks } from './openItems.ts'
import {
  describeFiles,
  describeProducts,
  lineOf,
  listChangedFiles,
  listWorkResults,
  type WorkResults,
} from './workResults.ts'

/** Prompts whose words find the summary, with the length of each. */
const PROMPTS_MAX = 6
const PROMPT_CHARS_MAX = 160
const PATHS_MAX = 15

/** Lines of the details. */
const COMMITS_MAX = 8
const RESULTS_MAX = 4
/** What is left of most tasks once they are older than the hot days. */
const REQUESTS_MAX = 12

/** The parts of the first line. A start shows it alone, so it has about 25 words. */
const OUTCOME_CHARS_MAX = 120
const OPEN_CHARS_MAX = 70

/** Edited files kept of a session: the search for related sessions reads them at every prompt. */
const EDITED_FILES_MAX = 60

/** The summary; undefined for a session without prompts and calls. */
export function buildSessionSummary(
  session: SessionId,
  events: readonly Event[],
  tasks: readonly SessionTask[],
): Memory | undefined {
  const [first] = events
  const last = events.at(-1)
  const prompts = tasks.flatMap(({ prompt }) => (prompt && prompt.text.trim().length > 3 ? [prompt] : []))
  const calls = listCallResults(events)
  if (!first || !last || (prompts.length === 0 && calls.length === 0)) return undefined
  const results = listWorkResults(events)
  const changed = listChangedFiles(events)
  const open = listOpenItems(events, tasks, results)
  const reports = tasks.map((task, i) => describeTask(task, tasks[i - 1]))
  const branch = events
    .flatMap((event) => (event.kind === 'prompt' || event.kind === 'session.started' ? event.branch || [] : []))
    .at(-1)
  const outcome = describeOutcome(results, reports, open, branch)
  const working = reports.filter(({ files }) => files.length > 0)
  const asked = (working.length > 0 ? working : reports).flatMap(({ request }) => request || [])
  const requests = [...new Set(asked)].filter((request) => request !== results.plan)
  const headline = [
    outcome,
    // What fails is the first open item.
    changed.length > 0 && describeChecks(listCheckStates(calls).filter(({ passed, isStale }) => passed && !isStale)),
    open[0] && `open: ${truncateAtWord(open[0], OPEN_CHARS_MAX)}`,
  ].filter(Boolean)
  // Nothing was done: what was asked for finds the session, and it is not injected unless something is left for later.
  const isIdle = outcome === '' && !open.some(isPutOff)
  const idle = `Nothing was changed${requests[0] ? `; asked: ${requests[0]}` : ''}`
  const shortForm = outcome === '' ? idle : headline.join('; ')
  const others = requests.filter((request) => !shortForm.includes(request)).slice(0, REQUESTS_MAX)
  const lines = [
    shortForm,
    ...describeDetails(results, reports, outcome),
    ...open.map((item) => `Open: ${item}`),
    ...lineOf('Changed: ', describeFiles(changed)),
    ...lineOf('Asked: ', others.join('; ')),
  ]
  return newMemory({
    id: deriveMemoryId('summary', session),
    kind: 'summary',
    content: truncateMiddle(lines.join('\n'), CONTENT_CHARS_MAX),
    searchText: describeForSearch(events, prompts),
    searchOnly: isIdle ? true : undefined,
    questionOnly: isIdle ? true : undefined,
    created: first.at,
    updated: last.at,
    session,
    files: listTouchedFiles(events).slice(0, 40),
    branch,
    outcome: inferOutcome(events),
    trust: 'user',
    editedFiles: listEditedFiles(events).slice(0, EDITED_FILES_MAX),
    leftOpen: open,
    counts: { prompts: prompts.length, calls: calls.length },
    events: [first.id, last.id],
  })
}

/**
 * The summary of a session that went on after it had been summarized. The first line is that of the later part, unless
 * nothing was done there; the lines of both parts stay.
 */
export function mergeSessionSummaries(known: Memory, later: Memory): Memory {
  // What was open then is either done now or open again.
  const before = withOpenTasks(known.content, [])
  const parts = later.searchOnly && !known.searchOnly ? [before, later.content] : [later.content, before]
  return {
    ...known,
    content: truncateMiddle([...new Set(parts.flatMap((part) => part.split('\n')))].join('\n'), CONTENT_CHARS_MAX),
    searchText: truncateMiddle([known.searchText, later.searchText].filter(Boolean).join('\n'), CONTENT_CHARS_MAX),
    searchOnly: known.searchOnly && later.searchOnly,
    questionOnly: known.questionOnly && later.questionOnly,
    updated: later.updated,
    files: [...new Set([...later.files, ...known.files])].slice(0, 40),
    branch: later.branch ?? known.branch,
    taskId: later.taskId ?? known.taskId,
    outcome: later.outcome === 'unknown' ? known.outcome : later.outcome,
    editedFiles: [...new Set([...(later.editedFiles ?? []), ...(known.editedFiles ?? [])])].slice(0, EDITED_FILES_MAX),
    leftOpen: later.leftOpen,
    counts: {
      prompts: (known.counts?.prompts ?? 0) + (later.counts?.prompts ?? 0),
      calls: (known.counts?.calls ?? 0) + (later.counts?.calls ?? 0),
    },
    events: [...known.events.slice(0, 1), ...later.events.slice(-1)],
  }
}

/** The beginnings of prompts and of the last answer, and the files: what the words of a later prompt can match. */
function describeForSearch(events: readonly Event[], prompts: readonly EventOf<'prompt'>[]): string {
  const asked = prompts.slice(0, PROMPTS_MAX).map(({ text }) => firstLine(text.trim(), PROMPT_CHARS_MAX))
  const files = listEditedFiles(events).slice(0, PATHS_MAX).join(', ')
  return truncateMiddle([...asked, files, answerBeginning(events)].join('\n'), CONTENT_CHARS_MAX)
}

/** What the session did, in one clause: its own titles, else words of its answers. Empty if it did nothing. */
function describeOutcome(
  results: WorkResults,
  reports: readonly TaskReport[],
  open: readonly string[],
  branch: string | undefined,
): string {
  const { requests, commits, plan } = results
  const working = reports.filter(({ files }) => files.length > 0)
  if (commits.length > 0 || requests.some(({ kind }) => kind === 'pull request'))
    return capitalize(describeProducts(results))
  const changing = working.toSorted((a, b) => b.files.length - a.files.length)
  if (plan !== '' && working.length > 0) {
    const isDone = !open.some((item) => item.startsWith('not done: '))
    return `${isDone ? 'Implemented' : 'Started'} the plan "${truncateAtWord(plan, OUTCOME_CHARS_MAX)}"`
  }
  const result = findCentralText(
    working.map((report) => report.result),
    working.map((report) => [report.request, report.result, ...report.files, branch].join(' ')),
  )
  if (result !== '') return truncateAtWord(result, OUTCOME_CHARS_MAX)
  const asked = changing.find((report) => report.request !== '')
  if (asked) return `Worked on: ${asked.request}`
  if (requests.length > 0) return capitalize(describeProducts(results))
  return lineOf('Changed ', describeFiles(working.flatMap(({ files }) => files).slice(0, 3))).join('')
}

/** Commits, results of the tasks and opened issues that the first line does not have. */
function describeDetails(results: WorkResults, reports: readonly TaskReport[], outcome: string): string[] {
  const { commits, requests, plan } = results
  const subjects = commits.map(({ subject }) => subject).filter((subject) => !outcome.includes(subject))
  const more = subjects.length - COMMITS_MAX
  const titles = requests.filter(({ title }) => !outcome.includes(title))
  const found = reports.filter(({ files, result }) => files.length > 0 && result !== '').map(({ result }) => result)
  const distinct = [...new Set(found)].filter((result) => !outcome.startsWith(result.slice(0, 60)))
  return [
    ...lineOf('Commits: ', subjects.slice(0, COMMITS_MAX).join('; ') + (more > 0 ? ` and ${more} more` : '')),
    ...titles.map(({ kind, title, number }) => `Opened ${kind}: ${title}${number === '' ? '' : ` (${number})`}`),
    ...(plan === '' || outcome.includes(plan) ? [] : [`Plan: ${plan}`]),
    // The last results: they hold at the end.
    ...distinct.slice(-RESULTS_MAX).map((result) => `- ${result}`),
  ]
}
