// Erases events from the log's files, when a user wants something forgotten. Besides a repair, nothing else rewrites
// lines.
//
// Plain files are changed in place: a removed event is overwritten with spaces, a redacted one is written to its old
// place and filled with spaces inside its braces. Every position stays the same, and hooks may append meanwhile.
//
//   {"id":"e1",…}\n{"id":"e2","text":"the token is abc",…,"crc":"…"}\n
//   {"id":"e1",…}\n{"id":"e2","text":"the token is ***",…   ,"crc":"…"}\n
//
// Compressed files are replaced. A crash in between can leave a corrupt line; erasing again removes it.

import { createGunzip, gzipSync } from 'node:zlib'
import { EDIT_TOOLS, type Event, eventTimeMs } from '../../model/event.ts'
import { parseObject } from '../../model/unknownJson.ts'
import { baseName } from '../../text/filePaths.ts'
import { hash32 } from '../../text/hash.ts'
import type { Files } from '../disk/files.ts'
import { encodeLogLine, LOG_START, LOG_VERSION, type LogPosition, logFileName } from './eventLog.ts'
import {
  compressedLogName,
  findNewerVersion,
  iterateLogLines,
  type LogFile,
  listLogFiles,
  logFileLabel,
  readLogFile,
  readSupportedLogFile,
  splitPlainAndCompressed,
  startIn,
} from './readLog.ts'

/** Returns the event itself, undefined to remove it, or a redacted event that is not longer. */
export type EraseEvent = (event: Event) => Event | undefined

export interface ErasedFile {
  readonly name: string
  /** Numbers of events that were removed, and of events that lost a part. */
  readonly removed: number
  readonly redacted: number
}

export interface EraseOptions {
  /** The same; also gets the name of the event's file. */
  readonly eraseEvent: (event: Event, file: string) => Event | undefined
  /** Whether a truncated or corrupt line is removed too. */
  readonly isErasable: (bytes: Buffer) => boolean
  /** Changes nothing and returns what would be changed. */
  readonly dryRun?: boolean
  /**
   * Also closes an unclosed last line, so that it is checked like any other. Hooks write a line at once: what stays
   * unclosed has a writer that died.
   */
  readonly sealsTail?: boolean
  /** Only events after this position; default all. */
  readonly from?: LogPosition
}

/** What changes in a file: an event, or bytes that are no event. The new bytes are as many as the old ones. */
interface Edit {
  readonly kind: 'removed' | 'redacted' | 'truncated' | 'corrupt'
  readonly start: number
  readonly bytes: Buffer
}

/** The bytes of a file from `start` on, and what changes in them. */
type EditedBytes = Readonly<{ bytes: Buffer; start: number; edits: readonly Edit[] }>

/**
 * Applies `eraseEvent` to every event of the log and returns the changed files. The caller must hold the store's lock.
 * Throws STORE_INVALID and STORE_NEWER for files that it cannot read.
 */
export function eraseInLog(files: Files, folder: string, options: EraseOptions): ErasedFile[] {
  const { from = LOG_START } = options
  return listLogFiles(files, folder)
    .filter(({ number }) => number >= from.file - 1)
    .flatMap(splitPlainAndCompressed)
    .flatMap((file) => {
      // A compressed file is replaced as a whole.
      const start = file.plain ? startIn(file, from) : 0
      if (!options.dryRun && options.sealsTail && file.plain) sealTail(files, `${folder}/${logFileName(file.number)}`)
      const bytes = withClosedTail(readSupportedLogFile(files, folder, file, start), options)
      const name = logFileLabel(file)
      const edits = findEdits(bytes, name, options)
      const [first] = edits
      if (!first) return []
      if (!options.dryRun) {
        markRewrite(files, folder, { file: file.number, offset: start + first.start })
        applyEdits(files, folder, file, { bytes, start, edits })
      }
      const redacted = edits.filter(({ kind }) => kind === 'redacted').length
      return [{ name, removed: edits.length - redacted, redacted }]
    })
}

/** Changes a file. Nobody appends to a compressed one: it is replaced. */
function applyEdits(files: Files, folder: string, file: LogFile, { bytes, start, edits }: EditedBytes): void {
  if (file.plain) {
    for (const edit of edits) files.overwrite(`${folder}/${logFileName(file.number)}`, start + edit.start, edit.bytes)
    return
  }
  const edited = Buffer.from(bytes)
  for (const edit of edits) edit.bytes.copy(edited, edit.start)
  files.replace(`${folder}/${compressedLogName(file.number)}`, compressLog(edited))
}

