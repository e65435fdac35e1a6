// bench race: processes that save, evict, restore and edit the same entries at once. Counts acknowledged entries that
// are in no file afterwards.
import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { maintainEntries } from '../../src/broker/entries/entryMaintenance.ts'
import { openStore } from '../../src/broker/open/openStore.ts'
import { type CliContext, printResult } from '../../src/cli/context/cliContext.ts'
import { integerOption } from '../../src/cli/context/storeOption.ts'
import { seededRandom } from '../fixture/seededRandom.ts'
import { createTempHome } from '../fixture/tempHome.ts'
import { RACE_ROLES, type RaceProcess, type RaceRole, runRaceProcess } from './raceProcess.ts'

interface RaceOptions {
  readonly entries: number
  readonly round: number
  readonly savers: number
  readonly seed: number
  readonly kills?: boolean
  readonly json?: boolean
}

interface RaceResult {
  /** Keys with at least one acknowledged write. */
  readonly entries: number
  /** Acknowledged writes. */
  readonly writes: number
  readonly kills: number
  /** Calls that threw what no tool should throw. */
  readonly errors: number
  /** Keys whose last acknowledged text is in no file right after the race. */
  readonly missing: number
  /** The same after the next maintenance. */
  readonly lost: number
}

/** Time between two kills in milliseconds, on average. */
const KILL_EVERY_MS = 1_500

export function registerRace(program: Command, io: CliContext): void {
  program
    .command('race')
    .description('entries: processes that save, evict, restore and edit at once, and what is lost')
    .option('--entries <n>', 'entries that are saved, in all rounds', integerOption(1), 2_000)
    .option('--round <n>', 'entries of one round, which has a project of its own', integerOption(1), 250)
    .option('--savers <n>', 'processes that save', integerOption(1), 4)
    .option('--seed <n>', 'seed of the choices', integerOption(0), 15)
    .option('--kills', 'kill random processes and start them again')
    .option('--json', 'print one line of JSON')
    .action(async (options: RaceOptions) => {
      const results: RaceResult[] = []
      for (let done = 0; done < options.entries; done += options.round) {
        const result = await runRound(options, options.seed + results.length)
        results.push(result)
        // A run takes long: what a stopped one has measured counts, too.
        io.err.write(`round ${results.length}: ${JSON.stringify(result)}\n`)
      }
      const sum = (name: keyof RaceResult): number => results.reduce((total, result) => total + result[name], 0)
      const total = { entries: sum('entries'), writes: sum('writes'), kills: sum('kills'), errors: sum('errors') }
      const result = { ...total, missing: sum('missing'), lost: sum('lost'), rounds: results.length }
      printResult(io, options.json, result, () => [
        `${result.entries} acknowledged entries in ${result.rounds} rounds`,
        `${result.writes} writes, ${result.kills} kills, ${result.errors} errors`,
        `${result.missing} entries in no file, ${result.lost} after the next maintenance`,
      ])
    })
  program
    .command('race-process', { hidden: true })
    .argument('<options>', 'a RaceProcess as JSON')
    .action((options: string) => runRaceProcess(JSON.parse(options) as RaceProcess))
}

async function runRound({ round, savers, kills }: RaceOptions, seed: number): Promise<RaceResult> {
  using temporary = createTempHome('race')
  const folder = temporary.path
  const places = { project: path.join(folder, 'project'), home: folder, notes: path.join(folder, 'notes') }
  for (const place of Object.values(places)) fs.mkdirSync(place, { recursive: true })
  const killed = await race(places, { seed, savers, entries: Math.ceil(round / savers), kills: kills === true })
  const before = countLost(places)
  const env = { HOME: folder, MEMCTL_HOME: path.join(folder, '.memctl') }
  maintainEntries(openStore(places.project, env), env, Date.now())
  return { ...before, kills: killed, lost: countLost(places).missing }
}

type Places = Pick<RaceProcess, 'project' | 'home' | 'notes'>

