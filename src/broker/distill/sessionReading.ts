// The person's answer on whether Claude may read finished sessions: from `memctl init` and `/memctl:read-sessions`.
// src/broker/open/hookConfig.ts has the answer of the plugin's settings.
import { MemoryError } from '../../model/memoryError.ts'
import { setConfigValue } from '../open/configFile.ts'
import { configFile } from '../open/hookConfig.ts'
import type { Store } from '../open/openStore.ts'

type Home = Pick<Store, 'files'> & { readonly home: string }

/** Tokens that reading a session costs, input and output, as measured: docs/distill.md. */
export const SESSION_TOKENS = 3_400

/** Stores the answer. Throws CONFIG_INVALID if config.yaml is not valid YAML. */
export function setSessionReading({ files, home }: Home, isAllowed: boolean): void {
  if (setConfigValue(files, home, 'distill', isAllowed ? 'claude' : false)) return
  throw new MemoryError('CONFIG_INVALID', `${configFile(home)} is not valid YAML with names at the top`, {
    hint: `Repair it, or add the line \`distill: ${isAllowed ? 'claude' : 'false'}\` by hand.`,
  })
}
