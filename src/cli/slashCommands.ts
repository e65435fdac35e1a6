// Runs the slash commands of Claude Code: what the person typed becomes the arguments of a command of memctl. Three of
// them exist only here: recall of a topic, forget in two steps, and whether Claude may read sessions.
//
// A text behind a slash command may leave its heredoc: what follows the end mark would run in the shell. The shell
// waits for this process before it reads the next line, so it is stopped in time. Measured with clients 2.1.197 and
// 2.1.329: without a permission for Bash they refuse such a command themselves, with one they run it.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import type { HubStatus } from '../broker/team/hubStatus.ts'
import { type SessionId, shortId } from '../model/id.ts'
import type { Memory } from '../model/memory.ts'
import { MemoryError } from '../model/memoryError.ts'
import { memoryProvenance } from '../model/provenance.ts'
import { sanitizeForTerminal } from '../report/fitText.ts'
import { resolveMemctlHome } from '../store/project/project.ts'
import { firstChars } from '../text/excerpt.ts'
import { sanitizeInline, teamText } from '../text/sanitizeText.ts'
import { chooseSessionReading } from './commands/distill.ts'
import { formatErasure } from './commands/forget.ts'
import { registerShown } from './commands/shown.ts'
import {
  askWhichMemory,
  findMeant,
  isShortId,
  registerPin,
  registerRemember,
  registerSupersede,
} from './commands/statements.ts'
import { describeHub, registerStatus } from './commands/status.ts'
import { registerWhy } from './commands/why.ts'
import { type CliContext, commandText, withoutSecrets } from './context/cliContext.ts'
import { applyConfig, openSelectedStore, openSyncedStore, openToolContext } from './context/storeOption.ts'
import { describeMemory } from './format/memoryText.ts'
import { HEREDOC_END, SLASH_COMMANDS, type SlashCommand } from './install/slashCommandFiles.ts'
import { newProgram, runProgram } from './program.ts'

const REGISTER = [
  ...[registerRecallTopic, registerRemember, registerSupersede, registerForgetMemory],
  ...[registerPin, registerShown, registerWhy, registerStatus, registerReadSessions, registerTeam],
] as const

/** The text that the client passed on, and what the shell that runs its block says of it. */
interface PassedText {
  readonly text: string
  /** Whether it is only the beginning of what was typed. */
  readonly isCut: boolean
  readonly isOfClient?: ShellBlock['isOfClient']
}

/**
 * Runs a slash command with the text that the client passed on. Errors are part of the answer. `stopShell` is called
 * if the text would leave its place in the shell's command; then nothing else is done.
 */
export async function runSlashCommand(
  name: string | undefined,
  passed: PassedText,
  streams: CliContext,
  stopShell: () => void,
): Promise<void> {
  const io = withoutSecrets(streams)
  const command = SLASH_COMMANDS.find((known) => known.name === name)
  const answered: CliContext = {
    ...io,
    err: { write: (text) => io.out.write(toSlashNames(text)) },
    isSlashCommand: true,
  }
  if (!command) return void (await runProgram(newSlashProgram(answered), ['--help'], answered))
  const { recorded, isRunByClient } = await readSession(command, passed, io)
  const chosen = chooseText(passed, recorded)
  if (chosen === 'leaving') return stopShell()
  if (chosen === 'cut') return void io.out.write(`${TEXT_CUT}\n`)
  await runProgram(
    newSlashProgram({ ...answered, isTyped: chosen.isRecorded || isRunByClient }),
    toArguments(command, chosen.text),
    answered,
  )
}

function newSlashProgram(io: CliContext): Command {
  const program = newProgram('memctl', 'The slash commands of memctl.', io)
  for (const register of REGISTER) register(program, io)
  return program
}

const TEXT_CUT = 'memctl: The client cut the text at ```. Leave the backticks out, or run `memctl` in a terminal.'

