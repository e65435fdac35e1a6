// The URL of a database has the meaning that psql gives it, and no message about it repeats what could be a password.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseConnectionUrl } from '../../src/database/connectionUrl.ts'
import { MemoryError } from '../../src/model/memoryError.ts'

const parse = (url: string, env = {}) => parseConnectionUrl(url, env)

function explain(url: string, env = {}): string {
  try {
    parse(url, env)
  } catch (error) {
    if (error instanceof MemoryError) return `${error.code}: ${error.message}. ${error.hint}`
    throw error
  }
  throw new Error('It was accepted.')
}

describe('url of a database', () => {
  test.each([
    ['postgresql://me:pw@db.example.com:6543/team', { host: 'db.example.com', port: 6543, user: 'me', password: 'pw' }],
    ['postgres://me@db/team', { host: 'db', port: 5432, user: 'me', database: 'team', password: undefined }],
    ['postgresql://', { host: 'localhost', port: 5432, user: 'postgres', database: 'postgres' }],
    ['postgresql://me@/team', { host: 'localhost', user: 'me', database: 'team' }],
    ['postgresql://me@[::1]:5433/team', { host: '::1', port: 5433 }],
    ['postgresql:///team?host=/var/run/postgresql&user=me', { host: '/var/run/postgresql', user: 'me' }],
    ['postgresql://%2Fvar%2Frun/team', { host: '/var/run', database: 'team' }],
    ['postgresql://db/team?user=a&password=b&port=7', { user: 'a', password: 'b', port: 7, database: 'team' }],
    [
      'postgresql://%E7%94%B0%E4%B8%AD:p%40%3A%2F%3F%23%25@db/%E8%A8%98%E6%86%B6',
      { user: '田中', password: 'p@:/?#%' },
    ],
    ['postgresql://me:a:b@db/team', { password: 'a:b' }],
    ['  postgresql://me@db/team\n', { host: 'db' }],
    ['postgresql://db/team?options=-c%20search_path%3Dshop', { options: '-c search_path=shop' }],
    ['postgresql://db/team?channel_binding=require&connect_timeout=5&keepalives=1', { channelBinding: true }],
  ])('url: %s', (url, target) => {
    expect(parse(url)).toMatchObject(target)
  })

  test('url: what it does not name comes from the environment', () => {
    const env = { PGHOST: 'h', PGPORT: '7', PGUSER: 'u', PGDATABASE: 'd', PGPASSWORD: 'p', USER: 'other' }
    expect(parse('postgresql://', env)).toMatchObject({ host: 'h', port: 7, user: 'u', database: 'd', password: 'p' })
    expect(parse('postgresql://x@y:1/z', env)).toMatchObject({ host: 'y', port: 1, user: 'x', database: 'z' })
    expect(parse('postgresql://h', { USER: 'me' })).toMatchObject({ user: 'me', database: 'me' })
  })

  test.each([
    ['db:5432:team:me:secret', 'secret'],
    ['*:*:*:*:pw', 'pw'],
    ['# a comment\n\nother:*:*:*:no\r\ndb:*:team:me:first\n*:*:*:*:second', 'first'],
    ['#db:5432:team:me:secret', undefined],
    [String.raw`db:5432:team:me:a:b\:c\\d`, String.raw`a:b:c\d`],
    [String.raw`d\b:5432:te\am:me:p`, 'p'],
    ['db:5432:team:me', undefined],
    ['db:5433:team:me:secret', undefined],
  ])('password file: of %j psql takes %j', (text, password) => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memctl-password-'))
    fs.writeFileSync(path.join(folder, 'file'), text, { mode: 0o600 })
    expect(parse('postgresql://me@db/team', { PGPASSFILE: path.join(folder, 'file') })).toMatchObject({ password })
    fs.rmSync(folder, { recursive: true })
  })

  test.each([
    ['a connection to another machine', 'postgresql://db.example.com/team', {}, 'always'],
    ['one to this machine', 'postgresql://localhost/team', {}, 'prefer'],
    ['one through a socket', 'postgresql:///team?host=/tmp', {}, 'never'],
    ['sslmode=disable', 'postgresql://db.example.com/team?sslmode=disable', {}, 'never'],
    ['sslmode=prefer', 'postgresql://db.example.com/team?sslmode=prefer', {}, 'prefer'],
    ['PGSSLMODE=disable', 'postgresql://db.example.com/team', { PGSSLMODE: 'disable' }, 'never'],
    ['sslmode over PGSSLMODE', 'postgresql://db/team?sslmode=require', { PGSSLMODE: 'disable' }, 'always'],
    ['a name that only begins like this machine', 'postgresql://localhost.example.com/team', {}, 'always'],
    ['a name that only looks like an address', 'postgresql://127.0.0.1.example.com/team', {}, 'always'],
  ])('encryption: of %s', (_, url, env, use) => {
    expect(parse(url, env).tls.use).toBe(use)
  })

  test('encryption: the certificate is verified where libpq verifies it', () => {
    const verified = (search: string) => parse(`postgresql://db/team?${search}`).tls.options.rejectUnauthorized
    expect(verified('sslmode=require')).toBe(false)
    expect(verified('sslmode=verify-ca')).toBe(true)
    expect(verified('sslmode=verify-full&sslrootcert=system')).toBe(true)
    expect(verified('sslmode=require&sslrootcert=system')).toBe(true)
  })

  test.each([
    ['a password with @ / ? # in it', 'postgresql://me:pa/ss@db/team'],
    ['one with a question mark', 'postgresql://me:12?ss@db/team'],
    ['one with a number sign', 'postgresql://me:12#ss@db/team'],
    ['one that looks like a port', 'postgresql://me:12/ss@db/team'],
    ['one with a percent sign', 'postgresql://me:pa%ss@db/team'],
    ['another scheme', 'mysql://me:pass@db/team'],
    ['words', 'host=db password=pass'],
    ['nothing', ''],
    ['a port that is no number', 'postgresql://me@db:pass/team'],
    ['a port that is too high', 'postgresql://me@db:70000/team'],
    ['port 0', 'postgresql://me@db:0/team'],
    ['two hosts', 'postgresql://me@db,pass/team'],
    ['an unknown parameter', 'postgresql://me@db/team?color=pass&x=1'],
    ['a parameter with a password in its name', 'postgresql://me@db/team?pa-ss%20word'],
    ['an escape sequence', 'postgresql://me%1b[2J:pass@db/team'],
    ['a zero byte', 'postgresql://me@db/team%00pass'],
    ['a line break in a password', 'postgresql://me:pa%0ass@db/team'],
    ['a direction mark', 'postgresql://me@db%E2%80%AEpass/team'],
    ['a very long text', `postgresql://me:${'pass'.repeat(10_000)}@db/team`],
    ['an unknown sslmode', 'postgresql://me:pass@db/team?sslmode=yes'],
    ['an authority that does not exist', 'postgresql://me:pass@db/team?sslmode=require&sslrootcert=/no/ca'],
    ['an authority that is a folder', 'postgresql://me:pass@db/team?sslmode=require&sslrootcert=/tmp'],
  ])('url: %s is refused, and the message has nothing of the password', (_, url) => {
    const text = explain(url)
    expect(text).toMatch(/^INPUT_INVALID: .{10,}\. .{5,}$/)
    expect(text.replace(/\w*pass(?:word|file)\w*/g, '')).not.toMatch(/pass|\bss\b|\bpa\b|[\x00-\x1f]/)
  })

  test.each([
    [{ PGPORT: 'many' }, 'PGPORT'],
    [{ PGSSLMODE: '\x1b[2J' }, 'PGSSLMODE'],
    [{ PGSSLMODE: 'require', PGSSLROOTCERT: '/no\x1b[2J' }, 'sslrootcert'],
    [{ PGHOST: 'a\nb' }, 'host'],
    [{ PGUSER: 'x\0y' }, 'user'],
    [{ PGSSLMODE: 'require', PGSSLROOTCERT: '/no/file' }, 'sslrootcert'],
  ])('url: nonsense in the environment is named: %j', (env, name) => {
    const text = explain('postgresql://', env)
    expect(text).toContain(name)
    expect(text).not.toMatch(/[\x00-\x1f]/)
  })

  test('url: any text is read or refused with a hint, and never repeated', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const url = `postgresql://me:${text}@db/team`
        try {
          parse(url)
        } catch (error) {
          expect(error).toBeInstanceOf(MemoryError)
          expect((error as MemoryError).message.length).toBeLessThan(150)
        }
      }),
    )
  })

  test('url: every user, password and name comes back as it was encoded', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((value) => !/\p{C}/u.test(value))
    fc.assert(
      fc.property(text, text, text, (user, password, database) => {
        const [a, b, c] = [user, password, database].map(encodeURIComponent)
        expect(parse(`postgresql://${a}:${b}@db/${c}`)).toMatchObject({ user, password, database })
      }),
    )
  })
})
