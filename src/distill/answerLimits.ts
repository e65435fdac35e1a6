// The limits of a model's answer. What is beyond a limit is dropped, one by one: a small model cannot count well.

/** Bytes of an answer. A longer one is no answer. */
export const ANSWER_BYTES_MAX = 1_000_000

/** Entries that say what the person wants, and those of all other types. */
export const STATEMENTS_MAX = 8
export const FINDINGS_MAX = 6

/** Entries, open tasks and judgements of known entries that are looked at. */
export const LIST_MAX = 40

/** Open tasks that are kept. */
export const OPEN_MAX = 4

/** Numbers of items that one entry may cite. */
export const CITES_MAX = 12

/** Characters. */
export const SUMMARY_CHARS_MAX = 200
export const QUOTE_CHARS_MAX = 300
export const OPEN_CHARS_MAX = 300
