// Everything of memctl in a settings file: the hooks and the status line.
import { isDeepStrictEqual } from 'node:util'
import { type HookLocation, hookCommandFactory } from './hookLocation.ts'
import { addHooks, isCreatedByMemctl, type JsonObject, removeHooks } from './hookSettings.ts'
import { addStatusLine, hasOurStatusLine, removeStatusLine, statusLineCommand } from './statusLineEntry.ts'

/** Settings without our parts; undefined if init created the file and nothing else is in it. */
export function withoutOurs(settings: JsonObject | undefined): JsonObject | undefined {
  if (!settings) return undefined
  const after = removeHooks(removeStatusLine(settings))
  return isCreatedByMemctl(settings) && Object.keys(after).length === 0 ? undefined : after
}

/**
 * Settings without our parts, and with those for this location. A status line of ours that is there stays, and
 * `addsStatusLine` adds one. `wanted` is `settings` itself if nothing changes.
 */
export function updateOurs(
  settings: JsonObject | undefined,
  location: Pick<HookLocation, 'folder'>,
  addsStatusLine: boolean,
): { readonly without: JsonObject | undefined; readonly wanted: JsonObject | undefined } {
  const add = (before: JsonObject | undefined, isOurFile?: boolean): JsonObject | undefined => {
    const installed = addHooks(before, hookCommandFactory(location.folder), isOurFile)
    const isWanted = hasOurStatusLine(settings) || addsStatusLine
    return isWanted ? addStatusLine(installed, statusLineCommand(location), settings?.['statusLine']) : installed
  }
  const inPlace = add(settings)
  if (inPlace === settings || isDeepStrictEqual(inPlace, settings)) return { without: settings, wanted: settings }
  const without = withoutOurs(settings)
  return { without, wanted: add(without, settings === undefined || isCreatedByMemctl(settings)) }
}
