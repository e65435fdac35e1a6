// A summary says what was done: titles of commits, pull requests and plans, result sentences, checks, open items.
import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import type { Memory } from '../../src/model/memory.ts'
import { organizeSession } from '../../src/organize/organizeSession.ts'
import {
  BEGIN,
  buildMemoryMap,
  type ExampleSession,
  exampleSession,
  HOUR,
  recordEvents,
  sessionId,
} from '../testData.ts'

const organize = (session: ExampleSession, known: readonly Memory[] = []): Memory[] =>
  organizeSession(
    { session: sessionId(session.session), events: recordEvents(session.recorded) },
    buildMemoryMap(...known),
    DEFAULT_POLICY,
  )

function summarize(session: ExampleSession, known: readonly Memory[] = []): Memory {
  const summary = organize(session, known).find(({ kind }) => kind === 'summary')
  if (!summary) throw new Error('The session has no summary.')
  return summary
}

const headline = (session: ExampleSession): string => summarize(session).content.split('\n')[0] ?? ''
const experiences = (session: ExampleSession): Memory[] => organize(session).filter(({ kind }) => kind === 'experience')

const commitLine = (subject: string, files = 2) => `[main 1a2b3c4] ${subject}\n ${files} files changed, 9 insertions(+)`

test('organize: a summary begins with the commit, the state of the checks and the first open item', () => {
  const session = exampleSession()
    .asks('Can you make the cart export NDJSON?')
    .edits('src/cart.js')
    .runs('npm test', '12 passing')
    .runs('git commit -am "Add NDJSON export"', commitLine('Add NDJSON export'))
    .answers('Done. Added an NDJSON export to the cart.')
    .asks('And why does the linter complain?')
    .fails('npm run lint', 'src/cart.js:3:1 error: unused variable x')
    .answers('One variable is unused.')
  const summary = summarize(session)
  expect(summary.content.split('\n')[0]).toBe('Committed "Add NDJSON export"; tests pass; open: lint fails')
  expect(summary.leftOpen).toEqual(['lint fails'])
  expect(summary.content).toContain('Changed: src/cart.js')
  expect(summary.content).toContain('- Added an NDJSON export to the cart')
})

test('organize: a pull request names the session, and of several commits the one with most files', () => {
  const session = exampleSession().asks('Please export the cart.').edits('src/cart.js')
  session
    .runs('git commit -am "fix: format"', commitLine('fix: format', 1))
    .runs('git commit -am "Export the cart as CSV"', commitLine('Export the cart as CSV', 9))
  expect(headline(session)).toBe('Committed "Export the cart as CSV" and 1 more')
  session.runs('gh pr create --title "CSV export" --body "x"', 'https://github.com/dev/shop/pull/12')
  expect(headline(session)).toBe('Opened pull request "CSV export" (#12), 2 commits')
})

test('organize: without a commit the plan says what was done, then the result sentence of an answer', () => {
  const plan = exampleSession().asks(
    'Implement the following plan:\n\n# Plan: Cart totals in cents\n\n## Steps\n\nFirst.',
  )
  expect(headline(plan.edits('src/cart.js').answers('All done.'))).toBe('Implemented the plan "Cart totals in cents"')
  const approved = exampleSession().asks('How should totals work? Plan it.')
  approved.calls('ExitPlanMode', { plan: '# Totals in cents\n\n1. Change the cart' }, 'User has approved your plan.')
  expect(headline(approved.edits('src/cart.js').answers('Done.'))).toBe('Implemented the plan "Totals in cents"')
  const said = exampleSession().asks('Round the totals, please.').edits('src/cart.js')
  expect(headline(said.answers("Perfect! I've rounded every total half up in `src/cart.js`. Want me to commit?"))).toBe(
    'Rounded every total half up in `src/cart.js`',
  )
})

