// The fault injector: a few steps of each kind in the suite; `.ci/run` and developers run it for minutes.
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FaultHub } from '../../../bench/faults/faultHub.ts'
import { FaultModel, type Saved } from '../../../bench/faults/faultModel.ts'
import { drawSteps } from '../../../bench/faults/faultSteps.ts'
import { runDeveloperCommand } from '../../../bench/run.ts'
import { openDatabase } from '../../../src/database/database.ts'
import { migrate } from '../../../src/database/migrate.ts'
import { createPostgresHub } from '../../../src/database/postgresHub.ts'
import { newWorld, type World } from '../../cli/testContext.ts'
import { memberOf, putOf } from '../../database/hub/hubServer.ts'
import { newFolder } from '../../tempFolders.ts'

let world: World
beforeAll(() => {
  world = newWorld({}, runDeveloperCommand)
})
afterAll(() => world.end())

describe('faults', () => {
  test('faults: no rule is broken within a dozen steps', async () => {
    const result = await world.memctl('bench', 'faults', '--seed', '9', '--steps', '12', '--attempts', '0')
    expect(result).toMatchObject({ status: 0, out: expect.stringMatching(/^No violation/) })
  }, 240_000)

  test('faults: the same seed draws the same steps, which JSON can hold', () => {
    const steps = drawSteps(3, 200)
    expect(drawSteps(3, 200)).toEqual(steps)
    expect(JSON.parse(JSON.stringify(steps))).toEqual(steps)
    const kinds = new Set(steps.map(({ act }) => act.kind))
    expect(kinds.size).toBe(10)
    expect(steps.map(({ act }) => act)).toContainEqual({ kind: 'command', words: 'hub sync' })
  })

  test('faults: the model reports each rule that is broken', () => {
    const model = new FaultModel(newFolder('faults'))
    const saved: Saved = { project: 'shop', session: 'one', place: 'event', isAcknowledged: true, isPrivate: true }
    model.saved.set('the private text', saved)
    model.saved.set('the erased text', { ...saved, isPrivate: false, forgotten: 'done', forgottenIn: 'shop' })
    model.checkShown('the private text', { project: 'shop', session: 'one' }, 'a hook')
    expect(model.violations).toEqual([])
    model.checkShown('the private text', { project: 'blog', session: 'one' }, 'a hook')
    model.checkShown('the private text', { project: 'shop', session: 'two' }, 'a hook')
    model.checkShown('the erased text', { project: 'shop', session: 'one' }, 'a hook')
    model.checkSaved('shop', 'now')
    model.secrets.add('the secret')
    const { layout } = model.openStore('shop')
    fs.mkdirSync(layout.folder, { recursive: true })
    fs.writeFileSync(path.join(layout.folder, 'file'), 'the secret and the erased text')
    model.checkBytes()
    model.checkSame('shop', new Map([['id', 'a memory']]))
    const rules = ['other project', 'private', 'forgotten', 'acknowledged', 'secret', 'forgotten', 'rebuild']
    expect(model.violations.map(({ rule }) => rule)).toEqual(rules)
  })

  test('faults: a hub with what a machine has not, or with what nobody may have, is reported', async () => {
    const hub = await FaultHub.start(newFolder('faults-hub'))
    try {
      await using database = await openDatabase({ url: hub.url })
      await migrate(database, { dimension: 8 })
      const text = 'the private text, the erased text and the secret'
      await createPostgresHub(database).push(memberOf('shop', 1), putOf(1, text))
      const model = new FaultModel(newFolder('faults'))
      const saved: Saved = { project: 'shop', session: 'one', place: 'memory', isAcknowledged: true }
      model.saved.set('the private text', { ...saved, isPrivate: true })
      model.saved.set('the erased text', { ...saved, forgotten: 'erased' })
      model.secrets.add('the secret')
      expect(await hub.check(model)).toBe(1)
      expect(model.violations.map(({ rule }) => rule)).toEqual(['agree', 'agree', 'secret', 'private', 'forgotten'])
    } finally {
      await hub.stop()
    }
  })
})
