// Distillation for a program: the model of the config reads sessions of a project.
import { readDistillConfig } from '../../broker/distill/distillConfig.ts'
import { type DistillReport, distillSessions } from '../../broker/distill/distillSessions.ts'
import { listDueSessions } from '../../broker/distill/dueSessions.ts'
import type { Store } from '../../broker/open/openStore.ts'
import { findSessionByPrefix } from '../../broker/queries/browse.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { Env } from '../processDefaults.ts'
import type { DistillRequest } from './projectApi.ts'

interface DistillSource {
  readonly store: Store
  readonly env: Env
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** Sessions that are named are read although answers about them were rejected. Throws CONFIG_INVALID and CANCELLED. */
export async function distillProject(
  { store, env, now }: DistillSource,
  { sessions, signal }: DistillRequest,
): Promise<DistillReport> {
  const config = readDistillConfig(store)
  if (!config) {
    throw new MemoryError('CONFIG_INVALID', 'No model is configured', {
      hint: 'Write `distill: claude` in config.yaml; docs/distill.md has the other models.',
    })
  }
  const ids = sessions?.map((session) => findSessionByPrefix(store, session)) ?? listDueSessions(store, now())
  return distillSessions(store, ids, { config, env, now, signal, isRequested: sessions !== undefined })
}
