// An entry's file: it is read back as written, text written by hand is kept, and an error states its line.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Entry } from '../../src/entries/entry.ts'
import { findKeyProblem, formatEntry, isInvalidEntry, parseEntry } from '../../src/entries/entryFormat.ts'
import { entryFileName } from '../../src/entries/entryNames.ts'

const moment = fc.integer({ min: 0, max: 4_102_444_799 }).map((s) => new Date(s * 1000).toISOString())
const words = fc.constantFrom(
  'api',
  '設計',
  'yes',
  'null',
  '007',
  '- a',
  '# x',
  'a: b',
  "it's",
  '"',
  '---',
  '|',
  '> ',
  '\\',
  '[a]',
  '&b',
  '*c',
)
const key = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.array(words, { minLength: 1, maxLength: 4 }).map((all) => all.join(' ')),
  )
  .map((text) => text.trim().normalize('NFC'))
  .filter((text) => findKeyProblem(text) === undefined)
const line = fc.oneof(
  words,
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom('---', '', '   ', '\r', '<<<<<<< HEAD', '\t', '\ufeff'),
)
const content = fc.array(line, { maxLength: 8 }).map((lines) => lines.join('\n'))
const arbitraryEntry: fc.Arbitrary<Entry> = fc.record({
  key,
  tags: fc.array(key, { maxLength: 4 }),
  content,
  createdAt: moment,
  updatedAt: moment,
})

test('entries: any key, tags, times and body are read back exactly as written', () => {
  fc.assert(
    fc.property(arbitraryEntry, (entry) => {
      const text = formatEntry(entry)
      expect(parseEntry(text, 'x.md', 'x')).toEqual(entry)
      expect(parseEntry(Buffer.from(text).toString('utf8'), 'x.md', 'x')).toEqual(entry)
    }),
  )
})

test('entries: a file written by hand keeps its other front matter, including comments', () => {
  fc.assert(
    fc.property(
      arbitraryEntry,
      arbitraryEntry,
      fc.dictionary(fc.constantFrom('owner', 'レビュー', 'links'), fc.jsonValue()),
      (before, after, foreign) => {
        const front = Object.entries(foreign).map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
        const text = formatEntry(before).replace(/^---\n/, () => `---\n# why this is here\n${front.join('')}`)
        const again = formatEntry(after, text)
        expect(parseEntry(again, 'x.md', 'x')).toEqual(after)
        expect(again).toContain('# why this is here')
        const kept = parse(/^---\n([\s\S]*?)^---$/m.exec(again)![1]!) as Record<string, unknown>
        for (const name of Object.keys(foreign)) expect(kept[name]).toEqual(parse(JSON.stringify(foreign[name])))
      },
    ),
  )
})

test('entries: the documented example is read, and written exactly as documented', () => {
  const text = `---
key: api-design-decision
tags:
  - architecture
  - api
  - decision
created_at: 2024-01-15T10:30:00
updated_at: 2024-01-15T10:30:00
---

## API設計の決定事項

REST API は以下の方針で設計する:
- リソース指向のエンドポイント設計
- バージョニングは URL パスで（/api/v1/...）
- エラーレスポンスは RFC 7807 形式
`
  const entry = parseEntry(text, 'x.md', 'x')
  expect(entry).toEqual({
    key: 'api-design-decision',
    tags: ['architecture', 'api', 'decision'],
    content: expect.stringMatching(/^## API設計の決定事項\n[\s\S]*RFC 7807 形式$/),
    createdAt: '2024-01-15T10:30:00.000Z',
    updatedAt: '2024-01-15T10:30:00.000Z',
  })
  expect(formatEntry(entry as Entry)).toBe(text)
})

test.each([
  ['no front matter', 'Just text\n', 1, 'there is no front matter'],
  ['no end', '---\nkey: a\ntext\n', 1, 'no end'],
  ['no YAML', '---\nkey: a\ntags: [a\n---\n\nx\n', 4, ''],
  ['a bad indentation', '---\nkey: a\n  tags: b\n---\n', 2, ''],
  ['a key twice', '---\nkey: a\nkey: b\n---\n', 3, 'unique'],
  ['a list for all', '---\n- a\n---\n', 2, 'no list of names'],
  ['a key that is a list', '---\ntags: []\nkey: [a]\n---\n', 3, 'key'],
  ['an empty key', '---\nkey: "  "\n---\n', 2, 'key'],
  ['tags that are a map', '---\nkey: a\n\ntags: {b: c}\n---\n', 4, 'tags'],
  ['tags of maps', '---\nkey: a\ntags:\n  - b: c\n---\n', 4, 'tags'],
  ['no time', '---\nkey: a\ncreated_at: soon\n---\n', 3, 'created_at'],
  ['a time that is none', '---\nkey: a\nupdated_at: 2024-13-45T10:00:00\n---\n', 3, 'updated_at'],
  ['an unfinished merge', '---\nkey: a\n<<<<<<< HEAD\nupdated_at: 2024-01-15T10:30:00\n=======\n---\n', 3, 'merge'],
])('entries: front matter with %s is invalid, and the error states its line', (_, text, line, what) => {
  const read = parseEntry(text, 'folder/x.md', 'x')
  expect(read).toMatchObject({
    file: 'folder/x.md',
    line,
    what: expect.stringContaining(what),
    hint: expect.stringMatching(/.\.$/),
  })
})

test('entries: missing fields are no error, and Windows line ends are accepted', () => {
  expect(parseEntry('---\n---\nbody', 'x.md', 'the-name')).toMatchObject({
    key: 'the-name',
    tags: [],
    content: 'body',
    createdAt: undefined,
  })
  expect(
    parseEntry('\ufeff---\r\nkey: a\r\ncreated_at: 2024-01-15 10:30\r\n---\r\n\r\none\r\ntwo\r\n', 'x.md', 'x'),
  ).toEqual({
    ...{ key: 'a', tags: [], content: 'one\ntwo', createdAt: '2024-01-15T10:30:00.000Z', updatedAt: undefined },
  })
  expect(parseEntry('---\nkey: 007\ncreated_at: 2024-01-15T10:30:00+09:00\n---\n', 'x.md', 'x')).toMatchObject({
    ...{ key: '007', createdAt: '2024-01-15T01:30:00.000Z' },
  })
})

test('entries: reading never throws, whatever the file contains', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.array(line).map((all) => `---\n${all.join('\n')}\n---\n`),
      ),
      (text) => {
        const read = parseEntry(text, 'x.md', 'x')
        if (isInvalidEntry(read)) expect(read.line).toBeGreaterThan(0)
        else expect(findKeyProblem(read.key)).toBe(undefined)
      },
    ),
  )
})

