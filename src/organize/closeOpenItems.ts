// What an earlier session left open is closed when a later one shows that it is done: its failing check passes, or the
// step that failed went through.
import type { CallResult } from '../model/event.ts'
import type { Memory } from '../model/memory.ts'
import { listCheckStates } from './checkStates.ts'
import type { MemoryTable } from './memoryTable.ts'
import { listFinishingSteps } from './openItems.ts'

/** Earlier sessions of which summaries are looked at: a start shows the last work of a week. */
const SUMMARIES_MAX = 12

/** The summaries of other sessions with an item that these calls close, each complete. */
export function closeOpenItems(session: string, calls: readonly CallResult[], known: MemoryTable): Memory[] {
  const done = new Set([
    ...listCheckStates(calls).flatMap(({ name, passed }) => (passed ? [name] : [])),
    ...listFinishingSteps(calls).flatMap(({ name, call }) => (call.kind === 'call.succeeded' ? [name] : [])),
  ])
  if (done.size === 0) return []
  return known.listRecent('summary', SUMMARIES_MAX, new Set()).flatMap((memory) => {
    const open = memory.leftOpen ?? []
    const left = open.filter((item) => !isDone(item, done))
    if (memory.session === session || left.length === open.length) return []
    return { ...memory, leftOpen: left, content: withoutItems(memory.content, done) }
  })
}

const FAILS = /^(.+?) fails?(?::|$)/

const isDone = (item: string, done: ReadonlySet<string>): boolean => done.has(FAILS.exec(item)?.[1] ?? '')

/** The first line and the lines of what was left open, without these items. */
function withoutItems(content: string, done: ReadonlySet<string>): string {
  const lines = content
    .split('\n')
    .filter((line) => !isDone(line.replace(/^Open: /, ''), line.startsWith('Open: ') ? done : NOTHING))
  const [first = '', ...rest] = lines
  const item = /; open: ([^;]*)$/.exec(first)?.[1]
  return [item !== undefined && isDone(item, done) ? first.replace(/; open: [^;]*$/, '') : first, ...rest].join('\n')
}

const NOTHING: ReadonlySet<string> = new Set()
