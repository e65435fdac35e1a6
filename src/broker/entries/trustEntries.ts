// The person's choice whether a folder's content is trusted, and its effect at once: entries and policy.
import { splitEntryPath } from '../../entries/entryDirs.ts'
import { readMtimeCache } from '../../entries/mtimeCache.ts'
import { writeJsonFile } from '../../store/disk/jsonFile.ts'
import { writeTrust } from '../../store/project/contentTrust.ts'
import { commitPolicyChoice } from '../commands/policyCommands.ts'
import { runMaintenance } from '../maintenance/maintenance.ts'
import type { Store } from '../open/openStore.ts'
import { hasPolicyConfig } from '../policy/activePolicy.ts'
import { syncEntriesNow } from './entryMaintenance.ts'

/**
 * Stores the choice and applies it. Without trust, entries that came with the repository are removed from the memory;
 * their files stay. Throws CONFIG_INVALID and POLICY_INVALID for a config of the person.
 */
export function changeTrust(store: Store, trust: 'trusted' | 'untrusted', now: number): void {
  writeTrust(store, trust, now)
  const { files, layout, project } = store
  if (trust === 'trusted' && files.size(layout.entries) !== undefined) {
    // Files that have changed without trust are read again.
    const kept = Object.entries(readMtimeCache(store)).filter(([path]) => !splitEntryPath(project.root, path))
    writeJsonFile(files, layout.entries, Object.fromEntries(kept))
  }
  syncEntriesNow(store, now)
  if (hasPolicyConfig(store) && commitPolicyChoice(store, now)) runMaintenance(store, { now, sessions: [] })
}