/**
 * What was typed: as it was recorded, if the record is of this command, else as it was passed on. `isRecorded`: the
 * hook has recorded it as a prompt, so that an agent can have changed nothing.
 */
function chooseText({ text, isCut }: PassedText, recorded: string | undefined) {
  if (recorded !== undefined && squeeze(recorded).startsWith(squeeze(text))) {
    const rest = squeeze(recorded).slice(squeeze(text).length)
    if (rest !== '' && isLeaving(recorded)) return 'leaving'
    if (rest === '' || isCut || rest.startsWith('```')) return { text: recorded, isRecorded: true }
  }
  return isCut ? 'cut' : { text: restoreMarks(text.trim()), isRecorded: false }
}

/** Without what the client changes. */
const squeeze = (text: string): string => text.replace(/[\\\s]+/g, '')

/** The client puts a backslash before an exclamation mark, and a space between it and a backtick. */
const restoreMarks = (text: string): string => text.replace(/\\!(?: (?=`))?/g, '!')

/**
 * The text that was typed, as the session's log has it, and whether the client runs this command for the person also if
 * the log does not have it yet. An agent can leave a process running that no call of the log is open for. So the
 * client's shell must run the block of the command, and no call may have asked for that. Where no shell can be read, no
 * call may have started anything.
 */
async function readSession(
  { name, argumentHint }: SlashCommand,
  { isOfClient }: PassedText,
  io: CliContext,
): Promise<{ readonly recorded: string | undefined; readonly isRunByClient: boolean }> {
  const session = io.env['CLAUDE_CODE_SESSION_ID'] as SessionId | undefined
  // A command without a text only shows something.
  if (!session || argumentHint === '') return { recorded: undefined, isRunByClient: false }
  const { mayBeTyped, readTypedCommand } = await import('../broker/queries/sessionLog.ts')
  const store = await openSelectedStore({}, io)
  const isRunByClient = isOfClient !== false && mayBeTyped(store, session, isOfClient ? HEREDOC_END : '')
  return { recorded: readTypedCommand(store, session, name), isRunByClient }
}

/** In an error, commands that the person can call here have the names that they have here. */
const toSlashNames = (text: string): string =>
  text.replace(/`memctl ([\w-]+)/g, (whole, name) =>
    SLASH_COMMANDS.some((known) => known.name === name) ? `\`/memctl:${name}` : whole,
  )

/** Options first, then the id, then the rest as one text: its spaces and its dashes stay. */
export function toArguments(
  { name, words = [name], hasId, hasWords, flags = [] }: Omit<SlashCommand, 'description' | 'argumentHint'>,
  text: string,
): string[] {
  const options: string[] = []
  let rest = text.trim()
  for (const flag of flags) {
    const without = rest.replace(new RegExp(`^--${flag}(?=\\s|$)|(?<=^|\\s)--${flag}$`), '').trim()
    if (without !== rest) options.push(`--${flag}`)
    rest = without
  }
  for (let option = OPTION.exec(rest); option; option = OPTION.exec(rest)) {
    options.push(`--${option[1]}`, option[2] ?? '')
    rest = rest.slice(option[0].length)
  }
  if (hasWords) return [...words, ...options, '--', ...rest.split(/[\s,、]+/).filter(Boolean)]
  const id = hasId ? (/^\S*/.exec(rest)?.[0] ?? '') : ''
  const given = [id, rest.slice(id.length).trim()].filter((word) => word !== '')
  return [...words, ...options, '--', ...given]
}

/** An option with its value, before the text. */
const OPTION = /^--(scope|file|strength|reason|by)[ =](\S+)\s*/

/** How often the end mark is in a block whose text does not have it. */
const MARKS = 2

const PS_MS = 2_000

/** What the shell that runs this block makes of its text. */
interface ShellBlock {
  /** Whether it would read on behind the text; see `isLeaving`. False if the shell cannot be read. */
  readonly isLeaving: boolean
  /** Whether the client has ended the block at three backticks in the text. False if the shell cannot be read. */
  readonly isCut: boolean
  /** Whether it is a shell of the client, with the block and nothing before it; undefined if it cannot be read. */
  readonly isOfClient: boolean | undefined
}

export function inspectShell(shell: number = process.ppid): ShellBlock {
  const line = readCommandLine(shell)
  const marks = line === undefined ? 0 : line.split(HEREDOC_END).length - 1
  return {
    isLeaving: marks > MARKS,
    isCut: marks === 1,
    isOfClient: line === undefined ? undefined : CLIENT_BLOCK.test(line),
  }
}

/** How the client's shell begins a block of `renderSlashCommand`, with the quotes that the client sets. */
const CLIENT_BLOCK = new RegExp(`eval 'node "[^"]*slash\\.mjs" [\\w-]+ <<'"'"'${HEREDOC_END}`)

/** The same from what the hook has recorded of the prompt, for systems on which no command line can be read. */
const isLeaving = (typed: string): boolean => typed.includes(HEREDOC_END)

/** Ends the shell, so that it does not read on. */
export const stopShell = (shell: number = process.ppid): void => void process.kill(shell, 'SIGKILL')

/** Undefined if it cannot be read. */
function readCommandLine(pid: number): string | undefined {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    // No Linux.
  }
  const { status, stdout } = spawnSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], {
    encoding: 'utf8',
    timeout: PS_MS,
    windowsHide: true,
  })
  return status === 0 ? stdout : undefined
}

