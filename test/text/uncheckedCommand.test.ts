// Commands that pass although nothing was solved.
import { expect, test } from 'vitest'
import { givesUp, hidesExitStatus, skipsChecks, withoutSurroundings } from '../../src/text/hiddenFailure.ts'

test('text: options, variables and fallbacks that skip a check are recognized, quoted ones are not', () => {
  for (const command of [
    'git commit --no-verify -m "x"',
    'git commit -anm x',
    'git push -f origin main',
    'git push --force-with-lease',
    'npm run lint || true',
    'HUSKY=0 git commit -m x',
    'SKIP=eslint git commit',
    'mvn package -DskipTests',
    'gradle build --skip-tests',
    'go vet ./... 2>&1 | grep -v "unsafe.Pointer" | head',
    'npm run lint | grep -iv warning',
  ])
    expect([command, skipsChecks(command)]).toEqual([command, true])
  for (const command of [
    'git commit -m "never use --no-verify"',
    'git push',
    'npm test',
    'npm test | grep -i FAIL',
    'prettier --write .',
  ])
    expect([command, skipsChecks(command)]).toEqual([command, false])
})

test('text: a pipe, a fallback or a following command hides an exit status', () => {
  for (const command of ['npm test | tail', 'npm test; echo done', 'npm test || echo failed'])
    expect([command, hidesExitStatus(command)]).toEqual([command, true])
  for (const command of ['npm test', 'cd app && npm test', 'grep "a|b" c', 'set -o pipefail; npm test | tail'])
    expect([command, hidesExitStatus(command)]).toEqual([command, false])
})

test('text: giving up and asking for help are no success', () => {
  expect(['git rebase --abort', 'go test --help', 'node --version'].map(givesUp)).toEqual([true, true, true])
  expect(['git rebase --continue', 'git commit -m "--abort"'].map(givesUp)).toEqual([false, false])
})

test('text: a command is repeated without its folder and without shortening its output', () => {
  expect(withoutSurroundings('cd /home/dev/shop && npm test 2>&1 | tail -20')).toBe('npm test')
  expect(withoutSurroundings('cd app && npm test | grep FAIL')).toBe('cd app && npm test | grep FAIL')
})
