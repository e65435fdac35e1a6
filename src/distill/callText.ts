// A call in one line of a digest: the command without what only shortens its output, paths as seen from the project.
import { type CallResult, callCommand } from '../model/event.ts'
import { firstLine, truncateMiddle } from '../text/excerpt.ts'

/** Characters of a command or another input. */
const CALL_CHARS_MAX = 200

/** The call as the model sees it: the command in one line, or the tool and what it is about. */
export function describeCall(call: CallResult, roots: readonly string[]): string {
  const command = callCommand(call).trim()
  if (command !== '') return `\`${truncateMiddle(shortenPaths(withoutRoot(oneLine(command), roots)), CALL_CHARS_MAX)}\``
  const subject = call.files[0] ?? Object.values(call.input).find((value) => typeof value === 'string') ?? ''
  return `${call.tool} ${firstLine(withoutRoot(String(subject), roots), CALL_CHARS_MAX)}`.trim()
}

/** Without what only shortens its output; a line's end as a sign. */
const oneLine = (command: string): string =>
  command
    .replace(/(?:\s*\|\s*(?:head|tail)(?:\s+-\S+|\s+\d+)*)+\s*$/, '')
    .replace(/ 2>&1(?= |$)/g, '')
    .replace(/\s*\n\s*/g, ' ⏎ ')

/** Paths inside the project's folder as seen from there. Where a command goes to matters, so that stays. */
export const withoutRoot = (text: string, roots: readonly string[]): string =>
  roots.reduce(
    (shorter, root) =>
      shorter
        .replaceAll(`cd ${root}`, 'cd PROJECT')
        .replaceAll(`cd "${root}`, 'cd "PROJECT')
        .replaceAll(`${root}/`, '')
        .replaceAll(`${root}\\`, ''),
    text,
  )

/** A folder in each form a shell writes it: `D:\shop`, `D:/shop`, `/d/shop`. */
export function listRoots(cwd: string): string[] {
  const root = cwd.replace(/[\\/]+$/, '').replaceAll('\\', '/')
  const drive = /^([A-Za-z]):/.exec(root)?.[1]
  const forms = drive === undefined ? [root] : [cwd, root, `/${drive.toLowerCase()}${root.slice(2)}`]
  return forms.filter((form) => form.length > ROOT_CHARS_MIN)
}

/** `/` and `/app` may be a part of any path. */
const ROOT_CHARS_MIN = 4

/** Long paths name temporary folders and this machine: their beginning and their file say enough. */
export const shortenPaths = (text: string): string =>
  text.replace(/[^\s"'`=:]{60,}/g, (word) => word.replace(/^((?:[^/]*\/){1,3})(?:[^/]+\/){2,}(?=[^/]+$)/, '$1…/'))
