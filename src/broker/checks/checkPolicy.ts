// Checks the active policy. Hooks ignore a damaged or invalid one without a message; only this check reports it.
import { type CheckResult, checkPassed, checkProblem } from '../../model/checkResult.ts'
import { type PolicyProblem, validatePolicy } from '../../model/policyValidator.ts'
import { readJson } from '../../store/disk/readJson.ts'
import type { Store } from '../open/openStore.ts'
import type { PolicyFile } from '../policy/activePolicy.ts'
import { fillPolicyDefaults, readActivePolicy } from '../policy/activePolicy.ts'
import { readPolicyHistory } from '../queries/policySummary.ts'

const FALLS_BACK = 'Until then the default policy is used.'

export function checkPolicy(store: Store): CheckResult[] {
  const where = store.layout.policy
  const fault = (what: string): CheckResult[] => [
    checkProblem('policy', 'fail', `${what}. ${FALLS_BACK}`, {
      where,
      hint: 'Run `memctl rebuild`: what was learned is in the log.',
    }),
  ]
  let file: PolicyFile | undefined
  try {
    file = readJson<PolicyFile>(store.files, where)
  } catch (error) {
    return fault(error instanceof Error ? error.message : String(error))
  }
  if (!file) return [checkPassed('policy', 'The default: nothing was learned yet')]
  if (!file.compiled?.recall || !file.learned) return fault('policy.json has no compiled policy in it')
  const faults = validatePolicy(fillPolicyDefaults(file.compiled))
  if (faults.length > 0) return fault(`policy.json is not valid: ${formatProblems(faults)}`)
  const { version } = readActivePolicy(store)
  const moved = Object.keys(file.learned.values).length
  const name = file.base?.name ?? file.name
  const frozen = file.frozen ? '; frozen, learning moves nothing' : ''
  return [
    checkPassed('policy', `${name}, version ${version}, ${moved} of its numbers learned${frozen}`, where),
    ...refused(store),
  ]
}

/** The last change of the policy in the log, if it was invalid: the configured policy is active since. */
function refused(store: Store): CheckResult[] {
  const last = readPolicyHistory(store).findLast((one) => !/^(?:frozen|thawed)$/.test(one.reason))
  const what = last?.evidence['refused']
  if (typeof what !== 'string') return []
  const who = last?.by === 'improve' ? 'What was learned' : 'What was requested'
  return [
    checkProblem('policy', 'warn', `${who} at ${last!.at} is invalid and not used: ${what}`, {
      where: store.layout.policy,
      hint: 'The configured policy is used until something else is learned or requested; see `memctl policy history`.',
    }),
  ]
}

function formatProblems(faults: readonly PolicyProblem[]): string {
  const some = faults.slice(0, 3).map(({ what, hint }) => `${what} (${hint.charAt(0).toLowerCase()}${hint.slice(1)})`)
  return `${some.join('; ')}${faults.length > some.length ? `; and ${faults.length - some.length} more` : ''}`
}
