// Runs the slash commands of Claude Code: what the person typed becomes the arguments of a command of memctl.
import type { Command } from 'commander'
import type { SessionId } from '../model/id.ts'
import { registerShown } from './commands/shown.ts'
import { registerPin, registerRemember, registerSupersede } from './commands/statements.ts'
import { registerStatus } from './commands/status.ts'
import { registerWhy } from './commands/why.ts'
import { type CliContext, withoutSecrets } from './context/cliContext.ts'
import { openSelectedStore } from './context/storeOption.ts'
import { SLASH_COMMANDS, type SlashCommand } from './install/slashCommand.ts'
import { newProgram, runProgram } from './program.ts'
import { registerForgetMemory } from './slash/forgetMemory.ts'
import { registerReadSessions } from './slash/readSessions.ts'
import { registerRecallTopic } from './slash/recallTopic.ts'
import { isLeaving } from './slash/shellGuard.ts'

const REGISTER = [
  ...[registerRecallTopic, registerRemember, registerSupersede, registerForgetMemory],
  ...[registerPin, registerShown, registerWhy, registerStatus, registerReadSessions],
] as const

/** The text that the client passed on; whether it is only the beginning of what was typed. */
interface PassedText {
  readonly text: string
  readonly isCut: boolean
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
  const { recorded, isOfAgent } = await readSession(command, io)
  const chosen = chooseText(passed, recorded)
  if (chosen === 'leaving') return stopShell()
  if (chosen === 'cut') return void io.out.write(`${TEXT_CUT}\n`)
  await runProgram(
    newSlashProgram({ ...answered, isTyped: chosen.isRecorded || !isOfAgent }),
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

/** What was typed: as it was recorded, if the record is of this command, else as it was passed on. */
function chooseText({ text, isCut }: PassedText, recorded: string | undefined): ChosenText | Unusable {
  if (recorded !== undefined && squeeze(recorded).startsWith(squeeze(text))) {
    const rest = squeeze(recorded).slice(squeeze(text).length)
    if (rest !== '' && isLeaving(recorded)) return 'leaving'
    if (rest === '' || isCut || rest.startsWith('```')) return { text: recorded, isRecorded: true }
  }
  return isCut ? 'cut' : { text: restoreMarks(text.trim()), isRecorded: false }
}

interface ChosenText {
  readonly text: string
  /** The hook has recorded it as a prompt, so that an agent can have changed nothing. */
  readonly isRecorded: boolean
}

type Unusable = 'leaving' | 'cut'

/** Without what the client changes. */
const squeeze = (text: string): string => text.replace(/[\\\s]+/g, '')

/** The client puts a backslash before an exclamation mark, and a space between it and a backtick. */
const restoreMarks = (text: string): string => text.replace(/\\!(?: (?=`))?/g, '!')

/** What the session's log says: the text that was typed, and whether an agent may run this command. */
async function readSession(
  { name, argumentHint }: SlashCommand,
  io: CliContext,
): Promise<{ readonly recorded: string | undefined; readonly isOfAgent: boolean }> {
  const session = io.env['CLAUDE_CODE_SESSION_ID'] as SessionId | undefined
  if (!session) return { recorded: undefined, isOfAgent: true }
  const { hasOpenCall, readTypedCommand } = await import('../broker/queries/sessionLog.ts')
  const store = await openSelectedStore({}, io)
  const recorded = argumentHint === '' ? undefined : readTypedCommand(store, session, name)
  return { recorded, isOfAgent: hasOpenCall(store, session) }
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
