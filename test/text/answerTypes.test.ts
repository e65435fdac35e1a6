// What kinds of things a text says, and which a question asks for.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  CONTAINS_QUESTION,
  detectAnswerTypes,
  detectExpectedAnswerTypes,
  ENDS_WITH_QUESTION,
  HAS_NAME,
  HAS_NUMBER,
  HAS_PLACE,
  HAS_REASON,
  HAS_TIME,
} from '../../src/text/answerTypes.ts'

const has = (text: string, fact: number): boolean => (detectAnswerTypes(text) & fact) === fact

describe('facts', () => {
  test.each([
    ['We went there last weekend.', HAS_TIME],
    ['先週の金曜日に買いました。', HAS_TIME],
    ['I made seven of them.', HAS_NUMBER],
    ['I read it with Bjorn.', HAS_NAME],
    ['We chose cents because floats drift.', HAS_REASON],
    ['安かったからです。', HAS_REASON],
    ['I found it in Lisbon.', HAS_PLACE],
    ['鎌倉に行きました。', HAS_PLACE],
    ['How are you?', ENDS_WITH_QUESTION | CONTAINS_QUESTION],
    ['お元気でしたか？', ENDS_WITH_QUESTION | CONTAINS_QUESTION],
  ])('text: "%s" says it', (text, fact) => expect(has(text, fact)).toBe(true))

  test.each([
    ['That sounds wonderful.', HAS_TIME | HAS_NUMBER | HAS_NAME | HAS_REASON | HAS_PLACE | CONTAINS_QUESTION],
    ['well, I think so', HAS_NAME],
  ])('text: "%s" says none of it', (text, facts) => expect(detectAnswerTypes(text) & facts).toBe(0))

  test.each([
    ['When did she move?', HAS_TIME],
    ['彼はいつ引っ越しましたか？', HAS_TIME],
    ['How many were there?', HAS_NUMBER],
    ['Who helped with the roof?', HAS_NAME],
    ['Why do we use cents?', HAS_REASON],
    ['なぜ税を丸めるのですか？', HAS_REASON],
    ['Where was it bought?', HAS_PLACE],
    ['どこで買いましたか？', HAS_PLACE],
  ])('text: "%s" asks for it', (question, fact) => expect(detectExpectedAnswerTypes(question) & fact).toBe(fact))

  test('text: answer types are known bits, and a text that ends with a question contains one', () => {
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
