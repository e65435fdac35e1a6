// Measures redaction with generated secrets: which are left in the stored event, and whether the text beside stays.
import type { Event } from '../../src/model/event.ts'
import { recordPayload } from '../../src/record/recordPayload.ts'
import { seededRandom } from '../fixture/seededRandom.ts'
import { COMMAND_FORMATS } from './commandFormats.ts'
import { ENCODING_FORMATS } from './encodingFormats.ts'
import { ENV_FORMATS } from './envFormats.ts'
import { NAME_FORMATS } from './nameFormats.ts'
import { PROSE_FORMATS } from './proseFormats.ts'
import type { Format, Sample } from './sample.ts'
import { STRUCTURE_FORMATS } from './structureFormats.ts'
import { TOKEN_FORMATS } from './tokenFormats.ts'

export const FORMATS: readonly Format[] = [
  ...NAME_FORMATS,
  ...TOKEN_FORMATS,
  ...COMMAND_FORMATS,
  ...ENV_FORMATS,
  ...STRUCTURE_FORMATS,
  ...ENCODING_FORMATS,
  ...PROSE_FORMATS,
]

/** What happened to the secrets of one format. */
export interface FormatResult {
  readonly format: Format
  readonly samples: number
  /** Secrets that were generated, and those of which a part is stored. */
  readonly secrets: number
  readonly left: number
  /** Ordinary texts beside them, and those that are stored unchanged. */
  readonly kept: number
  readonly keptLeft: number
  /** A sample with a secret that is stored. */
  readonly example: string | undefined
  /** A sample that lost ordinary text. */
  readonly damaged: string | undefined
}

/** The event of a payload as it is stored. `secondPass` is what the worker makes of it later. */
export function storedTexts(sample: Sample, secondPass: (event: Event) => Event): string {
  const event = recordPayload(sample.payload, {
    now: 1_767_600_000_000,
    root: '/home/dev/shop',
    recent: () => [],
  })
  const texts: string[] = []
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value)
    else if (typeof value === 'number') texts.push(String(value))
    else if (typeof value === 'object' && value !== null) {
      for (const [name, field] of Object.entries(value)) {
        texts.push(name)
        collect(field)
      }
    }
  }
  const { at: _at, id: _id, ...fields } = event ? secondPass(event) : { at: '', id: '' }
  collect(fields)
  // A tool's answer is stored as JSON: its quotes and line breaks are escaped.
  return texts
    .join('\n')
    .replace(/\\+(?=["'])/g, '')
    .replace(/\\+n/g, '\n')
}

const WINDOW_CHARS = 8

/** Where a text has eight characters in a row of the secret, or all of a shorter one; -1 if it has not. */
function findTrace(secret: string, text: string): number {
  const size = Math.min(WINDOW_CHARS, secret.length)
  for (let at = 0; at + size <= secret.length; at += 1) {
    const index = text.indexOf(secret.slice(at, at + size))
    if (index !== -1) return index
  }
  return -1
}

/** Generates `count` samples of each format and stores them. Each format has random numbers of its own. */
export function measureFormats(
  seed: number,
  count: number,
  secondPass: (event: Event) => Event = (event) => event,
  formats: readonly Format[] = FORMATS,
): FormatResult[] {
  return formats.map((format, index) => {
    const random = seededRandom(seed * 10_007 + index)
    const result = { secrets: 0, left: 0, kept: 0, keptLeft: 0 }
    let example: string | undefined
    let damaged: string | undefined
    for (let run = 0; run < count; run += 1) {
      const sample = format.make(random)
      const texts = storedTexts(sample, secondPass)
      const traces = sample.secrets.map((secret) => findTrace(secret, texts)).filter((index) => index !== -1)
      const keptLeft = sample.kept.filter((text) => texts.includes(text)).length
      result.secrets += sample.secrets.length
      result.left += traces.length
      result.kept += sample.kept.length
      result.keptLeft += keptLeft
      const [trace] = traces
      if (trace !== undefined) example ??= texts.slice(Math.max(0, trace - 120), trace + 80)
      if (keptLeft < sample.kept.length) damaged ??= texts
    }
    return { format, samples: count, ...result, example, damaged }
  })
}
