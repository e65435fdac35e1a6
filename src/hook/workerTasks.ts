// The tasks of a worker other than maintenance: the word after the folder.

/** Asks the configured model. */
export const DISTILL = 'distill'

/** Exchanges changes with the configured hub of a team. */
export const SYNC = 'sync'

/** Only refreshes the recent segment. */
export const RECENT = 'recent'

/** Only builds the code caches of the hooks beside the worker. It opens no store. */
export const CACHES = 'caches'
