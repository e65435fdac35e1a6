// Runs steps as processes on one home with several projects, and asks the model what must hold.
import fs from 'node:fs'
import path from 'node:path'
import { HOOK_REGISTRATIONS } from '../../src/model/hookEvents.ts'
import { HOOK_BUDGET_MS } from '../../src/model/limits.ts'
import { parseObject } from '../../src/model/unknownJson.ts'
import {
  type Ended,
  findProcesses,
  killProcesses,
  pause,
  type Running,
  refusingDisk,
  startNode,
} from '../fixture/processes.ts'
import { createTempHome } from '../fixture/tempHome.ts'
import { FaultHub } from './faultHub.ts'
import { FaultModel, type Saved, type Violation } from './faultModel.ts'
import { type Act, PROJECTS, payloadText, SHARED, type Step, type ToolCall } from './faultSteps.ts'

export interface RunResult {
  readonly violations: readonly Violation[]
  /** Counts and times, for people: they depend on the machine. */
  readonly trace: Readonly<Record<string, number>>
}

/** After this no worker may be left, in milliseconds: it ends itself after 50 s, and one may wait for another. */
const EXIT_MAX_MS = 180_000
const HOUR_MS = 3_600_000
/** What one machine has merged goes to the other, which answers with what it has merged. */
const EXCHANGES_MAX = 6
const WRITES = ['openSync', 'writeSync', 'writeFileSync', 'linkSync', 'renameSync']
/** What each fault of a disk refuses: a full disk still removes files. */
const REFUSED = { SHORT: ['writeSync'], ENOSPC: WRITES, EIO: [...WRITES, 'rmSync'], KILL: [...WRITES, 'rmSync'] }

const LIBRARY_SCRIPT = `
const [library, project, session, calls] = process.argv.slice(1)
const memory = require(library).openMemory({ project, session })
;(async () => {
  for (const { tool, input } of JSON.parse(calls))
    console.log(JSON.stringify(await memory.call(tool, input).catch((error) => ({ error: String(error) }))))
  await memory.close()
})()`

const COMMAND_OF: Readonly<Record<ToolCall['tool'], string>> = {
  memory_store: 'memory store',
  memory_search: 'memory search',
  save_to_memory: 'entry save',
  retrieve_from_memory: 'entry find',
}

