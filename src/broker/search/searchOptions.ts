// What a search may be asked for by name. Apart from the search itself, so that a command's help loads no index.

export const SEARCH_MODES = ['semantic', 'keyword', 'hybrid'] as const
export const SEARCH_SORTS = ['relevance', 'importance', 'created_at'] as const
