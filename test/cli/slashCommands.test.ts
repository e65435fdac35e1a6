// Slash commands: what a person types behind the name, as the arguments of a command.
import { spawn, spawnSync } from 'node:child_process'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runMaintenance } from '../../src/broker/maintenance/maintenance.ts'
import { openStore } from '../../src/broker/open/openStore.ts'
import { inspectShell, runSlashCommand, toArguments } from '../../src/cli/slashCommands.ts'
import { BEGIN, exampleSession, HOUR, loadLiveMemories, runHookPayloads } from '../testData.ts'
import { newWorld, REPOSITORY, type World } from './testContext.ts'

const SESSION = 'session-one'

let world: World
let typed = 0
beforeEach(() => {
  world = newWorld({ CLAUDE_CODE_SESSION_ID: SESSION }, async ([name, text], io) => {
    // The hook records the prompt before the client runs the command.
    type(`/memctl:${name} ${text ?? ''}`)
    await runSlashCommand(name, { text: text ?? '', isCut: false }, io, () => {
      throw new Error('The shell was stopped')
    })
    return 0
  })
})

function type(prompt: string): void {
  runHookPayloads(store(), exampleSession(SESSION, BEGIN + ++typed * HOUR).asks(prompt).recorded)
}
afterEach(() => world.end())

const store = () => openStore(path.join(world.folder, 'project'), { MEMCTL_HOME: path.join(world.folder, 'home') })

test('cli: of a slash command, options come first, then an id, and the rest is one text as it is', () => {
  const remember = { name: 'remember' }
  expect(toArguments(remember, '--scope person  Use `a`  and\n--b')).toEqual([
    ...['remember', '--scope', 'person', '--', 'Use `a`  and\n--b'],
  ])
  expect(toArguments(remember, '-- is no option')).toEqual(['remember', '--', '-- is no option'])
  expect(toArguments({ name: 'edit', hasId: true } as const, ' 3f2a  日本語 で ')).toEqual([
    'edit',
    '--',
    '3f2a',
    '日本語 で',
  ])
  expect(toArguments({ name: 'supersede', hasId: true } as const, '--by 91ab 3f2a')).toEqual([
    ...['supersede', '--by', '91ab', '--', '3f2a'],
  ])
  const forget = { name: 'forget', flags: ['yes'] }
  expect(toArguments(forget, '3f2a --yes')).toEqual(['forget', '--yes', '--', '3f2a'])
  expect(toArguments(forget, '古い --yes の話')).toEqual(['forget', '--', '古い --yes の話'])
  expect(toArguments({ name: 'useful', words: ['shown', '--useful'], hasWords: true }, '1, 3、4')).toEqual([
    ...['shown', '--useful', '--', '1', '3', '4'],
  ])
})

test('cli: a slash command changes the memory, and prints its answer and its errors on stdout', async () => {
  expect((await world.memctl('remember', 'ここでは pnpm を使う')).out).toMatch(
    /^Remembered for this project: ここでは pnpm を使う \([0-9a-f]{8}\)\n$/,
  )
  expect(Object.values(loadLiveMemories(store()))).toMatchObject([{ content: 'ここでは pnpm を使う' }])
  expect(await world.memctl('edit', 'ffff text')).toMatchObject({
    status: 0,
    out: expect.stringMatching(/^memctl: No/),
  })
  expect((await world.memctl('remember', '')).out).toMatch(/^memctl: There is no text/)
})

test('cli: slash commands get no notes, and give no summary and no second statement', () => {
  const session = exampleSession().starts().asks('/memctl:remember Never use npm here').answers('Done.').ends()
  const outputs = runHookPayloads(store(), session.recorded)
  expect(outputs.map(({ context }) => context).join('')).toBe('')
  runMaintenance(store(), { now: session.now(), sessions: 'all' })
  expect(loadLiveMemories(store())).toEqual({})
})

test('cli: the text is what was typed, if the hook has recorded it before, else what the client passes', async () => {
  const run = (passed: string, isCut = false) =>
    runSlashCommand('remember', { text: passed, isCut }, io(), () => void stopped.push(passed))
  const stopped: string[] = []
  const out: string[] = []
  const io = () => ({
    out: { write: (text: string) => void out.push(text) },
    err: { write: (text: string) => void out.push(text) },
    env: { MEMCTL_HOME: path.join(world.folder, 'home'), CLAUDE_CODE_SESSION_ID: SESSION },
    cwd: path.join(world.folder, 'project'),
    stdin: () => '',
  })
  type('/memctl:remember 急いで!! `make` を使う')
  await run('急いで\\!! `make` を使う')
  expect(out.pop()).toContain(': 急いで!! `make` を使う (')
  // Client 2.1.197 runs the hook afterwards: the record is of the command before.
  await run('別の話をする \\! `make`\n')
  expect(out.pop()).toContain(': 別の話をする !`make` (')
  await run('Use', true)
  expect(out.pop()).toMatch(/^memctl: The client cut the text/)
  type('/memctl:remember Use\n```\nmake\n```')
  await run('Use', true)
  expect(out.pop()).toContain('Remembered for this project: Use')
  type(`/memctl:remember first\nEND_OF_MEMCTL_TEXT\ntouch ran`)
  await run('first')
  expect([stopped, out]).toEqual([['first'], []])
})

