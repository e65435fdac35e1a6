// A session's summary: extractive and deterministic, made of what was asked, changed, checked, mended and left open.
import { callCommand, type Event } from '../model/event.ts'
import type { SessionId } from '../model/id.ts'
import { CONTENT_CHARS_MAX } from '../model/limits.ts'
import { type Memory, newMemory } from '../model/memory.ts'
import { commandFamily, isCheckCommand } from '../text/command.ts'
import { salientLine } from '../text/errorSignature.ts'
import { firstLine, splitSentences, truncateMiddle } from '../text/excerpt.ts'
import { deriveMemoryId } from './derivedId.ts'
import { type FailureEpisode, formatFix } from './failureEpisodes.ts'
import {
  findLastAnswer,
  inferOutcome,
  listCallResults,
  listEditedFiles,
  listTouchedFiles,
  type SessionTask,
} from './sessionTask.ts'

const PROMPTS_MAX = 6
const FILES_MAX = 15

/** Edited files kept of a session: search for related sessions reads them at every prompt. */
const EDITED_FILES_MAX = 60

/** The summary; undefined for a session in which nothing was asked and nothing done. */
export function buildSessionSummary(
  session: SessionId,
  events: readonly Event[],
  tasks: readonly SessionTask[],
  stories: readonly FailureEpisode[],
): Memory | undefined {
  const prompts = tasks.flatMap((task) => (task.prompt && task.prompt.text.trim().length > 3 ? [task.prompt] : []))
  if (prompts.length === 0 && listCallResults(events).length === 0) return undefined
  const edited = listEditedFiles(events)
  const open = openEnds(tasks, stories)
  const lines = prompts.slice(0, PROMPTS_MAX).map((prompt) => `asked: ${firstLine(prompt.text.trim(), 160)}`)
  if (prompts.length > PROMPTS_MAX) lines.push(`… and ${prompts.length - PROMPTS_MAX} prompts more`)
  if (edited.length > 0) lines.push(`Changed: ${listed(edited, FILES_MAX)}`)
  const checks = checksOf(events)
  if (checks.length > 0) lines.push(`Checks: ${checks.join(', ')}`)
  for (const story of stories.filter((one) => one.fix).slice(-3)) lines.push(`Mended: ${formatFix(story.fix!)}`)
  const answer = splitSentences(findLastAnswer(events)).slice(0, 2).join(' ')
  if (answer) lines.push(`In the end: ${firstLine(answer, 300)}`)
  for (const one of open) lines.push(`Left open: ${one}`)
  const first = events[0]!
  return newMemory({
    id: deriveMemoryId('summary', session),
    kind: 'summary',
    content: truncateMiddle(lines.join('\n'), CONTENT_CHARS_MAX),
    created: first.at,
    updated: events.at(-1)!.at,
    session,
    files: listTouchedFiles(events).slice(0, 40),
    branch: branchOf(events),
    outcome: inferOutcome(events),
    trust: 'user',
    editedFiles: edited.slice(0, EDITED_FILES_MAX),
    leftOpen: open,
    counts: { prompts: prompts.length, calls: listCallResults(events).length },
    events: [first.id, events.at(-1)!.id],
  })
}

/** A session that went on after it had been summed up: what was new is added, what was known stays. */
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
    counts: addCounts(known.counts, later.counts),
    events: [known.events[0]!, later.events.at(-1)!],
  }
}

/** What the session did not finish: failures without a fix, and a last prompt that was never answered. */
function openEnds(tasks: readonly SessionTask[], stories: readonly FailureEpisode[]): string[] {
  const open = stories.flatMap((story) => {
    const failed = story.failures.at(-1)!
    return story.fix
      ? []
      : [`${firstLine(callCommand(failed) || failed.tool, 80)}: ${firstLine(salientLine(failed.error), 140)}`]
  })
  const last = tasks.at(-1)
  const unanswered = last?.prompt && !last.events.some((event) => event.kind === 'answer')
  if (unanswered) open.push(`not answered: ${firstLine(last.prompt!.text.trim(), 140)}`)
  return open.slice(-4)
}

/** The check commands with how each ended last. */
function checksOf(events: readonly Event[]): string[] {
  const ended = new Map<string, string>()
  for (const call of listCallResults(events)) {
    const command = callCommand(call)
    if (isCheckCommand(command)) ended.set(commandFamily(command), call.kind === 'call.failed' ? 'failed' : 'passed')
  }
  return [...ended].slice(-5).map(([name, how]) => `\`${name}\` ${how}`)
}

function branchOf(events: readonly Event[]): string | undefined {
  const told = events.findLast((event) => (event.kind === 'prompt' || event.kind === 'session.started') && event.branch)
  return told?.kind === 'prompt' || told?.kind === 'session.started' ? told.branch : undefined
}

const listed = (names: readonly string[], most: number): string =>
  names.length > most ? `${names.slice(0, most).join(', ')} and ${names.length - most} more` : names.join(', ')

const addCounts = (a: Memory['counts'], b: Memory['counts']): Memory['counts'] => ({
  prompts: (a?.prompts ?? 0) + (b?.prompts ?? 0),
  calls: (a?.calls ?? 0) + (b?.calls ?? 0),
})
