// Everything that memctl adds to files of the client: hooks, status line, MCP server. Nothing else there changes.
//
//   addHooks(x) ───────────────► x with our group at the end of each event's list
//   removeHooks(addHooks(x)) ──► x, without lists and objects of hooks that were empty
//
// Each entry has a field `memctl`, which the client ignores (measured in 2.1.197 and 2.1.329). It marks our entries,
// whatever path they name.
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import {
  HOOK_REGISTRATIONS,
  HOOK_TOOL,
  type HookEvent,
  type HookRegistration,
  SERVER_ARGUMENT,
  SERVER_NAME,
} from '../../model/hookEvents.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { IS_WINDOWS, toSystemPath } from '../../store/disk/paths.ts'
import type { Role } from '../../tools/definition/toolContext.ts'
import type { Toolset } from '../../tools/toolRegistry.ts'
import { isJsonObject, type Json, type JsonObject, type SettingsUpdate } from './settingsFile.ts'

/** Where the hooks are, as settings name it; the other scripts are beside this folder. */
type HookFolder = Readonly<{ folder: string }>

/** Settings without our parts; undefined if nothing else is in them. */
export function withoutOurs(settings: JsonObject | undefined): JsonObject | undefined {
  const after = settings && removeHooks(removeStatusLine(settings))
  return after !== settings && Object.keys(after ?? {}).length === 0 ? undefined : after
}

/**
 * Settings without our parts, and with those for this location; with `runsInServer`, our MCP server runs the hooks that
 * it can. A status line of ours that is there stays, and `addsStatusLine` adds one. `wanted` is `settings` itself if
 * nothing changes.
 */
export function updateOurs(
  settings: JsonObject | undefined,
  location: HookFolder,
  addsStatusLine: boolean,
  runsInServer = false,
): SettingsUpdate {
  const add = (before: JsonObject | undefined): JsonObject | undefined => {
    const installed = addHooks(before, hookCommandFactory(location.folder, runsInServer))
    const isWanted = hasOurStatusLine(settings) || addsStatusLine
    return isWanted ? addStatusLine(installed, statusLineCommand(location), settings?.['statusLine']) : installed
  }
  const inPlace = add(settings)
  if (inPlace === settings || isDeepStrictEqual(inPlace, settings)) return { without: settings, wanted: settings }
  const without = withoutOurs(settings)
  return { without, wanted: add(without) }
}

type CommandFor = (event: HookRegistration) => JsonObject

/**
 * Creates the entries; their scripts are in `folder`, unless our server runs what it can. A hook in its exec form: no
 * shell, no quoting, the same on every system. Or a call of our MCP server.
 */
export function hookCommandFactory(folder: string, runsInServer = false): CommandFor {
  return ({ event, script, timeoutSeconds, serverFields }) => {
    if (runsInServer && serverFields) return serverHook(event, [...SERVER_FIELDS, ...serverFields])
    const words = runsInServer && event === 'SessionStart' ? [SERVER_ARGUMENT] : []
    return { type: 'command', command: 'node', args: [`${folder}/${script}.cjs`, ...words], timeout: timeoutSeconds }
  }
}

/** What the server needs of every payload. */
const SERVER_FIELDS = ['session_id', 'cwd', 'prompt_id', 'agent_id', 'agent_type']

/** The client waits so long for a server that is not connected yet, or that hangs, at every hook. */
const SERVER_TIMEOUT_S = 3

const serverHook = (event: HookEvent, fields: readonly string[]): JsonObject => ({
  type: 'mcp_tool',
  server: SERVER_NAME,
  tool: HOOK_TOOL,
  // The client fills in the fields of its own.
  input: { hook_event_name: event, ...Object.fromEntries(fields.map((name) => [name, `\${${name}}`])) },
  timeout: SERVER_TIMEOUT_S,
})

const isServerHook = (entry: JsonObject): boolean =>
  entry['type'] === 'mcp_tool' && entry['server'] === SERVER_NAME && entry['tool'] === HOOK_TOOL

export const listServerEvents = (settings: JsonObject): readonly Json[] =>
  listOurEntries(settings)
    .filter(isServerHook)
    .map(({ input }) => (isJsonObject(input) ? input['hook_event_name'] : undefined) ?? null)

