// Joining and leaving a hub, for one project. Nothing leaves the machine from a project that has not joined.
import { MEMORY_KINDS, type MemoryKind } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { redactThoroughly } from '../../record/redact/secondPass.ts'
import { withLockOrThrow } from '../../store/disk/lock.ts'
import { readMark } from '../../store/project/folderEvidence.ts'
import { canShare, readOwnFields } from '../../team/shareMemory.ts'
import type { Hub, HubDescription, HubMember, HubPage } from '../../team/teamRow.ts'
import { firstLine } from '../../text/excerpt.ts'
import { hashHex } from '../../text/hash.ts'
import { commitAndApply, systemEvent } from '../commit/commitEvents.ts'
import { guardLog } from '../maintenance/guardLog.ts'
import { loadOrRebuild } from '../maintenance/loadFromLog.ts'
import { runMaintenance } from '../maintenance/maintenance.ts'
import type { Store } from '../open/openStore.ts'
import { readActivePolicy } from '../policy/activePolicy.ts'
import type { LoadedProjection } from '../projection/projection.ts'
import { applyLogTail, openProjection } from '../projection/projectionFiles.ts'
import type { TeamMembership, TeamProjection } from '../projection/teamProjection.ts'
import { listMemories } from '../queries/browse.ts'
import { summarizeTeam, writeHubResult } from './hubStatus.ts'

export interface JoinRequest {
  readonly hub: Pick<Hub, 'describe'>
  /** The kinds that the person has been shown, and agrees to share. */
  readonly kinds?: readonly MemoryKind[]
  /** The project's name on the hub: the same for everyone who shares it. */
  readonly project: string
  /** What the team calls this person. */
  readonly name: string
  /** Milliseconds since 1970. */
  readonly now: number
  /** Makes a random UUID. */
  readonly newId: () => string
}

/**
 * From now on this project shares its memories: the next sync sends and receives. A project that has left comes back as
 * the machine that it was. Throws what the hub throws, STORE_BUSY, and HUB_CHANGED while another project of the hub has
 * something that is to be taken back or forgotten there.
 */
export async function joinTeam(store: Store, request: JoinRequest): Promise<TeamMembership> {
  const { project, name, kinds, now, newId } = request
  const { hub } = await request.hub.describe()
  const membership = await withStoreLock(store, () => {
    const loaded = loadTeamStore(store, now)
    const before = loaded.projection.team?.membership
    if (before?.hub === hub && before.project !== project) assertTakenBack(loaded.projection.team, before.project)
    const isSame = before?.hub === hub && before.project === project && isInPlace(store, before)
    const replica = isSame ? before.replica : newId()
    // The stored result is of an exchange with another hub or project.
    if (!isSame) writeHubResult(store, undefined)
    const joined = { hub, project, replica, name, place: findPlace(store), ...(kinds && { kinds }) }
    return commitJoin(store, loaded, joined, now)
  })
  runMaintenance(store, { now, sessions: [] })
  writeHubResult(store, {}) // A start exchanges changes only for projects with this file.
  return membership
}

/** What was shared in another project would stay there for good: nobody would take it back or forget it there. */
function assertTakenBack(team: TeamProjection | undefined, project: string): void {
  const summary = summarizeTeam(team)
  if (summary === undefined || (summary.hasLeft && summary.waiting === 0)) return
  throw new MemoryError('HUB_CHANGED', `this project is shared as ${project}, which has not been taken back yet`, {
    hint: 'Run `memctl hub leave` and `memctl hub sync`, then join again.',
  })
}

/** A copied or restored store is another machine from now on; and the team may call its person otherwise. */
export function renewMembership(
  store: Store,
  loaded: LoadedProjection,
  { name, now, newId }: Pick<JoinRequest, 'now' | 'newId'> & { readonly name?: string | undefined },
): void {
  const before = loaded.projection.team?.membership
  if (before === undefined || loaded.projection.team?.hasLeft) return
  const isSamePlace = isInPlace(store, before)
  if (isSamePlace && (name ?? before.name) === before.name) return
  const place = isSamePlace ? {} : { replica: newId(), place: findPlace(store) }
  commitJoin(store, loaded, { ...before, ...place, ...(name !== undefined && { name }) }, now)
}

function commitJoin(store: Store, loaded: LoadedProjection, membership: TeamMembership, now: number): TeamMembership {
  const { replica, name } = membership
  commitAndApply(store, loaded, [systemEvent({ kind: 'team.joined', ...membership }, { now, key: [replica, name] })])
  return membership
}

/**
 * The project shares nothing any more: what only others have disappears, and what it shared is taken back from the hub
 * by the next sync. Its own memories stay. Returns whether it had joined. Throws STORE_BUSY.
 */
export async function leaveHub(store: Store, now: number): Promise<boolean> {
  const hasJoined = await withStoreLock(store, () => {
    const loaded = loadTeamStore(store, now)
    const { team } = loaded.projection
    if (team === undefined || team.hasLeft) return false
    commitLeave(store, loaded, now)
    return true
  })
  writeHubResult(store, undefined)
  if (hasJoined) runMaintenance(store, { now, sessions: [] })
  return hasJoined
}

/** What only others have disappears here. */
export function commitLeave(store: Store, loaded: LoadedProjection, now: number): void {
  const key = [String(loaded.projection.team?.revision)]
  commitAndApply(store, loaded, [systemEvent({ kind: 'team.left' }, { now, key })])
}

