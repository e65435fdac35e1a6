// Age: tiers, decay, expiry and the cap. By days elapsed, so that doing it twice changes nothing.
import { isSubjectToDecay, type Memory } from '../model/memory.ts'
import type { Policy } from '../model/policy.ts'
import { daysBetween } from '../model/strength.ts'
import { applyStrengthChange, decayChange } from '../model/strengthReducer.ts'
import { computeTier } from '../model/tier.ts'
import { type MemoryTable, toMemoryTable } from './memoryTable.ts'
import { updateMonthlyRollups } from './monthlyRollup.ts'
import type { MemoryMap } from './sessionSlice.ts'

/** Decay is counted in steps of a whole day at least: less is not worth rewriting a memory for. */
const DECAY_STEP_DAYS = 1

/** A working memory ends with its session. One whose session never said that it ended is let go after so many days without a change. */
const WORKING_DAYS = 7

const DAY_MS = 86_400_000

/** The memories that time has changed since they were last looked at, each whole. `now` in milliseconds since 1970. */
export function applyAging(known: MemoryMap, policy: Policy, now: number): Memory[] {
  const remembered = toMemoryTable(known)
  const changed = new Map<string, Memory>()
  for (const memory of remembered.listDueForAging(now, numbersOf(policy))) {
    const later = agedOne(memory, policy, now)
    if (later !== memory) changed.set(memory.id, later)
    else remembered.postponeAging(memory.id, nextMoment(memory, policy, now))
  }
  for (const memory of overTheCap(remembered, changed, policy, now)) changed.set(memory.id, memory)
  for (const memory of updateMonthlyRollups(remembered, changed, now)) changed.set(memory.id, memory)
  return [...changed.values()]
}

/** What time goes by, as one text. */
const numbersOf = ({ tiers, strength }: Policy): string => JSON.stringify([tiers, strength])

/** The first moment after `now` at which agedOne may find a memory changed that it finds unchanged at `now`. */
function nextMoment(memory: Memory, policy: Policy, now: number): number {
  const { hotDays, warmDays } = policy.tiers
  const moments = [hotDays, warmDays].map((days) => Date.parse(memory.created) + days * DAY_MS)
  if (memory.status === 'active') {
    if (memory.retention === 'working') moments.push(Date.parse(memory.updated) + WORKING_DAYS * DAY_MS)
    if (memory.expires !== undefined) moments.push(Date.parse(memory.expires))
    if (isSubjectToDecay(memory)) moments.push(decayedSince(memory) + DECAY_STEP_DAYS * DAY_MS)
  }
  return Math.min(...moments.filter((moment) => moment > now), Number.POSITIVE_INFINITY)
}

function agedOne(memory: Memory, policy: Policy, now: number): Memory {
  let later = moved(memory, policy, now)
  // In the archive only the tier goes on: a month's summary is made of what is cold.
  if (memory.status === 'archived') return later
  if (memory.expires !== undefined && Date.parse(memory.expires) <= now) return archived(later, now)
  if (memory.retention === 'working' && daysBetween(Date.parse(memory.updated), now) >= WORKING_DAYS) {
    return archived(later, now)
  }
  if (!isSubjectToDecay(memory)) return later
  later = weakened(later, policy, now)
  if (memory.archiveExempt) return later
  const folded = later.tier === 'cold' || (later.tier === 'warm' && later.importance < policy.tiers.keepWholeFrom)
  return folded || later.strength <= policy.strength.archiveAt ? archived(later, now) : later
}

/** The memory in the tier of its age. */
function moved(memory: Memory, policy: Policy, now: number): Memory {
  const tier = computeTier(daysBetween(Date.parse(memory.created), now), policy.tiers)
  return tier === memory.tier ? memory : { ...memory, tier }
}

const decayedSince = (memory: Memory): number => Date.parse(memory.lastDecayed ?? memory.lastUsed ?? memory.created)

/** Strength after the days since it was last used or decayed. */
function weakened(memory: Memory, policy: Policy, now: number): Memory {
  const since = decayedSince(memory)
  const days = Math.floor(daysBetween(since, now) / DECAY_STEP_DAYS) * DECAY_STEP_DAYS
  if (days < DECAY_STEP_DAYS) return memory
  // Whole days only: the part of a day that is left counts next time.
  const decayedTo = new Date(since + days * DAY_MS).toISOString()
  return applyStrengthChange(memory, decayChange(memory, policy.strength, days), decayedTo)
}

/** Over the cap the weakest experiences are archived first; the older of two equals goes. */
function overTheCap(known: MemoryTable, changed: ReadonlyMap<string, Memory>, policy: Policy, now: number): Memory[] {
  // Time wakes nothing: those active then are among those active now.
  const active = known.listDecayingExperiences().flatMap((memory) => {
    const current = changed.get(memory.id) ?? memory
    return current.status === 'active' ? [current] : []
  })
  const surplus = active.length - policy.tiers.experiencesMax
  if (surplus <= 0) return []
  active.sort((a, b) => a.strength - b.strength || compare(a.created, b.created) || compare(a.id, b.id))
  return active.slice(0, surplus).map((memory) => archived(memory, now))
}

/** The working memories of a session that is over. */
export const expireWorkingMemories = (known: MemoryMap, session: string, now: number): Memory[] =>
  toMemoryTable(known)
    .listWorking()
    .filter(({ status, session: own }) => status === 'active' && own === session)
    .map((memory) => archived(memory, now))

/** Out of recall, kept in the store: it can be asked for again and comes back when it helps. */
const archived = (memory: Memory, now: number): Memory =>
  applyStrengthChange(memory, { status: 'archived' }, new Date(now).toISOString())

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
