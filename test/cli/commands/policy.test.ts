// The policy command: configure, freeze, roll back, each the same after a rebuild.
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemEvent } from '../../../src/broker/commit/commitEvents.ts'
import { openStore, type Store } from '../../../src/broker/open/openStore.ts'
import { type PolicyFile, readActivePolicy } from '../../../src/broker/policy/activePolicy.ts'
import { findBuiltinPolicy } from '../../../src/broker/policy/policyFiles.ts'
import type { SessionId } from '../../../src/model/id.ts'
import { appendEvents } from '../../../src/store/log/eventLog.ts'
import { BEGIN, DAY, exampleSession, runHookPayloads } from '../../testData.ts'
import { newWorld, type World } from '../testContext.ts'

const PROMPT = 'recall.moments.prompt.scoreMin'
const CALL = 'recall.moments.call.scoreMin'

let world: World
let store: Store
let count = 0
beforeEach(() => {
  world = newWorld()
  store = openStore(path.join(world.folder, 'project'), { MEMCTL_HOME: path.join(world.folder, 'home') })
})
afterEach(() => world.end())

interface Told {
  readonly version: number
  readonly frozen: boolean
  readonly changed: boolean
}

/** Learning moves these numbers, as it does when a session ends. */
async function learns(values: Readonly<Record<string, number>>): Promise<void> {
  const { version } = readActivePolicy(store)
  const body = {
    kind: 'policy.changed',
    version: version + 1,
    values,
    reason: 'learned',
    evidence: { recalls: 40 },
    by: 'improve',
  } as const
  const event = systemEvent(body, { now: BEGIN, session: 'a-session' as SessionId, key: [String(count++)] })
  appendEvents(store.files, store.layout.events, [event])
  await world.memctl('organize')
}

const serving = (name = PROMPT): number =>
  name
    .split('.')
    .reduce<unknown>((at, item) => (at as Record<string, unknown>)[item], readActivePolicy(store).policy) as number

const readConfigured = (name: string): number => findBuiltinPolicy(name)?.recall.moments.prompt.scoreMin ?? Number.NaN

const configured = (text: string): void => {
  fs.mkdirSync(path.join(world.folder, 'home'), { recursive: true })
  fs.writeFileSync(path.join(world.folder, 'home/config.yaml'), text)
}
const file = (name: string, text: string): string => {
  fs.writeFileSync(path.join(world.folder, 'project', name), text)
  return name
}

/** Expects the same policy after all derived files are rebuilt. */
async function survivesRebuild(): Promise<void> {
  const kept = (): PolicyFile => JSON.parse(fs.readFileSync(store.layout.policy, 'utf8'))
  const before = kept()
  for (const name of fs.readdirSync(store.layout.folder)) {
    if (name !== 'events') fs.rmSync(path.join(store.layout.folder, name), { recursive: true })
  }
  await world.memctl('rebuild')
  expect(kept()).toEqual(before)
}

describe('frozen', () => {
  test('policy: learning stops while frozen, continues once unfrozen, and a rebuild keeps the state', async () => {
    await learns({ [PROMPT]: 0.55 })
    expect(await world.json<Told>('policy', 'freeze')).toEqual({ version: 1, frozen: true, changed: true })
    expect(await world.json<Told>('policy', 'freeze')).toMatchObject({ changed: false })
    await learns({ [PROMPT]: 0.7 })
    expect(serving()).toBe(0.55)
    await survivesRebuild()
    expect((await world.memctl('policy', 'show')).out).toContain('Frozen')
    expect((await world.memctl('doctor')).out).toContain('frozen')
    expect(await world.json<Told>('policy', 'unfreeze')).toMatchObject({ frozen: false, changed: true })
    await learns({ [PROMPT]: 0.7 })
    expect(serving()).toBe(0.7)
    await survivesRebuild()
    expect((await world.memctl('list', '--events', 'policy.frozen')).out).toContain('learning frozen')
  })
})

