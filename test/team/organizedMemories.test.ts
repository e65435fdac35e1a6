// Machines that meet the same errors, through the real organize functions: nothing counts twice, and it comes to rest.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import type { RecordedPayload } from '../../src/broker/replay/replaySessions.ts'
import type { Memory, MemoryKind } from '../../src/model/memory.ts'
import { organizeSession } from '../../src/organize/organizeSession.ts'
import { redactThoroughly } from '../../src/record/redact/secondPass.ts'
import { arbitraryHistory } from '../arbitraries.ts'
import { BEGIN, DAY, type ExampleSession, exampleSession, HOUR, recordEvents, sessionId } from '../testData.ts'
import { createMemoryHub } from './memoryHub.ts'
import { ModelMachine, PROJECT, syncUntilRest } from './modelMachine.ts'

const NO_MODULE = "Exit code 1\nError: Cannot find module '../dist/prices.json'"
const RUNS = process.env['MEMCTL_LONG'] === '1' ? 1_000 : 15

/** The session's memories, as the worker stores them. */
function organize(machine: ModelMachine, name: string, recorded: readonly RecordedPayload[]): void {
  const slice = { session: sessionId(name), events: recordEvents(recorded) }
  for (const memory of organizeSession(slice, machine.memories, DEFAULT_POLICY)) machine.memories.set(memory.id, memory)
}

/** Machines that redact as the product does. */
class OrganizingMachine extends ModelMachine {
  override get settings() {
    return { ...super.settings, cleanText: redactThoroughly }
  }
}

function newTeam(count: number): OrganizingMachine[] {
  const machines = Array.from({ length: count }, (_, i) => new OrganizingMachine(i + 1, (i - 1) * 3 * DAY))
  for (const machine of machines) machine.at(BEGIN).join()
  return machines
}

const only = (machine: ModelMachine, kind: MemoryKind): readonly Memory[] =>
  [...machine.memories.values()].filter((memory) => memory.kind === kind)

const isPublic = ({ privacy }: Memory): boolean => privacy === 'public'

const fixes = (name: string, start: number): ExampleSession =>
  exampleSession(name, start)
    .asks('Test it.')
    .fails('npm test', NO_MODULE)
    .runs('npm run build:prices')
    .runs('npm test')
    .ends()

describe('team: what machines learn', () => {
  test('team: two machines that meet the same error have one lesson, met by two people in two sessions', async () => {
    const hub = createMemoryHub()
    const [first, second] = newTeam(2) as [OrganizingMachine, OrganizingMachine]
    organize(first, 'one', fixes('one', BEGIN).recorded)
    organize(second, 'two', fixes('two', BEGIN + HOUR).recorded)
    await syncUntilRest(hub, [first, second])
    for (const machine of [first, second]) {
      const lessons = only(machine, 'lesson')
      expect(lessons).toHaveLength(1)
      expect(lessons[0]).toMatchObject({ sessionCount: 2, team: { people: 2, replicas: 2, own: true } })
    }
  })

  test('team: a lesson that goes back and forth comes to rest, and counts each session once', async () => {
    const hub = createMemoryHub({ duplicates: 50 })
    const machines = newTeam(3)
    for (let round = 0; round < 9; round++) {
      const machine = machines[round % 3]
      if (machine === undefined) continue
      organize(machine.at(BEGIN + round * DAY), `s${round}`, fixes(`s${round}`, BEGIN + round * DAY).recorded)
      await syncUntilRest(hub, machines)
      const stored = hub.stored(PROJECT).length
      for (let idle = 0; idle < 3; idle++) for (const each of machines) await each.sync(hub)
      expect(hub.stored(PROJECT)).toHaveLength(stored)
      for (const each of machines)
        expect(only(each, 'lesson').map((memory) => memory.sessionCount)).toEqual([round + 1])
    }
    for (const machine of machines) {
      const knowledge = only(machine, 'lesson')[0]?.knowledge
      expect(knowledge?.line).toContain('npm run build:prices')
      expect(knowledge?.ways?.map(({ sessions }) => sessions)).toEqual([9])
    }
  })

  test('team: a rule that two people have typed is one entry, and stays the words of each on their machine', async () => {
    const hub = createMemoryHub()
    const machines = newTeam(2)
    for (const [i, machine] of machines.entries()) {
      const tale = exampleSession(`r${i}`, BEGIN + i * HOUR).asks('Always use pnpm, not npm.')
      organize(machine, `r${i}`, tale.answers('I will.').ends().recorded)
    }
    await syncUntilRest(hub, machines)
    for (const machine of machines) {
      const [rule, ...others] = [...machine.memories.values()].filter(({ knowledge }) => knowledge?.type === 'rule')
      expect(others).toEqual([])
      expect(rule).toMatchObject({ sessionCount: 2, team: { people: 2 }, knowledge: { author: 'person' } })
    }
  })

  test('team: any histories come to rest with the same lessons, and each session counts once', async () => {
    const part = fc.tuple(arbitraryHistory, fc.infiniteStream(fc.record({ by: fc.nat(2), syncs: fc.boolean() })))
    await fc.assert(
      fc.asyncProperty(part, async ([history, choices]) => {
        const hub = createMemoryHub({ duplicates: 9 })
        const [team, alone] = [newTeam(3), newTeam(3)]
        const stream = [...choices.take(history.length)]
        for (const [i, recorded] of history.entries()) {
          const { by, syncs } = stream[i] ?? { by: 0, syncs: false }
          const [machine, single] = [team[by], alone[by]]
          if (machine === undefined || single === undefined) continue
          machine.at(recorded.at(-1)?.at ?? BEGIN)
          organize(machine, `session-${i}`, recorded)
          organize(single, `session-${i}`, recorded)
          if (syncs) await machine.sync(hub)
        }
        await syncUntilRest(hub, team)
        const views = team.map((machine) =>
          [...machine.memories.values()]
            .filter((memory) => memory.team !== undefined)
            .map(({ id, content, sessionCount, accessCount, status }) => [
              id,
              content,
              sessionCount,
              accessCount,
              status,
            ])
            .sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1)),
        )
        for (const view of views) expect(view).toEqual(views[0])
        const expected = new Map<string, number>()
        for (const memory of alone.flatMap((machine) => only(machine, 'lesson').filter(isPublic))) {
          expected.set(memory.id, (expected.get(memory.id) ?? 0) + memory.sessionCount)
        }
        const counted = only(team[0] as ModelMachine, 'lesson')
          .filter(isPublic)
          .map((memory) => [memory.id, memory.sessionCount] as const)
        expect(new Map(counted)).toEqual(expected)
      }),
      { numRuns: RUNS },
    )
  })
})
