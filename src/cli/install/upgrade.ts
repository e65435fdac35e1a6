// memctl init --upgrade: brings what init has installed on this machine to the version of the running command. Only
// parts change that init has written, and that nobody has edited since.
import path from 'node:path'
import { SERVER_ARGUMENT } from '../../model/hookEvents.ts'
import { MemoryError, messageOf } from '../../model/memoryError.ts'
import { formatCount } from '../../report/formatNumber.ts'
import { toSystemPath } from '../../store/disk/paths.ts'
import { runtimeHome } from '../../store/project/project.ts'
import { type HookLocation, hasMemctlPlugin, type InstallOptions, settingsFilesFor } from './installation.ts'
import {
  findMcpScript,
  hasHooks,
  hookCommandFactory,
  listOurEntries,
  listServerEvents,
  mcpConfigFile,
  mcpServerCommand,
  updateMcpServer,
  updateOurs,
} from './ourSettings.ts'
import {
  installCodeCaches,
  installRuntime,
  isRuntimeCurrent,
  listKnownSettings,
  listRuntimeFaults,
  pruneRuntimes,
  readContents,
  recordRuntimeUser,
  runtimeFolder,
} from './runtimeFolder.ts'
import {
  applyChange,
  type Json,
  type JsonObject,
  planChange,
  readSettings,
  resolveFile,
  type SettingsChange,
} from './settingsFile.ts'
import {
  applySlashCommands,
  assertNoLinksOut,
  findSlashCommand,
  planSlashCommands,
  type SlashCommandChange,
  slashScript,
} from './slashCommandFiles.ts'

interface PlannedUpgrade {
  readonly file: string
  /** The version that it names now, and whether the scripts of that version are all there. */
  readonly from: string
  readonly isBroken: boolean
  readonly to: string
  /** What changes there: hooks, status line, slash commands, MCP server. */
  readonly parts: readonly string[]
  readonly change: SettingsChange
  readonly commands: SlashCommandChange | undefined
}

/** Why upgrade leaves a file as it is, as a clause. */
type Reason = Readonly<{ why: string; hint: string }>

/** Which files would change, which name this version already, which stay for a reason, and which enables the plugin. */
export function planUpgrade(options: InstallOptions) {
  const found = listFiles(options).map((file) => ({ file: file.path, ...planFile(file, options) }))
  return {
    upgrades: found.flatMap(({ upgrade }) => upgrade ?? []),
    current: found.filter(({ isCurrent }) => isCurrent).map(({ file }) => file),
    left: found.flatMap(({ file, left }) => (left ? [{ file, ...left }] : [])),
    plugin: found.find(({ settings }) => settings && hasMemctlPlugin(settings))?.file,
  }
}

interface KnownFile {
  /** The real path. */
  readonly path: string
  /** The folder of the client's files, with the slash commands; undefined for a file of MCP servers. */
  readonly claudeFolder: string | undefined
  readonly isRecorded: boolean
}

