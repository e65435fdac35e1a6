// One change of a settings file from start to end, the same for init and uninstall: what it would be, then doing it.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { MemoryError } from '../../model/memoryError.ts'
import { resolveProject } from '../../store/project/project.ts'
import type { JsonObject } from './hookSettings.ts'
import { locateSettingsFiles, type SettingsFiles } from './otherInstallations.ts'
import { formatSettings, readSettings, writeSettings } from './settingsFile.ts'
import { unifiedDiff } from './unifiedDiff.ts'

export interface InstallOptions {
  /** The folder Claude Code is started in. */
  readonly project: string
  /** The person's settings for all projects instead of the project's. */
  readonly user?: boolean
  /** The project's settings for this person alone (settings.local.json, not in git). */
  readonly local?: boolean
  /** The MCP server too, in the project's .mcp.json. */
  readonly mcp?: boolean
  readonly dryRun?: boolean
  readonly json?: boolean
  /** $MEMCTL_HOME */
  readonly home: string
  readonly packageRoot: string
  readonly version: string
  /** Where the client keeps the person's settings; default $CLAUDE_CONFIG_DIR, else ~/.claude. */
  readonly claudeFolder?: string
}

export interface SettingsChange {
  /** The settings file, symlinks followed. */
  readonly file: string
  readonly before: JsonObject | undefined
  /** Undefined: the file goes. */
  readonly after: JsonObject | undefined
  readonly changed: boolean
  /** Unified, empty where nothing changes. */
  readonly diff: string
  readonly textBefore: string | undefined
}

/** The settings files of this project and person, and which one is meant. Throws USAGE for both `user` and `local`. */
export function selectSettingsFile(options: InstallOptions): {
  readonly places: SettingsFiles
  readonly chosen: string
} {
  if (options.user && options.local) {
    throw new MemoryError('USAGE', '--user and --local name two different settings files', {
      hint: 'Give one of them.',
    })
  }
  const folder = options.claudeFolder || process.env['CLAUDE_CONFIG_DIR'] || path.join(os.homedir(), '.claude')
  const places = locateSettingsFiles(options.project, folder)
  return { places, chosen: options.user ? places.user : options.local ? places.local : places.project }
}

/** What `next` makes of a settings file. Writes nothing. */
export function planChange(
  chosen: string,
  next: (settings: JsonObject | undefined) => JsonObject | undefined,
): SettingsChange {
  const { file, text, settings } = readSettings(chosen)
  const after = next(settings)
  const changed = after !== settings
  const textAfter = after ? formatSettings(after, text) : ''
  const diff = changed ? unifiedDiff(text ?? '', textAfter, path.basename(file)) : ''
  return { file, before: settings, after, changed, diff, textBefore: text }
}

/** Does what was planned; gives the path of a copy of the old file, if there was one. */
export function applyChange(change: SettingsChange, options: InstallOptions): string | undefined {
  if (!change.changed) return undefined
  const backup = change.textBefore === undefined ? undefined : backedUp(change.file, change.textBefore, options)
  if (change.after) writeSettings(change.file, change.after)
  else fs.rmSync(change.file, { force: true })
  return backup
}

/** Named by content: the same settings are kept once, however often they are changed and restored. */
function backedUp(file: string, text: string, options: InstallOptions): string {
  const whose = options.user ? 'user' : resolveProject(options.project, options.home).name
  const digest = createHash('sha256').update(`${file}\n${text}`).digest('hex').slice(0, 12)
  const backup = path.join(options.home, 'backups', `${whose}-${path.basename(file, '.json')}-${digest}.json`)
  fs.mkdirSync(path.dirname(backup), { recursive: true })
  // Settings may hold keys in their `env`: for nobody else's eyes.
  fs.writeFileSync(backup, text, { mode: 0o600 })
  return backup
}