test('organize: a Japanese session is summarized by its commit or by the sentence that reports the result', () => {
  const committed = exampleSession().asks('カートの合計を四捨五入してください。').edits('src/cart.js')
  committed.runs("git commit -F - <<'EOF'\n合計を四捨五入する\n\n詳細\nEOF", commitLine('合計を四捨五入する'))
  expect(headline(committed)).toBe('Committed "合計を四捨五入する"')
  const said = exampleSession().asks('カートの合計を四捨五入してください。').edits('src/cart.js')
  said.answers('完了しました。src/cart.jsの合計を四捨五入するように変更しました。次にテストを実行します。')
  expect(headline(said)).toBe('src/cart.jsの合計を四捨五入するように変更しました')
  expect(summarize(said).content).toContain('Asked: カートの合計を四捨五入してください')
})

test('organize: agreement, interruptions and texts of the client are not what was asked', () => {
  const session = exampleSession()
    .asks('Why is the total wrong?')
    .answers('It adds floats. Would you like me to switch the cart to integer cents?')
    .asks('yes please')
    .edits('src/cart.js')
    .answers('Done.')
    .asks('[Request interrupted by user]')
    .asks('commit this and push')
    .answers('Done.')
  const { content, searchText } = summarize(session)
  expect(content).toBe('Worked on: switch the cart to integer cents\nChanged: src/cart.js')
  // The words of the prompts still find the session.
  expect(searchText).toContain('Why is the total wrong?')
})

test('organize: a session that did nothing is only found by a search', () => {
  const talk = exampleSession()
    .asks('What does the cart do?')
    .calls('Read', { file_path: 'src/cart.js' })
    .answers('It adds.')
  expect(summarize(talk)).toMatchObject({ searchOnly: true, questionOnly: true })
  expect(summarize(exampleSession().asks('Fix the cart.').edits('src/cart.js')).searchOnly).toBeUndefined()
})

test('organize: commits in temporary folders and commits that failed are not work of the session', () => {
  const session = exampleSession()
    .asks('Try how git mv works.')
    .runs('cd /tmp && git init x && git commit -m "initial"', commitLine('initial'))
    .runs('git commit -m "wip" | tail -5', 'nothing to commit, working tree clean')
    .fails('git commit -m "broken"', 'pre-commit hook failed')
  expect(summarize(session).content).not.toMatch(/initial|wip|broken/)
  expect(summarize(session).leftOpen).toContain('git commit fails')
})

test('organize: unfinished tasks, later changes and a question to the person are open', () => {
  const session = exampleSession().asks('Move the cart to cents and update the docs.')
  session.calls('TodoWrite', {
    todos: [
      { content: 'Change the cart', status: 'completed' },
      { content: 'Update the docs', status: 'pending' },
    ],
  })
  session
    .runs('git commit -am "Use cents"', commitLine('Use cents'))
    .edits('src/tax.js')
    .answers('The cart uses cents now. Which currency should the docs use, EUR or JPY?')
  expect(summarize(session).leftOpen).toEqual([
    'not done: Update the docs',
    'changed after the last commit: tax.js',
    'question to the person: Which currency should the docs use, EUR or JPY?',
  ])
})

test('organize: a task list that is finished, or that nobody updates any more, leaves nothing open', () => {
  const tasks = exampleSession().asks('Do both steps.')
  tasks.calls('TaskCreate', { subject: 'First step' }, 'Task #1 created successfully: First step')
  tasks.calls('TaskCreate', { subject: 'Second step' }, 'Task #2 created successfully: Second step')
  tasks.calls('TaskUpdate', { taskId: '1', status: 'completed' }, 'Updated task #1 status').edits('a.js')
  expect(summarize(tasks.answers('The first step is done.')).leftOpen).toEqual(['not done: Second step'])
  for (const prompt of ['Explain a.js to me.', 'Rename a.js to b.js.', 'Sort the imports.'])
    tasks.asks(prompt).answers('That is done now.')
  expect(summarize(tasks).leftOpen).toEqual([])
})

