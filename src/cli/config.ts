// What a person chose in config.yaml, brought to the hooks by the commands that write.
import { hasConfig } from '../broker/hookConfig.ts'
import type { Store } from '../broker/store.ts'

/** Compiles config.yaml for the hooks. Throws CONFIG_INVALID naming file, line, value and what is allowed. */
export async function takeConfig(store: Store): Promise<void> {
  if (!hasConfig(store)) return
  const { compileConfig } = await import('../broker/compileConfig.ts')
  compileConfig(store)
}
