// A project's store as the broker holds it: which project, where its files lie, and the disk behind them.
import { disk, type Files } from '../store/files.ts'
import { type Layout, layoutOf } from '../store/layout.ts'
import { memctlHome, type Project, projectFolder, projectOf } from '../store/project.ts'

export interface Store {
  readonly files: Files
  readonly layout: Layout
  readonly project: Project
  /** memctl's home, where a person's config lies; undefined for a store that is in none. */
  readonly home?: string
  /** The person's home folder, where other programs keep theirs; undefined for a store that is in none. */
  readonly person?: string
}

/** The store of the project a folder belongs to. Reads a few small files, writes nothing. */
export function storeOf(folder: string, env: Readonly<Record<string, string | undefined>>, files: Files = disk): Store {
  const home = memctlHome(env)
  const project = projectOf(folder, home)
  const person = env['HOME'] || env['USERPROFILE']
  return { files, project, home, ...(person && { person }), layout: layoutOf(projectFolder(home, project)) }
}

/** A store at a folder of its own, for a project that is told and not found out: replays, benches, tests. */
export function storeAt(folder: string, root: string, files: Files = disk): Store {
  const name = root.slice(root.lastIndexOf('/') + 1)
  return { files, project: { id: 'given', name, root, identity: 'folder' }, layout: layoutOf(folder) }
}
