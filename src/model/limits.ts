// The limits that several folders share, each with its unit and its reason.

/** One log line at most, in bytes. A hook appends it in one write, and a tail of 64 KiB should hold several events. */
export const EVENT_BYTES_MAX = 16_384

/** A prompt, in characters: a pasted log is cut in the middle, typed text is shorter. */
export const PROMPT_CHARS_MAX = 6_000

/** The assistant's last message of a turn, in characters. */
export const ANSWER_CHARS_MAX = 4_000

/** The output of a failed call, in characters: the error's first and last lines say what happened. */
export const ERROR_CHARS_MAX = 4_000

/** The output of a call that passed, in characters: seldom needed again, and the largest part of a log. */
export const OUTPUT_CHARS_MAX = 1_200

/** One string of a call's input, in characters: a command or an edit's text. */
export const INPUT_CHARS_MAX = 2_000

/** The output of a read, a listing or a search, in characters: it can be read again. */
export const LOOKUP_CHARS_MAX = 300

/** Payload fields this version does not know, in characters of JSON: kept for a later version. */
export const EXTRA_CHARS_MAX = 1_000

/** How far back a hook reads the log for this session's latest events, in bytes: one read, some hundred events. */
export const RECENT_TAIL_BYTES = 65_536

/** A log tail longer than this past the snapshot starts a new snapshot in the background, in bytes. */
export const SNAPSHOT_TAIL_BYTES = 1_048_576

/** More memories than this that changed since the snapshot start a new one: the recent segment stays small. */
export const RECENT_MEMORIES_MAX = 500

/** The size at which a new log file is begun, in bytes: a year is some dozens of files. */
export const LOG_FILE_BYTES_MAX = 8_388_608

/** The context that a hook injects, in characters: from 10,001 on the client shows a path instead of the text. */
export const CONTEXT_CHARS_MAX = 9_500

/** A hook ends itself after this, in milliseconds: the user waits for it, and no output is a valid answer. */
export const HOOK_BUDGET_MS = 1_000

/** A longer payload is shortened, in bytes: redaction of this much takes a hook 0.1 s at most. */
export const PAYLOAD_BYTES_MAX = 131_072

/** A longer one is not read to its end, in bytes: to parse this much takes a hook 0.2 s. */
export const PAYLOAD_READ_BYTES_MAX = 33_554_432

/** A session without an event for this long counts as ended if its client cannot be checked, in milliseconds. */
export const SESSION_SILENT_MS = 30 * 60_000

/**
 * The same where the client's pid runs, but its start time is unknown, as on macOS and Windows: another program may
 * have the pid by now.
 */
export const CLIENT_SILENT_MS = 24 * 3_600_000

/** A detached worker begins nothing new after this, in milliseconds; the next session's start does the rest. */
export const WORKER_BUDGET_MS = 50_000

/** The watchdog ends a worker with more resident memory, in megabytes: heap, buffers and the embedder. */
export const WORKER_MEMORY_MB = 4_096

/** The detached process that asks the optional model ends itself after this, in milliseconds: a few sessions' calls. */
export const DISTILL_BUDGET_MS = 300_000

/** The detached process that exchanges changes with a hub ends itself after this, in milliseconds. */
export const SYNC_BUDGET_MS = 55_000

/** One memory's content, in characters. */
export const CONTENT_CHARS_MAX = 2_000

/** A Markdown or JSON file that is imported, in bytes: longer ones are logs or data. */
export const IMPORT_FILE_BYTES_MAX = 4_194_304

/** A database or an export that is imported, in bytes: it is read into memory, twice at most. */
export const IMPORT_DATABASE_BYTES_MAX = 536_870_912

/** Files of one import, and folders below its folder: a notebook of many years. */
export const IMPORT_FILES_MAX = 10_000

/** Memories of one import: a store with more of them is slow to search. */
export const IMPORT_ITEMS_MAX = 50_000
