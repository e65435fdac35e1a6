// Are the entries sound? Each file that is none is said with its line and the mend. Looked at, never touched.
import { isBroken, readEntry } from '../../entries/entryText.ts'
import { entryFiles } from '../../entries/stamps.ts'
import { type Check, sound, unsound } from '../../model/check.ts'
import type { Store } from '../store.ts'

/** Files told one by one. */
const TOLD_MAX = 5

export function checkEntries(store: Store): Check[] {
  const files = entryFiles(store)
  const broken = files.flatMap(({ path, name }) => {
    const text = store.files.read(path)?.toString('utf8') ?? ''
    const read = readEntry(text, path, name.slice(0, -'.md'.length))
    return isBroken(read) ? [read] : []
  })
  if (broken.length === 0) return [sound('entries', files.length === 0 ? 'None' : `${files.length} files`)]
  const told = broken
    .slice(0, TOLD_MAX)
    .map(({ file, line, what, mend }) =>
      unsound('entries', 'warn', `Line ${line}: ${what}. What it said before still counts`, { where: file, mend }),
    )
  const more = broken.length - told.length
  if (more === 0) return told
  return [
    ...told,
    unsound('entries', 'warn', `${more} more files are none`, { mend: 'Run it again when these are mended.' }),
  ]
}
