// The database of claude-mem (`~/.claude-mem/claude-mem.db`): observations and session summaries, which its model
// wrote, and the prompts that the person typed.
//
// It knows projects by the name of their folder alone, so only rows of this project's folder name are read, or of the
// names that the person gives. Columns differ between versions; what a version does not have is left out.
//
// SQLite runs inside this process, where nothing can stop it: a view can have rows without end, a damaged tree of pages
// too, and a text a gigabyte. So only tables are read, row by row without a condition or an order, and no long value.

import type { DatabaseSync } from 'node:sqlite'
import type { Event, EventOf } from '../../../model/event.ts'
import type { SessionId } from '../../../model/id.ts'
import { IMPORT_DATABASE_BYTES_MAX } from '../../../model/limits.ts'
import { MemoryError, messageOf } from '../../../model/memoryError.ts'
import { splitTasks } from '../../../model/sessionTask.ts'
import { countByFrequency } from '../../../organize/experience.ts'
import { MemoryTable } from '../../../organize/memoryTable.ts'
import { extractKnowledge } from '../../../organize/sessionKnowledge.ts'
import { inspectUntrusted, isFileFault } from '../../../store/disk/untrustedFiles.ts'
import { mainWorkTree } from '../../../store/project/gitFolder.ts'
import { toRepoPath } from '../../../text/filePaths.ts'
import { isClientPrompt } from '../../../text/promptText.ts'
import { sanitize } from '../../commands/newMemory.ts'
import { eventEnvelope, eventId } from '../../commit/commitEvents.ts'
import { DEFAULT_POLICY } from '../../policy/activePolicy.ts'
import type { ImportItem, ReadSource } from '../planImport.ts'
import { describePath, faultError, isFolder, isOfProject, type SourceContext } from './sourceFiles.ts'

/** Reads the rows of these projects; of this project's folder name by default. Throws NOT_FOUND and INPUT_INVALID. */
export function readClaudeMem(context: SourceContext, projects: readonly string[] = []): ReadSource {
  const { store, path, userHome, env } = context
  const folder = env['CLAUDE_MEM_DATA_DIR'] || `${userHome}/.claude-mem`
  const file = path === undefined ? `${folder}/claude-mem.db` : isFolder(path, context) ? `${path}/claude-mem.db` : path
  if (isOfProject(file, context)) {
    throw new MemoryError('INPUT_INVALID', `${file} is inside the project`, {
      hint: 'It may come with the repository. If it is yours, move it to your home folder first.',
    })
  }
  const database = openSqliteFile(file, context.isLate)
  try {
    const tables = TABLES.filter(({ table }) => database.columnsOf(table).includes('project'))
    if (tables.length === 0) {
      const what = `${file} is not a database of claude-mem`
      throw new MemoryError('INPUT_INVALID', what, { hint: 'Name its `claude-mem.db`.' })
    }
    const names = projects.length > 0 ? projects : [...namesOf(store.project.root)]
    // A worktree is `name/worktree` there.
    const isOwn = (project: unknown): boolean =>
      names.some((name) => project === name || textOf(project).startsWith(`${name}/`))
    const rows = tables.flatMap((table) => readTable({ database, isOwn }, table, store.project.root))
    const items = [...rows, ...statementsOfPrompts(readPrompts({ database, isOwn }))]
    const others = listOtherProjects({ database, isOwn }, tables)
    if (items.length === 0 && projects.length > 0) throw unknownProjectError(file, projects, others)
    const location = `${describePath(file, context)}#${names.join(',')}`
    return { name: 'claude-mem', location, items, faults: [], notes: describeOthers(names, items.length, others) }
  } finally {
    database.close()
  }
}

/** The folder's name, and that of the repository of a worktree. */
const namesOf = (root: string): ReadonlySet<string> =>
  new Set([root, mainWorkTree(root) ?? root].map((each) => each.slice(each.lastIndexOf('/') + 1)))

