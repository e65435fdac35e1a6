// A path that does not exist: which files earlier sessions edited there, or under the same name elsewhere. The failure
// need not have been met before.
import type { EventOf } from '../model/event.ts'
import { sharedStart } from '../model/id.ts'
import { isMissingPath, salientLine } from '../text/errorSignature.ts'
import { baseName, folderName, isTestName } from '../text/filePaths.ts'
import { isPlainName } from '../text/outsideText.ts'
import type { SessionFileIndex } from './sessionFileIndex.ts'

/** Files named in a note, of each kind. */
const ELSEWHERE_MAX = 3
const BESIDE_MAX = 6

/** Letters in common from which on two names are nearly the same. */
const LIKENESS_MIN = 4

/** What a command says: `cat: src/tax.js: No such file or directory`. */
const MISSING_IN_OUTPUT = /(?:^|[\s:'"`])([\w@.+-]+(?:\/[\w@.+-]+)+)['"`]?: No such file or directory/

/** The path of a failed call that is not there: inside the project with `/`, or as a command gave it. */
export function findMissingPath(failed: EventOf<'call.failed'>): string | undefined {
  const path = isMissingPath(failed) ? failed.files[0] : MISSING_IN_OUTPUT.exec(salientLine(failed.error))?.[1]
  return path === undefined || /^(?:[/~.]|\w:)|[*?[{]/.test(path) ? undefined : path.replace(/\/$/, '')
}

/**
 * The files near a missing path that earlier sessions edited; undefined without any, or if it was edited itself. A name
 * that reads like a sentence is left out: the model would read what somebody named a file. `elsewhere` are the paths of
 * files with its name in other folders, `beside` the names of files in its folder, the most alike first; `session` is
 * the hash of the session that edited the first of them last.
 */
export function findNearFiles({ paths = [], files, sessions }: SessionFileIndex, missing: string) {
  if (paths.includes(missing)) return undefined
  const name = baseName(missing)
  const folder = paths.map(folderName).find((known) => isSameFolder(known, folderName(missing))) ?? ''
  const namesakes = name.includes('.') ? paths.filter((path) => baseName(path) === name && isPlainName(path)) : []
  const elsewhere = namesakes.length > ELSEWHERE_MAX ? [] : namesakes
  const kind = folder === '' ? [] : paths.filter((path) => folderName(path) === folder && isSameKind(path, missing))
  // Of a large folder only what has nearly this name.
  const alike = kind.length > BESIDE_MAX ? kind.filter((path) => likeness(path, missing) >= LIKENESS_MIN) : kind
  const beside = alike
    .filter((path) => !elsewhere.includes(path) && isPlainName(path))
    .toSorted((a, b) => likeness(b, missing) - likeness(a, missing) || paths.indexOf(b) - paths.indexOf(a))
    .slice(0, BESIDE_MAX)
  const session = sessions[files[paths.indexOf(elsewhere[0] ?? beside[0] ?? '')]?.at(-1) ?? -1]?.[0]
  return session === undefined ? undefined : { elsewhere, folder, beside: beside.map(baseName), session }
}

type NearFiles = Readonly<NonNullable<ReturnType<typeof findNearFiles>>>

/** One line for each kind: `Earlier sessions edited in src/tax/: rates.ts, rules.ts`. */
export function describeNearFiles({ elsewhere, folder, beside }: NearFiles): string {
  const lines = [
    ...(elsewhere.length > 0 ? [`Earlier sessions edited ${elsewhere.map((path) => `\`${path}\``).join(', ')}.`] : []),
    ...(beside.length > 0 ? [`Earlier sessions edited in \`${folder}/\`: ${beside.join(', ')}.`] : []),
  ]
  return lines.join('\n')
}

/** A command's path may begin in a folder below the project's. */
const isSameFolder = (known: string, wanted: string): boolean =>
  wanted !== '' && (known === wanted || known.endsWith(`/${wanted}`))

/** A file with the same extension, and a test for a test; for a missing folder files that begin with its name. */
function isSameKind(path: string, missing: string): boolean {
  const [name, other] = [baseName(missing), baseName(path)]
  if (!name.includes('.')) return other.startsWith(name) && /^[._-]/.test(other.slice(name.length))
  return extension(name) === extension(other) && isTestName(name) === isTestName(other)
}

const extension = (name: string): string => name.slice(name.lastIndexOf('.'))

/** How many letters the two names have in common at their beginning. */
const likeness = (path: string, missing: string): number => sharedStart(baseName(missing), baseName(path))
