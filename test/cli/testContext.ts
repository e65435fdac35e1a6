// A world for a command: screens that remember, an environment, a folder, a stdin.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
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
  end(): void
}

/** A new folder with an empty project and an empty home for memctl. `program` runs instead of `memctl`. */
export function newWorld(env: Readonly<Record<string, string>> = {}, program: typeof runCli = runCli): World {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memctl-cli-')))
  const project = path.join(folder, 'project')
  fs.mkdirSync(project)
  const fed = async (stdin: string, ...words: readonly string[]): Promise<Said> => {
    const result = { out: '', err: '' }
    const screen = (name: 'out' | 'err') => ({
      write: (text: string) => {
        result[name] += text
      },
    })
    const home = path.join(folder, 'home')
    const status = await program(words, {
      ...{ out: screen('out'), err: screen('err'), cwd: project, stdin: () => stdin },
      env: { HOME: folder, MEMCTL_HOME: home, CLAUDE_CONFIG_DIR: path.join(folder, '.claude'), ...env },
    })
    return { status, ...result }
  }
  const memctl = (...words: readonly string[]): Promise<Said> => fed('', ...words)
  return {
    ...{ folder, memctl, fed },
    async json<T>(...words: readonly string[]): Promise<T> {
      const { out, err } = await memctl(...words, '--json')
      if (!out.endsWith('\n') || out.indexOf('\n') !== out.length - 1) throw new Error(`Not one line: ${out}${err}`)
      return JSON.parse(out) as T
    },
    end() {
      try {
        fs.rmSync(folder, { recursive: true, force: true })
      } catch {
        // A worker that a command has started still writes there: the end of the run removes it.
      }
    },
  }
}
