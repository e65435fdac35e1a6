// Timed release: private → agent-only → public, by the policy's days. Each step is an event of the log, so that who may see a memory,
// and since when, can be looked up and is the same after a rebuild.
import type { Memory } from '../model/memory.ts'
import type { Privacy, PrivacyReleaseDays } from '../model/privacy.ts'
import { MemoryTable, toMemoryTable } from './memoryTable.ts'
import { updateMonthlyRollups } from './monthlyRollup.ts'
import type { MemoryMap } from './sessionSlice.ts'

const DAY_MS = 86_400_000

/** One step of one memory. */
export interface PrivacyRelease {
  readonly memory: Memory['id']
  readonly from: Privacy
  readonly to: Privacy
  /** The moment it opened, ISO: the next step counts from there, whenever somebody looks. */
  readonly opened: string
}

/** The steps that are due, a memory's in their order. `now` in milliseconds since 1970. */
export function listDueReleases(known: MemoryMap, days: PrivacyReleaseDays, now: number): PrivacyRelease[] {
  const due: PrivacyRelease[] = []
  for (const memory of toMemoryTable(known).listNonPublic()) {
    let { privacy } = memory
    let since = privacySinceMs(memory)
    for (let step = stepFrom(privacy, days); step; step = stepFrom(privacy, days)) {
      const opened = since + step.days * DAY_MS
      if (opened > now) break
      due.push({ memory: memory.id, from: privacy, to: step.to, opened: new Date(opened).toISOString() })
      privacy = step.to
      since = opened
    }
  }
  return due
}

/** The memories a step changes: the one released, and its month's summary where it is folded into that from now on. */
export function applyRelease(
  known: MemoryMap,
  { memory: id, from, to, opened }: PrivacyRelease,
  now: number,
): Memory[] {
  const memory = known.get(id)
  if (memory?.privacy !== from) return []
  const open = { ...memory, privacy: to, privacySince: opened }
  return [open, ...updateMonthlyRollups(toMemoryTable(known), new Map([[id, open]]), now)]
}

/** What opened where a log of the first version says no more than that it was organised, as it opened then. */
export function applyUnloggedReleases(known: MemoryMap, days: PrivacyReleaseDays, now: number): Memory[] {
  const due = listDueReleases(known, days, now)
  if (due.length === 0) return []
  const opened = new MemoryTable(known.values())
  const changed = new Map<string, Memory>()
  for (const step of due) {
    const privacySince = opened.get(step.memory)?.privacySince
    for (const one of applyRelease(opened, step, now)) {
      const memory = one.id === step.memory && step.to === 'public' ? { ...one, privacySince } : one
      opened.set(memory.id, memory)
      changed.set(memory.id, memory)
    }
  }
  return [...changed.values()]
}

function stepFrom(
  privacy: Privacy,
  days: PrivacyReleaseDays,
): { readonly to: Privacy; readonly days: number } | undefined {
  const step =
    privacy === 'private'
      ? { to: 'agent-only' as const, days: days.privateToAgentOnly }
      : { to: 'public' as const, days: privacy === 'agent-only' ? days.agentOnlyToPublic : undefined }
  return typeof step.days === 'number' ? { to: step.to, days: step.days } : undefined
}

/** Since when it has been as open as it is, in milliseconds since 1970: its beginning, unless its privacy was set or released later. */
function privacySinceMs(memory: Memory): number {
  return Date.parse(memory.privacySince ?? memory.created)
}

/**
 * A memory as a door puts it into the store at `at`, ISO. What is not open to all counts its days from there, and not from a beginning
 * that lies in another store's past; what the door's caller says of it counts for nothing. `before` is the one it takes the place of.
 */
export function stampPrivacySince(memory: Memory, before: Memory | undefined, at: string): Memory {
  const since = sinceFor(memory, before, at)
  return memory.privacySince === since ? memory : { ...memory, privacySince: since }
}

function sinceFor(memory: Memory, before: Memory | undefined, at: string): string | undefined {
  if (before?.privacy === memory.privacy) return before.privacySince
  if (memory.privacy === 'public') return undefined
  return before !== undefined || memory.created < at ? at : undefined
}
