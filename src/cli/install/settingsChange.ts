// A change of a settings file, for init and uninstall: first planned and shown as a diff, then applied.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff'
import { MemoryError } from '../../model/memoryError.ts'
import { makeFolderFor } from '../../store/disk/diskCalls.ts'
import { resolveProject } from '../../store/project/project.ts'
import type { JsonObject } from './hookSettings.ts'
import { locateSettingsFiles, type SettingsFiles } from './otherInstallations.ts'
import { formatSettings, readSettings, writeSettings } from './settingsFile.ts'

export interface InstallOptions {
  /** The folder Claude Code is started in. */
  readonly project: string
  /** The user settings, for all projects, instead of the project's. */
  readonly user?: boolean
  /** The project's settings for this user only (settings.local.json, not in git). */
  readonly local?: boolean
  /** Also add the MCP server, in the project's .mcp.json. */
  readonly mcp?: boolean
  /** Also set the client's status line, unless a person has one. */
  readonly statusline?: boolean
  readonly dryRun?: boolean
  readonly json?: boolean
  /** $MEMCTL_HOME */
  readonly home: string
  readonly packageRoot: string
  readonly version: string
  /** The client's folder of user settings; default $CLAUDE_CONFIG_DIR, else ~/.claude. */
  readonly claudeFolder?: string
}

export interface SettingsChange {
  /** The settings file, symlinks followed. */
  readonly file: string
  readonly before: JsonObject | undefined
  /** Undefined: the file is removed. */
  readonly after: JsonObject | undefined
  readonly changed: boolean
  /** Unified, empty where nothing changes. */
  readonly diff: string
  readonly textBefore: string | undefined
}

/** The settings files of this project and user, and the selected one. Throws USAGE for both `user` and `local`. */
export function selectSettingsFile(options: InstallOptions): {
  readonly settingsFiles: SettingsFiles
  readonly selected: string
} {
  if (options.user && options.local) {
    throw new MemoryError('USAGE', '--user and --local select different settings files', {
      hint: 'Use one of them.',
    })
  }
  const folder = options.claudeFolder || process.env['CLAUDE_CONFIG_DIR'] || path.join(os.homedir(), '.claude')
  const settingsFiles = locateSettingsFiles(options.project, folder)
  const scope = options.user ? 'user' : options.local ? 'local' : 'project'
  return { settingsFiles, selected: settingsFiles[scope] }
}

/** The change of a settings file by `update`. Writes nothing. */
export function planChange(
  selected: string,
  update: (settings: JsonObject | undefined) => JsonObject | undefined,
): SettingsChange {
  const { file, text, settings } = readSettings(selected)
  const after = update(settings)
  const changed = after !== settings
  const textAfter = after ? formatSettings(after, text) : ''
  const diff = changed ? unifiedDiff(text ?? '', textAfter, path.basename(file)) : ''
  return { file, before: settings, after, changed, diff, textBefore: text }
}

/** Applies a planned change. Returns the path of a backup of the old file, if there was one. */
export function applyChange(change: SettingsChange, options: InstallOptions): string | undefined {
  if (!change.changed) return undefined
  const backup = change.textBefore === undefined ? undefined : writeBackup(change.file, change.textBefore, options)
  if (change.after) writeSettings(change.file, change.after)
  else fs.rmSync(change.file, { force: true })
  return backup
}

/** The name contains a hash of the content, so the same settings are stored once. */
function writeBackup(file: string, text: string, options: InstallOptions): string {
  const owner = options.user ? 'user' : resolveProject(options.project, options.home).name
  const digest = createHash('sha256').update(`${file}\n${text}`).digest('hex').slice(0, 12)
  const backup = path.join(options.home, 'backups', `${owner}-${path.basename(file, '.json')}-${digest}.json`)
  makeFolderFor(path.dirname(backup), 'owner')
  // Settings may contain keys in `env`, so only the user may read the backup.
  fs.writeFileSync(backup, text, { mode: 0o600 })
  return backup
}

/** Lines shown around a change. */
const CONTEXT_LINES = 3

/** A unified diff from `before` to `after`; empty where they are equal. `file` is the name in its header. */
export function unifiedDiff(before: string, after: string, file = 'settings.json'): string {
  if (before === after) return ''
  const oldName = before === '' ? '/dev/null' : `a/${file}`
  const patch = structuredPatch(oldName, `b/${file}`, before, after, undefined, undefined, { context: CONTEXT_LINES })
  return formatPatch(patch, FILE_HEADERS_ONLY)
}