interface Table {
  readonly table: 'observations' | 'session_summaries'
  readonly parts: readonly string[]
}

const TABLES: readonly Table[] = [
  { table: 'observations', parts: ['title', 'subtitle', 'narrative', 'facts', 'text'] },
  { table: 'session_summaries', parts: ['request', 'investigated', 'learned', 'completed', 'next_steps', 'notes'] },
]

/** How the text of a column of a summary is introduced: `Next steps: `. That of an observation stands as it is. */
const introOf = (column: string): string => `${column.charAt(0).toUpperCase()}${column.slice(1).replace('_', ' ')}: `

interface ClaudeMem {
  readonly database: SqliteFile
  readonly isOwn: (project: unknown) => boolean
}

function readTable({ database, isOwn }: ClaudeMem, { table, parts }: Table, root: string): ImportItem[] {
  const sessions = readSessions(database)
  const isSummary = table === 'session_summaries'
  const label = isSummary ? 'summary' : 'observation'
  const isWanted = (row: SqliteRow): boolean => isOwn(row['project']) || isOwn(row['merged_into_project'])
  return sortedRows(database, table, isWanted).flatMap((row): ImportItem[] => {
    const texts = parts.map((part) => formatPart(row[part], isSummary ? introOf(part) : '')).filter(Boolean)
    const created = timeOf(row)
    if (texts.length === 0 || created === undefined) return []
    const memorySession = textOf(row['memory_session_id'] ?? row['sdk_session_id'])
    const concepts = listOf(row['concepts'])
    const type = textOf(row['type'])
    const files = [...listOf(row['files_modified'] ?? row['files_edited']), ...listOf(row['files_read'])]
    const session = sessions.get(memorySession)
    return [
      {
        key: [label, memorySession, textOf(row['id']), textOf(row['created_at_epoch'])].join('\0'),
        item: `${label} ${textOf(row['id'])}`,
        content: [...new Set(texts)].join('\n'),
        tags: ['claude-mem', label, ...(type === '' ? [] : [type]), ...concepts],
        created,
        ...(session !== undefined && { session }),
        files: [...new Set(files.flatMap((file) => toRepoPath(file, [root]) ?? []))],
        provenance: 'assistant',
      },
    ]
  })
}

/** What the person typed, oldest first. */
function readPrompts({ database, isOwn }: ClaudeMem): TypedPrompt[] {
  const session = database.columnsOf('user_prompts').find((name) => /^(?:content|claude)_session_id$/.test(name))
  const own = session && database.columnsOf('sdk_sessions').includes(session) ? session : undefined
  if (own === undefined) return []
  const sessions = new Set<unknown>()
  for (const row of database.rowsOf('sdk_sessions')) if (isOwn(row['project'])) sessions.add(row[own])
  return sortedRows(database, 'user_prompts', (row) => sessions.has(row[own])).flatMap((row) => {
    const at = timeOf(row)
    return at === undefined ? [] : [{ at, session: textOf(row[own]), text: textOf(row['prompt_text']) }]
  })
}

function sortedRows(database: SqliteFile, table: string, isWanted: (row: SqliteRow) => boolean): SqliteRow[] {
  const rows: SqliteRow[] = []
  for (const row of database.rowsOf(table)) if (isWanted(row)) rows.push(row)
  const order = (name: string) => (a: SqliteRow, b: SqliteRow) => Number(a[name]) - Number(b[name]) || 0
  return rows.sort(order('id')).sort(order('created_at_epoch'))
}

/** The client's session of each session of claude-mem. */
function readSessions(database: SqliteFile): Map<string, string> {
  const columns = database.columnsOf('sdk_sessions')
  const own = columns.find((name) => /^(?:memory|sdk)_session_id$/.test(name))
  const client = columns.find((name) => /^(?:content|claude)_session_id$/.test(name))
  if (own === undefined || client === undefined) return new Map()
  const rows = database.rowsOf('sdk_sessions')
  return new Map(Array.from(rows, (row) => [textOf(row[own]), textOf(row[client])]))
}

