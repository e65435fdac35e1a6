// Who may see what: the whole table.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canSee, PRIVACY_LEVELS, type Viewer, type VisibilityFields } from '../../src/model/privacy.ts'

const main: Viewer = { role: 'main', session: 's1' }
const otherMain: Viewer = { role: 'main', session: 's2' }
const explorer: Viewer = { role: 'Explore', agentId: 'a1', session: 's1' }
const otherExplorer: Viewer = { role: 'Explore', agentId: 'a2', session: 's1' }
const planner: Viewer = { role: 'Plan', agentId: 'a1', session: 's1' }
const readers = { main, otherMain, explorer, otherExplorer, planner }

const whoSees = (guarded: VisibilityFields): string[] =>
  Object.entries(readers).flatMap(([name, reader]) => (canSee(reader, guarded) ? [name] : []))

test('model: public is for everyone, agent-only for the role, private for the same agent or session', () => {
  const mine = { role: 'main', session: 's1' }
  const agents = { role: 'Explore', agentId: 'a1', session: 's1' }
  expect(whoSees({ ...mine, privacy: 'public' })).toEqual(Object.keys(readers))
  expect(whoSees({ ...mine, privacy: 'agent-only' })).toEqual(['main', 'otherMain'])
  expect(whoSees({ ...mine, privacy: 'private' })).toEqual(['main'])
  expect(whoSees({ ...agents, privacy: 'public' })).toEqual(Object.keys(readers))
  expect(whoSees({ ...agents, privacy: 'agent-only' })).toEqual(['explorer', 'otherExplorer'])
  expect(whoSees({ ...agents, privacy: 'private' })).toEqual(['explorer'])
})

const reader: fc.Arbitrary<Viewer> = fc.record({
  role: fc.constantFrom('main', 'Explore'),
  agentId: fc.option(fc.constantFrom('a1', 'a2'), { nil: undefined }),
  session: fc.option(fc.constantFrom('s1', 's2'), { nil: undefined }),
})

test('model: a viewer who sees private memories sees agent-only ones, and then also public ones', () => {
  fc.assert(
    fc.property(reader, reader, (who, whose) => {
      const [ofPrivate, ofAgentOnly, ofPublic] = PRIVACY_LEVELS.map((privacy) => canSee(who, { ...whose, privacy }))
      expect(!ofPrivate || ofAgentOnly).toBe(true)
      expect(!ofAgentOnly || ofPublic).toBe(true)
    }),
  )
})
