// What somebody asked memctl to remember is never silenced by a learned least score.
import path from 'node:path'
import { expect, test } from 'vitest'
import { systemEvent } from '../../../src/broker/commit/commitEvents.ts'
import { openStore } from '../../../src/broker/open/openStore.ts'
import { readActivePolicy } from '../../../src/broker/policy/activePolicy.ts'
import { appendEvents } from '../../../src/store/log/eventLog.ts'
import { newWorld } from '../testContext.ts'

/** A rule, and a prompt that asks for it nearly word by word. */
const RULES = [
  [
    'Release tags are signed with the key of the release manager, see docs/release.md',
    'Release tags are signed with which key of the release manager?',
  ],
  [
    'The staging database password is rotated every Monday by the platform team',
    'By which team is the staging database password rotated every Monday?',
  ],
  [
    'Migrations of the invoices table run only at night, never during working hours',
    'When may migrations of the invoices table run, at night or during working hours?',
  ],
  [
    'The parser must accept files without a newline at the end, customers send them',
    'Must the parser accept files without a newline at the end that customers send?',
  ],
  [
    'Use the shared currency formatter for prices, never toFixed',
    'Do we use the shared currency formatter for prices, or toFixed?',
  ],
] as const

test('policy: five remembered rules are answered under a learned least score of 2 as without it', async () => {
  const world = newWorld()
  try {
    for (const [rule] of RULES) expect((await world.memctl('remember', rule)).status).toBe(0)
    const answered = async (): Promise<boolean[]> => {
      const found: boolean[] = []
      for (const [rule, prompt] of RULES) {
        const { text } = await world.json<{ text: string }>('recall', '--moment', 'prompt', prompt)
        found.push(text.includes(rule.slice(0, 30)))
      }
      return found
    }
    const all = RULES.map(() => true)
    expect(await answered()).toEqual(all)

    const store = openStore(path.join(world.folder, 'project'), { MEMCTL_HOME: path.join(world.folder, 'home') })
    const values = { 'recall.moments.prompt.scoreMin': 2 }
    const body = { kind: 'policy.changed', version: 1, values, reason: 'learned', evidence: {}, by: 'improve' } as const
    appendEvents(store.files, store.layout.events, [systemEvent(body, { now: Date.now() })])
    await world.memctl('organize')
    expect(readActivePolicy(store).policy.recall.moments.prompt.scoreMin).toBe(2)
    expect(await answered()).toEqual(all)
  } finally {
    world.end()
  }
})
