// A session's summary: extractive and deterministic; what was requested, changed, checked, fixed and left open.
import { callCommand, type Event } from '../model/event.ts'
import type { SessionId } from '../model/id.ts'
import { CONTENT_CHARS_MAX } from '../model/limits.ts'
import { type Memory, newMemory } from '../model/memory.ts'
import { listCallResults, type SessionTask } from '../model/sessionTask.ts'
import { commandFamily, isCheckCommand } from '../text/command.ts'
import { salientLine } from '../text/errorSignature.ts'
import { firstLine, splitSentences, truncateMiddle } from '../text/excerpt.ts'
import { deriveMemoryId } from './derivedId.ts'
import { formatFix } from './episodeLesson.ts'
import type { FailureEpisode } from './failureEpisodes.ts'
import { findLastAnswer, inferOutcome, listEditedFiles, listTouchedFiles } from './taskFacts.ts'

const PROMPTS_MAX = 6
const FILES_MAX = 15

/** Edited files kept of a session: the search for related sessions reads them at every prompt. */
const EDITED_FILES_MAX = 60

/** The summary; undefined for a session without prompts and calls. */
export function buildSessionSummary(
  session: SessionId,
  events: readonly Event[],
  tasks: readonly SessionTask[],
  episodes: readonly FailureEpisode[],
): Memory | undefined {
  const [first] = events
  const last = events.at(-1)
  const prompts = tasks.flatMap(({ prompt }) => (prompt && prompt.text.trim().length > 3 ? [prompt] : []))
  const calls = listCallResults(events)
  if (!first || !last || (prompts.length === 0 && calls.length === 0)) return undefined
  const edited = listEditedFiles(events)
  const open = listOpenIssues(tasks, episodes)
  const lines = prompts.slice(0, PROMPTS_MAX).map((prompt) => `asked: ${firstLine(prompt.text.trim(), 160)}`)
  if (prompts.length > PROMPTS_MAX) lines.push(`… and ${prompts.length - PROMPTS_MAX} prompts more`)
  if (edited.length > 0) lines.push(`Changed: ${formatFiles(edited)}`)
  const checks = describeChecks(events)
  if (checks.length > 0) lines.push(`Checks: ${checks.join(', ')}`)
  const fixes = episodes.flatMap(({ fix }) => fix ?? [])
  for (const fix of fixes.slice(-3)) lines.push(`Mended: ${formatFix(fix)}`)
  const answer = splitSentences(findLastAnswer(events)).slice(0, 2).join(' ')
  if (answer) lines.push(`In the end: ${firstLine(answer, 300)}`)
  for (const issue of open) lines.push(`Left open: ${issue}`)
  return newMemory({
    id: deriveMemoryId('summary', session),
    kind: 'summary',
    content: truncateMiddle(lines.join('\n'), CONTENT_CHARS_MAX),
    created: first.at,
    updated: last.at,
    session,
    files: listTouchedFiles(events).slice(0, 40),
    branch: findLastBranch(events),
    outcome: inferOutcome(events),
    trust: 'user',
    editedFiles: edited.slice(0, EDITED_FILES_MAX),
    leftOpen: open,
    counts: { prompts: prompts.length, calls: calls.length },
    events: [first.id, last.id],
  })
}

/** The summary of a session that went on after it had been summarized: new text is appended, the known text stays. */
export function mergeSessionSummaries(known: Memory, later: Memory): Memory {
  return {
    ...known,
    content: truncateMiddle(`${known.content}\n${later.content}`, CONTENT_CHARS_MAX),
    updated: later.updated,
    files: [...new Set([...later.files, ...known.files])].slice(0, 40),
    branch: later.branch ?? known.branch,
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

/** What the session did not finish: failures without a fix, and a last prompt without an answer; the last four. */
function listOpenIssues(tasks: readonly SessionTask[], episodes: readonly FailureEpisode[]): string[] {
  const issues = episodes
    .filter(({ fix }) => !fix)
    .map(({ lastFailure }) => {
      const call = firstLine(callCommand(lastFailure) || lastFailure.tool, 80)
      return `${call}: ${firstLine(salientLine(lastFailure.error), 140)}`
    })
  const last = tasks.at(-1)
  const isAnswered = last?.events.some((event) => event.kind === 'answer')
  if (last?.prompt && !isAnswered) issues.push(`not answered: ${firstLine(last.prompt.text.trim(), 140)}`)
  return issues.slice(-4)
}

/** The last five check commands, each with how it ended last. */
function describeChecks(events: readonly Event[]): string[] {
  const results = new Map<string, string>()
  for (const call of listCallResults(events)) {
    const command = callCommand(call)
    if (isCheckCommand(command)) results.set(commandFamily(command), call.kind === 'call.failed' ? 'failed' : 'passed')
  }
  return [...results].slice(-5).map(([name, result]) => `\`${name}\` ${result}`)
}

function findLastBranch(events: readonly Event[]): string | undefined {
  const branches = events.flatMap((event) =>
    event.kind === 'prompt' || event.kind === 'session.started' ? event.branch || [] : [],
  )
  return branches.at(-1)
}

const formatFiles = (files: readonly string[]): string =>
  files.length > FILES_MAX
    ? `${files.slice(0, FILES_MAX).join(', ')} and ${files.length - FILES_MAX} more`
    : files.join(', ')