test('entries: every key has a unique safe file name, also on file systems that ignore case', () => {
  const names = new Map<string, string>()
  fc.assert(
    fc.property(key, (one) => {
      const name = entryFileName(one)
      expect(name).toMatch(/^[^./\\:*?"<>|\s~][^/\\:*?"<>|\s]*\.md$/u)
      expect(name).not.toMatch(/^(con|nul|aux|prn|com\d|lpt\d)\./i)
      expect(Buffer.byteLength(`${name}.123456.99.aside`)).toBeLessThan(256)
      const folded = name.normalize('NFC').toUpperCase().toLowerCase()
      expect(names.get(folded) ?? one).toBe(one)
      names.set(folded, one)
      expect(entryFileName(one, true)).not.toBe(name.includes('~') ? '' : name)
    }),
    { numRuns: 500 },
  )
  expect(
    ['api-design', '設計方針', 'API', 'api', '../../etc/passwd', 'con', 'a/b', '.hidden', 'ß', '😀'].map((one) =>
      entryFileName(one),
    ),
  ).toEqual([
    'api-design.md',
    '設計方針.md',
    expect.stringMatching(/^api~[0-9a-f]{16}\.md$/),
    'api.md',
    expect.stringMatching(/^etc-passwd~[0-9a-f]{16}\.md$/),
    expect.stringMatching(/^con~[0-9a-f]{16}\.md$/),
    expect.stringMatching(/^a-b~[0-9a-f]{16}\.md$/),
    expect.stringMatching(/^hidden~[0-9a-f]{16}\.md$/),
    expect.stringMatching(/^ss~[0-9a-f]{16}\.md$/),
    '😀.md',
  ])
})

test('entries: a scalar under tags is one tag, and an empty one is none', () => {
  const tagsOf = (tags: string): unknown => parseEntry(`---\nkey: a\ntags: ${tags}\n---\n`, 'a.md', 'a')
  expect(tagsOf('word')).toMatchObject({ tags: ['word'] })
  expect(tagsOf('2024')).toMatchObject({ tags: ['2024'] })
  expect(tagsOf('"two words"')).toMatchObject({ tags: ['two words'] })
  expect(tagsOf('')).toMatchObject({ tags: [] })
  expect(tagsOf('""')).toMatchObject({ tags: [] })
})

test('entries: conflict markers in the body are an unfinished merge, a heading underlined with = is not', () => {
  const read = (body: string): unknown => parseEntry(`---\nkey: a\n---\n\n${body}\n`, 'a.md', 'a')
  for (const end of ['\n', '\r\n'])
    expect(read(['Text', '<<<<<<< HEAD', 'one', '=======', 'two', '>>>>>>> main'].join(end))).toMatchObject({
      ...{ line: 6, what: 'a merge was left unfinished' },
    })
  expect(read('<<<<<<< HEAD\n||||||| base\n=======\ntwo\n>>>>>>> 1f2e3d')).toMatchObject({ line: 5 })
  expect(read('Title\n=======\n\ntext')).toMatchObject({ content: 'Title\n=======\n\ntext' })
  expect(parseEntry('<<<<<<< HEAD\n---\nkey: a\n=======\n---\nkey: b\n>>>>>>> x\n---\n', 'a.md', 'a')).toMatchObject({
    ...{ line: 1, what: 'a merge was left unfinished' },
  })
})