function listFiles(options: InstallOptions): readonly KnownFile[] {
  const own = [...Object.values(settingsFilesFor(options)), mcpConfigFile(options.project)] as readonly string[]
  const recorded = listKnownSettings(options.home)
  const files = new Map<string, KnownFile>()
  for (const file of [...own, ...recorded]) {
    const isServers = path.basename(file) === '.mcp.json'
    const real = resolveFile(file)
    // The first one counts: settings of a project or user that are a link have their commands beside the link.
    const claudeFolder = files.get(real)?.claudeFolder ?? (isServers ? undefined : path.dirname(file))
    files.set(real, { path: real, claudeFolder, isRecorded: recorded.includes(file) || recorded.includes(real) })
  }
  return [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** What is in a file; nothing for one that has no memctl. */
interface FoundFile {
  readonly settings?: JsonObject
  readonly upgrade?: PlannedUpgrade
  readonly isCurrent?: true
  readonly left?: Reason
}

function planFile(file: KnownFile, options: InstallOptions): FoundFile {
  const { home, version } = options
  let settings: JsonObject | undefined
  try {
    settings = readSettings(file.path).settings
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error
    return { left: { why: `it cannot be used: ${error.message.replace(`${file.path} `, '')}`, hint: error.hint } }
  }
  if (settings === undefined) return file.isRecorded ? { left: GONE } : {}
  const from = (file.claudeFolder === undefined ? findInstalledServer : findInstalledHooks)(settings, options)
  if (from === undefined) return file.isRecorded ? { settings, left: UNINSTALLED } : { settings }
  if (typeof from !== 'string') return { settings, left: from }
  const isBroken = listRuntimeFaults(home, from).length > 0
  if (isLaterVersion(from, version) && !isBroken) {
    const why = `it names memctl ${from}, which is later than this one, ${version}`
    return { settings, left: { why, hint: `Use the command \`memctl\` of version ${from}.` } }
  }
  const planned = planParts(file, options)
  if (planned.parts.length === 0) return { settings, isCurrent: true }
  return {
    settings,
    upgrade: { ...planned, file: file.path, from, to: version, isBroken: isBroken && from !== version },
  }
}

const GONE = { why: 'it does not exist any more', hint: 'Nothing has to be done.' }
const UNINSTALLED = { why: 'memctl is not in it any more', hint: 'Nothing has to be done.' }

/** The changes of a file and of the slash commands beside it, and which parts of memctl they are about. */
function planParts({ path: file, claudeFolder }: KnownFile, options: InstallOptions) {
  const { home, version } = options
  const location: Pick<HookLocation, 'folder'> = { folder: runtimeFolder(home, version) }
  if (claudeFolder === undefined) {
    const command = mcpServerCommand(location, options)
    const change = planChange(file, home, (servers) => updateMcpServer(servers, command))
    return { change, commands: undefined, parts: change.changed ? ['MCP server'] : [] }
  }
  const change = planChange(file, home, (settings) => updateOurs(settings, location, false, runsInServer(settings)))
  const isLocal = path.basename(file) === 'settings.local.json'
  const hasCommands = findSlashCommand(claudeFolder) !== undefined
  const commands = hasCommands ? planSlashCommands(claudeFolder, slashScript(location), isLocal) : undefined
  const parts = [
    ...(change.changed ? ['hooks'] : []),
    ...(change.changed && change.textAfter?.includes('statusline.cjs') ? ['status line'] : []),
    ...(commands?.changed ? ['slash commands'] : []),
  ]
  return { change, commands, parts }
}

/** The version of memctl that a file names, or why its parts of memctl stay as they are; undefined for no memctl. */
type Installed = string | Reason | undefined

type Places = Pick<InstallOptions, 'home' | 'userHome'>

function findInstalledHooks(settings: JsonObject, { home }: Places): Installed {
  const entries = listOurEntries(settings)
  if (entries.length === 0) return undefined
  const scripts = entries.filter(({ type }) => type !== 'mcp_tool').map(scriptOf)
  const folders = new Set(scripts.map((script) => script && path.posix.dirname(toSystemPath(script))))
  const [folder] = folders
  if (folder === undefined || folders.size > 1) return EDITED
  const its = runtimeHome(folder)
  if (its === undefined) return IN_PROJECT
  if (toSystemPath(its) !== toSystemPath(home)) return inAnotherHome(its)
  const version = path.posix.basename(path.posix.dirname(folder))
  const { hooks } = readContents(home, version) ?? {}
  const commandFor = hookCommandFactory(runtimeFolder(home, version), runsInServer(settings))
  return hooks && !hasHooks(settings, hooks, commandFor) ? EDITED : version
}

function findInstalledServer(servers: JsonObject, { home, userHome }: Places): Installed {
  const script = findMcpScript(servers)
  if (script === undefined) return undefined
  const version = /[\\/]runtime[\\/](\d[^\\/]*)[\\/]mcp\.mjs$/.exec(script)?.[1]
  if (version === undefined) return IN_PROJECT
  const folder = runtimeFolder(home, version)
  const named = [{ home, userHome }, {}].flatMap((from) => mcpServerCommand({ folder }, from)['args'] as string[])
  // An earlier version wrote the variable without the home of this machine.
  const current = script.replace(`\${MEMCTL_HOME}/`, `\${MEMCTL_HOME:-${home}}/`)
  if (!named.some((name) => toSystemPath(name) === toSystemPath(current))) return inAnotherHome(path.dirname(script))
  return version
}

/** The script that an entry of init starts; undefined for one that a person has edited. */
function scriptOf({ command, args }: JsonObject): string | undefined {
  const [script, ...others] = (Array.isArray(args) ? args : []) as readonly Json[]
  const isOurs = others.every((word) => word === SERVER_ARGUMENT)
  return command === 'node' && typeof script === 'string' && isOurs ? script : undefined
}

const runsInServer = (settings: JsonObject | undefined): boolean =>
  settings !== undefined && listServerEvents(settings).length > 0

const EDITED = {
  why: 'its hooks were edited by hand',
  hint: '`memctl init` in that project (`memctl init --user` for user settings) replaces them.',
}

const IN_PROJECT = {
  why: "its hooks are those of the project's own packages",
  hint: 'They are updated with the packages of the project.',
}

const inAnotherHome = (home: string) => ({
  why: `its hooks are in another home of memctl, ${home}`,
  hint: 'Run the command with MEMCTL_HOME set to that home.',
})

/** Whether version `a` is later than `b`. A version without a part after the hyphen is later than one with it. */
export function isLaterVersion(a: string, b: string): boolean {
  const [[numbersA = '', preA], [numbersB = '', preB]] = [splitVersion(a), splitVersion(b)]
  const order = VERSIONS.compare(numbersA, numbersB)
  if (order !== 0 || preB === undefined) return order > 0
  return preA === undefined || VERSIONS.compare(preA, preB) > 0
}

/** Part by part, numbers as numbers and before words. */
const VERSIONS = new Intl.Collator('en', { numeric: true })

/** The numbers of a version, and what follows the hyphen, if anything does. */
const splitVersion = (version: string): readonly string[] => version.replace(/\+.*/, '').split(/-(.*)/)

/** Each file changes as a whole or not at all. One that cannot be written does not stop the others. */
export function upgradeInstallation(options: InstallOptions) {
  const { home, version, packageRoot, dryRun = false } = options
  const dist = path.join(packageRoot, 'dist')
  const { upgrades, current, left, plugin } = planUpgrade(options)
  const isUsed = upgrades.length > 0 || current.length > 0
  const writes = isUsed && !dryRun
  const runtime = {
    folder: path.join(home, 'runtime', version),
    changed: isUsed && !isRuntimeCurrent(dist, home, version),
  }
  // The scripts first: settings must never name one that does not exist.
  if (writes) installRuntime(dist, home, version)
  const upgraded = upgrades.flatMap(({ file, from, to, parts, change, commands }) => {
    const described = { file, from, to, parts, diff: change.diff }
    if (!writes) return [described]
    try {
      if (commands) assertNoLinksOut(commands, options.project)
      const backup = applyChange(change, options)
      if (commands) applySlashCommands(commands)
      return [{ ...described, backup }]
    } catch (error) {
      left.push({ file, ...describeFailure(error) })
      return []
    }
  })
  if (writes)
    for (const file of [...current, ...upgraded.map((each) => each.file)]) recordRuntimeUser(home, version, file)
  const removed = writes ? pruneRuntimes(home) : []
  const caches = writes ? installCodeCaches(dist, home, options.env) : 0
  return { version, home, dryRun, current, plugin, runtime, upgraded, left, caches, removed }
}

type UpgradeResult = ReturnType<typeof upgradeInstallation>

function describeFailure(error: unknown): Reason {
  const hint = error instanceof MemoryError ? error.hint : 'Grant yourself write permission there.'
  return { why: `it was not changed: ${messageOf(error)}`, hint }
}

const KEPT_SCRIPTS = 'Sessions that run keep the scripts they started with; new ones use these.'

export function formatUpgrade(result: UpgradeResult): string[] {
  const { upgraded, runtime, removed, left, plugin, dryRun, version } = result
  const is = (done: string, planned: string): string => (dryRun ? planned : done)
  const files = upgraded.map(({ file, from, to, parts }) => {
    const versions = from === to ? to : `${from} → ${to}`
    return `  ${file}: ${versions} (${parts.join(', ')})`
  })
  return [
    ...upgraded.filter(() => dryRun).flatMap(({ diff }) => (diff === '' ? [] : [diff])),
    ...(files.length > 0 ? [is('Upgraded:', 'Would be upgraded:'), ...files] : []),
    ...(runtime.changed ? [`The scripts of memctl ${version} ${is('are', 'would be')} in ${runtime.folder}.`] : []),
    ...(removed.length > 0 ? [`Removed, because no settings name it: memctl ${removed.join(', ')}.`] : []),
    ...(files.length === 0 && !runtime.changed ? describeNothing(result) : []),
    ...(left.length > 0 ? ['Left as they are:'] : []),
    ...left.map(({ file, why, hint }) => `  ${file}: ${why}. ${hint}`),
    ...(files.length > 0 && !dryRun ? [KEPT_SCRIPTS] : []),
    ...(plugin ? [`The plugin (${plugin}) is updated by the client: claude plugin update memctl@memctl`] : []),
    ...(dryRun && (files.length > 0 || runtime.changed) ? ['Nothing was written. Leave out --dry-run to do it.'] : []),
  ]
}

function describeNothing({ current, version, home }: UpgradeResult): string[] {
  if (current.length > 0) {
    return [`Nothing to upgrade: ${formatCount(current.length, 'settings file')} with memctl ${version}.`]
  }
  return [`Nothing to upgrade: no known settings use the hooks in ${home}. \`memctl init\` installs them.`]
}
