// The slash commands of Claude Code as Markdown files.
//
// The client replaces $ARGUMENTS, runs the block that begins with ```! and gives its output to the model. The text goes
// through a quoted heredoc, so that no shell reads its quotes, backticks and dollar signs.

export interface SlashCommand {
  /** The name of the file and of the command of memctl; the client calls it `/memctl:NAME`. */
  readonly name: string
  readonly description: string
  /** What the client shows behind the name. */
  readonly argumentHint: string
  /** Whether an id comes before the text. */
  readonly hasId: boolean
}

export const SLASH_COMMANDS: readonly SlashCommand[] = [
  {
    name: 'remember',
    description: "Remember something in this project's memory: later sessions get it at their start",
    argumentHint: '[--scope person|project|branch|file] [--file FILE] TEXT',
    hasId: false,
  },
  { name: 'edit', description: 'Replace the text of a memory', argumentHint: 'ID TEXT', hasId: true },
  {
    name: 'pin',
    description: 'Give a memory the highest importance, or remember a text and pin it',
    argumentHint: 'ID or TEXT',
    hasId: false,
  },
  {
    name: 'supersede',
    description: 'Replace a memory that is no longer right: it is kept, but sessions no longer get it',
    argumentHint: 'ID TEXT',
    hasId: true,
  },
  {
    name: 'why',
    description: 'Show why a file is as it is: decisions, the prompts and commits that changed it, lessons',
    argumentHint: 'FILE or FILE:LINE',
    hasId: false,
  },
]

/** A line that ends the heredoc; no text has it. */
const END = 'END_OF_MEMCTL_TEXT'

/** The Markdown file of a slash command; `script` is the built file of slashMain.ts, as the client may resolve it. */
export const renderSlashCommand = ({ name, description, argumentHint }: SlashCommand, script: string): string => `---
description: ${JSON.stringify(description)}
argument-hint: ${JSON.stringify(argumentHint)}
allowed-tools: Bash(node "${script}":*)
disable-model-invocation: true
---

\`\`\`!
node "${script}" ${name} <<'${END}'
$ARGUMENTS
${END}
\`\`\`

This is the answer of memctl to a command of the person. Repeat it without changes, and do nothing else.
`
