// Whatever two people do and however often they exchange it, a rebuild from the log gives the same memories, and after
// a last exchange both have the same ones.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eraseEverywhere } from '../../../src/broker/forget/eraseEverywhere.ts'
import { leaveHub } from '../../../src/broker/team/membership.ts'
import type { EventBody } from '../../../src/model/event.ts'
import { BEGIN, HOUR, testMemoryId } from '../../testData.ts'
import {
  change,
  join,
  learnsPrices,
  live,
  memoriesOf,
  newTeam,
  rebuilt,
  sharedView,
  statementOf,
  sync,
  useHub,
} from './teamWorld.ts'

const newHub = useHub()

const id = fc.integer({ min: 1, max: 3 }).map(testMemoryId)
const text = fc.constantFrom(
  'Use pnpm in this repository.',
  '税込の価格を表示する。',
  'Run the linter before a commit.',
  'Use tabs.',
)

const body: fc.Arbitrary<EventBody> = fc.oneof(
  fc.tuple(fc.integer({ min: 1, max: 3 }), text, fc.boolean()).map(([n, content, isPrivate]) => ({
    kind: 'memory.stored' as const,
    memory: statementOf(n, content, isPrivate ? { privacy: 'private' } : {}),
  })),
  fc.tuple(id, text).map(([memory, content]) => ({ kind: 'memory.updated' as const, change: { memory, content } })),
  id.map((memory) => ({ kind: 'memory.deleted' as const, memories: [memory] })),
  id.map((memory) => ({ kind: 'memory.accessed' as const, memories: [memory] })),
  fc.tuple(id, fc.option(id)).map(([memory, by]) => ({
    kind: 'memory.updated' as const,
    change: { memory, supersededBy: by },
  })),
)

const step = fc.record({
  who: fc.integer({ min: 0, max: 1 }),
  what: fc.oneof(
    { weight: 6, arbitrary: body },
    { weight: 4, arbitrary: fc.constant('sync' as const) },
    { weight: 1, arbitrary: fc.constantFrom('session' as const, 'leave' as const, 'forget' as const) },
  ),
})

test('team: a rebuild gives the same memories after any history, and both machines end with the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const hub = newHub()
      const machines = await newTeam(hub, 'Aki', 'Ben')
      let now = BEGIN
      for (const { who, what } of steps) {
        now += 3 * HOUR
        const machine = machines[who]!
        if (what === 'sync') await sync(machine, hub, now)
        else if (what === 'leave') await leaveHub(machine.store, now)
        else if (what === 'session') live(machine, learnsPrices(`s${now}`, now))
        else if (what === 'forget') {
          const [memory] = memoriesOf(machine)
          if (memory) eraseEverywhere(machine.store, { memories: [memory.id] }, { now })
        } else change(machine, now, what)
      }
      for (const machine of machines) await join(machine, hub, now + HOUR)
      for (const machine of [...machines, ...machines]) {
        now += HOUR
        await sync(machine, hub, now)
      }
      // What one of them has made private stays as it is on that machine.
      const hidden = machines.flatMap(memoriesOf).filter(({ privacy }) => privacy === 'private')
      const isSeen = ({ id: seen }: { readonly id: string }) => !hidden.some((memory) => memory.id === seen)
      expect(sharedView(machines[1]!).filter(isSeen)).toEqual(sharedView(machines[0]!).filter(isSeen))
      for (const machine of machines) {
        const { before, after } = rebuilt(machine, now + HOUR) as { before: unknown; after: unknown }
        expect(after).toEqual(before)
      }
    }),
    { numRuns: process.env['MEMCTL_LONG'] ? 200 : 4, seed: 17 },
  )
}, 600_000)
