// Aging: tiers, decay, expiry, the limit on experiences and their monthly rollups. By days elapsed, so that doing it
// twice changes nothing.
import { CONTENT_CHARS_MAX } from '../model/limits.ts'
import { computeTier, isSubjectToDecay, type Memory, type MemoryMap, newMemory } from '../model/memory.ts'
import type { MemoryHead } from '../model/memoryHead.ts'
import type { Policy } from '../model/policy.ts'
import type { Privacy, PrivacyReleaseDays } from '../model/privacy.ts'
import { compareValues } from '../model/sorting.ts'
import { applyStrengthChange, daysBetween, decayChange, taskDecayChange } from '../model/strength.ts'
import { truncateAtWord, truncateMiddle } from '../text/excerpt.ts'
import { deriveMemoryId } from './derivedId.ts'
import { countByFrequency } from './experience.ts'
import { createdMonth, isInMonthlyRollup } from './memoryIndexes.ts'
import { MemoryTable, toMemoryTable } from './memoryTable.ts'

/** Decay is applied in steps of at least this: a smaller change is not worth rewriting a memory. */
const DECAY_STEP_DAYS = 1

/** A working memory ends with its session. If no end was recorded, it expires after this time without a change. */
const WORKING_DAYS = 7

/** Experiences from this importance on stay active when warm. */
const KEPT_IMPORTANCE = 0.35

const DAY_MS = 86_400_000

/** The memories that time has changed since the last call. `now` in milliseconds since 1970. */
export function applyAging(known: MemoryMap, policy: Policy, now: number): Memory[] {
  const table = toMemoryTable(known)
  const changed = new Map<string, Memory>()
  const policyKey = JSON.stringify([policy.tiers, policy.strength, policy.privacy])
  for (const memory of table.listDueForAging(now, policyKey, (head) => nextAgingByHead(head, policy, now))) {
    const later = ageMemory(memory, policy, now)
    if (later !== memory) changed.set(memory.id, later)
    else table.postponeAging(memory.id, nextAgingMs(memory, policy, now))
  }
  for (const memory of archiveSurplus(table, changed, policy, now)) changed.set(memory.id, memory)
  for (const memory of updateMonthlyRollups(table, changed, now)) changed.set(memory.id, memory)
  return [...changed.values()]
}

/** The same as `nextAgingMs`, or `now` if the memory has to be read: it may change now, or its strength decays. */
function nextAgingByHead(head: MemoryHead, policy: Policy, now: number): number {
  const isDecaying = head.status === 'active' && isSubjectToDecay(head)
  if (isDecaying || head.tier !== computeTier(daysBetween(head.createdMs, now), policy.tiers)) return now
  return listEnds(head).some((time) => time <= now) ? now : firstAfter(now, listTimes(head, policy))
}

/** The first time after `now` at which `ageMemory` may change a memory that it does not change at `now`. */
function nextAgingMs(memory: Memory, policy: Policy, now: number): number {
  const { status, retention, expires, created, updated } = memory
  const createdMs = Date.parse(created)
  const times = listTimes({ status, retention, expires, createdMs, updatedMs: Date.parse(updated) }, policy)
  if (status === 'active' && isSubjectToDecay(memory))
    times.push(lastDecayMs(memory) + DECAY_STEP_DAYS * DAY_MS, ...tierEnds(publicSinceMs(memory), policy.tiers))
  return firstAfter(now, times)
}

const firstAfter = (now: number, times: readonly number[]): number =>
  Math.min(...times.filter((time) => time > now), Number.POSITIVE_INFINITY)

type TimedHead = Pick<MemoryHead, 'status' | 'retention' | 'expires' | 'createdMs' | 'updatedMs'>

/** When a memory's tier changes, and its ends. */
const listTimes = (head: TimedHead, { tiers }: Policy): number[] => [
  ...tierEnds(head.createdMs, tiers),
  ...listEnds(head),
]

/** When it leaves the hot tier and the warm one; from then on its age may archive it. */
const tierEnds = (sinceMs: number, { hotDays, warmDays }: Policy['tiers']): number[] =>
  [hotDays, warmDays].map((days) => sinceMs + days * DAY_MS)

/** When a memory is archived whatever its strength. */
function listEnds({ status, retention, updatedMs, expires }: TimedHead): number[] {
  if (status !== 'active') return []
  const working = retention === 'working' ? [updatedMs + WORKING_DAYS * DAY_MS] : []
  return expires === undefined ? working : [...working, Date.parse(expires)]
}

