// Every error that a command can end with, and its hint, has a row in the table of Japanese texts.
//
// The texts are read from the source: both sides of each condition, with a sample where the code inserts a value. What
// a function inserts may be most of the text: then a row of such a form is enough.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parseAst } from 'vitest/node'
import { setTexts, translate } from '../../src/report/translation.ts'
import { REPOSITORY } from './testContext.ts'

const FOLDERS = ['cli', 'broker', 'database', 'distill', 'embed', 'entries', 'knowledge', 'model', 'tools']

/** What agents and programs read, and never a person at a terminal. */
const NOT_PRINTED = /^src\/(?:tools\/everyday|broker\/handlers|distill\/models)\//

type Node = Readonly<Record<string, unknown>> & { readonly type: string; readonly start: number; readonly end: number }

/** Stands for a value in a text. */
const VALUE = '\u0000'

/** A text with both sides of its conditions; undefined for what is no text. */
function textsOf(node: Node): readonly string[] | undefined {
  const inner = (value: unknown): readonly string[] => textsOf(value as Node) ?? [VALUE]
  const both = (one: unknown, other: unknown): readonly string[] => [...inner(one), ...inner(other)]
  switch (node.type) {
    case 'Literal':
      return typeof node['value'] === 'string' ? [node['value']] : undefined
    case 'TemplateLiteral': {
      const quasis = (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked)
      return (node['expressions'] as Node[]).reduce<readonly string[]>(
        (texts, expression, i) =>
          texts.flatMap((text) => inner(expression).map((value) => `${text}${value}${quasis[i + 1]}`)),
        [quasis[0] ?? ''],
      )
    }
    case 'ConditionalExpression':
      return both(node['consequent'], node['alternate'])
    case 'LogicalExpression':
      return both(node['left'], node['right'])
    case 'BinaryExpression':
      return inner(node['left']).flatMap((left) => inner(node['right']).map((right) => left + right))
    default:
      return undefined
  }
}

/** The messages of `new MemoryError(code, message, …)` and all hints in a file. */
function findErrorTexts(file: string): string[] {
  const found: string[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { type, callee, key, value, arguments: given } = node as Node
    if (type === 'NewExpression' && (callee as Node)['name'] === 'MemoryError')
      found.push(...(textsOf((given as Node[])[1] as Node) ?? []))
    if (type === 'Property' && (key as Node)['name'] === 'hint') found.push(...(textsOf(value as Node) ?? []))
    Object.values(node).forEach(visit)
  }
  visit(parseAst(fs.readFileSync(file, 'utf8'), { lang: 'ts' }))
  return found
}

const toPattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

test('japanese: every error of a command and its hint has a row', () => {
  const file = path.join(REPOSITORY, 'src/cli/texts/ja.json')
  const groups = JSON.parse(fs.readFileSync(file, 'utf8')) as Readonly<Record<string, Readonly<Record<string, string>>>>
  const table: Readonly<Record<string, string>> = Object.assign({}, ...Object.values(groups))
  const rows = Object.keys(table).join('\n')
  setTexts(table)
  const isTranslated = (text: string): boolean =>
    !/[A-Za-z]/.test(text) ||
    ['7', 'Xq'].some((value) => translate(text.replaceAll(VALUE, value)) !== text.replaceAll(VALUE, value)) ||
    new RegExp(`^${text.split(VALUE).map(toPattern).join('.+')}$`, 'm').test(rows)
  const missing = FOLDERS.flatMap((folder) => {
    const names = fs.readdirSync(path.join(REPOSITORY, 'src', folder), { recursive: true, encoding: 'utf8' })
    return names
      .map((name) => path.posix.join('src', folder, name.replaceAll(path.sep, '/')))
      .filter((name) => name.endsWith('.ts') && !NOT_PRINTED.test(name))
      .flatMap((name) =>
        findErrorTexts(path.join(REPOSITORY, name)).flatMap((text) =>
          isTranslated(text) ? [] : [`${name}: ${text.replaceAll(VALUE, '…')}`],
        ),
      )
  })
  setTexts(undefined)
  expect(missing).toEqual([])
})
