// Joining and leaving a hub, for one project. Nothing leaves the machine from a project that has not joined.
import { readMark } from '../../store/project/folderEvidence.ts'
import { leaveOperations } from '../../team/collectOperations.ts'
import type { Hub } from '../../team/hub.ts'
import { hashHex } from '../../text/hash.ts'
import { commitAndApply, systemEvent } from '../commit/commitEvents.ts'
import { publishOperations, teamWriter } from '../commit/publishOperations.ts'
import { runMaintenance } from '../maintenance/maintenance.ts'
import type { Store } from '../open/openStore.ts'
import type { LoadedProjection } from '../projection/projection.ts'
import type { TeamMembership } from '../projection/teamProjection.ts'
import { removeHubResult } from './hubResult.ts'
import { loadTeamStore, withStoreLock } from './teamStore.ts'

export interface JoinRequest {
  readonly hub: Pick<Hub, 'describe'>
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
 * the machine that it was. Throws what the hub throws, and STORE_BUSY.
 */
export async function joinTeam(store: Store, request: JoinRequest): Promise<TeamMembership> {
  const { project, name, now, newId } = request
  const { hub } = await request.hub.describe()
  const membership = await withStoreLock(store, () => {
    const loaded = loadTeamStore(store, now)
    const before = loaded.projection.team?.membership
    const place = findPlace(store)
    const isSame = before?.hub === hub && before.project === project && isSamePlace(before, place)
    return commitJoin(store, loaded, { hub, project, replica: isSame ? before.replica : newId(), name, place }, now)
  })
  runMaintenance(store, { now, sessions: [] })
  return membership
}

/** The same store is another copy from now on, with another replica: everything is received again. */
export function renewReplica(
  store: Store,
  loaded: LoadedProjection,
  { now, newId }: Pick<JoinRequest, 'now' | 'newId'>,
): void {
  const before = loaded.projection.team?.membership
  if (before) commitJoin(store, loaded, { ...before, replica: newId(), place: findPlace(store) }, now)
}

/** The team calls this person otherwise. */
export const renameMember = (store: Store, loaded: LoadedProjection, name: string, now: number): void => {
  const before = loaded.projection.team?.membership
  if (before && before.name !== name) commitJoin(store, loaded, { ...before, name }, now)
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
    const operations = leaveOperations(team.states, teamWriter(team), now)
    commitAndApply(store, loaded, [systemEvent({ kind: 'team.left' }, { now, key: [String(team.lastN)] })])
    publishOperations(store, loaded, operations, now)
    return true
  })
  if (hasJoined) {
    removeHubResult(store)
    runMaintenance(store, { now, sessions: [] })
  }
  return hasJoined
}

/** A hash of the folder of the log as the file system knows it; empty where it has no such identity. */
function findPlace({ files, layout }: Store): string {
  files.makeFolder(layout.events)
  const mark = readMark(layout.events)
  return mark === undefined ? '' : hashHex(mark)
}

/** Whether the store is where it was: a copied or restored one is not. */
export const isInPlace = (store: Store, membership: TeamMembership): boolean =>
  isSamePlace(membership, findPlace(store))

const isSamePlace = (before: TeamMembership, place: string): boolean =>
  before.place === place || before.place === '' || place === ''
