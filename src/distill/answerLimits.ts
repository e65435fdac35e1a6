// The limits of a model's answer: a longer list or text is an error of the model, and the answer is rejected.

/** Entries of each list, at most. */
export const STATEMENTS_MAX = 4
export const DECIDED_MAX = 4
export const LEARNED_MAX = 4
export const OPEN_MAX = 4

/** Twice as many entries are accepted, and those beyond the limit dropped: a model cannot count well. */
export const LIST_FACTOR = 2

/** Characters that the instructions ask for. */
export const SUMMARY_CHARS_MAX = 200
export const QUOTE_CHARS_MAX = 300

/** Characters of any text of the answer. */
export const TEXT_CHARS_MAX = 600
