// Experience: one task, told in few lines. What was asked, what was changed, what was run, how it ended.
import { callCommand, type EventOf } from '../model/event.ts'
import { type Memory, newMemory } from '../model/memory.ts'
import { isCheckCommand } from '../text/command.ts'
import { firstLine, splitSentences } from '../text/excerpt.ts'
import { deriveMemoryId } from './derivedId.ts'
import {
  findLastAnswer,
  inferOutcome,
  listCallResults,
  listEditedFiles,
  listTouchedFiles,
  type SessionTask,
} from './sessionTask.ts'

/** A prompt this short ("yes", "go on") says nothing by itself. */
const TELLING_CHARS = 15

/** The memories of a task: the main conversation's, and what each subagent reported. */
export function extractExperiences(task: SessionTask, next: SessionTask | undefined): Memory[] {
  const main = experienceOf(task, next)
  return [...(main ? [main] : []), ...reportsOf(task)]
}

function experienceOf(task: SessionTask, next: SessionTask | undefined): Memory | undefined {
  const prompt = task.prompt
  const calls = listCallResults(task.events)
  if (!prompt || (prompt.text.trim().length <= TELLING_CHARS && calls.length === 0)) return undefined
  const edited = listEditedFiles(task.events)
  const answer = splitSentences(findLastAnswer(task.events)).slice(0, 2).join(' ')
  const lines = [firstLine(prompt.text.trim().replace(/\s+/g, ' '), 400)]
  if (edited.length > 0) lines.push(`Changed ${edited.slice(0, 8).join(', ')}.`)
  const commands = tellingCommands(task)
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

/** What a subagent said at its end is an experience of its role, and only agents of that role see it at first. */
function reportsOf(task: SessionTask): Memory[] {
  const stopped = task.events.filter((event): event is EventOf<'agent.stopped'> => event.kind === 'agent.stopped')
  return stopped.flatMap((stop) => {
    if (!stop.text.trim()) return []
    const own = task.events.filter((event) => event.agentId === stop.agentId)
    return [
      newMemory({
        id: deriveMemoryId('report', stop.session, stop.agentId ?? stop.id),
        kind: 'experience',
        content: firstLine(splitSentences(stop.text).slice(0, 5).join(' '), 800) || firstLine(stop.text, 800),
        created: stop.at,
        session: stop.session,
        taskId: task.id,
        agentId: stop.agentId,
        role: stop.role,
        files: listTouchedFiles(own).slice(0, 20),
        privacy: stop.privacy,
        tags: ['subagent'],
        events: own.slice(-20).map((event) => event.id),
      }),
    ]
  })
}

/** The commands worth telling: checks with how they ended, then others that went wrong; five at most. */
function tellingCommands(task: SessionTask): string[] {
  const told = new Map<string, string>()
  for (const call of listCallResults(task.events)) {
    const command = callCommand(call)
    if (!command || (call.kind === 'call.succeeded' && !isCheckCommand(command))) continue
    const name = call.commandShape ?? firstLine(command, 80)
    told.delete(name)
    told.set(name, `\`${name}\` ${call.kind === 'call.failed' ? 'failed' : 'passed'}`)
  }
  return [...told.values()].slice(-5)
}
