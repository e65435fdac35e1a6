// What must hold, whatever happened: what a process has acknowledged is there once, what was forgotten or is secret is
// nowhere, nobody is shown what is not for them, and a rebuild gives the same memories.
import fs from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { checkStore } from '../../src/broker/checks/checkStore.ts'
import { openStore, type Store } from '../../src/broker/open/openStore.ts'
import { loadProjection } from '../../src/broker/projection/projectionFiles.ts'
import { readLog } from '../../src/store/log/readLog.ts'
import { seededRandom } from '../fixture/seededRandom.ts'
import { type Damage, shareMemories } from './faultSteps.ts'

export interface Violation {
  readonly rule: string
  readonly what: string
}

/** A text that was typed or saved. */
export interface Saved {
  readonly project: string
  readonly session: string
  readonly place: 'event' | 'memory' | 'entry'
  readonly isAcknowledged: boolean
  /** Only its session may see it. */
  readonly isPrivate?: boolean
  /** `erased`: in this round, in which others may still show what they have read before. */
  forgotten?: 'asked' | 'erased' | 'done'
  /** The project in which it was forgotten. The other machine has it until both have exchanged what is new. */
  forgottenIn?: string
}

/** Who is shown a text. A person at a terminal has no session. */
export interface Viewer {
  readonly project: string
  readonly session?: string | undefined
}

const REPORT_CHARS_MAX = 600

export class FaultModel {
  readonly saved = new Map<string, Saved>()
  readonly secrets = new Set<string>()
  readonly violations: Violation[] = []
  readonly #folder: string

  /** `folder` has memctl's home and a folder for each project. */
  constructor(folder: string) {
    this.#folder = folder
  }

  report(rule: string, what: string): void {
    this.violations.push({ rule, what: what.slice(0, REPORT_CHARS_MAX) })
  }

  endRound(): void {
    for (const saved of this.saved.values()) if (saved.forgotten === 'erased') saved.forgotten = 'done'
  }