describe('reset', () => {
  test('policy: reset shows what was learned, and activates the configured policy', async () => {
    await learns({ [PROMPT]: 0.55 })
    await learns({ [PROMPT]: 0.6, [CALL]: 0.95 })
    expect([serving(), serving(CALL)]).toEqual([0.6, 0.95])
    const values = { [PROMPT]: 0.6, [CALL]: 0.95 }
    expect(await world.json('policy', 'reset', '--dry-run')).toMatchObject({ version: 2, changed: false, values })
    await world.json('policy', 'reset', '--yes')
    expect(serving()).toBe(0.45)
    await survivesRebuild()
    expect(await world.json<Told>('policy', 'reset', '--yes')).toMatchObject({ changed: false })
    const { history } = await world.json<{ history: { by: string; reason: string }[] }>('policy', 'history')
    expect(history.map((item) => item.reason)).toEqual(['learned', 'learned', 'reset'])
  })

  test('policy: a user’s decision wins over a concurrent learned version', async () => {
    await learns({ [PROMPT]: 0.55 })
    for (const by of ['improve', 'person'] as const) {
      const values = { [PROMPT]: by === 'person' ? 0.51 : 0.7 }
      const body = { kind: 'policy.changed', version: 2, values, reason: by, evidence: {}, by } as const
      const event = systemEvent(body, { now: BEGIN, key: [by] })
      appendEvents(store.files, store.layout.events, [event])
    }
    await world.memctl('organize')
    expect(serving()).toBe(0.51)
  })
})

describe('configured', () => {
  test('policy: a home sets a policy by name, and a trusted project makes it stricter by name or file', async () => {
    configured('policy: quiet\n')
    await world.memctl('organize')
    expect(readActivePolicy(store).policy.name).toBe('quiet')
    expect((await world.json<{ name: string }>('policy', 'show')).name).toBe('quiet')
    await survivesRebuild()
    fs.mkdirSync(path.join(world.folder, 'project/.memctl'))
    const release = 'privacy:\n  releaseDays:\n    agentOnlyToPublic: never\n    privateToAgentOnly: 1\n'
    file(
      '.memctl/mine.yaml',
      `name: mine\nextends: quiet\nrecall:\n  candidatesMax: 30\nknowledge:\n  firingShareMax: 0.01\n${release}`,
    )
    file('.memctl/project.yaml', 'policy: mine.yaml\n')
    const numbers = async (): Promise<unknown[]> => {
      await world.memctl('organize')
      const { name, recall, knowledge, privacy } = readActivePolicy(store).policy
      return [name, recall.candidatesMax, knowledge.firingShareMax, ...Object.values(privacy.releaseDays)]
    }
    const before = await numbers()
    expect(before[0]).toBe('quiet')
    expect(before).not.toContain(null)
    await world.memctl('project', 'trust')
    // Only what is stricter: neither more candidates nor an earlier release.
    expect(await numbers()).toEqual(['quiet', before[1], 0.01, before[3], null])
    expect((await world.memctl('policy', 'validate')).out).toContain('project.yaml')
    configured('log: { sync: session }\n')
    expect(await numbers()).toEqual(['mine', before[1], 0.01, before[3], null])
    expect((await world.memctl('doctor')).out).toContain('Policy mine is configured')
    await world.memctl('project', 'untrust')
    expect(await numbers()).toEqual(['default', ...before.slice(1)])
    await world.memctl('project', 'trust')
    fs.rmSync(path.join(world.folder, 'project/.memctl/project.yaml'))
    await world.memctl('organize')
    expect(readActivePolicy(store).policy.name).toBe('default')
    await survivesRebuild()
  })

  test('policy: values learned with one policy are not applied to another', async () => {
    await learns({ [PROMPT]: 0.55 })
    configured('policy: cycle-classic\n')
    await world.memctl('organize')
    expect(serving()).toBe(readConfigured('cycle-classic'))
    await learns({ [CALL]: 3 })
    expect([serving(), serving(CALL)]).toEqual([readConfigured('cycle-classic'), 3])
    await survivesRebuild()
  })

  test('policy: a session end applies the configured policy, and hooks use it from then on', async () => {
    configured('policy: quiet\n')
    runHookPayloads(
      store,
      exampleSession('first', BEGIN).starts().asks('Remember that prices are built first.').answers('Yes.').ends()
        .recorded,
    )
    await world.memctl('organize')
    expect(JSON.parse(fs.readFileSync(store.layout.policy, 'utf8')).compiled.recall.moments.prompt.scoreMin).toBe(0.65)
  })

  test.each([
    ['policy: loud\n', 'CONFIG_INVALID', 'policy is loud'],
    ['log: { sync: session }\npolicy: 7\n', 'CONFIG_INVALID', 'line 2'],
    ['policy: gone.yaml\n', 'NOT_FOUND', 'gone.yaml'],
    ['policy: bad.yaml\n', 'POLICY_INVALID', 'recall.withholdShare is 3'],
  ])(
    'policy: a configured %j is reported with its position, and the previous policy stays active',
    async (text, code, what) => {
      configured(text)
      fs.writeFileSync(path.join(world.folder, 'home/bad.yaml'), 'name: bad\nrecall:\n  withholdShare: 3\n')
      const result = await world.memctl('policy', 'freeze', '--json')
      expect(result.status).toBe(2)
      expect(JSON.parse(result.out)).toMatchObject({ error: { code, message: expect.stringContaining(what) } })
      expect(readActivePolicy(store).policy.name).toBe('default')
      expect((await world.memctl('doctor')).out).toContain(what)
    },
  )

  test('config: doctor reports an unknown name with its line', async () => {
    configured('log: { sync: session }\npolicies: quiet\n')
    const { checks } = await world.json<{ checks: { state: string; what: string }[] }>('doctor')
    expect(checks).toContainEqual(
      expect.objectContaining({ state: 'warn', what: expect.stringContaining('policies in line 2') }),
    )
  })
})

