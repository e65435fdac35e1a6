// Are the entries sound? Each file that is none is said with its line and the hint. Looked at, never touched.
import { isInvalidEntry, parseEntry } from '../../entries/entryFormat.ts'
import { listEntryFiles } from '../../entries/mtimeCache.ts'
import { type CheckResult, checkPassed, checkProblem } from '../../model/checkResult.ts'
import type { Store } from '../open/openStore.ts'

/** Files told one by one. */
const TOLD_MAX = 5

export function checkEntries(store: Store): CheckResult[] {
  const files = listEntryFiles(store)
  const broken = files.flatMap(({ path, name }) => {
    const text = store.files.read(path)?.toString('utf8') ?? ''
    const read = parseEntry(text, path, name.slice(0, -'.md'.length))
    return isInvalidEntry(read) ? [read] : []
  })
  if (broken.length === 0) return [checkPassed('entries', files.length === 0 ? 'None' : `${files.length} files`)]
  const told = broken
    .slice(0, TOLD_MAX)
    .map(({ file, line, what, hint }) =>
      checkProblem('entries', 'warn', `Line ${line}: ${what}. What it said before still counts`, { where: file, hint }),
    )
  const more = broken.length - told.length
  if (more === 0) return told
  return [
    ...told,
    checkProblem('entries', 'warn', `${more} more files are none`, { hint: 'Run it again when these are mended.' }),
  ]
}
