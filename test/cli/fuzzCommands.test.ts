// Every command with random and hostile arguments, seeded. The long run is `npm run -s bench -- fuzz`.
import { describe, expect, test } from 'vitest'
import { fuzzInProcess } from '../../bench/bounds/fuzzInProcess.ts'
import { judgeRun } from '../../bench/bounds/judgeRun.ts'
import { checkStore } from '../../src/broker/checks/checkStore.ts'
import { openStore } from '../../src/broker/open/openStore.ts'
import { newFolder } from '../tempFolders.ts'

describe('cli: hostile arguments', () => {
  test('cli: no command prints a stack, has a bug, or damages the store', async () => {
    const folder = newFolder('fuzz')
    expect(await fuzzInProcess({ runs: 300, seed: 9, folder })).toEqual([])
    const checks = checkStore(openStore(`${folder}/project`, { MEMCTL_HOME: `${folder}/home` }), Date.now())
    expect(checks.filter(({ name, state }) => ['log', 'snapshot'].includes(name) && state === 'fail')).toEqual([])
  }, 240_000)

  test.each([
    [{ status: 3, out: '', err: '' }, 'ended with 3'],
    [{ status: undefined, out: '', err: '' }, 'ended with a signal'],
    [{ status: 1, out: '', err: 'Error: x\n    at run (a.js:1:1)\n' }, 'prints a stack'],
    [{ status: 1, out: '', err: 'memctl: internal error, x' }, 'has a bug'],
    [{ status: 2, out: '', err: '' }, 'fails without a word'],
    [{ status: 2, out: '', err: 'memctl: x. Do y.\n' }, undefined],
  ])('cli: the judge of a run knows %j', (run, what) => {
    expect(judgeRun(run)).toBe(what)
  })
})
