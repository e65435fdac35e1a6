// Small JSON files, managed by lowdb with an adapter over `Files`, so that readers see the old file or the new one.
//
//   {"generation":7,"standing":[…],"crc":"9ae0daaf"}\n
//   └─────────── body ───────────┘└── 19 bytes ───┘      the CRC-32 of the body, as in a line of the log
//
// Hooks do not compute it: for them, what is no valid JSON is damaged. `doctor` verifies it.

import zlib from 'node:zlib'
import { LowSync, type SyncAdapter } from 'lowdb'
import { crc32 } from '../../text/hash.ts'
import type { Files } from './files.ts'
import { JSON_TRAILER_BYTES, JSON_TRAILER_START, readJson } from './readJson.ts'

/** Replaces a JSON file with `data`, even a damaged one. One that is the same stays. */
export function writeJsonFile<T>(files: Files, file: string, data: T): void {
  // lowdb's own `JSONFileSync` renames a temporary file over the old one but never calls fsync: after a power cut the
  // file can be empty. `Files.replace` writes a temporary file, fsyncs it and renames it.
  const adapter: SyncAdapter<T> = {
    read: () => readJson<T>(files, file) ?? null,
    write(value) {
      const bytes = encodeJsonFile(value)
      if (!files.read(file)?.equals(bytes)) files.replace(file, bytes)
    },
  }
  new LowSync<T>(adapter, data).write()
}

/** The bytes of a file: JSON with a checksum as the last property of an object that has others. */
export function encodeJsonFile(value: unknown): Buffer {
  const json = JSON.stringify(value)
  if (!json.startsWith('{"')) return Buffer.from(`${json}\n`)
  const body = Buffer.from(json.slice(0, -1))
  return Buffer.concat([body, Buffer.from(`${JSON_TRAILER_START}${formatChecksum(body)}"}\n`)])
}

const formatChecksum = (body: Buffer): string => checksum(body).toString(16).padStart(8, '0')

/**
 * Whether the bytes of a JSON file are as they were written. `unchecked`: valid JSON of an earlier version or of a
 * person, without a checksum.
 */
export function verifyJsonFile(bytes: Buffer): 'intact' | 'damaged' | 'unchecked' {
  const text = bytes.toString('utf8')
  try {
    JSON.parse(text)
  } catch {
    return 'damaged'
  }
  const bodyEnd = bytes.length - JSON_TRAILER_BYTES
  if (bodyEnd <= 0 || !looksLikeTrailer(bytes, bodyEnd)) return 'unchecked'
  const trailer = `${JSON_TRAILER_START}${formatChecksum(bytes.subarray(0, bodyEnd))}"}\n`
  return bytes.toString('latin1', bodyEnd) === trailer ? 'intact' : 'damaged'
}

/** Seven equal characters are enough: a changed bit in the name of the property must not hide the checksum. */
function looksLikeTrailer(bytes: Buffer, bodyEnd: number): boolean {
  let equal = 0
  for (let i = 0; i < JSON_TRAILER_START.length; i++) {
    if (bytes[bodyEnd + i] === JSON_TRAILER_START.charCodeAt(i)) equal++
  }
  return equal >= JSON_TRAILER_START.length - 1
}

// CRC-32 by Node where it has one (from 20.15 and 22.2 on): ten times as fast. Not for hooks, which must not load zlib.
const crc: typeof crc32 = typeof zlib.crc32 === 'function' ? zlib.crc32 : crc32

/** CRC-32 of some bytes, unsigned; of some bytes after those whose CRC-32 is `before`. */
export const checksum = (bytes: Uint8Array, before = 0): number =>
  // Node takes a buffer without memory for the beginning, and forgets what came before.
  bytes.length === 0 ? before : crc(bytes, before)