test('organize: files that commands changed are listed, grouped by folder if there are many', () => {
  const session = exampleSession()
    .asks('Rename the helpers.')
    .runs('git mv src/old.js src/new.js')
    .runs("sed -i 's/old/new/' src/cart.js test/cart.test.js")
    .runs('node gen.js > src/table.js')
    .runs('npx prettier --write src/tax.js && rm src/dead.js', '')
    .runs('npm run generate', 'Wrote src/types.d.ts')
    .runs('grep -n old src/unrelated.js')
  const { content } = summarize(session)
  expect(content).toContain('src/: old.js, new.js, cart.js and 4 more; test/: cart.test.js')
  expect(content).not.toContain('unrelated')
})

test('organize: a check whose failure a pipe hides has failed; a pass before the last change is not reported', () => {
  const hidden = exampleSession()
    .asks('Fix the cart.')
    .edits('src/cart.js')
    .runs('npm test | tail -3', '3 failed, 9 passed')
  expect(headline(hidden)).toContain('open: tests fail')
  const stale = exampleSession()
    .asks('Fix the cart.')
    .runs('npm test', '9 passed')
    .edits('src/cart.js')
    .answers('Done.')
  expect(headline(stale)).toBe('Worked on: Fix the cart')
})

test('organize: a session that goes on is named by its later work, and what was open before is dropped', () => {
  const first = exampleSession().asks('Add a discount.').edits('src/cart.js').fails('npm test', 'Error: total is wrong')
  const known = organize(first)
  const later = exampleSession(first.session, BEGIN + HOUR)
    .asks('Go on.')
    .edits('src/cart.js')
    .runs('npm test', 'ok')
  later.runs('git commit -am "Add a discount"', commitLine('Add a discount'))
  const { content, leftOpen } = summarize(later, known)
  expect(content.split('\n').slice(0, 2)).toEqual(['Committed "Add a discount"; tests pass', 'Changed: src/cart.js'])
  expect(content).not.toContain('total is wrong')
  expect(leftOpen).toEqual([])
})

test('organize: an experience says what was asked, what came of it and which files were changed', () => {
  const session = exampleSession()
    .asks('Hi, could you please round the totals? Thanks')
    .edits('src/cart.js')
    .answers('All tests pass. Added `roundHalfUp` to the cart.')
    .asks('commit')
    .runs('git commit -am "Round totals"', commitLine('Round totals'))
    .answers('Committed.')
    .asks('Does the tax use it too?')
    .answers('No, the tax still truncates because it works on strings.')
  const [work, commit, question] = experiences(session)
  expect(work?.content).toBe('round the totals → Added `roundHalfUp` to the cart\nChanged src/cart.js')
  expect(work?.searchOnly).toBeUndefined()
  expect(commit).toMatchObject({ content: 'committed "Round totals"', searchOnly: true })
  expect(question?.content).toBe('Does the tax use it too? → The tax still truncates because it works on strings')
  expect(question?.searchOnly).toBeUndefined()
})

test('organize: no line for files that have no plain name', () => {
  const session = exampleSession()
    .asks('Write down the research questions.')
    .edits('docs/build-swarm-automation-with-a-workflow-engine-and-many-more-words/questions.md')
    .answers('Wrote eight research questions.')
  expect(summarize(session).content).not.toContain('Changed')
  expect(experiences(session).map(({ content }) => content)).toEqual([expect.not.stringContaining('Changed')])
})

test('organize: a merge with conflicts is open until a commit ends it', () => {
  const conflict = 'CONFLICT (content): Merge conflict in src/cart.js\nAutomatic merge failed'
  const merges = () =>
    exampleSession().asks('Merge main, please.').edits('src/cart.js').fails('git merge main', conflict)
  expect(summarize(merges()).leftOpen).toEqual([expect.stringContaining('git merge fails'), expect.anything()])
  const ended = merges().edits('src/cart.js').runs('git add -A && git commit --no-edit', commitLine('Merge main'))
  expect(summarize(ended).leftOpen).toEqual([])
})
