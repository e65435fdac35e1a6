// memctl init and uninstall: add the hooks to Claude Code's settings, or restore the settings as they were before.
import path from 'node:path'
import { chooseHookLocation, type HookLocation, hookCommandFactory } from './hookLocation.ts'
import { addHooks, isCreatedByMemctl, type JsonObject, removeHooks } from './hookSettings.ts'
import { addMcpServer, mcpConfigFile, mcpServerCommand, removeMcpServer } from './mcpServerEntry.ts'
import { describeOtherInstallations, findOtherStatusLine, type SettingsFiles } from './otherInstallations.ts'
import { installRuntime, pruneRuntimes, recordRuntimeUser } from './runtimeFolder.ts'
import {
  applyChange,
  type InstallOptions,
  planChange,
  type SettingsChange,
  selectSettingsFile,
} from './settingsChange.ts'
import { applySlashCommands, planSlashCommands, type SlashCommandChange, slashScript } from './slashCommandFiles.ts'
import { addStatusLine, hasOurStatusLine, removeStatusLine, statusLineCommand } from './statusLineEntry.ts'

interface ChangeResult {
  readonly file: string
  /** Whether the settings changed; with `dryRun`, whether they would. */
  readonly changed: boolean
  readonly dryRun: boolean
  readonly diff: string
  /** A copy of the old settings; absent if nothing was written or there was no file. */
  readonly backup?: string | undefined
  /** What the user should know besides, as sentences. */
  readonly notes: readonly string[]
  /** The folder of the slash commands' files, and whether one changed. */
  readonly slashCommands: { readonly folder: string; readonly changed: boolean }
}

interface InstallResult extends ChangeResult {
  readonly location: HookLocation
  /** The change of the file of MCP servers, if the server was requested. */
  readonly server?: { readonly file: string; readonly changed: boolean; readonly diff: string }
}

interface UninstallResult extends ChangeResult {
  /** The settings file was created by init and had nothing else in it, so it is removed. */
  readonly removed: boolean
  /** The folder of the memories, which stay. */
  readonly home: string
}

/**
 * Installs the hooks and prints the result to `out`, as JSON or for a person. Running it again changes no settings, and
 * updates the hooks in memctl's home.
 */
export function installHooks(options: InstallOptions, out: (text: string) => void): InstallResult {
  const { settingsFiles, selected } = selectSettingsFile(options)
  const { project: projectRoot, home, version, packageRoot, user = false, dryRun = false } = options
  const location = chooseHookLocation({ projectRoot, packageRoot, home, version, user })
  const hasOther = findOtherStatusLine(settingsFiles) !== undefined
  const change = planChange(selected, (settings) => {
    const installed = addHooks(settings, hookCommandFactory(location.folder))
    const isWanted = hasOurStatusLine(settings) || (options.statusline && !hasOther)
    return isWanted ? addStatusLine(installed, statusLineCommand(location)) : installed
  })
  const server = planServerChange(location, options)
  const commands = planSlashCommands(commandsFolder(selected), options.local ? undefined : slashScript(location))

  // Copy the hooks first: settings must never name a script that does not exist.
  const hasRuntime = location.kind === 'runtime' && !dryRun
  if (hasRuntime) installRuntime(path.join(packageRoot, 'dist'), home, version)
  const backup = dryRun ? undefined : applyChange(change, options)
  if (server && !dryRun) applyChange(server, options)
  if (!dryRun) applySlashCommands(commands)
  if (hasRuntime) {
    recordRuntimeUser(home, version, change.file)
    pruneRuntimes(home)
  }

  const { file, changed, diff } = change
  const notes = [
    ...describeSharedLocation(location, options),
    ...describeServer(location, server, options),
    ...describeStatusLine(location, settingsFiles, options),
    ...describeOtherInstallations(settingsFiles, selected),
  ]
  const result: InstallResult = {
    file,
    changed,
    dryRun,
    diff,
    location,
    backup,
    ...(server && { server: { file: server.file, changed: server.changed, diff: server.diff } }),
    slashCommands: summarizeSlashCommands(commands),
    notes,
  }
  out(options.json ? `${JSON.stringify(result)}\n` : formatInstall(result))
  return result
}

/** Removes the hooks and prints the result to `out`, as JSON or for a person. */
export function uninstallHooks(options: InstallOptions, out: (text: string) => void): UninstallResult {
  const { settingsFiles, selected } = selectSettingsFile(options)
  const { home, dryRun = false } = options
  const change = planChange(selected, withoutHooks)
  const backup = dryRun ? undefined : applyChange(change, options)
  const server = planChange(mcpConfigFile(options.project), removeMcpServer)
  if (!dryRun) applyChange(server, options)
  const commands = planSlashCommands(commandsFolder(selected), undefined)
  if (!dryRun) applySlashCommands(commands)

  const { file, changed, diff } = change
  const removed = changed && change.after === undefined
  const notes = [...describeRemovedServer(server, dryRun), ...describeOtherInstallations(settingsFiles, selected)]
  const slashCommands = summarizeSlashCommands(commands)
  const result: UninstallResult = { file, changed, dryRun, diff, removed, backup, home, slashCommands, notes }
  out(options.json ? `${JSON.stringify(result)}\n` : formatUninstall(result))
  return result
}

