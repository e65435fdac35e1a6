// Checks whether the file of a memory still exists, and when it was written. At most two system calls for each recall,
// and never a git process.
import type { FileProbe } from '../../recall/staleness.ts'
import type { Store } from '../open/openStore.ts'

/** System calls for one recall: each takes a cold hook 7 µs, the first one in a process 0.2 ms. */
const PROBES_MAX = 2

/** Probes files of the store's project. A store without a home folder (a replay) has no files to probe. */
export function createFileProbe({ files, home, project }: Store): FileProbe {
  let left = home === undefined ? 0 : PROBES_MAX
  const writtenAt = (path: string): number | undefined => {
    left--
    return files.mtimeMs(path)
  }
  // Paths are recorded composed; a disk that came from macOS may have them decomposed.
  const decomposedAt = (file: string): number | undefined =>
    /[^\0-\x7f]/.test(file) ? files.mtimeMs(`${project.root}/${file.normalize('NFD')}`) : undefined
  return (file) => {
    // A teammate's memory may name any path; outside of the project nothing is touched.
    if (left === 0 || /\.\.|^[\\/]|:/.test(file)) return undefined
    const written = writtenAt(`${project.root}/${file}`) ?? decomposedAt(file)
    if (written !== undefined) return { kind: 'there', written }
    // Only if its top folder exists, the file is gone. Otherwise the path is relative to another folder of that
    // session.
    if (left === 0) return undefined
    const top = file.includes('/') ? `/${file.slice(0, file.indexOf('/'))}` : ''
    return writtenAt(project.root + top) === undefined ? undefined : { kind: 'gone' }
  }
}
