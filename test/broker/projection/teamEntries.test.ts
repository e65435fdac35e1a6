// What is known of the rows of a hub: a map, of which most is in lines of a file.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newEntry, TeamEntries } from '../../../src/broker/projection/teamEntries.ts'
import type { MemoryId } from '../../../src/model/id.ts'
import type { TeamEntry } from '../../../src/team/teamRow.ts'

const idOf = (n: number): MemoryId => `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000` as MemoryId

const entry = fc.record<TeamEntry>(
  {
    revision: fc.nat(),
    state: fc.constantFrom('active', 'deleted', 'forgotten'),
    successor: fc.constantFrom(null, 'outdated', idOf(7)),
    by: fc.constantFrom('', 'Aki', 'Zoë 語'),
    people: fc.nat(),
    copies: fc.nat(),
    seen: fc.constantFrom('', 'a1b2c3'),
    others: fc.constantFrom({}, { met: 2, impact: 0.5 }),
    sent: fc.constantFrom({}, { uses: 1 }),
    own: fc.boolean(),
    waiting: fc.constant('a1b2c3 '),
    pinned: fc.constant(true as const),
  },
  { requiredKeys: Object.keys(newEntry('active')) as (keyof TeamEntry)[] },
)

const step = fc.oneof(
  fc.record({ at: fc.nat(12), entry: fc.option(entry, { nil: undefined }) }),
  fc.constantFrom('save' as const, 'load' as const),
)

test('team: entries are those of a map, whatever was saved and read again meanwhile', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let entries = new TeamEntries()
      const map = new Map<MemoryId, TeamEntry>()
      for (const each of steps) {
        if (each === 'save') entries.rebase(entries.encode())
        else if (each === 'load') entries = new TeamEntries([], entries.encode())
        else if (each.entry) {
          entries.set(idOf(each.at), each.entry)
          map.set(idOf(each.at), each.entry)
        } else {
          entries.delete(idOf(each.at))
          map.delete(idOf(each.at))
        }
      }
      for (let at = 0; at <= 12; at++) {
        expect(entries.get(idOf(at))).toEqual(map.get(idOf(at)))
        expect(entries.has(idOf(at))).toBe(map.has(idOf(at)))
      }
      const sorted = (pairs: Iterable<readonly [MemoryId, TeamEntry]>) =>
        [...pairs].sort(([a], [b]) => (a < b ? -1 : 1))
      expect(sorted(entries)).toEqual(sorted(map))
    }),
  )
})

test('team: what is saved is the same whatever the order of the changes', () => {
  const [a, b] = [idOf(1), idOf(2)].map((id, i) => [id, { ...newEntry('active'), revision: i }] as const)
  expect(new TeamEntries([a!, b!]).encode()).toEqual(new TeamEntries([b!, a!]).encode())
})
