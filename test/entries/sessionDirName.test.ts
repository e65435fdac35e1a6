// The folders of sessions: every id has a safe folder name of its own, from which it can be read again.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSessionDirName, sessionOfDir } from '../../src/entries/entryDirs.ts'
import { entryFileName, isDeviceName, sessionDirName } from '../../src/entries/entryNames.ts'

const AWKWARD = [
  ...[
    'CON',
    'con',
    'nul',
    'aux.txt',
    'AUX',
    'com1',
    'COM¹',
    'lpt9.log',
    'conin$',
    '.',
    '..',
    '...',
    'a.',
    '.a',
    ' ',
    'a ',
  ],
  ...['a/b', 'a\\b', '../../etc', 'a:b', 'a*?"<>|', '%', '%0041', '%0', 'a\0b', 'a\nb', '\u202ea', '\u200b', 'memory'],
  ...[
    'archive',
    'project.yaml',
    'MEMORY',
    '__proto__',
    'constructor',
    '\ud800',
    '\udfff',
    'a\ud800',
    '😀',
    '設計',
    'が',
  ],
  ...[
    'か\u3099',
    'é',
    'e\u0301',
    'É',
    'ß',
    'ẞ',
    'İ',
    'ı',
    'ſ',
    'K',
    'Ａ',
    '한',
    '\u1112\u1161\u11ab',
    'ﬁ',
    'Session',
    'session',
  ],
  'x'.repeat(240),
]

/** As file systems compare names: some fold case, some normalize. */
const fold = (name: string): string => name.toUpperCase().toLowerCase().normalize('NFD')

const arbitraryId = fc.oneof(
  fc.constantFrom(...AWKWARD),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 1, maxLength: 6 }).map((u) => String.fromCharCode(...u)),
)

test('entries: a session can be read from the name of its folder, and the name is safe', () => {
  fc.assert(
    fc.property(arbitraryId, (id) => {
      const name = sessionDirName(id)
      expect(sessionOfDir(name)).toBe(id)
      expect(isSessionDirName(name)).toBe(true)
      expect(isDeviceName(name)).toBe(false)
      expect(name).toMatch(/^[^\s"*/:<>?\\|\p{C}\p{M}]+$/u)
      expect(name).not.toMatch(/^\.|\.$|^(?:memory|archive|project\.yaml)$/)
    }),
    { numRuns: 2_000 },
  )
})

test('entries: two sessions never share a folder, also where case and normalization do not count', () => {
  const names = AWKWARD.map(sessionDirName)
  expect(new Set(names.map(fold)).size).toBe(AWKWARD.length)
  fc.assert(
    fc.property(arbitraryId, arbitraryId, (a, b) => {
      expect(fold(sessionDirName(a)) === fold(sessionDirName(b))).toBe(a === b)
    }),
    { numRuns: 2_000 },
  )
})

test('entries: usual ids stay readable', () => {
  for (const id of ['3f2a90c1-7b5d-4e21', 'release_2', 'v1.2', '設計', 'レビュー2']) expect(sessionDirName(id)).toBe(id)
})

test('entries: the file of a key is never a device', () => {
  for (const key of ['con', 'CON', 'aux.txt', 'nul.', 'com1', 'com¹', 'lpt³.md', 'conin$', 'CONOUT$', 'prn.tar.gz'])
    expect(isDeviceName(entryFileName(key).replace(/\.md$/, ''))).toBe(false)
})
