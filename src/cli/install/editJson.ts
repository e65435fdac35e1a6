// Changes the value of a JSON text, and leaves every other character as it is.
//
// What is new comes after the last item of its object or list, in the style of the items there. Removing it again gives
// the first text, also if other items were edited or added meanwhile:
//
//   {"a":1}          ◀──▶  {"a":1,"hooks":{…}}
//           removed: from the end of the item before
import { isDeepStrictEqual } from 'node:util'
import { type Node, parseTree } from 'jsonc-parser'
import { isJsonObject, type Json, type JsonObject } from './hookSettings.ts'

/** `text`, which is valid JSON without a byte order mark, with the value `wanted`. */
export function editJson(text: string, wanted: JsonObject): string {
  const root = parseTree(text)
  if (root === undefined) throw new Error('The text is not JSON.')
  const edits = editValue(root, wanted, { text, ...readStyle(text, root), depth: 0 })
  return edits
    .sort((a, b) => b.start - a.start)
    .reduce((result, { start, end, inserted }) => result.slice(0, start) + inserted + result.slice(end), text)
}

interface Edit {
  readonly start: number
  readonly end: number
  readonly inserted: string
}

interface Style {
  readonly newline: string
  /** One level of indentation. */
  readonly indent: string
  /** Whether empty objects and lists are filled on lines of their own. */
  readonly isMultiline: boolean
}

interface Place extends Style {
  readonly text: string
  /** How many objects and lists are around the value. */
  readonly depth: number
}

/** An item of an object or a list: its position, and of a property the name. */
interface Item {
  readonly start: number
  readonly end: number
  readonly value: Node
}

function readStyle(text: string, root: Node): Style {
  const inside = text.slice(root.offset + 1, root.offset + root.length - 1)
  return {
    newline: /\r?\n/.exec(text)?.[0] ?? '\n',
    indent: /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ',
    isMultiline: inside.trim() === '' || inside.includes('\n'),
  }
}

function editValue(node: Node, wanted: Json, place: Place): Edit[] {
  const { offset, length } = node
  const before = JSON.parse(place.text.slice(offset, offset + length)) as Json
  if (isDeepStrictEqual(before, wanted)) return []
  const inner = { ...place, depth: place.depth + 1 }
  if (isJsonObject(before) && isJsonObject(wanted)) return editObject(node, wanted, inner)
  if (Array.isArray(before) && Array.isArray(wanted)) return editList(node, [before, wanted], inner)
  return [{ start: offset, end: offset + length, inserted: JSON.stringify(wanted) }]
}

function editObject(node: Node, wanted: JsonObject, place: Place): Edit[] {
  const properties = (node.children ?? []).map((child) => toItem(child, child.children?.[1] ?? child))
  const names = (node.children ?? []).map((child) => child.children?.[0]?.value as string)
  const isRemoved = names.map((name) => !Object.hasOwn(wanted, name))
  const added = Object.entries(wanted).filter(([name]) => !names.includes(name))
  // The last of several properties with the same name counts.
  const changed = properties.flatMap(({ value }, i) => {
    const name = names[i] ?? ''
    return isRemoved[i] || names.lastIndexOf(name) !== i ? [] : editValue(value, wanted[name] ?? null, place)
  })
  return [...changed, ...editItems(node, { items: properties, isRemoved, added }, place)]
}

function editList(node: Node, [before, wanted]: [readonly Json[], readonly Json[]], place: Place): Edit[] {
  const items = (node.children ?? []).map((child) => toItem(child, child))
  const isKept = findKept(before, wanted)
  let keptCount = 0
  const changed = items.flatMap(({ value }, i) =>
    isKept[i] ? editValue(value, wanted[keptCount++] ?? null, place) : [],
  )
  const added = wanted.slice(keptCount).map((value) => [undefined, value] as const)
  return [...changed, ...editItems(node, { items, isRemoved: isKept.map((kept) => !kept), added }, place)]
}

const toItem = ({ offset, length }: Node, value: Node): Item => ({ start: offset, end: offset + length, value })

interface ItemChanges {
  readonly items: readonly Item[]
  readonly isRemoved: readonly boolean[]
  readonly added: readonly (readonly [name: string | undefined, value: Json])[]
}

