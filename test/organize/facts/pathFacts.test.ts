// Paths that do not exist, and the one that a session found instead.
import { expect, test } from 'vitest'
import { ROOT } from '../../testData.ts'
import { factsAfter, failsTool, linesAfter, missesFile, nthSession, reads } from './factLines.ts'

test('path facts: a missing file and the file of the same name elsewhere', () => {
  const told = reads(missesFile(nthSession(1), 'src/basket/total.py'), 'src/shop/basket/total.py')
  expect(linesAfter(told)).toEqual(['Use `src/shop/basket/total.py`: there is no `src/basket/total.py`'])
})

test('path facts: wrong guesses of several sessions for one file are one fact', () => {
  const first = reads(missesFile(nthSession(1), 'lib/money/money.rb'), 'lib/money/amount.rb')
  const second = reads(missesFile(nthSession(2), 'lib/money/currency.rb'), 'lib/money/amount.rb')
  expect(linesAfter(first, second)).toEqual([
    'Use `lib/money/amount.rb`: there is no `money.rb`, `currency.rb` beside it',
  ])
  expect(factsAfter(first, second)[0]).toMatchObject({ sessionCount: 2, fact: { state: 'standing', failures: 2 } })
})

test('path facts: after two wrong guesses the fact is about the next missing file of the folder', () => {
  const first = reads(missesFile(nthSession(1), 'lib/money/money.rb'), 'lib/money/amount.rb')
  const second = reads(missesFile(nthSession(2), 'lib/money/currency.rb'), 'lib/money/amount.rb')
  const [fact] = factsAfter(first, second)
  expect(fact?.fact?.triggers).toEqual([
    { paths: ['lib/money/money.rb'] },
    { paths: ['lib/money/currency.rb'] },
    { paths: ['lib/money'], errors: ['does not exist', 'No such file or directory'] },
  ])
})

test('path facts: a session that finds nothing counts for the fact that knows the right file', () => {
  const first = reads(missesFile(nthSession(1), 'lib/money/money.rb'), 'lib/money/amount.rb')
  const second = missesFile(nthSession(2), 'lib/money/money.rb')
  expect(factsAfter(first, second).map(({ sessionCount }) => sessionCount)).toEqual([2])
})

test('path facts: the name that the tool suggests is the right one', () => {
  const error = '<tool_use_error>File does not exist. Did you mean .eslintrc.cjs?</tool_use_error>'
  const told = failsTool(nthSession(1), 'Read', { file_path: `${ROOT}/.eslintrc.js` }, error)
  expect(linesAfter(told)).toEqual(['Use `.eslintrc.cjs`: there is no `.eslintrc.js`'])
})

test('path facts: a folder that does not exist, and the folder of its things', () => {
  const error = `<tool_use_error>Path does not exist: ${ROOT}/app/models/concerns</tool_use_error>`
  const told = failsTool(nthSession(1), 'Grep', { pattern: 'Taxable', path: `${ROOT}/app/models/concerns` }, error)
  reads(told, 'app/models/taxable.rb')
  expect(linesAfter(told)).toEqual(['Look in `app/models/` itself: there is no folder `app/models/concerns/`'])
})

test.each([
  ['cat', 'cat src/till/tax.rs', 'cat: src/till/tax.rs: No such file or directory'],
  ['GNU ls', 'ls -l src/till/tax.rs', "ls: cannot access 'src/till/tax.rs': No such file or directory"],
  ['node', 'node src/till/tax.rs', "Error: ENOENT: no such file or directory, open 'src/till/tax.rs'"],
  [
    'python',
    'python src/till/tax.rs',
    "python: can't open file 'src/till/tax.rs': [Errno 2] No such file or directory",
  ],
  ['pytest', 'pytest src/till/tax.rs', 'ERROR: file or directory not found: src/till/tax.rs'],
  ['git', 'git add src/till/tax.rs', "fatal: pathspec 'src/till/tax.rs' did not match any files"],
  ['Japanese', 'cat src/till/tax.rs', 'cat: src/till/tax.rs: そのようなファイルやディレクトリはありません'],
])('path facts: the wording of %s', (_, command, error) => {
  const told = reads(nthSession(1).fails(command, `Exit code 1\n${error}`), 'src/till/taxes.rs')
  expect(linesAfter(told)).toEqual(['Use `src/till/taxes.rs`: there is no `tax.rs` beside it'])
})

test('path facts: what the session makes, moves or removes is no missing path', () => {
  const written = missesFile(nthSession(1), 'src/new.ts').calls('Write', {
    file_path: `${ROOT}/src/new.ts`,
    content: 'x',
  })
  const removed = missesFile(nthSession(2).runs('git rm src/old.ts'), 'src/old.ts')
  const made = missesFile(nthSession(3), 'docs/plan/today.md').runs('mkdir -p docs && echo x > docs/plan/today.md')
  expect(linesAfter(written, removed, made)).toEqual([])
})

test('path facts: paths outside the project, of dependencies and of version control are left out', () => {
  const told = nthSession(1)
    .fails('cat /tmp/notes/x.txt', 'Exit code 1\ncat: /tmp/notes/x.txt: No such file or directory')
    .fails('cat node_modules/a/b.js', 'Exit code 1\ncat: node_modules/a/b.js: No such file or directory')
    .fails('ls .git/rebase-merge/', 'Exit code 1\nls: .git/rebase-merge/: No such file or directory')
  expect(linesAfter(told)).toEqual([])
})

test('path facts: a path that a program looked for itself is not the mistake of the command', () => {
  const told = nthSession(1).fails(
    'npm run seed',
    'Exit code 1\nError: ENOENT: no such file or directory, open data/seed.json',
  )
  expect(linesAfter(told)).toEqual([])
})

test('path facts: a path that exists from another folder is no fact', () => {
  const told = nthSession(1).fails(
    'cat basket/total.py',
    'Exit code 1\ncat: basket/total.py: No such file or directory',
  )
  expect(linesAfter(reads(told, 'src/shop/basket/total.py'))).toEqual([])
})

test('path facts: a fact retires when its path exists, and a search without a result does not prove it', () => {
  const met = reads(missesFile(nthSession(1), 'lib/money/money.rb'), 'lib/money/amount.rb')
  const searched = nthSession(2).calls('Grep', { pattern: 'x', path: `${ROOT}/lib/money/money.rb` }, 'No files found')
  expect(linesAfter(met, searched)).toHaveLength(1)
  expect(linesAfter(met, searched, reads(nthSession(3), 'lib/money/money.rb'))).toEqual([])
})
