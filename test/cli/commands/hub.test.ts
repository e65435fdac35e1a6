// memctl hub status and migrate: what a person sees of the database, with every failure on one line and exit status 2.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findPostgres, startRealServer } from '../../database/realServer.ts'
import { startTestDatabase, type TestDatabase } from '../../database/server.ts'
import { newWorld, REPOSITORY, type World } from '../testContext.ts'

let server: TestDatabase
let world: World

beforeAll(async () => {
  server = await startTestDatabase()
  world = newWorld({ MEMCTL_DATABASE_URL: server.url })
})

afterAll(async () => {
  world?.end()
  await server?.stop()
})

/** Runs the built command as a process. */
function run(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [path.join(REPOSITORY, 'dist/memctl.cjs'), ...words], {
    cwd: world.folder,
    env: { PATH: process.env['PATH'], HOME: world.folder, MEMCTL_HOME: path.join(world.folder, 'home'), ...env },
  })
  const result = { status: -1, out: '', err: '' }
  child.stdout.on('data', (data) => {
    result.out += data
  })
  child.stderr.on('data', (data) => {
    result.err += data
  })
  return new Promise<typeof result>((resolve) => {
    child.on('close', (status) => resolve({ ...result, status: status ?? -1 }))
  })
}

/** As a package that is not installed: `import('pg')` fails. */
function withoutPg(): string {
  const hook = `export const resolve = (name, context, next) => {
    if (name === 'pg') throw Object.assign(new Error("Cannot find package 'pg'"), { code: 'ERR_MODULE_NOT_FOUND' })
    return next(name, context)
  }`
  const file = path.join(world.folder, 'without-pg.mjs')
  const url = `data:text/javascript,${encodeURIComponent(hook)}`
  fs.writeFileSync(file, `import { register } from 'node:module'\nregister(${JSON.stringify(url)})\n`)
  return `--import ${file}`
}

describe('cli: memctl hub', () => {
  test('cli: two machines that migrate at once both succeed, and each step is applied once', async () => {
    const before = await world.memctl('hub', 'status')
    expect(before).toMatchObject({ status: 0, out: expect.stringMatching(/Tables +none yet: `memctl hub migrate`/) })
    const dry = await world.memctl('hub', 'migrate', '--dry-run')
    expect(dry.out).toMatch(/^Would apply \d+ steps? to the database postgres:\n {2}1 {2}agent-memory\n/)
    const words = ['hub', 'migrate', '--url', server.url, '--dimension', '8', '--json']
    const both = await Promise.all([run(words), run(words)])
    const answers = both.map(({ status, out, err }) => {
      expect({ status, err }).toEqual({ status: 0, err: '' })
      return JSON.parse(out) as { steps: { version: number }[]; version: number }
    })
    const versions = answers.flatMap(({ steps }) => steps.map(({ version }) => version)).sort()
    expect(versions).toEqual([...new Set(versions)])
    expect(versions).toContain(1)
    expect((await world.memctl('hub', 'migrate')).out).toMatch(/^The tables of the database postgres are up to date/)
  })

  test('cli: the status names the server, its versions, and what the user may do', async () => {
    const { status, out } = await world.memctl('hub', 'status')
    expect(status).toBe(0)
    expect(out).toMatch(/^Hub +postgres on 127\.0\.0\.1:\d+ \(from MEMCTL_DATABASE_URL\)\n/)
    expect(out).toMatch(/Server +PostgreSQL \d+\.\d+, answers in .*, not encrypted\n/)
    expect(out).toMatch(/pgvector +\d+\.\d+\.\d+\n/)
    expect(out).toMatch(/Tables +version \d+, up to date\n/)
    expect(out).toMatch(/You +postgres, who may create tables in the schema public\n/)
  })

  test('cli: another dimension than that of the tables is refused', async () => {
    const { status, err } = await world.memctl('hub', 'migrate', '--dimension', '16')
    expect({ status, err }).toEqual({
      status: 2,
      err: expect.stringMatching(
        /^memctl: the tables of the database postgres have vectors of 8 numbers\. Omit --dimension/,
      ),
    })
  })

  test.each([
    [['--url', 'postgresql://me:geheim@127.0.0.1:1/team'], /ECONNREFUSED 127\.0\.0\.1:1/],
    [['--url', 'postgresql://me:geheim@no.such.host.invalid/team'], /ENOTFOUND no\.such\.host\.invalid/],
    [['--url', 'postgresql://me:ge/heim@host/team'], /The URL of the database cannot be used/],
    [['--url', ''], /does not begin with postgresql:/],
    [['--url', 'geheim'], /does not begin with postgresql:/],
  ])('cli: hub status %j is one line with a hint, exit status 2, and no password', async (words, what) => {
    for (const name of ['status', 'migrate']) {
      const { status, out, err } = await world.memctl('hub', name, ...words)
      expect({ status, out }).toEqual({ status: 2, out: '' })
      expect(err).toMatch(/^memctl: [^\n]+\. [A-Z][^\n]+\.\n$/)
      expect(err).toMatch(what)
      expect(err).not.toContain('heim')
    }
  })

  test('cli: without a configured hub, DATABASE_URL is not used, and a line says so', async () => {
    const none = newWorld({ DATABASE_URL: server.url })
    const { status, err } = await none.memctl('hub', 'status')
    expect({ status, err }).toEqual({
      status: 2,
      err: expect.stringMatching(/^memctl: No hub is configured\. DATABASE_URL is often .*\n$/),
    })
    none.end()
  })

  test('cli: without the package pg, one line says how to install it', async () => {
    const home = path.join(world.folder, 'home')
    const { status, out, err } = await run(['hub', 'status', '--url', server.url], { NODE_OPTIONS: withoutPg() })
    expect({ status, out }).toEqual({ status: 2, out: '' })
    expect(err).toBe(
      'memctl: The package pg, which connects to PostgreSQL, is not installed. ' +
        `Install it with \`npm install --prefix ${home} pg\`, or beside memctl: \`npm install -g pg\`.\n`,
    )
  })

  test("cli: the package pg is also found in memctl's home", async () => {
    const packages = path.join(world.folder, 'home/node_modules')
    fs.mkdirSync(packages, { recursive: true })
    fs.symlinkSync(path.join(REPOSITORY, 'node_modules/pg'), path.join(packages, 'pg'))
    const env = { NODE_OPTIONS: withoutPg() }
    expect(await run(['hub', 'status', '--url', server.url], env)).toMatchObject({ status: 0, err: '' })
    fs.rmSync(packages, { recursive: true })
  })

  test.skipIf(findPostgres() === undefined)(
    'cli: a server without pgvector has a hub all the same, and is named as such',
    async () => {
      const real = await startRealServer(findPostgres() ?? '')
      const url = ['--url', real.url()]
      try {
        expect((await world.memctl('hub', 'status', ...url)).out).toMatch(/pgvector +not on this server/)
        const { status, out } = await world.memctl('hub', 'migrate', ...url)
        expect([status, out]).toEqual([0, expect.stringContaining('7  hub-rows')])
        expect(out).toContain('Not applied: 1 agent-memory, for the extension vector')
      } finally {
        real.stop()
      }
    },
  )
})
