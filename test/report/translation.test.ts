// Translation: how a row of the table is found, and what is kept as it is.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { displayWidth, sanitizeForTerminal, wrapText } from '../../src/report/fitText.ts'
import { formatTable } from '../../src/report/formatTable.ts'
import { layOutLine } from '../../src/report/textOutput.ts'
import { isolate, setTexts, translate, translateStored } from '../../src/report/translation.ts'

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
    'Nothing was changed': '変更なし',
    'asked: {x}': '依頼: {x}',
    'open:': '残り:',
    '{Committed|committed} {x}': '{x} をコミット',
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

test.each([
  ['Nothing was changed; asked: 在庫を直して; 終わり', '変更なし; 依頼: 在庫を直して; 終わり'],
  ['Committed "none"; open: none fails\n- none', '"none" をコミット; 残り: none fails\n- none'],
  ['コミットして → committed "a"', 'コミットして → "a" をコミット'],
  ['none', 'none'],
  ['asked: ports open: none', '依頼: ports open: none'],
])('translation: of a stored text only what memctl wrote itself changes: %s', (text, expected) => {
  expect(translateStored(text, 'summary')).toBe(expected)
  expect(translateStored(text, 'experience')).toBe(expected)
})

test.each(['open: none', 'Nothing was changed', 'use tabs; open: none'])(
  'translation: what somebody said or stored stays in their words: %s',
  (text) => {
    for (const kind of ['preference', 'entry', undefined]) expect(translateStored(text, kind)).toBe(text)
  },
)

test('translation: a line is as wide as the terminal at most, and a path stays in one piece', () => {
  const terminal = { write: () => {}, isTTY: true, columns: 60 }
  const long = isolate('日本語の長い文です。'.repeat(8))
  const lines = layOutLine(`\u001b[1m${long}\u001b[22m`, terminal)
  expect(lines.length).toBeGreaterThan(2)
  for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(60)
  expect(lines.join('')).toBe(`\u001b[1m${'日本語の長い文です。'.repeat(8)}\u001b[22m`)
  expect(layOutLine(long, { write: () => {} })).toHaveLength(1)
  expect(
    layOutLine(
      isolate(`書き出し先は次のファイルです。/home/aki/.memctl/projects/shop/report.html ${'。'.repeat(30)}`),
      terminal,
    ),
  ).toHaveLength(1)
})
