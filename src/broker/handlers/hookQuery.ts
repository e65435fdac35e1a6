// The query of a hook's event: what it recalls at each moment, and for which viewer.
import type { Event } from '../../model/event.ts'
import type { RecallMoment, RecallQuery } from '../../model/recallQuery.ts'
import { salientLine } from '../../text/errorSignature.ts'
import { firstLine } from '../../text/excerpt.ts'
import { findFilePaths } from '../../text/filePaths.ts'
import { pastedErrorSignature } from '../../text/promptText.ts'

/** Characters of a query's text: the first ones of a prompt say what it is about. */
const QUERY_CHARS_MAX = 2_000

/** Characters of an edit's new text. */
const EDIT_CHARS_MAX = 300

export function buildHookQuery(moment: RecallMoment, event: Event, now: number, branch?: string): RecallQuery {
  const call = event.kind === 'call.started' || event.kind === 'call.failed' || event.kind === 'call.succeeded'
  return {
    moment,
    text: textOf(event).slice(0, QUERY_CHARS_MAX),
    files: call ? event.files : event.kind === 'prompt' ? findFilePaths(event.text).slice(0, 12) : [],
    tool: call ? event.tool : undefined,
    commandShape: call ? event.commandShape : undefined,
    errorSignature: errorSignatureOf(event),
    branch: event.kind === 'prompt' || event.kind === 'session.started' ? (event.branch ?? branch) : branch,
    taskId: event.taskId,
    session: event.session,
    viewer: { role: event.role, agentId: event.agentId, session: event.session },
    now,
  }
}

/** The error of a failed call, or one that a prompt quotes. */
function errorSignatureOf(event: Event): string | undefined {
  if (event.kind === 'prompt') return pastedErrorSignature(event.text)
  return event.kind === 'call.failed' ? event.errorSignature : undefined
}

function textOf(event: Event): string {
  switch (event.kind) {
    case 'prompt':
      return event.text
    case 'call.failed':
      return `${callText(event.input)}\n${firstLine(salientLine(event.error), 400)}`
    case 'call.started':
    case 'call.succeeded':
      return callText(event.input)
    default:
      return ''
  }
}

/** A command, a pattern, a task for an agent, or the beginning of an edit. */
function callText(input: Readonly<Record<string, unknown>>): string {
  const { command, description, prompt, pattern, skill, new_string, content } = input
  const edits = [new_string, content].map((text) =>
    typeof text === 'string' ? text.slice(0, EDIT_CHARS_MAX) : undefined,
  )
  return [command, description, prompt, pattern, skill, ...edits].filter((text) => typeof text === 'string').join('\n')
}
