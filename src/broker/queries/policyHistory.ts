// How the policy came to be what it is. It lies in what the view carries from session to session, not in policy.json: that one
// every hook reads, and a history of two hundred changes with their evidence would cost each of them milliseconds.
import { readJson } from '../../store/disk/readJson.ts'
import { readManifest } from '../../store/snapshot/snapshotReader.ts'
import type { Store } from '../open/openStore.ts'
import type { PolicyChange } from '../projection/projection.ts'
import type { LearnerState } from '../projection/projectionFiles.ts'

/** The changes kept, oldest first. Throws STORE_INVALID and STORE_NEWER like every reader of the view. */
export function readPolicyHistory({ files, layout }: Store): readonly PolicyChange[] {
  const { generation } = readManifest(files, layout)
  return readJson<Pick<LearnerState, 'history'>>(files, layout.work(generation))?.history ?? []
}