/** The other projects with their number of rows, the largest first. */
function listOtherProjects({ database, isOwn }: ClaudeMem, tables: readonly Table[]): string[] {
  const names = tables.flatMap(({ table }) => Array.from(database.rowsOf(table), (row) => textOf(row['project'])))
  const others = countByFrequency(names.filter((name) => !isOwn(name)))
  return others.map(([name, count]) => `${name} (${count})`)
}

const OTHERS_MAX = 8

function describeOthers(names: readonly string[], found: number, others: readonly string[]): string[] {
  if (others.length === 0) return []
  const more = others.length > OTHERS_MAX ? `, and ${others.length - OTHERS_MAX} more` : ''
  const list = `${others.slice(0, OTHERS_MAX).join(', ')}${more}`
  const hint = 'Import one with `--from NAME` if it is this project under another name.'
  return found === 0
    ? [`claude-mem has nothing of ${names.join(' or ')}. It has: ${list}. ${hint}`]
    : [`Not imported, of other projects: ${list}.`]
}

function unknownProjectError(file: string, projects: readonly string[], others: readonly string[]): MemoryError {
  const list = others.length === 0 ? 'It has no projects.' : `It has: ${others.slice(0, OTHERS_MAX).join(', ')}.`
  return new MemoryError('NOT_FOUND', `${file} has nothing of ${projects.join(', ')}`, { hint: list })
}

