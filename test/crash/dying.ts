// A disk that dies at a chosen write: all earlier writes are on the real disk, no later ones, and calls throw.
import fs from 'node:fs'
import { type Files, realDisk } from '../../src/store/disk/files.ts'

/** How far the write at which it dies gets: not at all, or half of it, beside the file or at its end. */
export const DEATHS = ['before', 'half'] as const
export type Death = (typeof DEATHS)[number]

export class Died extends Error {}

export interface DyingDisk {
  readonly files: Files
  /** Writes begun so far. */
  count(): number
  isDead(): boolean
}

/** A real disk that dies at write number `at`, counted from 1; `seen` is called after every write that was done. */
export function dyingDisk(at: number, death: Death, seen: (call: string) => void = () => {}): DyingDisk {
  let count = 0
  let dead = false
  const alive = (): void => {
    if (dead) throw new Died('nothing is done after death')
  }
  const read = <Args extends unknown[], Result>(act: (...args: Args) => Result) => {
    return (...args: Args): Result => {
      alive()
      return act(...args)
    }
  }
  const write = <Args extends unknown[], Result>(
    name: string,
    act: (...args: Args) => Result,
    half: (...args: Args) => void = () => {},
  ) => {
    return (...args: Args): Result => {
      alive()
      if (++count === at) {
        dead = true
        if (death === 'half') half(...args)
        throw new Died(`${name} ${String(args[0])}`)
      }
      const result = act(...args)
      seen(`${name} ${String(args[0])}`)
      return result
    }
  }
  const halfAside = (file: string, bytes: Buffer): void => {
    fs.mkdirSync(file.slice(0, file.lastIndexOf('/')), { recursive: true })
    fs.writeFileSync(`${file}.${DEAD_PID}.0.aside`, bytes.subarray(0, bytes.length >> 1))
  }
  return {
    count: () => count,
    isDead: () => dead,
    files: {
      read: read(realDisk.read),
      readAt: read(realDisk.readAt),
      open: read(realDisk.open),
      size: read(realDisk.size),
      mtimeMs: read(realDisk.mtimeMs),
      realPath: read(realDisk.realPath),
      list: read(realDisk.list),
      append: write('append', realDisk.append, (file, bytes) =>
        fs.appendFileSync(file, bytes.subarray(0, bytes.length >> 1)),
      ),
      create: write('create', realDisk.create, halfAside),
      replace: write('replace', realDisk.replace, halfAside),
      link: write('link', realDisk.link),
      overwrite: write('overwrite', realDisk.overwrite, (file, position, bytes) =>
        realDisk.overwrite(file, position, bytes.subarray(0, bytes.length >> 1)),
      ),
      sync: write('sync', realDisk.sync),
      truncate: write('truncate', realDisk.truncate),
      rename: write('rename', realDisk.rename),
      remove: write('remove', realDisk.remove),
      removeFolder: write('removeFolder', realDisk.removeFolder),
      makeFolder: write('makeFolder', realDisk.makeFolder),
      permissions: read(realDisk.permissions),
      setMode: write('setMode', realDisk.setMode),
    },
  }
}

/** Above the highest possible pid (Linux: 2^22), so the process is dead. */
export const DEAD_PID = 4_194_305

/** The lock as the one who died holding it left it: this process lives on, and only plays dead. */
export function burdenDead(lock: string): void {
  if (fs.existsSync(lock)) fs.writeFileSync(lock, `${JSON.stringify({ pid: DEAD_PID, started: '1' })}\n`)
}
