// What needs the person: commands that are not for an agent, and deletions that somebody has to confirm.
//
// One table and one check decide before any command runs. In a session an agent runs a command, unless the hook has
// recorded that the person typed it as a slash command. Nobody is asked there: an agent can open a terminal too. A
// deletion shows first what it deletes, and then asks. Without a terminal there is nobody to ask: it needs --yes.
import type { Command } from 'commander'
import { MemoryError } from '../../model/memoryError.ts'
import { translate } from '../../report/translation.ts'
import { type CliContext, ExitStatus, printResult, type Terminal } from './cliContext.ts'

/**
 * The commands, and what the person can type in a session; undefined where they need a terminal of their own. An option
 * counts with this value, or if it is given at all. A dry run is for everybody, but that of `forget` shows private
 * texts. Entries in a person's words are protected where they are changed: `assertMayChange`.
 */
export const FOR_PERSON: Readonly<Record<string, string | undefined>> = {
  'init --read-sessions yes': '/memctl:read-sessions yes',
  'read-sessions': '/memctl:read-sessions yes',
  'remember --scope person': '/memctl:remember --scope person TEXT',
  forget: '/memctl:forget ID',
  'list --private': undefined,
  'search --private': undefined,
  'show --private': undefined,
  // What others may see: nobody can know which agent runs a command.
  'recall --role': undefined,
  'recall --agent': undefined,
  'report --include-private': undefined,
  'export --include-private': undefined,
  'uninstall --purge': undefined,
  'project trust': undefined,
  'project confirm': undefined,
  'project link': undefined,
  'project unlink': undefined,
  'project merge': undefined,
  'project forget': undefined,
  // A rating and a model's answer change what sessions get.
  'shown --useful': '/memctl:useful',
  'shown --not-useful': '/memctl:not-useful',
  'organize --answer': undefined,
  'policy unfreeze': undefined,
  'policy reset': undefined,
  // They say themselves which words are the person's, and an agent can write them.
  'import claude-mem': undefined,
  'import transcripts': undefined,
  'import memctl': undefined,
  'import markdown --author person': undefined,
  'rebuild --from': undefined,
  'hub connect': undefined,
  'hub disconnect': undefined,
  'hub join': undefined,
  'hub leave': undefined,
  'hub grant': undefined,
  'hub revoke': undefined,
  'hub policy --kinds': undefined,
  'hub policy --review': undefined,
  'hub review': undefined,
  'hub pin': undefined,
  'hub remove': undefined,
}

/** Throws NOT_ALLOWED if an agent runs what is for a person: the words of the command, such as `hub join`. */
export function assertPersonAsks(path: string, options: Readonly<Record<string, unknown>>, io: CliContext): void {
  if (!isForAgent(io) || (options['dryRun'] === true && path !== 'forget')) return
  for (const [words, slash] of Object.entries(FOR_PERSON)) {
    const [, name, option = '', value] = /^(.+?)(?: --(\S+)(?: (\S+))?)?$/.exec(words) ?? []
    const given = options[option.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())]
    if (name !== path || (option !== '' && (value === undefined ? !given : given !== value))) continue
    throw new MemoryError('NOT_ALLOWED', `memctl ${words} is for a person, and this command runs inside a session`, {
      hint: `The person can type ${slash && !io.isSlashCommand ? `\`${slash}\`` : 'it in a terminal of their own'}.`,
    })
  }
}

export const isForAgent = (io: CliContext): boolean => isInSession(io) && io.isTyped !== true

/** Whether it runs inside a session of the client. */
export const isInSession = ({ env }: CliContext): boolean =>
  Boolean(env['CLAUDECODE']) || Boolean(env['CLAUDE_CODE_SESSION_ID'])

export type ConfirmOptions = Readonly<{ yes?: boolean; dryRun?: boolean; json?: boolean }>

/** What a deletion would delete, and how a person reads it. */
interface Deletion<T> {
  /** Computed unless the person has said --yes. Printed by --dry-run, as JSON too. */
  readonly preview: () => T | Promise<T>
  /** Whether there is nothing to delete: then nobody is asked. */
  readonly isEmpty?: (preview: T) => boolean
  readonly format: (preview: T, terminal: Terminal) => readonly string[]
  /** `Erase 3 memories?`; the answers are added. */
  readonly question: string
  /** What it is instead of a deletion: the words for what was not done, and how to go on without a terminal. */
  readonly done?: string
  readonly hint?: string
}

/** Adds `--yes` and `--dry-run`. */
export const withConfirmOptions = (command: Command): Command =>
  command
    .option('-y, --yes', 'do it without asking')
    .option('--dry-run', 'show what would be deleted, but delete nothing')

/**
 * Whether to delete now: with --yes, or if the person at the terminal says so. With --dry-run, and if
 * there is nothing to delete, it prints the preview and is false.
 *
 * Throws NOT_CONFIRMED, after the preview, if there is nobody to ask, and ExitStatus 2 if the answer is no.
 */
export async function confirmDeletion<T>(
  io: CliContext,
  { yes, dryRun, json }: ConfirmOptions,
  { preview, isEmpty, format, question, done = 'deleted', hint }: Deletion<T>,
): Promise<boolean> {
  if (yes && !dryRun) return true
  const found = await preview()
  const isNothing = isEmpty?.(found) === true
  if (dryRun || !json || isNothing) printResult(io, json, found, format)
  if (isNothing) return false
  if (dryRun) {
    const more = `Nothing was ${done}. Without --dry-run, memctl asks; with --yes, it does not ask.`
    if (!json) io.out.write(`${translate(more)}\n`)
    return false
  }
  if (json || !io.ask) {
    throw new MemoryError('NOT_CONFIRMED', `Nothing was ${done}, because it was not confirmed`, {
      hint: hint ?? (json ? 'Add --yes to delete, or --dry-run for a preview.' : 'Add --yes to delete.'),
    })
  }
  const answer = (await io.ask(`${translate(question)} [y/N] `)) ?? 'no'
  if (/^y(?:es)?$/i.test(answer.trim())) return true
  io.out.write(`${translate(`Nothing was ${done}.`)}\n`)
  throw new ExitStatus(2)
}
