import { describe, expect, test } from 'vitest'
import { contradicts, findCorrected, isOpposed, isSameStatement } from '../../src/knowledge/compareRules.ts'
import { triggersOfRule } from '../../src/knowledge/ruleTriggers.ts'
import type { Trigger } from '../../src/model/knowledge.ts'
import { buildEntry } from './knowledgeData.ts'

const rule = (line: string, ...when: Trigger[]) => ({ line, when })

describe('rules', () => {
  test.each([
    ['Use pnpm, not npm', 'use pnpm not npm.', true],
    ['Always run the linter before a commit', 'Run the linter before a commit', true],
    ['Use pnpm 9, not npm', 'Use tabs for indentation', false],
    ['Never push to main', 'Push to main', false],
    ['NEVER push to main', 'never  push to main', true],
    ['テストを毎回実行してください。', 'テストを毎回実行', true],
    ['Sign commits with -S', 'Sign commits with -s', false],
    ['Ensure x=1', 'Ensure x!=1', false],
    ['The ratio is 1,000', 'The ratio is 1.000', false],
    [`Quote with '`, 'Quote with "', false],
    ['Run npm t', 'Run npm', false],
    ['Stage with git add .', 'Stage with git add', false],
    ['Keep userId', 'Keep userid', false],
    ['Test with `Foo`', 'Test with `foo`', false],
    ['Deploy zone A', 'Deploy zone', false],
    ['Do not always ask', 'Do not ask', false],
  ])('rules: two lines say the same: %j, %j', (a, b, expected) => {
    expect(isSameStatement(rule(a), rule(b))).toBe(expected)
  })

  test.each([
    ['Push to main directly', 'Never push to main directly', true],
    ['Do not add comments to tests', 'Add comments to tests', true],
    ['Never push to main', 'Never force push', false],
    ['Use tabs', 'Never push to main', false],
    ['Commit messages in English', 'Commit messages in Japanese', true],
    ['Keep functions under 60 lines', 'Keep functions under 40 lines', true],
    ['Keep files under 300 lines', 'Keep functions under 40 lines', false],
    ['Test with Node 20', 'Test with Node 22', false],
    ["Let's do 2 spaces", 'Always use 4 spaces for indentation', true],
    ["Let's do 2 columns", 'Always use 4 spaces for indentation', false],
    ["Let's do 2 spaces", 'Keep functions under 40 lines', false],
    ['コミットメッセージは英語で書いて', 'コミットメッセージは必ず日本語で書いて', true],
    ['コメントは日本語で書いて', 'コミットメッセージは英語で書いて', false],
    ['敬語はやめて', '返答は常に敬語でお願いします', false],
    ['コメントは日本語ではなく英語で', 'コメントは日本語で', true],
    ['コメントは日本語じゃなくて英語で書いてください', '日本語で答えて', false],
    ['これからはタメ口で話して', '敬語で話して', true],
    ['Always keep commit subject lines under 72 characters', 'Keep lines under 100 characters', false],
    ['Single quotes only', 'We use tabs here', false],
    ['Use WebP', 'Use JSON', false],
    ['Use spaces', 'We use tabs here', true],
    ['Always write user docs in Japanese', 'Write docs in English', false],
    ['パッケージはnpmではなくyarnで', 'パッケージはpnpmで', false],
  ])('rules: a later line contradicts an earlier one: %j, %j', (a, b, expected) => {
    expect(contradicts(rule(a), rule(b))).toBe(expected)
  })

  test('rules: what breaks the later rule keeps the earlier one', () => {
    const pnpm = rule('pnpm here', { at: 'call', has: ['npm'], unless: ['pnpm'] })
    const npm = rule('back to npm', { at: 'call', has: ['pnpm'], unless: ['npm'] })
    expect(contradicts(npm, pnpm)).toBe(true)
    expect(contradicts(pnpm, pnpm)).toBe(false)
    const publish = 'Before npm publish always run npm run build and check the tag'
    const load = 'Run npm run build:schema before npm run load'
    const typed = (line: string) => ({ line, when: triggersOfRule(line) })
    expect(contradicts(typed(publish), typed(load))).toBe(false)
    const prices = 'Use `npm run build:prices`, not `npm run prices`'
    expect(contradicts(typed('In every project use pnpm'), typed(prices))).toBe(false)
    expect(contradicts(typed('In every project use pnpm'), typed('Use npm for installs'))).toBe(true)
    const [one, other] = ['Use pnpm, not npm', 'Use npm from now on, not pnpm']
    expect(isSameStatement({ ...pnpm, line: one }, { ...npm, line: other })).toBe(false)
  })
})

