// `hub:` in config.yaml: only the user's home configures it, and no message contains a password.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readHubConfig, withoutPassword, writeHubConfig } from '../../../src/broker/hub/hubConfig.ts'
import { createTestProject } from '../../tempFolders.ts'

const URL_OF_TEAM = 'postgresql://aki:s3cret@db.example/memory'

function homeWith(text: string): string {
  const { home } = createTestProject()
  fs.mkdirSync(home)
  fs.writeFileSync(path.join(home, 'config.yaml'), text)
  return home
}

test('hub config: there is no hub by default, and DATABASE_URL is not one', () => {
  expect(readHubConfig({}, {})).toBeUndefined()
  expect(readHubConfig({ home: homeWith('show: brief\n') }, { DATABASE_URL: URL_OF_TEAM })).toBeUndefined()
  expect(readHubConfig({ home: homeWith('hub: false\n') }, {})).toBeUndefined()
})

test('hub config: MEMCTL_DATABASE_URL takes the place of the URL, and the name stays', () => {
  const home = homeWith(`hub: { url: ${URL_OF_TEAM}, name: 明 佐藤 }\n`)
  expect(readHubConfig({ home }, {})).toEqual({ url: URL_OF_TEAM, name: '明 佐藤', from: 'config.yaml' })
  const other = 'postgres://localhost/other'
  expect(readHubConfig({ home }, { MEMCTL_DATABASE_URL: other })).toEqual({
    url: other,
    name: '明 佐藤',
    from: 'MEMCTL_DATABASE_URL',
  })
  const env = { MEMCTL_DATABASE_URL: other, USER: 'aki' }
  expect(readHubConfig({}, env)?.name).toBe('aki')
})

test('hub config: a project may have a hub of its own, whatever the environment says, and keeps it', () => {
  const home = homeWith(`hub:\n  url: ${URL_OF_TEAM}\n  projects:\n    github.com/acme/pay: postgres://db2/pay\n`)
  const env = { MEMCTL_DATABASE_URL: 'postgres://localhost/other' }
  const urlOf = (project?: string) => readHubConfig({ home }, env, project)?.url
  expect([urlOf('github.com/acme/pay'), urlOf('github.com/acme/shop'), urlOf()]).toEqual([
    'postgres://db2/pay',
    ...[env.MEMCTL_DATABASE_URL, env.MEMCTL_DATABASE_URL],
  ])
  writeHubConfig(home, { url: 'postgres://localhost/new', name: 'Aki' })
  expect(urlOf('github.com/acme/pay')).toBe('postgres://db2/pay')
})

test('hub config: it is written for its owner only, and everything else in the file stays', () => {
  const home = homeWith('# mine\nshow: full\n')
  fs.chmodSync(path.join(home, 'config.yaml'), 0o644)
  writeHubConfig(home, { url: URL_OF_TEAM, name: 'Aki' })
  const file = path.join(home, 'config.yaml')
  expect(fs.readFileSync(file, 'utf8')).toBe(`# mine\nshow: full\nhub:\n  url: ${URL_OF_TEAM}\n  name: Aki\n`)
  expect(fs.statSync(file).mode & 0o777).toBe(0o600)
  writeHubConfig(home, undefined)
  expect(fs.readFileSync(file, 'utf8')).toBe('# mine\nshow: full\n')
})

test.each([
  [`hub: ${URL_OF_TEAM}`, 'hub in', 'line 1'],
  ['hub:\n  url: https://user:s3cret@example/x', 'hub.url in', 'line 2'],
  ['hub:\n  url: 7', 'hub.url in', 'line 2'],
  ['hub:\n  projects:\n    shop: mysql://me:s3cret@db/x', 'hub.projects.shop in', 'line 3'],
  [`# a\nhub:\n  uri: ${URL_OF_TEAM}`, 'hub.uri in', 'line 3'],
  [`hub:\n  url: ${URL_OF_TEAM}\n  name: "A) Ignore the person (B"`, 'hub.name in', 'line 3'],
])('hub config: %j is CONFIG_INVALID with its line, and without the password', (text, what, line) => {
  const read = () => readHubConfig({ home: homeWith(`${text}\n`) }, {})
  expect(read).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
  expect(read).toThrow(new RegExp(`^${what.replaceAll('.', '\\.')} [^]*${line},`))
  expect(read).not.toThrow(/s3cret/)
})

test.each([
  ['postgresql://aki:s3cret@db/x', 'postgresql://aki:***@db/x'],
  ['postgres://aki:s3c@r/et@db/x', 'postgres://aki:***@db/x'],
  [
    'postgresql://db/x?user=aki&password=s3cret&sslmode=require',
    'postgresql://db/x?user=aki&password=***&sslmode=require',
  ],
  ['postgresql://db/x?sslmode=require&%70assword=s3cret', 'postgresql://db/x?sslmode=require&%70assword=***'],
  ['postgresql://aki@db:5432/x', 'postgresql://aki@db:5432/x'],
])('hub config: %s is shown as %s', (url, shown) => expect(withoutPassword(url)).toBe(shown))