test.skipIf(process.platform === 'win32')(
  'cli: only the block of a slash command is taken for one of the client',
  () => {
    const block = (before: string, text: string) =>
      `source x || true && eval '${before}node "/a/slash.mjs" forget <<'"'"'END_OF_MEMCTL_TEXT'"'"'\n${text}' && pwd`
    const inspect = (commandLine: string) => {
      const shell = spawn('sh', ['-c', 'read line; true', commandLine])
      const found = inspectShell(shell.pid)
      shell.kill()
      return found
    }
    const whole = { isLeaving: false, isCut: false, isOfClient: true }
    expect(inspect(block('', '3f2a --yes\nEND_OF_MEMCTL_TEXT'))).toEqual(whole)
    expect(inspect(block('', '3f2a'))).toEqual({ ...whole, isCut: true })
    expect(inspect(block('', 'x\nEND_OF_MEMCTL_TEXT\ntrue\nEND_OF_MEMCTL_TEXT'))).toEqual({ ...whole, isLeaving: true })
    expect(inspect(block('sleep 9; ', '3f2a --yes\nEND_OF_MEMCTL_TEXT')).isOfClient).toBe(false)
    expect(inspect('sh run.sh').isOfClient).toBe(false)
  },
)

test('cli: words say which memory is outdated; if several have them, each is listed with its command', async () => {
  for (const text of ['リリースは金曜日に行う', 'リリースの前に監査を行う', 'Deploy with make'])
    await world.memctl('remember', text)
  expect((await world.memctl('outdated', 'kubernetes')).out).toBe(
    'No memory has the words "kubernetes". Nothing was changed.\n',
  )
  const asked = (await world.memctl('outdated', 'リリース')).out
  expect(asked).toContain('Which one? Nothing was changed.')
  expect(asked.match(/\/memctl:outdated [0-9a-f]{8}/g)).toHaveLength(2)

  const done = (await world.memctl('outdated', '金曜日 リリース')).out
  expect(done).toContain('Outdated from now on: リリースは金曜日に行う')
  const status = (content: string) =>
    Object.values(loadLiveMemories(store())).find((memory) => memory.content === content)
  expect(status('リリースは金曜日に行う')?.status).toBe('archived')
  const [, undo = ''] = /\/memctl:outdated (--undo [0-9a-f]{8})/.exec(done) ?? []
  expect((await world.memctl('outdated', undo)).out).toContain('Holds again: リリースは金曜日に行う')
  expect(status('リリースは金曜日に行う')?.status).toBe('active')
})

test('cli: forget shows what would be erased, and erases only by its id with --yes', async () => {
  await world.memctl('remember', '旧サーバーの名前は fuji である')
  const memories = () => Object.values(loadLiveMemories(store()))
  const preview = (await world.memctl('forget', 'fuji')).out
  expect(preview).toContain('Nothing is erased yet.')
  expect(memories()).toHaveLength(1)
  expect((await world.memctl('forget', 'fuji --yes')).out).toMatch(/^memctl: Words do not say surely/)
  expect(memories()).toHaveLength(1)
  const [, command = ''] = /\/memctl:forget ([0-9a-f]{8} --yes)/.exec(preview) ?? []
  expect((await world.memctl('forget', command)).out).toContain('Erased.')
  expect(memories()).toEqual([])
})

test('cli: recall prints what is known about a topic, and says if nothing is', async () => {
  await world.memctl('remember', '支払いの締め日は毎月末日とする')
  expect((await world.memctl('recall', '支払いの締め日')).out).toMatch(
    /What is remembered about "支払いの締め日":\n\n- 支払いの締め日は毎月末日とする\n {2}\(\w+, said by a person, /,
  )
  expect((await world.memctl('recall', 'kubernetes')).out).toBe('The memory has nothing about "kubernetes".\n')
  expect((await world.memctl('recall', '')).out).toMatch(/^memctl: No topic was given/)
})

test('cli: an error names commands as they are called here', async () => {
  expect((await world.memctl('supersede', 'ffff text')).out).not.toMatch(/`memctl supersede/)
  expect((await world.memctl('useful', '3')).out).toMatch(/^memctl: This session was shown no notes/)
  expect((await world.memctl('status')).out).toMatch(/^project/m)
})

test('cli: team says what is shared, and the lines to type in a terminal', async () => {
  const { out } = await world.memctl('team')
  expect(out).toMatch(/^hub: no hub is configured: nothing leaves this machine\n\nIn a terminal, in this folder:\n/)
  expect(out).toMatch(/\n {2}memctl hub connect postgresql:.*\n.*\n {2}memctl hub join\n/)
  // A plugin's command is not in the PATH of a terminal.
  const folder = { cwd: world.folder, encoding: 'utf8', input: '', env: { MEMCTL_HOME: world.folder } } as const
  const plugin = path.join(REPOSITORY, 'plugin')
  const { stdout } = spawnSync(process.execPath, [path.join(plugin, 'dist', 'slash.mjs'), 'team'], folder)
  expect(stdout).toContain(`node "${path.join(plugin, 'bin', 'memctl')}" hub join`)
})

test('cli: the built program of slash commands starts and answers', () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(REPOSITORY, 'dist', 'slash.mjs'), 'status'],
    { cwd: world.folder, encoding: 'utf8', input: '', env: { MEMCTL_HOME: path.join(world.folder, 'home') } },
  )
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toMatch(/^policy +default$/m)
})
