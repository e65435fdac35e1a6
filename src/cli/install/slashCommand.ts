// The slash commands of Claude Code as Markdown files.
//
// The client replaces $ARGUMENTS, runs the block that begins with ```! and gives its output to the model. The text goes
// through a quoted heredoc, so that no shell reads its quotes, backticks and dollar signs. A text that contains the
// line that ends the heredoc would leave it: slash/shellGuard.ts stops the shell before it reads on.

export interface SlashCommand {
  /** The name of the file; the client calls it `/memctl:NAME`. */
  readonly name: string
  readonly description: string
  /** What the client shows behind the name; empty if nothing is typed there. */
  readonly argumentHint: string
  /** The words of the command of memctl, if they differ from the name. */
  readonly words?: readonly string[]
  /** Whether an id comes before the text. */
  readonly hasId?: true
  /** Whether each word is an argument of its own. */
  readonly hasWords?: true
  /** Options without a value, before or after the text. */
  readonly flags?: readonly string[]
}

export const SLASH_COMMANDS: readonly SlashCommand[] = [
  {
    name: 'recall',
    description: "What do we remember about a topic? (this project's memory)",
    argumentHint: 'TOPIC',
  },
  {
    name: 'remember',
    description: "Remember something in this project's memory: later sessions get it at their start",
    argumentHint: '[--scope person|project|branch|path] [--file FILE] [--when TRIGGER] TEXT',
  },
  {
    name: 'outdated',
    description: 'Say that something remembered no longer holds: it is kept, but sessions no longer get it',
    argumentHint: 'WORDS or ID',
    words: ['supersede', '--outdated'],
    flags: ['undo'],
  },
  {
    name: 'supersede',
    description: 'Replace a memory by what is right now: it is kept, but sessions no longer get it',
    argumentHint: 'ID TEXT',
    hasId: true,
    flags: ['reword'],
  },
  {
    name: 'edit',
    description: 'Replace the text of a memory',
    argumentHint: 'ID TEXT',
    words: ['supersede', '--reword'],
    hasId: true,
  },
  {
    name: 'forget',
    description: 'Erase a memory permanently, with what it was derived from; shows first what would be erased',
    argumentHint: 'WORDS or ID [--yes]',
    flags: ['yes'],
  },
  {
    name: 'pin',
    description: 'Give a memory the highest importance, or remember a text and pin it',
    argumentHint: 'ID or TEXT',
  },
  {
    name: 'shown',
    description: 'Which notes was this session shown, and why?',
    argumentHint: '',
  },
  {
    name: 'useful',
    description: 'The notes that were shown last were useful; or those with these numbers, or all',
    argumentHint: '[NUMBERS of /memctl:shown, or all]',
    words: ['shown', '--useful'],
    hasWords: true,
  },
  {
    name: 'not-useful',
    description: 'The notes that were shown last were not useful; or those with these numbers, or all',
    argumentHint: '[NUMBERS of /memctl:shown, or all]',
    words: ['shown', '--not-useful'],
    hasWords: true,
  },
  {
    name: 'why',
    description: 'Show why a file is as it is: decisions, the prompts and commits that changed it, lessons',
    argumentHint: 'FILE or FILE:LINE',
  },
  {
    name: 'read-sessions',
    description: 'Whether Claude may read each finished session, to note what later ones should know',
    argumentHint: 'yes or no',
  },
  { name: 'status', description: "Show the state of this project's memory", argumentHint: '' },
]

/** The line that ends the heredoc, and begins it: a block has it twice. */
export const HEREDOC_END = 'END_OF_MEMCTL_TEXT'

/** The Markdown file of a slash command; `script` is the built file of slashMain.ts, as the client may resolve it. */
export function renderSlashCommand({ name, description, argumentHint }: SlashCommand, script: string): string {
  const call = `node "${script}" ${name}`
  const hint = argumentHint === '' ? [] : [`argument-hint: ${JSON.stringify(argumentHint)}`]
  return `${[
    '---',
    `description: ${JSON.stringify(description)}`,
    ...hint,
    `allowed-tools: Bash(${call}${hint.length > 0 ? ':*' : ''})`,
    'disable-model-invocation: true',
    '---',
    '',
    '```!',
    ...(hint.length > 0 ? [`${call} <<'${HEREDOC_END}'`, '$ARGUMENTS', HEREDOC_END] : [call]),
    '```',
    '',
    'This is the answer of memctl to a command of the person. Repeat it without changes, and do nothing else.',
  ].join('\n')}\n`
}
