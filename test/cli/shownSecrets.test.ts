// A secret that is in a file of the project, shown through every output: each removes it on its way out.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mcpClient } from '../tools/callers.ts'
import { newWorld, REPOSITORY, type World } from './testContext.ts'

const TOKEN = `ghp${'_'}0aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3hJ`

let world: World
let file: string
beforeEach(async () => {
  world = newWorld()
  await world.memctl('entry', 'save', 'deploy', '--content', 'Deploy from staging.')
  const names = fs.readdirSync(world.folder, { recursive: true, encoding: 'utf8' })
  file = path.join(world.folder, names.find((name) => name.endsWith('deploy.md')) ?? '')
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('staging', `staging with ${TOKEN} as the person`))
})
afterEach(() => world.end())

test('shown: no command prints a secret of an entry file, and no export has it', async () => {
  for (const words of [['list'], ['search', 'staging'], ['entry', 'get', 'deploy'], ['export'], ['list', '--events']]) {
    for (const json of words[0] === 'export' ? [[]] : [[], ['--json']]) {
      const { out, err } = await world.memctl(...words, ...json)
      expect(`${words.join(' ')}: ${out}${err}`).not.toContain(TOKEN.slice(8))
    }
  }
  expect((await world.memctl('search', 'staging')).out).toMatch(/staging with \[redacted:/)
  const copy = path.join(world.folder, 'copy.jsonl')
  await world.memctl('export', '--out', copy)
  expect(fs.readFileSync(copy, 'utf8')).toContain('staging with [redacted:')
  expect((await world.memctl('import', 'memctl', copy, '--dry-run')).status).toBe(0)
  expect(fs.readFileSync(file, 'utf8')).toContain(TOKEN)
})

test('shown: no error has it', async () => {
  const { err } = await world.memctl('show', `with ${TOKEN} as the person`)
  expect(err).toContain('with [redacted:')
  expect(err).not.toContain(TOKEN.slice(8))
})

test('shown: no answer of a server has it', async () => {
  const home = path.join(world.folder, 'project')
  fs.cpSync(path.join(world.folder, 'home'), path.join(home, 'home'), { recursive: true })
  const { client } = await mcpClient(home)
  try {
    const { structuredContent: found } = await client.callTool({
      name: 'memory_search',
      arguments: { query: 'staging' },
    })
    const [{ id }] = (found as { readonly results: readonly [{ readonly id: string }] }).results
    const got = await client.callTool({ name: 'memory_get', arguments: { id } })
    for (const answer of [found, got]) expect(JSON.stringify(answer)).not.toContain(TOKEN.slice(8))
    expect(JSON.stringify(got)).toContain('staging with [redacted:')
  } finally {
    await client.close()
  }
})

test('shown: a hook injects the note without it', async () => {
  // Reads the changed file.
  await world.memctl('organize')
  const folder = path.join(world.folder, 'project')
  const env = { HOME: world.folder, MEMCTL_HOME: path.join(world.folder, 'home'), PATH: process.env['PATH'] ?? '' }
  const say = (script: string, payload: object): string =>
    spawnSync(process.execPath, [path.join(REPOSITORY, 'dist/hooks', `${script}.cjs`)], {
      ...{ cwd: folder, env: { ...env, CLAUDE_PROJECT_DIR: folder }, encoding: 'utf8' as const },
      input: JSON.stringify({ session_id: 's-1', cwd: folder, ...payload }),
    }).stdout
  const out =
    say('session-start', { hook_event_name: 'SessionStart', source: 'startup' }) +
    say('user-prompt-submit', { hook_event_name: 'UserPromptSubmit', prompt: 'How do we deploy from staging?' })
  expect(out).not.toContain(TOKEN.slice(8))
  expect(out).toContain('staging with [redacted:')
})

test('shown: a text that speaks of a password hides no id, name or column beside it', async () => {
  for (const text of ['パスワードは必ず8文字以上にしてほしい', 'The password has at least 8 characters', 'Fifth lamp'])
    await world.memctl('memory', 'store', text)
  const { memories } = await world.json<{ memories: { id: string }[] }>('list')
  for (const words of [['list'], ['memory', 'list']]) {
    const { out } = await world.memctl(...words)
    for (const { id } of memories) expect(out).toContain(id.slice(0, 8))
    expect(out).not.toContain('***')
  }
})

test('shown: a secret of several lines is hidden as a whole', async () => {
  const key = [
    '-----BEGIN PRIVATE KEY-----',
    'MIIEvQIBADANBgkqhkiG9w0B',
    'AQEFAASCBKcwggSjAgEAAoIB',
    '-----END PRIVATE KEY-----',
  ]
  fs.appendFileSync(file, `\n${key.join('\n')}\n`)
  for (const words of [
    ['entry', 'get', 'deploy'],
    ['search', 'staging'],
    ['recall', 'staging'],
  ])
    expect((await world.memctl(...words)).out).not.toMatch(/MIIEvQ|AQEFAA/)
})
