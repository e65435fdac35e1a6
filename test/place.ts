// Places for tests: folders of their own under the suite's temporary folder, which tmp.ts removes when all is over.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** A new folder, by its real path. */
export const newFolder = (name = 'test'): string =>
  fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), `memctl-${name}-`)))

export interface Place {
  readonly folder: string
  /** Where a session works; it is there. */
  readonly project: string
  /** MEMCTL_HOME; not there yet. */
  readonly home: string
}

/** A project and a home for memctl, in a folder of their own. */
export function newPlace(name?: string): Place {
  const folder = newFolder(name)
  const project = path.join(folder, 'shop')
  fs.mkdirSync(project)
  return { folder, project, home: path.join(folder, 'home') }
}

let copies = 0

/** A home of its own at each call, with what lies in another one. */
export function homeLike(made: string): string {
  const home = `${made}-${++copies}`
  fs.cpSync(made, home, { recursive: true })
  return home
}
