// The client's own memory of a project: `MEMORY.md` and one Markdown file per memory, in `~/.claude/projects/<path of
// the project, with - for other characters>/memory/`, or in `autoMemoryDirectory` of the person's settings. The client
// shows the index at every start and picks files at prompts, so hooks inject none of it.
import { MemoryError } from '../../../model/memoryError.ts'
import { isFileFault, listUntrusted, readUntrusted } from '../../../store/disk/untrustedFiles.ts'
import { mainWorkTree } from '../../../store/project/gitFolder.ts'
import type { ImportItem, ReadSource } from '../importItem.ts'
import { itemsOfNote, splitFrontMatter } from './markdown.ts'
import { describePath, isFolder, readMarkdownFiles, type SourceContext, type SourceFile } from './sourceFiles.ts'

const INDEX = 'MEMORY.md'

/** Reads the folder. Throws NOT_FOUND if there is none. */
export function readAutoMemory(context: SourceContext): ReadSource {
  const folder = context.path ?? findFolder(context)
  if (folder === undefined || !isFolder(folder, context)) {
    const where = folder ?? `${context.claudeFolder}/projects/${folderName(context.store.project.root)}/memory`
    throw new MemoryError('NOT_FOUND', `There is no memory of the client at ${where}`, {
      hint: 'Name its folder: `memctl import auto-memory FOLDER`.',
    })
  }
  const { files, faults } = readMarkdownFiles(folder, context)
  const location = describePath(folder, context)
  const items = files.flatMap((file) => itemsOfFile(file, file.path.slice(folder.length + 1), location))
  return { name: 'auto-memory', location, items, faults, notes: [] }
}

/** A memory with its name, description and type. The index has one line per file, which the files say better. */
function itemsOfFile(file: SourceFile, name: string, where: string): ImportItem[] {
  const origin = { where, provenance: 'assistant' as const, searchOnly: true }
  if (name === INDEX) {
    const text = file.text.replace(/^\s*[-*]\s+\[[^\]]*\]\([^)]+\.md\).*$/gm, '')
    return itemsOfNote({ ...file, text }, name, origin, ['auto-memory'])
  }
  const { front, body } = splitFrontMatter(file.text)
  const { metadata, name: title, description } = front
  const type = (metadata as { type?: unknown } | null | undefined)?.type ?? front['type']
  const lead = [title, description].filter((part) => typeof part === 'string' && part.trim() !== '').join(': ')
  const tags = ['auto-memory', ...(typeof type === 'string' ? [type] : [])]
  const text = lead === '' ? body : `---\ntitle: ${JSON.stringify(lead)}\n---\n${body}`
  return itemsOfNote({ ...file, text }, name, origin, tags)
}

/** Where the client keeps it: of the repository's main work tree, whatever work tree the person is in. */
function findFolder({ claudeFolder, userHome, store }: SourceContext): string | undefined {
  const configured = readConfigured(`${claudeFolder}/settings.json`)
  if (configured !== undefined) return configured.replace(/^~(?=\/)/, userHome)
  const projects = `${claudeFolder}/projects`
  const { names } = listUntrusted(undefined, projects, 20_000)
  const roots = [mainWorkTree(store.project.root) ?? store.project.root, store.project.root]
  for (const root of roots) {
    const full = folderName(root)
    // The client cuts a long name and adds a hash.
    const name = names.find(
      (each) => each === full || (full.length > NAME_CHARS_MAX && each.startsWith(`${full.slice(0, NAME_CHARS_MAX)}-`)),
    )
    if (name !== undefined) return `${projects}/${name}/memory`
  }
  return undefined
}

const NAME_CHARS_MAX = 200

const folderName = (root: string): string => root.replace(/[^a-zA-Z0-9]/g, '-')

const SETTINGS_BYTES_MAX = 1_048_576

function readConfigured(file: string): string | undefined {
  const bytes = readUntrusted(undefined, file, SETTINGS_BYTES_MAX)
  if (bytes === undefined || isFileFault(bytes)) return undefined
  try {
    const settings = JSON.parse(bytes.toString('utf8')) as { autoMemoryDirectory?: unknown }
    return typeof settings.autoMemoryDirectory === 'string' ? settings.autoMemoryDirectory : undefined
  } catch {
    return undefined // Settings with comments, or damaged ones: the usual folder counts.
  }
}
