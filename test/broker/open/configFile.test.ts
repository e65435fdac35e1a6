// config.yaml compiled for hooks, by a worker and by commands at once.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { expect, test } from 'vitest'
import { compileConfig } from '../../../src/broker/open/configFile.ts'
import { configFile, hasReadingChoice, hookConfigFile, readShowChoice } from '../../../src/broker/open/hookConfig.ts'
import { openStore } from '../../../src/broker/open/openStore.ts'
import { type Files, realDisk } from '../../../src/store/disk/files.ts'
import { createTestProject } from '../../tempFolders.ts'

const { home, project } = createTestProject('config')
const open = (files: Files = realDisk) => openStore(project, { MEMCTL_HOME: home }, files)

const configure = (text: string): void => {
  fs.writeFileSync(configFile(home), text)
  compileConfig(open())
}

test.each(['show: full\n', ''])('broker: a choice made while a worker compiles %j is not undone by it', (before) => {
  fs.mkdirSync(home, { recursive: true })
  configure('show: brief\nwarnings: block\n')
  fs.writeFileSync(configFile(home), before)
  let isChosen = false
  const chooseFirst = (file: string): void => {
    if (file !== hookConfigFile(home) || isChosen) return
    isChosen = true
    configure('show: off\n')
  }
  const slowDisk: Files = {
    ...realDisk,
    replace(file, bytes, access) {
      chooseFirst(file)
      realDisk.replace(file, bytes, access)
    },
    remove(file) {
      chooseFirst(file)
      realDisk.remove(file)
    },
  }
  compileConfig(open(slowDisk))
  expect(isChosen).toBe(true)
  expect(readShowChoice(open())).toBe('off')
})

test.skipIf(process.platform === 'win32')('broker: a config.yaml that a read could wait for is not read', () => {
  const replace = (make: () => void): void => {
    fs.rmSync(configFile(home), { force: true })
    make()
  }
  const read = (): unknown => compileConfig(open())
  replace(() => fs.symlinkSync('/dev/null', configFile(home)))
  expect(read).toThrow(/is a named pipe or a device, not a file/)
  replace(() => execFileSync('mkfifo', [configFile(home)]))
  expect(read).toThrow(/is a named pipe or a device, not a file/)
  expect(hasReadingChoice({ files: realDisk, home })).toBe(true)
  replace(() => fs.writeFileSync(configFile(home), ''))
  expect(read).not.toThrow()
})
