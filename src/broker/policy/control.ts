// A person's hand on the policy: freeze, thaw, roll back, reset. Each is an event, so that it survives a rebuild.
import { MemoryError } from '../../model/errors.ts'
import type { EventOf } from '../../model/event.ts'
import { type LearnedPolicy, NOTHING_LEARNED } from '../../model/policy.ts'
import { commitEvents } from '../commit/commitEvents.ts'
import { systemEvent } from '../commit/systemEvent.ts'
import type { Store } from '../store.ts'
import { upkeepNow } from '../upkeepNow.ts'
import { load } from '../view/save.ts'
import type { PolicyChange, View } from '../view/view.ts'

/** What a person's word came to. */
export interface Control {
  readonly version: number
  readonly frozen: boolean
  /** False where it was so already. */
  readonly changed: boolean
}

/** Learning moves nothing any more, or goes on. Evidence is gathered meanwhile. */
export function freeze(store: Store, frozen: boolean, now: number): Control {
  if (viewOf(store, now).frozen === frozen) return stateOf(store, false)
  const event = systemEvent({ kind: 'policy.frozen', frozen }, { now, key: [String(frozen)] })
  return commitPolicy(store, event, now)
}

/** Back to the numbers of an earlier version, 0 being those chosen and nothing learned; without one, of the version before. */
export function rollBack(store: Store, wanted: number | undefined, now: number): Control {
  const view = viewOf(store, now)
  const version = wanted ?? before(view)
  const to = version === 0 ? undefined : versionIn(view, version)
  const numbers: Learned = to ?? NOTHING_LEARNED
  if (to && (to.base ?? 'default') !== view.base.name) {
    throw new MemoryError(
      'INPUT_INVALID',
      `Version ${version} was learned over the policy ${to.base}; ${view.base.name} serves now`,
      {
        mend: `Choose ${to.base} in config.yaml first, or see \`memctl policy history\` for later versions.`,
      },
    )
  }
  if (isSame(numbers, view.learned)) return stateOf(store, false)
  const event = changeByPerson(
    view,
    { learned: numbers, reason: `rolled back to version ${version}`, evidence: { to: version } },
    now,
  )
  return commitPolicy(store, event, now)
}

/** Forgets what was learned: the chosen policy serves as it is. The evidence stays, so learning may come to it again. */
export function reset(store: Store, now: number): Control {
  const view = viewOf(store, now)
  if (isSame(NOTHING_LEARNED, view.learned)) return stateOf(store, false)
  const event = changeByPerson(view, { learned: NOTHING_LEARNED, reason: 'reset', evidence: {} }, now)
  return commitPolicy(store, event, now)
}

/** What was learned, but for its version. */
type Learned = Pick<LearnedPolicy, 'values' | 'exclusions'>

export const isSame = (a: Learned, b: Learned): boolean =>
  JSON.stringify([a.values, a.exclusions ?? []]) === JSON.stringify([b.values, b.exclusions ?? []])

/** What a person changes of the learned policy, and why. */
interface PersonsChange {
  readonly learned: Learned
  readonly reason: string
  readonly evidence: PolicyChange['evidence']
}

/** The event of a change that a person makes. */
export function changeByPerson(view: View, change: PersonsChange, now: number): EventOf<'policy.changed'> {
  const { reason, evidence } = change
  const { values, exclusions } = change.learned
  const version = view.learned.version + 1
  const body = { kind: 'policy.changed', version, values, ...(exclusions && { exclusions }), reason, evidence } as const
  return systemEvent({ ...body, by: 'person' }, { now, key: [String(version), reason] })
}

/** Commits the event and brings the projection up to date. Throws STORE_BUSY where another process is writing it. */
export function commitPolicy(store: Store, event: EventOf<'policy.changed' | 'policy.frozen'>, now: number): Control {
  commitEvents(store, [event])
  upkeepNow(store, now)
  return stateOf(store, true)
}

/** The view with all that the log has. */
export function viewOf(store: Store, now: number): View {
  upkeepNow(store, now)
  return load(store).view
}

function stateOf(store: Store, isChanged: boolean): Control {
  const { learned, frozen } = load(store).view
  return { version: learned.version, frozen, changed: isChanged }
}

/** The version before the one that serves: the latest with other values. */
function before(view: View): number {
  const other = view.history.findLast((one) => one.version < view.learned.version && !isSame(one, view.learned))
  return other?.version ?? 0
}

function versionIn(view: View, version: number): PolicyChange {
  const found = view.history.findLast((one) => one.version === version)
  if (found) return found
  const known = [...new Set(view.history.map((one) => one.version))]
  throw new MemoryError('NOT_FOUND', `There is no version ${version} of the policy here`, {
    mend:
      known.length === 0 ? 'Nothing has changed here yet; 0 is the chosen policy.' : `There is 0, ${known.join(', ')}.`,
  })
}
