import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  errorSignature,
  errorSubject,
  isGeneralSignature,
  isGenericError,
  salientLine,
} from '../../src/text/errorSignature.ts'

describe('signature', () => {
  test('text: the salient line of an error says what is wrong', () => {
    const told: readonly (readonly [string, string])[] = [
      [
        'Exit code 1\nFAIL src/a.test.ts > sums\nAssertionError: expected 3 to be 4\n    at src/a.test.ts:7:13\n',
        'AssertionError: expected 3 to be 4',
      ],
      ['\x1b[31mTypeError\x1b[0m: x is not a function\n    at foo (/a/b.js:1:2)', 'TypeError: x is not a function'],
      [
        'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\n    import requests\nModuleNotFoundError: No module named \'requests\'',
        "ModuleNotFoundError: No module named 'requests'",
      ],
      ['requests.exceptions.ConnectionError: refused', 'requests.exceptions.ConnectionError: refused'],
      ['============ FAILURES ============\nE   AssertionError: assert 1 == 2\n', 'AssertionError: assert 1 == 2'],
      [
        'Exception in thread "main" java.lang.NullPointerException: x is null\n\tat A.main(A.java:3)',
        'Exception in thread "main" java.lang.NullPointerException: x is null',
      ],
      [
        '   Compiling a v0.1.0\nerror[E0382]: borrow of moved value: `s`\n --> src/main.rs:4:5',
        'error[E0382]: borrow of moved value: `s`',
      ],
      [
        "src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.",
        "src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.",
      ],
      [
        'npm ERR! code E404\nnpm ERR! 404 Not Found - GET https://registry/x\n',
        '404 Not Found - GET https://registry/x',
      ],
      ['npm error Missing script: "tset"\nnpm error\nnpm error A complete log of this run', 'Missing script: "tset"'],
      [
        '[lint] $ golangci-lint run ./...\n[lint] ERROR task failed\na/b.go:6:6: type foo is unused (unused)\n',
        'a/b.go:6:6: type foo is unused (unused)',
      ],
      ['# pkg\na.go:4:2: undefined: Foo\nFAIL\tpkg [build failed]\nFAIL', 'a.go:4:2: undefined: Foo'],
      ['=== RUN TestX\n--- PASS: TestErrorIsFine (0.0s)\n--- FAIL: TestX (0.01s)\nFAIL', '--- FAIL: TestX (0.01s)'],
      ['Rebasing (1/4)\rRebasing (2/4)\rerror: could not apply 1a2b3c4', 'error: could not apply 1a2b3c4'],
      ['<tool_use_error>File does not exist.</tool_use_error>', 'File does not exist.'],
      ['エラー: ファイルが見つかりません', 'エラー: ファイルが見つかりません'],
      ['it went badly', 'it went badly'],
      ['', ''],
      ['Exit code 1', ''],
    ]
    expect(told.map(([error]) => [error, salientLine(error)])).toEqual(told)
  })

  test('text: the same error has the same signature, different errors have different ones', () => {
    const of = (error: string) => errorSignature('Bash', error)
    const enoent = of("Exit code 1\nError: ENOENT: no such file or directory, open '/Users/a/x/config.json'")
    expect(enoent).toBe("bash|error: enoent: no such file or directory, open '<p>'")
    expect(of("Error: ENOENT: no such file or directory, open '/home/b/work trees/c.json'")).not.toBe(enoent)
    expect(of("Exit code 254\nError: ENOENT: no such file or directory, open 'C:\\w\\y.json'\n  at x")).toBe(enoent)
    expect(of('--- FAIL: TestX (0.22s)')).toBe(of('--- FAIL: TestX (12.00s)'))
    expect(of('--- FAIL: TestX (0.22s)')).not.toBe(of('--- FAIL: TestY (0.22s)'))
    expect(of('cmd/a/b.go:12:3: undefined: Foo')).toBe(of('internal/c.go:7:14: undefined: Foo'))
    expect(of('fatal: bad object 1a2b3c4d5e')).toBe(of('fatal: bad object 99aabbccdd00112233445566778899aabbccdd00'))
    expect(of('Error: session 0bb9a2d9-a51e-4d5a-8275-566c766a0ff2 is gone')).toBe(
      of('Error: session ad64798f-0493-4cad-a94e-325ea052d103 is gone'),
    )
    expect(errorSignature('Read', 'x failed')).not.toBe(errorSignature('Bash', 'x failed'))
  })

  test('text: numbers, times, hashes, paths and URLs do not change a signature', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/)
    const path = fc.array(name, { minLength: 2, maxLength: 5 }).map((parts) => `/${parts.join('/')}.ts`)
    const varied = fc.record({
      path,
      line: fc.nat(9999),
      hash: fc.stringMatching(/^[0-9a-f]{6}[0-9][0-9a-f]{5,33}$/),
      ms: fc.nat(99_999),
    })
    const said = (v: { path: string; line: number; hash: string; ms: number }) =>
      `Error: cannot read ${v.path}:${v.line} at commit ${v.hash} after ${v.ms}ms, see https://host${v.path}?q=${v.line}`
    fc.assert(
      fc.property(varied, varied, (a, b) => {
        expect(errorSignature('Bash', said(a))).toBe(errorSignature('Bash', said(b)))
      }),
    )
  })

  test('text: a signature is one bounded line in lower case, and exists for every text that is not empty', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (error) => {
        const signature = errorSignature('Bash', error)
        if (signature === undefined) expect(salientLine(error)).toBe('')
        else {
          expect(signature.length).toBeLessThanOrEqual(120)
          expect(signature).toMatch(/^bash\|[^\n\r]*$/)
          expect(signature).toBe(signature.toLowerCase())
        }
      }),
    )
    expect(errorSignature('Bash', '')).toBeUndefined()
    expect(errorSignature('Bash', '  \n Exit code 2\n')).toBeUndefined()
  })

  test('text: colours and the exit code do not change a signature', () => {
    const plain = 'Error: port in use'
    expect(errorSignature('Bash', `Exit code 1\n\x1b[1m\x1b[31m${plain}\x1b[39m\x1b[0m`)).toBe(
      errorSignature('Bash', plain),
    )
    expect(errorSignature('Bash', `\x1b]8;;file:///x\x07${plain}\x1b]8;;\x07`)).toBe(errorSignature('Bash', plain))
  })

  test('text: of a huge error the ends count, and of a huge line the beginning', () => {
    expect(salientLine(`${'progress\n'.repeat(200_000)}Error: out of memory`)).toBe('Error: out of memory')
    expect(salientLine(`Error: ${'x'.repeat(1_000_000)}`).length).toBeLessThanOrEqual(500)
  })

  test('text: an error that says nothing about the project is generic', () => {
    for (const error of [
      "The user doesn't want to proceed with this tool use. The tool use was rejected",
      'Sibling tool call errored',
      '<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>',
      '[Request interrupted by user for tool use]',
      '<tool_use_error>String to replace not found in file.</tool_use_error>',
      "Claude requested permissions to write to /a/b, but you haven't granted it yet.",
      'PreToolUse:Bash hook error: [node guard.mjs]: No stderr output',
    ])
      expect([error, isGenericError(error)]).toEqual([error, true])
    for (const error of [
      'PreToolUse:Write hook error: [a.py]: Notes start with a date',
      'Error: permission denied',
      'File does not exist.',
      'AssertionError: user rejected',
      '',
    ])
      expect([error, isGenericError(error)]).toEqual([error, false])
  })
})

