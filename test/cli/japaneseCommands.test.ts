// What every command prints in Japanese: its result, its preview, and the errors that a person meets.
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findEnglish } from './findEnglish.ts'
import { newWorld, RECORDINGS, type World } from './testContext.ts'

let world: World

beforeAll(async () => {
  world = newWorld({ MEMCTL_LANG: 'ja' })
  await world.replay(RECORDINGS, '--store', path.join(world.folder, 'store'))
})

afterAll(() => world.end())

/** Writes a file below the folder of the world, and returns its path. */
function write(name: string, text: string): string {
  const file = path.join(world.folder, name)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, text)
  return file
}

/**
 * Runs these commands in the project, and returns the lines that have English words, each with its command. Words are
 * separated by spaces, and those in quotation marks are one.
 */
async function findEnglishOf(...lines: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const line of lines) {
    const words = (line.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^'(.*)'$/s, '$1'))
    const { out, err } = await world.memctl(...words)
    found.push(...findEnglish(out + err).map((english) => `${line}: ${english}`))
  }
  return found
}

describe('japanese: results and errors', () => {
  test('japanese: import of notes and of an export, its undo, and export', async () => {
    const [notes, file] = [path.join(world.folder, 'ノート'), path.join(world.folder, 'x.jsonl')]
    for (const n of [1, 2, 3, 4, 5, 6, 7]) write(`ノート/${n}.md`, `# 税${n}\n\n税は ${n} 種類あります。`)
    write('ノート/壊れた.md', '\0')
    fs.symlinkSync('/etc/hostname', path.join(notes, 'リンク.md'))
    const first = await findEnglishOf(
      ...[`import markdown ${notes} --dry-run`, `import markdown ${notes} --author person`, 'remember 税は整数です'],
      ...[`export --out ${file}`, `export --out ${file}`, `import memctl ${file} --dry-run`],
    )
    write('ノート/1.md', '# 税1\n\n税は一つです。')
    fs.rmSync(path.join(notes, '2.md'))
    const changed = write('y.jsonl', fs.readFileSync(file, 'utf8').replace('税', '价'))
    const [empty, broken] = [write('空.jsonl', '{}'), write('壊れた.jsonl', '壊')]
    const later = await findEnglishOf(
      ...[`import markdown ${notes}`, 'import undo markdown --dry-run', 'import undo markdown', 'import markdown'],
      ...['import undo markdown --yes', 'import undo nothing --yes', `import markdown ${notes}x`, 'import claude-mem'],
      ...[file, notes, 'x', changed, empty, broken].map((named) => `import memctl ${named}`),
    )
    expect([...first, ...later]).toEqual([])
  })

  test('japanese: import of transcripts, for every state of a session', async () => {
    const said = (session: string, cwd: string): string => {
      const about = { sessionId: session, cwd, timestamp: '2026-03-01T10:00:00.000Z' }
      const prompt = { type: 'user', ...about, uuid: 'u1', message: { role: 'user', content: '税を直してください' } }
      return `${JSON.stringify(prompt)}\n壊れた行\n`
    }
    const [own, other, gone] = ['aaaa', 'bbbb', 'cccc'].map((id) => `${id}${id}-1111-4111-8111-111111111111`)
    const folder = path.join(world.folder, 'project')
    const without = await findEnglishOf('import transcripts', 'import transcripts --all-projects --store x')
    write(`.claude/projects/a/${own}.jsonl`, said(own ?? '', folder))
    fs.mkdirSync(path.join(world.folder, '別'))
    write(`.claude/projects/b/${other}.jsonl`, said(other ?? '', path.join(world.folder, '別')))
    write(`.claude/projects/c/${gone}.jsonl`, said(gone ?? '', path.join(world.folder, '無い')))
    const lines = [
      '--dry-run',
      '',
      '',
      '--all-projects',
      '/x',
      `${world.folder}/home`,
      `${world.folder}/.claude/projects/b`,
    ]
    const found = await findEnglishOf(...lines.map((options) => `import transcripts ${options}`))
    const elsewhere = await findEnglishOf(`import transcripts --project ${world.folder}/home`)
    expect([...without, ...found, ...elsewhere]).toEqual([])
  })
})
