// Which searches for secrets are left out for a text: only those that would find nothing.
import { expect, test } from 'vitest'
import { FORMATS } from '../../../bench/secrets/measure.ts'
import { createRandom, type Random } from '../../../bench/secrets/random.ts'
import { redactThoroughly } from '../../../src/record/redact/secondPass.ts'
import { readTraits, UNKNOWN } from '../../../src/record/redact/textTraits.ts'
import { INNOCENTS } from './nonSecrets.ts'

/** The text, and what was replaced in it. */
function redactBy(text: string, traitsOf: typeof readTraits): readonly [string, readonly string[]] {
  const secrets = new Set<string>()
  return [redactThoroughly(text, secrets, traitsOf), [...secrets]]
}

const expectSameVerdict = (text: string): void =>
  expect(redactBy(text, readTraits)).toEqual(redactBy(text, () => UNKNOWN))

/** Every text in a JSON value. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}

const random = createRandom(41)
const SAMPLES = FORMATS.flatMap((format) => [1, 2, 3].flatMap(() => textsOf(format.make(random).payload)))

test('record: a search that is left out for a generated secret would have found nothing', () => {
  for (const text of [...SAMPLES, ...Object.values(INNOCENTS)]) expectSameVerdict(text)
})

test('record: a search that is left out for parts of texts with secrets would have found nothing', () => {
  for (let run = 0; run < 6_000; run += 1) expectSameVerdict(Array.from({ length: 3 }, () => partOf(random)).join(''))
})

test('record: a search that is left out for a secret with other words around would have found nothing', () => {
  for (let run = 0; run < 4_000; run += 1) {
    const words = random.pick(SAMPLES).split(/(\s+)/)
    for (let i = 0; i < words.length; i += 1) if (random.below(3) === 0) words[i] = random.pick(OTHER_WORDS)
    expectSameVerdict(words.join('').slice(0, 400))
  }
})

const OTHER_WORDS = [
  ...['the', 'PASSWORD', '=', '\n', ' -u', ': ', '"', '→', 'Q7Tz9KdW2xBv5RmP8sLc4HnJ6', 'run', '42', '!#$', 'ſecret'],
  ...['İ', 'パスワード', 'K', '\\n', '%3D', '\u001b[1m', 'x'.repeat(40), 'User', '-', '/', 'ПАРОЛЬ', 'key', '|'],
]

function partOf({ pick, below }: Random): string {
  const text = pick(SAMPLES)
  const start = below(text.length)
  const part = text.slice(start, start + 4 + below(60))
  return below(8) === 0 ? part.toUpperCase() : below(8) === 0 ? part.toLowerCase() : part
}
