import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  matchKnowledge,
  renderKnowledge,
  selectForCommand,
  selectForFile,
  selectForStart,
} from '../../src/knowledge/selectKnowledge.ts'
import { callOccasion } from '../../src/knowledge/when.ts'
import type { KnowledgeNote } from '../../src/model/knowledge.ts'
import { estimateTokens } from '../../src/text/excerpt.ts'
import { buildNote } from './knowledgeData.ts'

const NUMBERS = { startTokens: 300, personTokens: 180, startWorthMin: 0.25, noteMax: 2 }

describe('selection', () => {
  const file = 'src/cart.ts'

  test('selection: a start has at most the tokens of the policy, and what a person wants at most its part', () => {
    const note = fc.record({
      line: fc.lorem({ maxCount: 25 }),
      voice: fc.constantFrom('said' as const, 'known' as const),
    })
    fc.assert(
      fc.property(fc.array(note), fc.nat(300), (fields, startTokens) => {
        const notes = fields.map((each, n) => buildNote(n, each)).sort((a) => (a.voice === 'said' ? -1 : 1))
        const shown = selectForStart(notes, 'main', { ...NUMBERS, startTokens, personTokens: startTokens / 2 })
        const cost = (list: typeof shown) =>
          list.reduce((sum, each) => sum + estimateTokens(renderKnowledge(each)) + 1, 0)
        expect(cost(shown)).toBeLessThanOrEqual(startTokens)
        expect(cost(shown.filter(({ voice }) => voice === 'said'))).toBeLessThanOrEqual(startTokens / 2)
      }),
    )
  })

  test('selection: a start has nothing about another branch, of little worth, or only for a trigger', () => {
    const notes = [
      buildNote(1, { voice: 'said', worth: 0.1 }),
      buildNote(2, { branch: 'other' }),
      buildNote(3, { worth: 0.2 }),
      buildNote(4, { worth: 0 }),
      buildNote(5, { branch: 'main' }),
    ]
    expect(selectForStart(notes, 'main', NUMBERS)).toEqual([notes[0], notes[4]])
  })

  test('selection: a call gets the first entries whose triggers fire, without those shown before', () => {
    const when = [{ at: 'call', has: ['npm'] }] as const
    const notes = [1, 2, 3, 4].map((n) => buildNote(n, { when, line: `note ${n}` }))
    const call = callOccasion({ tool: 'Bash', input: { command: 'npm ci' } })
    const isShown = (note: { readonly id: string }) => note.id === notes[0]?.id
    expect(matchKnowledge(notes, call, isShown, NUMBERS)).toEqual([notes[1], notes[2]])
    expect(matchKnowledge(notes, { ...call, text: 'pnpm install' }, isShown, NUMBERS)).toEqual([])
  })

  test('selection: a command gets one entry about a program that it runs, before the call that it is about', () => {
    const when = [{ at: 'call', tool: 'Bash', has: ['npm publish'], unless: ['--dry-run'] }] as const
    const lesson = buildNote(1, { when, line: 'Sign in before `npm publish`' })
    const other = buildNote(2, { when, line: 'Publish from main' })
    const rule = buildNote(3, { when, voice: 'wanted', line: 'Never publish on Fridays' })
    const branch = buildNote(4, { when, branch: 'main', line: 'Publish the beta' })
    const find = (command: string, ...shown: KnowledgeNote[]) =>
      selectForCommand([rule, branch, lesson, other], command, (note) => shown.includes(note))
    for (const command of ['npm ci', 'cd web && CI=1 npm test', 'echo ok | npm version minor', '/usr/bin/npm ci'])
      expect(find(command), command).toEqual([lesson])
    expect(find('npm ci', lesson)).toEqual([other])
    for (const command of ['pnpm ci', 'cat npm', 'git log', 'npm publish --dry-run', 'cat <<EOF\nnpm ci\nEOF'])
      expect(find(command), command).toEqual([])
    const grep = buildNote(5, { when: [{ at: 'call', has: ['grep -P'] }], line: '`grep` has no `-P` here' })
    expect(selectForCommand([grep], 'grep -n a b.ts', () => false)).toEqual([])
  })

  test('selection: what is near adds nothing to a conversation with twelve learned entries', () => {
    const when = [{ at: 'call', has: ['npm publish'] }] as const
    const notes = Array.from({ length: 20 }, (_, n) => buildNote(n, { when, line: `note ${n}` }))
    const shown = new Set<KnowledgeNote>()
    for (let i = 0; i < 20; i++)
      for (const note of selectForCommand(notes, 'npm ci', (each) => shown.has(each))) shown.add(note)
    expect(shown.size).toBe(12)
  })

  test('selection: a conversation has six understood wishes beside edits, and any number of lessons', () => {
    const when = [{ at: 'call', tool: 'Edit', has: ['src/cart.ts'] }] as const
    const wishes = Array.from({ length: 14 }, (_, n) => buildNote(n, { when, voice: 'wanted', line: `wish ${n}` }))
    const lesson = buildNote(20, { when, line: 'Run the tests of the cart' })
    const edit = callOccasion({ tool: 'Edit', input: { file_path: 'src/cart.ts', new_string: 'a' } })
    const shown = new Set<KnowledgeNote>()
    for (let i = 0; i < 14; i++)
      for (const note of matchKnowledge([...wishes, lesson], edit, (each) => shown.has(each), NUMBERS)) shown.add(note)
    expect(shown).toEqual(new Set([...wishes.slice(0, 6), lesson]))
  })

  test('selection: an edit gets what the nearest sessions have met, by nearness and worth, and nothing twice', () => {
    const notes = [
      buildNote(1, { metIn: [7], met: 2, worth: 0.1 }),
      buildNote(2, { metIn: [8, 7], met: 2, worth: 0.1 }),
      buildNote(3, { metIn: [8], met: 3, worth: 2 }),
      buildNote(4, { metIn: [9], met: 2, worth: 0.9 }),
      buildNote(5, { metIn: [7], met: 2, voice: 'wanted' }),
      buildNote(6, { metIn: [7], met: 2, branch: 'main' }),
    ]
    const nearest = [7, 8, 9]
    expect(selectForFile(notes, { file, sessions: nearest }, () => false, NUMBERS)).toEqual([notes[2], notes[1]])
    expect(selectForFile(notes, { file, sessions: nearest }, (note) => note === notes[2], NUMBERS)).toEqual([
      notes[1],
      notes[0],
    ])
    expect(selectForFile(notes, { file, sessions: [] }, () => false, NUMBERS)).toEqual([])
  })

  test('selection: what one session alone met must name the file or its folder', () => {
    const once = (line: string): KnowledgeNote[] =>
      selectForFile(
        [buildNote(1, { metIn: [7], met: 1, line })],
        { file: 'shop/receipt/lines.ts', sessions: [7] },
        () => false,
        NUMBERS,
      )
    expect(once('Run `npm run check` after a change')).toEqual([])
    expect(once('Run `npm run check` after a change of the receipt')).toHaveLength(1)
    expect(once('Keep Lines under 100 characters')).toHaveLength(1)
  })

  test('selection: edits add what such sessions met until a conversation has twelve learned entries', () => {
    const notes = Array.from({ length: 30 }, (_, n) => buildNote(n, { metIn: [7], met: 2 }))
    const shown = new Set(notes.slice(0, 7))
    for (let i = 0; i < 9; i++)
      for (const note of selectForFile(notes, { file, sessions: [7] }, (each) => shown.has(each), NUMBERS))
        shown.add(note)
    expect(shown.size).toBe(12)
  })

  test('selection: 500 entries are compared with a call in time that grows with the text alone', () => {
    const hostile = 'a'.repeat(79)
    const notes = Array.from({ length: 500 }, (_, n) =>
      buildNote(n, { when: [{ at: 'call', has: [`${hostile}b`, `b${hostile}`] }] }),
    )
    const call = callOccasion({ tool: 'Bash', input: { command: 'a'.repeat(1_000_000) } })
    expect(matchKnowledge(notes, call, () => false, NUMBERS)).toEqual([])
  })
})
