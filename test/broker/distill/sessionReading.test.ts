// Whether Claude may read finished sessions: the answers in config.yaml and in the plugin's settings.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readDistillConfig, setSessionReading } from '../../../src/broker/distill/distillConfig.ts'
import {
  hasReadingChoice,
  keepPluginAnswer,
  mayHaveReader,
  pluginAnswerFrom,
} from '../../../src/broker/open/hookConfig.ts'
import { openStore } from '../../../src/broker/open/openStore.ts'
import { realDisk } from '../../../src/store/disk/files.ts'
import { createTestProject } from '../../tempFolders.ts'

function createHome(config?: string) {
  const { project, home } = createTestProject('reading')
  fs.mkdirSync(home)
  if (config !== undefined) fs.writeFileSync(path.join(home, 'config.yaml'), config)
  const store = openStore(project, { MEMCTL_HOME: home })
  const place = { files: realDisk, home }
  const reader = () => readDistillConfig(store)?.by
  return { store, place, reader, config: () => fs.readFileSync(path.join(home, 'config.yaml'), 'utf8') }
}

test('distill: the answer of a person is one line of config.yaml, and the rest of the file stays', () => {
  const { place, reader, config } = createHome('# mine\nwarnings: block\n')
  expect(hasReadingChoice(place)).toBe(false)
  setSessionReading(place, true)
  expect(config()).toBe('# mine\nwarnings: block\ndistill: claude\n')
  expect([hasReadingChoice(place), reader()]).toEqual([true, 'claude'])
  setSessionReading(place, false)
  expect(config()).toBe('# mine\nwarnings: block\ndistill: false\n')
  expect([hasReadingChoice(place), reader()]).toEqual([true, undefined])
})

test.each([
  ['true', true],
  ['false', false],
  ['', undefined],
  ['yes', undefined],
  [undefined, undefined],
])('distill: the client gives the setting %j of the plugin to its hooks', (value, answer) => {
  expect(pluginAnswerFrom({ CLAUDE_PLUGIN_OPTION_READ_SESSIONS: value })).toBe(answer)
})

test.each([undefined, '', '# nothing\n', 'warnings: inject\n'])(
  'distill: without a line in config.yaml (%j) the plugin decides',
  (text) => {
    const { store, place, reader } = createHome(text)
    keepPluginAnswer(place, true)
    expect([reader(), hasReadingChoice(place), mayHaveReader(store)]).toEqual(['claude', true, true])
    keepPluginAnswer(place, false)
    expect([reader(), hasReadingChoice(place)]).toEqual([undefined, true])
    keepPluginAnswer(place, undefined)
    expect([reader(), hasReadingChoice(place)]).toEqual([undefined, false])
  },
)

test.each([
  ['distill: false\n', undefined],
  ['distill:\n', undefined],
  ['distill: openai\n', 'openai'],
  ['distill: [\n', undefined],
])('distill: %j in config.yaml counts more than the plugin', (text, by) => {
  const { place, reader } = createHome(text)
  keepPluginAnswer(place, true)
  expect(reader()).toBe(by)
})
