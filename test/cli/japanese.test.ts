// The command line in Japanese: which locale asks for it, what of the lines is translated, and what never is.
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProgram, runCli } from '../../src/cli/runCli.ts'
import { displayWidth } from '../../src/report/fitText.ts'
import { findEnglish } from './findEnglish.ts'
import { newWorld, RECORDINGS, REPOSITORY, type Said, type World } from './testContext.ts'

const TEXTS = JSON.parse(fs.readFileSync(path.join(REPOSITORY, 'src/cli/texts/ja.json'), 'utf8')) as Readonly<
  Record<string, Readonly<Record<string, string>>>
>
const ROWS = Object.values(TEXTS).flatMap((group) => Object.entries(group))

let world: World
let english: World
let store: string
const inJapanese = (...words: string[]): Promise<Said> => world.memctl(...words, '--store', store)

beforeAll(async () => {
  world = newWorld({ MEMCTL_LANG: 'ja' })
  english = newWorld()
  store = path.join(world.folder, 'store')
  await world.replay(RECORDINGS, '--store', store)
})

afterAll(() => {
  world.end()
  english.end()
})

/** The words of the product's source, and that of the package that reports wrong options. */
function readSources(): readonly string[] {
  const folders = ['src', 'node_modules/commander/lib'].map((folder) => path.join(REPOSITORY, folder))
  const files = folders.flatMap((folder) =>
    fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.[jt]s$/.test(name))
      .map((name) => path.join(folder, name)),
  )
  return splitWords(files.map((file) => fs.readFileSync(file, 'utf8').toLowerCase()).join('\n'))
}

