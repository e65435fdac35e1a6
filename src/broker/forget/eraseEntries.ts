// Copies in entry files. Those for all projects lie in memctl's home; those of a project belong to its repository and
// are only changed if the person asks for it.
import { type EntryDir, listEntryDirs } from '../../entries/entryDirs.ts'
import { listEntryFiles } from '../../entries/mtimeCache.ts'
import { type CopyFinder, replaceCopies } from '../../text/copies/findCopies.ts'
import { archiveFolder, listArchive, readEntryBytes } from '../entries/entryPaths.ts'
import type { Store } from '../open/openStore.ts'
import type { ErasedOtherFile } from './erasure.ts'

/** In place of a copy: it is no sign of YAML, so front matter stays valid. */
const MARK = '(forgotten)'

export interface EntryErasure {
  /** Of the entries in memctl's home. */
  readonly global: readonly ErasedOtherFile[]
  /** Of those in this project. */
  readonly project: readonly ErasedOtherFile[]
}

/** Erases from entry files and archived ones, or with `dryRun` only lists them. Paths are absolute. */
export function eraseEntries(
  store: Store,
  finder: CopyFinder,
  dryRun: { readonly global: boolean; readonly project: boolean },
): EntryErasure {
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

/** Whether an entry says anything besides what was erased. */
function hasText(entry: string): boolean {
  const body = entry.replace(/^---\r?\n[\s\S]*?\r?\n---/, '')
  return /[\p{L}\p{N}]/u.test(body.replaceAll(MARK, ''))
}
