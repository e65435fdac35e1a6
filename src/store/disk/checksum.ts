// CRC-32 by Node where it has one (from 20.15 and 22.2 on): ten times as fast. Not for hooks, which must not load zlib.
import zlib from 'node:zlib'
import { crc32 } from '../../text/hash.ts'

/** CRC-32 of some bytes, unsigned; of some bytes after those whose CRC-32 is `before`. */
export const checksum: (bytes: Uint8Array, before?: number) => number =
  typeof zlib.crc32 === 'function' ? zlib.crc32 : crc32