function registerForgetMemory(program: Command, io: CliContext): void {
  program
    .command('forget')
    .description('erase a memory permanently')
    .argument('[id|words...]', 'id of the memory or a prefix of it, or words that it contains')
    .option('--yes', 'erase it; needs its id')
    .action(async (given: readonly string[], { yes }: { readonly yes?: boolean }) => {
      const words = given.join(' ').trim()
      const lines = await forget(words, yes === true, io)
      io.out.write(`${lines.join('\n')}\n`)
    })
}

async function forget(words: string, isConfirmed: boolean, io: CliContext): Promise<readonly string[]> {
  if (words === '') throw new MemoryError('USAGE', 'No memory was named', { hint: 'Give its id, or words of it.' })
  if (isConfirmed && !isShortId(words)) {
    throw new MemoryError('USAGE', 'Words do not say surely which memory is meant', { hint: 'Give its id with --yes.' })
  }
  const context = await openToolContext({}, io)
  const found = await findMeant(context, words)
  if (found.kind !== 'clear') return askWhichMemory(found, words, 'forget', io)
  const { memory } = found
  const { eraseEverywhere } = await import('../broker/forget/eraseEverywhere.ts')
  await applyConfig(context.store)
  const request = { memories: [memory.id], entries: false }
  const result = eraseEverywhere(context.store, request, { now: Date.now(), dryRun: !isConfirmed })
  if (isConfirmed) return formatErasure(result, request)
  return [
    `Nothing is erased yet. This would be erased: ${describeMemory(memory)}`,
    ...formatErasure(result, request),
    `To erase it: ${commandText(io, `forget ${shortId(memory.id)} --yes`)}`,
    `To keep it, but no longer use it: ${commandText(io, `outdated ${shortId(memory.id)}`)}`,
  ]
}

const MEMORIES_MAX = 8

/** Characters of one memory: as much as a person reads of each. */
const CONTENT_CHARS = 700

const WORDS_OF: Readonly<Record<ReturnType<typeof memoryProvenance>, string>> = {
  person: 'said by a person',
  assistant: 'said by the assistant',
  tool: 'observed',
  outside: 'from outside',
  team: 'said by a teammate',
}

