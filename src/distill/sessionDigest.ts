// The digest of a session: numbered items that a model reads and cites. At most a number of tokens; the words of the
// person are shortened last.
import { type Event, isCallResult } from '../model/event.ts'
import type { EventId } from '../model/id.ts'
import { estimateTokens, firstChars, truncateMiddle } from '../text/excerpt.ts'
import { isClientPrompt, isHandedOverPlan } from '../text/promptText.ts'
import { type CallHistory, callDrafts, type Draft, listRoots, newCallHistory } from './callItems.ts'
import { type DigestItem, type DigestItemKind, isOfPerson } from './digestItem.ts'

/** An item as the model sees it. `number` starts at 1 and is what the model cites. */
export interface NumberedItem extends DigestItem {
  readonly number: number
  /** Earlier sessions with the same error. */
  readonly sessions: number
}

export interface SessionDigest {
  /** The items as text, with a heading line. */
  readonly text: string
  readonly items: readonly NumberedItem[]
  /** Estimated length of `text`. */
  readonly tokens: number
  /** Failures that earlier sessions met too, and that no entry is about. */
  readonly metAgain?: readonly MetAgain[]
}

/** A failure that earlier sessions met too, or one rule of a check that complained. */
export interface MetAgain {
  readonly number: number
  /** The rule of the check; undefined for the failure as a whole. */
  readonly rule?: string
  /** Earlier sessions that met it. */
  readonly sessions: number
}

interface DigestOptions {
  /** Removes secrets. The events are redacted already; this is the second time. */
  readonly redact: (text: string) => string
  /** Estimated tokens of the digest, at most. */
  readonly tokensMax: number
  /** In how many earlier sessions an error was met, by its signature. */
  readonly metBefore?: ReadonlyMap<string, number>
}

/** The digest of a session's events; undefined if the person said nothing in it. */
export function buildSessionDigest(events: readonly Event[], options: DigestOptions): SessionDigest | undefined {
  const items = listDigestItems(events, options.redact).map((item, i) => ({
    ...item,
    number: i + 1,
    sessions: item.signature === undefined ? 0 : (options.metBefore?.get(item.signature) ?? 0),
  }))
  if (!items.some((item) => item.kind === 'person' || item.kind === 'plan')) return undefined
  for (const limits of LIMITS) {
    const digest = formatDigest(items, limits)
    if (digest.tokens <= options.tokensMax) return digest
  }
  const importanceOf = new Map(events.map((event) => [event.id, event.importance ?? 0]))
  return leaveOutLeast(items, importanceOf, options.tokensMax)
}

/** Characters of each kind of item, at most; 0 leaves the item out. */
type ItemLimits = Readonly<Record<DigestItemKind, number>>

const FULL: ItemLimits = {
  person: 4_000,
  rejection: 2_000,
  reply: 1_200,
  plan: 5_000,
  client: 700,
  answer: 900,
  failed: 380,
  passed: 210,
  ran: 150,
  changed: 400,
  committed: 160,
}

/** From the full lengths to shorter ones: the first that fits is used. */
const LIMITS: readonly ItemLimits[] = [
  FULL,
  { ...FULL, answer: 600, client: 300, changed: 200, failed: 260 },
  { ...FULL, person: 2_500, plan: 3_000, answer: 450, client: 0, changed: 120, failed: 200, passed: 120, ran: 90 },
  { ...FULL, person: 1_500, plan: 2_000, answer: 300, client: 0, changed: 0, failed: 140, passed: 100, ran: 0 },
  {
    ...FULL,
    person: 800,
    plan: 1_000,
    reply: 600,
    rejection: 800,
    answer: 160,
    client: 0,
    changed: 0,
    failed: 90,
    passed: 80,
    ran: 0,
  },
]

/** What an item at either end of a session counts more than one in the middle: both ends say most. */
const END_WORTH = 0.2

/**
 * Leaves out what is least important, until the rest fits: as its event was scored when it was recorded. What the person
 * said is left out last.
 */
function leaveOutLeast(
  items: readonly NumberedItem[],
  importanceOf: ReadonlyMap<EventId, number>,
  tokensMax: number,
): SessionDigest {
  const worth = ({ kind, events, number }: NumberedItem): number =>
    (isOfPerson(kind) ? 1 + END_WORTH : 0) +
    Math.max(...events.map((id) => importanceOf.get(id) ?? 0)) +
    END_WORTH * Math.abs((2 * number) / items.length - 1)
  const ordered = items.toSorted((a, b) => worth(b) - worth(a))
  for (let size = Math.floor(items.length * 0.8); ; size = Math.floor(size * 0.8)) {
    const kept = new Set(ordered.slice(0, Math.max(1, size)))
    const digest = formatDigest(
      items.filter((item) => kept.has(item)),
      LIMITS.at(-1) ?? FULL,
      '(What was least important is left out.)',
    )
    if (digest.tokens <= tokensMax || size <= 1) return digest
  }
}

