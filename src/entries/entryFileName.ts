// The file name of a key: unique, safe on every file system, and readable if the key is.
//
//   設計方針          設計方針.md
//   api-design        api-design.md
//   API Design: v2    api-design-v2~3f2a90c17b5d8e64.md     with a hash, if a file system could reject or confuse it
import { hash64 } from '../text/hash.ts'

/**
 * In code points: at four bytes each, with the hash and the suffix of a temporary file, a name stays below 255 bytes.
 */
const NAME_CHARS_MAX = 40

/** Device names on Windows. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])$/i

/** Whether a name is a device on Windows, with any extension. */
export const isDeviceName = (name: string): boolean => DEVICE.test(name.replace(/ *[.:].*/s, ''))

/** Separators of paths, characters that some file system rejects, invisible ones, and the sign before the hash. */
const UNSAFE = /[\s"*/:<>?\\|~\p{C}\p{Z}]+/gu

/** The name of a key's file; `withHash` if another key has the plain name. */
export function entryFileName(key: string, withHash = false): string {
  const plain = Array.from(
    foldCase(key)
      .replace(UNSAFE, '-')
      .replace(/^[.-]+/, ''),
  )
    .slice(0, NAME_CHARS_MAX)
    .join('')
    .replace(/[.-]+$/, '')
  if (!withHash && plain === key && !isDeviceName(plain)) return `${plain}.md`
  const [high, low] = hash64(key)
  const name = `${plain || 'entry'}~${hex(high)}${hex(low)}.md`
  return isDeviceName(name) ? `entry-${name}` : name
}

/** Folds case as a case-insensitive file system does: up and down, because some letters come back as others. */
const foldCase = (key: string): string => key.toUpperCase().toLowerCase().normalize('NFC')

const hex = (word: number): string => word.toString(16).padStart(8, '0')
