// Adds the MCP server to a project's .mcp.json and removes it, without changing anything else in the file.
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { MemoryError } from '../../model/memoryError.ts'
import { IS_WINDOWS, toSystemPath } from '../../store/disk/systemPath.ts'
import type { HookLocation } from './hookLocation.ts'
import { isJsonObject, type Json, type JsonObject } from './hookSettings.ts'

const NAME = 'memctl'

/** The file of a project's MCP servers. The client asks each user once before it starts them. */
export const mcpConfigFile = (project: string): string => path.join(project, '.mcp.json')

/** How the client starts the server that is beside the hooks at this location. */
export function mcpServerCommand({ folder }: Pick<HookLocation, 'folder'>, from: Homes = {}): JsonObject {
  // The client sets the variable. Without it, the server starts in the project's folder.
  const script = folder.replace(`\${CLAUDE_PROJECT_DIR}`, `\${CLAUDE_PROJECT_DIR:-.}`).replace(/hooks$/, 'mcp.mjs')
  return { command: 'node', args: [makePortable(script, from)] }
}

interface Homes {
  /** $MEMCTL_HOME */
  readonly home?: string
  /** $HOME */
  readonly userHome?: string | undefined
}

/** The path without a folder of this machine: .mcp.json is shared, and the client expands variables in it. */
function makePortable(script: string, { home, userHome }: Homes): string {
  const replace = (folder: string | undefined, name: string): string | undefined =>
    folder && toSystemPath(script).startsWith(`${toSystemPath(folder)}/`)
      ? `\${${name}}${script.slice(folder.length).replaceAll('\\', '/')}`
      : undefined
  return replace(userHome, IS_WINDOWS ? 'USERPROFILE' : 'HOME') ?? replace(home, 'MEMCTL_HOME') ?? script
}

/**
 * The servers with ours added. Returns `servers` itself if ours, or another server named memctl, is already there.
 * Throws SETTINGS_INVALID if `mcpServers` is not an object.
 */
export function addMcpServer(servers: JsonObject | undefined, command: JsonObject): JsonObject {
  const all = readServers(servers)
  const present = all[NAME]
  if (servers && present !== undefined && (isDeepStrictEqual(present, command) || !isOurs(present))) return servers
  return { ...servers, mcpServers: { ...all, [NAME]: command } }
}

/**
 * The servers without ours, and with ours as `command` says. What a person has added to ours stays, as arguments and
 * an environment. `wanted` is `servers` itself if nothing changes.
 */
export function updateMcpServer(
  servers: JsonObject | undefined,
  command: JsonObject,
): { readonly without: JsonObject | undefined; readonly wanted: JsonObject | undefined } {
  const present = readServers(servers)[NAME]
  const wantedServer = isOurs(present) ? { ...present, args: replaceScript(present, command) } : command
  const wanted = addMcpServer(servers, wantedServer)
  if (wanted === servers) return { without: servers, wanted: servers }
  const without = removeMcpServer(servers)
  return { without, wanted: addMcpServer(without, wantedServer) }
}

/** The script of our server, as the file names it; undefined if ours is not there. */
export function findMcpScript(servers: JsonObject): string | undefined {
  const all = servers['mcpServers']
  const present = isJsonObject(all) ? all[NAME] : undefined
  return isOurs(present) ? argumentsOf(present).find(isScript) : undefined
}

const replaceScript = (present: JsonObject, command: JsonObject): readonly string[] =>
  argumentsOf(present).map((word) => (isScript(word) ? (argumentsOf(command)[0] ?? word) : word))

/** The servers without ours; undefined if nothing else is in the file. */
export function removeMcpServer(servers: JsonObject | undefined): JsonObject | undefined {
  const all = servers?.['mcpServers']
  if (!servers || !isJsonObject(all) || !isOurs(all[NAME])) return servers
  const { [NAME]: _, ...others } = all
  if (Object.keys(others).length > 0) return { ...servers, mcpServers: others }
  const { mcpServers: __, ...rest } = servers
  return Object.keys(rest).length > 0 ? rest : undefined
}

function readServers(servers: JsonObject | undefined): JsonObject {
  const all = servers?.['mcpServers']
  if (all === undefined) return {}
  if (isJsonObject(all)) return all
  throw new MemoryError(
    'SETTINGS_INVALID',
    '"mcpServers" in .mcp.json is not an object, so nothing can be added to it',
    {
      hint: 'Make it an object, or remove it, then run the command again. Nothing was changed.',
    },
  )
}

/** Whether an entry starts our server, of any version. */
const isOurs = (entry: Json | undefined): entry is JsonObject =>
  isJsonObject(entry) && argumentsOf(entry).some(isScript)

const isScript = (word: string): boolean => /[\\/]mcp\.mjs$/.test(word)

function argumentsOf(entry: JsonObject): readonly string[] {
  const args = entry['args']
  return Array.isArray(args) ? args.filter((word) => typeof word === 'string') : []
}
