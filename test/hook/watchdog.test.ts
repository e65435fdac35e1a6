// The watchdog as a process, with programs in the worker's place that do not end by themselves.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { isSkipped, readFailedSteps } from '../../src/broker/maintenance/workSteps.ts'
import { openStore } from '../../src/broker/open/openStore.ts'
import { built } from '../crash/processes.ts'
import { hasProc } from '../platforms/platform.ts'
import { createTestProject, newFolder } from '../tempFolders.ts'

const folder = newFolder('watchdog')

/** Supervises the script of the first argument with small limits, and prints what became of it. */
const SUPERVISOR = `
import { superviseWorker } from './hook/superviseWorker.ts'
const [, , program, script] = process.argv
superviseWorker(program, [script], {
  killAfterMs: script.includes('memory') || script.includes('too') ? 60_000 : 1_500,
  memoryMb: 300,
  onEnded: async (step, what) => console.log(JSON.stringify({ step, what })),
})
`

/** A program in the worker's place, which writes its pid to a file first. */
const writeProgram = (name: string, code: string): string => {
  const file = path.join(folder, `${name}.cjs`)
  fs.writeFileSync(file, `require('fs').writeFileSync(__filename + '.pid', String(process.pid));\n${code}`)
  return file
}

const BEGIN_STEP = `require('fs').writeSync(3, 'first\\nsession:s\\n');`

function run(args: readonly string[], endAfter?: string): Promise<{ status: number | null; output: string }> {
  const child = spawn(process.execPath, args)
  let output = ''
  child.stdout.on('data', (text) => {
    output += text
  })
  const waiting = setInterval(() => {
    if (endAfter !== undefined && isRunning(endAfter)) child.kill('SIGTERM')
  }, 50)
  return new Promise((resolve) =>
    child.on('close', (status) => {
      clearInterval(waiting)
      resolve({ status, output: output.trim() })
    }),
  )
}

/** With `endsEarly` the supervisor gets a signal as soon as the program runs. */
const supervise = (script: string, endsEarly = false) =>
  run([path.join(folder, 'supervisor.cjs'), process.execPath, script], endsEarly ? script : undefined)

function isRunning(script: string): boolean {
  try {
    return process.kill(Number(fs.readFileSync(`${script}.pid`, 'utf8')), 0)
  } catch {
    return false
  }
}

beforeAll(() => built(folder, ['supervisor.cjs'], SUPERVISOR))

describe('hook: the watchdog of the worker', () => {
  test('hook: it ends a worker in an endless loop, and knows the step', async () => {
    const script = writeProgram('loop', `${BEGIN_STEP} for (;;) {}`)
    const { status, output } = await supervise(script)
    expect({ status, ...JSON.parse(output) }).toEqual({
      status: 0,
      step: 'session:s',
      what: 'it took longer than 1.5 s',
    })
    expect(isRunning(script)).toBe(false)
  }, 60_000)

  test.runIf(hasProc)(
    'hook: it ends a worker that takes too much memory',
    async () => {
      const code = `const all = []; setInterval(() => all.push(Buffer.alloc(3e7, 1)), 10)`
      const script = writeProgram('memory', `${BEGIN_STEP} ${code}`)
      expect(JSON.parse((await supervise(script)).output).what).toContain('memory')
      expect(isRunning(script)).toBe(false)
    },
    90_000,
  )

  test('hook: it notices a crash, and says nothing about a worker that ends by itself', async () => {
    const crashed = await supervise(writeProgram('crash', `${BEGIN_STEP} process.abort()`))
    expect(JSON.parse(crashed.output)).toEqual({ step: 'session:s', what: 'it crashed (SIGABRT)' })
    expect(await supervise(writeProgram('end', `${BEGIN_STEP} process.exit(0)`))).toEqual({ status: 0, output: '' })
  }, 60_000)

  test('hook: whoever ends the watchdog ends the worker', async () => {
    const script = writeProgram('loop-too', 'for (;;) {}')
    expect(await supervise(script, true)).toMatchObject({ output: '' })
    expect(isRunning(script)).toBe(false)
  }, 60_000)

  test('hook: it says that a worker did not start', async () => {
    const supervisor = path.join(folder, 'supervisor.cjs')
    const { output } = await run([supervisor, path.join(folder, 'no-program'), 'x'])
    expect(JSON.parse(output)).toMatchObject({ step: '', what: expect.stringMatching(/^it did not start: .*ENOENT/) })
  }, 60_000)

  test('hook: a step that fails three times is skipped for a day', async () => {
    const { project, home } = createTestProject('watchdog')
    fs.copyFileSync('dist/watchdog.cjs', path.join(folder, 'watchdog.cjs'))
    writeProgram('worker', `${BEGIN_STEP} process.exit(7)`)
    const env = { MEMCTL_HOME: home }
    for (let count = 1; count <= 3; count += 1) {
      const child = spawn(process.execPath, [path.join(folder, 'watchdog.cjs'), project], { env })
      expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(0)
      const [failed] = readFailedSteps(openStore(project, env))
      expect(failed).toMatchObject({ step: 'session:s', count, what: 'it crashed (status 7)' })
      expect(failed && isSkipped(failed, Date.now())).toBe(count === 3)
      expect(failed && isSkipped(failed, Date.now() + 86_400_000)).toBe(false)
    }
  }, 60_000)
})
