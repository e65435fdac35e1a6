// The figure "standing commands, command and purpose right": which labels a store's routines cover.
import { expect, test } from 'vitest'
import { findKnownCommands } from '../../../bench/eval/labelledCommands.ts'
import { memoryIdFromBits } from '../../../src/model/id.ts'
import { type Memory, newMemory } from '../../../src/model/memory.ts'

const routine = (command: string, purpose: string, fields: Partial<Memory> = {}): Memory =>
  newMemory({
    id: memoryIdFromBits([0, 0, 0, 1]),
    kind: 'fact',
    content: command,
    created: '2026-03-02T09:00:00.000Z',
    fact: {
      topic: 'routine',
      claim: 'a standing command',
      remedies: [{ text: `run \`${command}\``, sessions: 3, last: '2026-03-02T09:00:00.000Z' }],
      state: 'standing',
      sessions: [],
      failures: 0,
      lastMet: '2026-03-02T09:00:00.000Z',
      refutations: 0,
      triggers: [],
      routine: { purpose, medianMs: 1000, passed: 1 },
    },
    ...fields,
  })

const knows = (what: string, command: string, ...memories: readonly Memory[]): boolean =>
  findKnownCommands([{ what, command }], memories).length === 1

test('standing commands: a routine covers a label with the same command and a purpose that fits', () => {
  expect(knows('lint', 'npm run lint', routine('npm run lint', 'lint'))).toBe(true)
  expect(knows('lint', 'npm run lint', routine('npm run lint', 'format'))).toBe(false)
  expect(knows('lint', 'npm run lint', routine('npm run lint:fix', 'lint'))).toBe(false)
  expect(knows('lint', 'npm run lint')).toBe(false)
})

test('standing commands: paths, names, printing flags and pipes do not count, other flags do', () => {
  const one = 'go test ./internal/cart -run TestTotal -v 2>&1 | tail -5'
  expect(knows('single unit test', 'go test ./cmd/shop -run TestName', routine(one, 'test one'))).toBe(true)
  expect(knows('unit tests', 'go test ./...', routine(one, 'test'))).toBe(false)
  expect(knows('single unit test', 'pytest -k NAME', routine('pytest tests/test_cart.py -k total', 'test one'))).toBe(
    true,
  )
  expect(knows('build', 'go build -o ./shop ./cmd/shop', routine('go build ./...', 'build'))).toBe(false)
  expect(knows('end-to-end test', './scripts/e2e*.sh', routine('./scripts/e2e.sh --keep', 'integration test'))).toBe(
    false,
  )
  expect(knows('end-to-end test', './scripts/e2e*.sh', routine('scripts/e2e.sh', 'integration test'))).toBe(true)
})

test('standing commands: archived and retired routines, and other kinds of memory, do not count', () => {
  const current = routine('make test', 'test')
  expect(knows('unit tests', 'make test', { ...current, status: 'archived' })).toBe(false)
  const fact = current.fact && { ...current.fact, state: 'retired' as const }
  expect(knows('unit tests', 'make test', { ...current, fact })).toBe(false)
  expect(knows('unit tests', 'make test', newMemory({ ...current, fact: undefined }))).toBe(false)
})