/** The client's folder that a settings file is in. */
const commandsFolder = (settingsFile: string): string => path.dirname(settingsFile)

const summarizeSlashCommands = ({ folder, changed }: SlashCommandChange) => ({ folder, changed })

/** Settings without our hooks; undefined if init created the file and nothing else is in it. */
function withoutHooks(settings: JsonObject | undefined): JsonObject | undefined {
  if (!settings) return undefined
  const after = removeHooks(removeStatusLine(settings))
  return isCreatedByMemctl(settings) && Object.keys(after).length === 0 ? undefined : after
}

/** Only in the project's own file: the client itself manages the list of a user's servers. */
function planServerChange(location: HookLocation, options: InstallOptions): SettingsChange | undefined {
  if (!options.mcp || options.user || options.local) return undefined
  return planChange(mcpConfigFile(options.project), (servers) => addMcpServer(servers, mcpServerCommand(location)))
}

function formatInstall(result: InstallResult): string {
  const { file, changed, dryRun, diff, location, backup, server, slashCommands, notes } = result
  const installed = changed
    ? `memctl is installed in ${file}. It takes effect in the next session.`
    : `memctl is already installed in ${file}.`
  const planned = `${diff}\nNothing was written. Without --dry-run, ${file} changes as above.`
  const serverLine = dryRun
    ? `${server?.diff}\n${server?.file} would change as above.`
    : `The MCP server was added to ${server?.file}.`
  return toLines([
    changed && dryRun ? planned : installed,
    location.reason,
    ...(server?.changed ? [serverLine] : []),
    ...describeSlashCommands(slashCommands, dryRun),
    ...describeBackup(backup),
    ...notes,
  ])
}

function formatUninstall({ file, changed, dryRun, diff, removed, backup, home, notes }: UninstallResult): string {
  const done = removed ? `${file} contained only memctl and was removed.` : `memctl is no longer installed in ${file}.`
  const planned = `${diff}\nNothing was written. Without --dry-run, ${file} ${removed ? 'is removed' : 'changes as above'}.`
  return toLines([
    changed ? (dryRun ? planned : done) : `memctl is not installed in ${file}.`,
    ...describeBackup(backup),
    `Memories stay in ${home}: remove that folder to delete them all.`,
    ...notes,
  ])
}

const describeSlashCommands = ({ folder, changed }: InstallResult['slashCommands'], dryRun: boolean): string[] =>
  changed ? [`The slash commands /memctl:remember and others ${dryRun ? 'would be' : 'are'} in ${folder}.`] : []

const toLines = (lines: readonly string[]): string => `${lines.join('\n')}\n`

const describeBackup = (backup: string | undefined): string[] =>
  backup ? [`Backup of the old settings: ${backup}`] : []

function describeSharedLocation(location: HookLocation, options: InstallOptions): readonly string[] {
  if (location.kind !== 'runtime' || options.user || options.local) return []
  return [
    `These settings are the project's, and now name a folder of this machine (${location.folder}). ` +
      'If they are in git, either run `npm install --save-dev memctl` and `memctl init` again, ' +
      'or `memctl uninstall` and `memctl init --local`.',
  ]
}

function describeServer(
  location: HookLocation,
  server: SettingsChange | undefined,
  options: InstallOptions,
): readonly string[] {
  if (!options.mcp) return []
  if (server) return ['Claude Code asks once, at its next start, whether the MCP server may be used.']
  const [script] = mcpServerCommand(location)['args'] as readonly string[]
  const scope = options.user ? 'user' : 'local'
  return [`For the MCP server: claude mcp add --scope ${scope} memctl -- node ${script}`]
}

function describeStatusLine(location: HookLocation, files: SettingsFiles, options: InstallOptions): readonly string[] {
  const other = options.statusline ? findOtherStatusLine(files) : undefined
  if (other === undefined) return []
  return [`${other} has a status line already, which stays. In a script of yours: ${statusLineCommand(location)}`]
}

function describeRemovedServer({ file, changed, after }: SettingsChange, dryRun: boolean): readonly string[] {
  if (!changed) return []
  const isOrWas = dryRun ? 'would be' : 'was'
  return [
    after
      ? `The MCP server ${isOrWas} removed from ${file}.`
      : `${file} contained only the MCP server and ${isOrWas} removed.`,
  ]
}
