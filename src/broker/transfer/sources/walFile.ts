// Applies the write-ahead log of a SQLite database to a copy of its pages, as SQLite itself would at the next opening.
//
//   header (32 bytes): magic, version, page size, checkpoint, two salts, two checksums
//   frame (24 bytes and a page): page number, pages of the database after a commit (else 0), salts, checksums
//
// A frame counts if its salts are those of the header, and its checksum follows from all frames before it; only frames
// up to the last commit count. Format: https://www.sqlite.org/fileformat2.html#the_write_ahead_log

const HEADER_BYTES = 32
const FRAME_BYTES = 24
const MAGIC = 0x377f0682

/** The database with the committed changes of its log. In a damaged log, what follows the damage does not count. */
export function applyWriteAheadLog(database: Buffer, log: Buffer): Buffer {
  const frames = listCommittedFrames(log)
  if (frames.length === 0) return database
  const pageSize = readPageSize(log)
  const pages = frames.at(-1)?.pages ?? 0
  const result = Buffer.alloc(pages * pageSize)
  database.copy(result, 0, 0, Math.min(database.length, result.length))
  for (const { page, offset } of frames) {
    if (page >= 1 && page <= pages) log.copy(result, (page - 1) * pageSize, offset, offset + pageSize)
  }
  return result
}

interface Frame {
  readonly page: number
  /** Pages of the database after this commit; 0 within a transaction. */
  readonly pages: number
  /** Of the page's bytes in the log. */
  readonly offset: number
}

function listCommittedFrames(log: Buffer): Frame[] {
  if (log.length < HEADER_BYTES) return []
  const magic = log.readUInt32BE(0)
  if ((magic & ~1) >>> 0 !== MAGIC) return []
  const isBigEndian = (magic & 1) === 1
  const pageSize = readPageSize(log)
  if (pageSize < 512 || pageSize > 65_536 || (pageSize & (pageSize - 1)) !== 0) return []
  let sum = addChecksum([0, 0], log.subarray(0, 24), isBigEndian)
  if (!hasChecksum(log, 24, sum)) return []
  const frames: Frame[] = []
  let committed = 0
  for (let at = HEADER_BYTES; at + FRAME_BYTES + pageSize <= log.length; at += FRAME_BYTES + pageSize) {
    if (log.compare(log, 16, 24, at + 8, at + 16) !== 0) break
    sum = addChecksum(sum, log.subarray(at, at + 8), isBigEndian)
    sum = addChecksum(sum, log.subarray(at + FRAME_BYTES, at + FRAME_BYTES + pageSize), isBigEndian)
    if (!hasChecksum(log, at + 16, sum)) break
    const pages = log.readUInt32BE(at + 4)
    frames.push({ page: log.readUInt32BE(at), pages, offset: at + FRAME_BYTES })
    if (pages > 0) committed = frames.length
  }
  return frames.slice(0, committed)
}

const readPageSize = (log: Buffer): number => log.readUInt32BE(8)

type Checksum = readonly [number, number]

const hasChecksum = (log: Buffer, at: number, [first, second]: Checksum): boolean =>
  log.readUInt32BE(at) === first && log.readUInt32BE(at + 4) === second

function addChecksum([first, second]: Checksum, bytes: Buffer, isBigEndian: boolean): Checksum {
  let [a, b] = [first, second]
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    const x = isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at)
    const y = isBigEndian ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4)
    a = (a + x + b) >>> 0
    b = (b + y + a) >>> 0
  }
  return [a, b]
}
