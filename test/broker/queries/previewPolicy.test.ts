// A preview says which notes another policy would have shown, and changes nothing.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import type { Store } from '../../../src/broker/open/openStore.ts'
import { DEFAULT_POLICY } from '../../../src/broker/policy/activePolicy.ts'
import { previewPolicy } from '../../../src/broker/queries/previewPolicy.ts'
import type { Policy } from '../../../src/model/policy.ts'
import { BEGIN, createTestStore, DAY, exampleSession, runHookPayloads } from '../../testData.ts'

const LINT = 'npm run lint'
const FINDING = 'Exit code 1\nsrc/total.js:3:9 error: Missing semicolon after the total'

/** A project that met an error on the first day, and was shown its fix on each of the next two. */
function buildProject(): Store {
  const store = createTestStore()
  for (const day of [0, 1, 2]) {
    const session = exampleSession(`day-${day}`, BEGIN + day * DAY)
      .starts()
      .asks('Get the tests to run.')
      .fails(LINT, FINDING)
    runHookPayloads(store, session.edits('src/total.js').runs(LINT).ends().recorded)
    runMaintenance(store, { now: session.now() })
  }
  return store
}

const withFailures = (limits: Partial<Policy['recall']['moments']['failure']>): Policy => {
  const { recall } = DEFAULT_POLICY
  const failure = { ...recall.moments.failure, ...limits }
  return { ...DEFAULT_POLICY, recall: { ...recall, moments: { ...recall.moments, failure } } }
}

const readAll = (folder: string): string[] =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort()
    .map((file) => `${file} ${fs.readFileSync(file, 'base64')}`)

test('preview: the same policy changes nothing, a stricter one makes its notes disappear, and the store stays', () => {
  const store = buildProject()
  const before = readAll(store.layout.folder)
  const same = previewPolicy(store, DEFAULT_POLICY, 50)
  expect([same.appear, same.disappear]).toEqual([[], []])
  const shown = same.moments.find(({ moment }) => moment === 'failure')
  expect(shown?.shown).toBeGreaterThan(0)
  expect(shown).toMatchObject({ wouldShow: shown?.shown, wouldTokens: shown?.shownTokens })

  const strict = previewPolicy(store, withFailures({ scoreMin: 4 }), 50)
  expect(strict.disappear.map(({ moment }) => moment)).toContain('failure')
  expect(strict.disappear.reduce((sum, { times }) => sum + times, 0)).toBeLessThanOrEqual(shown?.shown ?? 0)
  expect(readAll(store.layout.folder)).toEqual(before)
})

test('preview: only the latest sessions count', () => {
  const preview = previewPolicy(buildProject(), withFailures({ kinds: [] }), 1)
  expect(preview.sessions).toBe(1)
  expect(Math.max(0, ...preview.moments.map(({ recalls }) => recalls))).toBeLessThanOrEqual(2)
})