test('text: a refusal by a hook is known by its reason, whatever command the hook runs', () => {
  const refused = (hook: string) =>
    `PreToolUse:Write hook error: [${hook}]: Notes must start with frontmatter.\nExpected:\n---`
  expect(salientLine(refused('a.py'))).toBe('Notes must start with frontmatter.')
  expect(errorSignature('Write', refused('/a/b.py --x'))).toBe(errorSignature('Write', refused('c.mjs')))
})

test('text: a failed assertion is distinguished by its test, not by folder or duration', () => {
  const vitest = (name: string, at = '/home/a/shop') =>
    `Exit code 1\n FAIL  ${at}/src/tax.test.ts > tax > ${name}\nAssertionError: expected 3 to be 4\n    at ${at}/src/tax.test.ts:7:13`
  expect(errorSignature('Bash', vitest('rounds'))).toBe(errorSignature('Bash', vitest('rounds', '/srv/other')))
  expect(errorSignature('Bash', vitest('rounds'))).not.toBe(errorSignature('Bash', vitest('sums')))
  const node = (name: string, ms: string) =>
    `✖ ${name} (${ms}ms)\n  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n  3 !== 4`
  expect(errorSignature('Bash', node('rounds', '1.2'))).toBe(errorSignature('Bash', node('rounds', '33')))
  expect(errorSignature('Bash', node('rounds', '1'))).not.toBe(errorSignature('Bash', node('sums', '1')))
  const other = "TypeError: Cannot read properties of undefined (reading 'name')"
  expect(errorSignature('Bash', ` FAIL  src/a.test.ts > a\n${other}`)).toBe(errorSignature('Bash', other))
})

