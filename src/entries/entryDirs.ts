// The directories of entries, and the sessions that they belong to. Hooks use this file, so it reads only names and
// times from the disk.
//
//   $MEMCTL_HOME/global/memory/*.md           for all projects of the user
//   <project>/.memctl/memory/*.md             shared by a team in its repository
//   <project>/.memctl/<session>/memory/*.md   of one session
//   each with a folder archive/ beside its *.md
//   ~/.multi-agent-mcp/…  <project>/.multi-agent-mcp/…   the same, of the program of the entries spec: only read
//
// A repository can bring what is in a project. So those folders count only if the person trusts them, and no link is
// followed there.
import { type FileFault, inspectFolder, isFileFault, listUntrusted } from '../store/disk/untrustedFiles.ts'
import { CONTENT_FOLDERS, isProjectTrusted, type TrustContext } from '../store/project/contentTrust.ts'
import { ENTRY_LIMITS, type EntryLayer } from './entry.ts'

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

/** The part of a store that entries need. Without a home a store has its global entries in its own folder. */
export type EntryContext = TrustContext

/** The folder with the entries and the log of the global layer. */
export const globalEntriesFolder = ({ home, layout }: EntryContext): string => `${home ?? layout.folder}/global`

/** The folder of the program of the entries spec. */
const OTHER_PROGRAM = '.multi-agent-mcp'

export interface EntryDirScan {
  /** Those that exist, those of memctl first. */
  readonly dirs: readonly EntryDir[]
  readonly faults: readonly FileFault[]
  /** Whether there are more sessions than were looked at. */
  readonly isCut: boolean
  /** Whether the project has folders that do not count, because the person does not trust them. */
  readonly isUntrusted: boolean
}

/** The directories that exist and count. The global store has only global ones. */
export const listEntryDirs = (context: EntryContext): readonly EntryDir[] => scanEntryDirs(context).dirs

/** The same with what cannot be used, and at most `sessionsMax` sessions. */
export function scanEntryDirs(context: EntryContext, sessionsMax = ENTRY_LIMITS.sessionsMax): EntryDirScan {
  const { files, layout, userHome } = context
  const global = [ownEntryDir(context, 'global')]
  if (userHome !== undefined) {
    const label = `~/${OTHER_PROGRAM}/memory`
    global.push({ layer: 'global', folder: `${userHome}/${OTHER_PROGRAM}/memory`, label, isOwn: false })
  }
  const dirs = global.filter(({ folder }) => files.mtimeMs(folder) !== undefined)
  const isGlobal = layout.folder === globalEntriesFolder(context)
  if (isGlobal || !hasProjectEntryRoot(context)) return { dirs, faults: [], isCut: false, isUntrusted: false }
  if (!isProjectTrusted(context)) return { dirs, faults: [], isCut: false, isUntrusted: true }
  // A project in the home folder of the user has a directory of the global layer.
  const taken = new Set(global.map(({ folder }) => folder))
  const scans = CONTENT_FOLDERS.map((base) => scanProjectDirs(context.project.root, base, sessionsMax))
  return {
    dirs: [...dirs, ...scans.flatMap((scan) => scan.dirs).filter(({ folder }) => !taken.has(folder))],
    faults: scans.flatMap((scan) => scan.faults),
    isCut: scans.some((scan) => scan.isCut),
    isUntrusted: false,
  }
}

function scanProjectDirs(root: string, base: string, sessionsMax: number): Omit<EntryDirScan, 'isUntrusted'> {
  const { names, fault, isCut = false } = listUntrusted(root, `${root}/${base}`, sessionsMax)
  const faults = fault ? [fault] : []
  const dirs: EntryDir[] = []
  for (const session of [undefined, ...names.filter(isSessionDirName)]) {
    const dir = projectDir(root, base, session)
    const own = session === undefined ? true : inspectFolder(root, `${root}/${base}/${session}`)
    const found = own === true ? inspectFolder(root, dir.folder) : own
    if (isFileFault(found)) faults.push(found)
    else if (found) dirs.push(dir)
  }
  return { dirs, faults, isCut }
}

/** The directory and the name of an entry's path in the project; undefined for any other path. */
export function splitEntryPath(root: string, path: string): { dir: EntryDir; name: string } | undefined {
  const [, base, session, name] = /^\/([^/]+)(?:\/([^/]+))?\/memory\/([^/]+\.md)$/.exec(path.slice(root.length)) ?? []
  const isEntry = path.startsWith(`${root}/`) && CONTENT_FOLDERS.some((folder) => folder === base)
  return isEntry && base && name ? { dir: projectDir(root, base, session), name } : undefined
}

/** The directory of a session, by the name of its folder; without a name that of the project itself. */
function projectDir(root: string, base: string, sessionDir: string | undefined): EntryDir {
  const label = sessionDir === undefined ? `${base}/memory` : `${base}/${sessionDir}/memory`
  const session = sessionDir === undefined ? undefined : sessionOfDir(sessionDir)
  return { layer: 'project', session, folder: `${root}/${label}`, label, isOwn: base === '.memctl' }
}

/** The directory for a new entry. It may not exist yet. `sessionDir`: the name of a session's folder. */
export const ownEntryDir = (context: EntryContext, layer: EntryLayer, sessionDir?: string): EntryDir =>
  layer === 'global'
    ? { layer, folder: `${globalEntriesFolder(context)}/memory`, label: 'global/memory', isOwn: true }
    : projectDir(context.project.root, '.memctl', sessionDir)

/** The folders that contain entry directories, each with a slash at its end: prefixes of the paths of entries. */
export const listEntryRoots = (context: EntryContext): string[] => [
  `${globalEntriesFolder(context)}/memory/`,
  ...(context.userHome === undefined ? [] : [`${context.userHome}/${OTHER_PROGRAM}/memory/`]),
  `${context.project.root}/.memctl/`,
  `${context.project.root}/${OTHER_PROGRAM}/`,
]

/** Whether one of them exists. A loop over their names would take a cold hook five times as long. */
export const hasEntryRoot = (context: EntryContext): boolean =>
  hasProjectEntryRoot(context) ||
  context.files.mtimeMs(`${globalEntriesFolder(context)}/memory`) !== undefined ||
  (context.userHome !== undefined && context.files.mtimeMs(`${context.userHome}/${OTHER_PROGRAM}/memory`) !== undefined)

/** Whether the project has a folder that may hold entries. */
export const hasProjectEntryRoot = ({ files, project }: EntryContext): boolean =>
  files.mtimeMs(`${project.root}/.memctl`) !== undefined ||
  files.mtimeMs(`${project.root}/${OTHER_PROGRAM}`) !== undefined

/** Whether a folder may be that of a session: no name with another meaning there. */
export function isSessionDirName(name: string): boolean {
  if (name === '' || name.length > 255 || name === 'memory' || name === 'archive' || name[0] === '.') return false
  for (let i = 0; i < name.length; i++) {
    const unit = name.charCodeAt(i)
    if (unit < 33 || unit === 127 || '"*/:<>?\\|'.includes(name.charAt(i))) return false
  }
  return name[name.length - 1] !== '.'
}

/** The id of the session that a folder belongs to. */
export const sessionOfDir = (name: string): string =>
  name.includes('%')
    ? name.replace(/%([0-9a-f]{4})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    : name
