// One item of a session's digest: who said it, what it is about, and the events it was made from.
import type { EventId } from '../model/id.ts'
import { removePasted } from '../text/pastedText.ts'

/** Kinds of items with the words of a person: a quote may come from these alone. */
const PERSON_KINDS = ['person', 'rejection', 'reply'] as const

/**
 * person: a prompt. rejection: the reason for rejecting a call. reply: the answer to the assistant's questions. plan: a
 * plan that the person approved. client: a text that the client wrote as a prompt. answer: the assistant's last message
 * of a turn. failed, passed: a call. ran: a command between a failure and what passed after it. changed: files.
 * committed: a commit or pull request.
 */
export type DigestItemKind =
  | (typeof PERSON_KINDS)[number]
  | 'plan'
  | 'client'
  | 'answer'
  | 'failed'
  | 'passed'
  | 'ran'
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
  /** Of a failure, if its error says which one it is. */
  readonly signature?: string
  /** Of a check that complained: the rules that its findings name, as the check writes them. */
  readonly rules?: readonly string[]
  /** ISO time of the first event. */
  readonly at: string
}

/** Whether an item has the words of a person. */
export const isOfPerson = (kind: DigestItemKind): boolean => PERSON_KINDS.some((name) => name === kind)

/** What a person typed in an item: not what they pasted, not the assistant's questions or plan. */
export function ownWords({ kind, text }: DigestItem): string {
  if (!isOfPerson(kind)) return ''
  if (kind === 'reply')
    return [...text.matchAll(/"="((?:[^"\\]|\\.|"(?!\s*[,.]))*)"/g)].map(([, answer]) => answer).join('\n')
  return removePasted(text, true)
}