/** Runs the steps in a new folder, which is removed unless it is to be kept. `dist` is the built memctl. */
export async function runSteps(steps: readonly Step[], dist: string, isKept = false): Promise<RunResult> {
  const run = new FaultRun(dist)
  try {
    await run.join()
    for (const round of new Set(steps.map((step) => step.round))) {
      await Promise.all(steps.filter((step) => step.round === round).map((step) => run.take(step)))
      run.model.endRound()
    }
    await run.settle()
    return { violations: run.model.violations, trace: run.trace }
  } finally {
    killProcesses(run.folder)
    await run.hub?.stop()
    if (!isKept) fs.rmSync(run.folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

class FaultRun {
  readonly folder = createTempHome('faults').path
  readonly model = new FaultModel(this.folder)
  readonly trace: Record<string, number> = {}
  hub: FaultHub | undefined
  readonly #refusing = refusingDisk(this.folder)
  readonly #damaged = new Set<string>()
  readonly #dist: string
  /** How far the clock of each machine has jumped, by its home. */
  readonly #hours = new Map<string, number>()

  constructor(dist: string) {
    this.#dist = dist
    for (const name of PROJECTS) {
      fs.mkdirSync(path.join(this.folder, name))
      const home = path.join(this.model.homeOf(name), '.memctl')
      fs.mkdirSync(home, { recursive: true })
      // Time releases nothing, so that what is private stays so however the clock jumps.
      fs.writeFileSync(path.join(home, 'config.yaml'), 'policy: privacy-strict\n')
    }
  }

  /** Starts a hub, which both machines join. */
  async join(): Promise<void> {
    this.hub = await FaultHub.start(this.folder)
    for (const project of SHARED) {
      const cli = path.join(this.#dist, 'cli.js')
      await this.#start([cli, 'hub', 'connect', this.hub.url, '--name', project], { project }, '').ended
      await this.#start([cli, 'hub', 'migrate'], { project }, '').ended
      const { status, stderr } = await this.#command(['hub', 'join', '--project-key', 'shop', '--yes'], { project })
      if (status !== 0) this.model.report('hub', `${project} cannot join: ${stderr}`)
    }
  }

  async take(step: Step): Promise<void> {
    const { act, project, session } = step
    this.#count(act.kind)
    for (const secret of step.secrets ?? []) this.model.secrets.add(secret)
    if (act.kind === 'hook') {
      const ends = await Promise.all(Array.from({ length: act.times }, () => this.#hook(step, act.event)))
      const isAcknowledged = ends.includes(true)
      if (act.token) this.#save(act.token, { project, session, place: 'event', isAcknowledged })
    } else if (act.kind === 'hostile') await this.#hook(step, act.event)
    else if (act.kind === 'tools') await this.#tools(step, act)
    else if (act.kind === 'command') await this.#command(act.words.split(' '), step)
    else if (act.kind === 'forget') await this.#forget(act.token, step)
    else if (act.kind === 'clock') this.#jump(project, act.hours)
    else if (act.kind === 'load') this.#load(act)
    else if (act.kind === 'hub') await this.hub?.harm(act)
    else if (act.kind === 'killWorkers') {
      await pause(act.afterMs)
      this.#count('workers killed', killProcesses(this.folder, 'worker'))
    } else if (this.model.damage(project, act)) this.#damaged.add(project)
  }

  /** Ends everything, repairs what was damaged, rebuilds, and checks what must hold then. */
  async settle(): Promise<void> {
    const endMs = performance.now() + EXIT_MAX_MS
    while (findProcesses(this.folder).length > 0 && performance.now() < endMs) await pause(100)
    const left = killProcesses(this.folder)
    if (left > 0) this.model.report('processes', `${left} were left after ${EXIT_MAX_MS} ms`)
    for (const [token, { project, forgotten }] of this.model.saved) {
      if (forgotten === 'asked' && (await this.#forget(token, { project })) !== 0)
        this.model.report('forgotten', `forgetting ${token} fails in ${project}`)
    }
    this.model.endRound()
    await Promise.all(PROJECTS.map((project) => this.#repair(project)))
    await this.#exchange()
    await Promise.all(PROJECTS.map((project) => this.#rebuild(project)))
    if (this.hub) this.#count('memories on the hub', await this.hub.check(this.model))
    this.model.checkBytes()
  }

  async #repair(project: string): Promise<void> {
    if (this.#damaged.has(project)) {
      await this.#mustRun('doctor --log --fix', project)
      await this.#mustRun('rebuild', project)
    }
    await this.#mustRun('organize --all', project)
  }

  /** Lets both machines exchange what is new until there is nothing. */
  async #exchange(): Promise<void> {
    for (let round = 0; round < EXCHANGES_MAX; round++) {
      let changes = 0
      for (const project of SHARED) {
        const answer = parseObject((await this.#mustRun('hub sync --json', project)).stdout) as SyncAnswer | undefined
        for (const { sent, received, waiting } of answer?.projects ?? []) changes += sent + received + waiting
      }
      if (changes === 0) return
    }
    this.model.report('hub', `after ${EXCHANGES_MAX} exchanges there is still something to exchange`)
  }

  async #rebuild(project: string): Promise<void> {
    const check = (when: string): void => {
      for (const what of this.model.findProblems(project, this.#nowMs(project)))
        this.model.report('doctor', `${when}, ${what}`)
      this.model.checkSaved(project, when)
    }
    check('before the rebuild')
    const before = this.model.readMemories(project)
    await this.#mustRun('rebuild', project)
    check('after the rebuild')
    this.model.checkSame(project, before)
  }

  async #mustRun(words: string, project: string): Promise<Ended> {
    const end = await this.#command(words.split(' '), { project })
    if (end.status !== 0)
      this.model.report('repair', `${words} in ${project}: ${end.status} ${end.stderr || end.stdout}`)
    return end
  }

  readonly #nowMs = (project: string): number =>
    Date.now() + (this.#hours.get(this.model.homeOf(project)) ?? 0) * HOUR_MS

  #jump(project: string, hours: number): void {
    const home = this.model.homeOf(project)
    this.#hours.set(home, (this.#hours.get(home) ?? 0) + hours)
  }

  /** They end by themselves, and name the folder, so that they are ended with the run. */
  #load({ loops, forMs }: Act & { kind: 'load' }): void {
    const script = 'const end = Date.now() + Number(process.argv[1]); while (Date.now() < end);'
    for (let i = 0; i < loops; i++) startNode(['-e', script, String(forMs), this.folder], { env: {}, stdin: '' })
  }

  #count(name: string, by = 1): void {
    this.trace[name] = (this.trace[name] ?? 0) + by
  }

  #save(token: string, saved: Saved): void {
    this.#count(saved.isAcknowledged ? 'acknowledged' : 'not acknowledged')
    this.model.saved.set(token, saved)
  }

  #start(words: readonly string[], step: Partial<Step>, stdin?: string): Running {
    const { fault, session, project = PROJECTS[0] } = step
    const disk = fault?.kind === 'disk' ? fault : undefined
    const preloads = [path.join(this.#dist, 'replay-clock.cjs'), ...(disk ? [this.#refusing] : [])]
    const env = {
      PATH: path.dirname(process.execPath),
      HOME: this.model.homeOf(project),
      MEMCTL_HOME: path.join(this.model.homeOf(project), '.memctl'),
      NODE_OPTIONS: preloads.map((file) => `--require=${file}`).join(' '),
      MEMCTL_REPLAY_AT: String(this.#nowMs(project)),
      CLAUDE_CODE_SESSION_ID: session,
      REFUSE: disk && JSON.stringify({ calls: REFUSED[disk.code], path: '/\\.memctl/', ...disk }),
    }
    const limit = fault?.kind === 'limit' ? { fileKilobytesMax: fault.kilobytes } : {}
    const running = startNode(words, { env, stdin, cwd: path.join(this.folder, project), ...limit })
    if (fault?.kind === 'kill') setTimeout(() => running.child.kill('SIGKILL'), fault.afterMs)
    return running
  }

  /** Whether its event must be in the log. */
  async #hook(step: Step, event: string): Promise<boolean> {
    const script = HOOK_REGISTRATIONS.find((hook) => hook.event === event)?.script ?? ''
    const startMs = performance.now()
    const stdin = payloadText(step).replaceAll('@PROJECT@', path.join(this.folder, step.project))
    const end = await this.#start([path.join(this.#dist, 'hooks', `${script}.cjs`)], step, stdin).ended
    const ms = Math.round(performance.now() - startMs)
    this.trace['slowest hook, ms'] = Math.max(this.trace['slowest hook, ms'] ?? 0, ms)
    if (ms > HOOK_BUDGET_MS) this.#count('hooks beyond their budget')
    if (end.signal === 'SIGKILL') {
      this.#count('killed')
      return false
    }
    const isQuiet =
      end.status === 0 && end.stderr === '' && (end.stdout === '' || parseObject(end.stdout) !== undefined)
    if (!isQuiet) this.model.report('hook', `${script}: ${JSON.stringify({ ...end, stdin: stdin.slice(0, 300) })}`)
    this.model.checkShown(end.stdout, step, script)
    // The payload was complete before the hook could read it, so lateness is no reason to record nothing.
    return step.fault === undefined
  }

  async #tools(step: Step, { by, calls }: Act & { kind: 'tools' }): Promise<void> {
    const { project, session } = step
    const answers = await this.#call(step, by, calls)
    calls.forEach(({ tool, input, token }, i) => {
      const answer = answers[i] as { error?: unknown } | undefined
      if (answer) this.model.checkShown(JSON.stringify(answer), step, `${by} ${tool}`)
      const place = tool === 'memory_store' ? 'memory' : 'entry'
      const isAcknowledged = answer !== undefined && answer.error === undefined
      const isPrivate = input['privacy'] === 'private'
      if (token) this.#save(token, { project, session, place, isAcknowledged, isPrivate })
    })
  }

  /** The answers that arrived. */
  async #call(step: Step, by: string, calls: readonly ToolCall[]): Promise<unknown[]> {
    if (by === 'server') return this.#serve(step, calls)
    if (by === 'library') {
      const library = path.join(this.#dist, 'index.cjs')
      const words = ['-e', LIBRARY_SCRIPT, library, path.join(this.folder, step.project), step.session]
      const { stdout } = await this.#start([...words, JSON.stringify(calls)], step, '').ended
      return stdout.split('\n').map(parseObject)
    }
    const answers: unknown[] = []
    for (const { tool, input } of calls) {
      const words = [...COMMAND_OF[tool].split(' '), '--input', JSON.stringify(input), '--json']
      answers.push(parseObject((await this.#command(words, step)).stdout))
    }
    return answers
  }

  /** Calls tools of an MCP server one after the other, as a client does. */
  async #serve(step: Step, calls: readonly ToolCall[]): Promise<unknown[]> {
    const options = ['--tools', 'all', '--role', 'owner', '--project', path.join(this.folder, step.project)]
    const { child, ended } = this.#start([path.join(this.#dist, 'mcp.mjs'), ...options], step)
    const answers: unknown[] = []
    const send = (message: object): unknown => child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'faults', version: '1' } }
    let text = ''
    child.stdout?.on('data', (chunk: string) => {
      text += chunk
      const lines = text.split('\n')
      text = lines.pop() ?? ''
      for (const line of lines) {
        const { id, result } = parseObject(line) as ServerLine
        if (id === undefined) continue
        if (id > 0) answers[id - 1] = result?.isError ? { error: true } : (result?.structuredContent ?? { error: true })
        const call = calls[id]
        if (call) send({ id: id + 1, method: 'tools/call', params: { name: call.tool, arguments: call.input } })
        else child.stdin?.end()
      }
    })
    send({ id: 0, method: 'initialize', params: client })
    await ended
    return answers
  }

  async #command(words: readonly string[], { project = PROJECTS[0], fault }: Partial<Step>): Promise<Ended> {
    const all = [path.join(this.#dist, 'cli.js'), ...words, '--project', path.join(this.folder, project)]
    const end = await this.#start(all, { project, ...(fault && { fault }) }, '').ended
    const hasStack = /^\s+at .*:\d+:\d+\)?$/m.test(end.stderr)
    if (hasStack) this.model.report('command', `${words.join(' ')}: ${end.stderr.slice(0, 500)}`)
    // A person who forgets a text is shown where it is, also in private memories.
    if (words[0] !== 'forget') this.model.checkShown(end.stdout, { project }, words.join(' '))
    else if (end.status !== 0) this.#count(`forget: ${end.signal ?? end.stdout.slice(0, 80)}`)
    return end
  }

  async #forget(token: string, step: Partial<Step>): Promise<number | null> {
    const saved = this.model.saved.get(token)
    if (!saved) return 0 // The step that typed it was left out.
    saved.forgotten ??= 'asked'
    const { status, stdout } = await this.#command(['forget', '--text', token, '--entries', '--yes', '--json'], step)
    const project = step.project ?? saved.project
    // What has not arrived at the other machine is forgotten where it was saved.
    const isHere = project === saved.project || /"memories":\[\{/.test(stdout)
    if (status === 0 && isHere) Object.assign(saved, { forgotten: 'erased', forgottenIn: project })
    return status
  }
}

interface SyncAnswer {
  readonly projects: readonly { readonly sent: number; readonly received: number; readonly waiting: number }[]
}

interface ServerLine {
  readonly id?: number
  readonly result?: { readonly isError?: boolean; readonly structuredContent?: unknown }
}
