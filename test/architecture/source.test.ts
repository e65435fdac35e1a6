// Reading a source file: what is code, what is text, what is imported and exported.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { codeOf, exportsOf, importsOf, literalsOf } from './source.ts'

describe('architecture: reading a source', () => {
  test('architecture: reading code keeps length and lines of any text', () => {
    const piece = fc.constantFrom(
      '`',
      '${',
      '}',
      '{',
      "'",
      '"',
      '/',
      '//',
      '/*',
      '*/',
      '\\',
      '\n',
      'a',
      ' = ',
      '[',
      ']',
    )
    const text = fc.array(fc.oneof(piece, fc.string({ maxLength: 3 })), { maxLength: 30 }).map((all) => all.join(''))
    fc.assert(
      fc.property(text, (given) => {
        const code = codeOf(given)
        expect(code.length).toBe(given.length)
        expect(code.split('\n').length).toBe(given.split('\n').length)
      }),
    )
  })

  test.each([
    ['a line comment', '// SECRET\nSEEN'],
    ['a block comment', '/* SECRET\n */ SEEN'],
    ['a string', "f('it\\'s SECRET', SEEN)"],
    ['a string in double quotes', 'f("SECRET", SEEN)'],
    ['a template, but not its expressions', '`SECRET $' + '{SEEN} SECRET`'],
    ['a template in an expression', '`SECRET $' + '{f({ a: `SECRET $' + '{SEEN}` })} SECRET`'],
    ['a regular expression', "x.replace(/'SECRET[/']/g, SEEN)"],
    ['a comment after a division', 'a / b // SECRET\nSEEN'],
  ])('architecture: %s is not read as code', (_, text) => {
    expect(codeOf(text)).not.toContain('SECRET')
    expect(codeOf(text)).toContain('SEEN')
  })

  test('architecture: every form of import is found, and none in a string or comment', () => {
    const text = [
      "import fs from 'node:fs'",
      "import { a, type B } from './a.ts'",
      "import type { C } from './c.ts'",
      "import './side.ts'",
      "export { d } from './d.ts'",
      "import {\n  e,\n} from './e.ts'",
      "const f = await import('./f.ts')",
      "const g = require('./g.cjs')",
      'const h = await import(name)',
      "const text = \"import x from './none.ts'\" // import y from './none.ts'",
      'const { url } = import.meta',
    ].join('\n')
    const found = importsOf(text).map(({ from }) => from)
    const named = ['node:fs', './a.ts', './c.ts', './side.ts', './d.ts', './e.ts', './f.ts', './g.cjs', '?']
    expect(found).toEqual(named)
    expect(importsOf(text).map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6, 9, 10, 11])
  })

  test('architecture: an import lists the imported names, and * for all', () => {
    const text =
      "import { a, type B, c as d } from './a.ts'\nimport * as all from './b.ts'\nconst f = await import('./f.ts')"
    expect(importsOf(text).map(({ names }) => names)).toEqual([['a', 'B', 'c'], ['*'], ['*']])
  })

  test('architecture: an export ends before its body or the next statement', () => {
    const text = [
      'export function f(',
      '  a: A,',
      '): R {',
      '  return hidden(a)',
      '}',
      '',
      'const hidden = 1',
      'export interface T {',
      '  readonly u: U',
      '}',
      'export const g = (a: A): G => a',
      'hidden()',
    ].join('\n')
    const found = exportsOf(text)
    expect(found.map(({ name, line, isType }) => [name, line, isType])).toEqual([
      ['f', 1, false],
      ['T', 8, true],
      ['g', 11, false],
    ])
    expect(found.map(({ signature }) => /\b[RUG]\b/.exec(signature)?.[0])).toEqual(['R', 'U', 'G'])
    expect(found.filter(({ signature }) => signature.includes('hidden'))).toEqual([])
  })

  test('architecture: literals have a line and the code before them, templates have … for expressions', () => {
    const text = "// 'none'\nf('one', `two $" + "{g('three')} four`)\n"
    expect(literalsOf(text).map(({ text: literal, line }) => [literal, line])).toEqual([
      ['one', 2],
      ['two … four', 2],
      ['three', 2],
    ])
    expect(literalsOf(text)[0]?.before).toBe('f(')
  })
})