/**
 * `settings` (undefined: no file yet) with our hooks, which replace those of an older version.
 *
 * Returns `settings` itself if they already have these hooks, wherever the user has moved them. Throws SETTINGS_INVALID
 * if `hooks` is not an object, or a list in it is not a list.
 */
export function addHooks(settings: JsonObject | undefined, commandFor: CommandFor): JsonObject {
  if (settings && hasHooks(settings, HOOK_REGISTRATIONS, commandFor)) return settings
  const before = removeHooks(settings ?? {})
  const hooks = readHooks(before)
  const lists = HOOK_REGISTRATIONS.map((wanted) => {
    const group = buildHookGroup(wanted, { ...commandFor(wanted), memctl: 'added' })
    return [wanted.event, [...readList(hooks, wanted.event), group]] as const
  })
  return { ...before, hooks: { ...hooks, ...Object.fromEntries(lists) } }
}

/** Whether our entries are exactly these hooks, wherever the user has moved them. */
export const hasHooks = (settings: JsonObject, hooks: readonly HookRegistration[], commandFor: CommandFor): boolean =>
  isDeepStrictEqual(
    ourGroups(settings),
    Object.fromEntries(hooks.map((hook) => [hook.event, [buildHookGroup(hook, commandFor(hook))]])),
  )

/** `settings` without our entries, and without the lists and the object that are empty then. Never throws. */
export function removeHooks(settings: JsonObject): JsonObject {
  const { hooks, ...rest } = settings
  if (!isJsonObject(hooks) || listOurEntries(settings).length === 0) return settings
  const lists = Object.entries(hooks).flatMap(([event, list]) => {
    const kept = Array.isArray(list) && filterOurs(list).length > 0 ? list.flatMap(withoutOurEntries) : list
    return Array.isArray(kept) && kept.length === 0 ? [] : [[event, kept] as const]
  })
  return lists.length > 0 ? { ...settings, hooks: Object.fromEntries(lists) } : rest
}

/** The group with one entry, for the list of an event. */
export const buildHookGroup = (wanted: HookRegistration, entry: JsonObject): JsonObject =>
  wanted.matcher === undefined ? { hooks: [entry] } : { matcher: wanted.matcher, hooks: [entry] }

