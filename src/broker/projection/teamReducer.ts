// Applies the events of a team: each row of the hub is merged into the memory of this machine. What a machine has
// changed since stays, until it is sent.
import type { Event, EventOf } from '../../model/event.ts'
import type { MemoryId } from '../../model/id.ts'
import { MEMORY_KINDS, type Memory } from '../../model/memory.ts'
import { redactThoroughly } from '../../record/redact/secondPass.ts'
import { type ApplySettings, adoptMemory, applyRow, leaveTeam, markSent } from '../../team/applyRow.ts'
import { collectChanges, isUnsent, type MemoryChange } from '../../team/collectChanges.ts'
import { SHARE_RULES, type SharePolicy } from '../../team/shareMemory.ts'
import { combineCounts, type TeamEntry, type TeamRow } from '../../team/teamRow.ts'
import { listStored } from './memoryReducer.ts'
import { activePolicy, type Projection } from './projection.ts'
import { newEntry, TeamEntries } from './teamEntries.ts'
import {
  LOST_MAX,
  type LostText,
  nothingRead,
  operationsOf,
  type StoredUnsent,
  setEntry,
  type TeamMembership,
  type TeamOperation,
  type TeamProjection,
} from './teamProjection.ts'

type TeamEvent = EventOf<'team.joined' | 'team.left' | 'team.published' | 'team.received'>

export function applyTeamEvent(projection: Projection, event: TeamEvent): void {
  const { team } = projection
  if (event.kind === 'team.joined') join(projection, event)
  else if (team === undefined) return
  else if (event.kind === 'team.left') leave(projection, team)
  else {
    if (event.kind === 'team.received') updatePosition(projection, team, event)
    const operations = operationsOf(event)
    // A row may name one that comes after it.
    const writers = new Map(operations.flatMap((row) => (row.kind === 'row' ? [[row.memory, row.by]] : [])))
    const context = { at: event.at, settings: applySettings(projection), writers }
    for (const operation of operations) applyOperation(projection, team, operation, context)
  }
}

function sharePolicy(projection: Projection): SharePolicy {
  const { kinds: own, shareAgentOnly, sharePersonal } = activePolicy(projection).team
  const { kinds: shared, membership } = projection.team ?? {}
  const agreed = membership?.kinds ?? own
  const kinds = (shared ?? own).filter((kind) => agreed.includes(kind))
  return { kinds, agentOnly: shareAgentOnly === 1, personal: sharePersonal === 1 }
}

/** What the team does not have yet. Compares only what has changed, unless other memories are shared now. */
export function collectUnsent(projection: Projection): readonly MemoryChange[] {
  const { team, memories } = projection
  if (team === undefined) return []
  const { entries, deleted, unsentForgets: forgotten } = team
  const settings = applySettings(projection)
  const candidates = listChanges(projection, team, settings.policy)
  return collectChanges({ ...settings, memories, candidates, entries, deleted, forgotten })
}

/** What the team does not have yet, for a snapshot: the next exchange compares only this and later changes. */
export function listUnsent(projection: Projection): StoredUnsent | undefined {
  const { team } = projection
  if (team === undefined || team.hasLeft) return undefined
  const settings = { ...applySettings(projection), entries: team.entries }
  const unsent = listChanges(projection, team, settings.policy).filter((memory) => isUnsent(memory, settings))
  return { rules: shareRules(settings.policy), memories: unsent.map(({ id }) => id).sort() }
}

const shareRules = (policy: SharePolicy): string => JSON.stringify([SHARE_RULES, policy])

/** The memories that the team may not have as they are. */
function listChanges({ memories }: Projection, { unsent, entries, hasLeft }: TeamProjection, policy: SharePolicy) {
  if (hasLeft) return []
  if (unsent?.rules === shareRules(policy)) {
    const changed = memories.changes().map(({ memory }) => memory.id)
    return [...new Set([...unsent.memories, ...changed])].flatMap((id) => memories.get(id) ?? [])
  }
  return memories.select(
    ({ id, kind, status }) => (status === 'active' && policy.kinds.includes(kind)) || entries.has(id),
  )
}

/** Whether the team has forgotten a memory: it is not derived again. */
export const isForgottenByTeam = ({ team }: Projection, id: MemoryId): boolean =>
  team?.entries.get(id)?.state === 'forgotten'

