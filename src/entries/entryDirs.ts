// The directories and files of entries, and the mtime cache: when each file was written, as of the last sync. Hooks use
// this, so it reads only names and times from the disk.
//
//   $MEMCTL_HOME/global/memory/*.md           for all projects of the user
//   <project>/.memctl/memory/*.md             shared by a team in its repository
//   <project>/.memctl/<session>/memory/*.md   of one session
//   each with a folder archive/ beside its *.md
//   ~/.multi-agent-mcp/…  <project>/.multi-agent-mcp/…   the same, of the program of the entries spec: only read
//
// A repository can bring what is in a project. So those folders count only if the person trusts them, and no link is
// followed there.

import type { MemoryId } from '../model/id.ts'
import { readJsonIfIntact } from '../store/disk/readJson.ts'
import {
  type FileFault,
  findLinkBelow,
  inspectFolder,
  inspectUntrusted,
  isFileFault,
  listUntrusted,
} from '../store/disk/untrustedFiles.ts'
import { CONTENT_FOLDERS, isProjectTrusted, type TrustContext } from '../store/project/contentTrust.ts'
import { ENTRY_BYTES_MAX, ENTRY_FILE_BYTES_MAX, ENTRY_LIMITS, type EntryLayer, type EntryLimits } from './entry.ts'

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
const hasEntryRoot = (context: EntryContext): boolean =>
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

/**
 * For each path of a file its mtime, in milliseconds since 1970, its memory (empty without one), and whether the file
 * is no valid entry. The mtime is negative if the file may be written again within the same tick of the disk's clock:
 * then it is read again.
 */
export type MtimeCache = Readonly<Record<string, readonly [written: number, memory: MemoryId | '', state?: 'invalid']>>

export interface EntryFile {
  readonly dir: EntryDir
  readonly name: string
  readonly path: string
  /** 0 if it cannot be read as a file. */
  readonly mtimeMs: number
  /** Why it cannot be read: it is no regular file, or too large. */
  readonly fault?: FileFault
}

/** All entry files that count, those of memctl first. */
export const listEntryFiles = (context: EntryContext): readonly EntryFile[] => scanEntryFiles(context).files

/**
 * Entry files up to the limits, and what cannot be used. Of a project that the person does not trust: only what the
 * person's own tools have written and synced. `isCut`: there are more. Reads names, sizes and times.
 */
export function scanEntryFiles(context: EntryContext, limits: EntryLimits = ENTRY_LIMITS) {
  const scan = scanEntryDirs(context, limits.sessionsMax)
  const files: EntryFile[] = []
  const faults = [...scan.faults]
  let { isCut } = scan
  let bytes = 0
  for (const dir of scan.dirs) {
    const root = dir.layer === 'project' ? context.project.root : undefined
    const listed = listUntrusted(root, dir.folder, 2 * limits.filesMax)
    if (listed.fault) faults.push(listed.fault)
    isCut ||= listed.isCut === true
    for (const name of listed.names) {
      if (!name.endsWith('.md') || name[0] === '.') continue
      const path = `${dir.folder}/${name}`
      const found = inspectUntrusted(root, path)
      if (found === undefined) continue
      if (isFileFault(found)) files.push({ dir, name, path, mtimeMs: 0, fault: found })
      else {
        bytes += found.size
        if (files.length === limits.filesMax || bytes > ENTRY_BYTES_MAX) {
          faults.push(limitFault(dir.folder, limits))
          return { files, faults, isCut: true }
        }
        const size = found.size > ENTRY_FILE_BYTES_MAX ? { fault: sizeFault(path, found.size) } : {}
        files.push({ dir, name, path, mtimeMs: found.mtimeMs, ...size })
      }
    }
  }
  if (scan.isUntrusted) files.push(...listOwnFiles(context))
  return { files, faults, isCut }
}

const limitFault = (file: string, { filesMax }: EntryLimits): FileFault => ({
  file,
  what: `from here on entries are ignored: there are more than ${filesMax} files or ${ENTRY_BYTES_MAX} bytes`,
  hint: 'Remove entries that are not needed.',
})

const sizeFault = (file: string, bytes: number): FileFault => ({
  file,
  what: `it has ${bytes} bytes`,
  hint: `Use at most ${ENTRY_FILE_BYTES_MAX}, or several entries.`,
})

/** The cached files of a project that is not trusted: the sync put only those there that the person's tools wrote. */
function listOwnFiles(context: EntryContext): EntryFile[] {
  const { root } = context.project
  const paths = Object.keys(readMtimeCache(context)).slice(0, ENTRY_LIMITS.filesMax)
  return paths.flatMap((path) => entryFileAt(root, path) ?? [])
}

/** The entry file at a path of the project; undefined if nothing is there. */
export function entryFileAt(root: string, path: string): EntryFile | undefined {
  const parts = splitEntryPath(root, path)
  if (parts === undefined || findLinkBelow(root, path) !== undefined) return undefined
  const found = inspectUntrusted(root, path)
  return found === undefined || isFileFault(found) ? undefined : { ...parts, path, mtimeMs: found.mtimeMs }
}

/** The stored cache; empty if there is none or it cannot be read: then every file is read again. */
export const readMtimeCache = ({ files, layout }: EntryContext): MtimeCache =>
  readJsonIfIntact(files, layout.entries) ?? {}

/**
 * Those of the memories whose file was changed or deleted. Memories without a file on this machine are not among
 * them.
 */
export function findOutdated(context: EntryContext, ids: ReadonlySet<MemoryId>): ReadonlySet<MemoryId> {
  const current = new Set<MemoryId>()
  const outdated = new Set<MemoryId>()
  for (const [path, [cached, id]] of Object.entries(ids.size > 0 ? readMtimeCache(context) : {})) {
    if (id === '' || !ids.has(id)) continue
    if (context.files.mtimeMs(path) === Math.abs(cached)) current.add(id)
    else outdated.add(id)
  }
  for (const id of current) outdated.delete(id)
  return outdated
}

/** The files that were no valid entries at the last sync and have not changed since. It reads no entry. */
export const listKnownInvalid = (context: EntryContext): string[] =>
  Object.entries(readMtimeCache(context)).flatMap(([path, [written, , state]]) =>
    state === 'invalid' && (written === 0 || context.files.mtimeMs(path) === Math.abs(written)) ? [path] : [],
  )

/** Whether a file was added, deleted or changed since the last sync, as far as the limits allow to see. */
export function isMtimeCacheStale(context: EntryContext, limits: EntryLimits = ENTRY_LIMITS): boolean {
  // Most projects have neither a cache nor a folder for entries: this takes five reads of the disk.
  if (context.files.size(context.layout.entries) === undefined && !hasEntryRoot(context)) return false
  const { files, isCut } = scanEntryFiles(context, limits)
  const cache = readMtimeCache(context)
  if (files.some(({ path, mtimeMs, fault }) => fault === undefined && cache[path]?.[0] !== mtimeMs)) return true
  const cachedPaths = Object.keys(cache)
  // Of a part of the files it cannot say which are missing.
  if (cachedPaths.length === files.length || isCut) return false
  // The cache may have files of another work tree of the project.
  const roots = listEntryRoots(context)
  const paths = new Set(files.map(({ path }) => path))
  return cachedPaths.some((path) => !paths.has(path) && roots.some((root) => path.startsWith(root)))
}

/** Whether there are entries, or were at the last sync. */
export const hasEntries = (context: EntryContext): boolean =>
  context.files.size(context.layout.entries) !== undefined ||
  (hasEntryRoot(context) && listEntryFiles(context).length > 0)
