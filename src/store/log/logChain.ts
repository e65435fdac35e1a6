// Checksums of the part of the log that a snapshot covers. The manifest has them, so that a log that was truncated,
// overwritten or exchanged is not taken for the store's own. Hooks append without them and without a lock.
//
//   000001.jsonl ┌─ block 1 ─┬─ block 2 ─┬─ block 3 ──┐ covered   appended since
//                └─ hash 1 ──▶ hash 2 ───▶ hash 3 ────┘           (in the next manifest)
//
// The hash of a block includes the hash of the block before. So the last hash of a file stands for all of its covered
// bytes, and a file that has grown costs only its new bytes and the rest of one block.
import { createHash } from 'node:crypto'
import type { Files } from '../disk/files.ts'
import { type LogPosition, logFileName } from './eventLog.ts'
import { type LogFile, listLogFiles, readLogFile } from './readLog.ts'
import { readRewriteMarks } from './rewriteLog.ts'

/** The covered part of one file of the log. */
export interface ChainedFile {
  readonly file: number
  /** How many of its bytes are covered; of a compressed file before compression. */
  readonly bytes: number
  /** Hash of its last covered block, which includes those before: 24 hexadecimal digits; empty if it is not known. */
  readonly hash: string
  /** The ids of its first and its last covered event: they tell a damaged file from one of another store. */
  readonly events: readonly string[]
}

export interface LogChain {
  /** Ascending. */
  readonly files: readonly ChainedFile[]
  /** The hashes of all blocks of the last file but its last one, to go on from. */
  readonly blocks: readonly string[]
}

export const BLOCK_BYTES = 262_144

const HASH_DIGITS = 24

/**
 * The chain of the log up to `position`, from the one before. A file that no longer has the bytes of its chain keeps
 * its entry, so that its damage is still found, unless memctl itself has rewritten it.
 */
export function extendLogChain(
  files: Files,
  folder: string,
  before: LogChain | undefined,
  position: LogPosition,
): LogChain {
  const known = new Map(before?.files.map((entry) => [entry.file, entry]))
  const last = before?.files.at(-1)
  const marks = readRewriteMarks(files, folder)
  const blocks = new Map([[last?.file, before?.blocks ?? []]])
  for (const file of listLogFiles(files, folder)) {
    const { number } = file
    if (number > position.file) break
    const marked = marks.filter((mark) => mark.file === number).map(({ offset }) => offset)
    const entry = known.get(number)
    const isRewritten = entry !== undefined && Math.min(...marked) < entry.bytes
    const old = entry && !isRewritten ? { entry, blocks: blocks.get(number) ?? [] } : undefined
    const chained = chainFile(files, folder, file, { old, bytes: coveredBytes(file, position) })
    known.set(number, chained.entry)
    blocks.set(number, chained.blocks)
  }
  const chained = [...known.values()].sort((a, b) => a.file - b.file)
  return { files: chained, blocks: blocks.get(chained.at(-1)?.file) ?? [] }
}

/** How much of a file a position covers; undefined for all of it. */
function coveredBytes({ number }: LogFile, { file, offset, previous }: LogPosition): number | undefined {
  if (number === file) return offset
  return number === file - 1 ? previous : undefined
}

type FileToChain = Readonly<{ old: ChainedBlocks | undefined; bytes: number | undefined }>
type ChainedBlocks = Readonly<{ entry: ChainedFile; blocks: readonly string[] }>

function chainFile(files: Files, folder: string, file: LogFile, { old, bytes }: FileToChain): ChainedBlocks {
  // Nobody appends to a compressed file.
  if (old && (!file.plain || (bytes ?? fileBytes(files, folder, file)) <= old.entry.bytes)) return old
  // Without the hashes of its blocks a file is read from its start.
  const start = old ? old.blocks.length * BLOCK_BYTES : 0
  const read = readUnlessDamaged(files, folder, file, start)
  if (!read) return old ?? { entry: { file: file.number, bytes: 0, hash: '', events: [] }, blocks: [] }
  const covered = read.subarray(0, bytes === undefined ? read.length : Math.max(0, bytes - start))
  const before = old?.blocks.at(-1) ?? ''
  if (old && lastHash(hashBlocks(covered.subarray(0, old.entry.bytes - start), before)) !== old.entry.hash) return old
  const added = hashBlocks(covered, before)
  const events = [old?.entry.events[0] ?? findEventId(covered, 'first'), findEventId(covered, 'last')]
  return {
    entry: {
      file: file.number,
      bytes: start + covered.length,
      hash: lastHash(added) || before,
      events: events.filter((id) => id !== undefined),
    },
    blocks: [...(old?.blocks ?? []), ...added.slice(0, -1)],
  }
}

