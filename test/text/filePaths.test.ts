import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findFilePaths, toRepoPath } from '../../src/text/filePaths.ts'

const name = fc.stringMatching(/^[a-z][a-z0-9_-]{0,8}$/).filter((one) => !/^\.?worktrees?$/.test(one))
const inside = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => `${parts.join('/')}.ts`)
const root = fc.oneof(
  fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join('/')}`),
  fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => `C:/${parts.join('/')}`),
)

describe('files', () => {
  test('text: a path inside the repository is the same from each checkout and worktree', () => {
    fc.assert(
      fc.property(inside, root, root, name, (file, here, there, tree) => {
        expect(toRepoPath(`${here}/${file}`, [here])).toBe(file)
        expect(toRepoPath(`${there}/${file}`, [there])).toBe(file)
        expect(toRepoPath(file, [here])).toBe(file)
        expect(toRepoPath(`./${file}`, [here])).toBe(file)
        expect(toRepoPath(`${here}/.claude/worktrees/${tree}/${file}`, [here])).toBe(file)
        expect(toRepoPath(`${here}/.worktrees/${tree}/${file}`, [here])).toBe(file)
        expect(toRepoPath(`${here}/worktrees/${tree}/${file}`, [])).toBe(file)
        expect(toRepoPath(`${here}/${file}`.replaceAll('/', '\\'), [`${here}/`])).toBe(file)
      }),
    )
  })

  test('text: the innermost of nested roots counts, in any order', () => {
    for (const roots of [
      ['/a', '/a/b'],
      ['/a/b', '/a'],
    ])
      expect(toRepoPath('/a/b/c.ts', roots)).toBe('c.ts')
  })

  test('text: a file outside the repository has no path in it', () => {
    for (const file of [
      '/etc/hosts',
      '../other/a.ts',
      '/a/bc/d.ts',
      '/a/b',
      '/a/b/../c.ts',
      '',
      '/home/me/.claude/plans/x.md',
      'C:/x/a.ts',
    ])
      expect([file, toRepoPath(file, ['/a/b'])]).toEqual([file, undefined])
  })

  test('text: dots in a path are resolved, and the case of a drive letter does not matter', () => {
    expect(toRepoPath('/a/b/./c/../d.ts', ['/a/b/'])).toBe('d.ts')
    expect(toRepoPath('c:\\a\\b\\d.ts', ['C:/a/b'])).toBe('d.ts')
    expect(toRepoPath('src/../lib/x.ts', ['/a'])).toBe('lib/x.ts')
  })

  test('text: a path of another machine is recognized by a top folder below a home', () => {
    expect(toRepoPath('/Users/dev9/Work/devenv/cli/cmd/a.go', ['/home/me/cli'])).toBe('cmd/a.go')
    expect(toRepoPath('/home/x/p/.github/workflows/ci.yml', [])).toBe('.github/workflows/ci.yml')
    expect(toRepoPath('/workspaces/p/src/a.ts', [])).toBe('src/a.ts')
    expect(toRepoPath('/Users/dev9/notes/a.go', [])).toBeUndefined()
  })

  test('text: files are found where people and commands mention them, without line numbers, once each', () => {
    const table: readonly (readonly [string, readonly string[]])[] = [
      ['fix src/a/b.ts and foo_test.go:12, then src/a/b.ts again', ['src/a/b.ts', 'foo_test.go']],
      ['look at @src/a.ts, please', ['src/a.ts']],
      ['(cmd/x.go:12:3) [docs](docs/b.md) `x.yml` "y.json"', ['cmd/x.go', 'docs/b.md', 'x.yml', 'y.json']],
      ['npx vitest run test/a.test.ts -t x=1', ['test/a.test.ts']],
      ['edit app/[id]/page.tsx and app/(shop)/cart.tsx', ['app/[id]/page.tsx', 'app/(shop)/cart.tsx']],
      ['~/x/y.md ../z.py ./w.sh /etc/a.conf C:/a/b.ts', ['~/x/y.md', '../z.py', 'w.sh', '/etc/a.conf', 'C:/a/b.ts']],
      ['Makefile, .env.local, go.mod and .gitignore', ['Makefile', '.env.local', 'go.mod', '.gitignore']],
      ['ファイルsrc/a.jsを直して。設定はconfig.yamlです', ['src/a.js', 'config.yaml']],
    ]
    expect(table.map(([text]) => [text, findFilePaths(text)])).toEqual(table)
  })

  test('text: calls, hosts, URLs, versions and abbreviations are no files', () => {
    for (const text of [
      'fmt.Println and console.log, this.state, res.json() and time.Now',
      'https://example.com/a/b.html and git@github.com:org/repo.git',
      'Node.js 20.1, v1.2.3, e.g. this, i.e. that, etc. and.so on',
      'example.com/path/index.html, www.x.org, me@example.com',
    ])
      expect([text, findFilePaths(text)]).toEqual([text, []])
  })

  test('text: a path of plain names is found in any surroundings', () => {
    const around = fc.constantFrom('', ' ', '"', '(', '`', "'", '\n', '、', '=')
    const behind = fc.constantFrom('', ' ', '"', '(12,3)', ':12:3', '`', ')', '\n', 'を', ', ')
    fc.assert(
      fc.property(inside, around, behind, (file, before, after) => {
        expect(findFilePaths(`${before}${file}${after}`)).toEqual([file])
      }),
    )
  })
})
