// Decisions with a reason in what an assistant writes.
import { expect, test } from 'vitest'
import { findReasonedDecisions } from '../../src/text/reasonedDecisions.ts'

const decisionsIn = (text: string) => findReasonedDecisions(text).map(({ decision, reason }) => [decision, reason])

test.each([
  ['I kept the old name because three scripts call it.', 'I kept the old name', 'three scripts call it'],
  [
    '- **Prices**: I put the table into `tax.js` rather than a package, since only one module reads it.',
    'Prices: I put the table into `tax.js` rather than a package',
    'only one module reads it',
  ],
  ['Because the API is rate limited, I switched to batches.', 'I switched to batches', 'the API is rate limited'],
  [
    'I used fetch instead of axios. The reason is that it needs no package.',
    'I used fetch instead of axios',
    'it needs no package',
  ],
  [
    'I rounded down instead of half up, because the invoices do so.',
    'I rounded down instead of half up',
    'the invoices do so',
  ],
  [
    'Remove the unique index so users can have several carts.',
    'Remove the unique index',
    'users can have several carts',
  ],
  [
    '依存を増やさないため、axios ではなく fetch を使いました。',
    'axios ではなく fetch を使いました',
    '依存を増やさない',
  ],
  ['循環参照になるので、共通関数は utils に移動しました。', '共通関数は utils に移動しました', '循環参照になる'],
  [
    '`Date` ではなく `Temporal` を採用しました。理由は夏時間の計算が正確なためです。',
    '`Date` ではなく `Temporal` を採用しました',
    '夏時間の計算が正確',
  ],
])('decisions: in "%s" the decision and its reason are found', (text, decision, reason) => {
  expect(decisionsIn(text)).toEqual([[decision, reason]])
})

test.each([
  'I added a test for the empty cart.',
  'The tests pass now.',
  'The build failed because the module was removed.',
  'We could switch to pnpm because it is faster.',
  'If it fails, use pnpm because it is much faster.',
  'Should I keep the old name because scripts call it?',
  'I kept the old name since yesterday evening.',
  'You should keep the name because three scripts call it.',
  '```\nI kept the old name because three scripts call it.\n```',
  '| name | kept because three scripts call it |',
  '型が合わないため、テストが失敗しました。',
  '念のため、すべてのテストを実行しました。',
  '設定を読み直すので、再起動してください。',
  '速くなるので、pnpm に変更すべきでしょうか。',
])('decisions: commentary, errors, proposals and questions give none: %s', (text) => {
  expect(decisionsIn(text)).toEqual([])
})

test('decisions: it is known whether an alternative was named', () => {
  const [chosen] = findReasonedDecisions('I used fetch instead of axios because it needs no package.')
  const [kept] = findReasonedDecisions('I kept the old name because three scripts call it.')
  expect([chosen?.hasAlternative, kept?.hasAlternative]).toEqual([true, false])
})
