// The lessons that a report states, in English and Japanese, in each form, and what is no lesson.
import { expect, test } from 'vitest'
import { findReportLessons } from '../../src/text/agentReport.ts'

const RULE = 'Run `make fixtures` before the tests.'

test('text: lessons are found under every form of heading', () => {
  const headings = [
    'Lessons:',
    '## Lessons',
    '### Lessons learned',
    '**Lessons:**',
    '**Lessons Learned**',
    '3. Learnings:',
    '## Key learnings',
    '## 💡 Lessons learned & next steps',
    'Lessons for later agents:',
    '## 教訓',
    '【学び】',
    '**学んだこと：**',
    '今回の教訓：',
  ]
  for (const heading of headings) {
    expect(
      findReportLessons(`Reviewed it.\n\n${heading}\n- ${RULE}\n\n## Next\n- Something else to do`),
      heading,
    ).toEqual([RULE])
  }
})

test('text: the one-line form has one lesson', () => {
  expect(findReportLessons(`Lessons: ${RULE}`)).toEqual([RULE])
  expect(findReportLessons('- **Lesson learned:** Check the schema first. Otherwise the seed fails.')).toEqual([
    'Check the schema first. Otherwise the seed fails.',
  ])
  expect(findReportLessons('教訓：テストの前に価格表をビルドする。')).toEqual(['テストの前に価格表をビルドする。'])
})

test('text: a lesson may go over several lines; details of an item and the text after the list are no lessons', () => {
  const report = [
    '## Lessons learned',
    '',
    '1. Never mock the clock',
    '   in tax tests.',
    '   - the test of March shows why',
    '',
    '2. Use **pnpm**, not npm, in [this repository](docs/x.md).',
    '',
    'That is all that I have done.',
  ]
  expect(findReportLessons(report.join('\n'))).toEqual([
    'Never mock the clock in tax tests.',
    'Use pnpm, not npm, in this repository.',
  ])
  expect(findReportLessons('Lessons: The migration must run before the\nseed script.\nStatus: done')).toEqual([
    'The migration must run before the seed script.',
  ])
  expect(findReportLessons('## 学び\n・価格は整数の\n  セントで持つ\n\n## 次\n・別の作業をする')).toEqual([
    '価格は整数のセントで持つ',
  ])
})

test('text: what says nothing by itself, or that nothing was learned, is no lesson', () => {
  const silent = [
    'Lessons: none',
    'Lessons learned: N/A',
    'Lessons: nothing new',
    'Lesson: It was slow.',
    'Lessons: This was hard to find.',
    'Lessons: see above for the details',
    'Lessons:\n- ok\n- What is the right port?',
    '教訓：特になし',
    '学び：\n- なし',
    '教訓：これは難しかったです',
    'The lessons page lists all courses: math, physics',
    'I learned a lot about prices.',
    '```\nLessons: Run the tests first, always.\n```',
    '',
  ]
  for (const report of silent) expect(findReportLessons(report), report).toEqual([])
})

test('text: a long lesson is cut to its first sentence, and a report has at most six', () => {
  const long = `Keep the cache warm. ${'It matters for many reasons that this item explains at length. '.repeat(8)}`
  expect(findReportLessons(`Lessons:\n- ${long}`)).toEqual(['Keep the cache warm.'])
  const many = Array.from({ length: 9 }, (_, i) => `- Rule number ${i} of this project`)
  expect(findReportLessons(`Lessons:\n${many.join('\n')}`)).toHaveLength(6)
  expect(findReportLessons(`Lessons:\n- ${RULE}\n- ${RULE}`)).toEqual([RULE])
})
