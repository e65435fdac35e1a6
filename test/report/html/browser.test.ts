// The report in a real headless Chromium: nothing runs, nothing is loaded, it is accessible and fits every screen.
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { renderReport } from '../../../src/report/html/page.ts'
import { newFolder } from '../../tempFolders.ts'
import { findChromium, launchChromium, type Tab } from './chromium.ts'
import { emptyReport, HOSTILE_TEXTS, PLAIN_TEXTS, reportWith } from './reportFixtures.ts'

const binary = findChromium()
if (!binary) console.warn('skipped: no Chromium found; set CHROME_BIN, or install chromium')

const AXE = fs.readFileSync(path.resolve(import.meta.dirname, '../../../node_modules/axe-core/axe.min.js'), 'utf8')

describe.skipIf(!binary)('the report in Chromium', () => {
  const folder = newFolder('report')
  const files = {
    empty: path.join(folder, 'empty.html'),
    plain: path.join(folder, 'レポート plain.html'),
    hostile: path.join(folder, 'hostile.html'),
  }
  let tab: Tab
  let close: () => Promise<void> = async () => {}

  beforeAll(async () => {
    fs.writeFileSync(files.empty, renderReport(emptyReport()))
    fs.writeFileSync(files.plain, renderReport(reportWith(PLAIN_TEXTS)))
    fs.writeFileSync(files.hostile, renderReport(reportWith(HOSTILE_TEXTS)))
    if (binary) ({ tab, close } = await launchChromium(binary))
  })
  afterAll(() => close())

  const firstPage = (): Promise<string> => tab.evaluate<string>('document.querySelector("article.memory").id')

  test('report: hostile memories run nothing, load nothing and raise nothing in the console', async () => {
    await tab.show({ width: 1280 })
    await tab.open(files.hostile)
    const title = await tab.evaluate<string>('document.title')
    const ids = await tab.evaluate<string[]>('[...document.querySelectorAll("article.memory")].map((page) => page.id)')
    expect(ids).toHaveLength(HOSTILE_TEXTS.length + 1)
    tab.requests.length = 0
    tab.messages.length = 0
    for (const id of ids) {
      await tab.open(files.hostile, `#${id}`)
      await tab.evaluate('for (const details of document.querySelectorAll("details")) details.open = true')
      expect(await tab.evaluate<string>('document.title')).toBe(title)
    }
    expect(await tab.evaluate('document.querySelectorAll("script, iframe, img, link, object, embed").length')).toBe(0)
    expect(tab.requests.filter((url) => !url.startsWith('file:') && url !== 'about:blank')).toEqual([])
    expect(tab.messages).toEqual([])
  })

  test.each([
    ['empty', 1280, 'light'],
    ['plain', 1280, 'light'],
    ['plain', 1280, 'dark'],
    ['plain', 320, 'light'],
    ['plain', 320, 'dark'],
    ['hostile', 320, 'dark'],
  ] as const)('report: axe finds nothing in the %s report, %i pixels wide, %s', async (name, width, scheme) => {
    await tab.show({ width, scheme })
    await tab.open(files[name])
    await tab.evaluate('for (const details of document.querySelectorAll("details")) details.open = true')
    expect(await findViolations(tab)).toEqual([])
    if (name === 'empty') return
    await tab.open(files[name], `#${await firstPage()}`)
    expect(await findViolations(tab)).toEqual([])
  })

  test.each([320, 360, 768, 1280])('report: %i pixels are enough: the page never scrolls sideways', async (width) => {
    for (const file of Object.values(files)) {
      await tab.show({ width })
      await tab.open(file)
      await tab.evaluate('for (const details of document.querySelectorAll("details")) details.open = true')
      expect(await tab.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      const id = await tab.evaluate<string>('document.querySelector("article.memory")?.id ?? "content"')
      await tab.open(file, `#${id}`)
      expect(await tab.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    }
  })

  test('report: the texts of rules have the widest column: heads of numbers wrap', async () => {
    await tab.show({ width: 1280 })
    await tab.open(files.plain)
    const heads = 'document.querySelector("#knowledge thead tr").children'
    const widths = await tab.evaluate<number[]>(`[...${heads}].map((head) => head.offsetWidth)`)
    expect(Math.max(...widths)).toBe(widths[0])
  })

  test('report: Tab reaches every link, table and fold in the order of the page, with a visible focus', async () => {
    await tab.show({ width: 1280 })
    await tab.open(files.plain)
    const wanted = await tab.evaluate<number>(COUNT_FOCUSABLE)
    const reached: number[] = []
    for (let i = 0; i < wanted; i++) {
      await tab.press('Tab')
      const { position, visible } = await tab.evaluate<{ position: number; visible: boolean }>(DESCRIBE_FOCUS)
      expect(visible).toBe(true)
      reached.push(position)
    }
    expect(reached).toEqual([...reached].sort((a, b) => a - b))
    expect(new Set(reached).size).toBe(wanted)
  })

  test('report: the first Tab offers to skip to the content, and Enter on a memory shows its page alone', async () => {
    await tab.show({ width: 1280 })
    await tab.open(files.plain)
    await tab.press('Tab')
    expect(await tab.evaluate('document.activeElement.textContent')).toBe('Skip to the content')
    await tab.press('Enter')
    expect(await tab.evaluate('document.activeElement.id')).toBe('content')
    await tab.evaluate('document.querySelector("#knowledge tbody a").focus()')
    await tab.press('Enter')
    const shown = 'getComputedStyle(document.querySelector(":target")).display'
    expect(await tab.evaluate(shown)).toBe('block')
    expect(await tab.evaluate('getComputedStyle(document.querySelector(".sections")).display')).toBe('none')
    await tab.evaluate('history.back()')
    await tab.evaluate('new Promise((resolve) => setTimeout(resolve, 100))')
    expect(await tab.evaluate('getComputedStyle(document.querySelector(".sections")).display')).not.toBe('none')
  })

  test('report: it prints without its navigation, and tables are whole', async () => {
    await tab.show({ width: 1280 })
    await tab.open(files.plain)
    await tab.send('Emulation.setEmulatedMedia', { media: 'print' })
    expect(await tab.evaluate('getComputedStyle(document.querySelector(".contents")).display')).toBe('none')
    const { data } = await tab.send('Page.printToPDF')
    expect(String(data).length).toBeGreaterThan(10_000)
    await tab.send('Emulation.setEmulatedMedia', { media: '' })
  })
})

async function findViolations(tab: Tab): Promise<string[]> {
  await tab.evaluate(AXE)
  return tab.evaluate<string[]>(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ target, failureSummary }) =>
      target.join(' ') + ' ' + failureSummary).join(' | ')))`)
}

const FOCUSABLE = `[...document.querySelectorAll('a[href], summary, [tabindex="0"]')].filter((element) =>
  element.checkVisibility({ visibilityProperty: true }))`

const COUNT_FOCUSABLE = `${FOCUSABLE}.length`

const DESCRIBE_FOCUS = `(() => {
  const focused = document.activeElement
  const { outlineStyle, outlineWidth } = getComputedStyle(focused)
  return { position: ${FOCUSABLE}.indexOf(focused), visible: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1 }
})()`
