// memctl replay: what it injected and kept as a file, with another policy, and without learning.
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PolicySummary } from '../../../src/broker/queries/policySummary.ts'
import type { ReplaySummary } from '../../../src/cli/commands/replay.ts'
import type { InjectedLine, RunLine, StatementLine } from '../../../src/cli/replay/injectionRun.ts'
import { BEGIN, DAY, exampleSession } from '../../testData.ts'
import { newWorld, RECORDINGS, type World } from '../testContext.ts'

let world: World
beforeAll(() => {
  world = newWorld()
})
afterAll(() => world.end())

const fileIn = (name: string): string => path.join(world.folder, name)

const readRun = (file: string): RunLine[] =>
  fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as RunLine)

const injectedIn = (file: string): InjectedLine[] =>
  readRun(file).flatMap((line) => (line.type === 'injected' ? [line] : []))

const keptIn = (file: string): StatementLine[] => readRun(file).flatMap((line) => (line.type === 'kept' ? [line] : []))

async function replay(name: string, ...words: readonly string[]): Promise<{ file: string; summary: ReplaySummary }> {
  const file = fileIn(`${name}.jsonl`)
  const store = fileIn(`${name}-store`)
  const summary = await world.json<ReplaySummary>('replay', RECORDINGS, '--store', store, '--injected', file, ...words)
  return { file, summary }
}

describe('cli replay --injected', () => {
  test('replay: the file has every injected text with its session, agent, time, moment and call', async () => {
    const { file, summary } = await replay('all')
    const injected = injectedIn(file)
    expect(injected).toHaveLength(summary.injected)
    const moments = new Set(injected.map(({ moment }) => moment))
    for (const moment of ['start', 'prompt', 'call'] as const) expect(moments).toContain(moment)
    for (const { at, moment, tool_use_id, agent_id, text } of injected) {
      expect(new Date(at).toISOString()).toBe(at)
      expect(text).toMatch(/^memctl/)
      expect(tool_use_id !== undefined).toBe(moment === 'call' || moment === 'failure')
      if (moment === 'agent') expect(agent_id).toBeDefined()
      if (moment === 'start' || moment === 'prompt') expect(agent_id).toBeUndefined()
    }
  })

  test('replay: the file has what people said, with the session in which they said it, and nothing else', async () => {
    const { file } = await replay('kept')
    const kept = keptIn(file)
    expect(kept.map(({ text }) => text).join('\n')).toContain('never add comments to tests')
    expect(kept.map(({ text }) => text).join('\n')).toContain('コミットメッセージを日本語で')
    const sessions = new Set(injectedIn(file).map(({ session }) => session))
    for (const { kind, session, at } of kept) {
      expect(['preference', 'rule', 'decision', 'correction', 'fact']).toContain(kind)
      expect(session).not.toBe('')
      expect(Date.parse(at)).toBeGreaterThan(0)
    }
    expect(sessions.size).toBeGreaterThan(1)
  })

  test('replay: what a tool stored in the same store was said by nobody, and is not in the file', async () => {
    const store = fileIn('tool-store')
    const file = fileIn('tool.jsonl')
    await world.json('replay', RECORDINGS, '--store', store)
    await world.json(
      'memory',
      'store',
      '--store',
      store,
      '--content',
      'Always deploy on Mondays',
      '--type',
      'preference',
    )
    await world.json('replay', RECORDINGS, '--store', store, '--injected', file)
    expect(JSON.stringify(readRun(file))).not.toContain('Always deploy on Mondays')
  })

  test('replay: a file that cannot be written is reported before the replay, with status 2', async () => {
    const store = fileIn('unwritable-store')
    for (const file of [fileIn('no/such/folder/run.jsonl'), world.folder]) {
      const result = await world.memctl('replay', RECORDINGS, '--store', store, '--injected', file)
      expect(result).toMatchObject({ status: 2, out: '' })
      expect(result.err).toMatch(/^memctl: Cannot write [^\n]+ Name a file [^\n]+\.\n$/)
      expect(fs.existsSync(store)).toBe(false)
    }
  })
})

describe('cli replay --policy and --frozen', () => {
  test('replay: --policy replays with that policy, by its name or as a file', async () => {
    await replay('quiet', '--policy', 'quiet')
    const quiet = await world.json<PolicySummary>('policy', 'show', '--store', fileIn('quiet-store'))
    expect(quiet.name).toBe('quiet')
    const file = fileIn('silent.yaml')
    fs.writeFileSync(
      file,
      'name: silent\nextends: default\nrecall:\n  moments:\n    prompt:\n      kinds: [consolidated]\n',
    )
    const silent = await replay('silent', '--policy', file)
    expect(injectedIn(silent.file).filter(({ moment }) => moment === 'prompt')).toEqual([])
    const policy = await world.json<PolicySummary>('policy', 'show', '--store', fileIn('silent-store'))
    expect(policy.name).toBe('silent')
  })

  test('replay: an unknown policy is an error that names the built-in ones', async () => {
    const result = await world.memctl('replay', RECORDINGS, '--store', fileIn('none'), '--policy', 'nonsense')
    expect(result).toMatchObject({ status: 2, out: '' })
    expect(result.err).toContain('quiet')
  })

  test('replay: --frozen leaves the policy as it is, and memories still count their use', async () => {
    await replay('frozen', '--frozen')
    const policy = await world.json<PolicySummary>('policy', 'show', '--store', fileIn('frozen-store'))
    expect(policy).toMatchObject({ frozen: true, version: 0 })
    expect(policy.judged).toBeGreaterThan(0)
  })

  test('replay: the reason of a blocked call counts as injected at the call', async () => {
    const home = fileIn('block-home')
    fs.mkdirSync(home)
    fs.writeFileSync(path.join(home, 'config.yaml'), 'warnings: block\n')
    const file = fileIn('block.jsonl')
    const recording = fileIn('block-recording.jsonl')
    const sessions = [0, 1, 2].map((day) =>
      exampleSession(`session-${day}`, BEGIN + day * DAY)
        .starts()
        .asks('run the tests of the price list')
        .fails('npm test', "Exit code 1\nError: Cannot find module '../dist/prices.json'")
        .runs('npm run build:prices')
        .runs('npm test')
        .ends(),
    )
    const lines = sessions.flatMap(({ recorded }) => recorded)
    fs.writeFileSync(
      recording,
      lines.map(({ at, payload }) => `${JSON.stringify({ at: new Date(at).toISOString(), payload })}\n`).join(''),
    )
    await world.memctl('replay', recording, '--injected', file, '--through-hooks', '--store', home, '--quiet')
    const injected = injectedIn(file)
    expect(injected.some(({ moment, text }) => moment === 'call' && text.includes('npm run build:prices'))).toBe(true)
  })
})