interface Race {
  readonly seed: number
  readonly savers: number
  /** Of one saver. */
  readonly entries: number
  readonly kills: boolean
}

/** Runs all processes until every saver is done. Returns how many were killed. */
async function race(places: Places, { seed, savers, entries, kills }: Race): Promise<number> {
  const random = seededRandom(seed)
  const running = new Map<ChildProcess, () => void>()
  const others: readonly RaceRole[] = RACE_ROLES.filter((role) => role !== 'saver')
  let started = 0
  let killed = 0
  const start = (role: RaceRole, count: number): Promise<void> =>
    new Promise((done, failed) => {
      const name = `${role}${started++}`
      const options: RaceProcess = { role, name, ...places, seed: seed * 1000 + started, entries: count }
      const args = [fileURLToPath(import.meta.url), 'bench', 'race-process', JSON.stringify(options)]
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
      running.set(child, () => {
        killed++
        child.kill('SIGKILL')
      })
      child.once('exit', (status, signal) => {
        running.delete(child)
        // A killed process is followed by one that does the rest.
        if (signal === 'SIGKILL' && !isOver)
          done(start(role, count - countCreated(places.notes, `${role}-${name}.txt`)))
        else if (status === 0) done()
        else failed(new Error(`${name} ended with ${status ?? signal}`))
      })
    })
  const background = others.map((role) => start(role, 0))
  let isDone = false
  let isOver = false
  const saved = Promise.all(Array.from({ length: savers }, () => start('saver', entries))).finally(() => {
    isDone = true
    fs.writeFileSync(path.join(places.notes, 'stop'), '')
  })
  const killSome = async (): Promise<void> => {
    while (kills && !isDone) {
      await new Promise((next) => setTimeout(next, random.below(2 * KILL_EVERY_MS)))
      if (!isDone) random.pick([...running.values()])()
    }
  }
  try {
    await Promise.all([saved, killSome(), ...background])
    return killed
  } finally {
    // After an error the others must not run on.
    isOver = true
    for (const child of running.keys()) child.kill('SIGKILL')
  }
}

interface Note {
  readonly what: string
  readonly key: string
  readonly token: string
}

function readNotes(file: string): Note[] {
  if (!fs.existsSync(file)) return []
  const lines = fs.readFileSync(file, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => {
    const [what = '', key = '', token = ''] = line.split(' ')
    return { what, key, token }
  })
}

const countCreated = (folder: string, name: string): number =>
  new Set(readNotes(path.join(folder, name)).map(({ key }) => key)).size

/** Looks for the last acknowledged text of each key, or a later one of the same writer, in the files of entries. */
function countLost({ project, notes }: Places): Omit<RaceResult, 'kills' | 'lost'> {
  const folder = path.join(project, '.memctl/memory')
  const texts = [folder, path.join(folder, 'archive')].flatMap((at) =>
    fs.existsSync(at)
      ? fs.readdirSync(at).flatMap((name) => (name.endsWith('.md') ? fs.readFileSync(path.join(at, name), 'utf8') : []))
      : [],
  )
  const found = new Set(texts.flatMap((text) => /^The text (\S+)$/m.exec(text)?.[1] ?? []))
  let [entries, writes, errors, missing] = [0, 0, 0, 0]
  for (const name of fs.readdirSync(notes)) {
    const accepted = new Map<string, string[]>()
    for (const { what, key, token } of readNotes(path.join(notes, name))) {
      if (what === 'ack') {
        accepted.set(key, [token])
        writes++
      } else if (what === 'error') errors++
      else accepted.get(key)?.push(token)
    }
    entries += accepted.size
    // These editors remove a text before they write the next one: killed in between, they have lost it themselves.
    const removesFirst = /^(?:checkout|in-place-editor)/.test(name)
    for (const tokens of accepted.values())
      if (!tokens.some((token) => found.has(token)) && !(removesFirst && tokens.length > 1)) missing++
  }
  return { entries, writes, errors, missing }
}
