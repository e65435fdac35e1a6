// The directories of entries. Hooks use this file, so it reads only names and times from the disk.
//
//   $MEMCTL_HOME/global/memory/*.md   archive/           for all projects of the user
//   <project>/.memctl/memory/*.md     archive/           shared by a team in its repository
//   <project>/.memctl/<session>/memory/*.md  archive/    of one session
//   ~/.multi-agent-mcp/…  <project>/.multi-agent-mcp/…   the same, of the program of the entries spec: only read
import type { Files } from '../store/disk/files.ts'
import type { EntryLayer } from './entry.ts'

export interface EntryDir {
  readonly layer: EntryLayer
  /** The session of its entries; absent for those of the layer itself. */
  readonly session?: string | undefined
  readonly folder: string
  /** The name of the folder in a memory, the same on every machine. */
  readonly label: string
  /** Whether memctl writes here; else the program of the entries spec does. */
  readonly isOwn: boolean
}

/** The part of a store that entries need. */
export interface EntryContext {
  readonly files: Files
  readonly project: { readonly root: string }
  readonly layout: { readonly folder: string }
  /** memctl's home; a store without one has its global entries in its own folder. */
  readonly home?: string
  /** The home folder of the user, with the folders of other programs. */
  readonly userHome?: string
}

/** The folder with the entries and the log of the global layer. */
export const globalEntriesFolder = ({ home, layout }: EntryContext): string => `${home ?? layout.folder}/global`

/** The folder of the program of the entries spec. */
const OTHER_PROGRAM = '.multi-agent-mcp'

/** The directories that exist, those of memctl first. The global store has only global ones. */
export function listEntryDirs(context: EntryContext): EntryDir[] {
  const { files, project, layout, userHome } = context
  const dirs = [ownEntryDir(context, 'global')]
  if (userHome !== undefined) {
    const label = `~/${OTHER_PROGRAM}/memory`
    dirs.push({ layer: 'global', folder: `${userHome}/${OTHER_PROGRAM}/memory`, label, isOwn: false })
  }
  if (layout.folder !== globalEntriesFolder(context)) {
    // A project in the home folder of the user has a directory of the global layer.
    const globalFolders = new Set(dirs.map(({ folder }) => folder))
    for (const base of ['.memctl', OTHER_PROGRAM])
      dirs.push(...listProjectDirs(files, project.root, base).filter(({ folder }) => !globalFolders.has(folder)))
  }
  return dirs.filter(({ folder }) => files.mtimeMs(folder) !== undefined)
}

function listProjectDirs(files: Files, root: string, base: string): EntryDir[] {
  if (files.mtimeMs(`${root}/${base}`) === undefined) return []
  const sessions = files.list(`${root}/${base}`).filter((name) => isSessionDirName(name))
  return [undefined, ...sessions].map((session) => projectDir(root, base, session))
}

function projectDir(root: string, base: string, session: string | undefined): EntryDir {
  const label = session === undefined ? `${base}/memory` : `${base}/${session}/memory`
  return { layer: 'project', session, folder: `${root}/${label}`, label, isOwn: base === '.memctl' }
}

/** The directory for a new entry. It may not exist yet. */
export const ownEntryDir = (context: EntryContext, layer: EntryLayer, session?: string): EntryDir =>
  layer === 'global'
    ? { layer, folder: `${globalEntriesFolder(context)}/memory`, label: 'global/memory', isOwn: true }
    : projectDir(context.project.root, '.memctl', session)

/** Whether the id of a session may be the name of a folder: not a path, and no name with another meaning there. */
export function isSessionDirName(name: string): boolean {
  if (name === '' || name.length > 100 || name === 'memory' || name === 'archive' || name[0] === '.') return false
  for (let i = 0; i < name.length; i++) {
    const unit = name.charCodeAt(i)
    if (unit < 33 || unit === 127 || '"*/:<>?\\|'.includes(name.charAt(i))) return false
  }
  return name[name.length - 1] !== '.'
}

/** The folders that contain entry directories, each with a slash at its end: prefixes of the paths of entries. */
export const listEntryRoots = (context: EntryContext): string[] => [
  `${globalEntriesFolder(context)}/memory/`,
  ...(context.userHome === undefined ? [] : [`${context.userHome}/${OTHER_PROGRAM}/memory/`]),
  `${context.project.root}/.memctl/`,
  `${context.project.root}/${OTHER_PROGRAM}/`,
]

/** Whether one of them exists. A loop over their names would take a cold hook five times as long. */
export const hasEntryRoot = (context: EntryContext): boolean =>
  context.files.mtimeMs(`${context.project.root}/.memctl`) !== undefined ||
  context.files.mtimeMs(`${context.project.root}/${OTHER_PROGRAM}`) !== undefined ||
  context.files.mtimeMs(`${globalEntriesFolder(context)}/memory`) !== undefined ||
  (context.userHome !== undefined && context.files.mtimeMs(`${context.userHome}/${OTHER_PROGRAM}/memory`) !== undefined)