function findEdits(
  bytes: Buffer,
  file: string,
  { eraseEvent, isErasable }: Pick<EraseOptions, 'eraseEvent' | 'isErasable'>,
): Edit[] {
  const edits: Edit[] = []
  for (const { start, end, line } of iterateLogLines(bytes)) {
    if (line.kind === 'event') {
      const event = eraseEvent(line.event, file)
      const before = bytes.subarray(start, start + line.truncatedBytes)
      if (event !== line.event) {
        const redacted = event && encodeWithin(event, end - start)
        const removed = { kind: 'removed', start, bytes: blanks(end - start) } as const
        edits.push(redacted ? { kind: 'redacted', start, bytes: redacted } : removed)
      } else if (before.length > 0 && isErasable(before)) {
        // The event that follows must begin a line.
        edits.push({ kind: 'truncated', start, bytes: blanks(before.length, '\n') })
      }
    } else if ((line.kind === 'truncated' || line.kind === 'corrupt') && isErasable(bytes.subarray(start, end))) {
      edits.push({ kind: line.kind, start, bytes: blanks(end - start) })
    }
  }
  return edits
}

const blanks = (length: number, end = ''): Buffer => Buffer.from(' '.repeat(length - end.length) + end)

/** In a preview, the bytes as if the last line were closed. */
const withClosedTail = (bytes: Buffer, { sealsTail, dryRun }: EraseOptions): Buffer =>
  sealsTail && dryRun && bytes.length > 0 && bytes.at(-1) !== 0x0a ? Buffer.concat([bytes, Buffer.from('\n')]) : bytes

/** Closes the last line, as the next append would. */
function sealTail(files: Files, name: string): void {
  const size = files.size(name) ?? 0
  if (size > 0 && files.readAt(name, size - 1, 1)[0] !== 0x0a) files.append(name, Buffer.from('\n'))
}

/** The event's line in exactly `length` bytes, without its newline; undefined if it needs more. */
function encodeWithin(event: Event, length: number): Buffer | undefined {
  const spaces = length - (encodeLogLine(event).length - 1)
  return spaces < 0 ? undefined : encodeLogLine(event, spaces).subarray(0, length)
}

// Repairs the log: moves truncated and corrupt bytes out of it into a file of their own. No event changes.
//
// In a plain file those bytes are overwritten with spaces. Every event and every position stays the same, so snapshots
// stay valid and hooks may append meanwhile. Replacing the file would lose events that a hook appends during the
// repair.
//
//   {"id":"e1",…}\n   {"id":"e2","at   {"id":"e3",…}\n
//                     ╰─ 14 bytes ──╯
//   {"id":"e1",…}\n                  \n{"id":"e3",…}\n     the last byte becomes a newline if an event follows
//
// Nobody appends to a compressed file: it is replaced.

type LogFileRepair = ReturnType<typeof summarizeRepair>

export type LogRepairResult = Awaited<ReturnType<typeof repairLog>>

/** A repair changes no event. */
const ALL_DAMAGE = { eraseEvent: (event: Event) => event, isErasable: () => true }

/**
 * Repairs the log at `now`, in ms since 1970; `dryRun` changes nothing. Returns the bytes that were moved out of each
 * file, where they are now, and files of a later version, which stay. The caller must hold the lock.
 */
export async function repairLog(files: Files, folder: string, now: number, dryRun = false) {
  const repairs: LogFileRepair[] = []
  const newerFiles: string[] = []
  const keptIn = `${folder}/damaged-${new Date(now).toISOString().replaceAll(':', '-')}.txt`
  for (const file of listLogFiles(files, folder).flatMap(splitPlainAndCompressed)) {
    const readable = await readReadablePart(files, folder, file)
    if (findNewerVersion(readable.bytes) !== undefined) {
      newerFiles.push(logFileLabel(file))
      continue
    }
    const edits = findEdits(readable.bytes, logFileLabel(file), ALL_DAMAGE)
    if (edits.length === 0 && !readable.incomplete) continue
    repairs.push(summarizeRepair(file, edits, readable.incomplete))
    if (dryRun) continue
    if (edits.length > 0) files.append(keptIn, listDamagedBytes(file, readable.bytes, edits), true)
    if (readable.incomplete) keepDamagedFile(files, folder, file, keptIn)
    markRewrite(files, folder, { file: file.number, offset: 0 })
    applyEdits(files, folder, file, { bytes: readable.bytes, start: 0, edits })
  }
  return { files: repairs, keptIn: repairs.length > 0 && !dryRun ? keptIn : null, newerFiles }
}

