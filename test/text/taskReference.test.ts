// References to issues in prompts and branches; and what only looks like one.
import { expect, test } from 'vitest'
import { findBranchReference, findTaskReference, normalizeTaskId } from '../../src/text/taskReference.ts'

test('text: a prompt names its issue by number, key or address', () => {
  const prompts: readonly (readonly [string, string])[] = [
    ['Fix #42, please.', '#42'],
    ['fixes #42: the tax is rounded twice', '#42'],
    ['Look at PR #12 again', '#12'],
    ['#42', '#42'],
    ['#42 is still open', '#42'],
    ['Continue with GH-42.', '#42'],
    ['The bug (#7) is back', '#7'],
    ['ABC-12 を直してください', 'ABC-12'],
    ['課題 #42 の続きをお願いします', '#42'],
    ['「#42」を直す', '#42'],
    ['See https://github.com/acme/shop/issues/42 for details', '#42'],
    ['https://github.com/acme/shop/pull/12#discussion_r1', '#12'],
    ['https://gitlab.com/acme/group/shop/-/issues/42', '#42'],
    ['https://acme.atlassian.net/browse/ABC-12?focused=1', 'ABC-12'],
    ['https://linear.app/acme/issue/ENG-77/rounding', 'ENG-77'],
    ['It is like acme/other#9', 'acme/other#9'],
    ['First ABC-12, then #42', 'ABC-12'],
  ]
  for (const [prompt, reference] of prompts)
    expect(`${prompt}: ${findTaskReference(prompt)}`).toBe(`${prompt}: ${reference}`)
})

test('text: colours, headings, counts, standards, models and code are no issues', () => {
  const prompts = [
    'Use #fff and #333333 for the border',
    'background: #333; color:#000',
    'the color #333 is too dark',
    '# 42 things to do',
    '## 3. Next',
    '#1 Add a test\n#2 Fix the code',
    'Do step #2 now',
    'Take option #3',
    'the #1 priority is speed',
    'Encode it as UTF-8 with SHA-256 in ISO-8601',
    'Use GPT-4 or CLAUDE-3, with RFC-2119 words, CVE-2024-1234, and COVID-19 data',
    'HTTP-2 and TLS-1.3, AES-128, MD-5, X86-64, ES-256',
    'Run `foo --bar=#12`, a&#39;b, page.html#42, x#12',
    '```\nABC-12 #42\n```',
    'version 1.2-3, 10-20, A-1, FOO-0, FOO-BAR-12',
    'PHASE-2 comes before STEP-3',
    'Is issue 42 open? ５番目の手順 #5',
    '',
  ]
  for (const prompt of prompts) expect(`${prompt}: ${findTaskReference(prompt)}`).toBe(`${prompt}: undefined`)
})

test('text: a branch names its issue, and not a date, a version or a count', () => {
  const branches = {
    'feature/ABC-12-rounding': 'ABC-12',
    'ABC-12': 'ABC-12',
    'jane/ABC-12_rounding': 'ABC-12',
    '42-fix-rounding': '#42',
    'fix/42': '#42',
    'fix/42-rounding': '#42',
    'issue-42': '#42',
    'claude/issue-42-rounding': '#42',
    'gh-42-rounding': '#42',
    main: undefined,
    'feature/rounding': undefined,
    'release/42': undefined,
    'release/1.2': undefined,
    '2024-01-15-experiment': undefined,
    '3-way-merge': undefined,
    'upgrade-react-18': undefined,
    'UTF-8-names': undefined,
    v2: undefined,
  } as const
  for (const [branch, reference] of Object.entries(branches))
    expect(`${branch}: ${findBranchReference(branch)}`).toBe(`${branch}: ${reference}`)
  expect(findBranchReference(undefined)).toBeUndefined()
})

test('text: one task has one id, however it is written', () => {
  expect(
    ['GH-42', ' #42 ', 'https://github.com/acme/shop/issues/42', 'ABC-12', 'nightly build'].map(normalizeTaskId),
  ).toEqual(['#42', '#42', '#42', 'ABC-12', 'nightly build'])
})
