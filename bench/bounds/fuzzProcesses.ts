// Runs every command as a process in surroundings that fail: closed or full stdout, closed or silent stdin, no home, a
// read-only home, a folder or a FIFO in the place of a file.
import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { createProgram } from '../../src/cli/runCli.ts'
import { seededRandom } from '../fixture/seededRandom.ts'
import { createPlaces, type Finding, type FuzzOptions } from './fuzzInProcess.ts'
import { drawCommandLine, drawStdin, listFuzzedCommands } from './hostileArguments.ts'
import { type CommandRun, judgeRun } from './judgeRun.ts'

/** A command that takes longer is ended and counts as a finding, in milliseconds. */
const RUN_MS_MAX = 180_000

const SURROUNDINGS = [
  'plain',
  'closedOut',
  'fullOut',
  'closedIn',
  'noHome',
  'readOnlyHome',
  'fileHome',
  'noFolder',
] as const
type Surrounding = (typeof SURROUNDINGS)[number]

/** The findings of `runs` processes of `command`, the built memctl. */
export async function fuzzProcesses(command: string, { runs, seed, folder }: FuzzOptions): Promise<Finding[]> {
  const random = seededRandom(seed)
  const places = createPlaces(folder)
  spawnSync('mkfifo', [places.fifo])
  const silent = { out: { write: () => {} }, err: { write: () => {} }, env: {}, cwd: places.project, stdin: () => '' }
  const commands = listFuzzedCommands(createProgram(silent))
  const findings: Finding[] = []
  for (let run = 0; run < runs; run += 1) {
    const chosen = commands[run % commands.length]
    if (!chosen) break
    // A process takes no text with a NUL or half a surrogate pair as an argument.
    const line = drawCommandLine(chosen, places, random).filter((word) => !/[\0\ud800-\udfff]/.test(word))
    const surrounding = random.pick(SURROUNDINGS)
    const result = await runProcess({
      command,
      line,
      surrounding,
      folder,
      project: places.project,
      stdin: drawStdin(random),
    })
    const what = judgeRun(result)
    // With a closed stdout nobody can read an error; a server whose stdin stays open serves.
    if (what !== undefined) findings.push({ line: [surrounding, ...line], what, err: result.err.slice(0, 300) })
  }
  return findings
}

interface ProcessRun {
  readonly command: string
  readonly line: readonly string[]
  readonly surrounding: Surrounding
  readonly folder: string
  readonly project: string
  readonly stdin: string
}

async function runProcess({ command, line, surrounding, folder, project, stdin }: ProcessRun): Promise<CommandRun> {
  const env = environmentOf(surrounding, folder)
  const cwd = surrounding === 'noFolder' ? path.join(folder, 'gone') : project
  fs.mkdirSync(cwd, { recursive: true })
  const full = surrounding === 'fullOut' ? fs.openSync('/dev/full', 'w') : undefined
  const redirect = surrounding === 'closedIn' ? '<&-' : ''
  // The shell closes descriptors and removes its own folder, which spawn cannot.
  const script = `${surrounding === 'noFolder' ? 'rmdir "$PWD";' : ''} exec "$@" ${redirect}`
  const child = spawn('sh', ['-c', script, 'sh', process.execPath, command, ...line], {
    env,
    cwd,
    stdio: ['pipe', full ?? 'pipe', 'pipe'],
  })
  const said = { out: '', err: '' }
  child.stdout?.on('data', (text) => {
    said.out += text
  })
  if (surrounding === 'closedOut') child.stdout?.destroy()
  child.stderr?.on('data', (text) => {
    said.err += text
  })
  child.stdin?.on('error', () => {}) // The command may not read it.
  child.stdin?.end(stdin)
  let hasTimedOut = false
  const killer = setTimeout(() => {
    hasTimedOut = true
    child.kill('SIGKILL')
  }, RUN_MS_MAX)
  const status = await new Promise<number | undefined>((resolve) =>
    child.on('close', (code) => resolve(code ?? undefined)),
  )
  clearTimeout(killer)
  if (full !== undefined) fs.closeSync(full)
  // What was not read or not written cannot be judged.
  const out = surrounding === 'closedOut' || surrounding === 'fullOut' ? 'unknown' : said.out
  return { status, out, err: said.err, hasTimedOut }
}

function environmentOf(surrounding: Surrounding, folder: string): NodeJS.ProcessEnv {
  const base = { PATH: process.env['PATH'], CLAUDE_CONFIG_DIR: path.join(folder, '.claude') }
  if (surrounding === 'noHome') return { PATH: process.env['PATH'] }
  if (surrounding === 'fileHome') return { ...base, HOME: folder, MEMCTL_HOME: path.join(folder, 'garbage.txt') }
  if (surrounding === 'readOnlyHome') return { ...base, HOME: '/proc', MEMCTL_HOME: '/proc/memctl' }
  return { ...base, HOME: folder, MEMCTL_HOME: path.join(folder, 'home') }
}
