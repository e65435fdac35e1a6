// What kinds of things a text says, and which a question asks for.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  CONTAINS_QUESTION,
  detectAnswerTypes,
  detectExpectedAnswerTypes,
  ENDS_WITH_QUESTION,
  SAYS_NAME,
  SAYS_NUMBER,
  SAYS_PLACE,
  SAYS_REASON,
  SAYS_TIME,
} from '../../src/text/answerTypes.ts'

const has = (text: string, fact: number): boolean => (detectAnswerTypes(text) & fact) === fact

describe('facts', () => {
  test.each([
    ['We went there last weekend.', SAYS_TIME],
    ['先週の金曜日に買いました。', SAYS_TIME],
    ['I made seven of them.', SAYS_NUMBER],
    ['I read it with Bjorn.', SAYS_NAME],
    ['We chose cents because floats drift.', SAYS_REASON],
    ['安かったからです。', SAYS_REASON],
    ['I found it in Lisbon.', SAYS_PLACE],
    ['鎌倉に行きました。', SAYS_PLACE],
    ['How are you?', ENDS_WITH_QUESTION | CONTAINS_QUESTION],
    ['お元気でしたか？', ENDS_WITH_QUESTION | CONTAINS_QUESTION],
  ])('text: "%s" says it', (text, fact) => expect(has(text, fact)).toBe(true))

  test.each([
    ['That sounds wonderful.', SAYS_TIME | SAYS_NUMBER | SAYS_NAME | SAYS_REASON | SAYS_PLACE | CONTAINS_QUESTION],
    ['well, I think so', SAYS_NAME],
  ])('text: "%s" says none of it', (text, facts) => expect(detectAnswerTypes(text) & facts).toBe(0))

  test.each([
    ['When did she move?', SAYS_TIME],
    ['彼はいつ引っ越しましたか？', SAYS_TIME],
    ['How many were there?', SAYS_NUMBER],
    ['Who helped with the roof?', SAYS_NAME],
    ['Why do we use cents?', SAYS_REASON],
    ['なぜ税を丸めるのですか？', SAYS_REASON],
    ['Where was it bought?', SAYS_PLACE],
    ['どこで買いましたか？', SAYS_PLACE],
  ])('text: "%s" asks for it', (question, fact) => expect(detectExpectedAnswerTypes(question) & fact).toBe(fact))

  test('text: whatever the text, facts are bits that are known, and a text that asks at its end asks', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const facts = detectAnswerTypes(text)
        expect(facts >>> 0).toBe(facts)
        expect(facts).toBeLessThan(128)
        if (facts & ENDS_WITH_QUESTION) expect(facts & CONTAINS_QUESTION).toBe(CONTAINS_QUESTION)
      }),
    )
  })
})
