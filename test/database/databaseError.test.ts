// Every failure of a server becomes a code, one line and a hint; no message has a password or acts on a terminal.
import { afterEach, describe, expect, test } from 'vitest'
import { type DatabaseOptions, openDatabase } from '../../src/database/database.ts'
import { MemoryError } from '../../src/model/memoryError.ts'
import { failure, message, type Script, type ScriptedServer, startScriptedServer } from './scriptedServer.ts'

let server: ScriptedServer | undefined
afterEach(() => server?.stop())

/** The error of a statement against a server that follows the script. */
async function failWith(script: Script, options: Partial<DatabaseOptions> = {}): Promise<MemoryError> {
  server = await startScriptedServer(script)
  await using database = await openDatabase({ retries: 0, connectTimeoutMs: 300, env: {}, ...options, url: server.url })
  const error: unknown = await database.query('select $1::int', [1]).catch((caught: unknown) => caught)
  if (!(error instanceof MemoryError)) throw error
  expect(`${error.message} ${error.hint}`).not.toMatch(/[\x00-\x1f\x7f]|secret-word/)
  expect(error.hint).toMatch(/^[A-Z].*[^.]$|^[A-Z].*\.$/)
  return error
}

describe('errors of a database', () => {
  test('errors: an answer without an end and one huge row are given up', async () => {
    const columns = message('T', Buffer.concat([Buffer.from([0, 1]), Buffer.from('a\0'), Buffer.alloc(18)]))
    const row = (bytes: number) => message('D', Buffer.concat([Buffer.from([0, 1, 0, 0, 0, 0]), Buffer.alloc(bytes)]))
    const started = Buffer.concat([message('1', ''), message('2', ''), columns])
    const answers = [
      Buffer.concat([started, ...Array.from({ length: 400 }, () => row(60_000))]),
      Buffer.concat([started, row(20_000_000)]),
      message('N', Buffer.alloc(20_000_000, 'n')),
    ]
    for (const onStatement of answers) {
      const error = await failWith({ onStatement }, { statementTimeoutMs: 20_000 })
      expect(error).toMatchObject({
        code: 'DATABASE_UNREACHABLE',
        cause: { message: expect.stringMatching(/^The answer has more than/) },
      })
      await server?.stop()
    }
    const error = await failWith({ onStart: message('N', Buffer.alloc(20_000_000, 'n')) }, { connectTimeoutMs: 20_000 })
    expect(error.code).toBe('DATABASE_UNREACHABLE')
  })

  test.each([
    ['53100', 'could not extend file: No space left on device', 'DATABASE_FULL', /disk/],
    ['53200', 'out of memory', 'DATABASE_FULL', /memory/],
    ['53300', 'sorry, too many clients already', 'DATABASE_FULL', /max_connections/],
    ['25006', 'cannot execute INSERT in a read-only transaction', 'DATABASE_READ_ONLY', /primary/],
    ['57014', 'canceling statement due to statement timeout', 'DATABASE_TIMEOUT', /timeout/],
    ['55P03', 'canceling statement due to lock timeout', 'DATABASE_TIMEOUT', /again/],
    ['57P01', 'terminating connection due to administrator command', 'DATABASE_UNREACHABLE', /again/],
    ['42501', 'permission denied for table hub_operations', 'DATABASE_ACCESS', /hub\.md/],
    ['42P01', 'relation "hub_operations" does not exist', 'DATABASE_VERSION', /hub migrate/],
    ['42P01', 'relation "customers" does not exist', 'DATABASE_ERROR', /log of the server/],
    ['0A000', 'cannot do this', 'DATABASE_ERROR', /log of the server/],
    ['XX000', '', 'DATABASE_ERROR', /log of the server/],
  ])('errors: %s during a statement (%s) is %s', async (state, text, code, hint) => {
    const error = await failWith({ onStatement: failure(state, text) })
    expect(error).toMatchObject({ code, hint: expect.stringMatching(hint) })
  })

  test.each([
    ['28P01', 'password authentication failed for user "me"', 'DATABASE_ACCESS', /password/],
    ['28000', 'no pg_hba.conf entry for host "x", no encryption', 'DATABASE_ACCESS', /sslmode=require/],
    ['3D000', 'database "team" does not exist', 'DATABASE_ACCESS', /createdb team/],
    ['57P03', 'the database system is starting up', 'DATABASE_UNREACHABLE', /again/],
    ['53300', 'sorry, too many clients already', 'DATABASE_FULL', /max_connections/],
  ])('errors: %s at the login (%s) is %s', async (state, text, code, hint) => {
    const error = await failWith({ onStart: failure(state, text) })
    expect(error).toMatchObject({ code, hint: expect.stringMatching(hint) })
  })

  test.each([
    ['57P03', 3],
    ['53300', 3],
    ['28P01', 1],
    ['3D000', 1],
  ])('errors: the login is tried again after %s as often as it can help: %d times', async (state, times) => {
    await failWith({ onStart: failure(state, 'no') }, { retries: 2 })
    expect(server?.connections()).toBe(times)
  })

  test('errors: a connection that is lost between the login and the first statement ends no process', async () => {
    const error = await failWith({ closesOnSettings: true }, { retries: 2 })
    expect(error).toMatchObject({ code: 'DATABASE_UNREACHABLE', message: expect.stringContaining('terminated') })
    expect(server?.connections()).toBe(3)
  })

  test('errors: a server that says nothing is not waited for twice', async () => {
    const error = await failWith({ onStart: Buffer.alloc(0) }, { retries: 3 })
    expect(error).toMatchObject({ code: 'DATABASE_UNREACHABLE', message: expect.stringContaining('timeout') })
    expect(server?.connections()).toBe(1)
  })

  test('errors: a statement without an answer ends, and its connection is closed', async () => {
    const error = await failWith({ onStatement: Buffer.alloc(0) }, { statementTimeoutMs: 50 })
    expect(error.code).toBe('DATABASE_TIMEOUT')
  })

  test.each([
    ['Kerberos', message('R', Buffer.from([0, 0, 0, 7])), 'DATABASE_ACCESS'],
    ['a message that ends too early', Buffer.from([0x52, 0, 0, 0, 4]), 'DATABASE_UNREACHABLE'],
    ['an unknown mechanism', message('R', Buffer.from('\0\0\0\x0aNONE\0\0', 'latin1')), 'DATABASE_ACCESS'],
    ['a row before the login', message('D', Buffer.from([0, 1])), 'DATABASE_UNREACHABLE'],
    ['another protocol', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'), 'DATABASE_UNREACHABLE'],
  ])('errors: a server that answers with %s ends no process', async (_, onStart, code) => {
    expect(await failWith({ onStart })).toMatchObject({ code })
  })

  test.each([
    ['nonsense', Buffer.from([0x44, 0, 0, 0, 6, 0, 1])],
    ['an unknown message', message('y', 'what')],
  ])('errors: %s in the middle of an answer ends no process', async (_, onStatement) => {
    expect((await failWith({ onStatement }, { statementTimeoutMs: 50 })).code).toMatch(/^DATABASE_/)
  })

  test('errors: what a server says is one short line without its control characters and our password', async () => {
    const said = `\x1b[31mno\x07\n\nsecret-word ${'x'.repeat(10_000)}\u202e`
    const error = await failWith({ onStatement: failure('XX000', said) })
    expect(error.message).toMatch(/^PostgreSQL at 127\.0\.0\.1:\d+ \(XX000\): {2}\[31mno \*\*\* x+…$/)
    expect(error.message.length).toBeLessThan(400)
  })
})
