// Paths of Windows in texts: separators change, and nothing else does.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  findFilePaths,
  isWindowsPath,
  slashMentions,
  slashPath,
  slashPaths,
  toRepoPath,
} from '../../src/text/filePaths.ts'

const FOLDER = 'C:/Users/太郎/my shop'
const slashed = (text: string): string => slashPaths(text, FOLDER)

describe('text: paths of Windows', () => {
  test.each([
    [
      "Error: Cannot find module 'C:\\Users\\太郎\\my shop\\src\\cart.js'",
      `Error: Cannot find module '${FOLDER}/src/cart.js'`,
    ],
    ["path: 'C:\\\\Users\\\\太郎\\\\my shop\\\\src\\\\utils'", `path: '${FOLDER}/src/utils'`],
    ['at Object.<anonymous> (c:\\Users\\太郎\\my shop\\a.js:10:5)', `at Object.<anonymous> (${FOLDER}/a.js:10:5)`],
    ['src\\cart.js:12:3 - error TS2304', 'src/cart.js:12:3 - error TS2304'],
    ['app\\[id]\\page.tsx and (src\\a.js)', 'app/[id]/page.tsx and (src/a.js)'],
    ['D:\\build\\out and \\\\server\\share\\shop\\a.js', 'D:/build/out and //server/share/shop/a.js'],
    ['ソース\\カート.jsを直す', 'ソース/カート.jsを直す'],
    ['cat "/c/Users/太郎/my shop/src/a.js"', `cat "${FOLDER}/src/a.js"`],
  ])('text: %s', (text, expected) => {
    expect(slashed(text)).toBe(expected)
  })

  test('text: a backslash that separates no names of a path stays', () => {
    for (const text of [
      "sed -i 's/foo\\.js/bar/' x",
      "grep -E 'a\\|b\\d+\\s' src/a.js",
      'printf "a\\tb\\n"',
      'echo a\\ b.js',
      'rm -rf build\\\nnpm test',
      '/d/other/drive',
    ])
      expect(slashed(text)).toBe(text)
  })

  test('text: in PowerShell a backslash between names needs no extension, and one in a pattern stays', () => {
    const command = "cd packages\\core; npx vitest run .\\test\\unit | Select-String '\\d+\\s'"
    expect(slashPaths(command, FOLDER, true)).toBe(
      "cd packages/core; npx vitest run ./test/unit | Select-String '\\d+\\s'",
    )
    expect(slashed(command)).toBe(command)
  })

  test('text: a path of names is the same with either separator, whatever is around it', () => {
    const name = fc.stringMatching(/^[a-zぁ-ん][a-z0-9_ぁ-ん-]{0,8}$/)
    const path = fc.array(name, { minLength: 2, maxLength: 5 }).map((names) => `${names.join('/')}.ts`)
    const around = fc.constantFrom('', ' ', '"', '(', "'", '\n', '=', ': ')
    fc.assert(
      fc.property(path, around, fc.constantFrom('', ' ', '"', ')', ':3:4', ',', '\r\n'), (file, before, after) => {
        expect(slashMentions(before + file.replaceAll('/', '\\') + after)).toBe(before + file + after)
        expect(slashed(`${before}${FOLDER}/${file}`.replaceAll('/', '\\') + after)).toBe(
          `${before}${FOLDER}/${file}${after}`,
        )
      }),
    )
  })

  test('text: a long text without spaces takes no more than linear time', () => {
    const text = `${'あ'.repeat(200_000)}\\`
    expect(slashed(text)).toBe(text)
  })

  test('text: which folders are on Windows', () => {
    const windows = ['C:\\x', 'c:/x', '\\\\server\\share']
    expect(windows.map(isWindowsPath)).toEqual([true, true, true])
    expect(['/home/x', '/c/x', 'C:', 'http://x', ''].some(isWindowsPath)).toBe(false)
    expect(['c:\\a\\b', '/c/a/b', '\\\\server\\a', 'a\\b'].map(slashPath)).toEqual([
      'C:/a/b',
      'C:/a/b',
      '//server/a',
      'a/b',
    ])
  })
})

describe('text: a file is the same however a system names it', () => {
  test('text: on a drive, by Windows, Git Bash, Cygwin and WSL, in any case', () => {
    for (const root of ['C:\\Users\\太郎\\my shop', 'c:/Users/太郎/my shop'])
      for (const file of [
        'C:\\Users\\太郎\\my shop\\src\\cart.js',
        'c:/users/太郎/My Shop/src/cart.js',
        '/c/Users/太郎/my shop/src/cart.js',
        '/cygdrive/c/Users/太郎/my shop/src/cart.js',
        '/mnt/c/Users/太郎/my shop/src/cart.js',
        'src\\cart.js',
        '.\\src\\cart.js',
      ])
        expect([file, toRepoPath(file, [root])]).toEqual([file, 'src/cart.js'])
    expect(toRepoPath('D:\\Users\\太郎\\my shop\\src\\cart.js', ['C:\\Users\\太郎\\my shop'])).not.toBe(
      '../src/cart.js',
    )
    expect(toRepoPath('\\\\server\\share\\shop\\a.js', ['\\\\server\\share\\shop'])).toBe('a.js')
  })

  test('text: on macOS, by the link or the folder behind it, composed or decomposed, in any case', () => {
    expect(toRepoPath('/tmp/shop/a.js', ['/private/tmp/shop'])).toBe('a.js')
    expect(toRepoPath('/private/var/folders/x/shop/a.js', ['/var/folders/x/shop'])).toBe('a.js')
    expect(toRepoPath('/users/me/Shop/src/a.js', ['/Users/me/shop'])).toBe('src/a.js')
    expect(toRepoPath('/Users/Me/Shop/src/a.js', ['/Users/me/shop'])).toBe('src/a.js')
    const name = 'データ/プログラム.md'
    expect(name.normalize('NFD')).not.toBe(name)
    expect(toRepoPath(`/Users/me/ガイド/${name}`.normalize('NFD'), ['/Users/me/ガイド'])).toBe(name)
    expect(toRepoPath(`/Users/me/ガイド/${name}`, ['/Users/me/ガイド'.normalize('NFD')])).toBe(name)
  })

  test('text: on Linux names that differ in case are different files', () => {
    expect(toRepoPath('/home/me/Shop/a.js', ['/home/me/shop'])).toBeUndefined()
    expect(toRepoPath('/c/shop/a.js', ['/c/shop'])).toBe('a.js')
  })

  test('text: a prompt names a file with either separator', () => {
    expect(findFilePaths('src\\cart.js を直して。C:\\shop\\b.ts も')).toEqual(['src/cart.js', 'C:/shop/b.ts'])
    expect(findFilePaths('the pattern \\d+\\.ts and a\\.js')).toEqual([])
  })
})
