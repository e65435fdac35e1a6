// What memctl init --upgrade would change: every settings file on this machine that is known to name the runtime in
// memctl's home, with the slash commands beside it. Writes nothing.
import fs from 'node:fs'
import path from 'node:path'
import { MemoryError } from '../../model/memoryError.ts'
import type { HookLocation } from './hookLocation.ts'
import type { JsonObject } from './hookSettings.ts'
import { findInstalledHooks, findInstalledServer, isLaterVersion, listRuntimeFaults } from './installedParts.ts'
import { mcpConfigFile, mcpServerCommand, updateMcpServer } from './mcpServerEntry.ts'
import { hasMemctlPlugin } from './otherInstallations.ts'
import { updateOurs } from './ourSettings.ts'
import { listKnownSettings, runtimeFolder } from './runtimeFolder.ts'
import { type InstallOptions, planChange, type SettingsChange, settingsFilesFor } from './settingsChange.ts'
import { readSettings } from './settingsFile.ts'
import { findSlashCommand, planSlashCommands, type SlashCommandChange, slashScript } from './slashCommandFiles.ts'

/** A file that upgrade changes. */
export interface PlannedUpgrade {
  readonly file: string
  /** The version that it names now, and whether the scripts of that version are all there. */
  readonly from: string
  readonly isBroken: boolean
  readonly parts: readonly string[]
  readonly change: SettingsChange
  readonly commands: SlashCommandChange | undefined
}

/** A file that upgrade does not change, and why, as a clause. */
export interface LeftAlone {
  readonly file: string
  readonly why: string
  readonly hint: string
}

export interface UpgradePlan {
  readonly upgrades: readonly PlannedUpgrade[]
  /** Files that name this version already. */
  readonly current: readonly string[]
  readonly left: readonly LeftAlone[]
  /** The settings file that enables the plugin. */
  readonly plugin: string | undefined
}

export function planUpgrade(options: InstallOptions): UpgradePlan {
  const upgrades: PlannedUpgrade[] = []
  const current: string[] = []
  const left: LeftAlone[] = []
  let plugin: string | undefined
  for (const file of listFiles(options)) {
    const found = planFile(file, options)
    if (found === undefined) continue
    if ('settings' in found && hasMemctlPlugin(found.settings)) plugin ??= file.path
    if ('upgrade' in found) upgrades.push(found.upgrade)
    else if ('why' in found) left.push({ file: file.path, why: found.why, hint: found.hint })
    else if (found.isCurrent) current.push(file.path)
  }
  return { upgrades, current, left, plugin }
}

interface KnownFile {
  /** The real path. */
  readonly path: string
  /** The folder of the client's files, with the slash commands; undefined for a file of MCP servers. */
  readonly claudeFolder: string | undefined
  /** Whether init has recorded it. */
  readonly isRecorded: boolean
}

/** The files that init has recorded, and those of this project and user. */
function listFiles(options: InstallOptions): readonly KnownFile[] {
  const own = [...Object.values(settingsFilesFor(options)), mcpConfigFile(options.project)] as readonly string[]
  const recorded = listKnownSettings(options.home)
  const files = new Map<string, KnownFile>()
  for (const file of [...own, ...recorded]) {
    const isServers = path.basename(file) === '.mcp.json'
    const real = followLinks(file)
    // The first one counts: settings of a project or user that are a link have their commands beside the link.
    const claudeFolder = files.get(real)?.claudeFolder ?? (isServers ? undefined : path.dirname(file))
    files.set(real, { path: real, claudeFolder, isRecorded: recorded.includes(file) || recorded.includes(real) })
  }
  return [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}

function followLinks(file: string): string {
  try {
    return fs.realpathSync(file)
  } catch {
    return file // It does not exist, or cannot be read: what reads it says so.
  }
}

type Found =
  | { readonly settings: JsonObject; readonly isCurrent: boolean }
  | { readonly settings: JsonObject; readonly upgrade: PlannedUpgrade }
  | { readonly settings?: JsonObject; readonly why: string; readonly hint: string }

function planFile(file: KnownFile, options: InstallOptions): Found | undefined {
  const { home, version } = options
  const GONE = { why: 'it does not exist any more', hint: 'Nothing has to be done.' }
  let settings: JsonObject | undefined
  try {
    settings = readSettings(file.path).settings
  } catch (error) {
    return unreadable(file, error)
  }
  if (settings === undefined) return file.isRecorded ? GONE : undefined
  const find = file.claudeFolder === undefined ? findInstalledServer : findInstalledHooks
  const installed = find(settings, options)
  if (installed === undefined) return file.isRecorded ? { settings, ...UNINSTALLED } : { settings, isCurrent: false }
  if ('why' in installed) return { settings, ...installed }
  const isBroken = listRuntimeFaults(home, installed.version).length > 0
  if (isLaterVersion(installed.version, version) && !isBroken) {
    const why = `it names memctl ${installed.version}, which is later than this one, ${version}`
    return { settings, why, hint: `Use the command \`memctl\` of version ${installed.version}.` }
  }
  const upgrade = planParts(file, options)
  if (upgrade.parts.length === 0) return { settings, isCurrent: true }
  const { version: from } = installed
  return { settings, upgrade: { ...upgrade, file: file.path, from, isBroken: isBroken && from !== version } }
}

const UNINSTALLED = { why: 'memctl is not in it any more', hint: 'Nothing has to be done.' }

function unreadable(file: KnownFile, error: unknown): Found | undefined {
  if (!(error instanceof MemoryError)) throw error
  return { why: `it cannot be used: ${error.message.replace(`${file.path} `, '')}`, hint: error.hint }
}

/** The changes of a file and of the slash commands beside it, and which parts of memctl they are about. */
function planParts({ path: file, claudeFolder }: KnownFile, options: InstallOptions) {
  const { home, version } = options
  const location: Pick<HookLocation, 'folder'> = { folder: runtimeFolder(home, version) }
  if (claudeFolder === undefined) {
    const command = mcpServerCommand(location, options)
    const change = planChange(file, home, (servers) => updateMcpServer(servers, command))
    return { change, commands: undefined, parts: change.changed ? ['MCP server'] : [] }
  }
  const change = planChange(file, home, (settings) => updateOurs(settings, location, false))
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
