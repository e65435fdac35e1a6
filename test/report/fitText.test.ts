// Width and tables: what is written for a terminal fits it, whatever the words are.
import fc from 'fast-check'
import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import { clipText, displayWidth, padText, sanitizeForTerminal, wrapText } from '../../src/report/fitText.ts'
import { formatTable } from '../../src/report/formatTable.ts'

const words = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('npm test', '領収書を日本語で', 'ﾊﾝｶｸ', '👩‍💻', 'é', ' ', '、'),
    ),
  )
  .map((parts) => sanitizeForTerminal(parts.join(' ')).replaceAll('\n', ' '))

describe('report', () => {
  test('report: Japanese takes two columns, accents and colours none', () => {
    expect(displayWidth('日本語')).toBe(6)
    expect(displayWidth('e\u0301')).toBe(1)
    expect(displayWidth('\u001b[31mred\u001b[39m')).toBe(3)
    expect(displayWidth('ﾊﾝｶｸ')).toBe(4)
    expect(displayWidth('…─━×')).toBe(4)
  })

  test('report: every character is as wide as string-width says, beside others too', () => {
    for (let code = 0; code < 0x3100; code++) {
      const text = `a${String.fromCodePoint(code)}z`
      expect(displayWidth(text), code.toString(16)).toBe(stringWidth(text))
    }
  })

  test('report: a clipped line fits, and a line that fits stays unchanged', () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 60 }), (line, columns) => {
        const folded = line.replace(/\s+/g, ' ').trim()
        const short = clipText(line, columns)
        expect(displayWidth(short)).toBeLessThanOrEqual(columns)
        if (displayWidth(folded) <= columns) expect(short).toBe(folded)
        else expect(short.endsWith('…')).toBe(true)
      }),
    )
  })

  test('report: a padded line has the given width and its full text', () => {
    fc.assert(
      fc.property(words, fc.constantFrom('left' as const, 'right' as const), (line, side) => {
        const wide = padText(line, displayWidth(line) + 3, side)
        expect(displayWidth(wide)).toBe(displayWidth(line) + 3)
        expect(wide.includes(line)).toBe(true)
      }),
    )
  })

  test('report: wrapping loses no word, and no line is too wide', () => {
    fc.assert(
      fc.property(
        fc.array(words).map((lines) => lines.join('\n')),
        fc.integer({ min: 8, max: 60 }),
        (text, columns) => {
          const lines = wrapText(text, columns)
          for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(columns)
          const letters = (of: string) => of.replace(/\s+/g, '')
          expect(letters(lines.join(''))).toBe(letters(text))
        },
      ),
    )
  })

  test('report: no text can control the terminal', () => {
    const harmful = 'a\u001b[2Jb\u001b]0;title\u0007c\u0000d\re\u202ef\u009b31mg'
    expect(sanitizeForTerminal(harmful)).toBe('abcdef31mg')
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/.test(sanitizeForTerminal(text))).toBe(false)
      }),
    )
  })

  test('report: the columns of a table are aligned, and columns that can shrink make it fit', () => {
    const cell = fc.constantFrom(
      'lesson',
      '日本語の記憶',
      'npm test',
      '',
      '×',
      'a rather long content that will not fit anywhere',
    )
    fc.assert(
      fc.property(
        fc.array(fc.tuple(cell, cell, cell), { minLength: 1 }),
        fc.integer({ min: 70, max: 120 }),
        (rows, columns) => {
          const layout = [
            { head: 'one' },
            { head: 'two', canShrink: true },
            { head: 'end', align: 'right' as const, canShrink: true },
          ]
          const lines = formatTable(layout, rows, columns)
          expect(lines).toHaveLength(rows.length + 1)
          for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(columns)
          // Where the second column begins, the same in each line: the first is padded to its own widest.
          const first = Math.max(3, ...rows.map((row) => displayWidth(row[0])))
          lines.slice(1).forEach((line, i) => {
            expect(line.startsWith(padText(rows[i]![0], first).trimEnd())).toBe(true)
          })
        },
      ),
    )
  })
})
