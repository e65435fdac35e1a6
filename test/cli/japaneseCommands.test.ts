// What every command prints in Japanese: its result, its preview, and the errors that a person meets.
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runAndFind } from './findEnglish.ts'
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

const findSentencesOf = (...lines: readonly string[]) => runAndFind(world, lines)

describe('japanese: results and errors', () => {
  test('japanese: import of notes and of an export, and export', async () => {
    const [notes, file] = [path.join(world.folder, 'ノート'), path.join(world.folder, 'x.jsonl')]
    for (const n of [1, 2, 3, 4, 5, 6, 7]) write(`ノート/${n}.md`, `# 税${n}\n\n税は ${n} 種類あります。`)
    write('ノート/壊れた.md', '\0')
    fs.symlinkSync('/etc/hostname', path.join(notes, 'リンク.md'))
    const first = await findSentencesOf(
      ...[`import markdown ${notes} --dry-run`, `import markdown ${notes} --author person`, 'remember 税は整数です'],
      ...[`export --out ${file}`, `export --out ${file}`, `import memctl ${file} --dry-run`],
    )
    write('ノート/1.md', '# 税1\n\n税は一つです。')
    fs.rmSync(path.join(notes, '2.md'))
    const changed = write('y.jsonl', fs.readFileSync(file, 'utf8').replace('税', '价'))
    const [empty, broken] = [write('空.jsonl', '{}'), write('壊れた.jsonl', '壊')]
    const later = await findSentencesOf(
      ...[`import markdown ${notes}`, 'import markdown', `import markdown ${notes}x`, 'import claude-mem'],
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
    const without = await findSentencesOf('import transcripts', 'import transcripts --all-projects --store x')
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
    const found = await findSentencesOf(...lines.map((options) => `import transcripts ${options}`))
    const elsewhere = await findSentencesOf(`import transcripts --project ${world.folder}/home`)
    expect([...without, ...found, ...elsewhere]).toEqual([])
  })

  test('japanese: project, with its links, a merge, the trust in a repository and a forgotten project', async () => {
    const folder = path.join(world.folder, '別')
    fs.mkdirSync(folder, { recursive: true })
    const linked = await findSentencesOf(
      ...[
        'project list',
        'remember 税は整数です',
        `remember ほかの話 --project ${folder}`,
        'project show',
        'project list',
      ],
      ...['project link 無い', 'project link .', `project link ${folder}`, 'project show', 'project list'],
      ...['project unlink', 'project unlink', 'project merge .', `project merge ${folder} --dry-run`],
      ...[`project merge ${folder}`, `project rename ${folder} 店`, `project rename ${folder} /`, 'project list'],
      ...[
        'project forget 店 --dry-run',
        'project forget 店',
        'project forget 店 --yes',
        'project trust',
        'project untrust',
      ],
      ...['project confirm', 'project confirm x'],
    )
    write('project/.memctl/memory/a.md', '---\nkey: a\n---\n文\n')
    write('project/.memctl/project.yaml', 'id: 共有\n')
    const trusted = await findSentencesOf('project show', 'project confirm', 'project show', 'project revoke')
    expect([...linked, ...trusted]).toEqual([])
  })

  test('japanese: policy, with every kind of mistake in a file', async () => {
    const bad = write('project/bad.yaml', 'name: 悪い\nextends: x\ntiers: { hotDays: 40, warmDays: 3 }\nfoo: 1\n')
    const numbers =
      'recall: { withholdShare: 3, roleLessonsMax: 1.5 }\nstrength: { levelUses: [5, 3] }\nteam: { kinds: 3 }'
    const other = write('project/other.yaml', `name: other\n${numbers}\nimprove: 3\n`)
    const commands = ['show', 'show --all', 'history', 'freeze', 'freeze', 'show', 'history', 'unfreeze', 'unfreeze']
    const files = ['', bad, other, write('project/list.yaml', '- 1'), '無い.yaml']
    const configs = [
      'policy: 無い\n',
      'policy: x.yaml\n',
      'policy: other.yaml\n',
      'log: 3\n',
      'log: { x: 1 }\n',
      '- 1\n',
      '',
    ]
    const found = await findSentencesOf(
      ...[...commands, 'reset --dry-run', 'reset --yes'].map((command) => `policy ${command}`),
      ...files.map((file) => `policy validate ${file}`),
    )
    for (const config of configs) {
      write('home/config.yaml', config)
      found.push(...(await findSentencesOf('policy validate', 'organize')))
    }
    expect(found).toEqual([])
  })

  test('japanese: organize and rebuild, with a copy of the log', async () => {
    const store = ['--store', path.join(world.folder, 'store')].join(' ')
    const copy = path.join(world.folder, 'copy')
    fs.cpSync(path.join(world.folder, 'store', 'events'), copy, { recursive: true })
    const organize = ['', '--all', '--sleep x', '--distill', '--distill --dry-run', '--answer x', '--session zz']
    const rebuild = ['', '--vectors', '--replace', '--from /x', `--from ${copy} --dry-run`, `--from ${copy} --replace`]
    const found = await findSentencesOf(
      ...organize.map((options) => `organize ${store} ${options}`),
      ...rebuild.map((options) => `rebuild ${store} ${options}`),
    )
    expect(found).toEqual([])
  })

  test('japanese: report prints its verdict and the measured effect, and its errors', async () => {
    const store = ['--store', path.join(world.folder, 'store')].join(' ')
    const file = write('x.html', 'x')
    const options = ['', '--effect', '--include-private --pages 2', '--since x', '--pages x', `--out ${file}`]
    expect(await findSentencesOf(...options.map((each) => `report ${store} ${each}`))).toEqual([])
  })

  test('japanese: memory stores, searches, changes and deletes', async () => {
    const stored = await world.json<{ id: string }>('memory', 'store', '税は 8 パーセントです', '--tags', '税')
    const { id } = await world.json<{ id: string }>('memory', 'store', '税は 10 パーセントです')
    const inputs = ['{', '[]', '{"foo":1}', '{"content":1}', '{"tags":"x"}', '{"metadata":1}', '{"content":""}']
    const found = await findSentencesOf(
      ...[
        'memory store 箱は青い',
        'memory list',
        'memory search 税',
        `memory get ${id}`,
        'memory get x',
        'memory store',
      ],
      ...[`memory update ${id} --content 税は9`, `memory update ${id}`, `memory get-score ${id}`, 'memory search'],
      ...[`memory set-score ${id} 0.9`, `memory set-score ${id} 9`, `memory consolidate ${id}`, 'memory batch-store'],
      ...[`memory consolidate ${id} ${id}`, `memory consolidate ${id} ${stored.id}`, `memory pin ${id}`],
      ...[`memory pin ${id} --undo`, `memory pin ${id} --undo`, "memory pin '新しい 文'", `memory impact ${id} x`],
      ...[`memory impact ${id} prevented_error`, 'memory impact x prevented_error', `memory delete ${id} --dry-run`],
      ...[`memory delete ${id}`, `memory delete ${id} --yes`, 'memory delete', 'memory delete x --yes'],
      ...inputs.map((input) => `memory store --input '${input}'`),
      ...['--top-k 0', '--top-k 1.5', '--min-similarity 4', '--created-after x'].map(
        (each) => `memory search x ${each}`,
      ),
      ...['--memory-tier x', '--privacy private', '--metadata {', '--role x'].map((each) => `memory store x ${each}`),
    )
    const batch = await world.fed(
      '[{"content":"一つ"},{"content":""}]',
      'memory',
      'batch-store',
      '--on-error',
      'continue',
    )
    expect(batch.out).toContain('items[1].content に文を指定してください。')
    expect(found).toEqual([])
  })

  test('japanese: entry saves, lists, deletes and restores, and names what is wrong in a file', async () => {
    const saved = await findSentencesOf(
      ...[
        'entry list',
        'entry save 規則 --content pnpmを使う',
        'entry save 規則 --content 変更 --tags 甲,乙',
        'entry save',
      ],
      ...[
        'entry list',
        'entry get 規則',
        'entry get 無い',
        'entry find 変更',
        'entry find 無い',
        'entry find',
        'entry get',
      ],
      ...[
        'entry summary',
        'entry delete 規則 --dry-run',
        'entry delete 規則',
        'entry delete 規則 --yes',
        'entry restore x',
      ],
      ...['entry delete x --yes', 'entry list --archived', "entry save '' --content x", "entry save ' a' --content x"],
      ...['entry save g --content 全体 --global', 'entry list --global', 'entry find x --limit 0', 'project trust'],
      `entry save ${'x'.repeat(900)} --content x`,
      "entry save 衝突 --content '<<<<<<< a\nx\n=======\ny\n>>>>>>> b'",
    )
    write('project/.memctl/memory/b1.md', '文\n')
    write('project/.memctl/memory/b2.md', '---\n文\n')
    write('project/.memctl/memory/b3.md', '---\nkey: 3\ncreated_at: x\n---\n文\n')
    write('project/.memctl/memory/b4.md', '---\n- x\n---\n文\n')
    expect([...saved, ...(await findSentencesOf('entry list', 'entry save b1 --content x', 'status'))]).toEqual([])
  })

  test('japanese: forget erases memories, sessions and texts', async () => {
    const { memory } = await world.json<{ memory: { id: string } }>('remember', '秘密の箱は青いです')
    const found = await findSentencesOf(
      ...['forget', 'forget x', 'forget --text abc', 'forget --text 無い文字列です --dry-run', 'forget --session x'],
      ...[`forget ${memory.id} --dry-run`, `forget ${memory.id}`, 'entry save 箱 --content 秘密の箱は青いです'],
      ...['forget --text 秘密の箱は --dry-run', 'forget --text 秘密の箱は --yes', 'forget --origin x --yes'],
      ...['forget --text 秘密の箱は --entries --yes', `forget ${memory.id} --yes`],
    )
    expect(found.filter((line) => !/ (?:memory|call|session)\.\w+ /.test(line))).toEqual([])
  })

  test('japanese: show says each trigger by itself, why who said a line, and what a wrong command may be', async () => {
    const when = [
      'Bash: git commit, not wip, not fixup',
      'Edit|Write|MultiEdit: src/generated',
      'call: tofu',
      'prompt: 配備',
    ]
    const words = [
      'remember',
      'src/tax.js は手で直さない',
      '--file',
      'src/tax.js',
      ...when.flatMap((each) => ['--when', each]),
    ]
    const { memory } = await world.json<{ memory: { id: string } }>(...words)
    const shown = (await world.memctl('show', memory.id)).out.replaceAll(/\n {4,}/g, ' ')
    expect(shown).toContain(
      '`git commit` を含む Bash の前（`wip` または `fixup` があれば除く）; `src/generated` を含む Edit、Write、MultiEdit の前; ' +
        '`tofu` を含む呼び出しの前; `配備` を含むプロンプト',
    )
    expect((await world.memctl('why', 'src/tax.js')).out).toContain(`（本人、${memory.id.slice(0, 8)}）`)
    expect((await world.memctl('lst')).err).toContain('list, ls のいずれかではありませんか？')
  })

  test('japanese: doctor, of a store that is damaged too, init and CLAUDE.md', async () => {
    const store = path.join(world.folder, 'store')
    const fine = await findSentencesOf(
      ...[
        'doctor',
        'init --dry-run',
        'init --user',
        'doctor',
        'init --upgrade',
        'init --upgrade --dry-run',
        'uninstall',
      ],
      ...['uninstall --user', 'uninstall --purge --dry-run', 'list --claude-md', 'list --claude-md --write'],
      ...['', '--log', '--log --fix', '--embedder', '--embedder --probe'].map(
        (each) => `doctor --store ${store} ${each}`,
      ),
    )
    const log = path.join(store, 'events', '000001.jsonl')
    fs.writeFileSync(
      log,
      `${fs.readFileSync(log, 'utf8').replace('"prompt"', '"Prompt"').replace('tax', 'TAX')}{"id":"x`,
    )
    const damaged = await findSentencesOf(
      ...['', '--log', '--log --fix --dry-run', '--log --fix', '--log'].map(
        (each) => `doctor --store ${store} ${each}`,
      ),
    )
    fs.truncateSync(log, 100)
    for (const name of fs.readdirSync(path.join(store, 'segments'))) fs.rmSync(path.join(store, 'segments', name))
    fs.writeFileSync(path.join(store, 'policy.json'), '{}')
    const broken = await findSentencesOf(`doctor --store ${store}`, `list --store ${store}`, `rebuild --store ${store}`)
    expect([...fine, ...damaged, ...broken]).toEqual([])
  })
})