function formatPart(value: unknown, intro: string): string {
  const list = listOf(value)
  if (list.length > 0) return list.map((line) => `- ${line}`).join('\n')
  const text = textOf(value)
  return text === '' || text === '[]' ? '' : `${intro}${text}`
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''

/** A list of texts that is stored as JSON; empty for anything else. */
function listOf(value: unknown): string[] {
  if (typeof value !== 'string' || !value.startsWith('[')) return []
  try {
    const list: unknown = JSON.parse(value)
    return Array.isArray(list) ? list.filter((item): item is string => typeof item === 'string' && item !== '') : []
  } catch {
    return [] // A text that begins with a bracket.
  }
}

/** Milliseconds since 1970, in early versions seconds. */
function timeOf(row: SqliteRow): string | undefined {
  const epoch = Number(row['created_at_epoch'])
  const ms = epoch > 0 ? (epoch < SECONDS_MAX ? epoch * 1000 : epoch) : Date.parse(textOf(row['created_at']))
  return Number.isFinite(ms) && Math.abs(ms) <= TIME_MS_MAX ? new Date(ms).toISOString() : undefined
}

const SECONDS_MAX = 100_000_000_000
const TIME_MS_MAX = 8_640_000_000_000_000

export interface TypedPrompt {
  /** ISO. */
  readonly at: string
  readonly session: string
  readonly text: string
}

/** The statements that still stand, in the order of the prompts. */
export function statementsOfPrompts(prompts: readonly TypedPrompt[]): ImportItem[] {
  const events = prompts.filter(({ text }) => !isClientPrompt(text)).map(toEvent)
  const slice = { session: '' as SessionId, events }
  const said = extractKnowledge(slice, splitTasks(events), new MemoryTable(), DEFAULT_POLICY.knowledge)
  return said.flatMap(({ id, kind, content, knowledge, created, session, tags, status }) => {
    if (!knowledge || status === 'archived') return []
    return [
      {
        key: `said\0${id}`,
        item: `prompt of ${created.slice(0, 10)}`,
        content,
        tags: ['claude-mem', ...tags],
        created,
        ...(session !== undefined && { session }),
        provenance: 'person',
        said: { kind, knowledge },
      },
    ]
  })
}

function toEvent({ at, session, text }: TypedPrompt): Event {
  const id = eventId([session, at, text])
  const envelope = eventEnvelope({ id, now: Date.parse(at), session: session as SessionId })
  const prompt: EventOf<'prompt'> = { ...envelope, kind: 'prompt', text: sanitize(text), signals: [] }
  return prompt
}

type SqliteRow = Readonly<Record<string, unknown>>

type SqliteFile = ReturnType<typeof openSqliteFile>

/** Opens it for reading. Throws NOT_FOUND, also without `node:sqlite`, and INPUT_INVALID for what is no database. */
function openSqliteFile(file: string, isLate: () => boolean) {
  const stats = inspectUntrusted(undefined, file)
  if (stats === undefined) throw new MemoryError('NOT_FOUND', `There is no file ${file}`, { hint: 'Check the path.' })
  if (isFileFault(stats)) throw faultError(stats)
  if (stats.size > IMPORT_DATABASE_BYTES_MAX) {
    throw new MemoryError('INPUT_INVALID', `${file} has more than ${IMPORT_DATABASE_BYTES_MAX} bytes`, {
      hint: 'Name a smaller database.',
    })
  }
  const database = openDatabase(file)
  const tooMuch = new MemoryError('INPUT_INVALID', `${file} has more than can be read: too much text, or no end`, {
    hint: 'Name a smaller database.',
  })
  let left = DATABASE_CHARS_MAX
  function* query(sql: string, ...parameters: readonly string[]): Generator<SqliteRow> {
    try {
      for (const row of database.prepare(sql).iterate(...parameters)) {
        for (const value of Object.values(row)) left -= typeof value === 'string' ? value.length : ROW_VALUE_CHARS
        if (left < 0 || isLate()) throw tooMuch
        yield row
      }
    } catch (error) {
      throw error === tooMuch ? error : damagedError(file, error)
    }
  }
  /** Names of the stored columns of a table; empty if there is no such table. */
  const columnsOf = (table: string): readonly string[] => {
    // No view and no virtual table; computed columns are not in this list.
    const tables = `select 1 from sqlite_master where name = ? and type = 'table' and sql like 'create table%'`
    const columns = query(`select name from pragma_table_info(?) where exists (${tables})`, table, table)
    return Array.from(columns, ({ name }) => String(name)).filter((name) => /^\w+$/.test(name))
  }
  const columnOf = (name: string): string =>
    `case when octet_length("${name}") <= ${VALUE_BYTES_MAX} then "${name}" end as "${name}"`
  return {
    columnsOf,
    /** The rows of a table with all its columns. Longer values are absent. Throws INPUT_INVALID for too much. */
    rowsOf: (table: string) => query(`select ${columnsOf(table).map(columnOf).join(', ')} from "${table}"`),
    close: () => database.close(),
  }
}

/** A longer value is no note, and a memory has 2,000 characters. */
const VALUE_BYTES_MAX = 65_536

/** All texts that are read, and what another value counts: in memory they take twice as many bytes, and a copy. */
const DATABASE_CHARS_MAX = 12_582_912
const ROW_VALUE_CHARS = 8

function openDatabase(file: string): DatabaseSync {
  const { DatabaseSync } = loadSqlite()
  try {
    const database = new DatabaseSync(file, { readOnly: true })
    // All queries see the database as it is at the first one, whatever its program writes meanwhile.
    database.exec('begin')
    return database
  } catch (error) {
    throw damagedError(file, error)
  }
}

/** Without the line that Node prints on stderr, because this module is experimental there. */
function loadSqlite(): typeof import('node:sqlite') {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    const sqlite = process.getBuiltinModule?.('node:sqlite')
    if (sqlite !== undefined) return sqlite as typeof import('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
  throw new MemoryError('NOT_FOUND', `Node ${process.versions.node} has no module node:sqlite, which reads databases`, {
    hint: 'Run this import with Node 22.13 or later. Everything else works with this version.',
  })
}

function damagedError(file: string, cause: unknown): MemoryError {
  const what = `${file} cannot be read: ${messageOf(cause)}`
  const hint = 'Check it with `sqlite3 FILE "pragma integrity_check"`.'
  return new MemoryError('INPUT_INVALID', what, { hint, cause })
}
