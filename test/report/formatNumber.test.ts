// Amounts and times for people.

import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import { selectRankingModel } from '../../src/model/rankingScore.ts'
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatNumber,
  formatSigned,
  formatTimeAgo,
  formatTimestamp,
} from '../../src/report/formatNumber.ts'
import { formatBreakdown, listScoreParts } from '../../src/report/noteReason.ts'
import { createPalette, createProgressBar } from '../../src/report/textOutput.ts'

const screen = (isTTY: boolean) => {
  const said: string[] = []
  return { said, isTTY, columns: 80, write: (text: string) => said.push(text) }
}

describe('report', () => {
  test('report: sizes, counts and durations are formatted for people', () => {
    expect([0, 999, 1024, 15_000, 128 * 1024 ** 2].map(formatBytes)).toEqual([
      '0 B',
      '999 B',
      '1.0 KB',
      '15 KB',
      '128 MB',
    ])
    expect([formatCount(1, 'memory', 'memories'), formatCount(1204, 'event')]).toEqual(['1 memory', '1,204 events'])
    expect([0.3, 1, -0.125, 0.1 + 0.2].map(formatNumber)).toEqual(['0.3', '1', '-0.125', '0.3'])
    expect([0.05, -0.1, 0, 0.0001].map(formatSigned)).toEqual(['+0.05', '-0.1', '0', '0'])
    expect([40, 3200, 240_000, 7_200_000, 12 * 86_400_000].map(formatDuration)).toEqual([
      '40 ms',
      '3.2 s',
      '4 min',
      '2 h',
      '12 days',
    ])
    expect(formatTimestamp('2026-03-02T10:12:47.150Z')).toBe('2026-03-02 10:12')
    const now = Date.parse('2026-03-02T10:12:00Z')
    expect([formatTimeAgo('2026-03-02T10:02:00Z', now), formatTimeAgo('2026-03-02T11:00:00Z', now)]).toEqual([
      '10 min ago',
      'just now',
    ])
  })

  test('report: the parts of a score add up to it', () => {
    const features = { error: 1, words: 0.5, helped: -0.2, recency: 0.25, kind: 1, role: 1, strength: 0.5, sameTask: 1 }
    const model = selectRankingModel(DEFAULT_POLICY.recall, 'call')
    const parts = listScoreParts(features, model)
    const sum = parts.reduce((total, one) => total + one.part, 0)
    const whole = formatBreakdown(features, model, 100)
    expect(whole.at(-1)).toMatch(/^score +[\d.]+$/)
    expect(Number(whole.at(-1)!.split(/ +/).at(-1))).toBeCloseTo(sum, 2)
    for (const { part, value, weight } of parts) expect(part).toBeCloseTo(value * weight, 12)
  })

  test('report: without a terminal, with NO_COLOR or on a dumb terminal there is no colour and no bar', () => {
    const coloured = createPalette(screen(true), {})
    expect(coloured.red('no')).toBe('\u001b[31mno\u001b[39m')
    for (const [isTTY, env] of [
      [false, {}],
      [true, { NO_COLOR: '1' }],
      [true, { TERM: 'dumb' }],
    ] as const) {
      expect(createPalette(screen(isTTY), env).red('no')).toBe('no')
    }
    const piped = screen(false)
    const bar = createProgressBar({ err: piped, env: {} }, 2)
    bar.advance('one')
    bar.clear()
    expect(piped.said).toEqual([])
    const shown = screen(true)
    const drawn = createProgressBar({ err: shown, env: {} }, 2)
    drawn.advance('one')
    drawn.advance('two')
    drawn.clear()
    expect(shown.said.join('')).toContain('2/2')
    expect(shown.said.at(-1)).toBe('\r\u001b[2K')
  })
})
