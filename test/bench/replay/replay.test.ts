// dev replay: what it injected and kept as a file, with another policy, and without learning.
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { InjectedLine, RunLine, StatementLine } from '../../../bench/replay/injectionRun.ts'
import type { ReplaySummary } from '../../../bench/replay/replayCommand.ts'
import type { PolicySummary } from '../../../src/broker/queries/policySummary.ts'
import { newWorld, RECORDINGS, type World } from '../../cli/testContext.ts'
import { BEGIN, DAY, exampleSession } from '../../testData.ts'

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
  const summary = await world.replay(RECORDINGS, '--store', store, '--injected', file, ...words)
  return { file, summary }
}

describe('cli replay --injected', () => {
  let file: string
  let summary: ReplaySummary
  beforeAll(async () => {
    ;({ file, summary } = await replay('all'))
  })

  test('replay: the file has every injected text with its session, agent, time, moment and call', () => {
    const injected = injectedIn(file)
    expect(injected).toHaveLength(summary.injected)
    const moments = new Set(injected.map(({ moment }) => moment))
    for (const moment of ['start', 'prompt', 'agent'] as const) expect(moments).toContain(moment)
    for (const { at, moment, tool_use_id, agent_id, text } of injected) {
      expect(new Date(at).toISOString()).toBe(at)
      expect(text).toMatch(/^memctl/)
      expect(tool_use_id !== undefined).toBe(moment === 'call' || moment === 'failure')
      if (moment === 'agent') expect(agent_id).toBeDefined()
      if (moment === 'start' || moment === 'prompt') expect(agent_id).toBeUndefined()
    }
  })

  test('replay: the file has what people said, with the session in which they said it, and nothing else', () => {
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
    const again = fileIn('tool.jsonl')
    fs.cpSync(fileIn('all-store'), store, { recursive: true })
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
    await world.replay(RECORDINGS, '--store', store, '--injected', again)
    expect(JSON.stringify(readRun(again))).not.toContain('Always deploy on Mondays')
  })

  test('replay: a file that cannot be written is reported before the replay, with status 2', async () => {
    const store = fileIn('unwritable-store')
    for (const target of [fileIn('no/such/folder/run.jsonl'), world.folder]) {
      const result = await world.dev('replay', RECORDINGS, '--store', store, '--injected', target)
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
    const result = await world.dev('replay', RECORDINGS, '--store', fileIn('none'), '--policy', 'nonsense')
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
    const said = exampleSession('said', BEGIN).starts().asks('We use pnpm here, not npm.').answers('Yes.').ends()
    // Without a start, so that the call is the first to meet the rule.
    const broken = exampleSession('broken', BEGIN + DAY)
      .asks('add a parser of dates')
      .runs('npm install dayjs')
      .ends()
    const lines = [said, broken].flatMap(({ recorded }) => recorded)
    fs.writeFileSync(
      recording,
      lines.map(({ at, payload }) => `${JSON.stringify({ at: new Date(at).toISOString(), payload })}\n`).join(''),
    )
    await world.dev('replay', recording, '--injected', file, '--through-hooks', '--store', home, '--quiet')
    const injected = injectedIn(file)
    expect(injected.some(({ moment, text }) => moment === 'call' && text.includes('pnpm here, not npm'))).toBe(true)
  })
})

describe('cli replay --answers', () => {
  /** The patterns find no rule in it; a model does. */
  const SAID = 'The cart shows 10.0099 for a tea, that should be cents inside.'
  const RULE = {
    type: 'rule',
    line: 'Keep prices in cents, never as floats.',
    quote: 'should be cents inside',
    when: [{ at: 'start' }],
    again: 3,
    cites: [1],
  }
  /** Two sessions; the first one has gone on after its end. */
  function recordSessions(name: string): string {
    const file = fileIn(`${name}.jsonl`)
    const first = exampleSession('one', BEGIN).starts().asks(SAID).answers('Yes.').ends()
    const again = exampleSession('one', BEGIN + DAY)
      .starts('resume')
      .asks('Add a test for it.')
      .answers('Yes.')
      .ends()
    const second = exampleSession('two', BEGIN + 2 * DAY)
      .starts()
      .asks('Show the cart.')
      .runs('npm test')
      .ends()
    const lines = [first, again, second].flatMap(({ recorded }) => recorded)
    const text = lines.map(({ at, payload }) => JSON.stringify({ at: new Date(at).toISOString(), payload }))
    fs.writeFileSync(file, `${text.join('\n')}\n`)
    return file
  }
  const start = (name: string) => {
    const words = [
      '--store',
      fileIn(`${name}-store`),
      '--answers',
      fileIn(name),
      '--injected',
      fileIn(`${name}-run.jsonl`),
    ]
    const recording = recordSessions(name)
    return () => world.dev('replay', recording, '--quiet', ...words)
  }
  const answer = (name: string, session: string, text: string) =>
    fs.writeFileSync(fileIn(`${name}/${session}.json`), text)

  test('replay: it stops with status 3 where an answer is missing, and the same command goes on', async () => {
    const run = start('stepwise')
    const stopped = await run()
    expect(stopped).toMatchObject({ status: 3, err: '' })
    expect(stopped.out).toMatch(/^one waits for an answer: read \S+one\.txt, write \S+one\.json\n$/)
    expect(fs.readFileSync(fileIn('stepwise/one.txt'), 'utf8')).toContain(`[1] PERSON: ${SAID}`)
    expect(await run()).toEqual(stopped)

    answer('stepwise', 'one', JSON.stringify({ summary: 'Cents.', entries: [RULE] }))
    expect((await run()).out).toMatch(/^one waits for an answer: read \S+one-2\.txt/)
    const request = fs.readFileSync(fileIn('stepwise/one-2.txt'), 'utf8')
    expect(request).toContain('PERSON: Add a test for it.')
    expect(request).not.toContain(SAID)
    const key = /^(k\w+) rule: Keep prices in cents/m.exec(request)?.[1]

    answer('stepwise', 'one-2', '{}')
    expect(await run()).toMatchObject({ status: 3 })
    answer('stepwise', 'two', JSON.stringify({ known: [{ id: key, is: 'confirmed' }] }))
    expect(await run()).toMatchObject({ status: 0 })
    const { memories } = await world.json<{ memories: { knowledge?: { record: { met: number } } }[] }>(
      'list',
      '--store',
      fileIn('stepwise-store'),
    )
    expect(memories.flatMap(({ knowledge }) => knowledge ?? [])).toMatchObject([{ record: { met: 1 } }])
    expect(keptIn(fileIn('stepwise-run.jsonl'))).toContainEqual(
      expect.objectContaining({ session: 'one', kind: 'rule', text: expect.stringContaining('never as floats') }),
    )
  })

  test('replay: with all answers one run gives the same file as many', async () => {
    const run = start('atonce')
    fs.mkdirSync(fileIn('atonce'))
    const known = fs.readFileSync(fileIn('stepwise/two.json'), 'utf8')
    for (const session of ['one', 'one-2', 'two'])
      fs.copyFileSync(fileIn(`stepwise/${session}.json`), fileIn(`atonce/${session}.json`))
    expect(known).toContain('confirmed')
    expect(await run()).toMatchObject({ status: 0 })
    expect(readRun(fileIn('atonce-run.jsonl'))).toEqual(readRun(fileIn('stepwise-run.jsonl')))
  })

  test('replay: a malformed answer is one line with status 2, and nothing is lost', async () => {
    const run = start('malformed')
    await run()
    answer('malformed', 'one', 'I would rather not.')
    const failed = await run()
    expect(failed).toMatchObject({ status: 2, out: '' })
    expect(failed.err).toMatch(/one\.json: the answer has no JSON object[^\n]*\n$/)
    answer('malformed', 'one', '{}')
    expect((await run()).out).toContain('one-2.txt')
  })

  test('replay: other recordings, no store and real hooks are refused', async () => {
    const run = start('refused')
    await run()
    const words = ['--store', fileIn('refused-store'), '--answers', fileIn('refused')]
    expect((await world.dev('replay', RECORDINGS, ...words)).err).toContain('is a replay of other recordings')
    expect(await world.dev('replay', RECORDINGS, '--answers', fileIn('refused'))).toMatchObject({ status: 2 })
    expect(await world.dev('replay', RECORDINGS, ...words, '--through-hooks')).toMatchObject({ status: 2 })
  })
})