/** The hashes of the blocks of some bytes, each with the one before. */
function hashBlocks(bytes: Buffer, before: string): string[] {
  const hashes: string[] = []
  for (let at = 0; at < bytes.length; at += BLOCK_BYTES) {
    const hash = createHash('sha256').update(hashes.at(-1) ?? before)
    hashes.push(
      hash
        .update(bytes.subarray(at, at + BLOCK_BYTES))
        .digest('hex')
        .slice(0, HASH_DIGITS),
    )
  }
  return hashes
}

const lastHash = (hashes: readonly string[]): string => hashes.at(-1) ?? ''

/** The id of the first or last line that begins like an event. */
function findEventId(bytes: Buffer, which: 'first' | 'last'): string | undefined {
  const at = which === 'first' ? bytes.indexOf(EVENT_START) : bytes.lastIndexOf(EVENT_START)
  if (at === -1) return undefined
  return bytes.toString('latin1', at + EVENT_START.length, at + EVENT_START.length + ID_CHARS)
}

const EVENT_START = Buffer.from('\n{"id":"')
const ID_CHARS = 16

export interface BrokenLogFile extends ChainedFile {
  /**
   * `missing`: it is not there. `shorter`: its end is gone. `damaged`: bytes changed, or it cannot be decompressed.
   * `foreign`: it has none of the events that it had.
   */
  readonly state: 'missing' | 'shorter' | 'damaged' | 'foreign'
}

/**
 * The files that are not as the chain says. `quick` compares sizes, and of the last file its first and last block: of
 * the other files nothing is read. Otherwise every covered byte is read.
 */
export function findBrokenLogFiles(files: Files, folder: string, chain: LogChain, quick: boolean): BrokenLogFile[] {
  const present = new Map(listLogFiles(files, folder).map((file) => [file.number, file]))
  const marks = readRewriteMarks(files, folder)
  return chain.files.flatMap((entry, index): BrokenLogFile[] => {
    const file = present.get(entry.file)
    if (!file) return [{ ...entry, state: 'missing' }]
    if (file.plain && fileBytes(files, folder, file) < entry.bytes && !file.compressed)
      return [{ ...entry, state: 'shorter' }]
    // The next manifest has new hashes of a file that memctl itself has rewritten.
    if (entry.hash === '' || marks.some((mark) => mark.file === entry.file && mark.offset < entry.bytes)) return []
    const isLast = index === chain.files.length - 1
    if (quick && (!isLast || !file.plain || hasLastBlock(files, folder, { entry, blocks: chain.blocks }))) return []
    const bytes = readUnlessDamaged(files, folder, file, 0)
    if (!bytes) return [{ ...entry, state: 'damaged' }]
    const covered = bytes.subarray(0, entry.bytes)
    if (covered.length < entry.bytes) return [{ ...entry, state: 'shorter' }]
    if (lastHash(hashBlocks(covered, '')) === entry.hash) return []
    const [isFirstHere, isLastHere] = [entry.events[0], entry.events.at(-1)].map((id) =>
      covered.includes(`{"id":"${id}"`),
    )
    if (isLastHere) return [{ ...entry, state: 'damaged' }]
    // Cut off, and grown again since.
    return [{ ...entry, state: isFirstHere ? 'shorter' : 'foreign' }]
  })
}

/** Whether the first and the last block of a plain file are as the chain says. */
function hasLastBlock(files: Files, folder: string, { entry, blocks }: ChainedBlocks): boolean {
  const name = `${folder}/${logFileName(entry.file)}`
  const start = blocks.length * BLOCK_BYTES
  const last = files.readAt(name, start, entry.bytes - start)
  if (lastHash(hashBlocks(last, blocks.at(-1) ?? '')) !== entry.hash) return false
  const [first] = blocks
  return first === undefined || lastHash(hashBlocks(files.readAt(name, 0, BLOCK_BYTES), '')) === first
}

/** The size of a plain file; undefined sizes count as 0. */
const fileBytes = (files: Files, folder: string, { number }: LogFile): number =>
  files.size(`${folder}/${logFileName(number)}`) ?? 0

function readUnlessDamaged(files: Files, folder: string, file: LogFile, start: number): Buffer | undefined {
  try {
    return readLogFile(files, folder, file, start)
  } catch {
    return undefined // It cannot be decompressed: `memctl doctor --log` reports it.
  }
}
