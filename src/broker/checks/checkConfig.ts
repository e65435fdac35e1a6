// Checks config.yaml: names that memctl does not know have no effect, and only this check reports them.
import { type CheckResult, checkPassed, checkProblem } from '../../model/checkResult.ts'
import { resolveConfiguredPolicy } from '../commands/configuredPolicy.ts'
import { readDistillConfig } from '../distill/distillConfig.ts'
import { readEmbedderConfig } from '../embedding/embedderConfig.ts'
import { findUnknownConfigNames } from '../open/compileConfig.ts'
import { blocksKnownFailures, configFile } from '../open/hookConfig.ts'
import type { Store } from '../open/openStore.ts'
import { isReadingConfigured } from '../open/readingChoice.ts'

/** Unknown names, the configured policy, embedder and model, and blocking. Throws CONFIG_INVALID and POLICY_INVALID. */
export function checkConfig(store: Store): CheckResult[] {
  const { files, home } = store
  if (home === undefined) return []
  const where = configFile(home)
  const unknown = findUnknownConfigNames(files, home).map(({ name, line, known }) =>
    checkProblem('config', 'warn', `${name} in line ${line} is unknown and has no effect`, {
      where,
      hint: `Use one of ${known.join(', ')}, or remove the line.`,
    }),
  )
  const { policy, sourceFile, fault, ignored = [] } = resolveConfiguredPolicy(store)
  const configured =
    sourceFile === undefined ? [] : [checkPassed('config', `Policy ${policy.name} is configured`, sourceFile)]
  const { kind } = readEmbedderConfig(store)
  const embedder = kind === 'builtin' ? [] : [checkPassed('config', `Embedder ${kind} is configured`, where)]
  const model = readDistillConfig(store)
  const readerIn = isReadingConfigured({ files, home }) ? where : "the plugin's settings"
  const distill = model ? [checkPassed('config', `Model ${model.by} reads finished sessions`, readerIn)] : []
  const blocking = blocksKnownFailures(store)
    ? [checkPassed('config', 'Calls that are known to fail are blocked once', where)]
    : []
  const project = fault
    ? [
        checkProblem('config', 'warn', `${fault.what}. The policy of the repository is not used`, {
          where: fault.file,
          hint: fault.hint,
        }),
      ]
    : ignored.length > 0
      ? [checkPassed('config', `The repository's policy can only be stricter: not used are ${ignored.join(', ')}`)]
      : []
  return [...unknown, ...project, ...configured, ...embedder, ...distill, ...blocking]
}