  /** The home of the machine that has this project. */
  homeOf(project: string): string {
    return project === 'mirror' ? path.join(this.#folder, 'far') : this.#folder
  }

  openStore(project: string): Store {
    const home = this.homeOf(project)
    return openStore(path.join(this.#folder, project), { HOME: home, MEMCTL_HOME: path.join(home, '.memctl') })
  }

  /** Checks a text that was shown, for example the output of a hook. */
  checkShown(text: string, { project, session }: Viewer, where: string): void {
    for (const [token, saved] of this.saved) {
      if (!text.includes(token)) continue
      const what = `${where} in ${project} shows ${token} of ${saved.session}`
      if (!shareMemories(saved.project, project)) this.report('other project', what)
      if (saved.isPrivate && saved.session !== session) this.report('private', what)
      if (saved.forgotten === 'done' && saved.forgottenIn === project) this.report('forgotten', what)
    }
  }

  /** Each memory of a project, as one text. */
  readMemories(project: string): Map<string, string> {
    const { memories } = loadProjection(this.openStore(project)).projection
    return new Map(
      [...memories.values()].map(({ id, kind, privacy, status, content }) => {
        return [id, JSON.stringify([kind, privacy, status, content])]
      }),
    )
  }

  checkSame(project: string, before: ReadonlyMap<string, string>): void {
    const after = this.readMemories(project)
    for (const id of new Set([...before.keys(), ...after.keys()])) {
      const what = `${project}: ${before.get(id)} became ${after.get(id)}`
      if (before.get(id) !== after.get(id)) this.report('rebuild', what)
    }
  }

  /** The failed checks of `memctl doctor`. */
  findProblems(project: string, nowMs: number): string[] {
    const failed = checkStore(this.openStore(project), nowMs).filter(({ state }) => state === 'fail')
    return failed.map(({ name, what, where }) => `${project}: ${name}: ${what} ${where}`)
  }

  /** What is acknowledged is there once; what is not, at most once. */
  checkSaved(project: string, when: string): void {
    const { files, layout } = this.openStore(project)
    const texts: Record<Saved['place'], string[]> = { event: [], memory: [], entry: [] }
    const events = new Map(readLog(files, layout.events).events.map((event) => [event.id, event]))
    for (const event of events.values())
      if (event.kind !== 'recalled' && event.kind !== 'team.received')
        texts[/^memory\./.test(event.kind) ? 'memory' : 'event'].push(JSON.stringify(event))
    const folder = path.join(this.#folder, project, '.memctl')
    texts.entry = listFiles(folder).map((file) => fs.readFileSync(file, 'utf8'))
    const memories = [...this.readMemories(project).values()]
    for (const [token, { place, isAcknowledged, ...saved }] of this.saved) {
      if (saved.project !== project || saved.forgotten !== undefined) continue
      const count = texts[place].filter((text) => text.includes(token)).length
      const isMissing = count === 0 || (place !== 'event' && !memories.some((text) => text.includes(token)))
      if (count > 1 || (isAcknowledged && isMissing))
        this.report(
          'acknowledged',
          `${when}, ${project}: ${place} ${token} is stored ${count} times, missing: ${isMissing}`,
        )
    }
  }

  checkBytes(): void {
    for (const file of listFiles(this.#folder)) {
      const bytes = readPlain(file)
      const name = path.relative(this.#folder, file)
      for (const secret of this.secrets) if (bytes.includes(secret)) this.report('secret', `${secret} is in ${name}`)
      for (const [token, { forgotten }] of this.saved)
        if (forgotten !== undefined && bytes.includes(token)) this.report('forgotten', `${token} is in ${name}`)
    }
  }

  /** Damages one derived file of a project, or adds what a crash leaves at the end of its log. Returns the file. */
  damage(project: string, { way, file: pick, at }: { way: Damage; file: number; at: number }): string | undefined {
    const { layout } = this.openStore(project)
    const names = listFiles(layout.folder).map((file) => path.relative(layout.folder, file))
    const isLog = way === 'log tail'
    const fit = names.filter((name) => (isLog ? /^events\/\d+\.jsonl$/.test(name) : !NOT_DERIVED.test(name))).sort()
    const name = isLog ? fit.at(-1) : fit[pick % fit.length]
    if (name === undefined) return undefined
    const file = path.join(layout.folder, name)
    const bytes = fs.readFileSync(file)
    // The log is only appended to: others write to it meanwhile.
    if (isLog) fs.appendFileSync(file, tearLastLine(bytes, at))
    else fs.writeFileSync(file, damageBytes(bytes, way, at))
    return name
  }
}

/** Files of a store that cannot be made again from the log, and those that only say what happened. */
const NOT_DERIVED =
  /^(?:events|members|trust|aside-[^/]*)\/|^(?:identity\.json|earlier\.json|link|faults\.jsonl)$|lock$/

const DAMAGED_BYTES = 16

/** `at` is a place in thousandths of the length. */
function damageBytes(bytes: Buffer, way: Damage, at: number): Buffer {
  const place = Math.floor((bytes.length * at) / 1_000)
  const rest = bytes.subarray(place)
  if (way === 'cut') return bytes.subarray(0, place)
  if (way === 'doubled') return Buffer.concat([bytes, rest])
  const random = seededRandom(at)
  const part = rest.subarray(0, DAMAGED_BYTES).map(() => random.below(256))
  return Buffer.concat([bytes.subarray(0, place), part, rest.subarray(DAMAGED_BYTES)])
}

/** The last line once more, or half of it. */
function tearLastLine(bytes: Buffer, at: number): Buffer {
  const last = bytes.subarray(bytes.lastIndexOf(0x0a, bytes.length - 2) + 1)
  if (last.at(-1) !== 0x0a) return Buffer.alloc(0)
  return at % 2 === 0 ? last : last.subarray(0, last.length >> 1)
}

/** All regular files below a folder. */
export function listFiles(folder: string): string[] {
  if (!fs.existsSync(folder)) return []
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.flatMap((entry) => (entry.isFile() ? [path.join(entry.parentPath, entry.name)] : []))
}

function readPlain(file: string): Buffer {
  const bytes = fs.readFileSync(file)
  try {
    return file.endsWith('.gz') ? gunzipSync(bytes) : bytes
  } catch {
    return bytes // Damaged: nobody can read what it contains.
  }
}
