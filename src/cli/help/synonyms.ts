// Words that people try, although no command has this name: each gets a hint at the commands that do it.
import type { Command } from 'commander'

const words = (text: string): readonly string[] => text.split(' ')

/** Commands, and the words for them. Several commands may do what a word means. */
const SYNONYMS: readonly (readonly [commands: readonly string[], synonyms: readonly string[]])[] = [
  [['forget'], words('rm del delete erase drop redact')],
  [['forget', 'project forget', 'uninstall'], words('remove clear clean purge reset')],
  [['remember'], words('add new note save store create learn insert')],
  [['search', 'recall'], words('find query ask grep lookup')],
  [['show'], words('get view cat read open print describe inspect')],
  [['edit', 'supersede'], words('change modify replace set correct')],
  [['edit', 'upgrade'], words('update')],
  [['init'], words('install setup enable start on')],
  [['uninstall'], words('disable stop off deinstall')],
  [['status', 'tiers'], words('stats stat info usage size du')],
  [['status', 'sessions'], words('ps running')],
  [['doctor'], words('check verify test diagnose fix repair health')],
  [['policy', 'doctor'], words('config configure settings set-config options')],
  [['events', 'sessions'], words('history logs timeline activity')],
  [['export', 'import'], words('backup dump restore load migrate move mv copy sync transfer')],
  [['report', 'top'], words('dashboard html ui web serve watch')],
  [['why', 'policy explain'], words('explain blame reason')],
  [['project list', 'project'], words('projects')],
  [['list'], words('memories all dir')],
  [['outdated', 'policy rollback'], words('undo revert rollback')],
  [['pin'], words('star favorite important keep')],
  [['mcp'], words('server tools')],
  [['demo'], words('example try tutorial')],
]

/** A hint for a word that people use for one or several commands of the program; undefined for any other word. */
export function hintForSynonym(program: Command, word: string): string | undefined {
  const names = SYNONYMS.find(([, synonyms]) => synonyms.includes(word.toLowerCase()))?.[0] ?? []
  const known = names.flatMap((name) => {
    const command = name
      .split(' ')
      .reduce<Command | undefined>((parent, part) => parent?.commands.find((child) => child.name() === part), program)
    return command ? [`\`${program.name()} ${name}\` (${command.summary() || command.description()})`] : []
  })
  return known.length === 0 ? undefined : `Use ${known.join(' or ')}.`
}
