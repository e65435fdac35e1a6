// Scale: each statement names its project, and each key begins with it, so that a cluster can distribute the tables.
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import * as hubSql from '../../../src/database/hub/hubSql.ts'
import { MIGRATIONS } from '../../../src/database/migrations/migrations.ts'

const STATEMENTS = Object.entries({ ...hubSql })
/** What is the same on every node: the hub's id, the version, settings of the session. */
const WITHOUT_PROJECT = ['DESCRIBE', 'SET_INDEX_SEARCH']
const DISTRIBUTED = ['hub_projects', 'hub_operations', 'hub_memories', 'hub_vectors']

/** A table and its alias. */
const USE = new RegExp(`\\b(from|join|into|update)\\s+(${DISTRIBUTED.join('|')})(?:\\s+(?:as\\s+)?(\\w+))?`, 'g')

/** Uses of distributed tables that are not limited to one project. */
function findUnboundUses(sql: string): string[] {
  return [...sql.matchAll(USE)].flatMap(([use, how, table, alias]) => {
    const isBound =
      how === 'into'
        ? new RegExp(`into ${table}[^(]*\\(project_id\\b[^)]*\\)\\s*(?:select \\$1,|values \\(\\$1)`).test(sql)
        : new RegExp(`\\b${alias}\\.project_id = \\$1`).test(sql)
    return isBound ? [] : [use]
  })
}

const statementsOf = (version: number): string => {
  const { statements } = MIGRATIONS.find((migration) => migration.version === version) ?? { statements: [] }
  const list = typeof statements === 'function' ? statements({ dimension: 8, hasExtension: () => true }) : statements
  return list.join(';\n')
}
const tables = [2, 3, 4].map(statementsOf).join('\n')

describe('hub statements', () => {
  test.each(STATEMENTS.filter(([name]) => !WITHOUT_PROJECT.includes(name)))(
    'scale: %s names the project for every table that it uses, as its first parameter',
    (_, sql) => {
      expect([...sql.matchAll(USE)]).not.toEqual([])
      expect(findUnboundUses(sql)).toEqual([])
    },
  )

  test('scale: a statement that forgets the project is found', () => {
    expect(findUnboundUses('select 1 from hub_memories m where m.memory = $2')).toEqual(['from hub_memories m'])
    expect(
      findUnboundUses('select 1 from hub_memories m join hub_vectors v on v.memory = m.memory where m.project_id = $1'),
    ).toEqual(['join hub_vectors v'])
    expect(findUnboundUses('insert into hub_vectors (memory) select $2')).toEqual(['into hub_vectors'])
    expect(findUnboundUses('update hub_memories m set state = null')).toEqual(['update hub_memories m'])
  })

  test('scale: the statements without a project use no table that is distributed', () => {
    for (const name of WITHOUT_PROJECT)
      expect([name, Object.fromEntries(STATEMENTS)[name]?.match(USE)]).toEqual([name, null])
  })

  test('scale: the hub sends no statement about these tables that is not in hubSql.ts', () => {
    const folder = path.resolve(import.meta.dirname, '../../../src/database/hub')
    for (const file of fs.readdirSync(folder).filter((name) => name !== 'hubSql.ts')) {
      expect([file, fs.readFileSync(path.join(folder, file), 'utf8').match(USE)]).toEqual([file, null])
    }
  })

  test('scale: every primary key and every unique key begins with the project', () => {
    const keys = [...tables.matchAll(/(?:primary key|unique) ?\(([^)]*)\)|(\w+) [^,\n]*\bprimary key\b/g)]
    const first = keys.map(([, list, column]) => (list ?? column ?? '').split(',')[0])
    expect(first.length).toBeGreaterThanOrEqual(6)
    // hub_meta is one row, on every node.
    expect(new Set(first.filter((column) => column !== 'only_row'))).toEqual(new Set(['project_id']))
    expect(tables).not.toMatch(/create unique index|references \w+|\bserial\b|generated .* as identity/)
  })
})
