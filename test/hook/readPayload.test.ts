// Hooks as processes, with a client that sends nothing, too much, or too slowly. No time is asserted: a hook that does
// not end by itself is killed after ten times its budget.
import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { HOOK_BUDGET_MS } from '../../src/model/limits.ts'
import { createTestProject } from '../tempFolders.ts'

interface HookRun {
  readonly status: number | null
  readonly output: string
  /** The log that the hook wrote; empty if it recorded nothing. */
  readonly log: string
  /** The codes of its faults. */
  readonly faults: readonly string[]
}

/** Runs a built hook. `send` gets its stdin; the client never closes it, unless `send` does. */
function runHook(script: string, send: (stdin: NodeJS.WritableStream, child: ChildProcess) => void): Promise<HookRun> {
  const { project, home } = createTestProject('payload')
  fs.mkdirSync(path.join(project, '.git'))
  const env = { ...process.env, MEMCTL_HOME: home, CLAUDE_PROJECT_DIR: project }
  const child = spawn(process.execPath, [path.resolve(`dist/hooks/${script}.cjs`)], { env, cwd: project })
  let output = ''
  child.stdout.on('data', (text) => {
    output += text
  })
  child.stdin.on('error', () => {}) // The hook may have ended.
  const killer = setTimeout(() => child.kill('SIGKILL'), 10 * HOOK_BUDGET_MS)
  send(child.stdin, child)
  return new Promise((resolve) =>
    child.on('exit', (status) => {
      clearTimeout(killer)
      const projects = path.join(home, 'projects')
      const [name] = fs.existsSync(projects) ? fs.readdirSync(projects) : []
      const file = path.join(projects, name ?? '', 'events/000001.jsonl')
      // The first line names the format.
      const lines = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').slice(1) : []
      const faults = path.join(projects, name ?? '', 'faults.jsonl')
      const faultLines = fs.existsSync(faults) ? fs.readFileSync(faults, 'utf8').trim().split('\n') : []
      const codes = faultLines.map((line): string => JSON.parse(line).code)
      resolve({ status, output, log: lines.join('\n'), faults: codes })
    }),
  )
}

/** What a hook notes that did not get its payload. */
const MISSED = ['PAYLOAD_INCOMPLETE']

const payload = (stdout: string): string =>
  JSON.stringify({
    session_id: 's',
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'npm test' },
    tool_use_id: 'call-1',
    tool_response: { stdout },
  })

// One after the other: side by side, several would not be read within a hook's budget on a machine with few cores.
describe('hook: a large output is recorded in a shorter form', () => {
  test.each(['ghp_', 'mysql -p', 'eyJ', '-----BEGIN', 'AKIA', '"', '='])(
    'hook: of 10 MB of %s it records the event in a shorter form',
    async (part) => {
      const run = await runHook('post-tool-use', (stdin) =>
        stdin.write(`${payload(`first ${part.repeat(10_000_000 / part.length)} last`)}\n`),
      )
      expect(run.status).toBe(0)
      const event = JSON.parse(run.log)
      expect(event).toMatchObject({ kind: 'call.succeeded', call: 'call-1', commandShape: 'npm test' })
      expect(event.output).toContain('first')
    },
    60_000,
  )
})

// Most of the time of each is spent waiting for its hook.
describe.concurrent('hook: time and memory are bounded', () => {
  test.each(['post-tool-use', 'stop', 'user-prompt-submit', 'session-start'])(
    'hook: %s ends by itself if the client sends nothing and keeps stdin open',
    async (script) => {
      expect(await runHook(script, () => {})).toEqual({ status: 0, output: '', log: '', faults: MISSED })
    },
    60_000,
  )

  test('hook: it ends by itself if half a payload arrives', async () => {
    expect(await runHook('stop', (stdin) => stdin.write(payload('x').slice(0, 90)))).toMatchObject({
      status: 0,
      log: '',
      faults: MISSED,
    })
  }, 60_000)

  test.each([
    ['without a newline, and the client keeps stdin open', (text: string) => [text]],
    ['in several lines', (text: string) => [`${JSON.stringify(JSON.parse(text), null, 2)}\n`]],
    ['in several lines, the last one without a newline', (text: string) => [JSON.stringify(JSON.parse(text), null, 2)]],
    ['in two parts, the second one only its newline', (text: string) => [text, '\n']],
  ])(
    'hook: it records a complete payload %s',
    async (_, parts) => {
      const runs = [10, 100_000].map((size) =>
        runHook('post-tool-use', (stdin) => {
          for (const [i, part] of parts(payload('x'.repeat(size))).entries())
            setTimeout(() => stdin.write(part), 1_500 * i)
        }),
      )
      for (const run of await Promise.all(runs))
        expect(run).toMatchObject({ status: 0, log: expect.stringContaining('"call-1"'), faults: [] })
    },
    60_000,
  )

  test.skipIf(process.platform === 'win32')(
    'hook: it records a payload that arrives while its process is stopped',
    async () => {
      const run = await runHook('post-tool-use', (stdin, child) => {
        setTimeout(() => child.kill('SIGSTOP'), 400)
        setTimeout(() => stdin.write(payload('stopped')), 500)
        setTimeout(() => child.kill('SIGCONT'), 2 * HOOK_BUDGET_MS)
      })
      expect(run).toMatchObject({ status: 0, log: expect.stringContaining('"stopped"'), faults: [] })
    },
    60_000,
  )

  test('hook: it records a payload that arrives late, in pieces', async () => {
    const text = `${payload('slow')}\n`
    const run = await runHook('post-tool-use', (stdin) => {
      for (let i = 0; i < 4; i += 1)
        setTimeout(() => stdin.write(text.slice((i * text.length) / 4, ((i + 1) * text.length) / 4)), 60 * i)
    })
    expect(run).toMatchObject({ status: 0, log: expect.stringContaining('"slow"') })
  }, 60_000)

  test('hook: it ends by itself with an endless line, which the transcript has', async () => {
    const run = await runHook('post-tool-use', (stdin) => {
      stdin.write(payload('endless').slice(0, -3))
      const more = (): void => {
        if (stdin.writable && stdin.write('more '.repeat(10_000))) setTimeout(more, 1)
        else stdin.once('drain', more)
      }
      more()
    })
    expect(run).toMatchObject({ status: 0, log: '', faults: MISSED })
  }, 60_000)
})
