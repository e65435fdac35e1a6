// What a list says when it is empty: which filter matched nothing, or how a new store is filled.

type ListName = 'memories' | 'events' | 'sessions' | 'entries'

/** The values of each filter by its option; `words` are those of a search. */
type Filters = Readonly<Record<string, string | readonly string[] | undefined>>

/** `isStoreEmpty`: there is nothing without the filters either. */
export function formatNothing(list: ListName, isStoreEmpty: boolean, filters: Filters = {}): string[] {
  if (isStoreEmpty) return FIRST_STEPS[list]
  const given = Object.entries(filters).flatMap(([name, value]) =>
    [value ?? []].flat().map((item) => (name === 'words' ? `"${item}"` : `--${name} ${item}`)),
  )
  return [`No ${list} match ${given.join(' ')}.`]
}

const START = 'Run `memctl init` once in the project, then work with Claude Code as usual.'

const FIRST_STEPS: Readonly<Record<ListName, string[]>> = {
  memories: [
    'No memories yet. They are made when a session ends.',
    START,
    'Or tell memctl one: `memctl remember TEXT`.',
  ],
  events: ['No events yet.', START],
  sessions: ['No sessions yet.', START],
  entries: ['No entries yet. Save one: `memctl entry save KEY TEXT`.'],
}
