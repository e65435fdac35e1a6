// `npm run -s eval -- secrets`: what redaction leaves of generated secrets, by format, and what it takes elsewhere.
import fs from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'
import type { CliContext } from '../../src/cli/context/cliContext.ts'
import type { Event } from '../../src/model/event.ts'
import { hookPayloadFromValue } from '../../src/record/hookPayload.ts'
import { redactStoredEvent } from '../../src/record/redact/secondPass.ts'
import { sanitizePayload } from '../../src/record/sanitizePayload.ts'
import { DOCUMENTED_FORMATS } from '../secrets/documentedFormats.ts'
import { type FormatResult, measureFormats } from '../secrets/measure.ts'

interface SecretsOptions {
  readonly seed: string
  readonly samples: string
  readonly formats?: true
  readonly documented?: true
  readonly recordings?: string
  readonly texts?: string
}

export function registerSecrets(program: Command, io: CliContext): void {
  program
    .command('secrets')
    .description('Share of generated secrets that is stored, by format, and false redactions in other text')
    .option('--seed <number>', 'seed of the generator', '15')
    .option('--samples <number>', 'samples of each format', '20')
    .option('--formats', 'one row for each format, not for each group')
    .option('--documented', 'the formats of public documentation instead, on which no pattern was tuned')
    .option('--recordings <folder>', 'count changed payloads of recorded sessions instead')
    .option('--texts <file>', 'count changed texts instead; each line of the file is the path of a text file')
    .action((options: SecretsOptions) => {
      const folder = options.recordings && path.resolve(io.cwd, options.recordings)
      const list = options.texts && path.resolve(io.cwd, options.texts)
      if (folder) io.out.write(reportChanges(listRecorded(folder)))
      else if (list) io.out.write(reportChanges(listChunks(list)))
      else io.out.write(reportFormats(options))
    })
}

function reportFormats({ seed, samples, formats, documented }: SecretsOptions): string {
  const set = documented ? DOCUMENTED_FORMATS : undefined
  const both = [undefined, redactStoredEvent].map((pass) => measureFormats(Number(seed), Number(samples), pass, set))
  const keyOf = ({ format }: FormatResult): string => (formats ? `${format.group}: ${format.name}` : format.group)
  const rows = [...new Set(both[0]?.map(keyOf)), 'all'].map((key) => {
    const [hooks, worker] = both.map((results) => results.filter((result) => key === 'all' || keyOf(result) === key))
    const { left = 0, secrets = 1 } = hooks ? total(hooks) : {}
    const after = total(worker ?? [])
    const share = (part: number, whole: number): string => (whole === 0 ? '' : `${((100 * part) / whole).toFixed(1)} %`)
    const columns = [key, worker?.length, secrets, share(left, secrets), share(after.left, secrets)]
    return `| ${[...columns, share(after.keptLeft, after.kept)].join(' | ')} |`
  })
  const head = '| group | formats | secrets | left by hooks | left after the worker | text beside them kept |'
  return `${[head, '|---|---:|---:|---:|---:|---:|', ...rows].join('\n')}\n`
}

const total = (results: readonly FormatResult[]): Record<'left' | 'secrets' | 'kept' | 'keptLeft', number> => {
  const add = (name: 'left' | 'secrets' | 'kept' | 'keptLeft'): number =>
    results.reduce((sum, result) => sum + result[name], 0)
  return { left: add('left'), secrets: add('secrets'), kept: add('kept'), keptLeft: add('keptLeft') }
}

interface NamedPayload {
  readonly name: string
  readonly payload: unknown
}

/** Counts payloads that redaction changes, and the words that they lose, and prints the first difference of each. */
function reportChanges(payloads: Iterable<NamedPayload>): string {
  let count = 0
  let chars = 0
  let words = 0
  let lost = 0
  const changes: string[] = []
  for (const { name, payload } of payloads) {
    const parsed = hookPayloadFromValue(payload)
    if (!parsed) continue
    const before = JSON.stringify(parsed)
    // The second pass takes any value with texts, and a payload has the complete ones.
    const after = JSON.stringify(redactStoredEvent(sanitizePayload(parsed) as unknown as Event))
    count += 1
    chars += before.length
    words += splitWords(before).length
    if (before === after) continue
    changes.push(`${name}\n  ${firstDifference(before, after)}\n`)
    const kept = new Set(splitWords(after))
    lost += splitWords(before).filter((word) => !kept.has(word)).length
  }
  const share = (part: number, whole: number): string => `${((100 * part) / Math.max(1, whole)).toFixed(4)} %`
  const summary = `${changes.length} changed (${share(changes.length, count)}), ${lost} of ${words} words lost`
  return `${changes.join('')}${count} texts, ${chars} characters, ${summary} (${share(lost, words)})\n`
}

const splitWords = (json: string): string[] => json.split(/(?:\s|\\[nrt]|["'`,;()])+/)

function firstDifference(before: string, after: string): string {
  let at = 0
  while (before[at] === after[at]) at += 1
  return `${before.slice(Math.max(0, at - 60), at + 60)}\n  ${after.slice(Math.max(0, at - 60), at + 60)}`
}

function* listRecorded(folder: string): Generator<NamedPayload> {
  for (const name of fs.readdirSync(folder).sort()) {
    if (!name.endsWith('.jsonl')) continue
    for (const line of fs.readFileSync(path.join(folder, name), 'utf8').split('\n'))
      if (line) yield { name, payload: (JSON.parse(line) as { payload: unknown }).payload }
  }
}

/** Characters of a text, about as many as a tool prints. */
const CHUNK_CHARS = 2_000

/** Parts of about 2,000 characters, at line ends, as the output of a command. */
function* listChunks(list: string): Generator<NamedPayload> {
  for (const name of fs.readFileSync(list, 'utf8').split('\n').filter(Boolean)) {
    let chunk = ''
    for (const line of [...fs.readFileSync(name, 'utf8').split(/(?<=\n)/), undefined]) {
      if (chunk !== '' && (line === undefined || chunk.length + line.length > CHUNK_CHARS)) {
        const call = { tool_name: 'Bash', tool_input: { command: 'make show' }, tool_response: { stdout: chunk } }
        yield { name, payload: { session_id: 's', hook_event_name: 'PostToolUse', ...call } }
        chunk = ''
      }
      chunk += line ?? ''
    }
  }
}
