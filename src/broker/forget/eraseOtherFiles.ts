// Erases beside the logs: damaged parts of logs, faults, files of killed processes, statements of projects that are
// gone, entry files. What is derived from a log has been rebuilt before. Entries of a project belong to its repository
// and are only changed if the person asks for it.
import { gzipSync } from 'node:zlib'
import { type EntryDir, listEntryDirs, listEntryFiles } from '../../entries/entryDirs.ts'
import { writeJsonFile } from '../../store/disk/jsonFile.ts'
import { defaultReportFile, REPORT_FILE } from '../../store/disk/paths.ts'
import { readJsonIfIntact } from '../../store/disk/readJson.ts'
import { decompress } from '../../store/log/readLog.ts'
import { type CopyFinder, replaceCopies } from '../../text/copies/findCopies.ts'
import { archiveFolder, listArchive, readEntryBytes } from '../entries/entryFiles.ts'
import type { Store } from '../open/openStore.ts'
import { type PersonFile, personFilePath } from '../projection/personFile.ts'
import { type ErasedOtherFile, type ErasurePlan, redactTexts } from './erasurePlan.ts'

interface PlannedStore {
  readonly store: Store
  readonly plan: ErasurePlan
}

interface SearchOptions {
  readonly finder: CopyFinder
  readonly dryRun: boolean
}

/** Folders of memctl's home that have no text of a session: the code caches of hooks. */
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['cache'])

/** Files that a rebuild writes, and the log, by their path in a store. */
const OWN_FILE = new RegExp(
  String.raw`^(?:(?:manifest|hot|worked|facts|knowledge|policy|entries|work\.\d+)\.json|team\.\d+\.txt|` +
    String.raw`(?:segments|vectors)/[^/]+|events/\d{6}\.jsonl(?:\.gz)?)$`,
)

/** No content counts: parts set aside by a repair, files of killed processes, reports, marks of a question asked. */
const UNREAD_FILE = new RegExp(
  String.raw`(?:^|\/)damaged-[^/]*$|\.(?:aside|dead|asked)$|^${REPORT_FILE.replace('.', '\\.')}$`,
)

/** A person chose the names and paths in these files, and the store is found by them. */
const PERSONS_FILE = /^(?:members|memory)\//

/**
 * Removes the reports of stores that change: they have shortened texts of what is erased. `memctl report` writes a new
 * one. With `dryRun` only lists them.
 */
export function eraseReports(stores: readonly Store[], dryRun: boolean): ErasedOtherFile[] {
  return stores.flatMap((store): ErasedOtherFile[] => {
    const file = defaultReportFile(store)
    if (store.files.size(file) === undefined) return []
    if (!dryRun) store.files.remove(file)
    return [{ file, action: 'removed' }]
  })
}

/** Erases from these files, or with `dryRun` only lists them. Paths are absolute. */
export function eraseOtherFiles(store: Store, stores: readonly PlannedStore[], { finder, dryRun }: SearchOptions) {
  const erased = stores.flatMap(({ store: each, plan }) => eraseInStoreFolder(each, plan, dryRun))
  return [...erased, ...(store.home === undefined ? [] : eraseInHome(store, store.home, { finder, dryRun }))]
}

function eraseInStoreFolder(store: Store, plan: ErasurePlan, dryRun: boolean): ErasedOtherFile[] {
  const { files, layout } = store
  return listFilesBelow(store, layout.folder).flatMap((file): ErasedOtherFile[] => {
    const name = file.slice(layout.folder.length + 1)
    if (PERSONS_FILE.test(name) || (OWN_FILE.test(name) && !UNREAD_FILE.test(name))) return []
    if (!UNREAD_FILE.test(name)) return blankLines(store, file, plan, dryRun) ? [{ file, action: 'redacted' }] : []
    if (!plan.isErasable(readWhole(store, file))) return []
    if (!dryRun) files.remove(file)
    return [{ file, action: 'removed' }]
  })
}

/** The derived files of a store that have a copy. They normally have what the log has. Paths are absolute. */
export function findStaleFiles(store: Store, { isErasable }: ErasurePlan): string[] {
  const { layout } = store
  return listFilesBelow(store, layout.folder).filter((file) => {
    const name = file.slice(layout.folder.length + 1)
    return OWN_FILE.test(name) && !name.startsWith('events/') && isErasable(readWhole(store, file))
  })
}

/** The JSON files for all projects. The config that a person wrote stays as it is. */
function eraseInHome({ files }: Store, home: string, { finder, dryRun }: SearchOptions): ErasedOtherFile[] {
  return files.list(home).flatMap((name): ErasedOtherFile[] => {
    const file = `${home}/${name}`
    if (!name.endsWith('.json') && !UNREAD_FILE.test(name)) return []
    if (finder.find(files.read(file)?.toString('utf8') ?? '', true).length === 0) return []
    const content = UNREAD_FILE.test(name) ? undefined : readJsonIfIntact<unknown>(files, file)
    if (!dryRun && content === undefined) files.remove(file)
    else if (!dryRun && file === personFilePath(home)) writeJsonFile(files, file, withoutStatements(content, finder))
    else if (!dryRun) writeJsonFile(files, file, redactTexts(content, finder))
    return [{ file, action: content === undefined ? 'removed' : 'redacted' }]
  })
}

