// YAML with positions: the value of a text, and the line of each part. For commands and the worker, never for a hook.
import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'

/** Names and list positions from the top of the file; empty for the entire file. */
export type YamlPath = readonly string[]

export interface YamlSource {
  /** The parsed value. Undefined if there are errors; null for an empty text. */
  readonly value: unknown
  readonly errors: readonly { readonly line: number; readonly what: string }[]
  /** The line of a part's name, from 1. A missing part has the line of its parent. */
  lineAt(path: YamlPath): number
  /** A scalar as written: 1e3 stays 1e3. Undefined for lists, mappings and missing parts. */
  textAt(path: YamlPath): string | undefined
}

export function readYaml(text: string): YamlSource {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const lineOf = (offset: number): number => lines.linePos(offset).line
  const lineAt = (path: YamlPath): number => {
    const offset = offsetAt(document, path)
    if (offset !== undefined) return lineOf(offset)
    return path.length === 0 ? 1 : lineAt(path.slice(0, -1))
  }
  const errors = document.errors.map((error) => ({
    line: lineOf(error.pos[0]),
    what: error.message.split('\n')[0] ?? error.message,
  }))
  let value: unknown
  try {
    value = errors.length > 0 ? undefined : document.toJS()
  } catch (error) {
    // References that are missing, or that expand too far.
    errors.push({ line: 1, what: error instanceof Error ? error.message : String(error) })
  }
  return {
    value,
    errors,
    lineAt,
    textAt(path) {
      const node = document.getIn(path, true)
      return isScalar(node) ? String(node.source ?? node.value) : undefined
    },
  }
}

export const isYamlMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The offset of a part: of its name in a mapping, of the item in a list. */
function offsetAt(document: Document, path: YamlPath): number | undefined {
  const name = path.at(-1)
  const parent = document.getIn(path.slice(0, -1), true)
  let node: unknown
  if (name === undefined) node = document.contents
  else if (isMap(parent)) node = parent.items.find(({ key }) => isScalar(key) && String(key.value) === name)?.key
  else if (isSeq(parent)) node = parent.get(Number(name), true)
  return isNode(node) ? node.range?.[0] : undefined
}
