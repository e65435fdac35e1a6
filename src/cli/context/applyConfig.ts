// What a person chose in config.yaml, brought to the hooks by the commands that write.
import { hasUserConfig } from '../../broker/open/hookConfig.ts'
import type { Store } from '../../broker/open/openStore.ts'
import { hasPolicyConfig } from '../../broker/policy/hasPolicyConfig.ts'

/** Compiles config.yaml for the hooks. Throws CONFIG_INVALID naming file, line, value and what is allowed. */
export async function applyConfig(store: Store): Promise<void> {
  if (!hasUserConfig(store)) return
  const { compileConfig } = await import('../../broker/open/compileConfig.ts')
  compileConfig(store)
}

/** Puts a changed choice of policy into the log. Throws CONFIG_INVALID and POLICY_INVALID like applyConfig. */
export async function applyPolicyChoice(store: Store, now: number): Promise<void> {
  if (!hasPolicyConfig(store)) return
  const { commitPolicyChoice } = await import('../../broker/commands/configuredPolicy.ts')
  commitPolicyChoice(store, now)
}