describe('rules: what is wanted in place of a tool replaces the rule that wants it, for the same purpose', () => {
  const typed = (line: string) => ({ line, when: triggersOfRule(line) })
  test.each([
    ['Use bun instead of pnpm', 'We use pnpm in this repo, not npm', true],
    ['Use ruff for formatting instead of black', 'Use black for formatting, not yapf', true],
    ['yarnではなくpnpmを使ってください', 'このリポジトリではnpmではなくyarnを使ってください', true],
    ['Use vitest instead of jest for e2e tests', 'Use jest, not mocha', false],
    ['Use pnpm instead of yarn', 'Use pnpm, not npm', false],
    ['E2E tests use playwright, not vitest', 'Use vitest, not jest', false],
    ['The docs site uses yarn, not pnpm', 'Use pnpm, not npm', false],
    ["We're moving to bun btw, so use bun instead of pnpm from now on", 'We use pnpm here, not npm', true],
    ['Never run the whole test suite with pytest', 'Use pytest, not unittest', false],
    ['Never use npx, use pnpm dlx instead', 'We use pnpm in this repo, not npm', false],
  ])('%s: %s', (later, earlier, is) => expect(contradicts(typed(later), typed(earlier))).toBe(is))
})

test('rules: what a lesson found stays true, whatever tool a person wants from now on', () => {
  const lesson = (line: string) => ({ type: 'lesson', author: 'rule', line }) as const
  const bun = { line: 'Use bun instead of pnpm', when: triggersOfRule('Use bun instead of pnpm') }
  expect(isOpposed(lesson('Run `pnpm run build:prices` before `pnpm test`'), bun)).toBe(false)
  const never = { line: 'Never run `pnpm prune`', when: triggersOfRule('Never run `pnpm prune`') }
  expect(isOpposed(lesson('Run `pnpm prune` before `pnpm test`'), never)).toBe(true)
  const known = (line: string) => ({ ...lesson(line), when: triggersOfRule(line) })
  expect(contradicts(bun, known('Use pnpm, not npm'))).toBe(false)
  expect(contradicts(rule('Use 2 spaces for indentation'), known('Use 4 spaces for indentation'))).toBe(true)
})

describe('corrections', () => {
  const said = (n: number, line: string, updated: string) =>
    buildEntry(n, { type: 'rule', author: 'person', state: 'standing', line }, { updated })

  test('corrections: of several rules that are meant the latest is replaced, whatever its id', () => {
    const [early, late] = ['2026-03-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z']
    const now = rule('コメントは英語で書いてください')
    const [one, two] = [said(1, 'コメントは日本語で書いて', late), said(2, 'コメントは必ず日本語で書いて', early)]
    expect(findCorrected(now.line, now, [one, two])?.id).toBe(one.id)
    expect(findCorrected(now.line, now, [two, one])?.id).toBe(one.id)
  })

  test('corrections: what may take back several rules takes back none', () => {
    const at = '2026-03-01T00:00:00.000Z'
    const known = [said(1, 'Never use mocks in tests', at), said(2, 'Name mocks in tests after their class', at)]
    expect(findCorrected('mocks in tests', undefined, known)).toBeUndefined()
    expect(findCorrected('mocks in tests', undefined, known.slice(0, 1))?.id).toBe(known[0]?.id)
  })
})
