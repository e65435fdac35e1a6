// The house's rules as functions: a tree of source files in, a list of breaches out, each naming file, line and rule.
//
// They know no file of this house: what is allowed to whom stands in house.test.ts, and made-up trees prove that each can fail.
import path from 'node:path'
import { codeOf, importsOf, lineAt } from './source.ts'

/** Paths from the repository's top, with forward slashes → text. */
export type Tree = ReadonlyMap<string, string>

/** A room is named by a folder or a file; the longest name that fits a file is its room. */
export type Rooms = Readonly<Record<string, readonly string[]>>

/** Something only some may do: where it is seen in code, or by what is imported; and who may, each with the reason. */
export interface Privilege {
  readonly name: string
  readonly words?: RegExp
  readonly imports?: RegExp
  readonly who: Readonly<Record<string, string>>
}

/** Imports that leave a room for one it may not enter, that lead out of the tree, or whose name is computed. */
export function strayImports(tree: Tree, rooms: Rooms, mayCompute: readonly string[] = []): string[] {
  return [...tree].flatMap(([file, text]) => {
    const room = roomOf(file, Object.keys(rooms))
    if (room === undefined) return [`${file}: lies in no room of the map`]
    return importsOf(text).flatMap(({ from, line }) => {
      if (from === '?') return isIn(file, mayCompute) ? [] : [`${file}:${line}: imports a name that is computed`]
      if (!from.startsWith('.')) return []
      const target = resolved(file, from)
      const other = roomOf(target, Object.keys(rooms))
      if (other === undefined) return [`${file}:${line}: ${target} lies in no room of the map`]
      if (other === room || rooms[room]!.includes(other)) return []
      return [`${file}:${line}: ${room} may not import ${other} (${target})`]
    })
  })
}

/** Files that import one another in a ring, from the first by name; of several rings through one file at least one. */
export function importRings(tree: Tree): string[] {
  const targets = new Map([...tree].map(([file, text]) => [file, targetsOf(file, text, tree)]))
  const rings = new Set<string>()
  const done = new Set<string>()
  const walk = (file: string, way: readonly string[]): void => {
    const start = way.indexOf(file)
    if (start !== -1) {
      rings.add(fromFirst(way.slice(start)).join(' → '))
      return
    }
    if (done.has(file)) return
    for (const target of targets.get(file) ?? []) walk(target, [...way, file])
    done.add(file)
  }
  for (const file of [...tree.keys()].sort()) walk(file, [])
  return [...rings]
}

/** Rings between rooms by the map alone: a map with one is no tree. */
export function roomRings(rooms: Rooms): string[] {
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    rooms[from]!.some((next) => {
      if (next === to) return true
      if (seen.has(next)) return false
      seen.add(next)
      return reaches(next, to, seen)
    })
  return Object.keys(rooms).filter((room) => reaches(room, room))
}

/** Uses of a privilege by somebody who does not have it, and those who have it and make no use of it. */
export function misusedPrivileges(tree: Tree, privileges: readonly Privilege[]): string[] {
  return privileges.flatMap((privilege) => {
    const used = new Set<string>()
    const breaches: string[] = []
    for (const [file, text] of tree) {
      for (const line of usesOf(text, privilege)) {
        const holder = roomOf(file, Object.keys(privilege.who))
        if (holder === undefined) breaches.push(`${file}:${line}: ${privilege.name} is not for this file`)
        else used.add(holder)
      }
    }
    const idle = Object.keys(privilege.who).filter((holder) => !used.has(holder))
    return [...breaches, ...idle.map((holder) => `${holder}: has the privilege "${privilege.name}" and no use for it`)]
  })
}

/** Words nobody may write in code. */
export function forbiddenWords(tree: Tree, words: Readonly<Record<string, RegExp>>): string[] {
  return [...tree].flatMap(([file, text]) =>
    Object.entries(words).flatMap(([name, word]) =>
      // What silences the compiler stands in a comment, everything else in code.
      [...(name.startsWith('@') ? text : codeOf(text)).matchAll(word)].map(
        (match) => `${file}:${lineAt(text, match.index)}: ${name}`,
      ),
    ),
  )
}

/** Files without a header of 1 to `headerMax` comment lines, and files longer than `linesMax`. */
export function misshapenFiles(tree: Tree, headerMax: number, linesMax: number): string[] {
  return [...tree].flatMap(([file, text]) => {
    const lines = text.replace(/\n$/, '').split('\n')
    const first = lines.findIndex((line) => !line.startsWith('//'))
    const header = first === -1 ? lines.length : first
    return [
      ...(header === 0 ? [`${file}: has no header`] : []),
      ...(header > headerMax ? [`${file}: a header of ${header} lines, ${headerMax} at most`] : []),
      ...(lines.length > linesMax ? [`${file}: ${lines.length} lines, ${linesMax} at most`] : []),
    ]
  })
}

/** Files and folders named for what they are made of instead of what they are for. */
export function emptyNames(files: Iterable<string>, names: readonly string[]): string[] {
  const isEmpty = (part: string): boolean => names.includes(part.replace(/\..*$/, '').toLowerCase())
  return [...files].filter((file) => file.split('/').some(isEmpty)).map((file) => `${file}: says nothing by its name`)
}

/** The longest of `names` that is the file or a folder above it. */
export function roomOf(file: string, names: readonly string[]): string | undefined {
  const fitting = names.filter((name) => file === name || file.startsWith(`${name}/`))
  return fitting.sort((a, b) => b.length - a.length)[0]
}

const isIn = (file: string, names: readonly string[]): boolean => roomOf(file, names) !== undefined

const resolved = (file: string, from: string): string => path.posix.join(path.posix.dirname(file), from)

const targetsOf = (file: string, text: string, tree: Tree): string[] =>
  importsOf(text).flatMap(({ from }) => {
    const target = resolved(file, from)
    return from.startsWith('.') && tree.has(target) ? [target] : []
  })

function fromFirst(ring: readonly string[]): readonly string[] {
  const first = ring.indexOf([...ring].sort()[0]!)
  return [...ring.slice(first), ...ring.slice(0, first)]
}

function usesOf(text: string, { words, imports }: Privilege): number[] {
  const code = codeOf(text)
  return [
    ...(words ? [...code.matchAll(words)].map((match) => lineAt(text, match.index)) : []),
    ...(imports
      ? importsOf(text)
          .filter(({ from }) => imports.test(from))
          .map(({ line }) => line)
      : []),
  ]
}