/** Removes items and adds others at the end. */
function editItems(container: Node, { items, isRemoved, added }: ItemChanges, place: Place): Edit[] {
  const kept = items.filter((_, i) => !isRemoved[i])
  const lastKept = kept.at(-1)
  if (lastKept === undefined) return refill(container, items, added, place)
  const removals = items.flatMap((item, i): Edit[] => {
    if (!isRemoved[i]) return []
    const before = items[i - 1]
    // With the comma before it; the first ones with the comma behind.
    const isFirst = item.start < (kept[0] ?? item).start
    const range = isFirst || before === undefined ? [item.start, items[i + 1]?.start] : [before.end, item.end]
    return [{ start: range[0] ?? item.start, end: range[1] ?? item.end, inserted: '' }]
  })
  if (added.length === 0) return removals
  const separator = findSeparator(container, items, place.text)
  const inserted = added.map((entry) => `,${separator}${formatItem(entry, separator, place)}`).join('')
  return [...removals, { start: lastKept.end, end: lastKept.end, inserted }]
}

/** Replaces all items of an object or a list. Spaces that an empty one had come after the new items. */
function refill(container: Node, items: readonly Item[], added: ItemChanges['added'], place: Place): Edit[] {
  const [start, end] = [container.offset + 1, container.offset + container.length - 1]
  const { text, newline, indent, depth, isMultiline } = place
  const closing = isMultiline ? newline + indent.repeat(depth - 1) : ''
  const spaces = text.slice(items.at(-1)?.end ?? start, end)
  const isAlreadyEmpty = items.length === 0
  const rest =
    isAlreadyEmpty || !spaces.startsWith(closing)
      ? spaces.replace(isAlreadyEmpty ? '' : CLOSING, '')
      : spaces.slice(closing.length)
  if (added.length === 0) return [{ start, end, inserted: rest }]
  const separator = isMultiline ? newline + indent.repeat(depth) : ''
  const inserted = added.map((entry) => separator + formatItem(entry, separator, place)).join(',')
  return [{ start, end, inserted: inserted + closing + rest }]
}

const CLOSING = /^\r?\n[ \t]*/

/** The space before an item, as other items of the object or list have it. */
function findSeparator(container: Node, items: readonly Item[], text: string): string {
  const [first, second] = items
  const end = second?.start ?? first?.start ?? container.offset + 1
  return /\s*$/.exec(text.slice(container.offset + 1, end))?.[0] ?? ''
}

function formatItem([name, value]: ItemChanges['added'][number], separator: string, place: Place): string {
  const isMultiline = separator.includes('\n')
  const base = separator.slice(separator.lastIndexOf('\n') + 1)
  const text = isMultiline
    ? JSON.stringify(value, null, place.indent).replaceAll('\n', place.newline + base)
    : JSON.stringify(value)
  const colon = isMultiline || separator !== '' ? ': ' : ':'
  return name === undefined ? text : `${JSON.stringify(name)}${colon}${text}`
}

/**
 * For each item of `before` whether it is still in `after`, maybe without some of its own items. `after` has those in
 * the same order, and then further ones.
 */
function findKept(before: readonly Json[], after: readonly Json[]): readonly boolean[] {
  let next = 0
  return before.map((item, i) => {
    const wanted = after[next]
    const isKept = next < after.length && (isDeepStrictEqual(item, wanted) || isReduced(wanted, before, i))
    if (isKept) next += 1
    return isKept
  })
}

/** Whether `wanted` is what is left of item `i`. A later item that is equal to it is the one that stays. */
const isReduced = (wanted: Json | undefined, before: readonly Json[], i: number): boolean =>
  isPart(wanted, before[i]) && !before.slice(i + 1).some((later) => isDeepStrictEqual(later, wanted))

/** Whether a value is another one without some of its items. */
function isPart(part: Json | undefined, whole: Json | undefined): boolean {
  if (Array.isArray(part) && Array.isArray(whole)) {
    let at = 0
    return part.every((item) => {
      while (at < whole.length && !isPart(item, whole[at])) at += 1
      at += 1
      return at <= whole.length
    })
  }
  if (!isJsonObject(part) || !isJsonObject(whole)) return part === whole
  return Object.entries(part).every(([name, value]) => Object.hasOwn(whole, name) && isPart(value, whole[name]))
}
