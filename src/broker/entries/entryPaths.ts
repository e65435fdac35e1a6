// An entry's file by its label, and its places in the archive beside it.

import { type EntryDir, globalEntriesFolder } from '../../entries/entryDirs.ts'
import type { EntryFile } from '../../entries/mtimeCache.ts'
import type { EntrySource } from '../../model/entrySource.ts'
import type { Store } from '../open/openStore.ts'

/** How a file is named in a memory: the same on every machine. */
export const entryLabel = ({ dir, name }: EntryFile): string => `${dir.label}/${name}`

/** The file that a label names here. */
export function entryPath(store: Store, label: string): string {
  if (label.startsWith('global/')) return globalEntriesFolder(store) + label.slice('global'.length)
  if (label.startsWith('~/')) return (store.userHome ?? '') + label.slice(1)
  return `${store.project.root}/${label}`
}

/**
 * Whether a path of a place, there or not yet, lies where it says. A link in somebody's repository must not bring a file of this
 * machine into memories, or have one written elsewhere; in one's own home a link is one's own.
 */
export function isInsideProject({ files, project }: Store, { layer }: Pick<EntryDir, 'layer'>, path: string): boolean {
  if (layer === 'global') return true
  const root = files.realPath(project.root) ?? project.root
  for (let at = path; at.length > project.root.length; at = at.slice(0, at.lastIndexOf('/'))) {
    const real = files.realPath(at)
    if (real !== undefined) return real.startsWith(`${root}/`)
  }
  return true
}

/** The archive beside a folder of entries. */
export const archiveFolder = (folder: string): string => `${folder}/archive`

/** Whether the entry's file was moved to the archive beside it, by us, by hand or by git. */
export function isFileArchived(store: Store, { file }: EntrySource): boolean {
  const path = entryPath(store, file)
  const at = path.lastIndexOf('/')
  return listArchivedNames(store, path.slice(0, at), path.slice(at + 1)).length > 0
}

/** The names under which a file may have been archived, the latest last: an older one of its name is not overwritten. */
export function listArchivedNames({ files }: Store, folder: string, name: string): string[] {
  const stem = name.slice(0, -'.md'.length)
  const counted = files.list(archiveFolder(folder)).flatMap((one) => {
    if (one === name) return [{ one, count: 1 }]
    if (!one.startsWith(`${stem}~`) || !one.endsWith('.md')) return []
    const count = Number(one.slice(stem.length + 1, -'.md'.length))
    return Number.isInteger(count) && count > 1 && count < 1e6 ? [{ one, count }] : []
  })
  return counted.sort((a, b) => a.count - b.count).map(({ one }) => one)
}

/** A name that none in the archive has. */
export function findFreeName(store: Store, folder: string, name: string): string {
  const last = listArchivedNames(store, folder, name).at(-1)
  if (last === undefined) return name
  const stem = name.slice(0, -'.md'.length)
  const count = last === name ? 1 : Number(last.slice(stem.length + 1, -'.md'.length))
  return `${stem}~${count + 1}.md`
}
