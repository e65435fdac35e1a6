// Marks of files of the log that memctl itself has rewritten: erased events, redacted secrets, repaired lines. The next
// manifest computes the checksums of these files anew, and removes the marks.
//
// A mark is on the disk before the first byte is changed. So after a kill at any write, a file that differs from its
// checksums without a mark was changed by something else. Writers and readers hold the lock of the store.
import type { Files } from '../disk/files.ts'

/** A rewritten file: its number, and the first byte that changed. */
export interface RewriteMark {
  readonly file: number
  readonly offset: number
}

const marksFile = (folder: string): string => `${folder}/rewritten`

/** Marks a file of the log as rewritten from a byte on. */
export function markRewrite(files: Files, folder: string, { file, offset }: RewriteMark): void {
  files.append(marksFile(folder), Buffer.from(`${JSON.stringify({ file, offset })}\n`), true)
}

export function readRewriteMarks(files: Files, folder: string): RewriteMark[] {
  const lines = files.read(marksFile(folder))?.toString('utf8').split('\n') ?? []
  return lines.flatMap((line) => parseMark(line) ?? [])
}

export function clearRewriteMarks(files: Files, folder: string): void {
  if (files.size(marksFile(folder)) !== undefined) files.remove(marksFile(folder))
}

function parseMark(line: string): RewriteMark | undefined {
  try {
    const { file, offset } = JSON.parse(line) as RewriteMark
    return Number.isInteger(file) && Number.isInteger(offset) ? { file, offset } : undefined
  } catch {
    return undefined // Written only in part: nothing was changed yet.
  }
}
