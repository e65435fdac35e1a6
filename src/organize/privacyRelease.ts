// Timed release: private → agent-only → public, after the policy's days. Each step is an event of the log, so that who
// may see a memory, and since when, can be looked up and is the same after a rebuild.
import type { Memory, MemoryMap } from '../model/memory.ts'
import type { Privacy, PrivacyReleaseDays } from '../model/privacy.ts'
import { MemoryTable, toMemoryTable } from './memoryTable.ts'
import { updateMonthlyRollups } from './monthlyRollup.ts'

const DAY_MS = 86_400_000

/** One step of one memory. */
export interface PrivacyRelease {
  readonly memory: Memory['id']
  readonly from: Privacy
  readonly to: Privacy
  /** When the step was due, ISO: the days of the next step count from there, not from when it was applied. */
  readonly opened: string
}

/** The steps that are due; those of one memory in their order. `now` in milliseconds since 1970. */
export function listDueReleases(known: MemoryMap, days: PrivacyReleaseDays, now: number): PrivacyRelease[] {
  const due: PrivacyRelease[] = []
  for (const memory of toMemoryTable(known).listNonPublic()) {
    let { privacy } = memory
    // Since when the memory has had this privacy: since it was created, unless its privacy was set or released later.
    let since = Date.parse(memory.privacySince ?? memory.created)
    for (let step = nextStep(privacy, days); step; step = nextStep(privacy, days)) {
      const opened = since + step.days * DAY_MS
      if (opened > now) break
      due.push({ memory: memory.id, from: privacy, to: step.to, opened: new Date(opened).toISOString() })
      privacy = step.to
      since = opened
    }
  }
  return due
}

/** The memories that a step changes: the released one, and its month's rollup if it is now part of that. */
export function applyRelease(
  known: MemoryMap,
  { memory: id, from, to, opened }: PrivacyRelease,
  now: number,
): Memory[] {
  const memory = known.get(id)
  if (memory?.privacy !== from) return []
  const released = { ...memory, privacy: to, privacySince: opened }
  return [released, ...updateMonthlyRollups(toMemoryTable(known), new Map([[id, released]]), now)]
}

/** The memories released by a log of the first version, which has no release events: those due at that time. */
export function applyUnloggedReleases(known: MemoryMap, days: PrivacyReleaseDays, now: number): Memory[] {
  const due = listDueReleases(known, days, now)
  if (due.length === 0) return []
  const table = new MemoryTable(known.values())
  const changed = new Map<string, Memory>()
  for (const step of due) {
    const privacySince = table.get(step.memory)?.privacySince
    for (const released of applyRelease(table, step, now)) {
      const memory = released.id === step.memory && step.to === 'public' ? { ...released, privacySince } : released
      table.set(memory.id, memory)
      changed.set(memory.id, memory)
    }
  }
  return [...changed.values()]
}

/** Whether the policy will make it visible to more viewers: until then it is not archived. */
export const isReleasePending = ({ privacy }: Memory, days: PrivacyReleaseDays): boolean =>
  nextStep(privacy, days) !== undefined

/** The next step and the days until it; undefined for public memories and for a step that the policy turns off. */
function nextStep(privacy: Privacy, days: PrivacyReleaseDays): { to: Privacy; days: number } | undefined {
  const { privateToAgentOnly, agentOnlyToPublic } = days
  if (privacy === 'private' && typeof privateToAgentOnly === 'number')
    return { to: 'agent-only', days: privateToAgentOnly }
  if (privacy === 'agent-only' && typeof agentOnlyToPublic === 'number')
    return { to: 'public', days: agentOnlyToPublic }
  return undefined
}

/**
 * A memory as it is stored at `at`, ISO, by a tool or the library. The release days of a memory that is not public
 * count from that time, not from a creation time in another store; a `privacySince` set by the caller is ignored.
 * `before` is the memory that it replaces.
 */
export function stampPrivacySince(memory: Memory, before: Memory | undefined, at: string): Memory {
  const since = storedPrivacySince(memory, before, at)
  return memory.privacySince === since ? memory : { ...memory, privacySince: since }
}

function storedPrivacySince(memory: Memory, before: Memory | undefined, at: string): string | undefined {
  if (before?.privacy === memory.privacy) return before.privacySince
  if (memory.privacy === 'public') return undefined
  return before !== undefined || memory.created < at ? at : undefined
}
