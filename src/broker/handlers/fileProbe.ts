// File facts: whether the file a memory is about is still there, and since when as it is. Two questions to the disk a recall, and
// never a git process.
import type { FileProbe } from '../../recall/staleness.ts'
import type { Store } from '../open/openStore.ts'

/** Questions to the disk in one recall: each takes a cold hook 7 µs, the first one asked in a process 0.2 ms. */
const LOOKS_MAX = 2

/** Asks about files of the store's project. A store that was told its project (a replay) has no files to be asked about. */
export function createFileProbe({ files, home, project }: Store): FileProbe {
  let left = home === undefined ? 0 : LOOKS_MAX
  const writtenAt = (path: string): number | undefined => {
    left--
    return files.mtimeMs(path)
  }
  return (file) => {
    if (left === 0) return undefined
    const written = writtenAt(`${project.root}/${file}`)
    if (written !== undefined) return { kind: 'there', written }
    // Gone, only if its top folder is there: else the path is another folder's, told from a session that had moved about.
    if (left === 0) return undefined
    const top = file.includes('/') ? `/${file.slice(0, file.indexOf('/'))}` : ''
    return writtenAt(project.root + top) === undefined ? undefined : { kind: 'gone' }
  }
}
