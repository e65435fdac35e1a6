// Finds other installations of memctl, which are reported and never changed. Settings files and a plugin add up.
import path from 'node:path'
import { type JsonObject, listOurEntries } from './hookSettings.ts'
import { readSettings } from './settingsFile.ts'
import { hasOtherStatusLine } from './statusLineEntry.ts'

/** The settings files that a session in `project` reads, without managed settings of an organization. */
export interface SettingsFiles {
  readonly user: string
  readonly project: string
  readonly local: string
}

export function locateSettingsFiles(project: string, claudeFolder: string): SettingsFiles {
  return {
    user: path.join(claudeFolder, 'settings.json'),
    project: path.join(project, '.claude', 'settings.json'),
    local: path.join(project, '.claude', 'settings.local.json'),
  }
}

/** Other installations, as sentences; `file` is the settings file that is being changed. */
export function describeOtherInstallations(settingsFiles: SettingsFiles, file: string): readonly string[] {
  const all = Object.values(settingsFiles).flatMap((name: string) => tryReadSettings(name))
  const others = all.filter((found) => found.file !== tryReadSettings(file)[0]?.file)
  const installed = others.filter(({ settings }) => listOurEntries(settings).length > 0).map((found) => found.file)
  const plugin = all.find(({ settings }) => hasMemctlPlugin(settings))
  const muted = all.find(({ settings }) => settings['disableAllHooks'] === true)
  return [
    ...installed.map((other) => `memctl is also installed in ${other}. ${HARMLESS}`),
    ...(plugin ? [`The memctl plugin is enabled (${plugin.file}). ${HARMLESS}`] : []),
    ...(muted ? [`No hook runs while ${muted.file} has "disableAllHooks": true.`] : []),
  ]
}

/** The settings file with a status line that is not ours; undefined if there is none. */
export const findOtherStatusLine = (settingsFiles: SettingsFiles): string | undefined =>
  Object.values(settingsFiles)
    .flatMap((name: string) => tryReadSettings(name))
    .find(({ settings }) => hasOtherStatusLine(settings))?.file

const HARMLESS = 'That is harmless: an event that arrives twice has one id and counts once. But each hook starts twice.'

/** The name of the memctl plugin that these settings enable, with its marketplace: `memctl@memctl`. */
export function findMemctlPlugin(settings: JsonObject): string | undefined {
  const plugins = settings['enabledPlugins']
  if (typeof plugins !== 'object' || plugins === null || Array.isArray(plugins)) return undefined
  return Object.entries(plugins).find(([name, on]) => on === true && /^memctl(?:@|$)/.test(name))?.[0]
}

export const hasMemctlPlugin = (settings: JsonObject): boolean => findMemctlPlugin(settings) !== undefined

/** A settings file, if it exists and is valid. */
export function tryReadSettings(file: string): { file: string; settings: JsonObject }[] {
  try {
    const { file: real, settings } = readSettings(file)
    return settings ? [{ file: real, settings }] : []
  } catch {
    // An invalid file elsewhere is not part of this command. The client reports it and ignores its content.
    return []
  }
}
