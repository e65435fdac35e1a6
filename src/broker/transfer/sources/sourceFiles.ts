// The files of a source: which source they are of, and how they are read: regular files of limited size, below the
// project without following links.
import { IMPORT_FILE_BYTES_MAX, IMPORT_FILES_MAX } from '../../../model/limits.ts'
import { MemoryError } from '../../../model/memoryError.ts'
import {
  type FileFault,
  inspectFolder,
  inspectUntrusted,
  isFileFault,
  listUntrusted,
  readUntrusted,
} from '../../../store/disk/untrustedFiles.ts'
import type { Environment, Store } from '../../open/openStore.ts'

export interface SourceContext {
  readonly store: Store
  /** The file or folder that the person names, absolute with forward slashes; undefined for the default place. */
  readonly path: string | undefined
  /** The home folder of the person, with forward slashes. */
  readonly userHome: string
  readonly env: Environment
  /** Whether the source takes too long. */
  readonly isLate: () => boolean
}

export interface SourceFile {
  /** The complete path. */
  readonly path: string
  readonly text: string
  /** ISO. */
  readonly modified: string
}

/** The path as memories name it: inside the project relative to it, in the person's home with `~`. */
export function describePath(path: string, { store, userHome }: Pick<SourceContext, 'store' | 'userHome'>): string {
  const { root } = store.project
  if (path === root) return '.'
  if (path.startsWith(`${root}/`)) return path.slice(root.length + 1)
  if (path === userHome) return '~'
  return path.startsWith(`${userHome}/`) ? `~${path.slice(userHome.length)}` : path
}

/** Whether a repository may have brought the file: by its name, or where it really is (`//`, `/proc/self/cwd`). */
export function isOfProject(path: string, { store: { files, project } }: Pick<SourceContext, 'store'>): boolean {
  const root = files.realPath(project.root) ?? project.root
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/'))) || '/'
  return isBelow(path, project.root) || [path, folder].some((each) => isBelow(files.realPath(each) ?? each, root))
}

const isBelow = (path: string, root: string): boolean => path === root || path.startsWith(`${root}/`)

/** Below the project no link is followed. */
const rootOf = (path: string, context: SourceContext): string | undefined =>
  isOfProject(path, context) ? context.store.project.root : undefined

/** A text file; a fault for anything that is not one, undefined if there is none. */
function readSourceFile(path: string, context: SourceContext): SourceFile | FileFault | undefined {
  const root = rootOf(path, context)
  const bytes = readUntrusted(root, path, IMPORT_FILE_BYTES_MAX)
  if (bytes === undefined || isFileFault(bytes)) return bytes
  if (bytes.includes(0)) return { file: path, what: 'it is not a text', hint: 'Name a text file in UTF-8.' }
  const text = bytes
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .replaceAll('\r\n', '\n')
  const stats = inspectUntrusted(root, path)
  const modified = stats === undefined || isFileFault(stats) ? new Date(0) : stats.mtime
  return { path, text, modified: modified.toISOString() }
}

/** The same; throws NOT_FOUND and INPUT_INVALID. */
export function readNamedFile(path: string, context: SourceContext): SourceFile {
  const file = readSourceFile(path, context)
  if (file === undefined) throw new MemoryError('NOT_FOUND', `There is no file ${path}`, { hint: 'Check the path.' })
  if ('what' in file) throw faultError(file)
  return file
}

export const faultError = ({ file, what, hint }: FileFault): MemoryError =>
  new MemoryError('INPUT_INVALID', `${file}: ${what}`, { hint })

export const isFolder = (path: string, context: SourceContext): boolean =>
  inspectFolder(rootOf(path, context), path) === true

/** Folders of programs, which have no notes. */
const SKIPPED = new Set(['node_modules', '__pycache__', 'venv', 'dist', 'build', 'target'])

const DEPTH_MAX = 12

/** The Markdown files below a folder, sorted by path; hidden files and folders are skipped. */
export function readMarkdownFiles(folder: string, context: SourceContext) {
  const files: SourceFile[] = []
  const faults: FileFault[] = []
  const visited = new Set<string | undefined>()
  const realFolder = context.store.files.realPath(folder) ?? folder
  const visit = (current: string, depth: number): void => {
    // In the person's own folders links are followed inside of it, and may lead back.
    const real = context.store.files.realPath(current)
    if (visited.has(real)) return
    visited.add(real)
    const { names, fault } = listUntrusted(rootOf(current, context), current, IMPORT_FILES_MAX)
    if (fault) faults.push(fault)
    for (const name of names) {
      if (name.startsWith('.') || SKIPPED.has(name)) continue
      const path = `${current}/${name}`
      if (!isBelow(context.store.files.realPath(path) ?? path, realFolder)) {
        const hint = 'Import what it leads to by its name.'
        faults.push({ file: path, what: 'it is a link out of the folder', hint })
        continue
      }
      if (/\.(?:md|markdown|mdx)$/i.test(name)) {
        if (files.length >= IMPORT_FILES_MAX) {
          const hint = 'Import one of its folders at a time.'
          faults.push({ file: folder, what: `it has more than ${IMPORT_FILES_MAX} Markdown files`, hint })
          return
        }
        const file = readSourceFile(path, context)
        if (file !== undefined && 'what' in file) faults.push(file)
        else if (file) files.push(file)
      } else if (!name.includes('.') || isFolder(path, context)) {
        if (depth < DEPTH_MAX && isFolder(path, context)) visit(path, depth + 1)
      }
      if (files.length >= IMPORT_FILES_MAX) return
    }
  }
  visit(folder, 0)
  return { files, faults }
}
