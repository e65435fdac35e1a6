// Checks the active policy. Hooks ignore a damaged or invalid one without a message; only this check reports it.
import { type CheckResult, checkPassed, checkProblem } from '../../model/checkResult.ts'
import { type PolicyProblem, validatePolicy } from '../../model/policyValidator.ts'
import { readJson } from '../../store/disk/readJson.ts'
import type { Store } from '../open/openStore.ts'
import type { PolicyFile } from '../policy/activePolicy.ts'
import { fillPolicyDefaults, readActivePolicy } from '../policy/activePolicy.ts'
import { readPolicyHistory } from '../queries/policySummary.ts'

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
    return fail(error instanceof Error ? error.message : String(error))
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
  const last = readPolicyHistory(store).findLast((change) => !/^(?:frozen|thawed)$/.test(change.reason))
  const what = last?.evidence['refused']
  if (!last || typeof what !== 'string') return []
  const source = last.by === 'improve' ? 'What was learned' : 'What was requested'
  return [
    checkProblem('policy', 'warn', `${source} at ${last.at} is invalid and not used: ${what}`, {
      where: store.layout.policy,
      hint: 'The configured policy is used until something else is learned or requested; see `memctl policy history`.',
    }),
  ]
}

function formatProblems(problems: readonly PolicyProblem[]): string {
  const first = problems
    .slice(0, 3)
    .map(({ what, hint }) => `${what} (${hint.charAt(0).toLowerCase()}${hint.slice(1)})`)
  return `${first.join('; ')}${problems.length > first.length ? `; and ${problems.length - first.length} more` : ''}`
}
