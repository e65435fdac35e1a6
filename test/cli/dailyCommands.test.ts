// The bundle of the everyday commands. Needs dist/ (`npm test` builds it).
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { readPackageInfo } from '../../src/cli/context/packageInfo.ts'
import { createProgramOf, DAILY_COMMANDS } from '../../src/cli/dailyCommands.ts'
import { REPOSITORY } from './testContext.ts'

const LAUNCHER = path.join(REPOSITORY, 'dist', 'memctl.cjs')
const isBuilt = fs.existsSync(LAUNCHER)

describe.skipIf(!isBuilt)(isBuilt ? 'daily' : 'daily: skipped, run `npm run build` first', () => {
  test('daily: the words that run the bundle are the names of its commands', () => {
    const silent = { write: () => true }
    const program = createProgramOf(DAILY_COMMANDS, { out: silent, err: silent, cwd: '/', stdin: () => '', env: {} })
    const names = program.commands.flatMap((command) => [command.name(), ...command.aliases()])
    const [, words = '[]'] = /(\["[^\]]*\])\.indexOf\(word\)/.exec(fs.readFileSync(LAUNCHER, 'utf8')) ?? []
    expect((JSON.parse(words) as string[]).sort()).toEqual(names.sort())
  })

  test('daily: an everyday command needs only its bundle, and the version not even that', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memctl-daily-'))
    try {
      fs.mkdirSync(path.join(folder, 'dist'))
      for (const file of ['package.json', 'dist/memctl.cjs'])
        fs.copyFileSync(path.join(REPOSITORY, file), path.join(folder, file))
      const memctl = (...words: string[]) => {
        const env = { PATH: process.env['PATH'] ?? '', HOME: folder, MEMCTL_HOME: path.join(folder, 'home') }
        const options = { cwd: folder, env, encoding: 'utf8' } as const
        return spawnSync(process.execPath, [path.join(folder, 'dist/memctl.cjs'), ...words], options)
      }
      for (const word of ['--version', '-V', 'version'])
        expect(memctl(word)).toMatchObject({ status: 0, stdout: `${readPackageInfo().version}\n`, stderr: '' })
      fs.copyFileSync(path.join(REPOSITORY, 'dist/daily.cjs'), path.join(folder, 'dist/daily.cjs'))
      expect(memctl('list', '--json')).toMatchObject({ status: 0, stdout: '{"total":0,"offset":0,"memories":[]}\n' })
      expect(memctl('show', 'abc')).toMatchObject({ status: 2 })
    } finally {
      fs.rmSync(folder, { recursive: true, force: true })
    }
  })
})
