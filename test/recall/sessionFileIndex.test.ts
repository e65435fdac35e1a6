// The sessions nearest to a prompt are computed here without an index: every session's estimate, sorted, and every
// feature by its formula.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Memory } from '../../src/model/memory.ts'
import { headOfMemory } from '../../src/model/memoryHead.ts'
import { sessionHash } from '../../src/recall/indexTerms.ts'
import {
  buildSessionFileIndex as buildIndexOfHeads,
  findRelatedSessions,
  findSessionsNearFile,
} from '../../src/recall/sessionFileIndex.ts'
import { extractTerms } from '../../src/text/terms/extractTerms.ts'
import { BEGIN, buildMemory, buildQuery, DAY, iso, sessionId } from '../testData.ts'

const FILES = ['src/prices.js', 'src/money.js', 'src/cart.js', 'test/cart.test.js', 'docs/領収書.md', 'src/tax/rate.ts']
const BRANCHES = ['main', 'feature/receipt', 'fix/rounding']
const PROMPTS = ['why is the cart test red?', '領収書を直す', 'src/tax/rate.ts is wrong', 'round the prices', 'thanks']

interface Work {
  readonly edited: readonly string[]
  readonly branch: string
}

const summary = ({ edited, branch }: Work, i: number): Memory =>
  buildMemory(i + 1, {
    ...{ kind: 'summary', session: sessionId(`session ${i}`), branch, updated: iso(BEGIN + i * DAY) },
    editedFiles: edited,
  })

/** The definitions of all features. */
function definedBy(works: readonly Work[], text: string, named: readonly string[], branch: string) {
  const count = works.length
  const editors = (file: string): number => works.filter((work) => work.edited.includes(file)).length
  const rarity = (file: string): number => Math.log((count + 1) / (1 + editors(file)))
  const terms = works.map((work) => work.edited.flatMap((file) => [...new Set(extractTerms(file))]))
  const average = terms.reduce((sum, own) => sum + own.length, 0) / count || 1
  const bm25 = terms.map((own) => {
    let score = 0
    for (const word of new Set(extractTerms(text))) {
      const df = terms.filter((others) => others.includes(word)).length
      const tf = own.filter((term) => term === word).length
      const idf = Math.log(1 + (count - df + 0.5) / (df + 0.5))
      score += (idf * tf * 2.2) / (tf + 1.2 * (0.25 + (0.75 * own.length) / average))
    }
    return score
  })
  const share = (values: readonly number[]) => values.map((value) => value / (Math.max(...values) || 1))
  const files = share(bm25)
  const names = named.map((file) => file.slice(file.lastIndexOf('/') + 1))
  const isNamed = works.map(({ edited }) =>
    edited.some((file) => names.some((name) => extractTerms(file).includes(name))),
  )
  const guess = works.map(
    (work, i) =>
      0.6 * files[i]! +
      (branch !== 'main' && work.branch === branch ? 0.4 : 0) +
      0.4 / (1 + (count - 1 - i) / 5) +
      (isNamed[i] ? 0.4 : 0),
  )
  const order = works.map((_, i) => i).sort((a, b) => guess[b]! - guess[a]! || b - a)
  const weight = (file: string): number =>
    order.slice(0, 8).reduce((sum, i) => {
      const { edited } = works[i]!
      return edited.includes(file) ? sum + (guess[i]! * rarity(file)) / Math.sqrt(edited.length) : sum
    }, 0)
  const shared = works.map(({ edited }) => edited.reduce((sum, file) => sum + weight(file), 0))
  const focus = works.map(({ edited }, i) =>
    shared[i] === 0 ? 0 : shared[i]! / edited.reduce((sum, file) => sum + rarity(file) + 0.1, 0),
  )
  const [together, focused] = [share(shared), share(focus)]
  const features = works.map(({ edited }, i) => ({
    workFiles: files[i]!,
    workNamed: isNamed[i] ? 1 : 0,
    workEdits: Math.min(1, Math.log(1 + edited.length) / Math.log(61)),
    workTogether: together[i]!,
    workFocus: focused[i]!,
  }))
  return { order, guess, features }
}

