// memctl project: a repository's own file names another project, and only a person lets it in.
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newWorld, type World } from '../testContext.ts'

let world: World
let folders: { readonly ours: string; readonly theirs: string }

beforeEach(async () => {
  world = newWorld()
  folders = { ours: path.join(world.folder, 'ours'), theirs: path.join(world.folder, 'theirs') }
  for (const folder of Object.values(folders)) {
    fs.mkdirSync(path.join(folder, '.memctl'), { recursive: true })
    fs.writeFileSync(path.join(folder, '.memctl/project.yaml'), 'id: payroll\n')
  }
  expect((await world.memctl('project', 'confirm', '--project', folders.ours)).status).toBe(0)
  const text = 'the salaries run in the zebra ledger'
  expect((await world.memctl('memory', 'store', text, '--project', folders.ours)).status).toBe(0)
})
afterEach(() => world.end())

const found = async (folder: string): Promise<boolean> =>
  (await world.memctl('memory', 'search', 'zebra ledger', '--project', folder, '--json')).out.includes('salaries')

test('cli: an id of another project gives access only between its confirmation and revocation', async () => {
  expect(await found(folders.ours)).toBe(true)
  expect(await found(folders.theirs)).toBe(false)
  expect((await world.memctl('project', 'confirm', '--project', folders.theirs)).status).toBe(0)
  expect(await found(folders.theirs)).toBe(true)
  const { out } = await world.memctl('project', 'show', '--project', folders.ours, '--json')
  const { project, members } = JSON.parse(out) as { project: { name: string }; members: { root: string }[] }
  expect(project.name).toBe('payroll')
  expect(members.map(({ root }) => path.basename(root)).sort()).toEqual(['ours', 'theirs'])
  expect((await world.memctl('project', 'revoke', '--project', folders.theirs)).status).toBe(0)
  expect(await found(folders.theirs)).toBe(false)
  expect(await found(folders.ours)).toBe(true)
})

test('cli: doctor reports an unconfirmed id with the hint, and nothing for a confirmed id', async () => {
  const claimed = async (folder: string): Promise<string[]> => {
    const { out } = await world.memctl('doctor', '--project', folder, '--json')
    const { checks } = JSON.parse(out) as { checks: { what: string; hint?: string }[] }
    return checks.flatMap(({ what, hint }) => (what.includes('not confirmed') ? [`${what} ${hint}`] : []))
  }
  expect(await claimed(folders.ours)).toEqual([])
  expect(await claimed(folders.theirs)).toEqual([expect.stringMatching(/names payroll-.*memctl project confirm/)])
  expect((await world.memctl('project', 'show', '--project', folders.theirs)).out).toContain('memctl project confirm')
})

test('cli: without an id in project.yaml there is nothing to confirm', async () => {
  const { status, err } = await world.memctl('project', 'confirm')
  expect(status).toBe(2)
  expect(err).toContain('project.yaml')
})
