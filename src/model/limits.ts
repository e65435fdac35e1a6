// Everything has a limit: named, with its unit and its reason beside it.

/** One log line at most, in bytes. A hook appends it in one write, and a tail of 64 KiB should hold several events. */
export const EVENT_BYTES_MAX = 16_384

/** A prompt, in characters: a pasted log is cut in the middle, what a person types is not. */
export const PROMPT_CHARS_MAX = 6_000

/** The assistant's last message of a turn, in characters. */
export const ANSWER_CHARS_MAX = 4_000

/** What a call printed when it failed, in characters: the error's head and its last lines tell the story. */
export const ERROR_CHARS_MAX = 4_000

/** What a call printed when it went well, in characters: seldom asked for again, and the largest part of a log. */
export const OUTPUT_CHARS_MAX = 1_200

/** One string of a call's input, in characters: a command or an edit's text. */
export const INPUT_CHARS_MAX = 2_000

/** What a read file, a listing or a search answered, in characters: it can be read again. */
export const LOOKUP_CHARS_MAX = 300

/** Payload fields this version does not know, in characters of JSON: kept for a later one. */
export const EXTRA_CHARS_MAX = 1_000

/** How far back a hook looks in the log for what this session just did, in bytes: one read, some hundred events. */
export const RECENT_TAIL_BYTES = 65_536

/** A log tail longer than this past the snapshot starts one in the background, in bytes. */
export const SNAPSHOT_TAIL_BYTES = 1_048_576

/** A log file is closed and a new one begun at this size, in bytes: large enough that a year is some dozens of files. */
export const LOG_FILE_BYTES_MAX = 8_388_608

/** One context a hook gives, in characters: from 10,001 on the client shows the model a path instead of the text. */
export const CONTEXT_CHARS_MAX = 9_500

/** A hook ends itself after this, in milliseconds: the person waits for it, and silence is a good answer. */
export const HOOK_BUDGET_MS = 1_000

/** A session without a sign of life for this long counts as ended when its client cannot be asked, in milliseconds. */
export const SESSION_SILENT_MS = 30 * 60_000

/** A detached worker ends itself after this, in milliseconds; what is left is done at the next session's start. */
export const WORKER_BUDGET_MS = 50_000

/** One memory's content, in characters. */
export const CONTENT_CHARS_MAX = 2_000
