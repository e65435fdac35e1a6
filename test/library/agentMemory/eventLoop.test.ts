// The library in a program with other work: what takes long lets the event loop go on.
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type * as memctl from '../../../src/index.ts'
import { REPOSITORY } from '../../cli/testContext.ts'
import { newFolder } from '../../tempFolders.ts'

/** As npm installs it: the thread that writes snapshots is a file beside it. */
const { AgentMemory, createTaskExecutor, DatabaseConnection, MemoryRepository } = createRequire(import.meta.url)(
  path.join(REPOSITORY, 'dist/index.cjs'),
) as typeof memctl

/** How often other callbacks ran until `work` was done. */
async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isDone = false
  const turn = (): void => {
    turns++
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  isDone = true
  return turns
}

describe('library, event loop', () => {
  test('library: other callbacks run while memories are stored, written and searched', {
    timeout: 120_000,
  }, async () => {
    const [home, project] = [newFolder('loop'), newFolder('loop-project')]
    const open = () => new DatabaseConnection({ project, env: { MEMCTL_HOME: home }, databaseUrl: null })
    const db = open()
    const repository = new MemoryRepository(db)
    const text = 'the carpenter keeps the shelf near the window '.repeat(30)
    const store = async () => {
      for (let i = 0; i < 800; i++)
        await repository.create(AgentMemory.create({ agentId: 'a', content: `note ${i}: ${text}` }))
    }
    expect(await countTurns(store)).toBeGreaterThan(0)
    const manifest = () => listManifests(home)
    expect(manifest()).toEqual([])
    expect(await countTurns(() => db.close())).toBeGreaterThan(0)
    expect(manifest()).toHaveLength(1)
    const again = open()
    expect(await new MemoryRepository(again).countActiveMemories('a')).toBe(800)
    const search = () =>
      createTaskExecutor(again).searchMemories({ query: 'which note has a carpenter?', agentId: 'a' })
    expect(await countTurns(search)).toBeGreaterThan(0)
    await again.close()
  })
})

const listManifests = (home: string): string[] =>
  fs.readdirSync(`${home}/projects`).filter((name) => fs.existsSync(`${home}/projects/${name}/manifest.json`))
