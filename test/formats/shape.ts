// The shape of JSON values: every property path with the types of its values, without the values.
//
//   {"id":"a","tags":["x"],"shares":{"s-1":1}}   →   id: string · tags[]: string · shares.*: number

export type Shape = Readonly<Record<string, string>>

/** Names of properties whose keys are data (ids, names a user or a tool chose), besides those whose keys show it. */
const MAP_NAMES: ReadonlySet<string> = new Set(['input', 'extra', 'tags', 'strengthByPerspective', 'perspectives'])

/** A key that can be a field's name. A map with any other key (an id, a path, a name with a dot) is keyed by data. */
const FIELD_NAME = /^[A-Za-z_]\w*$/

/** The shape that all of these values have together. */
export function shapeOf(values: readonly unknown[]): Shape {
  const types = new Map<string, Set<string>>()
  for (const value of values) addTypes(types, '', value)
  const paths = [...types.keys()].sort()
  const isFilled = (path: string) => paths.some((other) => other.startsWith(`${path}.`) || other.startsWith(`${path}[`))
  return Object.fromEntries(
    paths.flatMap((path): [string, string][] => {
      const names = [...types.get(path)!].filter((name) => !name.startsWith('empty ') || !isFilled(path)).sort()
      return names.length === 0 ? [] : [[path === '' ? '(value)' : path, names.join(' | ')]]
    }),
  )
}

function addTypes(types: Map<string, Set<string>>, path: string, value: unknown): void {
  if (Array.isArray(value) && value.length > 0) {
    for (const item of value) addTypes(types, `${path}[]`, item)
    return
  }
  if (isObject(value) && !(value instanceof Part) && Object.keys(value).length > 0) {
    const keys = Object.keys(value)
    const isMap = MAP_NAMES.has(path.slice(path.lastIndexOf('.') + 1)) || keys.some((key) => !FIELD_NAME.test(key))
    for (const [key, item] of Object.entries(value)) {
      const name = isMap ? '*' : key
      addTypes(types, path === '' ? name : `${path}.${name}`, item)
    }
    return
  }
  const found = types.get(path) ?? new Set()
  types.set(path, found.add(typeName(value)))
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (value instanceof Part) return value.name
  if (Array.isArray(value)) return 'empty array'
  return typeof value === 'object' ? 'empty object' : typeof value
}

/** Represents an object whose shape is pinned once under this name. */
class Part {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** Says by its fields, or by the name of the property that holds it, whether an object is of a kind. */
type IsPart = (value: JsonObject, property: string) => boolean

/** Objects that many answers hold: each has one pin of its own. */
const PARTS: Readonly<Record<string, IsPart>> = {
  memory: (value) => 'importance' in value && 'consolidationLevel' in value,
  event: (value) => 'at' in value && 'session' in value && 'privacy' in value,
  features: (_value, property) => property === 'features' || property === 'breakdown',
}

/** The value with memories, events and features replaced by placeholders; the originals are added to `found`. */
export function takeParts(value: unknown, found: Map<string, unknown[]>): unknown {
  const take = (item: unknown, key: string): unknown => {
    if (typeof item !== 'object' || item === null) return item
    if (Array.isArray(item)) return item.map((inner) => take(inner, key))
    const kind = Object.keys(PARTS).find((name) => PARTS[name]?.(item as JsonObject, key))
    if (kind === undefined)
      return Object.fromEntries(Object.entries(item).map(([name, inner]) => [name, take(inner, name)]))
    const inner = Object.entries(item).map(([name, field]) => [name, take(field, name)])
    found.set(kind, [...(found.get(kind) ?? []), Object.fromEntries(inner)])
    return new Part(kind)
  }
  return take(value, '')
}

type JsonObject = Readonly<Record<string, unknown>>
