// Commits, pull requests and issues of a shell line.
import { expect, test } from 'vitest'
import { findCommits, findTitledRequests, listUncommittedFiles, showPushed } from '../../src/text/commitCommands.ts'

const subjects = (command: string, output = '', readFile?: (path: string) => string | undefined) =>
  findCommits(command, output, readFile).map(({ subject }) => subject)

test('text: the subject of a commit is found in every form of the message', () => {
  expect(subjects('git add -A && git commit -m "Round half up" -m "Why"')).toEqual(['Round half up'])
  expect(subjects("git commit -am 'Round half up'")).toEqual(['Round half up'])
  expect(subjects('git commit --message="Round half up"')).toEqual(['Round half up'])
  expect(subjects('git commit -m "$(cat <<\'EOF\'\nRound half up\n\nWhy (long)\nEOF\n)"')).toEqual(['Round half up'])
  expect(subjects('git commit -F - <<EOF\nRound half up\nEOF')).toEqual(['Round half up'])
  expect(subjects('git commit -F message.txt', '', () => 'Round half up\n\nWhy')).toEqual(['Round half up'])
  expect(subjects('git -C . commit -m "合計を四捨五入する"')).toEqual(['合計を四捨五入する'])
})

test('text: what git printed counts before the command', () => {
  const output = 'lint ok\n[dev/cart-1 1a2b3c4] Round totals half up\n Author: Dev\n 3 files changed, 4 insertions(+)'
  expect(findCommits('git commit --amend -m "x"', output)).toEqual([
    { subject: 'Round totals half up', fileCount: 3, isAmended: true },
  ])
  expect(subjects('git cherry-pick 1a2b3c4', '[detached HEAD 1a2b3c4] Fix the tax')).toEqual(['Fix the tax'])
})

test('text: a failed commit, an experiment elsewhere and other commands of git are no commits', () => {
  expect(subjects('git commit -m "x y" | cat', 'nothing to commit, working tree clean')).toEqual([])
  expect(subjects('cd /tmp/try && git commit -m "x y"')).toEqual([])
  expect(subjects('T=$(mktemp -d); cd $T; git init; git commit -m "x y"')).toEqual([])
  expect(subjects('git commit -m "x y"', 'ok\nShell cwd was reset to /home/dev/shop')).toEqual([])
  expect(subjects('git log --grep "commit" --oneline')).toEqual([])
  expect(subjects('git commit --dry-run -m "x y"')).toEqual([])
  // A wrapper may end without an error: only the output says that a hook has refused the commit.
  expect(subjects('wrap git commit -m "x y"', 'FAILED: git commit\nlint: 2 errors')).toEqual([])
  expect(subjects('git commit -m "x y" | tail -2', 'husky - pre-commit script failed (code 1)')).toEqual([])
  expect(subjects('git commit -m "x y" | tail -2', 'error Command exited with code 2')).toEqual([])
  expect(subjects('wrap git commit -m "x y"', 'ok\n0 errors, exited with code 0')).toEqual(['x y'])
})

test('text: pull requests and issues have a title and a number', () => {
  expect(
    findTitledRequests('gh pr create --draft --title "CSV export" --body "x"', 'https://github.com/dev/shop/pull/12'),
  ).toEqual([{ kind: 'pull request', title: 'CSV export', number: '12' }])
  expect(findTitledRequests('glab mr create -t "CSV export"', '')).toEqual([
    { kind: 'pull request', title: 'CSV export', number: '' },
  ])
  expect(findTitledRequests('gh issue create --title=Slow', 'https://github.com/dev/shop/issues/3')).toEqual([
    { kind: 'issue', title: 'Slow', number: '3' },
  ])
  expect(findTitledRequests('gh pr list', '')).toEqual([])
})

const FILES = ['src/cart.ts', 'src/new/tax.ts']
const left = (...lines: readonly (readonly [command: string, output: string])[]) =>
  listUncommittedFiles(
    FILES,
    lines.map(([command, output]) => ({ command, output })),
    'main',
  )

test('text: files are committed once a commit takes what was added, or a whole status does not name them', () => {
  expect(left(['git add src && git commit -qm "Tax"', '']), 'a folder').toEqual([])
  expect(left(['git add src/cart.ts', ''], ['git commit -m "Tax" -q', '']), 'added before').toEqual(['src/new/tax.ts'])
  expect(left(['git commit -q -am "Tax of src"', '[main 1a2b3c4] Tax'])).toEqual([])
  expect(left(['git status', 'On branch main\nnothing to commit, working tree clean'])).toEqual([])
  expect(left(['git -C . status -sb', '## main...origin/main\n M src/cart.ts'])).toEqual(['src/cart.ts'])
  expect(left(['git status --short', '?? src/new/'])).toEqual(['src/new/tax.ts'])
})

test.each([
  ['a message that names them', 'git commit -m "Rename src/cart.ts"', '[main 1a2b3c4] Rename src/cart.ts'],
  ['a commit that was refused', 'git add . && wrap git commit -m "Tax"', 'FAILED: git commit'],
  ['another branch', 'git status', 'On branch tax\nnothing to commit, working tree clean'],
  ['a status of one folder', 'git status docs', 'On branch main\nnothing to commit'],
  ['a status behind a filter', 'git status --short | head -1', ' M docs/a.md'],
  ['a status without its end', 'git status', '📝 Modified: 9 files\n   a.ts\n   ... +8 more'],
  ['changes that were dropped', 'git restore . && git status', 'On branch main\nnothing to commit'],
  ['another repository', 'cd /tmp/try && git add . && git commit -m "Tax"', '[main 1a2b3c4] Tax'],
])('text: %s says nothing of files that are not committed', (_, command, output) => {
  expect(left([command, output])).toEqual(FILES)
})

const EVEN = "On branch main\nYour branch is up to date with 'origin/main'."

test.each([
  ['git push', '', true],
  ['git push --force-with-lease origin main 2>&1', 'To github.com:dev/shop', true],
  ['git push -u origin HEAD', '', true],
  ['git push origin tax && git push origin +main:main', '', true],
  ['git push origin tax', '', false],
  ['git push --dry-run', '', false],
  ['git push | tail -3', ' ! [rejected] main -> main (fetch first)', false],
  ['git status', EVEN, true],
  ['git status', EVEN.replace('main', 'tax'), false],
  ['git reset --soft HEAD~1 && git status', EVEN, false],
  ['wrap git status', '📌 main...origin/main', true],
  ['git status -sb', '## main...origin/main [ahead 2]', false],
  ['echo "git push"', EVEN, false],
])('text: whether a line shows that a branch is pushed: %s, %s', (command, output, is) => {
  expect(showPushed([{ command, output }], 'main')).toBe(is)
})

test('text: after commits were dropped only a push shows that a branch is pushed', () => {
  const [reset, status, push] = ['git reset --hard origin/main', 'git status', 'git push'].map((command) => ({
    command,
    output: command === 'git status' ? EVEN : '',
  }))
  expect(showPushed([reset!, status!], 'main')).toBe(false)
  expect(showPushed([reset!, status!, push!], 'main')).toBe(true)
})
