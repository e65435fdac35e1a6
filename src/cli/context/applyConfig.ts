// Brings config.yaml into effect before a command writes. Hooks cannot: they do not parse YAML.
import { hasUserConfig } from '../../broker/open/hookConfig.ts'
import type { Store } from '../../broker/open/openStore.ts'
import { hasPolicyConfig } from '../../broker/policy/activePolicy.ts'

/** Compiles config.yaml for the hooks. Throws CONFIG_INVALID with file, line, value and what is allowed. */
export async function applyConfig(store: Store): Promise<void> {
  if (!hasUserConfig(store)) return
  const { compileConfig } = await import('../../broker/open/compileConfig.ts')
  compileConfig(store)
}

/** Writes a changed configured policy to the log. Throws CONFIG_INVALID and POLICY_INVALID. */
export async function applyPolicyChoice(store: Store, now: number): Promise<void> {
  if (!hasPolicyConfig(store)) return
  const { commitPolicyChoice } = await import('../../broker/commands/policyCommands.ts')
  commitPolicyChoice(store, now)
}
