// What a person chose in config.yaml, brought to the hooks by the commands that write.
import { hasConfig } from '../broker/hookConfig.ts'
import { mayHaveChosen } from '../broker/policy/chosen.ts'
import type { Store } from '../broker/store.ts'

/** Compiles config.yaml for the hooks. Throws CONFIG_INVALID naming file, line, value and what is allowed. */
export async function takeConfig(store: Store): Promise<void> {
  if (!hasConfig(store)) return
  const { compileConfig } = await import('../broker/compileConfig.ts')
  compileConfig(store)
}

/** Puts a changed choice of policy into the log. Throws CONFIG_INVALID and POLICY_INVALID like takeConfig. */
export async function takeChoice(store: Store, now: number): Promise<void> {
  if (!mayHaveChosen(store)) return
  const { takePolicyChoice } = await import('../broker/policy/choice.ts')
  takePolicyChoice(store, now)
}
