// Labelled corpora and questions on disk: JSON lines, gzipped or not, read completely before anything runs.
import fs from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { MemoryError } from '../../src/model/memoryError.ts'
import type { CorpusDocument } from './importCorpus.ts'

export interface LabelledQuery {
  readonly id: string
  readonly conv: string
  readonly query: string
  /** Milliseconds since 1970; undefined if the question has no time of its own. */
  readonly at?: number | undefined
  /** Ids of corpus lines that answer it. */
  readonly relevant: readonly string[]
  readonly category?: string | undefined
}

/** Texts, and questions about them. */
export interface LabelledSet {
  readonly corpus: readonly CorpusDocument[]
  readonly queries: readonly LabelledQuery[]
}

/** A corpus's lines, in order. Throws NOT_FOUND, INPUT_INVALID. */
export const readCorpus = (file: string, cwd: string): readonly CorpusDocument[] =>
  linesOf(file, cwd).map(({ fields, where }) => ({
    id: textOf(fields, 'id', where),
    conv: textOf(fields, 'conv', where),
    session: nameOf(fields['session'], 'session', where),
    at: timeOf(fields['ts'], where),
    speaker: nameOf(fields['speaker'], 'speaker', where),
    text: textOf(fields, 'text', where),
  }))

/** Questions, in order. Throws NOT_FOUND, INPUT_INVALID. */
export const readQueries = (file: string, cwd: string): readonly LabelledQuery[] =>
  linesOf(file, cwd).map(({ fields, where }) => ({
    id: textOf(fields, 'id', where),
    conv: textOf(fields, 'conv', where),
    query: textOf(fields, 'query', where),
    at: timeOf(fields['ts'], where),
    relevant: idsOf(fields['relevant'], where),
    category: nameOf(fields['category'], 'category', where),
  }))

interface Line {
  readonly fields: Readonly<Record<string, unknown>>
  /** File and line, for error messages. */
  readonly where: string
}

function linesOf(file: string, cwd: string): Line[] {
  const resolved = path.resolve(cwd, file)
  if (!fs.statSync(resolved, { throwIfNoEntry: false })?.isFile()) {
    throw new MemoryError('NOT_FOUND', `There is no file ${resolved}`, { hint: 'Give a file of JSON lines.' })
  }
  const shown = path.relative(cwd, resolved)
  return decompress(fs.readFileSync(resolved), shown)
    .split('\n')
    .flatMap((line, i) =>
      line.trim() === '' ? [] : [{ fields: fieldsOf(line, `${shown}:${i + 1}`), where: `${shown}:${i + 1}` }],
    )
}

function decompress(bytes: Buffer, file: string): string {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes.toString('utf8')
  try {
    return gunzipSync(bytes).toString('utf8')
  } catch (error) {
    throw new MemoryError('INPUT_INVALID', `${file} cannot be decompressed: ${(error as Error).message}`, {
      hint: 'Compress it again with gzip, or give plain JSON lines.',
    })
  }
}

function fieldsOf(line: string, where: string): Line['fields'] {
  try {
    const fields: unknown = JSON.parse(line)
    if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) return fields as Line['fields']
  } catch {
    // Reported below, as other lines that are not objects.
  }
  throw invalidInput(`${where} is not a JSON object`)
}

function textOf(fields: Line['fields'], name: string, where: string): string {
  const value = fields[name]
  if (typeof value !== 'string' || value === '') throw invalidInput(`${where} has no ${name}`)
  return value
}

/** The name of a session or a speaker; some corpora use numbers. */
function nameOf(value: unknown, name: string, where: string): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value !== 'string' && typeof value !== 'number')
    throw invalidInput(`${where} has a ${name} that is not a name`)
  return String(value)
}

/** A time without a zone is UTC. */
function timeOf(value: unknown, where: string): number | undefined {
  if (value === undefined || value === null || value === '') return undefined
  const text = typeof value === 'string' && /T[\d:.]+$/.test(value) ? `${value}Z` : value
  const at = typeof text === 'string' || typeof text === 'number' ? new Date(text).getTime() : Number.NaN
  if (Number.isNaN(at)) throw invalidInput(`${where} has the ts ${JSON.stringify(value)}, which is not a time`)
  return at
}

function idsOf(value: unknown, where: string): readonly string[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || !value.every((id) => typeof id === 'string')) {
    throw invalidInput(`${where} has a relevant that is not a list of ids`)
  }
  return value
}

const invalidInput = (what: string): MemoryError =>
  new MemoryError('INPUT_INVALID', what, {
    hint:
      'A corpus line is {"id", "conv", "session", "ts", "speaker", "text"}, a query line {"id", "conv", "query", ' +
      '"ts", "relevant"}; only session, ts, speaker and relevant may be missing.',
  })
