// The files that calls changed: by the tools that edit, and by commands that move, rewrite, format or create files.
import { type CallResult, callCommand, EDIT_TOOLS, type Event } from '../model/event.ts'
import { listCallResults } from '../model/sessionTask.ts'
import { FORMATTERS, splitSimpleCommands, withoutHeredocs } from '../text/command.ts'
import { isOutsideProject } from '../text/commitCommands.ts'
import { isPlainName } from '../text/outsideText.ts'

/** Files changed, in the order of their first change; paths inside the repository. */
export const listChangedFiles = (events: readonly Event[]): string[] => [
  ...new Set(listCallResults(events).flatMap(filesChangedBy)),
]

/** The files that one call changed; none for a failed one. */
export function filesChangedBy(call: CallResult): readonly string[] {
  if (call.kind === 'call.failed') return []
  if (EDIT_TOOLS.has(call.tool)) return call.files
  const command = callCommand(call)
  if (command === '' || isOutsideProject(command, call.output)) return []
  // Only what recording took for a path inside the repository can have changed there.
  const named = [...wordsOfChanges(command), ...redirectionTargets(command)].flatMap(
    (word) => call.files.find((file) => isSamePath(file, word)) ?? [],
  )
  return [...new Set([...named, ...reportedFiles(call.output)])]
}

const FOLDER_FILES_MAX = 3

/**
 * The files as text, without those whose name is a sentence. More than `plainMax` are grouped by folder, folders with
 * most files first.
 */
export function describeFiles(all: readonly string[], plainMax = 6): string {
  const files = all.filter(isPlainName)
  if (files.length <= plainMax) return files.join(', ')
  const folders = new Map<string, string[]>()
  for (const file of files) {
    const end = file.lastIndexOf('/')
    const folder = end === -1 ? '' : file.slice(0, end)
    folders.set(folder, [...(folders.get(folder) ?? []), file.slice(end + 1)])
  }
  return [...folders]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([folder, names]) => {
      const shown = names.slice(0, FOLDER_FILES_MAX).join(', ')
      const more = names.length - FOLDER_FILES_MAX
      return `${folder === '' ? '' : `${folder}/: `}${shown}${more > 0 ? ` and ${more} more` : ''}`
    })
    .join('; ')
}

/** The arguments of the simple commands that change the files they name. */
function wordsOfChanges(command: string): readonly string[] {
  return splitSimpleCommands(command).flatMap(({ words }) => {
    const at = words.findIndex((word) => !/^(?:[A-Za-z_]\w*=.*|sudo|env|command|npx|bunx|pnpx|uvx)$/.test(word))
    const [program = '', ...rest] = words.slice(Math.max(0, at))
    const name = program.slice(program.lastIndexOf('/') + 1)
    const args = rest.filter((word) => !word.startsWith('-'))
    if (name === 'git') return /^(?:mv|rm)$/.test(args[0] ?? '') ? args.slice(1) : []
    if (name === 'cp') return args.slice(-1)
    if (/^(?:mv|rm|tee|touch)$/.test(name)) return args
    if (/^(?:sed|perl|ruby)$/.test(name))
      return rest.some((word) => /^(?:-[a-zA-Z]*i|--in-place)/.test(word)) ? args : []
    return isFormatting(name, rest) ? args : []
  })
}

/** A formatter or a linter that writes. */
function isFormatting(program: string, args: readonly string[]): boolean {
  if (args.some((word) => /^(?:-w|--write|--fix|--in-place|--apply)$/.test(word))) return true
  const isWriter = FORMATTERS.has(program) && !/^(?:prettier|gofmt|goimports|clang-format)$/.test(program)
  return isWriter && !args.some((word) => /^(?:--check|--diff|-l|-d|--list-different)$/.test(word))
}

/** What a shell line redirects its output to. */
const redirectionTargets = (command: string): readonly string[] =>
  [...withoutHeredocs(command).matchAll(/(?:^|[^\d&>=<-])>{1,2}\|?[ \t]*(["']?)([^\s"'|;&<>()]+)\1/g)].map(
    ([, , target = '']) => target,
  )

/** The files that a program says it wrote, and those that git says it created, deleted or renamed. */
function reportedFiles(output: string): readonly string[] {
  const lines = output.split('\n').flatMap((line) => REPORT.exec(line)?.[1] ?? [])
  return lines.map((path) => path.replace(/^\.\//, '')).filter((path) => RELATIVE_FILE.test(path))
}

const REPORT = new RegExp(
  String.raw`^ *(?:(?:create|delete) mode \d{6}|(?:wrote|created|updated|generated|formatted|rewrote|deleted):?` +
    '(?: file)?) +["\'`]?(\\S+?)["\'`]?$',
  'i',
)

const RELATIVE_FILE = /^(?!\.\.\/|[/~])[\w@()[\]./-]*[\w)\]]\.[A-Za-z]\w{0,9}$/

const isSamePath = (file: string, word: string): boolean => {
  const path = word.replace(/^\.\//, '')
  return file === path || file.endsWith(`/${path}`) || path.endsWith(`/${file}`)
}
