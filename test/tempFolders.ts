// Temporary folders for tests, under the folder of the run that globalSetup.ts removes at the end.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { restrictFiles } from '../src/broker/maintenance/restrictFiles.ts'
import { openStore } from '../src/broker/open/openStore.ts'
import { realDisk } from '../src/store/disk/files.ts'
import { writeTrust } from '../src/store/project/contentTrust.ts'

/** A new folder, by its real path. */
export const newFolder = (name = 'test'): string =>
  fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), `memctl-${name}-`)))

export interface TestProject {
  readonly folder: string
  /** The project folder of a session; it exists. */
  readonly project: string
  /** MEMCTL_HOME; does not exist yet. */
  readonly home: string
}

/** A project and a home for memctl, in a new folder. */
export function createTestProject(name?: string): TestProject {
  const folder = newFolder(name)
  const project = path.join(folder, 'shop')
  fs.mkdirSync(project)
  return { folder, project, home: path.join(folder, 'home') }
}

/** The person trusts what is in this folder, as with `memctl project trust`. `home` is MEMCTL_HOME. */
export const trustFolder = (project: string, home: string): void =>
  writeTrust(openStore(project, { MEMCTL_HOME: home }), 'trusted', Date.now())

let copies = 0

/** A new home at each call, with a copy of everything in `made`. */
export function homeLike(made: string): string {
  const home = `${made}-${++copies}`
  fs.cpSync(made, home, { recursive: true })
  restrictFiles(realDisk, home) // From Node 22 on, copies of folders have other modes.
  return home
}
