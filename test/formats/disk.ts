// The files of a memctl folder, and the shape of every JSON value and line in them.
import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'
import { type Shape, shapeOf } from './shape.ts'

/** Every file under a folder by its path there, sorted. Locks come and go, and a package is not ours: left out. */
export const filesUnder = (folder: string): string[] =>
  fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('node_modules'))
    .filter((name) => fs.statSync(path.join(folder, name)).isFile() && path.basename(name) !== 'lock')
    .sort()

/** A file's path with generations, hashes and names of entries replaced: `work.7.json` is `work.<n>.json`. */
export const generalPath = (file: string): string =>
  file
    .replace(/^runtime\/[^/]+/, 'runtime/<version>')
    .replace(/^cache\/[^/]+\/.*/, 'cache/<node>/<hook>.bin')
    .replace(/^backups\/.*/, 'backups/<name>.json')
    .replace(/(?<=\/memory\/(archive\/)?)[^/]+(?=\.md$)/, '<key>')
    .replace(/-[0-9a-f]{12}(?=\/|\.js$)/, '-<hash>')
    .replace(/(?<=members\/).+/, '<hash>')
    .replace(/(?<=trust\/)[0-9a-f]+/, '<hash>')
    .replace(/(?<=[/.])\d+(?=a?\.)/g, '<n>')

/** The general paths of a folder's files, each once. */
export const generalPaths = (folder: string): string[] => [...new Set(filesUnder(folder).map(generalPath))].sort()

/** The lines of a log or segment file; of a compressed one as well. */
export function linesOf(file: string): Readonly<Record<string, unknown>>[] {
  const bytes = fs.readFileSync(file)
  const text = (file.endsWith('.gz') ? zlib.gunzipSync(bytes) : bytes).toString('utf8')
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

/** The shapes of memctl's own files that hold one JSON value, by their general paths. */
export function jsonShapes(home: string): Record<string, Shape> {
  const files = filesUnder(home).filter((file) => /^(config\.json|(global|projects)\/.*\.json)$/.test(file))
  const read = (file: string): unknown[] => {
    const value = JSON.parse(fs.readFileSync(path.join(home, file), 'utf8'))
    const { packed } = value
    if (packed) value.packed = JSON.parse(zlib.inflateRawSync(Buffer.from(packed, 'base64')).toString('utf8'))
    return [value]
  }
  return shapesBy(files.map((file) => [generalPath(file), read(file)]))
}

/** The shapes of all lines in files of these names, by what `logFileLabel` says of a line. */
export function lineShapes(
  home: string,
  names: RegExp,
  nameOf: (line: Readonly<Record<string, unknown>>) => string,
): Record<string, Shape> {
  const lines = filesUnder(home)
    .filter((file) => names.test(file))
    .flatMap((file) => linesOf(path.join(home, file)))
  return shapesBy(lines.map((line) => [nameOf(line), [line]]))
}

function shapesBy(named: readonly (readonly [name: string, values: readonly unknown[]])[]): Record<string, Shape> {
  const groups = new Map<string, unknown[]>()
  for (const [name, values] of named) groups.set(name, [...(groups.get(name) ?? []), ...values])
  const sorted = [...groups].sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(sorted.map(([name, values]) => [name, shapeOf(values)]))
}
