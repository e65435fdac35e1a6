// Experience: one task of the main conversation in a few lines. What was asked, in one clause; what came of it; which
// files were changed.
import { type Memory, newMemory } from '../model/memory.ts'
import { listCallResults, type SessionTask } from '../model/sessionTask.ts'
import { firstLine } from '../text/excerpt.ts'
import { removePasted } from '../text/pastedText.ts'
import { describeFiles } from './changedFiles.ts'
import { describeChecks, listCheckStates } from './checkStates.ts'
import { deriveMemoryId } from './derivedId.ts'
import { answerBeginning, inferOutcome, listEditedFiles, listTouchedFiles } from './taskFacts.ts'
import { describeTask } from './taskReport.ts'
import { describeProducts, listWorkResults } from './workResults.ts'

/** A prompt up to this length ("yes", "go on") means nothing by itself. */
const SHORT_PROMPT_CHARS = 15

/** A task, the one before it, whose offer a "yes" accepts, and the one after it, which may judge it. */
interface TaskInSession {
  readonly task: SessionTask
  readonly before: SessionTask | undefined
  readonly next: SessionTask | undefined
}

/** The memory of a task of the main conversation; undefined for a prompt that means nothing by itself. */
export function extractExperience({ task, before, next }: TaskInSession): Memory | undefined {
  const prompt = task.prompt
  const calls = listCallResults(task.events)
  if (!prompt || (prompt.text.trim().length <= SHORT_PROMPT_CHARS && calls.length === 0)) return undefined
  const { request, result, files } = describeTask(task, before)
  const results = listWorkResults(task.events)
  const produced = describeProducts(results)
  const failing = listCheckStates(calls).filter(({ passed }) => !passed)
  const said = [request, produced || result].filter(Boolean).join(' → ')
  const details = [
    ...(files.length > 0 ? [`Changed ${describeFiles(files)}`] : []),
    ...(failing.length > 0 ? [`At its end: ${describeChecks(failing)}`] : []),
  ]
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
