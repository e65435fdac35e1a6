// What can be wrong between a project and its hub, besides what the database says.
import { MemoryError } from '../../model/memoryError.ts'
import type { HubDescription } from '../../team/hub.ts'
import type { TeamProjection } from '../projection/teamProjection.ts'

/** Versions of the hub's tables that this version of memctl can use. */
export interface HubVersions {
  readonly min: number
  readonly max: number
}

/** Throws DATABASE_VERSION and HUB_CHANGED. */
export function assertSameHub(
  { membership }: TeamProjection,
  { hub, version }: HubDescription,
  versions: HubVersions,
): void {
  if (version < versions.min || version > versions.max) {
    const isNewer = version > versions.max
    throw new MemoryError('DATABASE_VERSION', `the hub has version ${version}, and this memctl knows ${versions.max}`, {
      hint: isNewer
        ? 'Update memctl on this machine.'
        : 'Run `memctl hub migrate`, or ask the owner of the database to.',
    })
  }
  if (membership.hub === hub) return
  throw new MemoryError('HUB_CHANGED', 'the configured database is another hub than the one that the project joined', {
    hint: 'Configure the earlier one with `memctl hub connect URL`, or join this one with `memctl hub join`.',
  })
}

/** Another copy of the store has used the same numbers. */
export const isConflict = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'HUB_CONFLICT'

export const conflictError = (): MemoryError =>
  new MemoryError('HUB_CONFLICT', 'the hub has changes of this machine that this copy of the project does not have', {
    hint: 'Run `memctl hub sync` again: the copy takes part as a machine of its own.',
  })

/** `waiting`: changes that cannot be sent. */
export const readOnlyError = (waiting: number): MemoryError =>
  new MemoryError('DATABASE_READ_ONLY', `the hub cannot be written by this role, and ${waiting} changes wait`, {
    hint: 'Ask the owner of the hub for `memctl hub grant ROLE --project NAME --write`.',
  })
