// Where a text reached the model. Look for the text, never for a position: the client puts a hook's context into
// a system message, a user message or a reminder, depending on its version and the model.

import { type ApiRequest, type Block, plainText } from './scriptedApi.ts'

export interface Sighting {
  /** The request's place among all, from 0. */
  readonly request: number
  readonly route: string
  readonly role: string
  /** The kind of block: text or tool_result. */
  readonly kind: string
  /** The line the text stands in, at most 240 characters of it. */
  readonly line: string
}

/** Every first sighting of `text`, in order. A conversation repeats itself in each later request; that is one sighting. */
export function findSightings(requests: readonly ApiRequest[], text: string | RegExp): readonly Sighting[] {
  const seen = new Set<string>()
  return requests.flatMap(({ route, body }, request) =>
    [{ role: 'system', content: body.system ?? '' }, ...body.messages].flatMap(({ role, content }, message) =>
      blocksOf(content).flatMap((block) =>
        plainText([block])
          .split('\n')
          .filter((line) => (typeof text === 'string' ? line.includes(text) : text.test(line)))
          .filter((line) => isNew(seen, [route, message, line].join('\0')))
          .map((line) => ({ request, route, role, kind: block.type, line: line.slice(0, 240) })),
      ),
    ),
  )
}

export interface InjectedContext {
  /** The place among all requests of the first one that carries it, from 0. */
  readonly request: number
  readonly route: string
  readonly text: string
}

/** What the hooks of one event (`SessionStart`, `PostToolUseFailure`, …) have told the model, each text once, in order. */
export function findInjectedContexts(requests: readonly ApiRequest[], event: string): readonly InjectedContext[] {
  const seen = new Set<string>()
  return requests.flatMap(({ route, body }, request) =>
    body.messages.flatMap(({ content }, message) =>
      [...plainText(content).matchAll(CONTEXT)]
        .filter((match) => match[1] === event)
        .map((match) => (match[2] ?? '').trim())
        .filter((text) => isNew(seen, [route, message, text].join('\0')))
        .map((text) => ({ request, route, text })),
    ),
  )
}

// "PreToolUse:Bash hook additional context: …" up to the next such lead-in or the end of the reminder or message.
const CONTEXT =
  /(\w+)(?::\S+)? hook additional context: ([\s\S]*?)(?=\w+(?::\S+)? hook additional context: |<\/system-reminder>|$)/g

function blocksOf(content: string | readonly Block[]): readonly Block[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

function isNew(seen: Set<string>, key: string): boolean {
  return seen.size < seen.add(key).size
}
