// Where the tests of a file are, which files change most and which change together.
import { expect, test } from 'vitest'
import type { ExampleSession } from '../../testData.ts'
import { factsAfter, nthSession, reads, routinesAfter } from './factLines.ts'

const edits = (n: number, ...files: readonly string[]): ExampleSession =>
  files.reduce((told, file) => told.edits(file), nthSession(n))

test.each([
  ['src/a/till.go', 'src/a/till_test.go', 'Tests of `x.go` are in `x_test.go` beside it'],
  ['src/a/till.ts', 'src/a/__tests__/till.test.ts', 'Tests of `x.ts` are in `__tests__/x.test.ts`'],
  ['src/a/till.ts', 'test/a/till.test.ts', 'Tests of `src/…/x.ts` are in `test/…/x.test.ts`'],
  ['lib/shop/till.rb', 'spec/shop/till_spec.rb', 'Tests of `lib/…/x.rb` are in `spec/…/x_spec.rb`'],
  ['app/till.py', 'app/tests/test_till.py', 'Tests of `x.py` are in `tests/test_x.py`'],
])('layout facts: the tests of %s are in %s', (source, testFile, line) => {
  expect(routinesAfter(reads(reads(nthSession(1), source), testFile))).toEqual([line])
})

test('layout facts: the files that change most, counted once a session', () => {
  const sessions = [edits(1, 'a.ts', 'a.ts', 'b.ts'), edits(2, 'c.ts', 'b.ts'), edits(3, 'b.ts', 'c.ts')]
  expect(routinesAfter(...sessions)).toEqual(['Files that change most: `b.ts`, `c.ts`, `a.ts`'])
})

test('layout facts: files that change together more often than by chance', () => {
  const together = [1, 2, 3].map((n) => edits(n, 'api/routes.ts', 'web/client.ts'))
  const others = [4, 5, 6, 7, 8].map((n) => edits(n, `src/part${n}.ts`, 'CHANGELOG.md'))
  const [line = ''] = routinesAfter(...together, ...others)
  expect(line).toContain('; together: `api/routes.ts` and `web/client.ts`')
  expect(line).not.toContain('and `src/part')
})

test('layout facts: organizing a session again counts nothing twice', () => {
  const session = edits(1, 'a.ts')
  expect(factsAfter(session, session)[0]).toMatchObject({ sessionCount: 1, fact: { counts: { 'a.ts': 1 } } })
})
