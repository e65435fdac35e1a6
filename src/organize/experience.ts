// Experience: one task in a few lines. What the user asked for, what was changed, what was run, how it ended.
import { callCommand, type EventOf } from '../model/event.ts'
import { type Memory, newMemory } from '../model/memory.ts'
import { listCallResults, type SessionTask } from '../model/sessionTask.ts'
import { isCheckCommand } from '../text/command.ts'
import { firstLine, splitSentences } from '../text/excerpt.ts'
import { deriveMemoryId } from './derivedId.ts'
import { findLastAnswer, inferOutcome, listEditedFiles, listTouchedFiles } from './taskFacts.ts'

/** A prompt up to this length ("yes", "go on") means nothing by itself. */
const SHORT_PROMPT_CHARS = 15

/** The memories of a task: that of the main conversation, and one for the report of each subagent. */
export function extractExperiences(task: SessionTask, next: SessionTask | undefined): Memory[] {
  const main = mainExperience(task, next)
  const reports = task.events.flatMap((event) => (event.kind === 'agent.stopped' ? subagentReports(task, event) : []))
  return main ? [main, ...reports] : reports
}

function mainExperience(task: SessionTask, next: SessionTask | undefined): Memory | undefined {
  const prompt = task.prompt
  const calls = listCallResults(task.events)
  if (!prompt || (prompt.text.trim().length <= SHORT_PROMPT_CHARS && calls.length === 0)) return undefined
  const edited = listEditedFiles(task.events)
  const answer = splitSentences(findLastAnswer(task.events)).slice(0, 2).join(' ')
  const lines = [firstLine(prompt.text.trim().replace(/\s+/g, ' '), 400)]
  if (edited.length > 0) lines.push(`Changed ${edited.slice(0, 8).join(', ')}.`)
  const commands = describeCommands(task)
  if (commands.length > 0) lines.push(`Ran ${commands.join(', ')}.`)
  if (answer) lines.push(firstLine(answer, 300))
  return newMemory({
    id: deriveMemoryId('experience', prompt.session, prompt.id),
    kind: 'experience',
    content: lines.join('\n'),
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
    editedFiles: edited.slice(0, 20),
    events: task.events.slice(-20).map((event) => event.id),
  })
}

/** A subagent's last text as an experience of its role, at first visible only to that role. None for a blank text. */
function subagentReports(task: SessionTask, stopped: EventOf<'agent.stopped'>): Memory[] {
  if (!stopped.text.trim()) return []
  const agentEvents = task.events.filter((event) => event.agentId === stopped.agentId)
  const report = newMemory({
    id: deriveMemoryId('report', stopped.session, stopped.agentId ?? stopped.id),
    kind: 'experience',
    content: firstLine(splitSentences(stopped.text).slice(0, 5).join(' '), 800) || firstLine(stopped.text, 800),
    created: stopped.at,
    session: stopped.session,
    taskId: task.id,
    agentId: stopped.agentId,
    role: stopped.role,
    files: listTouchedFiles(agentEvents).slice(0, 20),
    privacy: stopped.privacy,
    tags: ['subagent'],
    events: agentEvents.slice(-20).map((event) => event.id),
  })
  return [report]
}

/** The last five check commands and failed commands, each with how it ended last. */
function describeCommands(task: SessionTask): string[] {
  const results = new Map<string, string>()
  for (const call of listCallResults(task.events)) {
    const command = callCommand(call)
    if (!command || (call.kind === 'call.succeeded' && !isCheckCommand(command))) continue
    const name = call.commandShape ?? firstLine(command, 80)
    results.delete(name) // Deleted first, so that the map is in the order of the last runs.
    results.set(name, `\`${name}\` ${call.kind === 'call.failed' ? 'failed' : 'passed'}`)
  }
  return [...results.values()].slice(-5)
}
