// The hub on PostgreSQL: push, pull, forget and search, as src/team/hub.ts promises.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HubEmbedder } from '../../../src/database/hub/hubVectors.ts'
import { createPostgresHub } from '../../../src/database/hub/postgresHub.ts'
import { FIRST_EPOCH } from '../../../src/team/hub.ts'
import { extractTerms } from '../../../src/text/terms/extractTerms.ts'
import {
  countOf,
  DIMENSION,
  machine,
  memoryOf,
  operationOf,
  putOf,
  startTestHub,
  type TestHub,
  uuid,
} from './hubServer.ts'

let team: TestHub
beforeAll(async () => {
  team = await startTestHub()
})
afterAll(() => team?.close())

const put = (n: number, content = `text ${n}`, from = 1) => operationOf(from, n, n, putOf(content))
const terms = (text: string) => [...new Set(extractTerms(text))]

/** One dimension per word: the same words, the same direction. */
const WORDS = ['docker', 'compose', 'port', 'lint', 'test', 'ビルド', '失敗', 'cache']
const embedder: HubEmbedder = {
  model: 'words',
  embed: async (texts) => texts.map(vectorOf),
}
const vectorOf = (text: string): number[] => WORDS.slice(0, DIMENSION).map((word) => (text.includes(word) ? 1 : 0.01))

