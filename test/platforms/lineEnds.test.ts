// Files that an editor or git on Windows wrote, with CRLF and a byte order mark, mean what they mean elsewhere.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parseRecording } from '../../bench/fixture/replaySessions.ts'
import { readConfig } from '../../src/broker/open/configFile.ts'
import { parsePolicy, policyOrThrow } from '../../src/broker/policy/policyFiles.ts'
import { formatEntry, isInvalidEntry, parseEntry } from '../../src/entries/entryFormat.ts'
import { parseHookPayload } from '../../src/record/hookPayload.ts'
import { realDisk } from '../../src/store/disk/files.ts'
import { parseOriginUrl, readGitBranch } from '../../src/store/project/gitFolder.ts'
import { projectIdFromYaml, resolveProject } from '../../src/store/project/project.ts'
import { splitErrorLines } from '../../src/text/errorSignature.ts'
import { newFolder } from '../tempFolders.ts'

const crlf = (text: string): string => text.replaceAll('\n', '\r\n')

test('platforms: the files of git, also those of a worktree', () => {
  const root = newFolder('worktrees')
  const main = path.join(root, 'shop')
  const tree = path.join(root, '作業 tree')
  const linked = path.join(main, '.git/worktrees/tree')
  fs.mkdirSync(linked, { recursive: true })
  fs.mkdirSync(tree)
  fs.writeFileSync(path.join(main, '.git/HEAD'), 'ref: refs/heads/main\r\n')
  fs.writeFileSync(path.join(linked, 'HEAD'), 'ref: refs/heads/直す\r\n')
  fs.writeFileSync(path.join(linked, 'commondir'), '../..\r\n')
  fs.writeFileSync(path.join(linked, 'gitdir'), `${tree}/.git\r\n`)
  fs.writeFileSync(path.join(tree, '.git'), `gitdir: ${linked}\r\n`)
  expect(resolveProject(tree).id).toBe(resolveProject(main).id)
  expect([readGitBranch(main), readGitBranch(tree)]).toEqual(['main', '直す'])
  const config = '[remote "origin"]\n\turl = https://github.com/taro/shop.git\n\tfetch = +refs\n'
  expect(parseOriginUrl(crlf(config))).toBe(parseOriginUrl(config))
  expect(projectIdFromYaml('\ufeffid: shop\r\npolicy: quiet\r\n')).toBe('shop')
})

test('platforms: config.yaml, a policy, an entry and a recording', () => {
  const home = newFolder('home')
  fs.writeFileSync(path.join(home, 'config.yaml'), '\ufeffshow: off\r\nwarnings: block\r\n')
  expect(readConfig(realDisk, home)).toMatchObject({ show: 'off', warnings: 'block' })
  const policy = 'name: mine\nextends: default\nrecall:\n  moments:\n    prompt:\n      topK: 2\n'
  const parse = (text: string) => policyOrThrow(parsePolicy(text), 'p.yaml')
  expect(parse(`\ufeff${crlf(policy)}`)).toEqual(parse(policy))
  const text = '---\nkey: api\nmetadata:\n  author: me\n---\nFirst line.\n\n終わり。\n'
  const entry = parseEntry(text, 'api.md', 'api')
  expect(isInvalidEntry(entry)).toBe(false)
  expect(parseEntry(crlf(text), 'api.md', 'api')).toEqual(entry)
  if (!isInvalidEntry(entry)) expect(formatEntry(entry)).not.toContain('\r')
  const line = '{"at":"2026-03-02T10:12:00.000Z","payload":{"session_id":"s","hook_event_name":"Stop"}}'
  expect(parseRecording(crlf(`${line}\n${line}\n`), 'r.jsonl')).toEqual(parseRecording(`${line}\n${line}\n`, 'r.jsonl'))
})

test('platforms: what the client writes to a hook, and what a program prints', () => {
  const payload = '{"session_id":"s","hook_event_name":"Stop"}'
  expect(parseHookPayload(`\ufeff${payload}\r\n`)).toEqual(parseHookPayload(payload))
  expect(splitErrorLines('first\r\nError: second\r\n')).toEqual(['first', 'Error: second'])
})
