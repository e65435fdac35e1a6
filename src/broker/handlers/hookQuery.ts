// A hook's event as a cue: what a recall is asked with at each moment, and for whom.

import type { Event } from '../../model/event.ts'
import type { RecallMoment, RecallQuery } from '../../model/recallQuery.ts'
import { salientLine } from '../../text/errorSignature.ts'
import { firstLine } from '../../text/excerpt.ts'
import { findFilePaths } from '../../text/filePaths.ts'

/** Characters of a text that a cue asks with: a prompt's first ones say what it is about. */
const CUE_CHARS_MAX = 2_000

/** Characters of an edit's new text: a glimpse of what is being written. */
const EDIT_CHARS_MAX = 300

export function buildHookQuery(moment: RecallMoment, event: Event, now: number, branch?: string): RecallQuery {
  const call = event.kind === 'call.started' || event.kind === 'call.failed' || event.kind === 'call.succeeded'
  return {
    moment,
    text: wordsOf(event).slice(0, CUE_CHARS_MAX),
    files: call ? event.files : event.kind === 'prompt' ? findFilePaths(event.text).slice(0, 12) : [],
    tool: call ? event.tool : undefined,
    commandShape: call ? event.commandShape : undefined,
    errorSignature: event.kind === 'call.failed' ? event.errorSignature : undefined,
    branch: event.kind === 'prompt' || event.kind === 'session.started' ? (event.branch ?? branch) : branch,
    taskId: event.taskId,
    session: event.session,
    viewer: { role: event.role, agentId: event.agentId, session: event.session },
    now,
  }
}

function wordsOf(event: Event): string {
  switch (event.kind) {
    case 'prompt':
      return event.text
    case 'call.failed':
      return `${callWords(event.input)}\n${firstLine(salientLine(event.error), 400)}`
    case 'call.started':
    case 'call.succeeded':
      return callWords(event.input)
    default:
      return ''
  }
}

/** A command, a pattern, a task for an agent; of an edit a glimpse. */
function callWords(input: Readonly<Record<string, unknown>>): string {
  const { command, description, prompt, pattern, skill, new_string, content } = input
  const edit = [new_string, content].map((text) =>
    typeof text === 'string' ? text.slice(0, EDIT_CHARS_MAX) : undefined,
  )
  return [command, description, prompt, pattern, skill, ...edit].filter((text) => typeof text === 'string').join('\n')
}
