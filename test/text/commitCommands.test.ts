// Commits, pull requests and issues of a shell line.
import { expect, test } from 'vitest'
import { findCommits, findTitledRequests } from '../../src/text/commitCommands.ts'

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
