// config.yaml compiled for hooks, by a worker and by commands at once.
import fs from 'node:fs'
import { expect, test } from 'vitest'
import { compileConfig } from '../../../src/broker/open/configFile.ts'
import { configFile, hookConfigFile, readShowChoice } from '../../../src/broker/open/hookConfig.ts'
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
