// Our hooks put into Claude Code's settings and taken out again, with nothing else in them changed.
//
//   wired(x) ──────────────► x with our group at the end of each event's list
//   unwired(wired(x)) ─────► x, down to an empty list or object that stood there
//
// Each entry carries a field `memctl`, which the client steps over (measured in 2.1.197 and 2.1.329). It tells which
// entries are ours, whatever path they name, and what stood there before wherever that cannot be seen afterwards.
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
 * `settings` (undefined: there is no file yet) with our hooks in it, in place of any older wiring of memctl.
 *
 * Already wired in just this way, they come back as they are, wherever a person has moved our groups. Throws
 * SETTINGS_INVALID where `hooks`, or a list in it that we would add to, is no object or no list.
 */
export function addHooks(
  settings: JsonObject | undefined,
  commandFor: (event: HookRegistration) => HookEntry,
): JsonObject {
  if (settings && isDeepStrictEqual(ourGroups(settings), wantedGroups(commandFor))) return settings
  const before = removeHooks(settings ?? {})
  const hooks = hooksOf(before)
  const outer = !settings || isCreatedByMemctl(settings) ? TRACE.withFile : outerTrace(hooks)

  const lists = HOOK_REGISTRATIONS.map((wanted, i) => {
    const list = listOf(hooks, wanted.event)
    const trace = list?.length === 0 ? TRACE.intoList : i === 0 ? outer : TRACE.plain
    return [wanted.event, [...(list ?? []), buildHookGroup(wanted, { ...commandFor(wanted), memctl: trace })]] as const
  })
  return { ...before, hooks: { ...hooks, ...Object.fromEntries(lists) } }
}

/** `settings` as they were before: all our entries gone, and what we had to add to hold them. Never throws. */
export function removeHooks(settings: JsonObject): JsonObject {
  const hooks = settings['hooks']
  if (!isObject(hooks)) return settings
  const removed: JsonObject[] = []
  const lists = Object.entries(hooks).flatMap(([event, list]) => {
    const mine = oursIn(list)
    if (!Array.isArray(list) || mine.length === 0) return [[event, list] as const]
    removed.push(...mine)
    const kept = list.flatMap(withoutOurs)
    return kept.length > 0 || mine.some((entry) => entry['memctl'] === TRACE.intoList) ? [[event, kept] as const] : []
  })
  if (removed.length === 0) return settings
  const wasEmpty = removed.some((entry) => entry['memctl'] === TRACE.intoObject)
  if (lists.length > 0 || wasEmpty) return { ...settings, hooks: Object.fromEntries(lists) }
  const { hooks: _, ...rest } = settings
  return rest
}

/** Whether any of our hooks is in these settings. */
export const hasOurHooks = (settings: JsonObject): boolean => listOurEntries(settings).length > 0

/** Whether the file began as ours: taken out again, an empty rest of it may go. */
export const isCreatedByMemctl = (settings: JsonObject): boolean =>
  listOurEntries(settings).some((entry) => entry['memctl'] === TRACE.withFile)

/** The group of an event's list that holds one entry. */
export function buildHookGroup(wanted: HookRegistration, entry: JsonObject): JsonObject {
  return wanted.matcher === undefined ? { hooks: [entry] } : { matcher: wanted.matcher, hooks: [entry] }
}

const TRACE = {
  plain: 'added',
  intoList: 'added to []',
  intoObject: 'added to {}',
  withFile: 'added with the file',
} as const

// Should another program drop the field: no one else's scripts lie at such a path.
const OUR_SCRIPT = /[\\/](?:memctl[\\/]dist|\.memctl[\\/]runtime[\\/]\d[^\\/]*)[\\/]hooks[\\/][a-z-]+\.cjs["']?\s*$/

function isOurs(entry: Json): entry is JsonObject {
  if (!isObject(entry)) return false
  if (typeof entry['memctl'] === 'string') return true
  const args = entry['args']
  const words = [entry['command'], ...(Array.isArray(args) ? args : [])]
  return words.some((word) => typeof word === 'string' && OUR_SCRIPT.test(word))
}

const entriesOf = (group: Json): readonly Json[] => {
  const entries = isObject(group) ? group['hooks'] : undefined
  return Array.isArray(entries) ? entries : []
}

const oursIn = (list: Json): readonly JsonObject[] =>
  Array.isArray(list) ? list.flatMap((group) => entriesOf(group).filter(isOurs)) : []

/** All our entries in these settings, whatever they run. */
export function listOurEntries(settings: JsonObject): readonly JsonObject[] {
  const hooks = settings['hooks']
  return isObject(hooks) ? Object.values(hooks).flatMap(oursIn) : []
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
  const lists = Object.entries(isObject(hooks) ? hooks : {}).map(([event, list]) => {
    const groups = (Array.isArray(list) ? list : []).filter((group) => entriesOf(group).some(isOurs)) as JsonObject[]
    const bare = groups.map((group) => ({ ...group, hooks: entriesOf(group).filter(isOurs).map(withoutTrace) }))
    return [event, bare] as const
  })
  return Object.fromEntries(lists.filter(([, groups]) => groups.length > 0))
}

function wantedGroups(commandFor: (event: HookRegistration) => HookEntry): Groups {
  return Object.fromEntries(
    HOOK_REGISTRATIONS.map((wanted) => [wanted.event, [buildHookGroup(wanted, commandFor(wanted))]]),
  )
}

function withoutTrace(entry: JsonObject): JsonObject {
  const { memctl: _, ...rest } = entry
  return rest
}

function hooksOf(settings: JsonObject): JsonObject | undefined {
  const hooks = settings['hooks']
  if (hooks === undefined || isObject(hooks)) return hooks
  throw misshapen('hooks', 'an object')
}

function listOf(hooks: JsonObject | undefined, event: HookEvent): readonly Json[] | undefined {
  const list = hooks?.[event]
  if (list === undefined || Array.isArray(list)) return list
  throw misshapen(`hooks.${event}`, 'a list')
}

const outerTrace = (hooks: JsonObject | undefined): string =>
  hooks && Object.keys(hooks).length === 0 ? TRACE.intoObject : TRACE.plain

function misshapen(key: string, wanted: string): MemoryError {
  return new MemoryError(
    'SETTINGS_INVALID',
    `"${key}" in the settings is not ${wanted}, so nothing can be added to it`,
    {
      hint: `Make it ${wanted}, or remove it, then run the command again. Nothing was changed.`,
    },
  )
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
