// memctl completion: the scripts run in the real shells, as TAB runs them. Tests of a missing shell are skipped.
import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newWorld, type World } from '../testContext.ts'

const has = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0

let world: World
beforeAll(() => {
  world = newWorld()
})
afterAll(() => world.end())

async function scriptFor(shell: string): Promise<string> {
  const { out, status } = await world.memctl('completion', shell)
  expect(status).toBe(0)
  const file = path.join(world.folder, `memctl.${shell}`)
  fs.writeFileSync(file, out)
  return file
}

/** The completions of each shell after these words, of which the last is unfinished. */
const COMPLETE: Readonly<Record<string, (script: string, words: readonly string[]) => string[]>> = {
  bash(script, words) {
    const ask = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _memctl; printf '%s\\n' "\${COMPREPLY[@]}"`
    return linesOf(execFileSync('bash', ['--norc', '-c', ask, 'bash', script, ...words], { encoding: 'utf8' }))
  },
  zsh(script, words) {
    // compadd and _describe belong to zle: replaced here, they print their completions.
    const ask = `compdef() { }; _files() { }; compadd() { shift; print -l -- "$@" }
_describe() { shift $(( $# - 1 )); local w; for w in "\${(@P)1}"; do print -r -- "\${w%%:*}"; done }
source $1; shift; words=("$@"); CURRENT=$#; PREFIX=$words[CURRENT]; _memctl`
    const offered = linesOf(execFileSync('zsh', ['-f', '-c', ask, 'zsh', script, ...words], { encoding: 'utf8' }))
    return offered.filter((word) => word.startsWith(words.at(-1)!))
  },
  fish(script, words) {
    const ask = `source $argv[1]; complete -C (string join ' ' -- $argv[2..])`
    const out = execFileSync('fish', ['--no-config', '-c', ask, script, ...words], { encoding: 'utf8' })
    return linesOf(out).map((line) => line.split('\t')[0]!)
  },
}
const linesOf = (text: string): string[] => text.split('\n').filter(Boolean)

describe.each(Object.keys(COMPLETE))('cli: completion in %s', (shell) => {
  test.skipIf(!has(shell)).each([
    [['sta'], ['status', 'statusline']],
    [['memory', 'st'], ['store']],
    [
      ['embed', ''],
      ['status', 'switch', 'rebuild'],
    ],
    [['--project', 'memory', 'embed', 'sw'], ['switch']],
    [['search', '--se'], ['--semantic']],
    [['memory', 'search', '--search-m'], ['--search-mode']],
    [['memory', 'store', '--role', 'ad'], ['admin']],
    [['completion', 'b'], ['bash']],
    [['nosuchcommand', 'xyzzy'], []],
  ])(`cli: ${shell} after %j offers %j`, async (words, offered) => {
    const script = await scriptFor(shell)
    expect(COMPLETE[shell]!(script, ['memctl', ...words]).sort()).toEqual([...offered].sort())
  })
})

test.each(['bash', 'zsh', 'fish'].filter(has))('cli: %s offers ids after a command that takes one', async (shell) => {
  await world.memctl('remember', 'Prices are integers')
  const { memories } = await world.json<{ memories: readonly { id: string }[] }>('list')
  const id = memories[0]?.id.slice(0, 8) ?? ''
  const script = await scriptFor(shell)
  // The script runs `memctl`, which is not installed here: a file of this name prints what the hidden command prints.
  const { out } = await world.memctl('complete-ids', id.slice(0, 3))
  expect(out).toBe(`${id}\tpreference: Prices are integers\n`)
  const bin = path.join(world.folder, 'bin')
  fs.mkdirSync(bin, { recursive: true })
  fs.writeFileSync(path.join(bin, 'memctl'), `#!/bin/sh\n[ "$1" = complete-ids ] && printf '%s' '${out.trimEnd()}'\n`, {
    mode: 0o755,
  })
  vi.stubEnv('PATH', `${bin}:${process.env['PATH']}`)
  for (const command of [['show'], ['forget', '--yes'], ['memory', 'delete']])
    expect(COMPLETE[shell]?.(script, ['memctl', ...command, id.slice(0, 3)])).toEqual([id])
  vi.unstubAllEnvs()
})

test('cli: every script has every command and option', async () => {
  const { commands, options } = await helped()
  expect(commands.length).toBeGreaterThan(20)
  expect(options.length).toBeGreaterThan(commands.length)
  for (const shell of Object.keys(COMPLETE)) {
    const { out } = await world.memctl('completion', shell)
    const words = new Set(out.match(/[\w-]+/g))
    expect([shell, ...commands.filter((name) => !words.has(name))]).toEqual([shell])
    expect([shell, ...options.filter((name) => !words.has(name) && !words.has(name.slice(2)))]).toEqual([shell])
    expect(out).not.toContain('undefined')
  }
})

/** The words and options of all commands, from the help. */
async function helped(...path: readonly string[]): Promise<{ commands: string[]; options: string[] }> {
  const { out } = await world.memctl(...(path.length === 0 ? ['help', '--all'] : [...path, '--help']))
  const [, ...groups] = out.split(/^(?:Commands|Everyday commands):$/m)
  const below = groups.join('')
  const commands = [...below.matchAll(/^ {2}([a-z][a-z-]*)(?= |\||$)/gm)].map((match) => match[1]!)
  const options = [...out.matchAll(/^ {2}(?:-\w, )?(--[a-z][a-z-]*)/gm)].map((match) => match[1]!)
  const inner = await Promise.all(commands.filter((name) => name !== 'help').map((name) => helped(...path, name)))
  return {
    commands: [...commands, ...inner.flatMap((item) => item.commands)],
    options: [...options, ...inner.flatMap((item) => item.options)],
  }
}

test('cli: an unknown shell is refused with the list of known shells', async () => {
  const { status, err } = await world.memctl('completion', 'tcsh')
  expect(status).toBe(2)
  expect(err).toContain('bash, zsh, fish')
})
