// Checks what is known of the hub here: the config and the last sync. `memctl hub status` asks the hub itself.
import { type CheckResult, checkPassed, checkProblem } from '../../model/checkResult.ts'
import { configFile } from '../open/hookConfig.ts'
import type { Store } from '../open/openStore.ts'
import { readHubStatus } from '../team/hubStatus.ts'

/** Nothing without a hub. A sync that failed is a warning: it is tried again at the end of the next session. */
export function checkHub(store: Store, env: Readonly<Record<string, string | undefined>>): CheckResult[] {
  const status = readHubStatus(store, env)
  if (status === undefined || store.home === undefined) return []
  const { url, project, fault, lastSync, name } = status
  const where = url ?? configFile(store.home)
  if (fault !== null)
    return [checkProblem('hub', 'warn', `${fault.message} (${fault.code})`, { where, hint: fault.hint })]
  if (url === null) {
    return [
      checkProblem('hub', 'warn', `The project has joined a hub as ${project}, and no hub is configured`, {
        where,
        hint: 'Run `memctl hub connect URL`, or `memctl hub leave`.',
      }),
    ]
  }
  if (project === null) return [checkPassed('hub', `A hub is configured, and this project shares nothing`, where)]
  const when = lastSync === null ? 'not synced yet' : `last synced ${lastSync.slice(0, 16).replace('T', ' ')} UTC`
  return [checkPassed('hub', `The project is shared as ${project} by ${name}, ${when}`, where)]
}
