// The built hooks and the worker on a simulated macOS: fakeMac.cjs says what it simulates.
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { exampleSession, ROOT } from '../testData.ts'
import { FakeMachine } from './fakeMachine.ts'

const PROJECT = '/Users/太郎/プログラム/ガイド shop'
const FILE = 'ドキュメント/価格.md'
const ERROR = 'Exit code 1\nError: Cannot find the prices of the tax table'

describe('platforms: hooks and worker on a simulated macOS', () => {
  let machine: FakeMachine
  beforeAll(() => {
    const env = { HOME: '/Users/太郎' }
    machine = new FakeMachine({ preload: 'fakeMac.cjs', project: PROJECT, home: 'Users/太郎', env })
    machine.write('プログラム/ガイド shop/.git/HEAD'.normalize('NFD'), 'ref: refs/heads/main\n')
    machine.write(`プログラム/ガイド shop/${FILE}`.normalize('NFD'), 'x\n')
    const session = exampleSession().starts().asks('Make the check pass.')
    for (const form of ['NFD', 'NFC'])
      session.calls('Edit', { file_path: `${ROOT}/${FILE}`.normalize(form), old_string: 'a', new_string: 'b' })
    session
      .fails('npm run check', ERROR)
      .runs('npm run prices', 'ok')
      .runs('npm run check', 'ok')
      .answers('Done.')
      .ends()
    for (const { payload } of session.recorded)
      machine.runHook(JSON.parse(JSON.stringify(payload).replaceAll(ROOT, PROJECT)))
    machine.runWorker()
  })

  test('platforms: a session is organized, a file has one name in either form, and nothing went wrong', () => {
    expect(machine.faults).toBe('')
    const text = machine.memories.join('\n')
    expect(text).toContain(FILE)
    expect(text).not.toContain(FILE.normalize('NFD'))
    expect(text).not.toContain('太郎')
  })

  test('platforms: a folder is one project in any case and normalization', () => {
    const start = { session_id: 'another', hook_event_name: 'SessionStart', source: 'startup', cwd: PROJECT }
    for (const folder of [
      PROJECT.normalize('NFD'),
      PROJECT.replace('shop', 'SHOP'),
      path.join(PROJECT, 'ドキュメント'),
    ])
      machine.runHook(start, { CLAUDE_PROJECT_DIR: folder })
    expect(machine.stores).toHaveLength(1)
    expect(path.basename(machine.stores[0] ?? '')).toBe(path.basename(machine.stores[0] ?? '').normalize('NFD'))
  })

  test('platforms: the failure is met again, and its fix is shown', () => {
    const session = exampleSession('later').starts().fails('npm run check', ERROR)
    const shown = session.recorded.map(({ payload }) => machine.runHook({ ...payload, cwd: PROJECT }))
    expect(shown.join('\n')).toContain('npm run prices')
  })
})
