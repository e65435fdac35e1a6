// The sentence of an answer that says what came of the work.
import { expect, test } from 'vitest'
import { findAnswerSentence, findResultSentence } from '../../src/text/taskSentences.ts'

test('text: the result is what was done, not a greeting, the state of the checks or what comes next', () => {
  const cases: readonly (readonly [answer: string, result: string])[] = [
    [
      "Perfect! I've successfully removed the restriction on main. Let me run the tests.",
      'Removed the restriction on main',
    ],
    [
      'All tests pass and lint is clean.\n\n## Summary\n\n- **Added** a retry to the upload',
      'Added a retry to the upload',
    ],
    ["Done. Here's a summary of the changes:\n\n1. Moved `parse` to src/text", 'Moved `parse` to src/text'],
    ['The parser now accepts tabs between two fields.', 'The parser now accepts tabs between two fields'],
    [
      'The root cause was a missing index on the orders table.',
      'The root cause was a missing index on the orders table',
    ],
    ['対応しました。設定ファイルの読み込みを修正しました。', '設定ファイルの読み込みを修正しました'],
  ]
  for (const [answer, result] of cases) expect(findResultSentence(answer)).toBe(result)
})

test('text: questions, plans, announcements and praise are no result', () => {
  for (const answer of [
    'Should I add a retry to the upload?',
    'Let me add a retry to the upload first.',
    "I'll update the parser now and run the tests.",
    'Done. All 12 tests pass and lint is clean.',
    "I've fixed the bug.",
    'Fixed the issue and added tests to verify the fix.',
    'The tests are now passing.',
    'Next, we need to update the parser for tabs.',
    'これからテストを実行します。よろしいですか？',
    '',
  ])
    expect(findResultSentence(answer), answer).toBe('')
})

test('text: a question is answered by the first sentence of substance', () => {
  expect(findAnswerSentence("Good question! No, the tax doesn't use the rounding. Want me to change it?")).toBe(
    "The tax doesn't use the rounding",
  )
  expect(findAnswerSentence('Looking at `total()`, I can see that both sessions are included.')).toBe(
    'Both sessions are included',
  )
})
