// How a task ended, by the words of its report.
import { expect, test } from 'vitest'
import { findReportedOutcome } from '../../src/text/agentReport.ts'

test('text: a report states its outcome in a line, or in a sentence about the work', () => {
  const reports = {
    failure: [
      'Outcome: failure',
      'I looked at it.\n**Status:** blocked',
      '結果：失敗',
      'I could not reproduce the bug.',
      'Renamed it, but the tests still fail.',
      "We weren't able to connect.",
      'ビルドを修正できませんでした。',
      'マイグレーションに失敗しました。',
    ],
    success: [
      'Status: done',
      '- Result: ✅ passed',
      '結果：成功',
      'All 12 tests pass.',
      'I fixed the cart that failed to load.',
      'Done. The price is right now.',
      'バグを修正しました。',
    ],
    unknown: ['The prices are read in src/prices.js.', '価格は src/prices.js で読み込まれます。', ''],
  } as const
  for (const [outcome, texts] of Object.entries(reports)) {
    for (const text of texts) expect(`${text}: ${findReportedOutcome(text)}`).toBe(`${text}: ${outcome}`)
  }
})
