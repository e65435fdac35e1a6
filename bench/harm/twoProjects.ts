// Two projects of one person in a temporary home: sessions run through the hooks' handlers, commands through the CLI,
// answers of a model as the worker stores them. Everything that is injected into a probing session is collected.
import fs from 'node:fs'
import path from 'node:path'
import { commitPolicyChoice } from '../../src/broker/commands/policyCommands.ts'
import { commitAnswer } from '../../src/broker/distill/answerChanges.ts'
import { DIGEST_TOKENS } from '../../src/broker/distill/distillConfig.ts'
import { prepareSession, readCommittedMemories } from '../../src/broker/distill/prepareSession.ts'
import { runMaintenance } from '../../src/broker/maintenance/maintenance.ts'
import { refreshRecent } from '../../src/broker/maintenance/refreshRecent.ts'
import { openStore, type Store } from '../../src/broker/open/openStore.ts'
import { runCli } from '../../src/cli/runCli.ts'
import { parseModelAnswer } from '../../src/distill/modelAnswer.ts'
import type { SessionId } from '../../src/model/id.ts'
import { ROOT, SessionScript } from '../attacks/sessionScript.ts'
import { type RecordedPayload, replayPayload } from '../fixture/replaySessions.ts'
import { createTempHome } from '../fixture/tempHome.ts'

export type Project = 'shop' | 'blog'

/** What a probing session does, so that each moment of recall meets the subject. */
export interface Probe {
  readonly prompt?: string
  readonly command?: string
  readonly error?: string
  readonly branch?: string
}

/** An entry of a model's answer; `cites` and `replaces` are texts that the item or the known entry has. */
export interface AnswerEntry {
  readonly type: string
  readonly line: string
  readonly quote?: string
  readonly scope?: string
  readonly when?: readonly object[]
  readonly cites: readonly string[]
  readonly replaces?: readonly string[]
}

/** What a model learned from a failure of `npm test`. */
export const lesson = (line: string, more: Partial<AnswerEntry> = {}): AnswerEntry => ({
  type: 'lesson',
  line,
  when: [{ at: 'start' }, { at: 'call', tool: 'Bash', has: ['npm test'] }],
  cites: ['npm test'],
  ...more,
})

interface Answer {
  readonly entries?: readonly AnswerEntry[]
  readonly known?: readonly { readonly line: string; readonly is: string }[]
}

const HOUR_MS = 3_600_000

export class TwoProjects {
  readonly #folder = createTempHome('harm').path
  #now = Date.now() - 48 * HOUR_MS
  #sessions = 0
  #open: { readonly project: Project; readonly script: SessionScript } | undefined

