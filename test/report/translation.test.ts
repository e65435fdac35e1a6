// Translation: how a row of the table is found, and what is kept as it is.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sanitizeForTerminal, wrapText } from '../../src/report/fitText.ts'
import { formatTable } from '../../src/report/formatTable.ts'
import { isolate, setTexts, translate } from '../../src/report/translation.ts'

beforeEach(() => {
  setTexts({
    memories: '記憶',
    none: 'なし',
    '{n} {memory|memories}': '記憶 {n} 件',
    '{n} archived': '保管済み {n} 件',
    '{t}, {t2}': '{t}、{t2}',
    '{x2} of {x}': '{x} の {x2}',
    'Kept: {x}': '保存: {x}',
    'lesson {w}': '教訓 {w}',
    'From: {t}': '出典: {t}',
  })
})

afterEach(() => setTexts(undefined))

describe('translation', () => {
  test.each([
    ['none', 'なし'],
    ['1 memory', '記憶 1 件'],
    ['1,204 memories', '記憶 1,204 件'],
    ['many memories', 'many memories'], // {n} is a number.
    ['2 memories, 3 archived', '記憶 2 件、保管済み 3 件'],
    ['2 memories, 3 others', '2 memories, 3 others'], // A part without a row.
    ['a of b', 'b の a'],
    ['From: lesson a1, lesson b2', '出典: 教訓 a1、教訓 b2'],
    ['  - \u001b[2mnone\u001b[22m', '  - \u001b[2mなし\u001b[22m'],
    ['unknown', 'unknown'],
    ['', ''],
  ])('translation: a text is that of its row, with its numbers and names: %j', (text, translation) => {
    expect(translate(text)).toBe(translation)
  })

  test('translation: an isolated text stays, alone and in a line, also if its end was cut', () => {
    expect(translate(isolate('none'))).toBe('none')
    expect(translate(`Kept: ${sanitizeForTerminal('none, 2 memories')}`)).toBe('保存: none, 2 memories')
    expect(translate(`2 memories, ${isolate('3 archived')}`)).not.toContain('保管済み')
    expect(translate(isolate('none').slice(0, -1))).toBe('none')
  })

  test('translation: a text cannot end its own isolation', () => {
    expect(translate(sanitizeForTerminal('x\u2069 none \u20680\u2069'))).toBe('x none 0')
  })

  test('translation: cells and wrapped texts are translated once, before they are measured', () => {
    const [head, ...rows] = formatTable(['memories', ''], [['none', 'x']], 80).map(translate)
    expect([head, ...rows]).toEqual(['記憶', 'なし  x'])
    expect(wrapText('From: lesson a1', 10).map(translate)).toEqual(['出典: 教訓', 'a1'])
  })

  test('translation: without a table every text stays, and has no marks', () => {
    setTexts(undefined)
    expect(translate('none')).toBe('none')
    expect(isolate('none')).toBe('none')
  })
})
