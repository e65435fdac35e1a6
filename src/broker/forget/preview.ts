// Names what an erasure changes: events with their file, and memories with the beginning of their text.
import type { Event } from '../../model/event.ts'
import type { MemoryId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import { isPrivate } from '../../model/privacy.ts'
import type { ErasedFile } from '../../store/log/eraseLog.ts'
import { firstLine } from '../../text/excerpt.ts'
import type { Store } from '../open/openStore.ts'
import type { ErasedEvent, ErasedMemory } from './erasure.ts'
import type { ErasurePlan } from './erasurePlan.ts'
import { storeLabel } from './homeStores.ts'
import { readEvents, replayLog } from './replayLog.ts'

const TEXT_CHARS_MAX = 100

/** The changed events in the order of the log; `rest` is undefined for what is removed. */
export function previewEvents(
  changes: readonly { readonly event: Event; readonly rest: Event | undefined }[],
  store: string,
  files: readonly ErasedFile[],
): ErasedEvent[] {
  // Each file's changes come one after the other; its last ones may be lines that are no events.
  const counts = files.map((file) => ({ name: file.name, left: file.removed + file.redacted }))
  return changes.map(({ event, rest }) => {
    while ((counts[0]?.left ?? 1) === 0) counts.shift()
    const file = counts[0]
    if (file) file.left--
    return {
      store,
      file: file?.name ?? '',
      kind: event.kind,
      at: event.at,
      session: event.session,
      action: rest === undefined ? 'removed' : 'redacted',
      text: event.privacy === 'private' ? '' : describeChange(event, rest),
    }
  })
}

/** The string that loses most; of a removed event the one that says most. */
function describeChange(event: Event, rest: Event | undefined): string {
  const before = listTexts(event)
  const after = rest === undefined ? [] : listTexts(rest)
  const lost = rest === undefined ? before : before.filter((text) => !after.includes(text))
  const [text = ''] = lost.sort((a, b) => b.length - a.length)
  if (rest === undefined) return firstLine(text, TEXT_CHARS_MAX)
  // Around the first difference.
  const other = after.find((candidate) => candidate.startsWith(text.slice(0, 8))) ?? ''
  let at = 0
  while (at < text.length && text[at] === other[at]) at++
  return firstLine(text.slice(Math.max(0, at - TEXT_CHARS_MAX / 3)), TEXT_CHARS_MAX)
}

const NAMES: ReadonlySet<string> = new Set(
  'id at session kind agentId role taskId call privacy outcome terms'.split(' '),
)

function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, field]) => (NAMES.has(name) ? [] : listTexts(field)))
}

/** The memories that a store loses, and those that lose a part of their text. */
export function previewMemories(store: Store, { erase, memories }: ErasurePlan): ErasedMemory[] {
  const events = readEvents(store)
  const before = replayLog(events, (event) => event)
  const after = replayLog(events, erase)
  const label = storeLabel(store)
  return [...before.values()].flatMap((memory) => {
    const action = findAction(memory, memories.has(memory.id) ? undefined : after.get(memory.id), memories)
    if (action === undefined) return []
    const text = isPrivate(memory) ? '' : firstLine(memory.content, TEXT_CHARS_MAX)
    return [{ store: label, id: memory.id, kind: memory.kind, action, text }]
  })
}

function findAction(
  before: Memory,
  after: Memory | undefined,
  requested: ReadonlySet<MemoryId>,
): ErasedMemory['action'] | undefined {
  if (after === undefined || requested.has(before.id)) return 'removed'
  return textOf(before) === textOf(after) ? undefined : 'redacted'
}

const textOf = ({ content, lessons, searchText }: Memory): string => JSON.stringify([content, lessons, searchText])
