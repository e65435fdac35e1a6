// Age: tiers, decay, expiry and the cap. By days elapsed, so that doing it twice changes nothing.
import { fades, type Memory } from '../model/memory.ts'
import type { Policy } from '../model/policy.ts'
import { released } from '../model/privacy.ts'
import { daysBetween, decayed, levelOf } from '../model/strength.ts'
import { tierOf } from '../model/tier.ts'
import { monthsFolded } from './month.ts'
import type { Known } from './part.ts'

/** Decay is counted in steps of a whole day at least: less is not worth rewriting a memory for. */
const DECAY_STEP_DAYS = 1

/** The memories that time has changed since they were last looked at, each whole. `now` in milliseconds since 1970. */
export function aged(known: Known, policy: Policy, now: number): Memory[] {
  const changed = new Map<string, Memory>()
  for (const memory of known.values()) {
    const later = agedOne(memory, policy, now)
    if (later !== memory) changed.set(memory.id, later)
  }
  for (const memory of overTheCap(known, changed, policy, now)) changed.set(memory.id, memory)
  for (const memory of monthsFolded(known, changed, now)) changed.set(memory.id, memory)
  return [...changed.values()]
}

function agedOne(memory: Memory, policy: Policy, now: number): Memory {
  if (memory.status === 'archived') return movedOnly(memory, policy, now)
  if (memory.expires !== undefined && Date.parse(memory.expires) <= now) return archived(memory, now)
  const ageDays = daysBetween(Date.parse(memory.created), now)
  const tier = tierOf(ageDays, policy.tiers)
  const privacy = released(memory.privacy, ageDays, policy.privacy.releaseDays)
  let later = tier === memory.tier && privacy === memory.privacy ? memory : { ...memory, tier, privacy }
  if (!fades(memory)) return later
  later = weakened(later, policy, now)
  if (isKept(memory)) return later
  const folded = tier === 'cold' || (tier === 'warm' && later.importance < policy.tiers.keepWholeFrom)
  return folded || later.strength <= policy.strength.archiveAt ? archived(later, now) : later
}

/** In the archive only the tier goes on: a month's summary is made of all that has come to the cold one. */
function movedOnly(memory: Memory, policy: Policy, now: number): Memory {
  const tier = tierOf(daysBetween(Date.parse(memory.created), now), policy.tiers)
  return tier === memory.tier ? memory : { ...memory, tier }
}

/** A person took it back from the archive: age alone does not send it there again. */
const isKept = (memory: Memory): boolean => memory.metadata['kept'] === true

/** Strength after the days since it was last used or decayed. */
function weakened(memory: Memory, policy: Policy, now: number): Memory {
  const since = Date.parse(memory.lastDecayed ?? memory.lastUsed ?? memory.created)
  const days = Math.floor(daysBetween(since, now) / DECAY_STEP_DAYS) * DECAY_STEP_DAYS
  if (days < DECAY_STEP_DAYS) return memory
  const level = levelOf(memory.accessCount, policy.strength.levelUses)
  return {
    ...memory,
    strength: decayed(memory.strength, days, policy.strength.dailyRetention[level]!),
    consolidationLevel: level,
    // Whole days only: the part of a day that is left counts at the next look.
    lastDecayed: new Date(since + days * 86_400_000).toISOString(),
  }
}

/** Over the cap the weakest experiences are archived first; the older of two equals goes. */
function overTheCap(known: Known, changed: ReadonlyMap<string, Memory>, policy: Policy, now: number): Memory[] {
  const active: Memory[] = []
  for (const memory of known.values()) {
    const current = changed.get(memory.id) ?? memory
    if (fades(current) && current.status === 'active' && !isKept(current)) active.push(current)
  }
  const surplus = active.length - policy.tiers.experiencesMax
  if (surplus <= 0) return []
  active.sort((a, b) => a.strength - b.strength || (a.created < b.created ? -1 : 1))
  return active.slice(0, surplus).map((memory) => archived(memory, now))
}

/** Out of recall, kept in the store: it can be asked for again and comes back when it helps. */
const archived = (memory: Memory, now: number): Memory => ({
  ...memory,
  status: 'archived',
  updated: new Date(now).toISOString(),
})
