// Is what a person chose understood? A name memctl does not know changes nothing, and only here is it told. The file as a whole is
// the machine's to check.
import { type Check, sound, unsound } from '../../model/check.ts'
import { strangeNames } from '../compileConfig.ts'
import { embedderChosen } from '../embed/choice.ts'
import { configFile, holdsCalls } from '../hookConfig.ts'
import { policyChosen } from '../policy/choice.ts'
import type { Store } from '../store.ts'

/** Names nobody knows, the policy and the embedder chosen, and whether hooks hold calls. Throws CONFIG_INVALID and POLICY_INVALID, as `guarded` tells them. */
export function checkConfig(store: Store): Check[] {
  const { files, home } = store
  if (home === undefined) return []
  const where = configFile(home)
  const strange = strangeNames(files, home).map(({ name, line, known }) =>
    unsound('config', 'warn', `${name} in line ${line} is not known, and changes nothing`, {
      where,
      mend: `There is ${known.join(', ')}: correct the name, or remove the line.`,
    }),
  )
  const { policy, from } = policyChosen(store)
  const chosen = from === undefined ? [] : [sound('config', `The policy ${policy.name} is chosen`, from)]
  const { kind } = embedderChosen(store)
  const embedder = kind === 'builtin' ? [] : [sound('config', `The embedder ${kind} is chosen`, where)]
  const held = holdsCalls(store) ? [sound('config', 'Calls that are known to fail are held once', where)] : []
  return [...strange, ...chosen, ...embedder, ...held]
}
