// The commands that are run every day, and the program that has them. The build puts them into a bundle of their own,
// `dist/daily.cjs`: it is read in one piece, and loads what none of them needs never.
import fs from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'
import { setTexts, type TextTable } from '../report/translation.ts'
import { registerList, registerSearch, registerShow } from './commands/memories.ts'
import { registerRecall } from './commands/recall.ts'
import { registerShown } from './commands/shown.ts'
import { registerRemember, registerSupersede } from './commands/statements.ts'
import { registerStatus } from './commands/status.ts'
import { registerWhy } from './commands/why.ts'
import { type CliContext, withoutSecrets } from './context/cliContext.ts'
import { isInSession } from './context/forPerson.ts'
import { readPackageInfo } from './context/packageInfo.ts'
import { groupCommands, groupOptions, HELP_FORMAT_WITH_EXAMPLES, withHelpOption } from './help/formatHelp.ts'
import { newProgram, runProgram } from './program.ts'

export type RegisterCommand = (program: Command, io: CliContext) => void

export const DAILY_COMMANDS: readonly RegisterCommand[] = [
  registerStatus,
  registerRecall,
  registerSearch,
  registerShow,
  registerList,
  registerWhy,
  registerRemember,
  registerSupersede,
  registerShown,
]

/** Runs `memctl` with one of these commands, and returns its exit status. */
export const runDaily = (argv: readonly string[], streams: CliContext): Promise<number> =>
  runWith(DAILY_COMMANDS, argv, streams)

/** The same with any commands. */
export function runWith(
  commands: readonly RegisterCommand[],
  argv: readonly string[],
  streams: CliContext,
): Promise<number> {
  const io = withoutSecrets(streams)
  setTexts(isJapanese(io, argv) ? readTexts() : undefined)
  return runProgram(createProgramOf(commands, io), argv, io).finally(() => setTexts(undefined))
}

/** Whether a person reads it in Japanese: a program reads JSON, and a model what a command in a session prints. */
function isJapanese(io: CliContext, argv: readonly string[]): boolean {
  const { MEMCTL_LANG, LC_ALL, LC_MESSAGES, LANG } = io.env
  const isAsked = /^ja(?![a-z])/i.test(MEMCTL_LANG || LC_ALL || LC_MESSAGES || LANG || '')
  return isAsked && !argv.includes('--json') && !isInSession(io)
}

/** The table of Japanese texts; undefined if the package has none, as in a plugin. It has groups, for its reader. */
function readTexts(): TextTable | undefined {
  const { root } = readPackageInfo()
  const file = ['src/cli/texts/ja.json', 'dist/ja.json'].map((name) => path.join(root, name)).find(fs.existsSync)
  const groups = file && (JSON.parse(fs.readFileSync(file, 'utf8')) as Readonly<Record<string, TextTable>>)
  return groups && Object.assign({}, ...Object.values(groups))
}

export function createProgramOf(commands: readonly RegisterCommand[], io: CliContext): Command {
  const about = 'A memory for Claude Code that runs itself: record, organize, recall, improve.'
  const program = newProgram('memctl', about, io)
    .version(readPackageInfo().version, '-V, --version', 'print the version')
    .configureHelp(HELP_FORMAT_WITH_EXAMPLES)
  withHelpOption(program)
  for (const register of commands) register(program, io)
  groupCommands(program)
  groupOptions(program)
  return program
}
