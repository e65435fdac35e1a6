// The policy that serves: compiled beside the project's log where a session end has written it, else the shipped one.
import shipped from '../../policies/default.yaml'
import type { Policy } from '../model/policy.ts'
import { readJson } from '../store/jsonRead.ts'
import type { PolicyFile } from './policyFile.ts'
import type { Store } from './store.ts'

/** The shipped policy. Parsed when memctl was built: a hook reads no YAML. */
export const SHIPPED = shipped as Policy

/** The policy in force and its version; 0 is the shipped one. A damaged file falls back to it: `doctor` tells. */
export function servingPolicy(store: Store): { readonly policy: Policy; readonly version: number } {
  try {
    const file = readJson<PolicyFile>(store.files, store.layout.policy)
    // One of a later version may have another shape: without these no event could be recorded and nothing recalled.
    if (file?.compiled?.importance && file.compiled.recall?.moments)
      return { policy: file.compiled, version: file.learned.version }
  } catch {
    // Law 2: a damaged policy must not hold up a session, and the shipped one is always good.
  }
  return { policy: SHIPPED, version: 0 }
}
