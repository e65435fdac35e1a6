// Applies the events of a team: each operation is merged into the state of its memory, and the memory becomes what the
// team sees of it. What a machine has changed since stays, until it is published.
import type { Event, EventOf } from '../../model/event.ts'
import type { MemoryId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import { redactThoroughly } from '../../record/redact/secondPass.ts'
import { type ApplySettings, adoptMemory, applyTeamState, leaveTeam } from '../../team/applyTeamState.ts'
import { FIRST_EPOCH } from '../../team/hub.ts'
import { mergeOperation, type TeamState } from '../../team/mergeOperation.ts'
import type { Operation } from '../../team/operation.ts'
import type { SharePolicy } from '../../team/shareMemory.ts'
import { visibleMemory } from '../../team/visibleMemory.ts'
import { activePolicy, type Projection } from './projection.ts'
import { blankOperation, operationsOf, type TeamMembership, type TeamProjection } from './teamProjection.ts'

type TeamEvent = EventOf<'team.joined' | 'team.left' | 'team.published' | 'team.received'>

export function applyTeamEvent(projection: Projection, event: TeamEvent): void {
  const { team } = projection
  if (event.kind === 'team.joined') join(projection, event)
  else if (team === undefined) return
  else if (event.kind === 'team.left') {
    hideTeam(projection, team)
    team.hasLeft = true
  } else applyOperations(projection, team, event)
}

/** Which memories are shared, as the active policy says. */
export function sharePolicy(projection: Projection): SharePolicy {
  const { kinds, shareAgentOnly, sharePersonal } = activePolicy(projection).team
  return { kinds, agentOnly: shareAgentOnly === 1, personal: sharePersonal === 1 }
}

/** Whether the team has forgotten a memory: it is not derived again. */
export const isForgottenByTeam = ({ team }: Projection, id: MemoryId): boolean =>
  team?.states.get(id)?.forgotten === true

function join(projection: Projection, event: EventOf<'team.joined'>): void {
  const { hub, project, replica, name, place } = event
  const membership: TeamMembership = { hub, project, replica, name, place }
  const { team } = projection
  const isSameHub = team !== undefined && team.membership.hub === hub && team.membership.project === project
  if (isSameHub && team.membership.replica === replica) {
    team.membership = membership
    if (team.hasLeft) showTeam(projection, team)
    return
  }
  if (team && !team.hasLeft) hideTeam(projection, team, isSameHub)
  const forgotten = [...(team?.states ?? [])].filter(([, state]) => state.forgotten).map(([id]) => id)
  // What the earlier replica has not sent is published again by the new one.
  const unsent = (kind: Operation['kind']): MemoryId[] =>
    isSameHub ? team.outbox.filter((operation) => operation.kind === kind).map(({ memory }) => memory) : []
  projection.team = {
    membership,
    hasLeft: false,
    isBehind: isSameHub,
    states: new Map(forgotten.map((id) => [id, { forgotten: true }])),
    through: 0,
    epoch: FIRST_EPOCH,
    raisesEpoch: false,
    lastN: 0,
    pushed: 0,
    outbox: [],
    deleted: isSameHub ? [...team.deleted, ...unsent('delete')] : [],
    unsentForgets: [...(isSameHub ? team.unsentForgets : []), ...unsent('forget')],
    erasing: team?.erasing ?? [],
  }
}

/** Removes what only others have, and takes their counts off. `isCopied`: also those of this replica's earlier copy. */
function hideTeam(projection: Projection, team: TeamProjection, isCopied = false): void {
  const settings = applySettings(projection, team)
  for (const [id, state] of team.states) {
    const local = projection.memories.get(id)
    if (local) setMemory(projection, id, leaveTeam(local, state, isCopied ? { ...settings, replica: '' } : settings))
  }
}

/** Shows everything that the team has, after a return. */
function showTeam(projection: Projection, team: TeamProjection): void {
  team.hasLeft = false
  const context = { projection, team, settings: applySettings(projection, team) }
  for (const id of team.states.keys()) updateMemory(context, id, undefined)
}

function applyOperations(
  projection: Projection,
  team: TeamProjection,
  event: EventOf<'team.published' | 'team.received'>,
): void {
  const before = new Map<MemoryId, TeamState | undefined>()
  for (const operation of operationsOf(event)) {
    const { memory: id, kind } = operation
    const state = team.states.get(id)
    const next = mergeOperation(state, operation)
    if (event.kind === 'team.published') {
      team.lastN = Math.max(team.lastN, operation.n)
      team.outbox = [...team.outbox, next.forgotten ? blankOperation(operation) : operation]
      if (kind === 'forget') team.unsentForgets = team.unsentForgets.filter((other) => other !== id)
    }
    if (next === state) continue
    if (!before.has(id)) before.set(id, state)
    team.states.set(id, next)
    if (kind === 'delete') team.deleted = team.deleted.filter((other) => other !== id)
    if (kind !== 'forget') continue
    team.erasing = [...team.erasing, id]
    team.outbox = team.outbox.map((other) => (other.memory === id ? blankOperation(other) : other))
  }
  if (event.kind === 'team.published') publishAgain(team, event)
  else {
    const { epoch = FIRST_EPOCH } = event
    if (event.pushed !== undefined && epoch !== team.epoch) team.raisesEpoch = false
    team.through = event.through
    team.epoch = epoch
    const pushed = Math.max(team.pushed, event.pushed ?? 0)
    if (pushed > team.pushed) team.outbox = team.outbox.filter(({ n }) => n > pushed)
    team.pushed = pushed
    if (event.pushed !== undefined) team.isBehind = false
  }
  if (team.hasLeft) return
  const context = { projection, team, settings: applySettings(projection, team) }
  for (const [id, state] of before) updateMemory(context, id, state)
}

/** What the hub had, and has lost: it is sent again before what waits already, and everything is read again. */
function publishAgain(team: TeamProjection, event: EventOf<'team.published'>): void {
  const [first] = operationsOf(event)
  if (first === undefined || first.n > team.pushed) return
  team.pushed = first.n - 1
  team.through = 0
  team.raisesEpoch = true
  team.outbox = [...team.outbox].sort((a, b) => a.n - b.n)
}

interface TeamContext {
  readonly projection: Projection
  readonly team: TeamProjection
  readonly settings: ApplySettings
}

function updateMemory({ projection, team, settings }: TeamContext, id: MemoryId, before: TeamState | undefined): void {
  const after = team.states.get(id)
  if (after === undefined) return
  const local = projection.memories.get(id)
  const isDeleted = team.deleted.includes(id)
  const memory = applyTeamState({ id, local, before, after, isDeleted, settings })
  setMemory(projection, id, memory && withAuthor(memory, settings))
}

/** Whose words its text is: a time names the replica that wrote it. */
function withAuthor(memory: Memory, { replica }: ApplySettings): Memory {
  const { team } = memory
  if (team === undefined) return memory
  const isTheirs = team.at !== '' && !team.at.endsWith(`-${replica}`)
  if (isTheirs === (team.isTheirs === true)) return memory
  const { isTheirs: _, ...mark } = team
  return { ...memory, team: isTheirs ? { ...mark, isTheirs } : mark }
}

function setMemory({ memories }: Projection, id: MemoryId, memory: Memory | undefined): void {
  if (memory) memories.set(id, memory)
  else memories.delete(id)
}

function applySettings(projection: Projection, { membership }: TeamProjection): ApplySettings {
  const policy = sharePolicy(projection)
  return { replica: membership.replica, policy, cleanText: redactThoroughly }
}

/**
 * Applies an event about memories, notes what it deletes while the team has it, and what it stores again. A memory that
 * is stored as a whole is a change of the version that the team had.
 */
export function applyWithTeam(projection: Projection, event: Event, apply: () => void): void {
  const { team, memories } = projection
  const stored = listStored(event)
  if (team) noteDeletions(team, event, stored)
  const versions = stored.map((id) => memories.get(id)?.team?.at)
  apply()
  for (const [i, id] of stored.entries()) {
    const memory = memories.get(id)
    if (memory === undefined) continue
    if (team && !team.hasLeft) {
      const given = { memory, state: team.states.get(id), version: versions[i] }
      memories.set(id, adoptMemory(given, applySettings(projection, team)))
    } else if (memory.team) memories.set(id, { ...memory, team: undefined })
  }
}

function listStored(event: Event): readonly MemoryId[] {
  if (event.kind === 'memory.batch') return event.stored.map(({ id }) => id)
  return event.kind === 'memory.stored' || event.kind === 'memory.consolidated' ? [event.memory.id] : []
}

function noteDeletions(team: TeamProjection, event: Event, stored: readonly MemoryId[]): void {
  const removed = event.kind === 'memory.deleted' ? event.memories : []
  const replaced = event.kind === 'memory.consolidated' && !event.preserved ? event.from : []
  const gone = [...removed, ...replaced].filter((id) => visibleMemory(team.states.get(id)) !== undefined)
  if (gone.length > 0) team.deleted = [...new Set([...team.deleted, ...gone])]
  if (stored.length > 0) team.deleted = team.deleted.filter((id) => !stored.includes(id))
  // `memctl forget` deletes what it has erased.
  if (removed.length > 0) team.erasing = team.erasing.filter((id) => !removed.includes(id))
}
