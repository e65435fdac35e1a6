// The developer commands: both programs start from their bundle, and errors name the command that was typed.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDeveloperCommand } from '../../bench/run.ts'
import { newWorld, REPOSITORY, type World } from '../cli/testContext.ts'

let world: World
beforeAll(() => {
  world = newWorld({}, runDeveloperCommand)
})
afterAll(() => world.end())

test('bench: the bundle runs both programs, and their help lists the commands', () => {
  const help = (program: string) =>
    spawnSync(process.execPath, [path.join(REPOSITORY, 'bench', 'run.mjs'), program, '--help'], { encoding: 'utf8' })
  expect(help('eval').stdout).toMatch(/retrieval[\s\S]*recordings[\s\S]*fit[\s\S]*ablation/)
  expect(help('bench').stdout).toMatch(/hooks[\s\S]*organize[\s\S]*rebuild[\s\S]*recall[\s\S]*tools[\s\S]*hub/)
})

test('bench: a wrong option exits with 2, and the hint names the npm script', async () => {
  const result = await world.memctl('eval', 'fit', '--nonsense')
  expect(result.status).toBe(2)
  expect(result.err).toContain('`npm run -s eval -- fit --help`')
})

test('bench: any other program is an error', async () => {
  expect(await world.memctl('replay')).toMatchObject({ status: 2, out: '' })
})

test('bench: fit and ablation run on dialogues that they generate', async () => {
  const fit = await world.json<{ test: { ndcg10: number }; initial: { ndcg10: number } }>('eval', 'fit', '--talks', '3')
  expect(fit.test.ndcg10).toBeGreaterThan(fit.initial.ndcg10)
  const ablation = await world.json<{ questions: number; without: object[] }>('eval', 'ablation', '--talks', '3')
  expect(ablation.questions).toBeGreaterThan(0)
  expect(ablation.without).not.toEqual([])
})
