// A project's store as the broker holds it: which project, where its files lie, and the disk behind them.
import { type Files, realDisk } from '../../store/disk/files.ts'
import { type StoreLayout, storeLayout } from '../../store/disk/storeLayout.ts'
import { type Project, projectFolderPath, resolveMemctlHome, resolveProject } from '../../store/project/project.ts'

export interface Store {
  readonly files: Files
  readonly layout: StoreLayout
  readonly project: Project
  /** memctl's home, where a person's config lies; undefined for a store that is in none. */
  readonly home?: string
  /** The person's home folder, where other programs keep theirs; undefined for a store that is in none. */
  readonly userHome?: string
}

/** The store of the project a folder belongs to. Reads a few small files, writes nothing. */
export function openStore(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
  files: Files = realDisk,
): Store {
  const home = resolveMemctlHome(env)
  const project = resolveProject(folder, home)
  const person = env['HOME'] || env['USERPROFILE']
  return {
    files,
    project,
    home,
    ...(person && { userHome: person }),
    layout: storeLayout(projectFolderPath(home, project)),
  }
}

/** A store at a folder of its own, for a project that is told and not found out: replays, benches, tests. */
export function openStoreAt(folder: string, root: string, files: Files = realDisk): Store {
  const name = root.slice(root.lastIndexOf('/') + 1)
  return { files, project: { id: 'given', name, root, identity: 'folder' }, layout: storeLayout(folder) }
}
