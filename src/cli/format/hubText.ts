// What sharing means, in the words that every command about the hub uses.
import type { TeamNumbers } from '../../model/policy.ts'
import { formatKindNames } from './memoryText.ts'

/** What leaves this machine in a project that has joined, and what never does. */
export function describeSharing({ kinds, shareAgentOnly, sharePersonal }: TeamNumbers, name: string): string[] {
  const roles = shareAgentOnly === 1 ? ', those of single agent roles too' : ''
  return [
    'Shared, in the projects that you join:',
    `  ${formatKindNames(kinds)}${roles}: text, files, commands, branches and errors in it`,
    `  your name (${name}), and how often each was met and used`,
    'Never shared:',
    '  private memories, and the recorded sessions: prompts, answers, the output of commands',
    ...(sharePersonal === 1 ? [] : ['  what you say about yourself or other people, with a word such as I, my or his']),
    '  what was imported, and what was said once as if it were a rule',
    '  secrets that memctl recognizes: they are removed from every text before it is sent',
  ]
}
