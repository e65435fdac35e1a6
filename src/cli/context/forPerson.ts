// What is for a person and not for an agent: one table and one check, before any command runs. In a session an agent
// runs a command, unless the hook has recorded that the person typed it as a slash command. Nobody is asked there: an
// agent can open a terminal too.
import { MemoryError } from '../../model/memoryError.ts'
import type { CliContext } from './cliContext.ts'

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
  'report --include-private': undefined,
  'export --include-private': undefined,
  'uninstall --purge': undefined,
  'project trust': undefined,
  'project confirm': undefined,
  'project link': undefined,
  'project merge': undefined,
  'project forget': undefined,
  'policy unfreeze': undefined,
  'policy rollback': undefined,
  'policy reset': undefined,
  // They say themselves which words are the person's, and an agent can write them.
  'import claude-mem': undefined,
  'import claude-md': undefined,
  'import transcripts': undefined,
  'import memctl': undefined,
  'import markdown --author person': undefined,
  'rebuild --from': undefined,
  'hub connect': undefined,
  'hub disconnect': undefined,
  'hub join': undefined,
  'hub leave': undefined,
  'hub grant': undefined,
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

/** Whether an agent runs this command, and not the person. */
export const isForAgent = (io: CliContext): boolean => isInSession(io) && io.isTyped !== true

/** Whether it runs inside a session of the client. */
export const isInSession = ({ env }: CliContext): boolean =>
  Boolean(env['CLAUDECODE']) || Boolean(env['CLAUDE_CODE_SESSION_ID'])
