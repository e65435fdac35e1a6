// Adds our hooks to Claude Code's settings and removes them, without changing anything else.
//
//   addHooks(x) ───────────────► x with our group at the end of each event's list
//   removeHooks(addHooks(x)) ──► x, with every empty list and object that it had
//
// Each entry has a field `memctl`, which the client ignores (measured in 2.1.197 and 2.1.329). It marks our entries,
// whatever path they name, and records what was there before if that could not be reconstructed.
import { isDeepStrictEqual } from 'node:util'
import { HOOK_REGISTRATIONS, type HookEvent, type HookRegistration } from '../../model/hookEvents.ts'
import { MemoryError } from '../../model/memoryError.ts'

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

/** A hook in its exec form: no shell, no quoting, the same on every system. */
export type HookEntry = {
  readonly type: 'command'
  readonly command: string
  readonly args: readonly string[]
  readonly timeout: number
}

/**
 * `settings` (undefined: no file yet) with our hooks, which replace those of an older version. `isOurFile` says that an
 * earlier init has created the file.
 *
 * Returns `settings` itself if they already have these hooks, wherever the user has moved them. Throws SETTINGS_INVALID
 * if `hooks` is not an object, or a list in it is not a list.
 */
export function addHooks(
  settings: JsonObject | undefined,
  commandFor: (event: HookRegistration) => HookEntry,
  isOurFile = settings === undefined || isCreatedByMemctl(settings),
): JsonObject {
  if (settings && hasHooks(settings, HOOK_REGISTRATIONS, commandFor)) return settings
  const before = removeHooks(settings ?? {})
  const hooks = readHooks(before)
  const outerTrace = isOurFile
    ? TRACE.withFile
    : hooks && Object.keys(hooks).length === 0
      ? TRACE.intoObject
      : TRACE.plain

  const lists = HOOK_REGISTRATIONS.map((wanted, i) => {
    const list = readList(hooks, wanted.event)
    const trace = list?.length === 0 ? TRACE.intoList : i === 0 ? outerTrace : TRACE.plain
    return [wanted.event, [...(list ?? []), buildHookGroup(wanted, { ...commandFor(wanted), memctl: trace })]] as const
  })
  return { ...before, hooks: { ...hooks, ...Object.fromEntries(lists) } }
}

/** Whether our entries are exactly these hooks, wherever the user has moved them. */
export const hasHooks = (
  settings: JsonObject,
  hooks: readonly HookRegistration[],
  commandFor: (event: HookRegistration) => HookEntry,
): boolean => isDeepStrictEqual(ourGroups(settings), wantedGroups(hooks, commandFor))

/** `settings` without our entries, and without the lists and objects that were added for them. Never throws. */
export function removeHooks(settings: JsonObject): JsonObject {
  const hooks = settings['hooks']
  if (!isJsonObject(hooks)) return settings
  const removed: JsonObject[] = []
  const lists = Object.entries(hooks).flatMap(([event, list]) => {
    const ours = filterOurs(list)
    if (!Array.isArray(list) || ours.length === 0) return [[event, list] as const]
    removed.push(...ours)
    const kept = list.flatMap(withoutOurs)
    return kept.length > 0 || ours.some((entry) => entry['memctl'] === TRACE.intoList) ? [[event, kept] as const] : []
  })
  if (removed.length === 0) return settings
  const wasEmpty = removed.some((entry) => entry['memctl'] === TRACE.intoObject)
  if (lists.length > 0 || wasEmpty) return { ...settings, hooks: Object.fromEntries(lists) }
  const { hooks: _, ...rest } = settings
  return rest
}

/** Whether init created the file: then it can be removed if nothing else is in it. */
export const isCreatedByMemctl = (settings: JsonObject): boolean =>
  listOurEntries(settings).some((entry) => entry['memctl'] === TRACE.withFile)

/** The group with one entry, for the list of an event. */
export function buildHookGroup(wanted: HookRegistration, entry: JsonObject): JsonObject {
  return wanted.matcher === undefined ? { hooks: [entry] } : { matcher: wanted.matcher, hooks: [entry] }
}

const TRACE = {
  plain: 'added',
  intoList: 'added to []',
  intoObject: 'added to {}',
  withFile: 'added with the file',
} as const

// In case another program removed the field: only our scripts have such a path.
const OUR_SCRIPT = /[\\/](?:memctl[\\/]dist|\.memctl[\\/]runtime[\\/]\d[^\\/]*)[\\/]hooks[\\/][a-z-]+\.cjs["']?\s*$/

function isOurs(entry: Json): entry is JsonObject {
  if (!isJsonObject(entry)) return false
  if (typeof entry['memctl'] === 'string') return true
  const args = entry['args']
  const words = [entry['command'], ...(Array.isArray(args) ? args : [])]
  return words.some((word) => typeof word === 'string' && OUR_SCRIPT.test(word))
}

const entriesOf = (group: Json): readonly Json[] => {
  const entries = isJsonObject(group) ? group['hooks'] : undefined
  return Array.isArray(entries) ? entries : []
}

const filterOurs = (list: Json): readonly JsonObject[] =>
  Array.isArray(list) ? list.flatMap((group) => entriesOf(group).filter(isOurs)) : []

/** All our entries in these settings. */
export function listOurEntries(settings: JsonObject): readonly JsonObject[] {
  const hooks = settings['hooks']
  return isJsonObject(hooks) ? Object.values(hooks).flatMap(filterOurs) : []
}

function withoutOurs(group: Json): readonly Json[] {
  const entries = entriesOf(group)
  const kept = entries.filter((entry) => !isOurs(entry))
  if (kept.length === entries.length) return [group]
  return kept.length > 0 ? [{ ...(group as JsonObject), hooks: kept }] : []
}

type Groups = Readonly<Record<string, readonly JsonObject[]>>

function ourGroups(settings: JsonObject): Groups {
  const hooks = settings['hooks']
  const lists = Object.entries(isJsonObject(hooks) ? hooks : {}).map(([event, list]) => {
    const groups = (Array.isArray(list) ? list : []).filter((group) => entriesOf(group).some(isOurs)) as JsonObject[]
    const bare = groups.map((group) => ({ ...group, hooks: entriesOf(group).filter(isOurs).map(withoutTrace) }))
    return [event, bare] as const
  })
  return Object.fromEntries(lists.filter(([, groups]) => groups.length > 0))
}

const wantedGroups = (hooks: readonly HookRegistration[], commandFor: (event: HookRegistration) => HookEntry): Groups =>
  Object.fromEntries(hooks.map((hook) => [hook.event, [buildHookGroup(hook, commandFor(hook))]]))

function withoutTrace(entry: JsonObject): JsonObject {
  const { memctl: _, ...rest } = entry
  return rest
}

function readHooks(settings: JsonObject): JsonObject | undefined {
  const hooks = settings['hooks']
  if (hooks === undefined || isJsonObject(hooks)) return hooks
  throw wrongType('hooks', 'an object')
}

function readList(hooks: JsonObject | undefined, event: HookEvent): readonly Json[] | undefined {
  const list = hooks?.[event]
  if (list === undefined || Array.isArray(list)) return list
  throw wrongType(`hooks.${event}`, 'a list')
}

function wrongType(key: string, wanted: string): MemoryError {
  return new MemoryError(
    'SETTINGS_INVALID',
    `"${key}" in the settings is not ${wanted}, so nothing can be added to it`,
    {
      hint: `Make it ${wanted}, or remove it, then run the command again. Nothing was changed.`,
    },
  )
}

export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
