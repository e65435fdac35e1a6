// Which policy a replay uses, and whether it learns.
import fs from 'node:fs'
import path from 'node:path'
import type { Store } from '../../src/broker/open/openStore.ts'
import type { CliContext } from '../../src/cli/context/cliContext.ts'
import { MemoryError } from '../../src/model/memoryError.ts'

interface PolicyChoice {
  /** A built-in policy or a file. */
  readonly policy?: string
  readonly frozen?: boolean
}

/** Chooses the policy and stops learning, as the options say. Both are events of the store. */
export async function prepareReplayStore(
  store: Store,
  { policy, frozen }: PolicyChoice,
  now: number,
  io: CliContext,
): Promise<void> {
  if (policy !== undefined) {
    const [{ findBuiltinPolicy, loadPolicyWithIssues, policyOrThrow }, { commitPolicy }, { runMaintenanceOrThrow }] =
      await Promise.all([
        import('../../src/broker/policy/policyFiles.ts'),
        import('../../src/broker/commands/policyCommands.ts'),
        import('../../src/broker/maintenance/maintenance.ts'),
      ])
    const file = path.resolve(io.cwd, policy)
    const chosen = findBuiltinPolicy(policy) ?? policyOrThrow(loadPolicyWithIssues(store.files, file), file)
    commitPolicy(store, chosen, now)
    runMaintenanceOrThrow(store, now)
  }
  if (frozen) {
    const { setPolicyFrozen } = await import('../../src/broker/commands/policyCommands.ts')
    setPolicyFrozen(store, true, now)
  }
}

/** Writes the config of a new home, because the worker uses the policy that is configured there. */
export function configurePolicy(home: string, policy: string, io: CliContext): void {
  const file = path.join(home, 'config.yaml')
  if (fs.existsSync(file)) {
    throw new MemoryError('USAGE', `${file} configures the policy of this store`, {
      hint: 'Change `policy:` there, or give another folder with `--store DIR`.',
    })
  }
  const name = /\.ya?ml$/.test(policy) ? path.resolve(io.cwd, policy) : policy
  fs.writeFileSync(file, `policy: ${JSON.stringify(name)}\n`, { mode: 0o600 })
}
