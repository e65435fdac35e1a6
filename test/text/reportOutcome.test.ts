// How a task ended, by the words of its report.
import { expect, test } from 'vitest'
import { findReportedOutcome } from '../../src/text/agentReport.ts'

test('text: a report states its outcome in a line', () => {
  const reports = {
    failure: ['Outcome: failure', 'I looked at it.\n**Status:** blocked', '結果：失敗'],
    success: ['Status: done', '- Result: ✅ passed', '結果：成功'],
    unknown: ['The prices are read in src/prices.js.', 'I could not reproduce the bug.', ''],
  } as const
  for (const [outcome, texts] of Object.entries(reports)) {
    for (const text of texts) expect(`${text}: ${findReportedOutcome(text)}`).toBe(`${text}: ${outcome}`)
  }
})
