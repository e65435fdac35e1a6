// Which path a call named that does not exist, from the wording of file tools, shells and common programs.
import { type CallResult, callCommand, isShellTool } from '../../model/event.ts'
import { toRepoPath } from '../../text/filePaths.ts'
import { splitSimpleCommands } from '../../text/shellCommands.ts'
import { callText, isRefusedCall } from './sessionCalls.ts'

export interface MissingPath {
  /** Inside the repository, without a slash at its end. */
  readonly path: string
  readonly isFolder: boolean
  /** The name that the tool itself suggests. */
  readonly suggestion?: string | undefined
}

const FILE_TOOLS: ReadonlySet<string> = new Set(['Read', 'Edit', 'MultiEdit', 'NotebookEdit', 'Grep', 'Glob', 'LS'])
const MISSING =
  /no such file|does not exist|enoent|path not found|cannot find the (?:path|file)|存在しません|見つかりません/i

/** The paths inside the repository that the call named and that do not exist; `root` is the folder of the session. */
export function findMissingPaths(call: CallResult, root: string): readonly MissingPath[] {
  if (isRefusedCall(call)) return []
  if (isShellTool(call.tool)) return missingInCommand(call, root)
  if (call.kind !== 'call.failed' || !FILE_TOOLS.has(call.tool) || !MISSING.test(call.error)) return []
  const path = call.files[0]
  if (path === undefined || isIgnoredPath(path) || / spawn|posix_spawn/.test(call.error)) return []
  const suggestion = /did you mean ['"`]?([^\s'"`?<]+)/i.exec(call.error)?.[1]
  const isFolder = call.tool === 'Grep' || call.tool === 'Glob' || call.tool === 'LS' ? !hasExtension(path) : false
  return [{ path, isFolder, suggestion }]
}

const NOT_THERE = '(?:no such file or directory|not a directory|そのようなファイルやディレクトリはありません)'
const QUOTED = '[\'"`‘]?((?:[A-Z]:(?=/))?[^\\s\'"`‘’:()]+)[\'"`’]?'
/** How programs say that a path does not exist. Group 1 is the path. */
const WORDINGS: readonly RegExp[] = [
  new RegExp(`(?:^|[\\s:])${QUOTED}:(?: \\w+:)? ${NOT_THERE}`, 'gim'),
  new RegExp(`(?:stat|lstat|open|chdir|read|access) ${QUOTED}: ${NOT_THERE}`, 'gim'),
  new RegExp(`${NOT_THERE}(?: \\([^)]*\\))?(?:, (?:\\w+ )?|: )${QUOTED}`, 'gim'),
  new RegExp(
    `(?:file or directory not found|cannot find path|directory not found|path does not exist):? ${QUOTED}`,
    'gim',
  ),
  new RegExp(`pathspec ${QUOTED} did not match any file`, 'gim'),
  new RegExp(`(?:couldn't|could not|can't) (?:read|open)(?: file)? ${QUOTED}`, 'gim'),
]

function missingInCommand(call: CallResult, root: string): readonly MissingPath[] {
  const command = callCommand(call)
  const words = splitSimpleCommands(command).flatMap((simple) => simple.words)
  const found = new Map<string, MissingPath>()
  for (const wording of WORDINGS) {
    for (const [, named = ''] of callText(call).matchAll(wording)) {
      const name = named.replace(/\/+$/, '')
      // A path that the command did not name is the business of the program that it ran.
      if (!/[\w]/.test(name) || /[*?$<>{}|]|\.\.\./.test(name) || !isWord(words, name)) continue
      const path = toRepoPath(`${folderBefore(command, name)}${name}`, [root])
      if (path === undefined || isIgnoredPath(path) || !path.includes('/')) continue
      found.set(path, { path, isFolder: named.endsWith('/') || !hasExtension(path) })
    }
  }
  return [...found.values()]
}

/** `cd folder && …` before a relative path: the folder with a slash. */
function folderBefore(command: string, name: string): string {
  if (/^(?:[/~]|[A-Z]:)/.test(name)) return ''
  const folder = /(?:^|[;&\n(]\s*)cd ['"]?([^\s'"&;]+)/.exec(command.slice(0, command.indexOf(name)))?.[1]
  return folder === undefined || folder === '-' ? '' : `${folder.replace(/\/+$/, '')}/`
}

/** The path is a whole word, not the end of a path with spaces. */
const isWord = (words: readonly string[], name: string): boolean =>
  words.some((word) => word.replace(/\/+$/, '').replace(/^[\w-]+=/, '') === name)

/** Folders whose content comes and goes: version control, dependencies, results of a build. */
const isIgnoredPath = (path: string): boolean =>
  /(?:^|\/)(?:\.git|node_modules|\.venv|venv|__pycache__|dist|build|target|out|coverage|\.next|tmp|temp)(?:\/|$)/.test(
    path,
  )

export const hasExtension = (path: string): boolean => /[^/]\.[A-Za-z0-9]{1,10}$/.test(path)
