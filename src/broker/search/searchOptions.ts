// The modes and orders of a search, in a file of their own so that a command's help does not load the index.

export const SEARCH_MODES = ['semantic', 'keyword', 'hybrid'] as const
export const SEARCH_SORTS = ['relevance', 'importance', 'created_at'] as const