test('text: a signature of common words alone is general, and a path or a quoted name narrows it', () => {
  const subjectOf = (error: string) => errorSubject(errorSignature('Bash', error) ?? '', error)
  for (const [error, subject] of [
    ['Exit code 1\nexit status 1', ''],
    ['stat dist/a.json: no such file or directory', 'dist/a.json'],
    ["Error: Cannot find module './prices.json'", './prices.json'],
    ['error: Script not found "lint"', 'lint'],
    ['AssertionError: expected 3 to be 4', ''],
    ['File does not exist. Note: your current working directory is /work/app.', ''],
    ['File does not exist. Did you mean src/router.tsx?', 'src/router.tsx'],
  ] as const) {
    expect([error, isGeneralSignature(errorSignature('Bash', error) ?? ''), subjectOf(error)]).toEqual([
      error,
      true,
      subject,
    ])
  }
  for (const error of ['× Formatter would have printed the following content:', 'エラー: 価格の一覧が古いままです']) {
    expect([error, isGeneralSignature(errorSignature('Bash', error) ?? ''), subjectOf(error)]).toEqual([
      error,
      false,
      '',
    ])
  }
})

describe('findings', () => {
  const lint = (findings: string) =>
    `Exit code 1\n[lint] $ golangci-lint run ./...\n[lint] ERROR task failed\n${findings}`
  const UNUSED = 'cart/cart.go:6:6: type basket is unused (unused)'
  const FORMAT = 'tax/tax.go:9:1: File is not properly formatted (gofmt)\n\tt.Fatal("unexpected error")\n^\n1 issues:'
  const subjectOf = (error: string) => errorSubject(errorSignature('Bash', error) ?? '', error)

  test('text: findings of linters and compilers are named by the step that reported them', () => {
    expect(errorSignature('Bash', lint(UNUSED))).toBe('bash|[lint] $ golangci-lint run <p>')
    expect(errorSignature('Bash', lint(FORMAT))).toBe(errorSignature('Bash', lint(UNUSED)))
    const unusedImport = '# shop/cart\ncart/a.go:4:2: "io" imported and not used\nFAIL\tshop/cart [build failed]\nFAIL'
    const fewArguments = '# shop/tax\ntax/b.go:9:7: not enough arguments in call to add\nFAIL\tshop/tax [build failed]'
    expect(errorSignature('Bash', unusedImport)).toBe('bash|fail <p> [build failed]')
    expect(errorSignature('Bash', fewArguments)).toBe(errorSignature('Bash', unusedImport))
    const japanese = (text: string) => `$ textlint docs\ndocs/use.md:3:1: ${text}`
    expect(errorSignature('Bash', japanese('一文が長すぎます'))).toBe(
      errorSignature('Bash', japanese('読点が多い文です')),
    )
  })

  test('text: without such a step a finding is its own signature, and so is a named error', () => {
    expect(errorSignature('Bash', UNUSED)).toBe('bash|<p>: type basket is unused (unused)')
    expect(errorSignature('Bash', lint('cart/cart.go:3:1: undefined: total'))).toBe('bash|<p>: undefined: total')
    expect(errorSignature('Bash', '> shop@1.0.0 lint\n> biome check\n\n × Formatter would have printed this:')).toBe(
      'bash|× formatter would have printed this:',
    )
  })

  test('text: what was found tells findings of the same step apart, in any file and whatever its numbers', () => {
    expect(subjectOf(lint(UNUSED))).toBe('type basket is unused (unused)')
    expect(subjectOf(lint(UNUSED.replace('cart/cart.go:6:6', 'tax/tax.go:90:1')))).toBe(subjectOf(lint(UNUSED)))
    expect(subjectOf(lint(FORMAT))).toBe('File is not properly formatted (gofmt)')
    expect(subjectOf(lint('a/b.go:1:2: string `x` has 3 occurrences (goconst)'))).toBe(
      subjectOf(lint('c/d.go:7:8: string `x` has 12 occurrences (goconst)')),
    )
    expect(subjectOf(FORMAT)).toBe('')
  })
})
