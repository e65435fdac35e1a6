// memctl init: adds the hooks to Claude Code's settings.
import path from 'node:path'
import { chooseHookLocation, type HookLocation } from './hookLocation.ts'
import { installCodeCaches } from './installCodeCaches.ts'
import type { InstallResult } from './installResult.ts'
import { describeInstall, formatInstall } from './installText.ts'
import { mcpConfigFile, mcpServerCommand, updateMcpServer } from './mcpServerEntry.ts'
import { findOtherStatusLine } from './otherInstallations.ts'
import { updateOurs } from './ourSettings.ts'
import { installRuntime, pruneRuntimes, recordRuntimeUser } from './runtimeFolder.ts'
import {
  applyChange,
  type InstallOptions,
  namedScope,
  planChange,
  type SettingsChange,
  settingsFilesFor,
} from './settingsChange.ts'
import { applySlashCommands, planSlashCommands, slashScript } from './slashCommandFiles.ts'

/**
 * Installs the hooks and prints the result to `out`, as JSON or for a person. Running it again changes no settings, and
 * updates the hooks in memctl's home.
 */
export function installHooks(options: InstallOptions, out: (text: string) => void): InstallResult {
  const settingsFiles = settingsFilesFor(options)
  const { project: projectRoot, home, version, packageRoot, dryRun = false } = options
  const { scope, ...location } = chooseHookLocation({
    projectRoot,
    packageRoot,
    home,
    version,
    scope: namedScope(options),
  })
  const selected = settingsFiles[scope]
  const hasOther = findOtherStatusLine(settingsFiles) !== undefined
  const change = planChange(selected, home, (settings) =>
    updateOurs(settings, location, options.statusline === true && !hasOther),
  )
  const server = scope === 'user' ? undefined : planServerChange(location, options)
  const commands = planSlashCommands(path.dirname(selected), slashScript(location), scope === 'local')

  // Copy the hooks first: settings must never name a script that does not exist.
  const hasRuntime = location.kind === 'runtime' && !dryRun
  if (hasRuntime) installRuntime(path.join(packageRoot, 'dist'), home, version)
  const backup = dryRun ? undefined : applyChange(change, options)
  if (server && !dryRun) applyChange(server, options)
  if (!dryRun) applySlashCommands(commands)
  if (hasRuntime) {
    for (const { file } of [change, ...(server ? [server] : [])]) recordRuntimeUser(home, version, file)
    pruneRuntimes(home)
  }
  const caches = dryRun ? 0 : installCodeCaches(path.join(packageRoot, 'dist'), home, options.env)

  const { file, changed, diff } = change
  const result: InstallResult = {
    file,
    scope,
    changed,
    dryRun,
    diff,
    location,
    backup,
    home,
    caches,
    ...(server && { server: { file: server.file, changed: server.changed, diff: server.diff } }),
    slashCommands: { folder: commands.folder, changed: commands.changed },
    notes: describeInstall(location, options, { scope, server, settingsFiles, selected }),
  }
  out(options.json ? `${JSON.stringify(result)}\n` : formatInstall(result))
  return result
}

/** Not for user settings: the client itself manages the list of a user's servers. */
function planServerChange(location: HookLocation, options: InstallOptions): SettingsChange | undefined {
  if (!options.mcp) return undefined
  const command = mcpServerCommand(location, options)
  return planChange(mcpConfigFile(options.project), options.home, (servers) => updateMcpServer(servers, command))
}
