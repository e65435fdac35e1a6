// Every view ever shipped still serves hooks as it lies there, and is written on as today's.
import fs from 'node:fs'
import { beforeEach, describe, expect, test } from 'vitest'
import { checkStore } from '../../src/broker/check/store.ts'
import { policyLook } from '../../src/broker/policy/look.ts'
import { servingPolicy } from '../../src/broker/policy/served.ts'
import { ask } from '../../src/broker/search/ask.ts'
import type { Store } from '../../src/broker/store.ts'
import { rebuild, upkeep } from '../../src/broker/upkeep.ts'
import type { Memory } from '../../src/model/memory.ts'
import { readLog } from '../../src/store/logRead.ts'
import { hooksOf, memoriesIn, tale } from '../build.ts'
import { WRITTEN as NOW, shipped, shippedStore } from '../shipped.ts'

const SHIPPED = shipped('view')

/** Memories without what improving makes of them: a later version may judge the same log better, in a rebuild too. */
const told = (memories: Readonly<Record<string, Memory>>) =>
  Object.values(memories).map(
    ({ id, kind, content, lessons, files, created, privacy, status, tier, metadata, events }) => ({
      ...{ id, kind, content, lessons, files, created, privacy, status, tier, metadata, events },
    }),
  )

test('format: there is a view of every version shipped', () => {
  expect(SHIPPED).toEqual(['view-v1'])
})

describe.each(SHIPPED)('format %s', (name) => {
  let store: Store
  beforeEach(() => {
    store = shippedStore(name)
  })

  const policyJson = () => JSON.parse(fs.readFileSync(store.layout.policy, 'utf8')) as Record<string, unknown>

  test('format: it answers, is sound, and its policy serves with its history, before anything is written', () => {
    const { shown } = ask(store, {
      ...{ text: 'the tests fail', command: 'npm test', error: 'Error: prices are not built', now: NOW },
    })
    expect(shown[0]!.memory.content).toContain('npm run build:prices')
    const { policy, version } = servingPolicy(store)
    expect({ version, topK: policy.recall.moments.failure.topK }).toEqual({ version: 7, topK: 2 })
    expect(policyLook(store).history).toMatchObject([{ version: 7, by: 'person' }])
    expect(checkStore(store, NOW).filter((check) => check.state === 'fail')).toEqual([])
  })

  test('format: it is organised on, and what was known is known as before', () => {
    const before = memoriesIn(store)
    const more = tale('today', NOW).starts().asks('Remember: the VAT of books is 7 percent.').ends()
    hooksOf(store, more.recorded)
    expect(upkeep(store, { now: NOW + 1 }).organized).toEqual(['today'])
    const after = memoriesIn(store)
    expect(Object.keys(after)).toEqual(expect.arrayContaining(Object.keys(before)))
    expect(JSON.stringify(after)).toContain('VAT of books')
    rebuild(store, NOW + 1)
    expect(told(memoriesIn(store))).toEqual(told(after))
    expect(readLog(store.files, store.layout.events).events.some((event) => event.session === 'today')).toBe(true)
  })

  test("format: written on, the policy's history is out of what hooks read, and told as before", () => {
    const before = policyLook(store).history
    expect(policyJson()).toHaveProperty('history')
    rebuild(store, NOW + 1)
    expect(policyJson()).not.toHaveProperty('history')
    expect(policyLook(store).history).toMatchObject(before.map(({ version, by, reason }) => ({ version, by, reason })))
  })
})
