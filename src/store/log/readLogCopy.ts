// Reads a copy of a log, wherever it is: one file, plain or compressed, or a folder of them.
import { gunzipSync } from 'node:zlib'
import type { Event } from '../../model/event.ts'
import type { Files } from '../disk/files.ts'
import { inspectUntrusted, isFileFault } from '../disk/untrustedFiles.ts'
import { iterateLogLines, listLogFiles, logFileLabel, splitPlainAndCompressed } from './logFiles.ts'

interface LogCopy {
  /** Each once, in the order of the copy. */
  readonly events: readonly Event[]
  readonly unreadable: number
}

/** What can be read of a log in a file, in a folder, or in the folder `events` of a store. */
export function readLogCopy(files: Files, path: string): LogCopy {
  const events = new Map<string, Event>()
  let unreadable = 0
  for (const file of listCopyFiles(files, path)) {
    const bytes = decompress(files.read(file) ?? Buffer.alloc(0))
    // The newline closes a last line that was never closed.
    for (const { line } of iterateLogLines(Buffer.concat([bytes, Buffer.from('\n')]))) {
      if (line.kind === 'event') events.set(line.event.id, events.get(line.event.id) ?? line.event)
      if (line.kind === 'corrupt' || line.kind === 'truncated') unreadable++
    }
  }
  return { events: [...events.values()], unreadable }
}

function listCopyFiles(files: Files, path: string): string[] {
  // A device may never end, and a pipe may never begin.
  if (files.permissions(path)?.kind !== 'folder') return isFileFault(inspectUntrusted(undefined, path)) ? [] : [path]
  const folder = files.list(`${path}/events`).length > 0 ? `${path}/events` : path
  return listLogFiles(files, folder)
    .flatMap(splitPlainAndCompressed)
    .map((file) => `${folder}/${logFileLabel(file)}`)
    .filter((file) => files.permissions(file)?.kind === 'file')
}

/** The bytes, decompressed as far as possible. */
function decompress(bytes: Buffer): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return gunzipSync(bytes, { finishFlush: 2 })
  } catch {
    return Buffer.alloc(0) // Nothing of it can be read: `unreadable` counts lines only.
  }
}
