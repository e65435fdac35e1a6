// Is the policy that serves sound? A damaged one is stepped over by every hook in silence: only here is it told.
import { type Check, sound, unsound } from '../model/check.ts'
import { valueAt } from '../model/policy.ts'
import { readJson } from '../store/jsonRead.ts'
import { SHIPPED, servingPolicy } from './policy.ts'
import type { PolicyFile } from './policyFile.ts'
import type { Store } from './store.ts'

const FALLS_BACK = 'Until then the shipped policy serves.'

export function checkPolicy(store: Store): Check[] {
  const where = store.layout.policy
  const fault = (what: string): Check[] => [
    unsound('policy', 'fail', `${what}. ${FALLS_BACK}`, {
      where,
      mend: 'Run `memctl rebuild`: what was learned is in the log.',
    }),
  ]
  let file: PolicyFile | undefined
  try {
    file = readJson<PolicyFile>(store.files, where)
  } catch (error) {
    return fault(error instanceof Error ? error.message : String(error))
  }
  if (!file) return [sound('policy', 'The shipped one: nothing was learned yet')]
  if (!file.compiled?.recall || !file.learned) return fault('policy.json has no compiled policy in it')
  const missing = numbersOf(SHIPPED).filter((path) => valueAt(file.compiled, path) === undefined)
  if (missing.length > 0) return fault(`policy.json lacks ${missing.slice(0, 3).join(', ')}`)
  const { version } = servingPolicy(store)
  const moved = Object.keys(file.learned.values).length
  return [sound('policy', `Version ${version}, ${moved} of its numbers learned`, where)]
}

/** Dotted paths of every number in it. */
function numbersOf(value: object, above = ''): string[] {
  return Object.entries(value).flatMap(([name, one]: [string, unknown]) => {
    if (typeof one === 'number') return [above + name]
    return typeof one === 'object' && one !== null && !Array.isArray(one) ? numbersOf(one, `${above}${name}.`) : []
  })
}
