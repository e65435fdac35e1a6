// The MCP server in a project's .mcp.json, put in and taken out again with nothing else in it changed.
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { MemoryError } from '../../model/memoryError.ts'
import type { HookLocation } from './hookLocation.ts'
import type { Json, JsonObject } from './hookSettings.ts'

const NAME = 'memctl'

/** The file that names a project's servers, for everyone who works in it: each is asked once before it is started. */
export const mcpConfigFile = (project: string): string => path.join(project, '.mcp.json')

/** How the client starts the server that lies beside the hooks of this wiring. */
export function mcpServerCommand({ folder }: HookLocation): JsonObject {
  // The variable is the client's own; without it a server is started where the project is.
  const script = folder.replace(`\${CLAUDE_PROJECT_DIR}`, `\${CLAUDE_PROJECT_DIR:-.}`).replace(/hooks$/, 'mcp.mjs')
  return { command: 'node', args: [script] }
}

/** The servers with ours among them; the very same where it, or one that somebody else calls memctl, is there already. Throws SETTINGS_INVALID where `mcpServers` is no object. */
export function addMcpServer(servers: JsonObject | undefined, command: JsonObject): JsonObject {
  const all = serversIn(servers)
  const there = all[NAME]
  if (servers && there !== undefined && (isDeepStrictEqual(there, command) || !isOurs(there))) return servers
  return { ...servers, mcpServers: { ...all, [NAME]: command } }
}

/** The servers without ours; undefined where nothing else is left in the file. */
export function removeMcpServer(servers: JsonObject | undefined): JsonObject | undefined {
  const all = servers?.['mcpServers']
  if (!isObject(all) || !isOurs(all[NAME])) return servers
  const { [NAME]: _, ...others } = all
  if (Object.keys(others).length > 0) return { ...servers, mcpServers: others }
  const { mcpServers: __, ...rest } = servers!
  return Object.keys(rest).length > 0 ? rest : undefined
}

function serversIn(servers: JsonObject | undefined): JsonObject {
  const all = servers?.['mcpServers']
  if (all === undefined) return {}
  if (isObject(all)) return all
  throw new MemoryError(
    'SETTINGS_INVALID',
    '"mcpServers" in .mcp.json is not an object, so nothing can be added to it',
    {
      hint: 'Make it an object, or remove it, then run the command again. Nothing was changed.',
    },
  )
}

/** Whether it starts our server, whichever version lies there. */
function isOurs(entry: Json | undefined): boolean {
  const args = isObject(entry) ? entry['args'] : undefined
  return Array.isArray(args) && args.some((word) => typeof word === 'string' && /[\\/]mcp\.mjs$/.test(word))
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
