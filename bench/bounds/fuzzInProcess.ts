// Runs random command lines in this process: thousands in a minute. Commands that start processes, serve a client or
// end the process are left to `fuzzProcesses`.
import fs from 'node:fs'
import path from 'node:path'
import { createProgram, runCli } from '../../src/cli/runCli.ts'
import { seededRandom } from '../fixture/seededRandom.ts'
import { drawCommandLine, drawStdin, type FuzzedPlaces, listFuzzedCommands } from './hostileArguments.ts'
import { judgeRun } from './judgeRun.ts'

/** What a run did wrong, and how to repeat it. */
export interface Finding {
  readonly line: readonly string[]
  readonly what: string
  readonly err: string
}

/** Commands that own the process or take minutes: they are run as processes. */
const NOT_HERE = new Set(['mcp', 'init', 'doctor'])

export interface FuzzOptions {
  readonly runs: number
  readonly seed: number
  /** A folder for the project, the home and the files. */
  readonly folder: string
}

/** The findings of `runs` command lines. */
export async function fuzzInProcess({ runs, seed, folder }: FuzzOptions): Promise<Finding[]> {
  const random = seededRandom(seed)
  const places = createPlaces(folder)
  const env = { HOME: folder, MEMCTL_HOME: path.join(folder, 'home'), CLAUDE_CONFIG_DIR: path.join(folder, '.claude') }
  const silent = { out: { write: () => {} }, err: { write: () => {} }, env, cwd: places.project, stdin: () => '' }
  const commands = listFuzzedCommands(createProgram(silent)).filter(({ words }) => !NOT_HERE.has(words[0] ?? ''))
  const findings: Finding[] = []
  for (let run = 0; run < runs; run += 1) {
    const command = commands[run % commands.length]
    if (!command) break
    const line = drawCommandLine(command, { ...places, fifo: places.emptyFile }, random)
    const stdin = drawStdin(random)
    const said = { out: '', err: '' }
    const screen = (name: 'out' | 'err') => ({
      write: (text: string) => {
        said[name] += text
      },
    })
    const io = { ...silent, out: screen('out'), err: screen('err'), stdin: () => stdin }
    const what = await runCli(line, io).then(
      (status) => judgeRun({ status, ...said }),
      (error) => `throws ${String(error)}`,
    )
    if (what !== undefined) findings.push({ line, what, err: said.err.slice(0, 300) })
  }
  return findings
}

/** A project with a file, an empty file, a folder and a FIFO. */
export function createPlaces(folder: string): FuzzedPlaces {
  const project = path.join(folder, 'project')
  fs.mkdirSync(path.join(project, '.git'), { recursive: true })
  fs.writeFileSync(path.join(project, '.git', 'HEAD'), 'ref: refs/heads/main\n')
  const at = (name: string): string => path.join(folder, name)
  fs.writeFileSync(at('garbage.txt'), '{"a":\u0000\ufffd]\n- b: [\n')
  fs.writeFileSync(at('empty.txt'), '')
  fs.mkdirSync(at('folder'), { recursive: true })
  return { file: at('garbage.txt'), emptyFile: at('empty.txt'), folder: at('folder'), fifo: at('fifo'), project }
}
