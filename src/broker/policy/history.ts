// How the policy came to be what it is. It lies in what the view carries from session to session, not in policy.json: that one
// every hook reads, and a history of two hundred changes with their evidence would cost each of them milliseconds.
import { readJson } from '../../store/jsonRead.ts'
import { readManifest } from '../../store/shelf.ts'
import type { Store } from '../store.ts'
import type { Work } from '../view/save.ts'
import type { PolicyChange } from '../view/view.ts'

/** The changes kept, oldest first. Throws STORE_INVALID and STORE_NEWER like every reader of the view. */
export function policyHistory({ files, layout }: Store): readonly PolicyChange[] {
  const { generation } = readManifest(files, layout)
  return readJson<Pick<Work, 'history'>>(files, layout.work(generation))?.history ?? []
}
