// A key's file name: one each, safe on every file system, and readable wherever the key is.
//
//   設計方針          設計方針.md
//   api-design        api-design.md
//   API Design: v2    api-design-v2~3f2a90c17b5d8e64.md     what a file system refuses or takes for the same is told apart by a hash
import { hash64 } from '../text/hash.ts'

/** In code points: at four bytes each, with the hash and the ending of a file written aside, it stays under a name's 255 bytes. */
const NAME_CHARS_MAX = 40

/** Windows takes these for devices, whatever the ending. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

/** What makes a path of a name, what some file system refuses, what is not seen, and our own mark. */
const UNSAFE = /[\s"*/:<>?\\|~\p{C}\p{Z}]+/gu

/** The name of a key's file; `apart`, the one it has where its plain one is another key's. */
export function entryFileName(key: string, apart = false): string {
  const plain = Array.from(
    folded(key)
      .replace(UNSAFE, '-')
      .replace(/^[.-]+/, ''),
  )
    .slice(0, NAME_CHARS_MAX)
    .join('')
    .replace(/[.-]+$/, '')
  if (!apart && plain === key && !DEVICE.test(plain.split('.')[0]!)) return `${plain}.md`
  const [high, low] = hash64(key)
  return `${plain || 'entry'}~${hex(high)}${hex(low)}.md`
}

/** As a file system that does not tell small letters from capitals takes it: both ways, for letters that come back as others. */
const folded = (key: string): string => key.toUpperCase().toLowerCase().normalize('NFC')

const hex = (word: number): string => word.toString(16).padStart(8, '0')
