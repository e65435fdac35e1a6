import { describe, expect, test } from 'vitest'
import { excerptError } from '../../src/distill/callItems.ts'

describe('error excerpt', () => {
  test('excerpt: a short error is whole, without the line that only says that it failed', () => {
    const lines = ['File "<string>", line 1', '||  goto :error', 'IndentationError: unexpected indent']
    expect(excerptError(['Exit code 1', ...lines].join('\n  '))).toBe(lines.join(' ⏎ '))
  })

  test('excerpt: of many findings there is one of each kind, only the first with its place', () => {
    const golang = [
      'cmd/clean.go:221:3: error is not nil (line 219) but it returns nil (nilerr)',
      'cmd/clean.go:240:3: error is not nil (line 239) but it returns nil (nilerr)',
      'cmd/list.go:16:2: string `user` has 5 occurrences (goconst)',
      'cmd/list.go:19:2: string `name` has 3 occurrences (goconst)',
      '4 issues found',
    ]
    expect(excerptError(golang.join('\n'))).toBe(`${golang[0]} ⏎ string \`user\` has 5 occurrences (goconst)`)
    const markdown = ['120', '331', '164', '90'].map((length) => `a.md:1:2 error MD013/line-length [Actual: ${length}]`)
    expect(excerptError([...markdown, 'a.md:9:1 error MD033/no-inline-html [Element: br]'].join('\n'))).toBe(
      `${markdown[0]} ⏎ error MD033/no-inline-html [Element: br]`,
    )
  })

  test('excerpt: an error without text is empty', () => {
    expect(excerptError('')).toBe('')
    expect(excerptError('Exit code 1')).toBe('')
  })
})