describe('reports', () => {
  test('policy: all errors of a file are reported, and the status is 2', async () => {
    file('mine.yaml', 'name: mine\nrecall:\n  moments:\n    prompt:\n      topK: -3\n  candidatesMax: 7\n')
    const { status, out } = await world.memctl('policy', 'validate', 'mine.yaml')
    expect(status).toBe(2)
    expect(out).toContain('mine.yaml, line 5: recall.moments.prompt.topK is -3. Use a whole number from 1 to 50')
    expect(out).toContain('mine.yaml, line 6: recall.candidatesMax is 7. Use a whole number from 10 to 500')
  })
})

describe('invalid', () => {
  test('policy: an invalid learned policy is replaced by the configured one, and doctor reports it', async () => {
    configured('policy: quiet\n')
    await world.memctl('organize')
    await learns({ [PROMPT]: 40 })
    expect([serving(), readActivePolicy(store).policy.name]).toEqual([readConfigured('quiet'), 'quiet'])
    const { checks } = await world.json<{ checks: { name: string; state: string; what: string }[] }>('doctor')
    expect(checks).toContainEqual(
      expect.objectContaining({
        name: 'policy',
        state: 'warn',
        what: expect.stringContaining(`${PROMPT} is 40`),
      }),
    )
    await survivesRebuild()
  })

  test('policy: a policy.json with a number out of range is not used, and doctor reports the range', async () => {
    await learns({ [PROMPT]: 0.55 })
    const stored = JSON.parse(fs.readFileSync(store.layout.policy, 'utf8'))
    for (const [at, value] of [
      ['topK', 400],
      ['topK', 'much'],
      ['scoreMin', null],
    ] as const) {
      const broken = structuredClone(stored)
      broken.compiled.recall.moments.prompt[at] = value
      fs.writeFileSync(store.layout.policy, JSON.stringify(broken))
      expect(readActivePolicy(store)).toMatchObject({ version: 0, policy: { name: 'default' } })
      const { checks } = await world.json<{ checks: { name: string; state: string; what: string }[] }>('doctor')
      const fault = checks.find((check) => check.name === 'policy')!
      expect(fault.state).toBe('fail')
      expect(fault.what).toContain(`recall.moments.prompt.${at} is ${JSON.stringify(value)} (use a `)
      expect(fault.what).toContain('the default policy is used')
    }
    await world.memctl('rebuild')
    expect(serving()).toBe(0.55)
  })

  test('policy: what an earlier version learned beside least scores is ignored', async () => {
    await learns({ 'recall.weights.gone': 7, 'recall.weights.words': 0.35, [PROMPT]: 0.55 })
    expect(serving()).toBe(0.55)
    expect(readActivePolicy(store).policy.recall).not.toHaveProperty('weights')
    const { checks } = await world.json<{ checks: { name: string; state: string }[] }>('doctor')
    expect(checks.find((check) => check.name === 'policy')!.state).toBe('ok')
  })

  test('policy: what no recall of this project supports ends with the next session, unless it is frozen', async () => {
    const nextSession = async (name: string): Promise<void> => {
      const session = exampleSession(name, BEGIN + (count++ + 90) * DAY).starts()
      runHookPayloads(store, session.asks('hello there, how are the prices?').answers('Fine.').ends().recorded)
      await world.memctl('organize')
    }
    await learns({ [PROMPT]: 0.55 })
    await world.memctl('policy', 'freeze')
    await nextSession('frozen')
    expect(serving()).toBe(0.55)
    await world.memctl('policy', 'unfreeze')
    await nextSession('later')
    expect(serving()).toBe(0.45)
  })
})
