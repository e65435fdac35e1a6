// The server as one file that needs nothing installed beside it: what a plugin and `memctl init --mcp` name. `memctl
// mcp` is the same server.
import { parseArgs } from 'node:util'
import { openStore, openStoreAt } from '../broker/open/openStore.ts'
import { ROLES } from '../tools/definition/role.ts'
import { TOOLSETS } from '../tools/toolRegistry.ts'
import { serveSession } from './serveSession.ts'

/** Put in when it is built. */
declare const VERSION: string

const text = { type: 'string' } as const
const { values } = parseArgs({ options: { tools: text, role: text, project: text, store: text } })
const { project = process.cwd(), store } = values
const [tools, role] = [one(TOOLSETS, values.tools ?? 'core', '--tools'), one(ROLES, values.role ?? 'worker', '--role')]

await serveSession({
  store: store === undefined ? openStore(project, process.env) : openStoreAt(store, project),
  ...{ toolset: tools, role, version: VERSION, env: process.env, now: Date.now },
})

/** Reads an option with fixed choices. The client shows what a server says on stderr before it ends. */
function one<Word extends string>(words: readonly Word[], given: string, option: string): Word {
  const found = words.find((word) => word === given)
  if (found === undefined) throw new Error(`${option} is ${given}; use one of ${words.join(', ')}`)
  return found
}
