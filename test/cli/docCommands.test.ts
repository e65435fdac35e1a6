// Documents, hints and comments name commands and options: each must exist, also after one was renamed.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { commandPath } from '../../src/cli/help/formatHelp.ts'
import { createProgram } from '../../src/cli/runCli.ts'
import { DOCS } from './docFiles.ts'
import { listAllCommands } from './help/listAllCommands.ts'
import { REPOSITORY } from './testContext.ts'

const stream = { write: () => {} }
const program = createProgram({ out: stream, err: stream, cwd: REPOSITORY, stdin: () => '', env: {} })
const COMMANDS = new Map(listAllCommands(program).map((command) => [commandPath(command), command]))

/** What of a command line, without `memctl`, no command or option has. */
function findUnknownWords(line: string): string[] {
  const words = line.split(/\s+/).map((word) => word.replace(/[\][,;.:…]+$/g, '').replace(/^\[/, ''))
  const groups = (words[0] ?? '').split('|').length > 1 ? (words[0] ?? '').split('|') : [words[0] ?? '']
  return groups.flatMap((first) => {
    let command = COMMANDS.get(first)
    if (!command) return [`memctl ${first}`]
    const rest = words.slice(1)
    // `memctl entry … --role` stands for several commands.
    if (rest[0] === '') return []
    while (rest.length > 0 && command.commands.length > 0) {
      const names = (rest[0] ?? '').split('|').filter((name) => /^[a-z-]+$/.test(name))
      const path = commandPath(command)
      const missing = names.filter((name) => !COMMANDS.has(`${path} ${name}`))
      if (missing.length > 0) return missing.map((name) => `memctl ${path} ${name}`)
      const next = COMMANDS.get(`${path} ${names[0]}`)
      if (!next) break
      command = next
      rest.shift()
    }
    const path = commandPath(command)
    const known = [...command.options.filter(({ hidden }) => !hidden).map(({ long }) => long), '--help']
    const end = rest.findIndex((word) => ['#', '|', '&&', '->'].includes(word))
    const options = (end < 0 ? rest : rest.slice(0, end)).filter((word) => /^--[a-z]/.test(word))
    return options.filter((option) => !known.includes(option)).map((option) => `memctl ${path} ${option}`)
  })
}

/** The command lines in code spans and code blocks. In a block the explanation begins after two spaces. */
function listCommandLines(text: string): string[] {
  const spans = [...text.matchAll(/`memctl ([a-z][^`]*)`/g)].map(([, line = '']) => line)
  const blocks = [...text.matchAll(/^ {4}(?:npx )?memctl ([a-z].*)$/gm)].map(
    ([, line = '']) => line.split(/ {2,}/)[0] ?? '',
  )
  return [...spans, ...blocks]
}

test.each(DOCS)('docs: every command and option of memctl in %s exists', (file) => {
  const lines = listCommandLines(fs.readFileSync(path.join(REPOSITORY, file), 'utf8'))
  expect(lines.flatMap(findUnknownWords)).toEqual([])
})

test('docs: every command and option of memctl in a text or comment of the source exists', () => {
  const folder = path.join(REPOSITORY, 'src')
  const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const unknown = files.flatMap((name) => {
    const text = fs.readFileSync(path.join(folder, name), 'utf8').replaceAll('\\`', '`')
    const lines = [...text.matchAll(/`memctl ([a-z][^`$\n]*)`/g)].map(([, line = '']) => line)
    return lines.flatMap(findUnknownWords).map((word) => `${name}: ${word}`)
  })
  expect(unknown).toEqual([])
})

test('docs: an unknown command, subcommand or option is found', () => {
  expect(findUnknownWords('polish --now')).toEqual(['memctl polish'])
  expect(findUnknownWords('policy thaw')).toEqual(['memctl policy thaw'])
  expect(findUnknownWords('search WORDS --meaning')).toEqual(['memctl search --meaning'])
  expect(findUnknownWords('memory store|search|…')).toEqual([])
})
