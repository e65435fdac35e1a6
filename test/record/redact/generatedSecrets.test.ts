// Generated secrets: what is left of them in stored events, and what redaction takes beside them.
import { expect, test } from 'vitest'
import { seededRandom } from '../../../bench/fixture/seededRandom.ts'
import { FORMATS, measureFormats, storedTexts } from '../../../bench/secrets/measure.ts'
import { redactStoredEvent } from '../../../src/record/redact/secondPass.ts'
import { scanned } from './scanner.ts'

const SEED = 15
/** Samples of each format. `npm run eval -- secrets` takes more. */
const SAMPLES = 4

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

test('secrets: of at least 100 formats, at most 2 % of the secrets are stored, and text beside them stays', () => {
  expect(new Set(FORMATS.map(({ group, name }) => `${group}/${name}`)).size).toBeGreaterThanOrEqual(100)
  const results = measureFormats(SEED, SAMPLES, redactStoredEvent)
  const examples = results.flatMap(({ format, example }) => (example ? [`${format.name}: ${example}`] : []))
  const left = sum(results.map((result) => result.left))
  expect(left / sum(results.map(({ secrets }) => secrets)), examples.join('\n')).toBeLessThanOrEqual(0.02)
  const damaged = results.flatMap((result) => (result.damaged ? [result.damaged] : []))
  const kept = sum(results.map(({ keptLeft }) => keptLeft)) / sum(results.map((result) => result.kept))
  expect(kept, damaged.join('\n')).toBeGreaterThanOrEqual(0.99)
})

test('secrets: no group of formats has more than a tenth left', () => {
  const groups = new Map<string, { left: number; secrets: number }>()
  for (const { format, left, secrets } of measureFormats(SEED + 1, SAMPLES, redactStoredEvent)) {
    const group = groups.get(format.group) ?? { left: 0, secrets: 0 }
    groups.set(format.group, { left: group.left + left, secrets: group.secrets + secrets })
  }
  for (const [name, { left, secrets }] of groups) expect([name, left / secrets <= 0.1]).toEqual([name, true])
})

test('secrets: hooks alone, without the second pass, leave less than a quarter', () => {
  const results = measureFormats(SEED, SAMPLES)
  expect(sum(results.map(({ left }) => left)) / sum(results.map(({ secrets }) => secrets))).toBeLessThan(0.25)
})

test('secrets: the scanner finds nothing in stored events, and finds secrets in what they were made of', async () => {
  const texts = FORMATS.map((format, i) => storedTexts(format.make(seededRandom(i + 1)), redactStoredEvent))
  expect(await scanned(texts.join('\n\n'))).toEqual([])
  const payloads = FORMATS.map((format, i) => JSON.stringify(format.make(seededRandom(i + 1)).payload))
  expect((await scanned(payloads.join('\n\n'))).length).toBeGreaterThan(10)
})
