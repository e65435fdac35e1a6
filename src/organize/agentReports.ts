// The report of a subagent as an experience of its role: the task that it was given, how it ended, and the lessons that
// it states. At first only agents of the same role see it. Lessons are shown unasked; a report without any is found by
// searches only. The report of a compaction has no role, and a blank one says nothing: neither is a memory.
import {
  type CallResult,
  callCommand,
  type Event,
  type EventOf,
  isAgentCall,
  isCallResult,
  roleOfAgent,
} from '../model/event.ts'
import { AGENT_REPORT_TAG, type Memory, newMemory, type Outcome } from '../model/memory.ts'
import { asText, type SessionTask } from '../model/sessionTask.ts'
import { findReportedOutcome, findReportLessons } from '../text/agentReport.ts'
import { isCheckCommand } from '../text/command.ts'
import { firstLine, splitSentences } from '../text/excerpt.ts'
import { requestClause } from '../text/taskSentences.ts'
import { deriveMemoryId } from './derivedId.ts'
import { listEditedFiles, listTouchedFiles } from './experience.ts'

/** Sentences of a report that are its content, with their length. */
const SENTENCES_MAX = 5
const REPORT_CHARS_MAX = 800

/** Characters of the task, of which words find the report. */
const TASK_CHARS_MAX = 400

type AgentReport = EventOf<'agent.stopped'>

/** One memory for each subagent that reported something. An agent that was resumed has reported several times. */
export function extractAgentReports(tasks: readonly SessionTask[]): Memory[] {
  const events = tasks.flatMap((task) => task.events)
  const prompts = matchPrompts(events)
  const byAgent = new Map<string, Memory>()
  for (const task of tasks) {
    for (const event of task.events) {
      if (event.kind !== 'agent.stopped' || event.role === 'main' || event.text.trim() === '') continue
      const prompt = prompts.get(event.agentId ?? '')
      const report = buildReport(event, events, task, prompt)
      const earlier = byAgent.get(report.id)
      byAgent.set(report.id, earlier ? { ...report, lessons: mergeLessons(earlier, report) } : report)
    }
  }
  return [...byAgent.values()]
}

/** The lessons of both, the later ones first. */
export const mergeLessons = (earlier: Memory, later: Memory): string[] => [
  ...new Set([...later.lessons, ...earlier.lessons]),
]

/** What an agent was asked to do: `description` in a few words, `prompt` in full. */
type AgentPrompt = Readonly<{ description: string; prompt: string }>

function buildReport(
  stopped: AgentReport,
  events: readonly Event[],
  task: SessionTask,
  prompt: AgentPrompt | undefined,
): Memory {
  const { id, at, session, agentId, role, privacy, text } = stopped
  const own = agentId === undefined ? [stopped] : events.filter((event) => event.agentId === agentId)
  // Not those of the event: sentences that repeat outside text are gone from the text by now.
  const lessons = findReportLessons(text)
  const request = prompt ? requestClause(prompt.prompt) || firstLine(prompt.description, 80) : ''
  const said = splitSentences(text).slice(0, SENTENCES_MAX).join(' ')
  const beginning = firstLine(said, REPORT_CHARS_MAX) || firstLine(text, REPORT_CHARS_MAX)
  return newMemory({
    id: deriveMemoryId('report', session, agentId ?? id),
    kind: 'experience',
    content: request === '' ? beginning : `${request} → ${beginning}`,
    lessons,
    searchText: prompt && `${firstLine(prompt.prompt.trim().replace(/\s+/g, ' '), TASK_CHARS_MAX)}\n${role}`,
    searchOnly: lessons.length === 0 ? true : undefined,
    created: at,
    session,
    taskId: task.id,
    agentId,
    role,
    files: listTouchedFiles(own).slice(0, 20),
    branch: task.prompt?.branch,
    outcome: inferReportOutcome(stopped, own.filter(isCallResult)),
    privacy,
    tags: [AGENT_REPORT_TAG],
    editedFiles: listEditedFiles(own).slice(0, 20),
    events: own.slice(-20).map((event) => event.id),
  })
}

/** A check that fails at the end is a failure, whatever the report says; else the report counts, then the check. */
function inferReportOutcome({ outcome, text }: AgentReport, calls: readonly CallResult[]): Outcome {
  const check = calls.findLast((call) => isCheckCommand(callCommand(call)))
  if (check?.outcome === 'failure') return 'failure'
  const reported = outcome === 'unknown' ? findReportedOutcome(text) : outcome
  return reported === 'unknown' ? (check?.outcome ?? 'unknown') : reported
}

/** The prompt of each agent by its id: agents of a type start in the order in which they were called. */
function matchPrompts(events: readonly Event[]): ReadonlyMap<string, AgentPrompt> {
  const open = new Map<string, { readonly type: string; readonly prompt: AgentPrompt }>()
  const found = new Map<string, AgentPrompt>()
  for (const event of events) {
    if (isAgentCall(event)) {
      const { subagent_type: type, description, prompt } = event.input
      open.set(event.call, { type: asText(type), prompt: { description: asText(description), prompt: asText(prompt) } })
    } else if (isCallResult(event)) {
      open.delete(event.call)
    } else if (event.kind === 'agent.started' && event.agentId !== undefined && !found.has(event.agentId)) {
      const [call, task] = [...open].find(([, { type }]) => type === '' || roleOfAgent(type) === event.role) ?? []
      if (call === undefined || task === undefined) continue
      open.delete(call)
      found.set(event.agentId, task.prompt)
    }
  }
  return found
}