function summarizeRepair(file: LogFile, edits: readonly Edit[], incomplete: boolean) {
  const count = (wanted: Edit['kind']): number => edits.filter(({ kind }) => kind === wanted).length
  const bytes = edits.reduce((sum, edit) => sum + edit.bytes.length, 0)
  return { name: logFileLabel(file), truncated: count('truncated'), corrupt: count('corrupt'), bytes, incomplete }
}

/** The damaged bytes, each part under a line that says where it was. */
function listDamagedBytes(file: LogFile, bytes: Buffer, edits: readonly Edit[]): Buffer {
  const parts = edits.flatMap(({ kind, start, bytes: { length } }) => [
    Buffer.from(`# ${logFileLabel(file)}, byte ${start}, ${length} bytes, ${kind}\n`),
    bytes.subarray(start, start + length),
    Buffer.from('\n'),
  ])
  return Buffer.concat(parts)
}

/** Keeps a compressed file that cannot be read to its end: other tools may be able to decompress more of it. */
function keepDamagedFile(files: Files, folder: string, file: LogFile, keptIn: string): void {
  const name = compressedLogName(file.number)
  const damaged = files.read(`${folder}/${name}`)
  if (damaged) files.replace(keptIn.replace(/\.txt$/, `-${name}`), damaged)
}

/** A file's bytes; of a damaged compressed file those before the damage. */
async function readReadablePart(files: Files, folder: string, file: LogFile) {
  try {
    return { bytes: readLogFile(files, folder, file), incomplete: false }
  } catch {
    const compressed = files.read(`${folder}/${compressedLogName(file.number)}`) ?? Buffer.alloc(0)
    // The newline closes the last line, which then counts as truncated.
    return { bytes: Buffer.concat([await decompressReadable(compressed), Buffer.from('\n')]), incomplete: true }
  }
}

function decompressReadable(compressed: Buffer): Promise<Buffer> {
  const parts: Buffer[] = []
  return new Promise((resolve) => {
    const gunzip = createGunzip({ chunkSize: 4_096 })
    gunzip.on('data', (part: Buffer) => parts.push(part))
    for (const end of ['end', 'error']) gunzip.once(end, () => resolve(Buffer.concat(parts)))
    gunzip.end(compressed)
  })
}

// Marks of files of the log that memctl itself has rewritten: erased events, redacted secrets, repaired lines. The next
// manifest computes the checksums of these files anew, and removes the marks.
//
// A mark is on the disk before the first byte is changed. So after a kill at any write, a file that differs from its
// checksums without a mark was changed by something else. Writers and readers hold the lock of the store.

/** A rewritten file: its number, and the first byte that changed. */
export type RewriteMark = Readonly<{ file: number; offset: number }>

const marksFile = (folder: string): string => `${folder}/rewritten`

function markRewrite(files: Files, folder: string, { file, offset }: RewriteMark): void {
  files.append(marksFile(folder), Buffer.from(`${JSON.stringify({ file, offset })}\n`), true)
}

export function readRewriteMarks(files: Files, folder: string): RewriteMark[] {
  const lines = files.read(marksFile(folder))?.toString('utf8').split('\n') ?? []
  return lines.flatMap((line) => parseMark(line) ?? [])
}

export function clearRewriteMarks(files: Files, folder: string): void {
  if (files.size(marksFile(folder)) !== undefined) files.remove(marksFile(folder))
}

/** Undefined for a line that was written only in part: nothing was changed yet. */
function parseMark(line: string): RewriteMark | undefined {
  const { file, offset } = (parseObject(line) ?? {}) as Partial<RewriteMark>
  return Number.isInteger(file) && Number.isInteger(offset) ? { file: file ?? 0, offset: offset ?? 0 } : undefined
}

// Compresses cold log files to a sixth of their size. Rebuilds and queries still read them, hooks do not.
//
// A plain file is removed only after its compressed copy was read back and is equal. A crash in between leaves both
// files: the plain one counts, and the next maintenance repeats the step.

/** The projection must be this many files further: catching up also reads the file before its own, for late events. */
const FILES_BEHIND_MIN = 2

/** The newest event of a cold file is older than this, in milliseconds. No hook runs that long and still appends. */
const COLD_AFTER_MS = 7 * 86_400_000

/** Files compressed in one maintenance. A file of 8 MiB takes about 0.2 s, and the worker has more to do. */
const FILES_AT_ONCE_MAX = 3

/** How much of a file's end is searched for its newest event, in bytes: several events of the greatest size. */
const NEWEST_TAIL_BYTES = 65_536

