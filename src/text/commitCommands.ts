// Commits, pull requests and issues that a shell line makes, by its text and its output; and whether it shows a missing
// commit or push.
//
//   git commit -m "Round half up"      git commit -F - <<'EOF'      [main 1a2b3c4] Round half up
//   └ from the option ─────────┘       └ from the heredoc ───┘      └ from the output, which counts first
import { splitSimpleCommands } from './command.ts'
import { baseName } from './filePaths.ts'
import { pattern } from './pattern.ts'

export type CommitMade = ReturnType<typeof findCommits>[number]

export type TitledRequest = ReturnType<typeof findTitledRequests>[number]

const SUBJECT_CHARS_MAX = 120

const COMMIT = /\bgit\b[^\n;&|]*?\s(?:commit|cherry-pick|revert)\b/

/** A temporary folder, a folder in a variable, a new repository. */
const ELSEWHERE = [
  /\bgit\s+init\b|\bmktemp\b|-C\s+["']?(?:\/private)?\/tmp\b/,
  /\b(?:cd|pushd)\s+["']?(?:\/private)?\/(?:tmp|var\/folders)\b/,
  /\b(?:cd|pushd)\s+["']?\$(?!\{?(?:PWD|OLDPWD|CLAUDE_PROJECT_DIR)|\(git)/,
]

/** What git prints for a commit, and the line on its size below it. */
const COMMIT_LINE = new RegExp(
  String.raw`^\[(?:detached HEAD|[^\s\]]+)(?: \(root-commit\))? [0-9a-f]{7,40}\] (.+)$` +
    String.raw`(?:\n(?! *\d+ files? changed).*)?(?:\n *(\d+) files? changed)?`,
  'gm',
)

/** Also what a hook or a wrapper that ends without an error says of a commit that was refused. */
const NOT_COMMITTED = pattern(
  String.raw`^(?:nothing to commit|no changes added|nothing added|error:|fatal:|FAILED\b)|
    \b(?:hook|pre-commit|commit-msg)\b[^\n]*\b(?:failed|exited|declined|rejected)\b|
    \bexited with (?:code|status) [1-9]`,
  'im',
)

/** Whether a shell line works outside the project: what it commits or writes there is an experiment. */
export const isOutsideProject = (command: string, output: string): boolean =>
  // The client says so if the line ended in another folder than the project's.
  ELSEWHERE.some((pattern) => pattern.test(command)) || output.includes('Shell cwd was reset')

/**
 * The commits that a successful shell line made in the project, in their order: the first line of the message, and how
 * many files changed, 0 if the output does not say it. `readFile` gives a message file.
 */
export function findCommits(
  command: string,
  output: string,
  readFile: (path: string) => string | undefined = () => undefined,
) {
  if (!COMMIT.test(command) || /\s--dry-run\b/.test(command) || isOutsideProject(command, output)) return []
  const isAmended = /\s--amend\b/.test(command)
  const printed = [...output.matchAll(COMMIT_LINE)].map(([, subject = '', files = '0']) => ({
    subject: cutSubject(subject),
    fileCount: Number(files),
    isAmended,
  }))
  if (printed.length > 0 || NOT_COMMITTED.test(output)) return printed
  const subjects = findMessages(command, readFile).map(cutSubject)
  return subjects.flatMap((subject) => (subject === '' ? [] : [{ subject, fileCount: 0, isAmended }]))
}

/** The pull requests and issues that a successful shell line opened with the clients of GitHub, GitLab and Gitea. */
export function findTitledRequests(command: string, output: string) {
  if (!/\b(?:gh|glab|tea)\b/.test(command)) return []
  return splitSimpleCommands(command).flatMap(({ words }) => {
    const at = words.findIndex((word) => /^(?:gh|glab|tea)$/.test(word))
    const [object = '', action = ''] = words.slice(at + 1)
    if (at === -1 || !/^(?:pr|mr|pulls?|issues?)$/.test(object) || !/^(?:create|new|open)$/.test(action)) return []
    const title = optionValue(words, /^(?:--title|-t)$/)
    if (title === undefined) return []
    const number = /\/(?:pull|pulls|issues|merge_requests)\/(\d+)/.exec(output)?.[1] ?? ''
    return [{ kind: object.startsWith('issue') ? 'issue' : 'pull request', title: cutSubject(title), number }]
  })
}

/** A shell line that passed, and what it printed. */
type ShellLine = Readonly<{ command: string; output: string }>

/** The words of each call of git in a line, without the folder it works in: `push origin main`. */
const listGitCalls = (command: string): readonly string[][] =>
  splitSimpleCommands(command).flatMap(({ words }) => {
    const rest = words.includes('git') ? words.slice(words.indexOf('git') + 1) : []
    const own = rest.findIndex((word, i) => !word.startsWith('-') && !/^-[Cc]$/.test(rest[i - 1] ?? ''))
    return own === -1 ? [] : [rest.slice(own)]
  })

/** What drops changes or commits: that nothing is left to commit or to push proves nothing after it. */
const drops = ([name = '', next = '']: readonly string[]): boolean =>
  /^(?:restore|reset|clean)$/.test(name) ||
  /^(?:stash(?! (?:pop|apply|list))|checkout (?:--|\.))/.test(`${name} ${next}`)

/** The files that, by what these lines printed one after the other on the branch, are not known to be committed. */
export function listUncommittedFiles(
  files: readonly string[],
  lines: readonly ShellLine[],
  branch: string | undefined,
): readonly string[] {
  let left = files
  let added: string[] = []
  for (const { command, output } of lines) {
    const calls = isOutsideProject(command, output) ? [] : listGitCalls(command)
    if (calls.some(drops)) return left
    for (const [name, ...args] of calls) {
      if (name === 'add') added.push(...args.map((path) => (/^(?:\.|-A|--all|-u)$/.test(path) ? '' : path)))
      if (name === 'commit' && args.some((word) => /^(?:-[a-z]*a[a-z]*|--all)$/.test(word))) added.push('')
    }
    if (findCommits(command, output).length > 0) {
      left = left.filter(
        (file) => !added.some((path) => path === '' || `${file}/`.startsWith(path.replace(/\/?$/, '/'))),
      )
      added = []
    }
    const [, printed = branch] = /^On branch (\S+)/m.exec(output) ?? []
    const isStatus = calls.some(([name, ...args]) => name === 'status' && args.every((word) => word.startsWith('-')))
    // Behind a filter, or with a mark of what was left out, it is not whole.
    const isWhole = !/status[^\n;&]*\|/.test(command) && !/^\s*(?:\.{3}|…|\+\d)/m.test(output)
    if (isStatus && isWhole && printed === branch) left = left.filter((file) => namesFile(output, file))
  }
  return left
}

/** Whether a status names a file, or the new folder that it is in. */
const namesFile = (status: string, file: string): boolean =>
  status.includes(baseName(file)) ||
  [...status.matchAll(/(\S+\/)\s*$/gm)].some(([, folder = '']) => file.startsWith(folder))

const NOT_PUSHED = /^(?:error:|fatal:|FAILED\b|Command running in)|\b(?:rejected|failed to push)\b/m

/** Whether these lines, one after the other, show that the branch, else any, is pushed: by a push, or a status. */
export function showPushed(lines: readonly ShellLine[], branch?: string): boolean {
  let isDropped = false
  return lines.some(({ command, output }) => {
    const calls = isOutsideProject(command, output) ? [] : listGitCalls(command)
    isDropped ||= calls.some(drops)
    const isPushed = calls.some(([name, ...args]) => {
      const refs = args.filter((word) => !word.startsWith('-')).slice(1)
      const isOfBranch =
        !branch || refs.length === 0 || refs.some((ref) => ['HEAD', branch].includes(ref.replace(/^\+|:.*$/g, '')))
      return name === 'push' && isOfBranch && !args.some((word) => /^-(?:-dry-run|n|-delete|d|-tags)$/.test(word))
    })
    // `On branch main`, or `## main...origin/main [ahead 2]`.
    const [, on, short, ahead] = /^On branch (\S+)|^\W*(\S+?)\.{3}[\w-]+\/\S+(.*ahead)?/m.exec(output) ?? []
    const isEven = on === branch && /^Your branch is (?:up to date with|behind) /m.test(output)
    const isSaid = branch && calls.length > 0 && !isDropped && (isEven || (short === branch && !ahead))
    return isSaid || (isPushed && !NOT_PUSHED.test(output))
  })
}

/** The messages that the line gives with -m, --message, -F or a heredoc. */
function findMessages(command: string, readFile: (path: string) => string | undefined): string[] {
  const heredoc = /<<-?[ \t]*(["']?)([A-Za-z_]\w*)\1[^\n]*\n([\s\S]*?)\n[ \t]*\2(?=[\s)"'`;]|$)/.exec(command)?.[3]
  return splitSimpleCommands(command).flatMap(({ words }) => {
    const at = words.indexOf('git')
    if (at === -1 || !words.slice(at).includes('commit')) return []
    const message = optionValue(words, /^(?:-[a-zA-Z]*m|--message)$/)
    // The text of `-m "$(cat <<'EOF' …)"` is the heredoc.
    if (message !== undefined) return [/^\s*\$\(|^\s*$/.test(message) ? (heredoc ?? '') : message]
    const file = optionValue(words, /^(?:-F|--file)$/)
    return file === undefined ? [] : [(file === '-' ? undefined : readFile(file)) ?? heredoc ?? '']
  })
}

/** The value of the first option that matches: the next word, or what follows `=`. */
function optionValue(words: readonly string[], option: RegExp): string | undefined {
  const at = words.findIndex((word) => option.test(word.replace(/=[\s\S]*$/, '')))
  const [, attached] = /^--?[\w-]+=([\s\S]*)$/.exec(words[at] ?? '') ?? []
  return at === -1 ? undefined : (attached ?? words[at + 1])
}

const cutSubject = (message: string): string => {
  const line = /\S[^\n]*/.exec(message)?.[0].trim() ?? ''
  return line.length > SUBJECT_CHARS_MAX ? `${line.slice(0, SUBJECT_CHARS_MAX - 1)}…` : line
}
