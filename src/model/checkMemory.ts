// What the fields of a memory may hold: one check of values, whatever class, file or process they come from.
//
//   caller ─▶ findInvalidValues ─▶ log ─▶ repairFields ─▶ memory
//             refuses them          └─▶ `memctl doctor` names those of earlier versions
//
// The ranges of numbers are in strength.ts, which hooks read too.

import type { EventBody } from './event.ts'
import type { MemoryId } from './id.ts'
import { KNOWLEDGE_AUTHORS, KNOWLEDGE_SCOPES, KNOWLEDGE_STATES, KNOWLEDGE_TYPES, TRIGGER_MOMENTS } from './knowledge.ts'
import {
  CONTENT_TYPES,
  MEMORY_KINDS,
  MEMORY_SCOPES,
  MEMORY_SOURCES,
  MEMORY_STATUSES,
  type Memory,
  newMemory,
  OUTCOMES,
  PROVENANCES,
  RETENTIONS,
  TIERS,
  TRUST_LEVELS,
} from './memory.ts'
import { PRIVACY_LEVELS } from './privacy.ts'
import { isAmount, isCount, isLevel, repairChange, repairMemory } from './strength.ts'
import { type Fields, isObject } from './unknownJson.ts'

type Check = (value: unknown) => boolean

/** An entry's text may be long; nothing else is. In characters. */
const TEXT_CHARS_MAX = 200_000

/** Numbers of a vector: the longest of known models has 4,096. */
export const VECTOR_LENGTH_MAX = 16_384

/** Whether a field of a memory may hold this value. A field that this version does not know may hold anything. */
export const isMemoryField = (name: string, value: unknown): boolean => FIELDS.get(name)?.(value) !== false

export const isEventId = (value: unknown): boolean => typeof value === 'string' && /^[0-9a-f]{16}$/.test(value)

/** The invalid values that an event brings into the store, such as `status of memory 3f2a…`. */
export function findInvalidValues(body: EventBody): string[] {
  switch (body.kind) {
    case 'memory.stored':
    case 'memory.consolidated':
      return findInMemory(body.memory)
    case 'memory.batch':
      return [...body.stored.flatMap(findInMemory), ...body.changes.flatMap(findInChange)]
    case 'memory.updated':
      return findInChange(body.change)
    case 'memory.strengthened':
      return body.changes.flatMap((change: unknown) => [
        ...findInChange(change),
        ...(isObject(change) && repairChange(change) !== change ? [`number of memory ${change['memory']}`] : []),
      ])
    case 'memory.scored':
      return isShare(body.score) ? [] : [`importance of memory ${body.memory}`]
    default:
      return []
  }
}

function findInMemory(memory: unknown): string[] {
  if (!isObject(memory)) return ['a memory that is not an object']
  return listInvalidFields(memory, REQUIRED).map((name) => `${name} of memory ${memory['id']}`)
}

/** The fields of a change have the values of the memory's fields; null takes one away. */
function findInChange(change: unknown): string[] {
  if (!isObject(change)) return ['a change that is not an object']
  const { memory, ...fields } = change
  const names = Object.keys(fields).filter((name) => fields[name] != null && !isMemoryField(name, fields[name]))
  return (typeof memory === 'string' ? names : ['id', ...names]).map((name) => `${name} of memory ${memory}`)
}

/**
 * A memory with every invalid value replaced: by that of `before`, else by that of a new memory. The same object if
 * there is none; undefined for what is no memory, without an id or a text. Whatever wrote it, the store can go on.
 */
export function repairFields(value: unknown, before?: Memory): Memory | undefined {
  if (!isObject(value)) return undefined
  const { id, content } = value
  if (!isMemoryField('id', id) || (typeof content !== 'string' && !before)) return undefined
  const memory = repairMemory(value as unknown as Memory)
  const invalid = listInvalidFields(memory as unknown as Fields, NEEDED)
  if (invalid.length === 0) return memory
  const created = isTime(memory.created) ? memory.created : new Date(0).toISOString()
  const others = before ?? newMemory({ id: id as MemoryId, kind: 'entry', content: String(content), created })
  const values = others as unknown as Fields
  const repaired = { ...memory, ...Object.fromEntries(invalid.map((name) => [name, values[name]])) }
  // Without its knowledge it is a text like any other.
  const isPlain = invalid.some((name) => KNOWLEDGE_FIELDS.includes(name)) && !repaired.knowledge
  return isPlain ? { ...repaired, kind: 'entry' } : repaired
}

/** The names of the fields with an invalid value, and of the `required` ones without one. */
function listInvalidFields(memory: Fields, required: readonly string[]): string[] {
  const invalid: string[] = []
  for (const name of required) if (memory[name] === undefined) invalid.push(name)
  for (const name in memory) {
    const value = memory[name]
    if (value !== undefined && FIELDS.get(name)?.(value) === false) invalid.push(name)
  }
  return invalid
}

const REQUIRED = ['id', 'kind', 'content', 'created']

/** The fields with a list or an object that every version has written, or that have a default. */
const NEEDED =
  'kind created updated lessons tags metadata files events role learnings strengthByPerspective help'.split(' ')
const KNOWLEDGE_FIELDS = ['knowledge', 'lesson', 'fact', 'statement']