function ageMemory(memory: Memory, policy: Policy, now: number): Memory {
  const moved = moveToTier(memory, policy, now)
  // An archived memory only changes its tier: the monthly rollup is made of cold memories.
  if (memory.status === 'archived') return moved
  if (memory.expires !== undefined && Date.parse(memory.expires) <= now) return archive(moved, now)
  if (memory.retention === 'working' && daysBetween(Date.parse(memory.updated), now) >= WORKING_DAYS) {
    return archive(moved, now)
  }
  if (!isSubjectToDecay(memory)) return moved
  const later = applyDecay(moved, policy, now)
  if (memory.archiveExempt || isReleasePending(memory, policy.privacy.releaseDays)) return later
  // What was released to others recently stays as long as what is new.
  const tier = computeTier(daysBetween(publicSinceMs(memory), now), policy.tiers)
  const isRolledUp = tier === 'cold' || (tier === 'warm' && later.importance < KEPT_IMPORTANCE)
  return isRolledUp || later.strength <= policy.strength.archiveAt ? archive(later, now) : later
}

/** When a memory became public by release; when it was made if it was public at once. */
const publicSinceMs = ({ privacySince, created }: Memory): number => Date.parse(privacySince ?? created)

function moveToTier(memory: Memory, policy: Policy, now: number): Memory {
  const tier = computeTier(daysBetween(Date.parse(memory.created), now), policy.tiers)
  return tier === memory.tier ? memory : { ...memory, tier }
}

const lastDecayMs = (memory: Memory): number => Date.parse(memory.lastDecayed ?? memory.lastUsed ?? memory.created)

/** Strength after the days since the last use or decay. */
function applyDecay(memory: Memory, policy: Policy, now: number): Memory {
  const since = lastDecayMs(memory)
  const days = Math.floor(daysBetween(since, now) / DECAY_STEP_DAYS) * DECAY_STEP_DAYS
  if (days < DECAY_STEP_DAYS) return memory
  // Whole days only: the rest of a day counts next time.
  const decayedTo = new Date(since + days * DAY_MS).toISOString()
  return applyStrengthChange(memory, decayChange(memory, policy.strength, days), decayedTo)
}

/**
 * The experiences beyond the limit, archived: the weakest first, of equally weak ones the older first. Those that are
 * still to be released come last: others have not seen them yet.
 */
function archiveSurplus(
  table: MemoryTable,
  changed: ReadonlyMap<string, Memory>,
  policy: Policy,
  now: number,
): Memory[] {
  // Aging never activates a memory, so all active ones are in the table's list.
  const { releaseDays } = policy.privacy
  const active = table.listDecayingExperiences().flatMap((memory) => {
    const current = changed.get(memory.id) ?? memory
    return current.status === 'active' ? [current] : []
  })
  const surplus = active.length - policy.tiers.experiencesMax
  if (surplus <= 0) return []
  const isPending = (memory: Memory): number => (isReleasePending(memory, releaseDays) ? 1 : 0)
  active.sort(
    (a, b) =>
      isPending(a) - isPending(b) ||
      a.strength - b.strength ||
      compareValues(a.created, b.created) ||
      compareValues(a.id, b.id),
  )
  return active.slice(0, surplus).map((memory) => archive(memory, now))
}

export const expireWorkingMemories = (known: MemoryMap, session: string, now: number): Memory[] =>
  toMemoryTable(known)
    .listGroup('working')
    .filter((memory) => memory.status === 'active' && memory.session === session)
    .map((memory) => archive(memory, now))

/** Not recalled, but kept in the store: it can be asked for, and is restored when it helps. */
const archive = (memory: Memory, now: number): Memory =>
  applyStrengthChange(memory, { status: 'archived' }, new Date(now).toISOString())

/**
 * The experiences after one task, for agents that count decay by tasks (agent-memory spec): weaker by the rate of their
 * level of use, archived if too weak. Decay by days starts again at `at`, ISO, so that no time counts twice. A memory
 * that a person restored is not archived again, nor one that is still to be released.
 */
export function applyTaskDecay(known: MemoryMap, policy: Pick<Policy, 'strength' | 'privacy'>, at: string): Memory[] {
  const { strength, privacy } = policy
  return toMemoryTable(known)
    .listDecayingExperiences()
    .filter((memory) => memory.status === 'active')
    .map((memory) => {
      const later = applyStrengthChange(memory, taskDecayChange(memory, strength), at)
      const isKept = memory.archiveExempt || isReleasePending(memory, privacy.releaseDays)
      const isTooWeak = later.strength <= strength.archiveAt && !isKept
      return isTooWeak ? applyStrengthChange(later, { status: 'archived' }, at) : later
    })
}

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
  for (const memory of toMemoryTable(known).listGroup('hidden')) {
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
const isReleasePending = ({ privacy }: Memory, days: PrivacyReleaseDays): boolean =>
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
  const isSet = memory.privacy !== 'public' && (before !== undefined || memory.created < at)
  const since = before?.privacy === memory.privacy ? before.privacySince : isSet ? at : undefined
  return memory.privacySince === since ? memory : { ...memory, privacySince: since }
}