function formatDigest(items: readonly NumberedItem[], limits: ItemLimits, notice?: string): SessionDigest {
  const shown = items.filter(({ kind }) => limits[kind] > 0)
  const lines = shown.map((item) => formatItem(item, limits[item.kind]))
  const text = [...(notice === undefined ? [] : [notice]), ...lines].join('\n')
  return { text, items: shown, tokens: estimateTokens(text) }
}

export const HEADINGS: Readonly<Record<DigestItemKind, string>> = {
  person: 'PERSON',
  rejection: 'PERSON, rejecting',
  reply: 'PERSON, answering questions',
  plan: 'PLAN that the person approved',
  client: 'CLIENT (not the person)',
  answer: 'ASSISTANT',
  failed: 'FAILED',
  passed: 'PASSED',
  ran: 'RAN',
  changed: 'CHANGED',
  committed: 'COMMITTED',
}

function formatItem({ number, kind, subject, text, events, sessions }: NumberedItem, charsMax: number): string {
  const counts = [
    ...(kind === 'failed' && events.length > 1 ? [`${events.length} times`] : []),
    ...(sessions > 0 ? [`in ${sessions} earlier session${sessions > 1 ? 's' : ''} too`] : []),
  ]
  const times = counts.length === 0 ? '' : ` (${counts.join('; ')})`
  const heading = `${HEADINGS[kind]}${subject === '' ? '' : ` ${subject}`}${times}`
  return `[${number}] ${heading}: ${kind === 'answer' ? cutMiddle(text, charsMax) : truncateMiddle(text, charsMax)}`
}

/** An answer without its middle. More of its end stays than of its beginning: the end has questions and options. */
function cutMiddle(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text
  const headChars = Math.floor(charsMax / 3)
  const head = firstChars(text, headChars)
  const tail = text.slice(text.length - (charsMax - headChars)).replace(/^[\udc00-\udfff]/, '')
  return `${head.trimEnd()}\n…\n${tail.trimStart()}`
}

// The items of a session's digest: what the person said, what the assistant answered, what failed and what worked, in
// order. Only events that everyone in the project may see; every text is redacted again.

export function listDigestItems(events: readonly Event[], redact: (text: string) => string): DigestItem[] {
  const items: DigestItem[] = []
  const start = events.find((event) => event.kind === 'session.started')
  const calls = newCallHistory(start?.kind === 'session.started' ? listRoots(start.cwd) : [])
  for (const event of events) {
    if (event.privacy !== 'public') continue
    for (const draft of draftsOf(event, calls, items.length)) {
      const text = redact(draft.text).trim()
      const last = items.at(-1)
      if (text === '') continue
      if (draft.kind === 'changed' && last?.kind === 'changed')
        items[items.length - 1] = addChange(last, text, event.id)
      else
        items.push({ ...draft, subject: redact(draft.subject), text, events: [draft.event ?? event.id], at: event.at })
    }
    // A failure that came again is the same item, with one more event.
    const again = isCallResult(event) ? calls.repeated.get(event.id) : undefined
    const item = again === undefined ? undefined : items[again]
    if (again !== undefined && item?.kind === 'failed')
      items[again] = { ...item, events: [...item.events, event.id].slice(0, EVENTS_MAX) }
  }
  return items
}

function draftsOf(event: Event, calls: CallHistory, index: number): Draft[] {
  if (event.kind === 'answer') return [{ kind: 'answer', subject: '', text: event.text }]
  if (isCallResult(event)) return callDrafts(event, calls, index)
  if (event.kind !== 'prompt') return []
  const { text } = event
  const kind = isHandedOverPlan(text) ? 'plan' : isClientPrompt(text) ? 'client' : 'person'
  return [{ kind, subject: '', text }]
}

/** Events of one item, at most. */
const EVENTS_MAX = 12

const CHANGED_FILES_MAX = 12

function addChange(before: DigestItem, file: string, event: EventId): DigestItem {
  const files = before.text.split(', ')
  if (file === '' || files.includes(file) || files.length >= CHANGED_FILES_MAX) return before
  return { ...before, text: [...files, file].join(', '), events: [...before.events, event] }
}