const isText: Check = (value) => typeof value === 'string' && value.length <= TEXT_CHARS_MAX
const isTime: Check = (value) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value))
const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value)
const isShare: Check = (value) => isNumber(value) && (value as number) >= 0 && (value as number) <= 1
const isList =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)
const isOneOf =
  (names: readonly unknown[]): Check =>
  (value) =>
    names.includes(value)
/** An object with named fields that pass; others may be anything. */
function hasFields(checks: Readonly<Record<string, Check>>): Check {
  const entries = Object.entries(checks)
  return (value) => isObject(value) && entries.every(([name, check]) => check(value[name]))
}
const isOptional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)

const isRecordOf =
  (check: Check): Check =>
  (value) =>
    isObject(value) && Object.values(value).every(check)

const isTexts = isList(isText)

/** Whether a value is a vector: 32-bit floats in base64. */
export function isVector(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > 6 * VECTOR_LENGTH_MAX || !BASE64.test(value)) return false
  const bytes = Buffer.from(value, 'base64')
  if (bytes.length % 4 !== 0) return false
  for (let at = 0; at < bytes.length; at += 4) if (!Number.isFinite(bytes.readFloatLE(at))) return false
  return true
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

const COUNTS = 'calls fired firedIn failed met cost shown obeyed broken keptBefore brokenBefore refuted'
const OPTIONAL_TEXTS = isOptional(isTexts)
const isStep = hasFields({ kind: isOneOf(['edit', 'command']), what: isText })

/** These names with one check. */
const each = (names: string, check: Check): Readonly<Record<string, Check>> =>
  Object.fromEntries(names.split(' ').map((name) => [name, check]))

const TRIGGER_FIELDS = { ...each('tool signature', isOptional(isText)), ...each('has unless', OPTIONAL_TEXTS) }

const FIELDS: ReadonlyMap<string, Check> = new Map(
  Object.entries({
    ...each('created updated lastUsed lastDecayed expires privacySince', isTime),
    ...each('lessons tags files events editedFiles leftOpen consolidatedFrom', isTexts),
    ...each('metadata strengthByPerspective recorded', isObject),
    ...each('content role session taskId agentId commandShape errorSignature branch searchText', isText),
    ...each('supersededBy scopeDomain scopeProject originProject', isText),
    ...each('meetings sessionCount', isNumber),
    ...each('strength impactScore', isAmount),
    ...each('accessCount candidateCount', isCount),
    consolidationLevel: isLevel,
    importance: isShare,
    id: (value: unknown) => isText(value) && value !== '',
    kind: isOneOf(MEMORY_KINDS),
    contentType: isOneOf(CONTENT_TYPES),
    source: isOneOf(MEMORY_SOURCES),
    outcome: isOneOf(OUTCOMES),
    scope: isOneOf(MEMORY_SCOPES),
    privacy: isOneOf(PRIVACY_LEVELS),
    trust: isOneOf(TRUST_LEVELS),
    provenance: isOneOf(PROVENANCES),
    retention: isOneOf(RETENTIONS),
    tier: isOneOf(TIERS),
    status: isOneOf(MEMORY_STATUSES),
    learnings: isRecordOf(isText),
    importanceTerms: isRecordOf(isNumber),
    help: hasFields(each('shown used contribution', isNumber)),
    pinned: hasFields({ reason: isText, at: isTime }),
    embedding: hasFields({ model: isText, vector: isVector }),
    counts: hasFields(each('prompts calls', isNumber)),
    monthlyRollup: hasFields({ month: isText, folded: isNumber }),
    importSource: hasFields(each('origin location item', isText)),
    entrySource: hasFields(each('layer key', isText)),
    knowledge: hasFields({
      type: isOneOf(KNOWLEDGE_TYPES),
      scope: isOneOf(KNOWLEDGE_SCOPES),
      author: isOneOf(KNOWLEDGE_AUTHORS),
      state: isOneOf(KNOWLEDGE_STATES),
      line: isText,
      ...each('quote reason', isOptional(isText)),
      when: isList(hasFields({ at: isOneOf(TRIGGER_MOMENTS), ...TRIGGER_FIELDS })),
      expected: isOptional(isShare),
      record: hasFields({ ...each(COUNTS, isOptional(isNumber)), sessions: isTexts, lastMet: isTime }),
    }),
    // Archives of earlier versions: what `upgradeMemory` reads of their fields.
    statement: hasFields({
      type: isOneOf(KNOWLEDGE_TYPES),
      scope: isOneOf(['person', 'project', 'branch', 'file']),
      ...each('origin short', isText),
      strength: isOneOf([1, 2, 3]),
      ...each('reason supersededBy', isOptional(isText)),
    }),
    lesson: hasFields({
      error: isText,
      command: isOptional(isText),
      fix: isOptional(hasFields({ kind: isOneOf(['steps', 'instead', 'again']), steps: isList(isStep) })),
      failures: isOptional(isNumber),
      lastMet: isOptional(isTime),
    }),
    fact: hasFields({
      ...each('topic claim', isText),
      state: isOneOf(['proposed', 'standing', 'retired']),
      lastMet: isTime,
      remedies: isList(hasFields({ text: isText })),
      triggers: isList(
        hasFields({ ...each('tools paths parts errors code', OPTIONAL_TEXTS), command: isOptional(isText) }),
      ),
      failures: isNumber,
    }),
  }),
)
