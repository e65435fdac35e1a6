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
  [['supersede'], words('change modify replace set correct')],
  [['supersede', 'init'], words('update')],
  [['init'], words('install setup enable start on')],
  [['uninstall'], words('disable stop off deinstall')],
  [['status', 'report'], words('stats stat info usage size du')],
  [['status', 'list'], words('ps running')],
  [['doctor'], words('check verify test diagnose fix repair health')],
  [['policy', 'doctor'], words('config configure settings set-config options')],
  [['list', 'report'], words('history logs timeline activity')],
  [['export', 'import'], words('backup dump restore load migrate move mv copy sync transfer')],
  [['report', 'status'], words('dashboard html ui web serve watch')],
  [['why'], words('explain blame reason')],
  [['project list', 'project'], words('projects')],
  [['list'], words('memories all dir')],
  [['policy rollback'], words('undo revert rollback')],
  [['memory pin'], words('star favorite important keep')],
  [['mcp'], words('server tools')],
]

/** Commands that memctl no longer has, and what to use instead. */
const REMOVED: Readonly<Record<string, string>> = {
  top: 'Use `memctl status` for the current state, or `memctl report` for all that happened.',
  completion: 'Use `memctl help --all` for the commands, `memctl help COMMAND` for the options of one.',
  'policy explain': 'Use `memctl policy show --all` for the values, `memctl policy history` for their changes.',
  'policy diff': 'Use `memctl policy show`, which prints what differs from the default policy.',
  'policy preview': 'Use `memctl recall --moment prompt WORDS` to see a note.',
  'policy export': 'Use `memctl export`: it has the learned numbers, too. `memctl policy show --all` prints them.',
  'policy import': 'Use `memctl import memctl FILE`, with a file of `memctl export`.',
  'import mcp-memory': 'Write its entities as Markdown notes, and use `memctl import markdown DIR`.',
  edit: 'Use `memctl supersede ID TEXT --reword`.',
  outdated: 'Use `memctl supersede ID --outdated`, or words of the memory instead of its id.',
  rate: 'Use `memctl shown --useful` or `memctl shown --not-useful`, with numbers for some of the notes.',
  sessions: 'Use `memctl list --sessions`.',
  events: 'Use `memctl list --events`, with a kind of event if you want only these.',
  tiers: 'Use `memctl status --tiers`, `memctl organize --dry-run` or `memctl organize --undo`.',
  contribution: 'Use `memctl show ID --contribution`, or `memctl shown --contribution --session ID`.',
  improve: 'Use `memctl report --effect`.',
  statusline: 'Use `memctl status --line`.',
  upgrade: 'Use `memctl init --upgrade`.',
  sync: 'Use `memctl hub sync`.',
  sleep: 'Use `memctl organize --sleep`, with the id of an agent for its sleep phase.',
  distill: 'Use `memctl organize --distill`, with `--session ID` for one session.',
  log: 'Use `memctl doctor --log`, and `memctl doctor --log --fix` to repair it.',
  embed: 'Use `memctl doctor --embedder` or `memctl rebuild --vectors`; `embedder` in config.yaml names another one.',
  pin: 'Use `memctl memory pin ID`, or a text instead of the id.',
  unpin: 'Use `memctl memory pin ID --undo`.',
  impact: 'Use `memctl memory impact ID KIND`.',
  score: 'Use `memctl memory get-score ID` or `memctl memory set-score ID SCORE`.',
  consolidate: 'Use `memctl memory consolidate ID ID`.',
  archive: 'Use `memctl entry find`, `list` or `summary` with `--archived`, or `memctl entry restore KEY`.',
  demo: 'In a clone of the repository of memctl: `npm start`.',
  replay: 'In a clone of the repository of memctl: `npm run -s dev -- replay RECORDINGS`.',
  record: 'In a clone of the repository of memctl: `node bench/run.mjs dev record --out FILE`.',
  hook: 'Run `memctl init`: it installs one script for each event.',
  bench: 'Benchmarks are in the repository of memctl: `npm run -s bench -- hooks`, or `hub`.',
}

/** What to use instead of a command that was removed, by its words without `memctl`; undefined for any other. */
export const hintForRemoved = (words: string): string | undefined =>
  Object.hasOwn(REMOVED, words) ? REMOVED[words] : undefined

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
