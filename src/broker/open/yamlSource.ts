// YAML with positions: what a text reads as, and in which line each part of it stands. For commands and the worker, never for a hook.
import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'

/** Names and list positions from the top of the file; empty for the file as a whole. */
export type YamlPath = readonly string[]

export interface YamlSource {
  /** What the text reads as. Undefined where there are errors; null for an empty text. */
  readonly value: unknown
  readonly errors: readonly { readonly line: number; readonly what: string }[]
  /** The line of a part's name. A part that is not there has the line of what it belongs to. From 1. */
  lineAt(path: YamlPath): number
  /** A single value as it is written: 1e3 stays 1e3. Undefined for lists, mappings and what is not there. */
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
  return {
    value: document.errors.length > 0 ? undefined : document.toJS(),
    errors: document.errors.map((error) => ({
      line: lineOf(error.pos[0]),
      what: error.message.split('\n')[0] ?? error.message,
    })),
    lineAt,
    textAt(path) {
      const node = document.getIn(path, true)
      return isScalar(node) ? String(node.source ?? node.value) : undefined
    },
  }
}

/** Where a part begins: its name in a mapping, itself in a list. */
function offsetAt(document: Document, path: YamlPath): number | undefined {
  const name = path.at(-1)
  const parent = document.getIn(path.slice(0, -1), true)
  let node: unknown
  if (name === undefined) node = document.contents
  else if (isMap(parent)) node = parent.items.find(({ key }) => isScalar(key) && String(key.value) === name)?.key
  else if (isSeq(parent)) node = parent.get(Number(name), true)
  return isNode(node) ? node.range?.[0] : undefined
}
