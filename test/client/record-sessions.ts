// Makes recordings/*.jsonl: the shop's two weeks, played by the real client, its hook payloads taped.
// What is real and what is moved afterwards stands in recordings/README.md. Run by `npm run record:samples`.

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { REPOSITORY } from './binary.ts'
import { runClient } from './runClient.ts'
import { gitDates, makeShop, runInShop } from './shop/project.ts'
import type { Session } from './shop/session.ts'
import { weekOne } from './shop/week-one.ts'
import { weekTwo } from './shop/week-two.ts'

interface Line {
  at: string
  payload: { hook_event_name: string; [field: string]: unknown }
}

const RECORDINGS = path.join(REPOSITORY, 'recordings')
// Nothing of a recording may come from the network, nor wait for it.
const NPM_OFFLINE = { npm_config_audit: 'false', npm_config_fund: 'false', npm_config_update_notifier: 'false' }
// A scripted model answers at once; a real one thinks, and a person types. Added before these events, in ms.
const PACE_MS: Readonly<Record<string, number>> = { UserPromptSubmit: 25_000, PreToolUse: 7_000, Stop: 5_000 }

// The scratch folder plays /home: …/dev is the home, …/dev/shop the project.
const scratch = realpathSync(mkdtempSync(path.join(tmpdir(), 'shop-')))
const home = path.join(scratch, 'dev')
const project = path.join(home, 'shop')

try {
  makeShop(project, '2026-02-27T16:00:00.000Z')
  mkdirSync(path.join(home, '.claude'), { recursive: true })
  const recordings = new Map<string, string>()
  for (const session of [...weekOne(project), ...weekTwo(project)]) {
    const text = await record(session)
    recordings.set(`${session.at.slice(0, 10)}-${session.at.slice(11, 13)}-${session.name}.jsonl`, text)
  }
  // Only a whole story replaces the old one.
  for (const old of readdirSync(RECORDINGS).filter((name) => name.endsWith('.jsonl')))
    rmSync(path.join(RECORDINGS, old))
  for (const [name, text] of recordings) writeFileSync(path.join(RECORDINGS, name), text)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

async function record(session: Session): Promise<string> {
  const { name, at, before, env, dies = false } = session
  if (before !== undefined) runInShop(project, before, at)
  const tape = path.join(scratch, `${name}.jsonl`)
  // Raw: the token that is no token stays, for taking it out is what a replay shows.
  const settings = execFileSync(process.execPath, [
    path.join(REPOSITORY, 'bench/run.mjs'),
    'dev',
    'record',
    '--hooks',
    '--raw',
    '--out',
    tape,
  ])
  writeFileSync(path.join(home, '.claude/settings.json'), settings)
  const { code, stderr } = await runClient({
    ...{ ...session, project, home, seed: name },
    env: { ...env, ...gitDates(at), ...NPM_OFFLINE },
  })
  if ((code === 0) === dies) throw new Error(`${name}: the client ended with ${code}. ${stderr}`)
  const lines = moved(linesOf(tape), at)
  const text = lines.map((line) => `${neutral(JSON.stringify(line))}\n`).join('')
  if (text.includes(path.basename(scratch))) throw new Error(`${name}: a path of this machine is left in it.`)
  console.log(`${name}: ${lines.length} events, ${Buffer.byteLength(text)} bytes`)
  return text
}

// Hooks of parallel calls run at once, so their lines may stand a moment out of order.
function linesOf(tape: string): readonly Line[] {
  const lines = readFileSync(tape, 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line) as Line).sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

// Parallel calls keep their own rhythm: only the first PreToolUse after something else waits for the model.
function moved(lines: readonly Line[], start: string): readonly Line[] {
  const first = Date.parse(lines[0]?.at ?? start)
  let paceMs = 0
  return lines.map(({ at, payload }, n) => {
    const event = payload.hook_event_name
    if (event !== lines[n - 1]?.payload.hook_event_name) paceMs += PACE_MS[event] ?? 0
    return { at: new Date(Date.parse(start) + Date.parse(at) - first + paceMs).toISOString(), payload }
  })
}

// A path stands in a payload as it is and, in the name of a transcript's folder, with dashes for all but letters.
function neutral(line: string): string {
  return line.replaceAll(home, '/home/dev').replaceAll(home.replace(/[^A-Za-z0-9]/g, '-'), '-home-dev')
}