const splitWords = (text: string): readonly string[] => text.split(/[\s:;,.`"'\\(){}$+]+/).filter(Boolean)

const placeholders = (text: string): string[] => [...text.matchAll(/\{([ntwx]\d?)\}/g)].map(([, name = '']) => name)

describe('japanese', () => {
  test.each([
    [{ MEMCTL_LANG: 'ja' }, true],
    [{ LANG: 'ja_JP.UTF-8' }, true],
    [{ LC_MESSAGES: 'ja', LANG: 'en_US.UTF-8' }, true],
    [{ LC_ALL: 'ja_JP', LC_MESSAGES: 'de_DE' }, true],
    [{ MEMCTL_LANG: 'en', LC_ALL: 'ja_JP.UTF-8' }, false],
    [{ LC_ALL: 'C', LANG: 'ja_JP.UTF-8' }, false],
    [{ LANG: 'jam_JM.UTF-8' }, false],
    [{}, false],
    [{ LANG: 'ja_JP.UTF-8', CLAUDECODE: '1' }, false], // A model reads it.
  ])('japanese: MEMCTL_LANG decides, then the locale as in gettext, and in a session nothing: %j', async (env, is) => {
    const other = newWorld(env as Record<string, string>)
    const { out } = await other.memctl('status')
    other.end()
    expect(out.includes('プロジェクト')).toBe(is)
  })

  test('japanese: every row of the table is a text of the product', () => {
    const sources = readSources()
    const letters = (text: string): number => text.replaceAll(/[^a-z]/g, '').length
    const pairs = new Set(sources.map((word, i) => `${word} ${sources[i + 1]}`))
    const known = new Set(sources)
    // The code makes a text of several parts: most of its words must be beside the same word there.
    const isUsed = ([text]: readonly [string, string]): boolean => {
      const parts = text
        .toLowerCase()
        .split(/\{[^{}]*\}/)
        .map(splitWords)
      const found = parts.flatMap((words) =>
        words.filter((word, i) =>
          words.length === 1
            ? known.has(word)
            : pairs.has(`${words[i - 1]} ${word}`) || pairs.has(`${word} ${words[i + 1]}`),
        ),
      )
      return letters(found.join('')) >= 0.5 * letters(parts.flat().join(''))
    }
    expect(ROWS.filter((row) => !isUsed(row)).map(([text]) => text)).toEqual([])
  })

  test('japanese: a row and its translation have the same placeholders, and no row is there twice', () => {
    expect(
      ROWS.filter(([text, japanese]) => `${placeholders(text).sort()}` !== `${placeholders(japanese).sort()}`),
    ).toEqual([])
    expect(new Set(ROWS.map(([text]) => text)).size).toBe(ROWS.length)
  })

  test('japanese: the help of every command is Japanese', async () => {
    const program = createProgram({ out: { write() {} }, err: { write() {} }, env: {}, cwd: '/', stdin: () => '' })
    const paths: string[][] = [[]]
    const collect = (command: typeof program, words: string[]): void => {
      for (const child of command.commands) {
        if ((child as { _hidden?: boolean })._hidden) continue
        paths.push([...words, child.name()])
        collect(child, [...words, child.name()])
      }
    }
    collect(program, [])
    const pages = await Promise.all(paths.map((words) => world.memctl('help', ...words)))
    const [short] = pages
    const names = program.commands.map((command) => command.name())
    expect(names.filter((name) => !short?.out.includes(name))).toEqual([])
    const descriptions = pages.flatMap(({ out }) => out.replace(/\n例:[\s\S]*/, '').split('\n'))
    // The names before a description, and values in brackets behind it.
    const texts = descriptions.map((line) => line.replace(/^ {2}\S.*? {2,}/, '').replaceAll(/（[^）]*）?/g, ''))
    expect(findEnglish(texts.join('\n')).filter((line) => !/[ぁ-ん一-龠]/.test(line))).toEqual([])
    expect(pages.flatMap(({ out }) => out.split('\n')).filter((line) => displayWidth(line) > 100)).toEqual([])
  })

  test('japanese: what perhaps holds is uncertain, and an end without a successor names nobody', () => {
    const texts = ROWS.filter(([text]) => text.startsWith('perhaps: ')).map(([, translation]) => translation)
    expect(texts).toHaveLength(4)
    for (const text of texts) expect(text).toMatch(/^不確か（.*）$/)
    expect(ROWS).toContainEqual(['somebody marked it as outdated', '無効にされた'])
  })

  test('japanese: an event has the name that --events takes, in lists and at a memory', async () => {
    const list = await inJapanese('list', '--events', 'prompt', '--limit', '1')
    expect(list.out).toMatch(/ prompt /)
    const { memories } = JSON.parse((await inJapanese('list', '--kind', 'preference', '--json')).out)
    const { out } = await inJapanese('show', memories[0].id)
    expect(out).toMatch(/ prompt: /)
  })

  test('japanese: status is Japanese, but for names and paths', async () => {
    const { out } = await inJapanese('status')
    expect(findEnglish(out.split('\n').slice(2).join('\n'))).toEqual([])
    expect(out).toContain('記憶 41 件、保管済み 9 件')
  })

  test('japanese: the columns of a table are aligned, and fit the terminal', async () => {
    const { out } = await inJapanese('list', '--kind', 'lesson', '--kind', 'preference')
    const [head = '', ...rows] = out.trimEnd().split('\n').slice(0, -1)
    const column = displayWidth(head.slice(0, head.indexOf('状態')))
    const starts = rows.map((row) => displayWidth(row.slice(0, row.search(/候補|有効|引退/))))
    expect(new Set(starts)).toEqual(new Set([column]))
    expect([head, ...rows].filter((line) => displayWidth(line) > 120)).toEqual([])
  })

  test.each([
    ['status'],
    ['list'],
    ['list --kind lesson'],
    ['list --sessions'],
    ['search tax'],
    ['show f7ad8ab2'],
    ['why src/tax.js'],
    ['recall --explain tax'],
    ['help'],
    ['help recall'],
    ['help --all'],
  ])('japanese: a terminal of 80 columns is wide enough for memctl %s', async (line) => {
    let text = ''
    const words = line.startsWith('help') ? line.split(' ') : [...line.split(' '), '--store', store]
    await runCli(words, {
      out: {
        write: (part) => {
          text += part
        },
        isTTY: true,
        columns: 80,
      },
      err: { write: () => {} },
      env: { HOME: world.folder, MEMCTL_HOME: path.join(world.folder, 'home'), MEMCTL_LANG: 'ja' },
      cwd: world.folder,
      stdin: () => '',
    })
    const isPage = line === 'help --all' // Its width is 100 columns in every language.
    expect(text.split('\n').filter((each) => displayWidth(each) > (isPage ? 100 : 80))).toEqual([])
  })

  test('japanese: JSON is the same in every language', async () => {
    const folder = { MEMCTL_HOME: path.join(world.folder, 'home'), HOME: world.folder }
    const other = newWorld(folder)
    for (const words of [
      ['status'],
      ['list'],
      ['shown'],
      ['show', 'f7ad8ab2'],
      ['why', 'src/tax.js'],
      ['bogus'],
      ['show', 'ffff'],
    ]) {
      const options = words[0] === 'bogus' ? ['--json'] : ['--json', '--store', store, '--project', '.']
      const [japanese, usual] = [await world.memctl(...words, ...options), await other.memctl(...words, ...options)]
      const plain = (text: string): string => text.replaceAll(other.folder, world.folder)
      expect(plain(usual.out), words[0]).toBe(japanese.out)
    }
    other.end()
  })

  test('japanese: what a person or a memory says stays, also if a row has the same words', async () => {
    const said = ['nothing', 'not yet', '3 lessons, 2 facts', 'Pinned: default', 'No events yet', 'lesson; ok']
    const own = newWorld({ MEMCTL_LANG: 'ja' })
    for (const text of said) {
      const remembered = await own.memctl('remember', text)
      expect(remembered.out).toContain(`覚えました（このプロジェクト）: ${text} (`)
      const { memories } = await own.json<{ memories: { id: string; knowledge: { line: string } }[] }>('list')
      const { id = '' } = memories.find(({ knowledge }) => knowledge.line === text) ?? {}
      const pages = [
        ['list'],
        ['show', id],
        ['show', id, '--all'],
        ['recall', '--moment', 'start'],
        ['search', ...text.split(' ')],
      ]
      for (const words of pages) expect((await own.memctl(...words)).out, words.join(' ')).toContain(text)
    }
    own.end()
  })

  test('japanese: the lines of a file stay in a diff, also if a row has the same words', async () => {
    const own = newWorld({ MEMCTL_LANG: 'ja' })
    fs.writeFileSync(path.join(own.folder, 'project', 'CLAUDE.md'), 'Options:\nnothing\n')
    await own.memctl('remember', 'Prices are integers')
    expect((await own.memctl('list', '--claude-md')).out).toContain(' Options:\n nothing\n')
    const settings = { permissions: { allow: ['nothing'] }, 'a: 1': 'it is a folder, not a file' }
    fs.mkdirSync(path.join(own.folder, 'project', '.claude'))
    fs.writeFileSync(
      path.join(own.folder, 'project', '.claude', 'settings.local.json'),
      JSON.stringify(settings, null, 2),
    )
    const diffOf = ({ out }: Said): string[] => out.split('\n').filter((line) => /^[ +@-]/.test(line))
    const other = newWorld({ HOME: own.folder, MEMCTL_HOME: path.join(own.folder, 'home') })
    const usual = await other.memctl('init', '--dry-run', '--project', path.join(own.folder, 'project'))
    expect(diffOf(await own.memctl('init', '--dry-run'))).toEqual(diffOf(usual))
    expect(diffOf(usual).length).toBeGreaterThan(9)
    other.end()
    own.end()
  })

  test('japanese: an error and its hint are Japanese, and its exit status is the usual one', async () => {
    expect(await inJapanese('show', 'ffff')).toEqual({
      status: 2,
      out: '',
      err:
        'memctl: "ffff" で始まる id の記憶はありません。' +
        'id は `memctl list` や `memctl search WORDS` で調べられます。\n',
    })
  })

  test('japanese: a kind has one name, which --kind takes, and so does the error', async () => {
    const { out } = await inJapanese('list', '--kind', 'ルール')
    expect(out.split('\n').slice(1).filter(Boolean).length).toBeGreaterThan(0)
    for (const line of out.split('\n').slice(1).filter(Boolean)) expect(line).toContain('ルール')
    expect(out).toBe((await inJapanese('list', '--kind', 'rule')).out)
    expect((await inJapanese('list', '--help')).out).toContain('rule ルール')
  })

  test('japanese: no mark of the translation is printed', async () => {
    for (const words of [['status'], ['list'], ['shown'], ['recall', 'tax'], ['list', '--sessions']]) {
      expect((await inJapanese(...words)).out).not.toMatch(/[\u2066-\u2069]/)
    }
  })
})
