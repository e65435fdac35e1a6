// A failure behind a pipe is found by the form of its error, and a printed log is none.
import { expect, test } from 'vitest'
import { findHiddenFailure } from '../../src/text/hiddenFailure.ts'

test.each([
  ['cd web && npm test | tail -3', '/usr/bin/bash: line 1: cd: web: No such file or directory\n', true],
  ['gh api repos/a/b | jq .body', 'null\ngh: Not Found (HTTP 404)', true],
  ['node a.mjs; echo done', 'TypeError: x is not a function\n    at a.mjs:1\ndone', true],
  ['python -c "x" 2>&1 | tail', '  File "<string>", line 1\nIndentationError: unexpected indent', true],
  ['lint --out=line | head', 'Error: unknown flag: --out', true],
  ['bun test 2>&1 | tail -20', 'error: Database failed\n    at a.test.ts:3\n\n 12 pass\n 0 fail\nRan 12 tests', false],
  ['bun test 2>&1 | tail -20', 'error: Database failed\n    at a.test.ts:3\n\n 12 pass\n 1 fail\nRan 13 tests', true],
  ['npx vitest run | tail', 'Error: as expected\n\n Test Files  2 passed (2)\n      Tests  9 passed (9)', false],
  ['npm test', 'Error: it passed all the same', false],
  ['cat app.log | tail -5', 'Error: out of memory', false],
  ['go test ./... | tail', 'ok  	shop/cart	0.2s\n--- no errors: found 0', false],
  ['make | tail', 'vite: 3 modules not found in the cache', false],
])('text: the output of %j hides a failure: %j is %j', (command, output, isFailure) => {
  expect(findHiddenFailure(command, output) !== undefined).toBe(isFailure)
})