// In case another program removed the field: only our scripts have such a path.
const OUR_SCRIPT = /[\\/](?:memctl[\\/]dist|\.memctl[\\/]runtime[\\/]\d[^\\/]*)[\\/]hooks[\\/][a-z-]+\.cjs["']?\s*$/

function isOurHook(entry: Json): entry is JsonObject {
  if (!isJsonObject(entry)) return false
  if (typeof entry['memctl'] === 'string' || isServerHook(entry)) return true
  return wordsOf(entry).some((word) => typeof word === 'string' && OUR_SCRIPT.test(word))
}

export const wordsOf = ({ command = '', args }: JsonObject): readonly Json[] =>
  Array.isArray(args) ? [command, ...args] : [command]

const entriesOf = (group: Json): readonly Json[] => {
  const entries = isJsonObject(group) ? group['hooks'] : undefined
  return Array.isArray(entries) ? entries : []
}

const filterOurs = (list: Json): readonly JsonObject[] =>
  Array.isArray(list) ? list.flatMap((group) => entriesOf(group).filter(isOurHook)) : []

export function listOurEntries(settings: JsonObject): readonly JsonObject[] {
  const hooks = settings['hooks']
  return isJsonObject(hooks) ? Object.values(hooks).flatMap(filterOurs) : []
}

function withoutOurEntries(group: Json): readonly Json[] {
  const entries = entriesOf(group)
  const kept = entries.filter((entry) => !isOurHook(entry))
  if (kept.length === entries.length) return [group]
  return kept.length > 0 ? [{ ...(group as JsonObject), hooks: kept }] : []
}

function ourGroups(settings: JsonObject): Readonly<Record<string, readonly JsonObject[]>> {
  const hooks = settings['hooks']
  const lists = Object.entries(isJsonObject(hooks) ? hooks : {}).map(([event, list]) => {
    const groups = (Array.isArray(list) ? list : []).filter((group) => entriesOf(group).some(isOurHook)) as JsonObject[]
    const bare = groups.map((group) => ({
      ...group,
      hooks: entriesOf(group)
        .filter(isOurHook)
        .map(({ memctl: _, ...own }) => own),
    }))
    return [event, bare] as const
  })
  return Object.fromEntries(lists.filter(([, groups]) => groups.length > 0))
}

function readHooks(settings: JsonObject): JsonObject | undefined {
  const hooks = settings['hooks']
  if (hooks === undefined || isJsonObject(hooks)) return hooks
  throw wrongType('hooks', 'an object')
}

function readList(hooks: JsonObject | undefined, event: HookEvent): readonly Json[] {
  const list = hooks?.[event]
  if (list === undefined) return []
  if (Array.isArray(list)) return list
  throw wrongType(`hooks.${event}`, 'a list')
}

function wrongType(key: string, wanted: string, file = 'the settings'): MemoryError {
  const what = `"${key}" in ${file} is not ${wanted}, so nothing can be added to it`
  const hint = `Make it ${wanted}, or remove it, then run the command again. Nothing was changed.`
  return new MemoryError('SETTINGS_INVALID', what, { hint })
}

/** The command of the status line. Its script is beside the folder of the hooks; a shell reads it on every system. */
export const statusLineCommand = ({ folder }: HookFolder): string =>
  `node "${folder.replaceAll('\\', '/').replace(/hooks$/, 'statusline.cjs')}"`

/**
 * `settings` with our status line. Those of a person who has another one stay as they are. What a person has added to
 * ours stays, as a padding: `previous` is the one that was there.
 */
export function addStatusLine(
  settings: JsonObject | undefined,
  command: string,
  previous = settings?.['statusLine'],
): JsonObject | undefined {
  const before = settings?.['statusLine']
  if (before !== undefined && (!isOurStatusLine(before) || before['command'] === command)) return settings
  return {
    ...settings,
    statusLine: { ...(isOurStatusLine(previous) && previous), type: 'command', command, memctl: 'added' },
  }
}

export function removeStatusLine(settings: JsonObject): JsonObject {
  if (!hasOurStatusLine(settings)) return settings
  const { statusLine: _, ...rest } = settings
  return rest
}

export const hasOurStatusLine = (settings: JsonObject | undefined): boolean => isOurStatusLine(settings?.['statusLine'])

/** Whether a person has set a status line, so that ours must not replace it. */
export const hasOtherStatusLine = (settings: JsonObject | undefined): boolean =>
  settings?.['statusLine'] !== undefined && !isOurStatusLine(settings['statusLine'])

const isOurStatusLine = (entry: Json | undefined): entry is JsonObject =>
  isJsonObject(entry) &&
  (typeof entry['memctl'] === 'string' ||
    (typeof entry['command'] === 'string' && /[\\/]statusline\.cjs"?\s*$/.test(entry['command'])))

/** The file of a project's MCP servers. The client asks each user once before it starts them. */
export const mcpConfigFile = (project: string): string => path.join(project, '.mcp.json')

/** How the client starts the server that is beside the hooks at this location. */
export function mcpServerCommand({ folder }: HookFolder, from: ServerOptions = {}): JsonObject {
  // The client sets the variable. Without it, the server starts in the project's folder.
  const script = folder.replace(`\${CLAUDE_PROJECT_DIR}`, `\${CLAUDE_PROJECT_DIR:-.}`).replace(/hooks$/, 'mcp.mjs')
  const options = [...(from.tools ? ['--tools', from.tools] : []), ...(from.role ? ['--role', from.role] : [])]
  return { command: 'node', args: [makePortable(script, from), ...options] }
}

interface ServerOptions {
  /** Arguments of the server; it has its own defaults. */
  readonly tools?: Toolset | undefined
  readonly role?: Role | undefined
  /** $MEMCTL_HOME */
  readonly home?: string
  /** $HOME */
  readonly userHome?: string | undefined
}

/**
 * The path as another machine can use it: .mcp.json is shared, and the client expands variables in it. A session in
 * which MEMCTL_HOME is not set finds the home of this machine.
 */
function makePortable(script: string, { home, userHome }: ServerOptions): string {
  const replace = (folder: string | undefined, name: string): string | undefined =>
    folder && toSystemPath(script).startsWith(`${toSystemPath(folder)}/`)
      ? `\${${name}}${script.slice(folder.length).replaceAll('\\', '/')}`
      : undefined
  return replace(userHome, IS_WINDOWS ? 'USERPROFILE' : 'HOME') ?? replace(home, `MEMCTL_HOME:-${home}`) ?? script
}

/**
 * The servers with ours added. Returns `servers` itself if ours, or another server named memctl, is already there.
 * Throws SETTINGS_INVALID if `mcpServers` is not an object.
 */
export function addMcpServer(servers: JsonObject | undefined, command: JsonObject): JsonObject {
  const all = readServers(servers)
  const present = all[SERVER_NAME]
  if (servers && present !== undefined && (isDeepStrictEqual(present, command) || !isOurServer(present))) return servers
  return { ...servers, mcpServers: { ...all, [SERVER_NAME]: command } }
}

/**
 * The servers without ours, and with ours as `command` says. What a person has added to ours stays, as arguments and
 * an environment; but options in `command` replace the arguments. `wanted` is `servers` itself if nothing changes.
 */
export function updateMcpServer(servers: JsonObject | undefined, command: JsonObject): SettingsUpdate {
  const present = readServers(servers)[SERVER_NAME]
  const wantedServer = isOurServer(present) ? { ...present, args: replaceScript(present, command) } : command
  const wanted = addMcpServer(servers, wantedServer)
  if (wanted === servers) return { without: servers, wanted: servers }
  const without = removeMcpServer(servers)
  return { without, wanted: addMcpServer(without, wantedServer) }
}

/** Throws SETTINGS_INVALID if another server has our name: the client would send it what hooks get. */
export function assertServerIsOurs(servers: JsonObject | undefined): void {
  const present = readServers(servers)[SERVER_NAME]
  if (present === undefined || isOurServer(present)) return
  throw new MemoryError(
    'SETTINGS_INVALID',
    `.mcp.json has another server named ${SERVER_NAME}, which would get hooks`,
    { hint: 'Give that server another name, then run the command again. Nothing was changed.' },
  )
}

/** The script of our server, as the file names it; undefined if ours is not there. */
export function findMcpScript(servers: JsonObject): string | undefined {
  const all = servers['mcpServers']
  const present = isJsonObject(all) ? all[SERVER_NAME] : undefined
  return isOurServer(present) ? argumentsOf(present).find(isScript) : undefined
}

const replaceScript = (present: JsonObject, command: JsonObject): readonly string[] =>
  argumentsOf(command).length > 1
    ? argumentsOf(command)
    : argumentsOf(present).map((word) => (isScript(word) ? (argumentsOf(command)[0] ?? word) : word))

/** The servers without ours; undefined if nothing else is in the file. */
export function removeMcpServer(servers: JsonObject | undefined): JsonObject | undefined {
  const all = servers?.['mcpServers']
  if (!servers || !isJsonObject(all) || !isOurServer(all[SERVER_NAME])) return servers
  const { [SERVER_NAME]: _, ...others } = all
  if (Object.keys(others).length > 0) return { ...servers, mcpServers: others }
  const { mcpServers: __, ...rest } = servers
  return Object.keys(rest).length > 0 ? rest : undefined
}

function readServers(servers: JsonObject | undefined): JsonObject {
  const all = servers?.['mcpServers']
  if (all === undefined) return {}
  if (isJsonObject(all)) return all
  throw wrongType('mcpServers', 'an object', '.mcp.json')
}

/** Whether an entry starts our server, of any version. */
const isOurServer = (entry: Json | undefined): entry is JsonObject =>
  isJsonObject(entry) && argumentsOf(entry).some(isScript)

const isScript = (word: string): boolean => /[\\/]mcp\.mjs$/.test(word)

function argumentsOf(entry: JsonObject): readonly string[] {
  const args = entry['args']
  return Array.isArray(args) ? args.filter((word) => typeof word === 'string') : []
}
