// Where else memctl is wired, told and never changed: settings of several places add up, and so does a plugin.
import path from 'node:path'
import { hasOurHooks, type JsonObject } from './hookSettings.ts'
import { readSettings } from './settingsFile.ts'

/** The settings a session in `project` reads. Managed settings of an organisation are not among them. */
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

/** What a person should know about the other places, as sentences; `file` is the one being changed. */
export function describeOtherInstallations(places: SettingsFiles, file: string): readonly string[] {
  const all = Object.values(places).flatMap((place: string) => settingsIn(place))
  const others = all.filter((found) => found.file !== readableFile(file))
  const wiredToo = others.filter(({ settings }) => hasOurHooks(settings)).map((found) => found.file)
  const plugin = all.find(({ settings }) => hasMemctlPlugin(settings))
  const muted = all.find(({ settings }) => settings['disableAllHooks'] === true)
  return [
    ...wiredToo.map((other) => `memctl is wired in ${other} too. ${HARMLESS}`),
    ...(plugin ? [`The memctl plugin is on (${plugin.file}). ${HARMLESS}`] : []),
    ...(muted ? [`No hook runs while ${muted.file} says "disableAllHooks": true.`] : []),
  ]
}

const HARMLESS =
  'That is harmless, since an event that arrives twice has one id and counts once; but each hook then starts twice.'

/** Whether these settings switch the memctl plugin on, from whichever marketplace. */
export function hasMemctlPlugin(settings: JsonObject): boolean {
  const plugins = settings['enabledPlugins']
  if (typeof plugins !== 'object' || plugins === null || Array.isArray(plugins)) return false
  return Object.entries(plugins).some(([name, on]) => on === true && /^memctl(?:@|$)/.test(name))
}

function settingsIn(file: string): { file: string; settings: JsonObject }[] {
  try {
    const { file: real, settings } = readSettings(file)
    return settings ? [{ file: real, settings }] : []
  } catch {
    // A broken file elsewhere is not what was asked for: the client tells of it, and nothing of it is in force.
    return []
  }
}

function readableFile(file: string): string | undefined {
  return settingsIn(file)[0]?.file
}
