// Checks config.yaml: names that memctl does not know have no effect, and only this check reports them.
import { type CheckResult, checkPassed, checkProblem } from '../../model/checkResult.ts'
import { resolveConfiguredPolicy } from '../commands/configuredPolicy.ts'
import { readEmbedderConfig } from '../embedding/embedderConfig.ts'
import { findUnknownConfigNames } from '../open/compileConfig.ts'
import { blocksKnownFailures, configFile } from '../open/hookConfig.ts'
import type { Store } from '../open/openStore.ts'

/** Unknown names, the configured policy and embedder, and blocking. Throws CONFIG_INVALID and POLICY_INVALID. */
export function checkConfig(store: Store): CheckResult[] {
  const { files, home } = store
  if (home === undefined) return []
  const where = configFile(home)
  const unknown = findUnknownConfigNames(files, home).map(({ name, line, known }) =>
    checkProblem('config', 'warn', `${name} in line ${line} is not known, and changes nothing`, {
      where,
      hint: `There is ${known.join(', ')}: correct the name, or remove the line.`,
    }),
  )
  const { policy, sourceFile } = resolveConfiguredPolicy(store)
  const chosen =
    sourceFile === undefined ? [] : [checkPassed('config', `The policy ${policy.name} is chosen`, sourceFile)]
  const { kind } = readEmbedderConfig(store)
  const embedder = kind === 'builtin' ? [] : [checkPassed('config', `The embedder ${kind} is chosen`, where)]
  const held = blocksKnownFailures(store)
    ? [checkPassed('config', 'Calls that are known to fail are held once', where)]
    : []
  return [...unknown, ...chosen, ...embedder, ...held]
}
