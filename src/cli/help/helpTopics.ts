// The topics of `memctl help`: what holds for every command. docs/commands.md says the same with more words.

/** The lines of each topic, by its name. */
export const HELP_TOPICS: Readonly<Record<string, readonly string[]>> = {
  ids: [
    'Ids',
    '',
    'Lists print the shortest beginning of an id that no other memory has, with 8 characters at least.',
    'A command that takes an id accepts any beginning of it that only one memory has.',
    '--json has the full ids.',
  ],
  'exit-status': [
    'Exit status',
    '',
    '  0    done; also if nothing was found, and for help',
    '  1    a check failed (doctor), or memctl has a bug',
    '  2    wrong input, or nothing could be done; also a deletion that was not confirmed',
    '  130  interrupted with Ctrl-C',
    '',
    'A hook never ends with 2, because Claude Code would block the action.',
  ],
  json: [
    'JSON',
    '',
    'With --json, a command prints one line on stdout: one JSON object.',
    'A list is under its name, with "total": the number of all, also those beyond --limit.',
    'An error is {"error":{"code","message","hint"}}, also on stdout, with exit status 2.',
  ],
  environment: [
    'Environment and settings',
    '',
    '  MEMCTL_HOME   the folder of all memory (default: ~/.memctl)',
    '  MEMCTL_OFF    1: memctl records nothing and shows nothing',
    '  MEMCTL_DEBUG  1: show where a bug is',
    '  NO_COLOR      1: no colors',
    '',
    'Settings are in config.yaml in that folder: `policy`, `show`, `warnings`, `distill` and others (docs/policy.md).',
  ],
}
