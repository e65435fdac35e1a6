// The path that a session found after it had named one that does not exist.
import { type CallResult, callCommand, isShellTool } from '../../model/event.ts'
import { hasExtension, type MissingPath } from './missingPaths.ts'

export interface FoundPath {
  /** The file or folder, inside the repository. */
  readonly path: string
  readonly remedy: string
}

/**
 * The right path among the calls that follow, best evidence first: what the tool suggests, the same name elsewhere, a
 * file named like the missing folder, a file of the same folder that was opened next. `elsewhere` if the path exists,
 * seen from another folder.
 */
export function findRightPath(
  { path, isFolder, suggestion }: MissingPath,
  later: readonly CallResult[],
  openedBefore: ReadonlySet<string>,
): FoundPath | 'elsewhere' | undefined {
  const folder = folderOf(path)
  if (suggestion !== undefined) return useFile(suggestion.includes('/') ? suggestion : joinPath(folder, suggestion))
  const passed = later.filter((call) => call.kind === 'call.succeeded')
  const opened = passed.flatMap(({ tool, files }) =>
    LOOKUP_TOOLS.has(tool) ? files.map((file) => ({ tool, file })) : [],
  )
  const files = opened.filter(({ file }) => hasExtension(file)).map(({ file }) => file)
  const listed = [...files, ...passed.flatMap((call) => listedPaths(call))]
  if (listed.some((other) => other.endsWith(`/${path}`))) return 'elsewhere'
  if (isFolder) return rightFolder(path, opened, files, passed)
  const name = baseName(path)
  const sameName = [...new Set(listed.filter((other) => baseName(other) === name && other !== path))]
  if (sameName[0] !== undefined && (sameName.length === 1 || files.includes(sameName[0]))) return useFile(sameName[0])
  const inFolder = files.filter((file) => isSameFolder(folderOf(file), folder) && isSameKind(file, path))
  const alike = inFolder.find((file) => isAlike(baseName(file), name))
  const next = inFolder.find((file) => !openedBefore.has(file))
  const found = alike ?? next ?? onlyFileOf(folder, path, passed)
  return found === undefined ? undefined : useFile(found)
}

const LOOKUP_TOOLS: ReadonlySet<string> = new Set(['Read', 'Grep', 'Edit', 'MultiEdit', 'Glob'])

const useFile = (path: string): FoundPath => ({ path, remedy: `use \`${path}\`` })

function rightFolder(
  path: string,
  opened: readonly { readonly tool: string; readonly file: string }[],
  files: readonly string[],
  passed: readonly CallResult[],
): FoundPath | undefined {
  const parent = folderOf(path)
  const name = baseName(path)
  const moved = passed
    .flatMap((call) => call.files)
    .find((file) => `/${folderOf(file)}/`.includes(`/${name}/`) && !file.startsWith(`${path}/`))
  if (moved !== undefined) {
    const at = moved.lastIndexOf(`${name}/`)
    return { path: moved.slice(0, at + name.length), remedy: `look in \`${moved.slice(0, at + name.length)}/\`` }
  }
  if (parent === '') return undefined
  const stem = /^[\w-]{4,}/.exec(name)?.[0]
  const named = files.find((file) => folderOf(file) === parent && stem !== undefined && baseName(file).startsWith(stem))
  if (named !== undefined && stem !== undefined) {
    const separator = /^[_.-]/.exec(baseName(named).slice(stem.length))?.[0] ?? ''
    const pattern = joinPath(parent, `${stem}${separator}*`)
    return { path: pattern, remedy: `use the files \`${pattern}${/\.\w+$/.exec(named)?.[0] ?? ''}\`` }
  }
  const inParent =
    files.find((file) => folderOf(file) === parent) ??
    opened.find(({ tool, file }) => tool === 'Grep' && file === parent)?.file
  if (inParent === undefined) return undefined
  return { path, remedy: `look in \`${parent}/\` itself` }
}

/** The only file of the same kind that `ls` printed for the folder. */
function onlyFileOf(folder: string, path: string, passed: readonly CallResult[]): string | undefined {
  const listing = passed.find(
    (call) =>
      call.kind === 'call.succeeded' &&
      new RegExp(`\\bls\\b[^|;&]*${escapeRegExp(folder)}/?\\s*$`).test(callCommand(call)),
  )
  if (listing?.kind !== 'call.succeeded') return undefined
  const names = listing.output
    .split('\n')
    .flatMap((line) => (/^[d]/.test(line) ? [] : (/(\S+\.\w+)$/.exec(line)?.slice(1) ?? [])))
  const same = names.filter((name) => isSameKind(name, path))
  return same.length === 1 && same[0] !== undefined ? joinPath(folder, same[0]) : undefined
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Paths that a search printed, one a line. */
function listedPaths(call: CallResult): readonly string[] {
  if (call.kind !== 'call.succeeded' || !(call.tool === 'Glob' || call.tool === 'Grep' || isShellTool(call.tool)))
    return []
  const lines = call.output.split('\n').slice(0, 60)
  return lines
    .filter((line) => /^[^\s:]+\.[A-Za-z0-9]{1,8}$/.test(line) && !line.startsWith('/'))
    .map((line) => line.replace(/^\.\//, ''))
}

/** A relative path of a changed working directory ends like the folder. */
const isSameFolder = (folder: string, other: string): boolean =>
  folder === other || (other !== '' && folder.endsWith(`/${other}`))

/** The same extension, and both or neither are tests. */
const isSameKind = (file: string, other: string): boolean =>
  /\.\w+$/.exec(file)?.[0] === /\.\w+$/.exec(other)?.[0] && isTestFile(file) === isTestFile(other)

/** `x_test.go`, `x.test.ts`, `test_x.py`, `XTest.java`; helpers of tests (`test_helpers.go`) are no tests. */
export const isTestFile = (path: string): boolean =>
  /(?:[._-](?:test|spec)s?|(?<=[a-z])(?:Test|Tests|Spec))\.\w+$|^test_(?!helper|util)\w+\.py$/.test(baseName(path))

/** The names share a word of four letters or more. */
function isAlike(name: string, other: string): boolean {
  const words = wordsOf(other)
  return wordsOf(name).some(
    (word) => word.length >= 4 && words.some((own) => own.startsWith(word) || word.startsWith(own)),
  )
}

const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/\.\w+$/, '')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '' && word !== 'test' && word !== 'spec')

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
export const folderOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '')
const joinPath = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)
