// A memory from a file that anybody may have changed: every field that other code relies on has its type.
import { FACT_STATES, FACT_TOPICS } from '../../model/fact.ts'
import { isMemoryId } from '../../model/id.ts'
import {
  CONTENT_TYPES,
  MEMORY_KINDS,
  MEMORY_SCOPES,
  MEMORY_SOURCES,
  MEMORY_STATUSES,
  type Memory,
  newMemory,
  OUTCOMES,
  RETENTIONS,
  TRUST_LEVELS,
} from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { repairMemory } from '../../model/memoryNumbers.ts'
import { PRIVACY_LEVELS } from '../../model/privacy.ts'
import { PROVENANCES } from '../../model/provenance.ts'
import { STATEMENT_ORIGINS, STATEMENT_SCOPES, STATEMENT_TYPES } from '../../model/statement.ts'
import { TIERS } from '../../model/tier.ts'
import { sanitize } from '../commands/newMemory.ts'

type Fields = Readonly<Record<string, unknown>>
type Check = (value: unknown) => boolean

/** An entry's text may be long; nothing else is. In characters. */
const TEXT_CHARS_MAX = 200_000

/** The memory, with defaults for fields that older versions did not write. Throws INPUT_INVALID with the field. */
export function parseMemory(value: unknown, place: string): Memory {
  const fields = isObject(value) ? value : {}
  const { id, kind, content, created } = fields
  const required = { id, kind, content, created }
  for (const [name, check] of Object.entries(REQUIRED))
    assertField(required[name as keyof typeof required], name, check, place)
  const lowered = String(id).toLowerCase() as Memory['id']
  const defaults = newMemory({ ...required, id: lowered } as Parameters<typeof newMemory>[0])
  // Fields keep their order, so that both stores print the same.
  const memory = { ...fields, ...omitKnown(defaults, fields) } as unknown as Memory
  const checked = memory as unknown as Fields
  for (const [name, check] of Object.entries(FIELDS)) {
    if (checked[name] !== undefined) assertField(checked[name], name, check, place)
  }
  return cleanTexts(repairMemory({ ...memory, id: lowered }))
}

const omitKnown = (defaults: Memory, fields: Fields): Fields =>
  Object.fromEntries(Object.entries(defaults).filter(([name]) => !(name in fields)))

/** What hooks remove from events is removed here, too. A text without secrets and private parts stays as it is. */
function cleanTexts(memory: Memory): Memory {
  const { content, lessons, tags, searchText, leftOpen, statement } = memory
  const texts = { content, lessons, tags, searchText, leftOpen, short: statement?.short }
  const { short, ...clean } = sanitize(texts)
  const defined = Object.fromEntries(Object.entries(clean).filter(([, text]) => text !== undefined))
  return { ...memory, ...defined, ...(statement && short !== undefined && { statement: { ...statement, short } }) }
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
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
/** An object whose named fields pass; others may be anything. */
const hasFields =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) && Object.entries(checks).every(([name, check]) => check(value[name]))
const isOptional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)

const isTexts = isList(isText)
const isRecord: Check = (value) => isObject(value)

const REQUIRED: Readonly<Record<string, Check>> = {
  id: (value) => typeof value === 'string' && isMemoryId(value),
  kind: isOneOf(MEMORY_KINDS),
  content: isText,
  created: isTime,
}

const isStep = hasFields({ kind: isOneOf(['edit', 'command']), what: isText, detail: isOptional(isText) })
const isFix = hasFields({ kind: isOneOf(['steps', 'instead', 'again']), steps: isList(isStep) })
const TRIGGER = { tools: isTexts, paths: isTexts, command: isText, parts: isTexts, errors: isTexts, code: isTexts }
const isTrigger = hasFields(
  Object.fromEntries(Object.entries(TRIGGER).map(([name, check]) => [name, isOptional(check)])),
)

const FIELDS: Readonly<Record<string, Check>> = {
  updated: isTime,
  lastUsed: isTime,
  lastDecayed: isTime,
  expires: isTime,
  privacySince: isTime,
  lessons: isTexts,
  tags: isTexts,
  files: isTexts,
  events: isTexts,
  editedFiles: isTexts,
  leftOpen: isTexts,
  consolidatedFrom: isTexts,
  metadata: isRecord,
  learnings: isRecord,
  strengthByPerspective: isRecord,
  recorded: isRecord,
  role: isText,
  session: isText,
  taskId: isText,
  agentId: isText,
  commandShape: isText,
  errorSignature: isText,
  branch: isText,
  searchText: isText,
  supersededBy: isText,
  scopeDomain: isText,
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
  importance: isShare,
  meetings: isNumber,
  sessionCount: isNumber,
  help: hasFields({ shown: isNumber, used: isNumber, contribution: isNumber }),
  pinned: hasFields({ reason: isText, at: isTime }),
  importanceTerms: (value) => isObject(value) && Object.values(value).every(isNumber),
  embedding: hasFields({ model: isText, vector: isText }),
  counts: hasFields({ prompts: isNumber, calls: isNumber }),
  monthlyRollup: hasFields({ month: isText, folded: isNumber }),
  importSource: hasFields({ origin: isText, location: isText, item: isText }),
  statement: hasFields({
    type: isOneOf(STATEMENT_TYPES),
    scope: isOneOf(STATEMENT_SCOPES),
    origin: isOneOf(STATEMENT_ORIGINS),
    strength: isOneOf([1, 2, 3]),
    short: isText,
    subject: isTexts,
  }),
  lesson: hasFields({
    error: isText,
    failedAttempts: isList(isStep),
    calls: isTexts,
    fix: isOptional(isFix),
    candidates: isOptional(isList(hasFields({ fix: isFix, sessions: isNumber, lastSession: isText, last: isTime }))),
  }),
  fact: hasFields({
    topic: isOneOf(FACT_TOPICS),
    claim: isText,
    state: isOneOf(FACT_STATES),
    sessions: isTexts,
    lastMet: isTime,
    remedies: isList(hasFields({ text: isText, sessions: isNumber, last: isTime })),
    triggers: isList(isTrigger),
    failures: isNumber,
    refutations: isNumber,
  }),
}

function assertField(value: unknown, name: string, check: Check, place: string): void {
  if (check(value)) return
  throw new MemoryError('INPUT_INVALID', `${place}: the memory has no valid ${name}`, {
    hint: 'Name a file that `memctl export` has written. Nothing was imported.',
  })
}