/** Compresses the files that are cold at `now` and returns their numbers. The caller must hold the store's lock. */
export function compressColdFiles(files: Files, folder: string, cursor: LogPosition, now: number): number[] {
  const compressed: number[] = []
  for (const file of listLogFiles(files, folder)) {
    if (file.number > cursor.file - FILES_BEHIND_MIN || compressed.length === FILES_AT_ONCE_MAX) break
    if (file.plain && isCold(files, folder, file, now) && compress(files, folder, file)) compressed.push(file.number)
  }
  return compressed
}

function isCold(files: Files, folder: string, file: LogFile, now: number): boolean {
  const name = `${folder}/${logFileName(file.number)}`
  const size = files.size(name) ?? 0
  const start = Math.max(0, size - NEWEST_TAIL_BYTES)
  const newest =
    newestEventTime(files.readAt(name, start, size - start)) ?? newestEventTime(files.read(name) ?? Buffer.alloc(0))
  return newest === undefined || now - newest > COLD_AFTER_MS
}

function newestEventTime(bytes: Buffer): number | undefined {
  let newest: number | undefined
  for (const { line } of iterateLogLines(bytes)) {
    // A file of a later version is never cold: that version compresses it.
    if (line.kind === 'header' && line.version > LOG_VERSION) return Number.POSITIVE_INFINITY
    if (line.kind === 'event') newest = Math.max(newest ?? 0, eventTimeMs(line.event))
  }
  return newest
}

/** False if the copy differs or the file changed meanwhile: then the plain file stays. */
function compress(files: Files, folder: string, file: LogFile): boolean {
  const plain = `${folder}/${logFileName(file.number)}`
  const size = files.size(plain)
  const bytes = readLogFile(files, folder, file)
  files.replace(`${folder}/${compressedLogName(file.number)}`, compressLog(bytes))
  const copy = readLogFile(files, folder, { ...file, plain: false, compressed: true })
  if (!copy.equals(bytes) || files.size(plain) !== size) return false
  // The new name must be on the disk before the old one is removed.
  files.sync(folder)
  files.remove(plain)
  return true
}

// The gzip header says which files the calls of a compressed file have changed: a question about one file decompresses
// only what it needs. Other programs ignore it (RFC 1952, FEXTRA):
//
//   1f 8b 08 04 …10 bytes  | length: 16 bits | 'm' 'f' length: 16 bits | hash32 of each name, 32 bits, ascending

const HEADER_BYTES = 10
const FLAGS = 3
const HAS_EXTRA = 4
/** 'mf', for "modified files". */
const FIELD = 0x66_6d

/** What the header has room for; a part of the log with more names has none. */
const NAMES_MAX = 16_000

function compressLog(bytes: Buffer): Buffer {
  const compressed = gzipSync(bytes)
  const hashes = listEditedNames(bytes)
  if (hashes.length > NAMES_MAX) return compressed
  const extra = Buffer.alloc(6 + 4 * hashes.length)
  extra.writeUInt16LE(extra.length - 2, 0)
  extra.writeUInt16LE(FIELD, 2)
  extra.writeUInt16LE(4 * hashes.length, 4)
  hashes.forEach((hash, i) => {
    extra.writeUInt32LE(hash, 6 + 4 * i)
  })
  compressed.writeUInt8(compressed.readUInt8(FLAGS) | HAS_EXTRA, FLAGS)
  return Buffer.concat([compressed.subarray(0, HEADER_BYTES), extra, compressed.subarray(HEADER_BYTES)])
}

function listEditedNames(bytes: Buffer): number[] {
  const hashes = new Set<number>()
  for (const { line } of iterateLogLines(bytes)) {
    if (line.kind !== 'event' || line.event.kind !== 'call.succeeded' || !EDIT_TOOLS.has(line.event.tool)) continue
    for (const file of line.event.files) hashes.add(hash32(baseName(file)))
  }
  return [...hashes].sort((a, b) => a - b)
}

/**
 * Whether a call in a part of the log may have changed a file of this name: always of a plain part, and of one whose
 * header has no names; never of one that is not there.
 */
export function mayHaveEdited(files: Files, folder: string, part: number, name: string): boolean {
  if (files.size(`${folder}/${logFileName(part)}`) !== undefined) return true
  const path = `${folder}/${compressedLogName(part)}`
  const header = files.readAt(path, 0, HEADER_BYTES + 6)
  if (header.length < HEADER_BYTES + 6) return header.length > 0
  if ((header.readUInt8(FLAGS) & HAS_EXTRA) === 0 || header.readUInt16LE(HEADER_BYTES + 2) !== FIELD) return true
  const hashes = files.readAt(path, header.length, header.readUInt16LE(HEADER_BYTES + 4))
  const hash = hash32(name)
  for (let at = 0; at + 4 <= hashes.length; at += 4) if (hashes.readUInt32LE(at) === hash) return true
  return false
}
