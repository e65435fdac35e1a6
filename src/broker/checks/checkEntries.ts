// Checks entry files: reports invalid ones with line and hint. It changes nothing.
import { isInvalidEntry, parseEntry } from '../../entries/entryFormat.ts'
import { listEntryFiles } from '../../entries/mtimeCache.ts'
import { type CheckResult, checkPassed, checkProblem } from '../../model/checkResult.ts'
import type { Store } from '../open/openStore.ts'

/** Files reported one by one, at most. */
const REPORTED_MAX = 5

export function checkEntries(store: Store): CheckResult[] {
  const files = listEntryFiles(store)
  const invalid = files.flatMap(({ path, name }) => {
    const text = store.files.read(path)?.toString('utf8') ?? ''
    const entry = parseEntry(text, path, name.slice(0, -'.md'.length))
    return isInvalidEntry(entry) ? [entry] : []
  })
  if (invalid.length === 0) return [checkPassed('entries', files.length === 0 ? 'None' : `${files.length} files`)]
  const reported = invalid.slice(0, REPORTED_MAX).map(({ file, line, what, hint }) =>
    checkProblem('entries', 'warn', `Line ${line}: ${what}. Its last valid version still counts`, {
      where: file,
      hint,
    }),
  )
  const more = invalid.length - reported.length
  if (more === 0) return reported
  return [
    ...reported,
    checkProblem('entries', 'warn', `${more} more files are not valid entries`, {
      hint: 'Run it again after these are fixed.',
    }),
  ]
}
