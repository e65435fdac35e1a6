// Words that the project no longer uses: metaphors, old-fashioned words, and words with a standard term.
//
// They are matched as whole words in lower case. docs/architecture.md lists the terms to use.

/** Retired in names and in texts for users. */
export const RETIRED = words(
  'mends mendable heed reckon reckons reckoned porch sayer sayers dealt besides foreseen hearsay worded taken_up',
  'untold rotten shelf shelves desk saying sayings sought scribe eyes upkeep upkept take_up unwired bad_news settle',
  'thaw withdraw made_up brought outlook standings elsewhere carried gist served serving unsound whose by_lot vouch',
  'vouched glance whoever aftermath reweighs reweighed spoke',
  'organise organised organises organising unorganised mend mended anew torn learnt',
  'told tells shipped',
)

/** Retired in the names of files and exports only. In a text they are plain English. */
export const RETIRED_IN_NAMES = words(
  'say said looks card cards around meanings counted house hall verdicts tell telling says sees seen look(?!_up)',
  'carry tidy gone given visit standing chosen warm(?!_up) wired wire wiring pointed stage grown chance world slept',
  'hand kept asked door doors room cue (?<!data_)view fades foresee foresight happening survey sweep swept tally',
  'weighing',
)

/** Files, or `file: word`, with literals that may contain the words of the first list, and the reason. */
export const ALLOWED_TEXTS: Readonly<Record<string, string>> = {
  'src/text/terms/stem.ts': 'irregular English words and their stems: data, not text for users',
  'src/improve/baseline.ts: mend': 'the name of a baseline in stored files',
}

/** Words from lines, with `_` for a space. A word may be a regular expression. */
function words(...lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split(' ')).map((word) => word.replaceAll('_', ' '))
}
