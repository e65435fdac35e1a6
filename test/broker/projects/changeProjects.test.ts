// Link, merge, rename and forget: what each changes, that it can be undone or completed, and that nothing is left.
import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { openStore, type Store } from '../../../src/broker/open/openStore.ts'
import {
  forgetProject,
  linkProject,
  mergeProjects,
  removeForgotten,
  renameProject,
  unlinkProject,
} from '../../../src/broker/projects/changeProjects.ts'
import { listProjects, selectProject } from '../../../src/broker/projects/projectList.ts'
import { runCli } from '../../../src/cli/runCli.ts'
import { readLogCopy } from '../../../src/store/log/readLog.ts'
import { burdenDead, Died, dyingDisk } from '../../crash/dying.ts'
import { newFolder } from '../../tempFolders.ts'
import { loadMemories } from '../../testData.ts'
import { searchFolder } from '../forget/searchHome.ts'
import { type Machine, newMachine } from './machine.ts'

const GREEN = 'From now on, always print the receipts in green.'
const SHORT = 'Always answer in short sentences with plain words'
const NOW = Date.parse('2026-06-01T00:00:00Z')

let machine: Machine
let shop: string
let post: string
beforeEach(async () => {
  machine = newMachine()
  shop = machine.repository('shop')
  post = machine.repository('郵便 office', 'https://github.com/me/post')
  machine.session(shop, GREEN)
  machine.session(post)
  await memctl(post, 'remember', SHORT, '--scope', 'person')
})

/** Runs a command in a folder, as the person in a terminal. Returns what it prints, and its exit status. */
async function memctl(cwd: string, ...words: readonly string[]): Promise<{ status: number; out: string }> {
  let out = ''
  const screen = {
    write: (text: string) => {
      out += text
    },
  }
  const status = await runCli(words, { out: screen, err: screen, env: machine.env, cwd, stdin: () => '' })
  return { status, out }
}

const nameOf = (folder: string): string => path.basename(machine.store(folder).layout.folder)
const eventIds = ({ files, layout }: Store): string[] => readLogCopy(files, layout.events).events.map(({ id }) => id)
const select = (word: string): string => selectProject(machine.store(shop), { word, cwd: shop, env: machine.env })

