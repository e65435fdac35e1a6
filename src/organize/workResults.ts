// What came of a session: commits, pull requests and plans, and the files that it changed.
import { type CallResult, callCommand, EDIT_TOOLS, type Event } from '../model/event.ts'
import { listCallResults } from '../model/sessionTask.ts'
import { groupBy } from '../model/sorting.ts'
import { addressesReader } from '../text/addressesReader.ts'
import { FORMATTERS, splitSimpleCommands, withoutHeredocs } from '../text/command.ts'
import {
  type CommitMade,
  findCommits,
  findTitledRequests,
  isOutsideProject,
  type TitledRequest,
} from '../text/commitCommands.ts'
import { truncateAtWord } from '../text/excerpt.ts'
import { isPlainName } from '../text/outsideText.ts'
import { planTitle } from '../text/taskSentences.ts'
import { findCentralText } from './extractiveSummary.ts'

export type WorkResults = ReturnType<typeof listWorkResults>

/** A tool of an MCP server that opens an issue or a pull request. */
const OPENING_TOOL =
  /^mcp__.*(?:create|open|new|file)_(?:\w*_)?(issue|ticket|bug|story|task|pull_?request|merge_?request|pr|mr)$/i

/** The client's sentence before a plan that a new session gets as its prompt. */
const HANDED_OVER = /^\s*[^\n]{0,80}\bplan\b[^\n]{0,20}:\s*\n+\s*(?=#)/i

export function listWorkResults(events: readonly Event[]) {
  const commits = new Map<string, CommitMade>()
  const requests = new Map<string, TitledRequest>()
  const calls = listCallResults(events)
  let lastCommitAt = -1
  calls.forEach((call, index) => {
    if (call.kind === 'call.failed') return
    const made = findCommits(callCommand(call), call.output, (path) => findWrittenText(calls.slice(0, index), path))
    for (const commit of made.filter(({ subject }) => !addressesReader(subject))) {
      if (commit.isAmended) commits.delete([...commits.keys()].at(-1) ?? '')
      commits.set(commit.subject, commit)
    }
    if (made.length > 0) lastCommitAt = index
    const opened = listOpenedRequests(call).filter(({ title }) => !addressesReader(title))
    for (const request of opened) requests.set(`${request.kind} ${request.title}`, request)
  })
  return {
    /** In the order they were made; of several with one subject the last; an amended commit instead of the first. */
    commits: [...commits.values()],
    /** Pull requests and issues that were opened. */
    requests: [...requests.values()],
    /** The title of the last plan that the person approved or handed over; empty if there is none. */
    plan: events.map(approvedPlan).findLast((title) => title !== '' && !addressesReader(title)) ?? '',
    /** Index of the last call that committed, among `listCallResults`; -1 if none did. */
    lastCommitAt,
  }
}

/** Titles in the text of a note, in characters. */
const TITLE_CHARS_MAX = 110

/** What was produced, in one clause: `opened pull request "…" (#12), 3 commits`. Empty without commits and requests. */
export function describeProducts({ commits, requests }: WorkResults): string {
  const request = requests.findLast(({ kind }) => kind === 'pull request') ?? requests.at(-1)
  const main = findMainSubject(commits)
  const count = `${commits.length} commit${commits.length === 1 ? '' : 's'}`
  if (request && (request.kind === 'pull request' || !main)) {
    const number = request.number === '' ? '' : ` (${/^\d/.test(request.number) ? '#' : ''}${request.number})`
    const opened = `opened ${request.kind} "${truncateAtWord(request.title, TITLE_CHARS_MAX)}"${number}`
    return main ? `${opened}, ${count}` : opened
  }
  const more = commits.length > 1 ? ` and ${commits.length - 1} more` : ''
  return main ? `committed "${truncateAtWord(main, TITLE_CHARS_MAX)}"${more}` : ''
}

/** The commit that is most about the work: many files, and words of the others; not a merge. */
function findMainSubject(commits: readonly CommitMade[]): string {
  const own = commits.filter(({ subject }) => !/^Merge\b/.test(subject))
  const named = own.length > 0 ? own : commits
  const subjects = named.map(({ subject }) => subject)
  return findCentralText(subjects, subjects, (index) => Math.log(3 + (named[index]?.fileCount ?? 0)))
}

function listOpenedRequests(call: CallResult): TitledRequest[] {
  const output = call.kind === 'call.succeeded' ? call.output : ''
  const [, object] = OPENING_TOOL.exec(call.tool) ?? []
  if (object === undefined) return findTitledRequests(callCommand(call), output)
  const title = call.input['title'] ?? call.input['summary']
  if (typeof title !== 'string' || title.trim() === '') return []
  const [, name, count] = /"(?:identifier|key)":\s*"([A-Z][A-Z0-9]*-\d+)"|"number":\s*(\d+)/.exec(output) ?? []
  const kind = /^(?:p|m)/i.test(object) ? 'pull request' : 'issue'
  return [{ kind, title: title.trim(), number: name ?? count ?? '' }]
}

/** The title of a plan that this event approves; empty for any other event. */
function approvedPlan(event: Event): string {
  if (event.kind === 'prompt') return HANDED_OVER.test(event.text) ? planTitle(event.text) : ''
  if (event.kind !== 'call.succeeded' || event.tool !== 'ExitPlanMode') return ''
  const { plan } = event.input
  return typeof plan === 'string' ? planTitle(plan) : ''
}

/** The text that was last written to a file of this name: a message for `git commit -F`. */
function findWrittenText(calls: readonly CallResult[], path: string): string | undefined {
  const { input } = calls.findLast((call) => call.tool === 'Write' && call.input['file_path'] === path) ?? {}
  return typeof input?.['content'] === 'string' ? input['content'] : undefined
}

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

/** More files than these are grouped by folder. */
const PLAIN_FILES_MAX = 6

/** One line with its label; none without a text. */
export const lineOf = (label: string, text: string): string[] => (text === '' ? [] : [label + text])

/** The files as text, without names that are sentences; in groups, folders with most files first. */
export function describeFiles(all: readonly string[]): string {
  const files = all.filter(isPlainName)
  if (files.length <= PLAIN_FILES_MAX) return files.join(', ')
  return [...groupBy(files, (file) => file.slice(0, file.lastIndexOf('/') + 1))]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([folder, paths]) => {
      const names = paths.slice(0, FOLDER_FILES_MAX).map((file) => file.slice(folder.length))
      const more = paths.length - FOLDER_FILES_MAX
      return `${folder === '' ? '' : `${folder}: `}${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
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