function registerRecallTopic(program: Command, io: CliContext): void {
  program
    .command('recall')
    .description('what do we remember about a topic?')
    .argument('[topic...]', 'what it is about')
    .action(async (words: readonly string[]) => {
      const topic = words.join(' ').trim()
      if (topic === '') throw new MemoryError('USAGE', 'No topic was given', { hint: 'Type it behind the command.' })
      const { recallMemories } = await import('../broker/search/recallMemories.ts')
      const { recordFound } = await import('../broker/entries/searchEntries.ts')
      const store = await openSyncedStore({}, io)
      const { shown } = recallMemories(store, { text: topic, moment: 'ask', topK: MEMORIES_MAX, now: Date.now() })
      const memories = shown.flatMap(({ memory }) => (memory.privacy === 'public' ? [memory] : []))
      recordFound(store, shown, Date.now())
      io.out.write(`${formatTopic(topic, memories, io).join('\n')}\n`)
    })
}

function formatTopic(topic: string, memories: readonly Memory[], io: CliContext): string[] {
  if (memories.length === 0) return [`The memory has nothing about "${topic}".`]
  return [
    `What is remembered about "${topic}":`,
    ...memories.flatMap((memory) => ['', `- ${sanitizeInline(cut(memory.content))}`, `  (${describeOrigin(memory)})`]),
    '',
    `If one no longer holds: ${commandText(io, 'outdated ID')}`,
  ]
}

const describeOrigin = (memory: Memory): string =>
  [
    memory.kind,
    sanitizeInline(teamText(memory)) || WORDS_OF[memoryProvenance(memory)],
    memory.updated.slice(0, 10),
    shortId(memory.id),
  ].join(', ')

const cut = (text: string): string => (text.length <= CONTENT_CHARS ? text : `${firstChars(text, CONTENT_CHARS)}…`)

function registerReadSessions(program: Command, io: CliContext): void {
  program
    .command('read-sessions')
    .description('whether Claude may read finished sessions')
    .argument('[answer]', 'yes or no')
    .action(async (answer: string | undefined) => {
      const given = /^y(?:es)?$/i.test(answer ?? '') ? 'yes' : /^no?$/i.test(answer ?? '') ? 'no' : undefined
      const lines =
        given === undefined
          ? ['Say yes or no: /memctl:read-sessions yes']
          : await chooseSessionReading(io, { home: resolveMemctlHome(io.env), given })
      io.out.write(`${lines.join('\n')}\n`)
    })
}

function registerTeam(program: Command, io: CliContext): void {
  program
    .command('team')
    .description('what this project shares with a team, and the lines to type')
    .action(async () => {
      const { readHubStatus } = await import('../broker/team/hubStatus.ts')
      const status = readHubStatus(await openSelectedStore({}, io), io.env)
      const line = describeHub(status, Date.now()) ?? 'no hub is configured: nothing leaves this machine'
      const lines = [`hub: ${line.replace(/`memctl ([^`]+)`/g, '`$1`')}`, '', 'In a terminal, in this folder:']
      for (const [words, what] of listTeamLines(status)) lines.push(`  ${terminalCommand()} ${words}`, `      ${what}`)
      io.out.write(`${sanitizeForTerminal(lines.join('\n'))}\n`)
    })
}

/** Nothing here runs them: they are for a person's own terminal. */
const listTeamLines = (status: HubStatus | undefined): readonly (readonly [words: string, what: string])[] => [
  ...(status?.url ? [] : [['hub connect postgresql://YOU@HOST/DATABASE --name NAME', 'names the database'] as const]),
  ...(status?.project
    ? ([
        ['hub sync', 'exchanges changes now'],
        ['hub review', 'lists the texts that wait until somebody accepts them'],
        ['hub leave', 'takes back what this project has shared'],
      ] as const)
    : [['hub join', 'shows what would be shared, and asks'] as const]),
]

/** A plugin has the command in the PATH of its sessions only. */
function terminalCommand(): string {
  const file = fileURLToPath(new URL('../bin/memctl', import.meta.url))
  return fs.existsSync(file) ? `node "${file}"` : 'memctl'
}
