// Replaces copies of texts in an event, wherever they occur.
import type { Event } from '../../model/event.ts'
import type { EraseEvent } from '../../store/log/eraseLog.ts'
import { type CopyFinder, replaceCopies } from '../../text/copies/findCopies.ts'

/** Fields that say what an event is: an event with a copy in one of them is removed. */
const IDENTITY_FIELDS: ReadonlySet<string> = new Set('id at session kind moment outcome privacy'.split(' '))

/** Fields that are cut without an ellipsis. */
const CUT_FIELDS: ReadonlySet<string> = new Set(['errorSignature', 'commandShape', 'subject'])

/** An eraser that replaces copies by asterisks, in names of fields too. */
export function eraseTexts(finder: CopyFinder): EraseEvent {
  return (event) => {
    const clean = redactTexts(event, finder) as Event
    if (clean === event) return event
    for (const name of IDENTITY_FIELDS) if (Reflect.get(clean, name) !== Reflect.get(event, name)) return undefined
    return clean
  }
}

/** A JSON value without copies; the same reference if it has none. */
export function redactTexts(value: unknown, finder: CopyFinder, isCut = false): unknown {
  if (typeof value === 'string') {
    const spans = finder.find(value, isCut)
    return spans.length === 0 ? value : replaceCopies(value, spans)
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const list = value.map((item) => redactTexts(item, finder))
    return list.some((item, i) => item !== value[i]) ? list : value
  }
  const fields = Object.entries(value)
  const clean = fields.map(([name, field]): [string, unknown] => [
    redactTexts(name, finder) as string,
    redactTexts(field, finder, CUT_FIELDS.has(name)),
  ])
  const changed = clean.filter(([name, field], i) => name !== fields[i]?.[0] || field !== fields[i]?.[1])
  if (changed.length === 0) return value
  // A vector that a caller supplied says what the text was about. With a copy cut out of it, it would be another one.
  const hasOther = changed.some(([name]) => name === 'content' || name === 'embedding')
  return Object.fromEntries(hasOther ? clean.filter(([name]) => name !== 'embedding') : clean)
}
