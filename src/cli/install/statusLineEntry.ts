// The client's status line in its settings: set only if a person asked for it and has none, removed by uninstall.
import type { HookLocation } from './hookLocation.ts'
import { isJsonObject, type Json, type JsonObject } from './hookSettings.ts'

/** The command of the status line. Its script is beside the folder of the hooks; a shell reads it on every system. */
export const statusLineCommand = ({ folder }: Pick<HookLocation, 'folder'>): string =>
  `node "${folder.replaceAll('\\', '/').replace(/hooks$/, 'statusline.cjs')}"`

/**
 * `settings` with our status line. Those of a person who has another one stay as they are. What a person has added to
 * ours stays, as a padding: `previous` is the one that was there.
 */
export function addStatusLine(
  settings: JsonObject | undefined,
  command: string,
  previous = settings?.['statusLine'],
): JsonObject | undefined {
  const before = settings?.['statusLine']
  if (before !== undefined && (!isOurs(before) || before['command'] === command)) return settings
  return { ...settings, statusLine: { ...(isOurs(previous) && previous), type: 'command', command, memctl: 'added' } }
}

/** `settings` without our status line. */
export function removeStatusLine(settings: JsonObject): JsonObject {
  if (!hasOurStatusLine(settings)) return settings
  const { statusLine: _, ...rest } = settings
  return rest
}

export const hasOurStatusLine = (settings: JsonObject | undefined): boolean => isOurs(settings?.['statusLine'])

/** Whether a person has set a status line, so that ours must not replace it. */
export const hasOtherStatusLine = (settings: JsonObject | undefined): boolean =>
  settings?.['statusLine'] !== undefined && !isOurs(settings['statusLine'])

const isOurs = (entry: Json | undefined): entry is JsonObject =>
  isJsonObject(entry) &&
  (typeof entry['memctl'] === 'string' ||
    (typeof entry['command'] === 'string' && /[\\/]statusline\.cjs"?\s*$/.test(entry['command'])))
