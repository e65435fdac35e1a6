// Triggers as a person or an agent types them:
//
//   start                              at every start
//   Bash: npm install, not pnpm        before a call of this tool; `call:` for any tool
//   failure: ENOENT, prices.json       at an error with these texts
//   prompt: deploy                     at a prompt with these words
import { FRAGMENT_CHARS_MAX, FRAGMENTS_MAX, TRIGGERS_MAX, type Trigger } from '../model/knowledge.ts'
import { MemoryError } from '../model/memoryError.ts'

const HINT = 'Write it as `Bash: npm install, not pnpm`, `failure: TEXT`, `prompt: WORD` or `start`.'

/** Throws INPUT_INVALID, which names what is wrong. */
export function parseWhen(texts: readonly string[]): Trigger[] {
  if (texts.length > TRIGGERS_MAX) fail(`${texts.length} triggers, ${TRIGGERS_MAX} at most`)
  return texts.map(parseTrigger)
}

function parseTrigger(text: string): Trigger {
  if (/^\s*start\s*$/i.test(text)) return { at: 'start' }
  const [, place, list = ''] = /^\s*([\w|]+)\s*:([\s\S]*)$/.exec(text) ?? []
  if (place === undefined) return fail(`“${text}” does not say when`)
  const parts = list
    .split(/,\s+/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const unless = parts.flatMap((part) => /^not\s+(.+)$/i.exec(part)?.[1] ?? [])
  const has = parts.filter((part) => !/^not\s+/i.test(part))
  if (has.length === 0) return fail(`“${text}” names no text to look for`)
  if (parts.length > FRAGMENTS_MAX) return fail(`“${text}” names ${parts.length} texts, ${FRAGMENTS_MAX} at most`)
  const long = parts.find((part) => part.length > FRAGMENT_CHARS_MAX)
  if (long !== undefined) return fail(`“${long}” has ${long.length} characters, ${FRAGMENT_CHARS_MAX} at most`)
  const moment = place.toLowerCase()
  const fragments = { has, ...(unless.length > 0 && { unless }) }
  if (moment === 'failure' || moment === 'prompt') return { at: moment, ...fragments }
  return { at: 'call', ...(moment !== 'call' && { tool: place }), ...fragments }
}

function fail(what: string): never {
  throw new MemoryError('INPUT_INVALID', what, { hint: HINT })
}