const arbitraryWorks = fc.array(
  fc.record({ edited: fc.uniqueArray(fc.constantFrom(...FILES)), branch: fc.constantFrom(...BRANCHES) }),
  { minLength: 1, maxLength: 30 },
)

const buildSessionFileIndex = (memories: readonly Memory[], generation: number) =>
  buildIndexOfHeads(memories.map(headOfMemory), generation)

test('recall: the nearest sessions and every feature match their definitions', () => {
  fc.assert(
    fc.property(
      arbitraryWorks,
      fc.constantFrom(...PROMPTS),
      fc.uniqueArray(fc.constantFrom('cart.js', 'src/tax/rate.ts', 'nowhere.ts')),
      fc.constantFrom(...BRANCHES),
      fc.integer({ min: 1, max: 12 }),
      (works, text, files, branch, wanted) => {
        const worked = buildSessionFileIndex(works.map(summary), 1)
        const asked = buildQuery('prompt', { text, files, branch })
        const related = findRelatedSessions(worked, asked, new Set(extractTerms(text)), wanted)
        const { order, guess, features } = definedBy(works, text, files, branch)
        const places = works.map((_, i) => sessionHash(sessionId(`session ${i}`)))
        const nearest = related.nearest.map((name) => places.indexOf(name))
        expect(nearest).toHaveLength(Math.min(Math.max(8, wanted), works.length))
        // By their estimates: two that differ only in the last bit may be in either order.
        nearest.forEach((place, i) => expect(guess[place]).toBeCloseTo(guess[order[i]!]!, 9))
        features.forEach((own, i) => {
          const told = related.sessionFeatures(places[i]!)!
          for (const [name, value] of Object.entries(own)) expect(told[name], `${name} of ${i}`).toBeCloseTo(value, 2)
        })
      },
    ),
    { numRuns: 200 },
  )
})

test('recall: sessions without memories are skipped, and without sessions there are no neighbours', () => {
  const worked = buildSessionFileIndex([summary({ edited: ['src/cart.js'], branch: 'main' }, 0)], 1)
  expect(
    findRelatedSessions(worked, buildQuery('prompt'), [], 3).sessionFeatures(sessionHash(sessionId('another'))),
  ).toBeUndefined()
  expect(findRelatedSessions(buildSessionFileIndex([], 1), buildQuery('prompt'), ['cart'], 3).nearest).toEqual([])
})

test('recall: an index of an earlier version, without the sums of rarity, gives every feature but the focus', () => {
  const worked = buildSessionFileIndex([summary({ edited: ['src/cart.js'], branch: 'main' }, 0)], 1)
  const [name, branch, files, terms] = worked.sessions[0]!
  const before = { ...worked, sessions: [[name, branch, files, terms] as const] }
  const told = (from: typeof worked) =>
    findRelatedSessions(from, buildQuery('prompt'), ['cart'], 1).sessionFeatures(name)
  expect(told(before)).toEqual({ ...told(worked), workFocus: 0 })
})

test('recall: near a file are the sessions with a word of its path, first those that edited it', () => {
  const works = [['src/cart.js'], ['src/prices.js'], ['lib/money.rb'], ['test/cart.test.js']]
  const worked = buildSessionFileIndex(
    works.map((edited, i) => summary({ edited, branch: '' }, i)),
    1,
  )
  const places = works.map((_, i) => sessionHash(sessionId(`session ${i}`)))
  const near = (file: string): number[] => findSessionsNearFile(worked, file).map((hash) => places.indexOf(hash))
  expect(near('src/cart.js')[0]).toBe(0)
  expect(near('src/cart.js').sort()).toEqual([0, 1, 3])
  expect(near('docs/manual.md')).toEqual([])
})
