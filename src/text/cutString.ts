// A long string of a payload: head and tail are kept, and the mark of a cut between them.
//
// A cut may split a secret, and half of one is not found. So more is removed around each mark, after redaction.

/** Stands on both sides of the note where a string was cut. A character for private use. */
const MARK = '\ue0f5'

/** Characters removed on both sides of a cut, after redaction: no secret is longer, except keys with a header. */
const CUT_MARGIN_CHARS = 4_096

/** Whether a payload, as JSON, has a string that was cut. */
export const hasCut = (json: string): boolean => json.includes(MARK)

/** A JSON value, with the text around each cut removed. */
export function trimCuts(value: unknown): unknown {
  if (typeof value === 'string') return trimCut(value)
  if (Array.isArray(value)) return value.map(trimCuts)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [trimCut(name), trimCuts(field)]))
}

function trimCut(text: string): string {
  const start = text.indexOf(MARK)
  if (start === -1) return text
  const end = text.lastIndexOf(MARK) + 1
  return `${text.slice(0, Math.max(0, start - CUT_MARGIN_CHARS))}\n… long text cut …\n${text.slice(end + CUT_MARGIN_CHARS)}`
}

/** Characters kept of the head of a string, and of the tail. An event stores at most 6,000 of a text. */
const HEAD_CHARS = 32_768
const TAIL_CHARS = 16_384

const ITEMS_MAX = 1_000

/** Deeper values become null: an event stores six levels. */
const DEPTH_MAX = 64

/** Characters that an item of a list, and a field, needs in addition to its strings. */
const ITEM_CHARS = 8

/**
 * A JSON value with its long strings cut in the middle, and lists after their first items. Once the `room` is used
 * up, lists and objects end, except the outermost object.
 */
export function cutLongStrings(value: unknown, room = { chars: Number.POSITIVE_INFINITY }, depth = 0): unknown {
  if (typeof value === 'string') {
    const text = cutText(value)
    room.chars -= text.length
    return text
  }
  if (typeof value !== 'object' || value === null) return value
  if (depth === DEPTH_MAX) return null
  const kept: [string, unknown][] = []
  for (const [name, item] of Array.isArray(value) ? value.slice(0, ITEMS_MAX).entries() : Object.entries(value)) {
    room.chars -= ITEM_CHARS
    if (room.chars <= 0 && (depth > 0 || kept.length >= ITEMS_MAX)) break
    kept.push([cutText(String(name)), cutLongStrings(item, room, depth + 1)])
  }
  return Array.isArray(value) ? kept.map(([, item]) => item) : Object.fromEntries(kept)
}

function cutText(text: string): string {
  const cut = text.length - HEAD_CHARS - TAIL_CHARS
  if (cut <= 0) return text
  // What was private before the tail may go on in it.
  const tail = /private/i.test(text.slice(HEAD_CHARS)) ? '' : text.slice(-TAIL_CHARS)
  return `${text.slice(0, HEAD_CHARS)}\n${MARK}${cut}${MARK}\n${tail}`
}