function join(projection: Projection, event: EventOf<'team.joined'>): void {
  const { hub, project, replica, name, place, kinds } = event
  const membership: TeamMembership = { hub, project, replica, name, place, ...(kinds && { kinds }) }
  const { team } = projection
  const isSameHub = team !== undefined && team.membership.hub === hub && team.membership.project === project
  if (isSameHub && !team.hasLeft) {
    if (team.membership.replica !== replica) {
      for (const [id, entry] of team.entries) giveAway(team, id, entry)
      team.sent = undefined
    }
    team.unsent = undefined
    team.membership = membership
    return
  }
  if (team && !team.hasLeft) leave(projection, team)
  projection.team = {
    ...nothingRead(),
    membership,
    entries: team?.entries ?? new TeamEntries(),
    unsentForgets: isSameHub ? team.unsentForgets : [],
    erasing: team?.erasing ?? [],
  }
}

/** A copied store counts what it has as that of the copy before. */
function giveAway(team: TeamProjection, id: MemoryId, entry: TeamEntry): void {
  const others = combineCounts(entry.others, entry.sent, (a, b) => a + b)
  setEntry(team, id, { ...entry, others, sent: {}, own: false })
}

/** Removes what only others have, and takes their counts off. */
function leave(projection: Projection, team: TeamProjection): void {
  const settings = applySettings(projection)
  for (const [id, entry] of team.entries) {
    const local = projection.memories.get(id)
    if (local && entry.state !== 'forgotten') setMemory(projection, id, leaveTeam(local, entry, settings))
    if (entry.state !== 'forgotten') team.entries.delete(id)
  }
  team.hasLeft = true
  team.isLeaving = true
}

/**
 * How far the hub was read. After a restore all is read again, and what the hub has lost is sent again, each text
 * by its author.
 */
function updatePosition(
  { memories }: Projection,
  team: TeamProjection,
  { revision, epoch, kinds }: EventOf<'team.received'>,
): void {
  if (kinds !== undefined) team.kinds = kinds ? MEMORY_KINDS.filter((kind) => kinds.includes(kind)) : undefined
  if (revision === undefined) return
  if (team.hasLeft) {
    team.isLeaving = false
    team.deleted = []
  }
  if (team.epoch && epoch !== team.epoch) {
    team.unsent = undefined
    team.latest = undefined
    team.sent = undefined
    team.ahead = []
    for (const [id, entry] of team.entries) {
      if (entry.state === 'forgotten') team.unsentForgets = [...new Set([...team.unsentForgets, id])]
      if (entry.state === 'deleted') team.deleted = [...new Set([...team.deleted, id])]
      const isOurs = entry.own && memories.get(id)?.team?.isTheirs !== true
      setEntry(team, id, { ...entry, revision: 0, sent: {}, ...(isOurs && { seen: '' }) })
    }
  }
  team.revision = revision
  team.ahead = team.ahead.filter((known) => known > revision)
  team.epoch = epoch
}

interface OperationContext extends Pick<Event, 'at'> {
  readonly settings: ApplySettings
  /** Who wrote each memory that the event brings. */
  readonly writers: ReadonlyMap<string, string>
}

