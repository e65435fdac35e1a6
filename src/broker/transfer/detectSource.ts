// Which source a file or folder is, from its name and its beginning.

import { IMPORT_DATABASE_BYTES_MAX } from '../../model/limits.ts'
import type { ImportName } from '../../model/memory.ts'
import { inspectFolder, isFileFault, listUntrusted, readUntrusted } from '../../store/disk/untrustedFiles.ts'
import { isExportText } from './exportFormat.ts'
import { isMarkdownExport } from './exportMarkdown.ts'

const NAMES_MAX = 10_000

/** Undefined for what is not there, and for what no source reads. */
export function detectSource(path: string): ImportName | undefined {
  if (inspectFolder(undefined, path) === true) {
    const { names } = listUntrusted(undefined, path, NAMES_MAX)
    if (names.includes('claude-mem.db')) return 'claude-mem'
    return names.includes('MEMORY.md') ? 'auto-memory' : 'markdown'
  }
  const bytes = readUntrusted(undefined, path, IMPORT_DATABASE_BYTES_MAX)
  if (bytes === undefined || isFileFault(bytes)) return undefined
  const start = bytes.toString('utf8', 0, 8_192)
  if (start.startsWith('SQLite format 3')) return 'claude-mem'
  if (isExportText(start) || isMarkdownExport(start)) return 'memctl'
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  if (/^CLAUDE(?:\.local)?\.md$/.test(name)) return 'claude-md'
  return /\.(?:md|markdown|mdx)$/i.test(name) ? 'markdown' : undefined
}