/** A hash of the folder of the log as the file system knows it; empty where it has no such identity. */
function findPlace({ files, layout }: Store): string {
  files.makeFolder(layout.events)
  const mark = readMark(layout.events)
  return mark === undefined ? '' : hashHex(mark)
}

/** Whether the store is where it was: a copied or restored one is not. */
function isInPlace(store: Store, before: TeamMembership): boolean {
  const place = findPlace(store)
  return before.place === place || before.place === '' || place === ''
}

/** Versions of the hub's tables that this version of memctl can use. */
export interface HubVersions {
  readonly min: number
  readonly max: number
}

/** Throws DATABASE_VERSION. */
export function assertHubVersion({ version }: Pick<HubDescription, 'version'>, versions: HubVersions): void {
  if (version >= versions.min && version <= versions.max) return
  throw new MemoryError('DATABASE_VERSION', `the hub has version ${version}, and this memctl knows ${versions.max}`, {
    hint:
      version > versions.max
        ? 'Update memctl on this machine.'
        : 'Run `memctl hub migrate`, or ask the owner of the database to.',
  })
}

/** Throws DATABASE_VERSION and HUB_CHANGED. */
export function assertSameHub(membership: TeamMembership, { hub, version }: HubDescription, versions: HubVersions) {
  assertHubVersion({ version }, versions)
  if (membership.hub === hub) return
  throw new MemoryError('HUB_CHANGED', 'the configured database is another hub than the one that the project joined', {
    hint: 'Configure the earlier one with `memctl hub connect URL`, or join this one with `memctl hub join`.',
  })
}

/** Tries to take the lock of a store that a worker may hold, and the wait between two of them in milliseconds. */
const LOCK_TRIES = 40
const LOCK_WAIT_MS = 250

/** Runs `use` while this process holds the lock of the store. Throws STORE_BUSY after ten seconds. */
export const withStoreLock = <T>(store: Store, use: () => T): Promise<T> =>
  retryWhileBusy(() =>
    withLockOrThrow(store.files, store.layout.lock, use, 'Nothing is lost: run `memctl hub sync` again.'),
  )

/** Tries again while another process has the lock that `work` takes. Throws STORE_BUSY when it is over: after 10 s. */
export async function retryWhileBusy<T>(work: () => T, isOver = (tries: number) => tries >= LOCK_TRIES): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof MemoryError && error.code === 'STORE_BUSY') || isOver(tries)) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, LOCK_WAIT_MS))
  }
}

/** The projection of a store with all that its log has; not verified. The caller holds the lock. */
export function loadTeamStore(store: Store, now: number): LoadedProjection {
  guardLog(store, now)
  const { loaded } = loadOrRebuild(store, undefined, openProjection)
  applyLogTail(store, loaded)
  return loaded
}

/** Characters of a memory's line in a preview. */
const TEXT_CHARS = 200

export type SharingPreview = Readonly<ReturnType<typeof previewSharing>>

/**
 * The kinds of memory that the team shares in a project; undefined if the policy of each machine says it. Throws
 * CONFIG_INVALID if somebody else has the member's name, HUB_CHANGED for a removed project, and DATABASE_ACCESS.
 */
export async function readSharedKinds(hub: Pick<Hub, 'pull'>, member: HubMember) {
  const { kinds, isRemoved, isNameTaken } = await hub.pull(member, Number.MAX_SAFE_INTEGER, [])
  if (isRemoved) throw removedError(member.project)
  if (isNameTaken)
    throw new MemoryError('CONFIG_INVALID', `somebody else in ${member.project} has the name ${member.name}`, {
      hint: 'Choose another one: `memctl hub connect URL --name NAME`.',
    })
  return knownKinds(kinds) ?? undefined
}

export const removedError = (project: string): MemoryError =>
  new MemoryError('HUB_CHANGED', `the owner of the hub has removed ${project}`, {
    hint: 'What this machine has learned itself stays here. `memctl hub leave` ends this message.',
  })

/** Those that this memctl knows, of what another program may have written. */
export const knownKinds = (kinds: HubPage['kinds']): readonly MemoryKind[] | null =>
  kinds && MEMORY_KINDS.filter((kind) => kinds.includes(kind))

/** What a project would share now: for the question that a person answers before anything leaves the machine. */
export function previewSharing(store: Store, kinds: readonly MemoryKind[]) {
  const { shareAgentOnly, sharePersonal } = readActivePolicy(store).policy.team
  const policy = { kinds, agentOnly: shareAgentOnly === 1, personal: sharePersonal === 1 }
  const memories = listMemories(store, { withPrivate: true }, 'importance')
  const byKind: Partial<Record<MemoryKind, number>> = {}
  const shared = memories.flatMap((memory) => {
    const fields = canShare(memory, policy, false) ? readOwnFields(memory, redactThoroughly) : undefined
    if (fields === undefined) return []
    byKind[memory.kind] = (byKind[memory.kind] ?? 0) + 1
    return [{ id: memory.id, kind: memory.kind, text: firstLine(fields.content, TEXT_CHARS) }]
  })
  const hidden = memories.filter(({ privacy }) => privacy === 'private').length
  return {
    /** What the team would get, the most important first; the text as it would be sent. */
    shared,
    byKind,
    /** Memories that stay: private ones, and those that are archived, imported, about the person or of other kinds. */
    kept: { private: hidden, others: memories.length - shared.length - hidden },
  }
}
