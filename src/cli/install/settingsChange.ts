// A change of a settings file, for init and uninstall: first planned and shown as a diff, then applied.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff'
import { MemoryError } from '../../model/memoryError.ts'
import { makeFolderFor } from '../../store/disk/diskCalls.ts'
import type { InstallOptions } from './installation.ts'
import type { SettingsUpdate } from './ourSettings.ts'
import { changeSettingsText, type JsonObject, readSettings, writeSettings } from './settingsFile.ts'

export interface SettingsChange {
  /** The file as it was named, which may be a link. */
  readonly named: string
  /** The settings file, symlinks followed. */
  readonly file: string
  readonly textBefore: string | undefined
  /** The text before, without our parts. */
  readonly textWithout: string | undefined
  /** Undefined: the file is removed. */
  readonly textAfter: string | undefined
  readonly changed: boolean
  /** Unified, empty where nothing changes. */
  readonly diff: string
}

/**
 * The change of a settings file by `update`. Writes nothing. Our parts are removed first, so that those of an older
 * version leave no traces. If the file is as init has left it, the exact text from before comes back, from the backup.
 */
export function planChange(
  selected: string,
  home: string,
  update: (settings: JsonObject | undefined) => SettingsUpdate,
): SettingsChange {
  const { file, text, settings } = readSettings(selected)
  const { without, wanted } = update(settings)
  if (wanted === settings) {
    return { named: selected, file, textBefore: text, textWithout: text, textAfter: text, changed: false, diff: '' }
  }
  const textWithout =
    without === settings ? text : (findBackup(file, text, home) ?? (without && changeSettingsText(text, without)))
  const textAfter = wanted === without ? textWithout : wanted && changeSettingsText(textWithout, wanted)
  const diff = unifiedDiff(text ?? '', textAfter ?? '', path.basename(file))
  return { named: selected, file, textBefore: text, textWithout, textAfter, changed: textAfter !== text, diff }
}

/** Applies a planned change. Returns the path of a backup, if there was a file: of the settings before init. */
export function applyChange(change: SettingsChange, options: InstallOptions): string | undefined {
  if (!change.changed) return undefined
  assertNoLinkOut(change, options.project)
  const { textBefore, textWithout, textAfter } = change
  const kept = textAfter === textWithout ? textBefore : textWithout
  const backup = kept === undefined ? undefined : writeBackup(change, kept, options)
  if (textAfter !== undefined) writeSettings(change.file, textAfter)
  else fs.rmSync(change.file, { force: true })
  return backup
}

/** Throws SETTINGS_INVALID: a clone can bring a link to the settings of all projects in the place of its own. */
function assertNoLinkOut({ named, file }: SettingsChange, project: string): void {
  const isBelow = (each: string, folder: string): boolean => each.startsWith(folder + path.sep)
  if (!isBelow(named, project) || isBelow(file, fs.realpathSync(project))) return
  throw new MemoryError('SETTINGS_INVALID', `${named} is a link out of the project, to ${file}`, {
    hint: 'Remove the link, or use --user to change your own settings. Nothing was changed.',
  })
}

/** The text that was in the file before init wrote `text`; undefined if there was none, or it was changed since. */
function findBackup(file: string, text: string | undefined, home: string): string | undefined {
  const folder = path.join(home, 'backups')
  if (text === undefined || !fs.existsSync(folder)) return undefined
  const name = fs.readdirSync(folder).find((entry) => entry.endsWith(`-${digestOf(file, text)}.json`))
  return name === undefined ? undefined : fs.readFileSync(path.join(folder, name), 'utf8')
}

/** The name contains a hash of the new content, by which uninstall finds the backup. */
function writeBackup({ file, textAfter = '' }: SettingsChange, text: string, options: InstallOptions): string {
  const owner =
    path.dirname(path.dirname(file)) === options.project ? path.basename(options.project).slice(0, 40) : 'user'
  const name = `${owner}-${path.basename(file, '.json')}-${digestOf(file, textAfter)}.json`
  const backup = path.join(options.home, 'backups', name)
  makeFolderFor(path.dirname(backup), 'owner')
  // Settings may contain keys in `env`, so only the user may read the backup.
  fs.writeFileSync(backup, text, { mode: 0o600 })
  return backup
}

const digestOf = (file: string, text: string): string =>
  createHash('sha256').update(`${file}\n${text}`).digest('hex').slice(0, 12)

/** Lines shown around a change. */
const CONTEXT_LINES = 3

/** A unified diff from `before` to `after`; empty where they are equal. `file` is the name in its header. */
export function unifiedDiff(before: string, after: string, file = 'settings.json'): string {
  if (before === after) return ''
  const oldName = before === '' ? '/dev/null' : `a/${file}`
  const patch = structuredPatch(oldName, `b/${file}`, before, after, undefined, undefined, { context: CONTEXT_LINES })
  return formatPatch(patch, FILE_HEADERS_ONLY)
}
