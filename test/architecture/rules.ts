// The rules of the architecture as pure functions: they take source files and return breaches with file, line and rule.
//
// They name no file of this project: architecture.test.ts says what is allowed where.
import path from 'node:path'
import { codeOf, importsOf, lineAt } from './source.ts'

/** Paths from the repository's top, with forward slashes → text. */
export type Tree = ReadonlyMap<string, string>

/** Layer → the layers it may import. A layer is a folder or a file; a file belongs to the longest name that fits. */
export type Layers = Readonly<Record<string, readonly string[]>>

/** What only some files may do: how code or an import shows it, and the folders and files that may, with the reason. */
export interface Privilege {
  readonly name: string
  readonly syntax?: RegExp
  readonly imports?: RegExp
  readonly allowed: Readonly<Record<string, string>>
}

/** Imports that the layers do not allow, imports of files in no layer, and imports by a computed name. */
export function findForbiddenImports(tree: Tree, layers: Layers, mayCompute: readonly string[] = []): string[] {
  return [...tree].flatMap(([file, text]) => {
    const layer = layerOf(file, Object.keys(layers))
    if (layer === undefined) return [`${file}: belongs to no layer`]
    return importsOf(text).flatMap(({ from, line }) => {
      if (from === '?') return isIn(file, mayCompute) ? [] : [`${file}:${line}: imports a computed name`]
      if (!from.startsWith('.')) return []
      const target = resolveImport(file, from)
      const other = layerOf(target, Object.keys(layers))
      if (other === undefined) return [`${file}:${line}: ${target} belongs to no layer`]
      if (other === layer || layers[layer]!.includes(other)) return []
      return [`${file}:${line}: ${layer} may not import ${other} (${target})`]
    })
  })
}

/** Uses of a privilege by files that do not have it, and privileges that are not used. */
export function findPrivilegeBreaches(tree: Tree, privileges: readonly Privilege[]): string[] {
  return privileges.flatMap((privilege) => {
    const used = new Set<string>()
    const breaches: string[] = []
    for (const [file, text] of tree) {
      for (const line of findUses(text, privilege)) {
        const holder = layerOf(file, Object.keys(privilege.allowed))
        if (holder === undefined) breaches.push(`${file}:${line}: ${privilege.name} is not allowed in this file`)
        else used.add(holder)
      }
    }
    const unused = Object.keys(privilege.allowed).filter((holder) => !used.has(holder))
    return [...breaches, ...unused.map((holder) => `${holder}: does not use its privilege "${privilege.name}"`)]
  })
}

/** Syntax that no code may contain. */
export function findForbiddenSyntax(tree: Tree, syntax: Readonly<Record<string, RegExp>>): string[] {
  return [...tree].flatMap(([file, text]) =>
    Object.entries(syntax).flatMap(([name, pattern]) =>
      // Directives for the compiler are comments, everything else is code.
      [...(name.startsWith('@') ? text : codeOf(text)).matchAll(pattern)].map(
        (match) => `${file}:${lineAt(text, match.index)}: ${name}`,
      ),
    ),
  )
}

/** Files without a header of 1 to `headerMax` comment lines, and files longer than `linesMax`. */
export function findMisshapenFiles(tree: Tree, headerMax: number, linesMax: number): string[] {
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

/** Files and folders with a name that fits any content. */
export function findVagueNames(files: Iterable<string>, names: readonly string[]): string[] {
  const isVague = (part: string): boolean => names.includes(part.replace(/\..*$/, '').toLowerCase())
  return [...files]
    .filter((file) => file.split('/').some(isVague))
    .map((file) => `${file}: its name does not say what it is for`)
}

/** The longest of `names` that is the file or a folder that contains it. */
export function layerOf(file: string, names: readonly string[]): string | undefined {
  const matching = names.filter((name) => file === name || file.startsWith(`${name}/`))
  return matching.sort((a, b) => b.length - a.length)[0]
}

const isIn = (file: string, names: readonly string[]): boolean => layerOf(file, names) !== undefined

const resolveImport = (file: string, from: string): string => path.posix.join(path.posix.dirname(file), from)

function findUses(text: string, { syntax, imports }: Privilege): number[] {
  const code = codeOf(text)
  return [
    ...(syntax ? [...code.matchAll(syntax)].map((match) => lineAt(text, match.index)) : []),
    ...(imports
      ? importsOf(text)
          .filter(({ from }) => imports.test(from))
          .map(({ line }) => line)
      : []),
  ]
}