function applyOperation(
  projection: Projection,
  team: TeamProjection,
  operation: TeamOperation,
  { at, settings, writers }: OperationContext,
): void {
  const { memory: id } = operation
  team.unsent?.memories.add(id)
  const entry = team.entries.get(id)
  const local = projection.memories.get(id)
  switch (operation.kind) {
    case 'row': {
      if (team.hasLeft) return
      const { kind: _, ...row } = operation
      const isDeleted = team.deleted.includes(id)
      const applied = applyRow({ row: withPastTimes(row, at), local, entry, isDeleted, settings })
      setEntry(team, id, applied.entry)
      setMemory(projection, id, applied.memory)
      const text = applied.lost
      const successor = applied.memory?.content === text ? applied.memory?.supersededBy : undefined
      const writer = successor ? (writers.get(successor) ?? team.entries.get(successor as MemoryId)?.by) : row.by
      const by = row.state === 'active' ? writer : ''
      const others = team.lost.filter(({ memory }) => memory !== id)
      // What its person has replaced is no loss when somebody deletes it.
      const isOutdated = by === '' && local?.supersededBy !== undefined && others.length === team.lost.length
      if (text !== undefined && by !== undefined && by !== team.membership.name && !isOutdated)
        team.lost = [...others, { memory: id, text, by, at }].slice(-LOST_MAX)
      if (row.state !== 'active') team.deleted = team.deleted.filter((other) => other !== id)
      if (row.state === 'forgotten') forgetHere(team, id, entry ?? local)
      return
    }
    case 'sending':
      if (entry === undefined) setEntry(team, id, newEntry('active'))
      return
    case 'waiting':
      setEntry(team, id, { ...(entry ?? newEntry('active')), waiting: operation.mark, own: true })
      return
    case 'sent': {
      const { kind: _, memory: __, ...sent } = operation
      const own = sent.state === 'active' || entry?.own === true
      const next = { ...(entry ?? newEntry(sent.state)), ...sent, waiting: undefined, own }
      setEntry(team, id, next)
      team.sent = Math.max(team.sent ?? 0, sent.revision)
      if (local && sent.state === 'active') setMemory(projection, id, markSent(local, next, true))
      if (sent.state !== 'active') team.deleted = team.deleted.filter((other) => other !== id)
      if (sent.state === 'forgotten') team.unsentForgets = team.unsentForgets.filter((other) => other !== id)
      return
    }
    case 'counted': {
      if (entry === undefined) return
      const { counts: sent, own, people, copies } = operation
      const next = { ...entry, sent, own, people, copies }
      setEntry(team, id, next)
      if (local) setMemory(projection, id, markSent(local, next, false))
      return
    }
    case 'withdrawn':
      if (entry) setEntry(team, id, { ...entry, own: false, sent: {} })
      if (local?.team) setMemory(projection, id, { ...local, team: undefined })
      return
    case 'forget':
      forgetHere(team, id, entry ?? local)
      setEntry(team, id, newEntry('forgotten'))
      team.unsentForgets = [...team.unsentForgets, id]
      projection.memories.delete(id)
  }
}

/** No text is later than its arrival, whatever its author's clock says: starts show the latest first. */
function withPastTimes(row: TeamRow, at: string): TeamRow {
  const { fields } = row
  if (fields === undefined || (fields.created <= at && fields.updated <= at)) return row
  const [created, updated] = [fields.created, fields.updated].map((time) => (time > at ? at : time)) as [string, string]
  return { ...row, fields: { ...fields, created, updated } }
}

/** What was known of it here is to be erased, unless that was done before. */
function forgetHere(team: TeamProjection, id: MemoryId, known: TeamEntry | Memory | undefined): void {
  team.unsentForgets = team.unsentForgets.filter((other) => other !== id)
  team.lost = team.lost.filter(({ memory }) => memory !== id)
  const isDone = known === undefined || ('state' in known && known.state === 'forgotten')
  if (!isDone) team.erasing = [...team.erasing.filter((other) => other !== id), id]
}

function setMemory({ memories }: Projection, id: MemoryId, memory: Memory | undefined): void {
  if (memory) memories.set(id, memory)
  else memories.delete(id)
}

const applySettings = (projection: Projection): ApplySettings => ({
  policy: sharePolicy(projection),
  cleanText: redactThoroughly,
})

/** Applies an event about memories, notes what it deletes while the team has it, and what it stores again. */
export function applyWithTeam(projection: Projection, event: Event, apply: () => void): void {
  const { team, memories } = projection
  const stored = listStored(event).map(({ id }) => id)
  if (team) {
    noteDeletions(team, event, stored)
    const change = event.kind === 'memory.updated' ? event.change : undefined
    const isChanged = ({ memory, text }: LostText): boolean =>
      memory === change?.memory &&
      (change.content !== undefined || (change.supersededBy !== undefined && memories.get(memory)?.content === text))
    team.lost = team.lost.filter((lost) => !isChanged(lost) && !stored.includes(lost.memory))
  }
  apply()
  for (const id of stored) {
    const memory = memories.get(id)
    if (memory && (team || memory.team)) memories.set(id, adoptMemory(memory, team?.entries.get(id)))
  }
}

function noteDeletions(team: TeamProjection, event: Event, stored: readonly MemoryId[]): void {
  const removed = event.kind === 'memory.deleted' ? event.memories : []
  const replaced = event.kind === 'memory.consolidated' && !event.preserved ? event.from : []
  const gone = [...removed, ...replaced].filter((id) => team.entries.get(id)?.state === 'active')
  if (gone.length > 0) team.deleted = [...new Set([...team.deleted, ...gone])]
  if (stored.length > 0) team.deleted = team.deleted.filter((id) => !stored.includes(id))
  // `memctl forget` deletes what it has erased.
  if (removed.length > 0) team.erasing = team.erasing.filter((id) => !removed.includes(id))
}
