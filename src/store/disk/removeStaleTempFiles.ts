// Sweeping: files written aside by a process that was killed before it could rename them or take them away.
import type { Files } from './files.ts'
import { isOwnerAlive } from './lock.ts'

/** As files.ts and lock.ts name them: the file's own name, the writer's pid, a count. */
const ASIDE = /\.(\d+)(?:\.\d+\.aside|\.dead)$/

/** Removes what the dead have left in a folder and says how many; what belongs to a living process stays. */
export function removeStaleTempFiles(files: Files, folder: string): number {
  let swept = 0
  for (const name of files.list(folder)) {
    const match = ASIDE.exec(name)
    if (!match || isOwnerAlive({ pid: Number(match[1]) })) continue
    files.remove(`${folder}/${name}`)
    swept++
  }
  return swept
}