  constructor() {
    for (const name of ['shop', 'blog', 'home']) fs.mkdirSync(path.join(this.#folder, name))
    // A holdout would hide a control in one probe of twenty.
    fs.writeFileSync(path.join(this.#home, 'all.yaml'), 'name: all\nextends: default\nrecall: { withholdShare: 0 }\n')
    fs.writeFileSync(path.join(this.#home, 'config.yaml'), 'policy: ./all.yaml\n')
  }

  /** A session that stays open until the next step; `act` adds its payloads. Returns its id. */
  session(act: (script: SessionScript) => unknown, project: Project = 'shop', branch = 'main'): string {
    this.endSession()
    const id = `session-${++this.#sessions}`
    this.#now += HOUR_MS
    const script = new SessionScript(id, this.#now, branch)
    act(script)
    this.#open = { project, script }
    this.#run(project, script.recorded)
    return id
  }

  /** A session with one prompt and its answer. */
  says(prompt: string): string {
    return this.session((script) => script.asks(prompt).answers('OK.'))
  }

  endSession(): void {
    if (!this.#open) return
    const { project, script } = this.#open
    this.#open = undefined
    this.#run(project, script.ends().slice(-1))
  }

  get hasOpenSession(): boolean {
    return this.#open !== undefined
  }

  /** A command of the person, in this project. */
  async memctl(words: readonly string[], project: Project = 'shop'): Promise<void> {
    this.endSession()
    this.#now = Math.max(this.#now, Date.now())
    let err = ''
    const status = await runCli([...words, '--project', path.join(this.#folder, project)], {
      out: { write: () => {} },
      err: { write: (text) => (err += text) },
      cwd: path.join(this.#folder, project),
      env: { HOME: this.#folder, MEMCTL_HOME: this.#home, CLAUDE_CONFIG_DIR: path.join(this.#folder, '.claude') },
      stdin: () => '',
    })
    if (status !== 0) throw new Error(`memctl ${words.join(' ')}: ${err}`)
  }

  /** The id of the entry that has these words, in the shop. */
  idOf(words: string): string {
    this.endSession()
    const all = [...readCommittedMemories(this.#store('shop')).values()]
    const found = all.find(({ content, knowledge }) => knowledge && `${knowledge.line} ${content}`.includes(words))
    if (!found) throw new Error(`No entry has “${words}”`)
    return found.id
  }

  /** Stores the answer of a model about a session of the shop that has ended. */
  answer(session: string, { entries = [], known = [] }: Answer): void {
    this.endSession()
    const store = this.#store('shop')
    const prepared = prepareSession(store, session as SessionId, DIGEST_TOKENS)
    if (!prepared) throw new Error(`${session} has nothing to read`)
    const keyOf = (line: string): string =>
      prepared.known.find(({ knowledge }) => knowledge.line.includes(line))?.key ?? `no entry “${line}”`
    const numberOf = (text: string): number =>
      prepared.digest.items.find((item) => `${item.subject} ${item.text}`.includes(text))?.number ?? 0
    const answer = parseModelAnswer(
      JSON.stringify({
        summary: '',
        known: known.map(({ line, is }) => ({ id: keyOf(line), is })),
        entries: entries.map((entry) => ({
          again: 3,
          ...entry,
          cites: entry.cites.map(numberOf),
          replaces: (entry.replaces ?? []).map(keyOf),
        })),
      }),
    )
    const origin = { answer, by: 'import', model: 'harm', tokens: { input: 0, output: 0 }, now: this.#now }
    commitAnswer(store, prepared, origin)
    runMaintenance(store, { now: this.#now, sessions: [] })
  }

  /** Everything that is injected into a new session of this project that does this; an open session stays open. */
  probe({ prompt, command, error, branch = 'main' }: Probe, project: Project = 'shop'): readonly string[] {
    this.#now += HOUR_MS
    const script = new SessionScript(`probe-${++this.#sessions}`, this.#now, branch)
    script.asks('Please look at the rounding of the cart total in src/cart.ts.')
    script.starts('reviewer', 'Review the rounding of the cart total.')
    script.compacts()
    if (prompt !== undefined) script.asks(prompt)
    if (command !== undefined && error === undefined) script.runs(command, 'ok')
    if (command !== undefined && error !== undefined) script.fails(command, error)
    script.answers('Done.')
    return this.#run(project, script.ends())
  }

  end(): void {
    fs.rmSync(this.#folder, { recursive: true, force: true })
  }

  get #home(): string {
    return path.join(this.#folder, 'home')
  }

  #store(project: Project): Store {
    return openStore(path.join(this.#folder, project), { MEMCTL_HOME: this.#home })
  }

  /** Runs the hooks; what they would start in the background runs at once. */
  #run(project: Project, recorded: readonly RecordedPayload[]): string[] {
    const store = this.#store(project)
    const folder = path.join(this.#folder, project)
    commitPolicyChoice(store, this.#now) // As the worker does, so that there are no holdouts.
    return recorded.flatMap(({ at, payload }) => {
      const moved = JSON.parse(JSON.stringify(payload).replaceAll(ROOT, folder)) as RecordedPayload['payload']
      const { context = '', denyReason = '', refresh, needsMaintenance } = replayPayload(store, { at, payload: moved })
      this.#now = Math.max(this.#now, at)
      if (refresh) refreshRecent(store, at)
      if (needsMaintenance) runMaintenance(store, { now: at, sessions: [] })
      return `${context}\n${denyReason}`.split('\n').filter((line) => line.trim() !== '')
    })
  }
}
