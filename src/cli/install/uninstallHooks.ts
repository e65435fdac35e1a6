// memctl uninstall: takes the hooks out of Claude Code's settings, which are then as they were. Memories stay.

import { isCreatedByMemctl, type JsonObject, removeHooks } from './hookSettings.ts'
import { mcpConfigFile, removeMcpServer } from './mcpServerEntry.ts'
import { describeOtherInstallations } from './otherInstallations.ts'
import {
  applyChange,
  type InstallOptions,
  planChange,
  type SettingsChange,
  selectSettingsFile,
} from './settingsChange.ts'

interface UninstallResult {
  readonly file: string
  /** Whether the settings changed; with `dryRun`, whether they would. */
  readonly changed: boolean
  readonly dryRun: boolean
  readonly diff: string
  /** The file was made by init and had nothing else in it, so it goes. */
  readonly removed: boolean
  readonly backup?: string | undefined
  /** Where the memories stay. */
  readonly home: string
  readonly notes: readonly string[]
}

/** Takes the hooks out and tells `out` about it, as JSON or for a person. */
export function uninstallHooks(options: InstallOptions, out: (text: string) => void): UninstallResult {
  const { places, chosen } = selectSettingsFile(options)
  const { home, dryRun = false } = options
  const change = planChange(chosen, restored)
  const backup = dryRun ? undefined : applyChange(change, options)
  const server = planChange(mcpConfigFile(options.project), removeMcpServer)
  if (!dryRun) applyChange(server, options)

  const { file, changed, diff } = change
  const removed = changed && change.after === undefined
  const result: UninstallResult = {
    file,
    changed,
    dryRun,
    diff,
    removed,
    backup,
    home,
    notes: [...notesOnServer(server, dryRun), ...describeOtherInstallations(places, chosen)],
  }
  out(options.json ? `${JSON.stringify(result)}\n` : renderUninstall(result))
  return result
}

/** The result for a person. */
function renderUninstall(result: UninstallResult): string {
  const { file, changed, dryRun, diff, removed, backup, home } = result
  const head = !changed
    ? `memctl is not wired in ${file}.`
    : dryRun
      ? `${diff}\nNothing was written. Without --dry-run, ${file} ${removed ? 'goes' : 'changes as above'}.`
      : removed
        ? `${file} had nothing but memctl in it and was removed.`
        : `memctl is no longer wired in ${file}.`
  const kept = `Memories stay in ${home}: remove that folder to forget them all.`
  const lines = [head, ...(backup ? [`The settings as they were: ${backup}`] : []), kept, ...result.notes]
  return `${lines.join('\n')}\n`
}

function notesOnServer({ file, changed, after }: SettingsChange, dryRun: boolean): readonly string[] {
  if (!changed) return []
  const what = after
    ? `The MCP server ${dryRun ? 'would go' : 'is gone'} from ${file}.`
    : `${file} had nothing but the MCP server in it and ${dryRun ? 'would be' : 'was'} removed.`
  return [what]
}

function restored(settings: JsonObject | undefined): JsonObject | undefined {
  if (!settings) return undefined
  const after = removeHooks(settings)
  return isCreatedByMemctl(settings) && Object.keys(after).length === 0 ? undefined : after
}
