// The items of a session's digest: what the person said, what the assistant answered, what failed and what worked, in
// order. Only events that everyone in the project may see; every text is redacted again.
import { type CallResult, callCommand, EDIT_TOOLS, type Event, isCallResult } from '../model/event.ts'
import type { EventId } from '../model/id.ts'
import { isClientPrompt } from '../text/clientPrompt.ts'
import { commandFamily, isCheckCommand } from '../text/command.ts'
import { isGenericError, salientLine } from '../text/errorSignature.ts'
import { firstLine } from '../text/excerpt.ts'

/** Kinds of items with the words of a person: a quote may come from these alone. */
const PERSON_KINDS = ['person', 'rejection', 'reply', 'plan'] as const

/**
 * person: a prompt. rejection: the reason for rejecting a call. reply: the answer to the assistant's questions. plan: a
 * plan that the person approved. client: a text that the client wrote as a prompt. answer: the assistant's last message
 * of a turn. failed, passed: a call. changed: files. committed: a commit or pull request.
 */
export type DigestItemKind =
  | (typeof PERSON_KINDS)[number]
  | 'client'
  | 'answer'
  | 'failed'
  | 'passed'
  | 'changed'
  | 'committed'

export interface DigestItem {
  readonly kind: DigestItemKind
  /** What it is about, for the heading: `Edit src/a.ts`. May be empty. */
  readonly subject: string
  /** Redacted, at its full length. */
  readonly text: string
  /** The events it was made from, oldest first. */
  readonly events: readonly EventId[]
  /** ISO time of the first event. */
  readonly at: string
}

export const isPersonItem = ({ kind }: DigestItem): boolean => (PERSON_KINDS as readonly string[]).includes(kind)

/** The items of these events, in order. `redact` removes secrets. */
export function listDigestItems(events: readonly Event[], redact: (text: string) => string): DigestItem[] {
  const items: DigestItem[] = []
  const outcomes: Outcomes = new Map()
  for (const event of events) {
    if (event.privacy !== 'public') continue
    const item = itemOf(event, outcomes)
    if (!item) continue
    const last = items.at(-1)
    const { kind, subject } = item
    const text = redact(item.text).trim()
    if (kind === 'changed' && last?.kind === 'changed') items[items.length - 1] = mergeChanges(last, text, event.id)
    else if (text !== '') items.push({ kind, subject: redact(subject), text, events: [event.id], at: event.at })
  }
  return items
}

/** How the last call of each shape ended: what keeps on passing is not repeated. */
type Outcomes = Map<string, 'failed' | 'passed'>

type Draft = Pick<DigestItem, 'kind' | 'subject' | 'text'>

function itemOf(event: Event, outcomes: Outcomes): Draft | undefined {
  if (event.kind === 'prompt') return promptItem(event.text)
  if (event.kind === 'answer') return { kind: 'answer', subject: '', text: event.text }
  return isCallResult(event) ? callItem(event, outcomes) : undefined
}

const APPROVED_PLAN = /^\s*Implement the following plan/

function promptItem(text: string): Draft {
  if (APPROVED_PLAN.test(text)) return { kind: 'plan', subject: '', text }
  return { kind: isClientPrompt(text) ? 'client' : 'person', subject: '', text }
}

function callItem(call: CallResult, outcomes: Outcomes): Draft | undefined {
  const subject = describeCall(call)
  const shape = call.commandShape ?? `${call.tool} ${call.files[0] ?? ''}`
  if (call.kind === 'call.failed') {
    const reason = rejectionReason(call.error)
    if (reason !== undefined) return { kind: 'rejection', subject, text: reason }
    if (REFUSED.test(call.error)) return { kind: 'failed', subject, text: 'the person rejected it, without a reason' }
    // A file that was not read, a cancelled sibling: nothing to learn from.
    if (call.interrupted || isGenericError(call.error)) return undefined
    outcomes.set(shape, 'failed')
    return { kind: 'failed', subject, text: salientLine(call.error) || firstLine(call.error, 200) }
  }
  const before = outcomes.get(shape)
  outcomes.set(shape, 'passed')
  const plan = call.input['plan']
  if (call.tool === 'ExitPlanMode' && typeof plan === 'string') return { kind: 'plan', subject: '', text: plan }
  if (call.tool === 'AskUserQuestion') return { kind: 'reply', subject: '', text: call.output }
  if (EDIT_TOOLS.has(call.tool)) return { kind: 'changed', subject: '', text: call.files[0] ?? '' }
  const command = callCommand(call)
  const published = PUBLISHED.exec(command)?.[1]
  if (published !== undefined) return { kind: 'committed', subject: '', text: firstLine(published, 160) }
  // That a call passed is worth a line if it failed before, or if it checks the work.
  const isNews = before === 'failed' || (before === undefined && isCheckCommand(command))
  if (command === '' || !isNews) return undefined
  return { kind: 'passed', subject: '', text: firstLine(command, 160) || commandFamily(command) }
}

/** The message of a commit or the title of a pull request; here-documents too. */
const PUBLISHED = new RegExp(
  [
    /\b(?:git commit\b[^\n]*?\s-[a-z]*m|gh pr (?:create|edit)\b[^\n]*?--title)/.source,
    /[= ]+(?:"\$\(cat <<\s*'?\w+'?\n|["'])([^"'\n]+)/.source,
  ].join(''),
)

const REFUSED = /^The user doesn't want to proceed with this tool use\./
/** What the client writes before the reason of a rejection. */
const REJECTED = /^The user doesn't want to proceed with this tool use\.[\s\S]*?the user said:\s*([\s\S]+)$/

function rejectionReason(error: string): string | undefined {
  return REJECTED.exec(error)?.[1]?.trim()
}

function describeCall(call: CallResult): string {
  const command = firstLine(callCommand(call), 160)
  return command ? `\`${command}\`` : [call.tool, call.files[0] ?? ''].join(' ').trim()
}

const CHANGED_FILES_MAX = 12

function mergeChanges(before: DigestItem, file: string, event: EventId): DigestItem {
  const files = before.text.split(', ')
  if (file === '' || files.includes(file) || files.length >= CHANGED_FILES_MAX) return before
  return { ...before, text: [...files, file].join(', '), events: [...before.events, event] }
}