describe('hub on PostgreSQL', () => {
  test('hub: it says which hub it is, at which version, and whether one may write', async () => {
    const first = await team.hub.describe()
    expect(first).toMatchObject({ canWrite: true })
    expect(first.hub).toMatch(/^[0-9a-f-]{36}$/)
    expect(first.version).toBeGreaterThanOrEqual(3)
    expect(await team.hub.describe()).toEqual(first)
  })

  test('push and pull: what one machine pushed comes back as it was, in order, once', async () => {
    const operations = [
      put(1, 'ポート 5432 は使用中 \u0000 "quoted" \\ {a,b} 😀'),
      operationOf(1, 2, 1, countOf(3)),
      operationOf(1, 3, 1, { kind: 'supersede', memoryBy: memoryOf(2) }),
      operationOf(1, 4, 1, { kind: 'supersede', memoryBy: null }),
      operationOf(1, 5, 1, { kind: 'withdraw' }),
      operationOf(1, 6, 2, { kind: 'delete' }),
    ]
    expect(await team.hub.push('order', operations)).toMatchObject({ stored: 6, skipped: 0 })
    expect(await team.hub.push('order', operations)).toMatchObject({ stored: 0, skipped: 6 })
    expect(await team.hub.pull('order', 0, 100)).toEqual({
      operations,
      through: 6,
      more: false,
      epoch: FIRST_EPOCH,
      last: 6,
    })
    expect(await team.hub.pull('order', 6, 100)).toEqual({
      operations: [],
      through: 6,
      more: false,
      epoch: FIRST_EPOCH,
      last: 6,
    })
    expect(await team.hub.lastPushed('order', machine(1))).toBe(6)
    expect(await team.hub.lastPushed('order', machine(2))).toBe(0)
  })

  test('pull: in pages, without gaps; a page says whether there are more', async () => {
    await team.hub.push(
      'pages',
      [1, 2, 3, 4, 5].map((n) => put(n)),
    )
    const first = await team.hub.pull('pages', 0, 2)
    expect(first.operations.map(({ n }) => n)).toEqual([1, 2])
    expect(first).toMatchObject({ through: 2, more: true })
    const last = await team.hub.pull('pages', 4, 2)
    expect(last.operations.map(({ n }) => n)).toEqual([5])
    expect(last).toMatchObject({ through: 5, more: false })
  })

  test('push: a batch that overlaps with what is there adds only the rest, at the next positions', async () => {
    await team.hub.push('overlap', [put(1), put(2)])
    await team.hub.push('overlap', [operationOf(2, 1, 9, putOf('of another machine'))])
    const twice = [put(2), put(3), put(3), put(4)]
    expect(await team.hub.push('overlap', twice)).toMatchObject({ stored: 2, skipped: 2 })
    const { operations, through } = await team.hub.pull('overlap', 0, 100)
    expect(operations.map(({ replica, n }) => [replica, n])).toEqual([
      [machine(1), 1],
      [machine(1), 2],
      [machine(2), 1],
      [machine(1), 3],
      [machine(1), 4],
    ])
    expect(through).toBe(5)
  })

  test('push: another operation with the same machine and number is a conflict; nothing is stored', async () => {
    await team.hub.push('conflict', [put(1)])
    const other = { ...put(1, 'written after a restored backup'), id: uuid('c', 1) as ReturnType<typeof put>['id'] }
    await expect(team.hub.push('conflict', [put(2), other])).rejects.toMatchObject({ code: 'HUB_CONFLICT' })
    expect((await team.hub.pull('conflict', 0, 100)).through).toBe(1)
  })

  test('push: machines that push at the same time get different positions, and a reader misses none', async () => {
    const pushes = Array.from({ length: 6 }, (_, from) =>
      Array.from({ length: 5 }, (_, i) => i + 1).map((n) =>
        operationOf(from + 1, n, from * 10 + n, putOf(`text ${n}`)),
      ),
    )
    const seen: string[] = []
    let after = 0
    const read = async (): Promise<void> => {
      const { operations, through } = await team.hub.pull('parallel', after, 4)
      seen.push(...operations.map(({ id }) => id))
      after = through
    }
    await Promise.all([...pushes.map((batch) => team.hub.push('parallel', batch)), read(), read().then(read)])
    // Reads that ran at the same time may overlap; from the position of the last one on, all comes in order.
    for (let more = true; more; ) {
      const page = await team.hub.pull('parallel', after, 7)
      seen.push(...page.operations.map(({ id }) => id))
      after = page.through
      more = page.more
    }
    expect(new Set(seen)).toEqual(new Set(pushes.flat().map(({ id }) => id)))
    expect(after).toBe(30)
  })

  test('forget: payloads, text, words and vector are erased, of later changes too; the forget is left', async () => {
    const hub = createPostgresHub(team.database, { embedder })
    await hub.push('forget', [operationOf(1, 1, 1, putOf('secret docker port')), operationOf(1, 2, 2, putOf('stays'))])
    await hub.push('forget', [operationOf(2, 1, 1, putOf('the secret of another', 'Ben'))])
    await hub.push('forget', [operationOf(1, 3, 1, { kind: 'forget' })])
    await hub.push('forget', [operationOf(2, 2, 1, putOf('secret again')), operationOf(2, 3, 1, countOf(2))])
    const { operations, through } = await hub.pull('forget', 0, 100)
    expect(operations.map(({ kind, memory }) => [kind, memory])).toEqual([
      ['put', memoryOf(2)],
      ['forget', memoryOf(1)],
    ])
    expect(through).toBe(4)
    expect(await hub.lastPushed('forget', machine(2))).toBe(3)
    for (const table of ['hub_operations', 'hub_memories', 'hub_vectors']) {
      const { rows } = await team.database.query<{ text: string }>(
        `select coalesce(string_agg(t::text, ' '), '') as text from ${table} t where t.project_id = 'forget'`,
      )
      expect(rows[0]?.text).not.toMatch(/secret|docker|Ben/)
    }
    const vectors = await team.database.query(`select 1 from hub_vectors v where v.project_id = 'forget'`)
    expect(vectors.rowCount).toBe(1)
    expect(await hub.search?.('forget', { terms: terms('secret docker'), limit: 5 })).toEqual([])
  })

  test('search: by words, in English and Japanese; rare words count more; a project sees only its own', async () => {
    await team.hub.push('search', [
      put(1, 'run the tests with docker compose up'),
      put(2, 'run the tests with pnpm'),
      put(3, 'ビルドが失敗したらキャッシュを消す'),
      put(4, 'run the linter'),
    ])
    await team.hub.push('other', [put(1, 'docker compose of another project')])
    const find = async (text: string, limit = 10) =>
      ((await team.hub.search?.('search', { terms: terms(text), limit })) ?? []).map(({ memory }) => memory.id)
    expect(await find('docker tests')).toEqual([memoryOf(1), memoryOf(2)])
    expect(await find('ビルド 失敗')).toEqual([memoryOf(3)])
    expect(await find('run', 1)).toHaveLength(1)
    expect(await find('kubernetes')).toEqual([])
    expect(await team.hub.search?.('empty', { terms: ['docker'], limit: 5 })).toEqual([])
    const [finding] = (await team.hub.search?.('search', { terms: terms('pnpm'), limit: 1 })) ?? []
    expect(finding?.memory).toMatchObject({ kind: 'lesson', content: 'run the tests with pnpm', team: { by: 'Aiko' } })
  })

  test('search: by vector, with the model that made it; a changed text gets a new vector', async () => {
    const hub = createPostgresHub(team.database, { embedder })
    await hub.push('vectors', [put(1, 'docker port'), put(2, 'lint cache'), put(3, 'ビルド 失敗')])
    const near = async (text: string, by = hub) => {
      const found = (await by.search?.('vectors', { terms: [], vector: vectorOf(text), limit: 1 })) ?? []
      return found.map(({ memory }) => memory.id)
    }
    expect(await near('port docker')).toEqual([memoryOf(1)])
    expect(await near('失敗')).toEqual([memoryOf(3)])
    expect(await near('port', createPostgresHub(team.database, { embedder: { ...embedder, model: 'else' } }))).toEqual(
      [],
    )
    expect(await near('port', team.hub)).toEqual([])
    await hub.push('vectors', [operationOf(2, 9, 1, putOf('test compose'))])
    expect(await near('test')).toEqual([memoryOf(1)])
    await hub.push('vectors', [operationOf(2, 10, 3, { kind: 'delete' })])
    expect(await near('失敗')).not.toEqual([memoryOf(3)])
  })

  test('search: a text without a vector gets it with the next push of a machine that has an embedder', async () => {
    await team.hub.push('late', [put(1, 'docker port')])
    const hub = createPostgresHub(team.database, { embedder })
    await hub.push('late', [put(2, 'lint')])
    const found = await hub.search?.('late', { terms: [], vector: vectorOf('docker port'), limit: 1 })
    expect(found?.map(({ memory }) => memory.id)).toEqual([memoryOf(1)])
  })

  test('push: an embedder that fails does not fail the push', async () => {
    const hub = createPostgresHub(team.database, {
      embedder: { model: 'broken', embed: () => Promise.reject(new Error('no model')) },
    })
    expect(await hub.push('broken', [put(1, 'docker')])).toMatchObject({ stored: 1, skipped: 0 })
    expect(await hub.search?.('broken', { terms: terms('docker'), limit: 1 })).toHaveLength(1)
  })
})
