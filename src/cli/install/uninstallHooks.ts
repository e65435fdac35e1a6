// memctl uninstall: removes memctl from one settings file, which is as it was before init afterwards.
import path from 'node:path'
import type { Scope } from './hookLocation.ts'
import { type JsonObject, listOurEntries } from './hookSettings.ts'
import type { UninstallResult } from './installResult.ts'
import { describeRemovedServer, formatUninstall, formatUsers } from './installText.ts'
import { mcpConfigFile, removeMcpServer } from './mcpServerEntry.ts'
import { describeOtherInstallations, type SettingsFiles, tryReadSettings } from './otherInstallations.ts'
import { withoutOurs } from './ourSettings.ts'
import { forgetRuntimeUser, listRuntimeUsers } from './runtimeFolder.ts'
import {
  applyChange,
  type InstallOptions,
  namedScope,
  planChange,
  type SettingsChange,
  settingsFilesFor,
} from './settingsChange.ts'
import { applySlashCommands, planSlashCommands, type SlashCommandChange } from './slashCommandFiles.ts'
import { hasOurStatusLine } from './statusLineEntry.ts'

interface UninstallPlan {
  readonly scope: Scope
  readonly settingsFiles: SettingsFiles
  /** The change of the settings file. */
  readonly change: SettingsChange
  /** The change of .mcp.json; none for user settings. */
  readonly server: SettingsChange | undefined
  readonly commands: SlashCommandChange
}

/** What uninstall would change. Writes nothing. */
export function planUninstall(options: InstallOptions): UninstallPlan {
  const settingsFiles = settingsFilesFor(options)
  const scope = namedScope(options) ?? findScope(settingsFiles)
  const remove = (file: string, without: (settings: JsonObject | undefined) => JsonObject | undefined) =>
    planChange(file, options.home, (settings) => {
      const left = without(settings)
      return { without: left, wanted: left }
    })
  return {
    scope,
    settingsFiles,
    change: remove(settingsFiles[scope], withoutOurs),
    server: scope === 'user' ? undefined : remove(mcpConfigFile(options.project), removeMcpServer),
    commands: planSlashCommands(path.dirname(settingsFiles[scope]), undefined),
  }
}

/**
 * Removes the hooks and prints the result to `out`, as JSON or for a person: which other settings use them is printed
 * before anything changes. With `purged`, which has shown that already, `deleteHome` deletes the home.
 */
export function uninstallHooks(
  options: InstallOptions,
  out: (text: string) => void,
  deleteHome?: () => void,
): UninstallResult {
  const { home, dryRun = false, purged = false } = options
  const { scope, settingsFiles, change, server, commands } = planUninstall(options)
  const own = [change.file, server?.file]
  const usedBy = listRuntimeUsers(home).filter((user) => !own.includes(user))
  if (!options.json && !purged) out(formatUsers(home, usedBy))
  const backup = dryRun ? undefined : applyChange(change, options)
  if (!dryRun) {
    if (server) applyChange(server, options)
    applySlashCommands(commands)
    for (const file of [change.file, ...(server ? [server.file] : [])]) forgetRuntimeUser(home, file)
  }

  const { file, changed, diff, textAfter } = change
  const result: UninstallResult = {
    file,
    scope,
    changed,
    dryRun,
    diff,
    home,
    purged,
    backup: purged ? undefined : backup,
    removed: changed && textAfter === undefined,
    slashCommands: { folder: commands.folder, changed: commands.changed },
    notes: [
      ...(server ? describeRemovedServer(server, dryRun) : []),
      ...describeOtherInstallations(settingsFiles, settingsFiles[scope]),
    ],
    usedBy,
  }
  deleteHome?.()
  out(options.json ? `${JSON.stringify(result)}\n` : formatUninstall(result))
  return result
}

/** The scope of the project that has memctl, first the one for this user only. */
function findScope(settingsFiles: SettingsFiles): Scope {
  const isInstalled = (scope: Scope): boolean =>
    tryReadSettings(settingsFiles[scope]).some(
      ({ settings }) => listOurEntries(settings).length > 0 || hasOurStatusLine(settings),
    )
  return isInstalled('local') || !isInstalled('project') ? 'local' : 'project'
}