/** Statements of a project whose store was deleted stay in the person's file: those with a copy are removed. */
function withoutStatements(content: unknown, finder: CopyFinder): PersonFile {
  const { projects = {}, superseded = [] } = content as Partial<PersonFile>
  const rest = Object.entries(projects).map(([name, memories]) => [
    name,
    memories.filter((memory) => finder.find(JSON.stringify(memory)).length === 0),
  ])
  return { projects: Object.fromEntries(rest), superseded }
}

function readWhole({ files }: Pick<Store, 'files'>, file: string): Buffer {
  const bytes = files.read(file) ?? Buffer.alloc(0)
  return decompress(bytes) ?? bytes
}

/**
 * Writes spaces over lines of a file: hooks may append to it meanwhile. A compressed one is replaced. Returns whether
 * there are any.
 */
function blankLines(store: Store, file: string, { isErasable }: ErasurePlan, dryRun: boolean): boolean {
  const { files } = store
  const stored = files.read(file) ?? Buffer.alloc(0)
  const bytes = readWhole(store, file)
  const isCompressed = !bytes.equals(stored)
  let isFound = false
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(0x0a, start)
    const end = newline === -1 ? bytes.length : newline
    if (isErasable(bytes.subarray(start, end))) {
      isFound = true
      if (!dryRun && !isCompressed) files.overwrite(file, start, Buffer.alloc(end - start, ' '))
      bytes.fill(' ', start, end)
    }
    start = end + 1
  }
  if (isFound && isCompressed && !dryRun) files.replace(file, gzipSync(bytes))
  return isFound
}

/**
 * Files of memctl's home that have a copy in their text or name. Paths are absolute. With `dryRun` without what
 * is derived from the logs.
 */
export function findLeftFiles(store: Store, stores: readonly PlannedStore[], { finder, dryRun }: SearchOptions) {
  const folders = stores.map((each) => each.store.layout.folder)
  const roots = store.home === undefined ? folders : [store.home]
  const isDerived = (file: string): boolean =>
    folders.some((folder) => file.startsWith(`${folder}/`) && !PERSONS_FILE.test(file.slice(folder.length + 1)))
  return roots
    .flatMap((root) => listFilesBelow(store, root))
    .filter((file) => {
      if (dryRun && isDerived(file)) return false
      const name = file.slice(file.lastIndexOf('/') + 1)
      return finder.find(name, true).length > 0 || finder.find(readWhole(store, file).toString('utf8')).length > 0
    })
}

function listFilesBelow({ files }: Pick<Store, 'files'>, folder: string): string[] {
  return files.list(folder).flatMap((name) => {
    const path = `${folder}/${name}`
    const children = SKIPPED_FOLDERS.has(name) ? [] : listFilesBelow({ files }, path)
    return children.length > 0 || SKIPPED_FOLDERS.has(name) ? children : isFile({ files }, path) ? [path] : []
  })
}

function isFile({ files }: Pick<Store, 'files'>, path: string): boolean {
  try {
    files.readAt(path, 0, 1)
    return true
  } catch {
    return false // An empty folder.
  }
}

/** In place of a copy: it is no sign of YAML, so front matter stays valid. */
const MARK = '(forgotten)'

/** Erases from entry files and archived ones, or with `dryRun` only lists them. Paths are absolute. */
export function eraseEntries(
  store: Store,
  finder: CopyFinder,
  dryRun: { readonly global: boolean; readonly project: boolean },
) {
  // Of a project that is not trusted, the folders with files of the person's own tools.
  const found = [...listEntryDirs(store), ...listEntryFiles(store).map(({ dir }) => dir)]
  const dirs = [...new Map(found.map((dir) => [dir.folder, dir])).values()].filter(({ isOwn }) => isOwn)
  const erase = (layer: EntryDir['layer']): ErasedOtherFile[] =>
    dirs.filter((dir) => dir.layer === layer).flatMap((dir) => eraseInDir(store, finder, dir, dryRun[layer]))
  return { global: erase('global'), project: erase('project') }
}

function eraseInDir(store: Store, finder: CopyFinder, dir: EntryDir, dryRun: boolean): ErasedOtherFile[] {
  const { files } = store
  const paths = [dir.folder, archiveFolder(dir.folder)].flatMap((folder) =>
    listArchive(store, folder)
      .names.filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  )
  return paths.flatMap((file) => {
    const text = readEntryBytes(store, file)?.toString('utf8')
    if (text === undefined) return []
    const name = file.slice(file.lastIndexOf('/') + 1, -'.md'.length)
    const spans = finder.find(text)
    const isNamed = finder.find(name, true).length > 0
    if (spans.length === 0 && !isNamed) return []
    const rest = replaceCopies(text, spans, MARK)
    const isRemoved = isNamed || !hasText(rest)
    if (!dryRun && isRemoved) files.remove(file)
    else if (!dryRun) files.replace(file, Buffer.from(rest))
    return [{ file, action: isRemoved ? ('removed' as const) : ('redacted' as const) }]
  })
}

function hasText(entry: string): boolean {
  const body = entry.replace(/^---\r?\n[\s\S]*?\r?\n---/, '')
  return /[\p{L}\p{N}]/u.test(body.replaceAll(MARK, ''))
}
