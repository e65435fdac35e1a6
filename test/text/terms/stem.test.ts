import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stem } from '../../../src/text/terms/stem.ts'

/** The examples of Porter's paper, step by step, with what the whole algorithm makes of each. */
const PUBLISHED = `caresses caress, ponies poni, ties ti, caress caress, cats cat, feed feed, agreed agre, plastered plaster,
bled bled, motoring motor, sing sing, conflated conflat, troubled troubl, sized size, hopping hop, tanned tan, falling fall,
hissing hiss, fizzed fizz, failing fail, filing file, happy happi, sky sky, relational relat, conditional condit, rational ration,
valenci valenc, hesitanci hesit, digitizer digit, conformabli conform, radicalli radic, differentli differ, vileli vile,
analogousli analog, vietnamization vietnam, predication predic, operator oper, feudalism feudal, decisiveness decis,
hopefulness hope, callousness callous, formaliti formal, sensitiviti sensit, sensibiliti sensibl, triplicate triplic,
formative form, formalize formal, electriciti electr, electrical electr, hopeful hope, goodness good, revival reviv,
allowance allow, inference infer, airliner airlin, gyroscopic gyroscop, adjustable adjust, defensible defens, irritant irrit,
replacement replac, adjustment adjust, dependent depend, adoption adopt, homologou homolog, communism commun, activate activ,
angulariti angular, homologous homolog, effective effect, bowdlerize bowdler, probate probat, rate rate, cease ceas,
controll control, roll roll, generalizations gener, oscillators oscil`

describe('stem', () => {
  test('text: stems are those of the published examples', () => {
    const pairs = PUBLISHED.split(/,\s/).map((pair) => pair.split(' '))
    expect(pairs.map(([word]) => [word, stem(word!)])).toEqual(pairs)
  })

  test('text: words of one family share a stem', () => {
    for (const family of [
      'connect connected connecting connection connections',
      'argue argued argues arguing',
      'test tests tested testing',
    ])
      expect(new Set(family.split(' ').map(stem)).size).toBe(1)
  })

  test('text: anything but a plain lower-case word stays unchanged', () => {
    for (const word of ['', 'is', 'sha256', 'naïves', 'Running', 'テスト', '--flags']) expect(stem(word)).toBe(word)
  })

  test('text: a stem is never empty and never longer than its word and a letter', () => {
    const letters = fc.string({
      unit: fc.constantFrom(...'aeiouybdlnrstz', 'ing', 'ed', 'ation', 'ies'),
      minLength: 1,
      maxLength: 12,
    })
    fc.assert(
      fc.property(letters, (word) => {
        expect(stem(word).length).toBeGreaterThan(0)
        expect(stem(word).length).toBeLessThanOrEqual(word.length)
      }),
    )
  })
})
