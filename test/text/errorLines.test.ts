// The line that says what is wrong, in the outputs of many tools: toolOutputs.txt has each output and its line.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { errorSignature, salientLine } from '../../src/text/errorSignature.ts'

/** A tool, its output, and the line that says what is wrong. */
const OUTPUTS = fs
  .readFileSync(path.join(import.meta.dirname, 'toolOutputs.txt'), 'utf8')
  .split(/^### /m)
  .slice(1)
  .map((section) => {
    const [, tool = '', output = '', line = ''] = /^(.*)\n([\s\S]*)\n==> (.*)/.exec(section) ?? []
    return { tool, output, line }
  })

test('text: of the output of many tools, the salient line says what is wrong', () => {
  expect(OUTPUTS.length).toBeGreaterThan(40)
  expect(OUTPUTS.map(({ tool, output }) => [tool, salientLine(output)])).toEqual(
    OUTPUTS.map(({ tool, line }) => [tool, line]),
  )
})

test('text: a runner’s prefix, a time and a warning do not change a signature', () => {
  const plain = errorSignature('Bash', 'src/a.ts(3,7): error TS2304: Cannot find name')
  for (const output of [
    '[build] src/a.ts(3,7): error TS2304: Cannot find name',
    'web:build: src/a.ts(8,1): error TS2304: Cannot find name\nweb:build: Command failed with exit code 2',
    '2026-03-02T09:00:03Z src/a.ts(3,7): error TS2304: Cannot find name',
    'warning: no cache\nsrc/a.ts(3,7): error TS2304: Cannot find name',
  ])
    expect([output, errorSignature('Bash', output)]).toEqual([output, plain])
})

test('text: if an output has only warnings or a result, the salient line is one of them', () => {
  expect(salientLine('warning: no cache')).toBe('warning: no cache')
  expect(salientLine('> shop@1.0.0 test\nCommand failed with exit code 2.')).toBe('Command failed with exit code 2.')
})
