// Checks what a person has configured: config.yaml, the policy, the hub.
import { type CheckResult, checkPassed, checkProblem } from '../../model/checkResult.ts'
import { messageOf } from '../../model/memoryError.ts'
import { type PolicyProblem, validatePolicy } from '../../model/policySchema.ts'
import { readJson } from '../../store/disk/readJson.ts'
import { resolveConfiguredPolicy } from '../commands/policyCommands.ts'
import { readDistillConfig } from '../distill/distillConfig.ts'
import { readEmbedderConfig } from '../embedding/configuredEmbedder.ts'
import { findUnknownConfigNames } from '../open/configFile.ts'
import { blocksKnownFailures, configFile, isReadingConfigured } from '../open/hookConfig.ts'
import type { Environment, Store } from '../open/openStore.ts'
import { fillPolicyDefaults, type PolicyFile, readActivePolicy } from '../policy/activePolicy.ts'
import { readLearner } from '../projection/projectionFiles.ts'
import { readHubStatus } from '../team/hubStatus.ts'

/** Unknown names, the configured policy, embedder and model, and blocking. Throws CONFIG_INVALID and POLICY_INVALID. */
export function checkConfig(store: Store): CheckResult[] {
  const { files, home } = store
  if (home === undefined) return []
  const where = configFile(home)
  const warn = (what: string, place: string | undefined, hint: string): CheckResult =>
    checkProblem('config', 'warn', what, { where: place, hint })
  const passed = (isTrue: boolean, what: string, place?: string): CheckResult[] =>
    isTrue ? [checkPassed('config', what, place)] : []
  const unknown = findUnknownConfigNames(files, home).map(({ name, line, known }) => {
    const hint = `Use one of ${known.join(', ')}, or remove the line.`
    return warn(`${name} in line ${line} is unknown and has no effect`, where, hint)
  })
  const { policy, sourceFile, fault, ignored = [] } = resolveConfiguredPolicy(store)
  const { kind } = readEmbedderConfig(store)
  const model = readDistillConfig(store)
  const readerIn = isReadingConfigured({ files, home }) ? where : "the plugin's settings"
  const stricter = `The repository's policy can only be stricter: not used are ${ignored.join(', ')}`
  return [
    ...unknown,
    ...(fault
      ? [warn(`${fault.what}. The policy of the repository is not used`, fault.file, fault.hint)]
      : passed(ignored.length > 0, stricter)),
    ...passed(sourceFile !== undefined, `Policy ${policy.name} is configured`, sourceFile),
    ...passed(kind !== 'builtin', `Embedder ${kind} is configured`, where),
    ...passed(model !== undefined, `Model ${model?.by} reads finished sessions`, readerIn),
    ...passed(blocksKnownFailures(store), 'Calls that are known to fail are blocked once', where),
  ]
}

// Checks the active policy. Hooks ignore a damaged or invalid one without a message; only this check reports it.

export function checkPolicy(store: Store): CheckResult[] {
  const where = store.layout.policy
  const fail = (what: string): CheckResult[] => [
    checkProblem('policy', 'fail', `${what}. Until then the default policy is used.`, {
      where,
      hint: 'Run `memctl rebuild`: what was learned is in the log.',
    }),
  ]
  let file: PolicyFile | undefined
  try {
    file = readJson<PolicyFile>(store.files, where)
  } catch (error) {
    return fail(messageOf(error))
  }
  if (!file) return [checkPassed('policy', 'The default: nothing was learned yet')]
  if (!file.compiled?.recall || !file.learned) return fail('policy.json has no compiled policy in it')
  const problems = validatePolicy(fillPolicyDefaults(file.compiled))
  if (problems.length > 0) return fail(`policy.json is not valid: ${formatProblems(problems)}`)
  const { version } = readActivePolicy(store)
  const learned = Object.keys(file.learned.values).length
  const name = file.base?.name ?? file.name
  const frozen = file.frozen ? '; frozen, learning changes nothing' : ''
  return [
    checkPassed('policy', `${name}, version ${version}, ${learned} of its values learned${frozen}`, where),
    ...checkLastChange(store),
  ]
}

/** A warning if the last change of the policy in the log was invalid: the configured policy is active since. */
function checkLastChange(store: Store): CheckResult[] {
  const last = readLearner(store).history?.findLast((change) => !/^(?:frozen|thawed)$/.test(change.reason))
  const what = last?.evidence['refused']
  if (!last || typeof what !== 'string') return []
  const source = last.by === 'improve' ? 'What was learned' : 'What was requested'
  const hint =
    'The configured policy is used until something else is learned or requested; see `memctl policy history`.'
  const where = store.layout.policy
  return [checkProblem('policy', 'warn', `${source} at ${last.at} is invalid and not used: ${what}`, { where, hint })]
}

function formatProblems(problems: readonly PolicyProblem[]): string {
  const first = problems
    .slice(0, 3)
    .map(({ what, hint }) => `${what} (${hint.charAt(0).toLowerCase()}${hint.slice(1)})`)
  return `${first.join('; ')}${problems.length > first.length ? `; and ${problems.length - first.length} more` : ''}`
}

// Checks what is known of the hub here: the config and the last sync. `memctl hub status` asks the hub itself.

/** Nothing without a hub. A sync that failed is a warning: it is tried again at the end of the next session. */
export function checkHub(store: Store, env: Environment): CheckResult[] {
  const status = readHubStatus(store, env)
  if (status === undefined || store.home === undefined) return []
  const { url, project, fault, lastSync, name } = status
  const where = url ?? configFile(store.home)
  if (fault !== null)
    return [checkProblem('hub', 'warn', `${fault.message} (${fault.code})`, { where, hint: fault.hint })]
  if (url === null) {
    const what = `The project has joined a hub as ${project}, and no hub is configured`
    const hint = 'Run `memctl hub connect URL`, or `memctl hub leave`.'
    return [checkProblem('hub', 'warn', what, { where, hint })]
  }
  if (project === null) return [checkPassed('hub', `A hub is configured, and this project shares nothing`, where)]
  const when = lastSync === null ? 'not synced yet' : `last synced ${lastSync.slice(0, 16).replace('T', ' ')} UTC`
  return [checkPassed('hub', `The project is shared as ${project} by ${name}, ${when}`, where)]
}