// Monthly rollup: one summary of a month's archived cold experiences, by outcome and area.
//
//   2026-03: 31 tasks
//   Most changes: src/cart (9 tasks), src (4)
//   Finished in src/cart: Added a discount; Rounded the totals
//   Left open: the export of large carts
//
// It is recomputed from all of them whenever one is added or removed, so doing it twice changes nothing.

/** Areas with their tasks, tasks of an area, tasks left open: the weightiest. The others are only counted. */
const AREAS_MAX = 6
const AREA_TASKS_MAX = 3
const OPEN_MAX = 4

const TASK_CHARS_MAX = 120

const FILES_MAX = 40

/** The rollups of the months of the experiences in `changed`, by month; those of other months are left out. */
export function updateMonthlyRollups(table: MemoryTable, changed: ReadonlyMap<string, Memory>, now: number): Memory[] {
  const months = new Set([...changed.values()].filter(isInMonthlyRollup).map(createdMonth))
  return [...months].sort().map((month) => {
    const rolledUp = new Map(table.listRolledUp(month).map((memory) => [memory.id, memory]))
    // `changed` is newer than the table.
    for (const memory of changed.values()) {
      if (isInMonthlyRollup(memory) && createdMonth(memory) === month) rolledUp.set(memory.id, memory)
      else rolledUp.delete(memory.id)
    }
    return buildRollup(month, [...rolledUp.values()], table, now)
  })
}

function buildRollup(month: string, rolledUp: readonly Memory[], known: MemoryMap, now: number): Memory {
  const id = deriveMemoryId('month', month)
  const ordered = rolledUp.toSorted((a, b) => compareValues(a.created, b.created) || compareValues(a.id, b.id))
  const content = truncateMiddle(
    [`${month}: ${ordered.length} tasks`, ...describeMonth(ordered)].join('\n'),
    CONTENT_CHARS_MAX,
  )
  const changes = {
    updated: ordered.at(-1)?.created ?? month,
    files: countByFrequency(ordered.flatMap((memory) => memory.files))
      .slice(0, FILES_MAX)
      .map(([file]) => file),
    importance: Math.max(...ordered.map((memory) => memory.importance)),
    monthlyRollup: { month, folded: ordered.length },
  }
  const before = known.get(id)
  // What its use has changed in a known rollup stays.
  if (before) return { ...before, content, ...changes }
  return newMemory({
    id,
    kind: 'consolidated',
    content,
    created: ordered[0]?.created ?? month,
    tier: 'cold',
    tags: ['month'],
    ...changes,
    lastDecayed: new Date(now).toISOString(),
  })
}

/** What was changed most, what was finished in each area, and what was left open; the weightiest tasks first. */
function describeMonth(ordered: readonly Memory[]): string[] {
  const worth = (memory: Memory): number => memory.importance + memory.help.contribution
  const weighty = ordered.filter((memory) => !memory.searchOnly).toSorted((a, b) => worth(b) - worth(a))
  const changing = ordered.filter(({ editedFiles = [] }) => editedFiles.length > 0)
  const areas = countByFrequency(changing.map(areaOf)).slice(0, AREAS_MAX)
  const isOpen = ({ outcome }: Memory): boolean => outcome === 'failure'
  const finished = areas.flatMap(([area]) => {
    const tasks = weighty.filter((memory) => !isOpen(memory) && changing.includes(memory) && areaOf(memory) === area)
    return tasks.length > 0 ? [`Finished in ${area}: ${listTasks(tasks.slice(0, AREA_TASKS_MAX))}`] : []
  })
  const others = weighty.filter((memory) => !isOpen(memory) && !changing.includes(memory)).slice(0, AREA_TASKS_MAX)
  const open = weighty.filter(isOpen).slice(0, OPEN_MAX)
  return [
    ...(areas.length > 0 ? [`Most changes: ${areas.map(([area, count]) => `${area} (${count})`).join(', ')}`] : []),
    ...finished,
    ...(others.length > 0 ? [`Without changes: ${listTasks(others)}`] : []),
    ...(open.length > 0 ? [`Left open: ${listTasks(open)}`] : []),
  ]
}

/** The folder of most files that the task edited. */
function areaOf({ editedFiles = [] }: Memory): string {
  const folders = editedFiles.map((file) => file.slice(0, Math.max(0, file.lastIndexOf('/'))) || 'the top folder')
  return countByFrequency(folders)[0]?.[0] ?? ''
}

/** The tasks in the words of their results; of those without one in the words of the request. */
const listTasks = (tasks: readonly Memory[]): string =>
  [
    ...new Set(tasks.map(({ content }) => truncateAtWord(content.replace(/^[^\n]*? → (?=\S)/, ''), TASK_CHARS_MAX))),
  ].join('; ')
