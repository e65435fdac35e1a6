// Words that the project no longer uses: metaphors, old-fashioned words, and words with a standard term.
//
// They are matched as whole words in lower case. docs/glossary.md lists the terms to use.

/** Retired in names and in texts for users. */
export const RETIRED = words(
  'mends mendable heed reckon reckons reckoned porch sayer sayers dealt besides foreseen hearsay worded taken_up',
)

/** Retired in the names of files and exports only. In a text they are plain English. */
export const RETIRED_IN_NAMES = words('say said looks card cards around meanings counted house hall verdicts')

/**
 * The rest of both lists. The code still has these words, so no test checks them yet. Move a word to the list above as
 * soon as its last use is gone; this constant must end empty.
 */
export const RETIRED_AFTER_RENAMING = {
  everywhere: words(
    'mend mended told tell tells anew torn rotten shelf shelves desk saying sayings sought scribe eyes upkeep take_up',
    'unwired bad_news settle thaw withdraw made_up learnt brought outlook standings elsewhere carried gist',
    'served serving shipped unsound whose by_lot vouched glance whoever aftermath',
  ),
  names: words(
    'telling says sees seen look carry tidy gone given visit moment standing chosen whole warm wired wire wiring',
    'pointed stage grown chance world slept hand kept asked door doors room cue view',
  ),
}

/** Files, or `file: word`, with literals that may contain the words of both lists, and the reason. */
export const ALLOWED_TEXTS: Readonly<Record<string, string>> = {
  'src/text/irregular.ts': 'irregular English words and their stems: data, not text for users',
}

/** Words from lines, with `_` for a space. */
function words(...lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split(' ')).map((word) => word.replaceAll('_', ' '))
}