describe('projects: list and names', () => {
  test('projects: the list has each project with its folders, and says which ones are gone', () => {
    const [office, store] = listProjects(machine.store(shop))
    expect(store).toMatchObject({
      name: 'shop',
      folders: [shop],
      exists: true,
      current: true,
    })
    expect(office).toMatchObject({ name: 'post', folders: [post], current: false })
    expect([store?.memories, office?.memories].every((count) => count !== undefined && count > 0)).toBe(true)
    fs.rmSync(post, { recursive: true })
    expect(listProjects(machine.store(shop))[0]).toMatchObject({ name: 'post', exists: false })
  })

  test.each([
    ['too long', 'long'.repeat(2_000)],
    ['with a NUL', 'a\0b'],
  ])('projects: a session in a folder that cannot exist, its name %s, is one of a folder that is gone', (_, name) => {
    machine.start(path.join(path.dirname(shop), name))
    const gone = listProjects(machine.store(shop)).filter(({ exists }) => !exists)
    expect(gone.map(({ folders }) => folders.length)).toEqual([1])
  })

  test('projects: a project is found by name, given name, beginning of the id, and folder', () => {
    const name = nameOf(post)
    renameProject(machine.store(shop), name, '郵便局')
    const id = name.slice(name.lastIndexOf('-') + 1)
    for (const word of ['post', '郵便局', name, id, id.slice(0, 8).toUpperCase(), post, '../郵便 office'])
      expect(select(word)).toBe(name)
    expect(() => select('nothing')).toThrow(/No project/)
    machine.session(machine.repository('elsewhere/shop'))
    expect(() => select('shop')).toThrow(/2 projects are known as shop: shop-\w+, shop-\w+/)
    expect(select('.')).toBe(nameOf(shop))
  })

  test('projects: a secret in a given name is in no file of the home', async () => {
    const token = `ghp_${'a1B2'.repeat(9)}`
    await memctl(shop, 'project', 'rename', '.', `shop-${token}`)
    expect(await memctl(shop, 'project', 'rename', '.', '\u200b')).toMatchObject({ status: 2 })
    const home = machine.store(shop).home ?? ''
    const files = fs.readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const texts = files.map(({ parentPath, name }) => fs.readFileSync(path.join(parentPath, name), 'utf8'))
    expect(texts.join('\n')).toContain('shop-[redacted:')
    expect(texts.join('\n')).not.toContain(token)
  })

  test('projects: list, link, merge, status and the preview of forget count the memories of now', async () => {
    const before = listProjects(machine.store(shop)).find(({ current }) => current)?.memories ?? 0
    const texts = ['Use tabs in Makefiles', 'Release on mondays', 'Draw plans first']
    for (const text of texts) await memctl(shop, 'remember', text)
    const now = `${before + texts.length} memories`
    const name = nameOf(shop)
    expect(listProjects(machine.store(post)).find(({ store }) => store === name)?.memories).toBe(before + texts.length)
    for (const words of [
      ['merge', name, '--dry-run'],
      ['forget', name, '--dry-run'],
      ['link', name],
    ])
      expect((await memctl(post, 'project', ...words)).out).toContain(now)
    await memctl(post, 'project', 'unlink')
    expect((await memctl(shop, 'status')).out).toContain(now)
    const copy = machine.at('copy')
    fs.cpSync(shop, copy, { recursive: true })
    expect((await memctl(copy, 'status')).out).toContain(`shop (${now}`)
  })

  test('projects: a folder is the project that it has now; one that is gone, the project used there', () => {
    const [moved, name] = [machine.at('moved'), nameOf(post)]
    fs.renameSync(post, moved)
    expect([select(post), select(moved)]).toEqual([name, name])
    machine.repository(path.basename(post), 'https://github.com/me/other')
    expect(() => select(post)).toThrow(/^other-\w+, the project of .*, has no memory of its own/)
    expect(select(moved)).toBe(name)
  })

  test('projects: a folder without a memory of its own is not the project that it was linked to', async () => {
    const folder = machine.repository('empty')
    const name = nameOf(folder)
    await memctl(folder, 'project', 'link', 'post')
    expect(select(folder)).toBe(nameOf(post))
    expect(await memctl(shop, 'project', 'forget', folder, '--yes')).toMatchObject({ status: 2 })
    await memctl(folder, 'project', 'unlink')
    for (const words of [
      ['forget', '.', '--yes'],
      ['rename', '.', 'new'],
      ['link', '.'],
    ])
      expect((await memctl(folder, 'project', ...words)).out).toContain(`${name}, the project of ., has no memory`)
    expect((await memctl(folder, 'project', 'merge', 'post')).out).toMatch(/copied\. empty \(empty-/)
    expect(nameOf(post)).toBe(name)
  })
})

describe('projects: link', () => {
  const link = (folder: string, name: string): void =>
    linkProject(machine.store(folder), name, { folder, env: machine.env, now: NOW })

  test('projects: a linked folder and its clones use the other memory, until they are separated', () => {
    const [own, other] = [nameOf(post), nameOf(shop)]
    link(post, other)
    const clone = machine.repository('clone', 'https://github.com/me/post')
    for (const folder of [post, clone]) expect(machine.session(folder)).toContain('receipts in green')
    expect(unlinkProject(machine.store(post), post)).toEqual([other])
    expect(nameOf(post)).toBe(own)
    expect(machine.session(post)).not.toContain('receipts in green')
    expect(() => unlinkProject(machine.store(shop), shop)).toThrow(/no link/)
  })

  test('projects: what was joined by itself can be separated, and is not joined again', () => {
    machine.git(shop, 'remote', 'add', 'origin', 'https://github.com/me/shop')
    machine.session(shop)
    unlinkProject(machine.store(shop), shop)
    for (let start = 0; start < 2; start++) {
      const context = machine.session(shop)
      expect(context).not.toContain('receipts in green')
      expect(context).not.toContain('may be the project')
    }
  })

  test('projects: links lead in no circle, and a link to a memory that is gone is ignored', () => {
    const [own, other] = [nameOf(post), nameOf(shop)]
    link(post, other)
    expect(() => link(shop, own)).toThrow(/without a link/)
    forgetProject(machine.store(post), other, NOW, false)
    expect(nameOf(post)).toBe(own)
  })

  test('projects: a linked folder is trusted by itself', () => {
    machine.write(path.join(post, '.memctl/shop/memory/entry.md'), '---\nkey: a\n---\n\nText.\n')
    link(post, nameOf(shop))
    expect(machine.start(post)).toContain('memctl project trust')
  })
})

describe('projects: merge', () => {
  test('projects: after a merge both folders have both memories, and a second merge adds nothing', () => {
    const [from, into] = [nameOf(shop), nameOf(post)]
    const current = machine.store(post)
    const preview = mergeProjects(current, { from, into, now: NOW, dryRun: true })
    expect(nameOf(shop)).toBe(from)
    const merged = mergeProjects(current, { from, into, now: NOW, dryRun: false })
    expect([merged.events, preview.events > 0]).toEqual([preview.events, true])
    expect(mergeProjects(current, { from, into, now: NOW, dryRun: false }).events).toBe(0)
    for (const folder of [shop, post]) {
      expect(nameOf(folder)).toBe(into)
      expect(machine.session(folder)).toContain('receipts in green')
    }
    expect(listProjects(current).find(({ store }) => store === from)).toMatchObject({ linkedTo: into })
    expect(() => mergeProjects(current, { from, into: from, now: NOW, dryRun: false })).toThrow(/itself/)
  })

  test('projects: a merge that dies at any write loses nothing, and is completed by the next one', () => {
    const [from, into] = [nameOf(shop), nameOf(post)]
    const backup = newFolder()
    fs.cpSync(machine.home, backup, { recursive: true })
    mergeProjects(machine.store(post), { from, into, now: NOW, dryRun: false })
    const expected = { events: eventIds(machine.store(post)), memories: Object.keys(loadMemories(machine.store(post))) }
    let deaths = 0
    for (let at = 1; ; at++) {
      fs.rmSync(machine.home, { recursive: true })
      fs.cpSync(backup, machine.home, { recursive: true })
      const disk = dyingDisk(at, at % 2 === 0 ? 'half' : 'before')
      const merge = (files?: Store['files']): void =>
        void mergeProjects(openStore(post, machine.env, files), { from, into, now: NOW, dryRun: false })
      try {
        merge(disk.files)
        break
      } catch (error) {
        if (!(error instanceof Died)) throw error
        deaths++
      }
      burdenDead(`${machine.home}/projects/${into}/lock`)
      merge()
      expect(eventIds(machine.store(post)), `write ${at}`).toEqual(expected.events)
      expect(Object.keys(loadMemories(machine.store(post))), `write ${at}`).toEqual(expected.memories)
    }
    expect(deaths).toBeGreaterThan(10)
  }, 60_000)
})

describe('projects: forget', () => {
  const TEXTS = [SHORT]

  test('projects: a preview counts and changes nothing', () => {
    const before = fs.readdirSync(machine.home, { recursive: true, encoding: 'utf8' }).sort()
    const preview = forgetProject(machine.store(shop), nameOf(post), NOW, true)
    expect(preview).toMatchObject({ statements: 1, links: [], project: { folders: [post] } })
    expect(preview.events).toBeGreaterThan(2)
    expect(fs.readdirSync(machine.home, { recursive: true, encoding: 'utf8' }).sort()).toEqual(before)
  })

  test('projects: nothing of a forgotten project is in any file of the home, and others stay', () => {
    const memories = loadMemories(machine.store(shop))
    const name = nameOf(post)
    linkProject(machine.store(shop), name, { folder: shop, env: machine.env, now: NOW })
    machine.session(shop, 'Go on.')
    expect(machine.start(shop)).toContain('short sentences')
    const { links } = forgetProject(machine.store(shop), name, NOW, false)
    expect(links).toEqual([nameOf(shop)])
    for (const text of [...TEXTS, name, 'github.com/me/post']) expect(searchFolder(machine.home, text)).toEqual([])
    expect(machine.storeNames()).toEqual([nameOf(shop)])
    expect(loadMemories(machine.store(shop))).toEqual(memories)
    expect(machine.session(shop)).not.toContain('short sentences')
  })

  test('projects: forgetting that dies at any write uses nothing of it any more, and is completed', () => {
    const name = nameOf(post)
    linkProject(machine.store(shop), name, { folder: shop, env: machine.env, now: NOW })
    const backup = newFolder()
    fs.cpSync(machine.home, backup, { recursive: true })
    for (let at = 1; ; at++) {
      fs.rmSync(machine.home, { recursive: true })
      fs.cpSync(backup, machine.home, { recursive: true })
      const disk = dyingDisk(at, at % 2 === 0 ? 'half' : 'before')
      try {
        forgetProject(openStore(shop, machine.env, disk.files), name, NOW, false)
        break
      } catch (error) {
        if (!(error instanceof Died)) throw error
      }
      burdenDead(`${machine.home}/projects/${name}/lock`)
      burdenDead(`${machine.home}/person.json.lock`)
      const store = machine.store(shop)
      removeForgotten(store)
      if (machine.storeNames().includes(name)) forgetProject(store, name, NOW, false)
      const left = searchFolder(machine.home, TEXTS[0]!).filter((place) => !/\.aside/.test(place))
      expect(left, `write ${at}`).toEqual([])
      expect(nameOf(shop), `write ${at}`).toMatch(/^shop-/)
    }
  }, 60_000)
})

describe('projects: commands', () => {
  test('projects: every command works by name, asks before it erases, and prints one line of JSON', async () => {
    const name = nameOf(post)
    const list = JSON.parse((await memctl(shop, 'project', 'list', '--json')).out)
    expect([list.total, list.projects.length]).toEqual([2, 2])
    expect((await memctl(shop, 'project', 'list')).out).toMatch(/\* +shop .*memctl-/)
    expect((await memctl(shop, 'project', 'rename', 'post', '郵便局')).out).toContain('郵便局')
    expect((await memctl(shop, 'project', 'link', '郵便局')).out).toContain('unlink')
    expect((await memctl(shop, 'project', 'show')).out).toContain(`linked from shop-`)
    expect((await memctl(shop, 'status')).out).toMatch(/linked +from shop-/)
    expect((await memctl(shop, 'project', 'unlink')).out).toContain(name)
    expect(await memctl(shop, 'project', 'merge', 'shop', '郵便局', '--dry-run')).toMatchObject({ status: 0 })
    expect((await memctl(shop, 'project', 'forget', '郵便局')).out).toMatch(/Would erase 郵便局[\s\S]*Add --yes/)
    expect(await memctl(shop, 'project', 'forget', '郵便局', '--dry-run')).toMatchObject({ status: 0 })
    expect(machine.storeNames()).toContain(name)
    expect((await memctl(shop, 'project', 'forget', '郵便局', '--yes')).out).toContain('Erased 郵便局')
    expect(machine.storeNames()).not.toContain(name)
    expect(await memctl(shop, 'project', 'forget', '郵便局', '--yes')).toMatchObject({ status: 2 })
    expect(await memctl(shop, 'project', 'rename', 'shop', 'a/b')).toMatchObject({ status: 2 })
  })

  test('projects: status and doctor say where the memory is, and --fix links nothing', async () => {
    const copy = machine.at('copy')
    fs.cpSync(shop, copy, { recursive: true })
    expect((await memctl(copy, 'status')).out).toContain(`memctl project link ${nameOf(shop)}`)
    const own = nameOf(copy)
    expect((await memctl(copy, 'doctor', '--fix')).out).toContain(`memctl project link ${nameOf(shop)}`)
    expect(nameOf(copy)).toBe(own)
    machine.git(shop, 'remote', 'add', 'origin', 'https://github.com/me/shop')
    expect((await memctl(shop, 'status')).out).toMatch(/next session uses the memory of shop|may be shop/)
  })
})
