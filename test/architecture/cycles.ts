// Finds cycles of imports: between files, between folders, and between layers by their rules alone.
import path from 'node:path'
import type { Layers, Tree } from './rules.ts'
import { importsOf } from './source.ts'

/** Sub-folders of a folder that import one another. `(files)` stands for the files that lie directly in the folder. */
export interface FolderCycle {
  readonly folder: string
  readonly units: readonly string[]
  /** One import for each pair of units, `unit → unit: file:line imports file`. */
  readonly imports: readonly string[]
}

/** Cycles of imports between files, each from its first file by name; of several through one file at least one. */
export function findFileCycles(tree: Tree): string[] {
  const targets = new Map<string, string[]>()
  for (const { from, to } of importEdges(tree)) targets.set(from, [...(targets.get(from) ?? []), to])
  const cycles = new Set<string>()
  const done = new Set<string>()
  const walk = (file: string, trail: readonly string[]): void => {
    const start = trail.indexOf(file)
    if (start !== -1) {
      cycles.add(rotateToFirst(trail.slice(start)).join(' → '))
      return
    }
    if (done.has(file)) return
    for (const target of targets.get(file) ?? []) walk(target, [...trail, file])
    done.add(file)
  }
  for (const file of [...tree.keys()].sort()) walk(file, [])
  return [...cycles]
}

/**
 * Cycles between the units of each folder, from the top down. The units of a folder are its sub-folders, each with
 * everything in it, and its direct files together. Type-only imports count.
 */
export function findFolderCycles(tree: Tree): FolderCycle[] {
  const edges = importEdges(tree)
  return listFolders(tree.keys()).flatMap((folder) => {
    const examples = new Map<string, Map<string, string>>()
    for (const { from, to, line } of edges) {
      const [unit, other] = [unitOf(folder, from), unitOf(folder, to)]
      if (unit === undefined || other === undefined || unit === other) continue
      const targets = examples.get(unit) ?? new Map<string, string>()
      if (!targets.has(other)) targets.set(other, `${unit} → ${other}: ${from}:${line} imports ${to}`)
      examples.set(unit, targets)
    }
    const graph = new Map([...examples].map(([unit, targets]) => [unit, [...targets.keys()]]))
    return findComponents(graph).map((units) => ({
      folder,
      units,
      imports: units.flatMap((unit) => units.flatMap((other) => examples.get(unit)?.get(other) ?? [])),
    }))
  })
}

/**
 * Imports of a sub-folder that stands later in the order of its folder, and sub-folders that are missing in the order.
 * `orders` maps a folder to the names of its sub-folders; each may import those before it.
 */
export function findOrderBreaches(tree: Tree, orders: Readonly<Record<string, readonly string[]>>): string[] {
  const edges = importEdges(tree)
  return Object.entries(orders).flatMap(([folder, order]) => {
    const positionOf = (file: string): number => order.indexOf(unitOf(folder, file)?.replace(/\/$/, '') ?? '')
    const units = new Set([...tree.keys()].flatMap((file) => unitOf(folder, file) ?? []))
    const unordered = [...units].filter((unit) => unit.endsWith('/') && !order.includes(unit.slice(0, -1)))
    const late = edges.filter(({ from, to }) => positionOf(from) !== -1 && positionOf(from) < positionOf(to))
    return [
      ...unordered.map((unit) => `${folder}/${unit}: has no place in the order of ${folder}`),
      ...late.map(({ from, to, line }) => `${from}:${line}: may not import ${to}, which comes later in ${folder}`),
    ]
  })
}

/** Layers that, by the rules alone, may import themselves through others. */
export function findLayerCycles(layers: Layers): string[] {
  return findComponents(new Map(Object.entries(layers)))
    .flat()
    .sort()
}

interface ImportEdge {
  readonly from: string
  readonly to: string
  readonly line: number
}

const importEdges = (tree: Tree): ImportEdge[] =>
  [...tree].flatMap(([file, text]) =>
    importsOf(text).flatMap(({ from, line }) => {
      const target = path.posix.join(path.posix.dirname(file), from)
      return from.startsWith('.') && tree.has(target) ? [{ from: file, to: target, line }] : []
    }),
  )

/** Every folder that holds a file, at any depth; the root is `.`. */
function listFolders(files: Iterable<string>): string[] {
  const folders = new Set<string>()
  for (const file of files) {
    for (let folder = path.posix.dirname(file); !folders.has(folder); folder = path.posix.dirname(folder)) {
      folders.add(folder)
    }
  }
  return [...folders].sort()
}

function unitOf(folder: string, file: string): string | undefined {
  const prefix = folder === '.' ? '' : `${folder}/`
  if (!file.startsWith(prefix)) return undefined
  const [first, ...rest] = file.slice(prefix.length).split('/')
  return rest.length === 0 ? '(files)' : `${first}/`
}

/** Groups of two or more nodes that reach one another. */
function findComponents(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const nodes = [...graph.keys()].sort()
  const reached = new Map(nodes.map((node) => [node, reachableFrom(node, graph)]))
  const reaches = (from: string, to: string): boolean => reached.get(from)?.has(to) ?? false
  const components = nodes.map((node) => nodes.filter((other) => reaches(node, other) && reaches(other, node)))
  return components.filter((component, index) => component.length > 1 && component[0] === nodes[index])
}

function reachableFrom(start: string, graph: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>()
  const open = [start]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const next of graph.get(node) ?? []) {
      if (reached.has(next)) continue
      reached.add(next)
      open.push(next)
    }
  }
  return reached
}

function rotateToFirst(cycle: readonly string[]): readonly string[] {
  const first = cycle.reduce((least, file, index) => (file < (cycle[least] ?? '') ? index : least), 0)
  return [...cycle.slice(first), ...cycle.slice(0, first)]
}
