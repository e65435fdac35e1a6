// A world for a command: screens that remember, an environment, a folder, a stdin.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { runDev } from '../../bench/replay/devProgram.ts'
import type { ReplaySummary } from '../../bench/replay/replayCommand.ts'
import { runCli } from '../../src/cli/runCli.ts'

export const REPOSITORY = path.resolve(import.meta.dirname, '../..')
export const RECORDINGS = path.join(REPOSITORY, 'recordings')

export interface Said {
  readonly status: number
  readonly out: string
  readonly err: string
}

export interface World {
  readonly folder: string
  /** Runs `memctl` with these words. */
  memctl(...words: readonly string[]): Promise<Said>
  /** The same with a stdin. */
  fed(stdin: string, ...words: readonly string[]): Promise<Said>
  /** The answer to these words and --json, which must be one line. */
  json<T = Record<string, unknown>>(...words: readonly string[]): Promise<T>
  /** The same with the program `dev` of developers. */
  dev(...words: readonly string[]): Promise<Said>
  fedDev(stdin: string, ...words: readonly string[]): Promise<Said>
  /** What `dev replay` answers to these words. */
  replay(...words: readonly string[]): Promise<ReplaySummary>
  end(): void
}

/** A new folder with an empty project and an empty home for memctl. `program` runs instead of `memctl`. */
export function newWorld(env: Readonly<Record<string, string>> = {}, program: typeof runCli = runCli): World {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memctl-cli-')))
  const project = path.join(folder, 'project')
  fs.mkdirSync(project)
  const run = async (main: typeof runCli, stdin: string, words: readonly string[]): Promise<Said> => {
    const result = { out: '', err: '' }
    const screen = (name: 'out' | 'err') => ({
      write: (text: string) => {
        result[name] += text
      },
    })
    const home = path.join(folder, 'home')
    const status = await main(words, {
      ...{ out: screen('out'), err: screen('err'), cwd: project, stdin: () => stdin },
      env: { HOME: folder, MEMCTL_HOME: home, CLAUDE_CONFIG_DIR: path.join(folder, '.claude'), ...env },
    })
    return { status, ...result }
  }
  const answer = <T>({ out, err }: Said): T => {
    if (!out.endsWith('\n') || out.indexOf('\n') !== out.length - 1) throw new Error(`Not one line: ${out}${err}`)
    return JSON.parse(out) as T
  }
  return {
    folder,
    memctl: (...words) => run(program, '', words),
    fed: (stdin, ...words) => run(program, stdin, words),
    json: async (...words) => answer(await run(program, '', [...words, '--json'])),
    dev: (...words) => run(runDev, '', words),
    fedDev: (stdin, ...words) => run(runDev, stdin, words),
    replay: async (...words) => answer(await run(runDev, '', ['replay', ...words, '--json'])),
    end() {
      try {
        fs.rmSync(folder, { recursive: true, force: true })
      } catch {
        // A worker that a command has started still writes there: the end of the run removes it.
      }
    },
  }
}
