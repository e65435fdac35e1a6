// The server as one file that needs nothing installed beside it: what a plugin and `memctl init --mcp` name. `memctl
// mcp` is the same server.
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openStore, openStoreAt } from '../broker/open/openStore.ts'
import { withRuntimeHome } from '../store/project/project.ts'
import { ROLES } from '../tools/definition/toolContext.ts'
import { TOOLSETS } from '../tools/toolRegistry.ts'
import { serveSession } from './serveTools.ts'

/** Defined by the build. */
declare const VERSION: string

const text = { type: 'string' } as const

// The client shows what a server says on stderr before it ends: one line, and no stack.
process.on('uncaughtException', (error) => {
  process.stderr.write(`memctl mcp: ${error.message.replaceAll('\n', ' ')}\n`)
  process.exit(2)
})

const { values } = parseArgs({ options: { tools: text, role: text, project: text, store: text } })
const { project = process.cwd(), store } = values
const folder = path.dirname(fileURLToPath(import.meta.url))
const env = withRuntimeHome(process.env, folder)

await serveSession({
  store: store === undefined ? openStore(project, env) : openStoreAt(store, project),
  toolset: parseChoice(TOOLSETS, values.tools ?? 'core', '--tools'),
  role: parseChoice(ROLES, values.role ?? 'worker', '--role'),
  version: VERSION,
  env,
  now: Date.now,
  watchdog: path.join(folder, 'watchdog.cjs'),
})

function parseChoice<Choice extends string>(choices: readonly Choice[], value: string, option: string): Choice {
  const choice = choices.find((known) => known === value)
  if (choice === undefined) throw new Error(`${option} is ${value}; use one of ${choices.join(', ')}`)
  return choice
}
