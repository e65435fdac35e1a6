// The built hooks and the worker on a simulated machine, which a preloaded script makes of Node.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { openStoreAt } from '../../src/broker/open/openStore.ts'
import { HOOK_REGISTRATIONS } from '../../src/model/hookEvents.ts'
import { newFolder } from '../tempFolders.ts'
import { loadMemories } from '../testData.ts'

const DIST = path.resolve(import.meta.dirname, '../../dist')

interface MachineOptions {
  /** The script in this folder that makes the machine. */
  readonly preload: string
  /** The project as the client names it. */
  readonly project: string
  /** The user's folder below the drive, and the variables that name it. */
  readonly home: string
  readonly env: NodeJS.ProcessEnv
}

export class FakeMachine {
  /** The real folder of the machine's drive. */
  readonly drive = newFolder('drive')
  readonly #options: MachineOptions
  readonly #env: NodeJS.ProcessEnv

  constructor(options: MachineOptions) {
    this.#options = options
    this.#env = {
      PATH: process.env['PATH'],
      CLAUDE_PROJECT_DIR: options.project,
      CLAUDE_PID: String(process.pid),
      NODE_OPTIONS: `--require ${path.join(import.meta.dirname, options.preload)}`,
      FAKE_DRIVE: this.drive,
      FAKE_TOOLS: path.dirname(DIST),
      ...options.env,
    }
  }

  /** Writes a file of the machine; `name` is below the user's folder. */
  write(name: string, text: string): void {
    const file = path.join(this.drive, this.#options.home, name)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, text)
  }

  /** Runs the hook of a payload; returns what it adds to the conversation. */
  runHook(payload: Readonly<Record<string, unknown>>, more: NodeJS.ProcessEnv = {}): string {
    const script = HOOK_REGISTRATIONS.find(({ event }) => event === payload['hook_event_name'])?.script
    if (script === undefined) return ''
    const stdout = this.#run(`hooks/${script}.cjs`, [], `${JSON.stringify(payload)}\n`, more)
    return stdout === '' ? '' : (JSON.parse(stdout).hookSpecificOutput?.additionalContext ?? '')
  }

  /** Runs the worker as a hook starts it, and waits for it. */
  runWorker(script = 'watchdog.cjs'): void {
    this.#run(script, [this.#options.project], '', {})
  }

  #run(script: string, words: readonly string[], input: string, more: NodeJS.ProcessEnv): string {
    const args = [path.join(DIST, script), ...words]
    const env = { ...this.#env, ...more }
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { input, encoding: 'utf8', env, cwd: '/' })
    expect([script, status, stderr]).toEqual([script, 0, ''])
    return stdout
  }

  /** The folders of the stores. */
  get stores(): string[] {
    const folder = path.join(this.drive, this.#options.home, '.memctl/projects')
    return fs.readdirSync(folder).map((name) => path.join(folder, name))
  }

  /** What hooks and workers wrote down as faults. */
  get faults(): string {
    const files = this.stores.map((folder) => path.join(folder, 'faults.jsonl'))
    return files.map((file) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '')).join('')
  }

  /** The memories of the first store. */
  get memories(): string[] {
    const store = openStoreAt(this.stores[0] ?? '', this.#options.project)
    return Object.values(loadMemories(store)).map((memory) => JSON.stringify(memory))
  }
}
